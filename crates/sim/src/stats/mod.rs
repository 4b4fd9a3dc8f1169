//! Figures with their uncertainty.
//!
//! Games of a deal share their cards, so a deal is one observation: every interval comes from the spread
//! among deals. `docs/STATISTICS.md` describes how each figure is computed, and experiment 0016 measures
//! how often its interval covers the truth.

mod blocks;
mod distribution;
mod interval;
mod rating;
mod running;
mod sprt;

use serde::{Deserialize, Serialize};

pub use blocks::{Blocks, Difference, GROUPS, bands};
pub use interval::{FEWEST_DEALS, Residuals, binomial};
pub(crate) use rating::solve_for;
pub use rating::{Contest, elo_of_share, share_of_elo};
pub use running::{Course, RunningShare};
pub use sprt::{Decision, Encounter, Sprt};

/// A figure with a 95 % interval.
///
/// `value` is NaN if there was nothing to measure, such as the winning points of an agent that never won.
/// The ends are NaN if the interval is unknown, as with fewer than five deals. If only one end is a number,
/// the figure is a bound: the rating of an agent that never won is at most `high`. In JSON all of these are
/// `null`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Figure {
    /// The figure.
    #[serde(deserialize_with = "number_or_null")]
    pub value: f64,
    /// Lower end of the interval.
    #[serde(deserialize_with = "number_or_null")]
    pub low: f64,
    /// Upper end of the interval.
    #[serde(deserialize_with = "number_or_null")]
    pub high: f64,
    /// Standard error from the spread among blocks; NaN if unknown.
    #[serde(deserialize_with = "number_or_null")]
    pub standard_error: f64,
    /// Number of blocks that the error and the interval come from: deals, up to [`GROUPS`].
    pub blocks: u32,
}

/// The methods behind the intervals of a file, each with an id, which changes whenever the method gives
/// other intervals. `docs/STATISTICS.md` describes them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct IntervalMethods {
    /// Coverage probability.
    pub level: f64,
    /// Minimum number of blocks for an interval.
    pub fewest_blocks: usize,
    /// Method for shares, such as that of wins.
    pub share: String,
    /// Method for means, such as that of points.
    pub mean: String,
    /// Method for standard deviations.
    pub deviation: String,
    /// Method for ratings.
    pub rating: String,
}

impl IntervalMethods {
    /// The methods of this version.
    pub fn current() -> Self {
        Self {
            level: 0.95,
            fewest_blocks: FEWEST_DEALS,
            share: "mid-p-effective-games-2".to_owned(),
            mean: "student-t-ratio-1".to_owned(),
            deviation: "chi-squared-effective-games-1".to_owned(),
            rating: "profile-r-star-design-effect-2".to_owned(),
        }
    }
}

fn number_or_null<'de, D: serde::Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or(f64::NAN))
}

impl Figure {
    /// A figure without a measurement.
    pub const NONE: Self = Self::new(f64::NAN, f64::NAN, f64::NAN);

    /// Creates a figure with an interval that does not come from blocks.
    pub const fn new(value: f64, low: f64, high: f64) -> Self {
        Self { value, low, high, standard_error: f64::NAN, blocks: 0 }
    }

    /// The value as text, without its interval; `-` if nothing was measured.
    pub(crate) fn value_text(&self, decimals: usize) -> String {
        if self.value.is_nan() { "-".to_owned() } else { format!("{:.decimals$}", self.value) }
    }

    /// Creates a figure with an unknown interval.
    pub const fn alone(value: f64) -> Self {
        Self::new(value, f64::NAN, f64::NAN)
    }

    /// Creates a figure that is known exactly.
    pub const fn exactly(value: f64) -> Self {
        Self { standard_error: 0.0, ..Self::new(value, value, value) }
    }

    /// Returns `true` if both ends of the interval are known.
    pub fn has_interval(&self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }

    /// Half the width of the interval.
    pub fn margin(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// The figure times a number.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self {
            value: self.value * factor,
            low: self.low * factor,
            high: self.high * factor,
            standard_error: self.standard_error * factor.abs(),
            ..self
        }
    }

    /// The form in which the figure is written, in terminals and reports alike.
    pub fn shown(&self, decimals: usize) -> Shown {
        let extent = if self.value.is_nan() {
            match (self.low.is_nan(), self.high.is_nan()) {
                (false, true) => Extent::AtLeast,
                (true, false) => Extent::AtMost,
                _ => Extent::Nothing,
            }
        } else if !self.has_interval() {
            Extent::Unknown
        } else if self.low == self.high {
            Extent::Exact
        } else {
            let (below, above) = (self.value - self.low, self.high - self.value);
            // A margin other than 0 is not written as 0.
            let fine = |&more: &usize| (self.margin() * power(decimals + more)).round() >= 1.0;
            let decimals = decimals + (0..5).find(fine).unwrap_or(5);
            let unit = power(decimals);
            let differ = ((below * unit).round() - (above * unit).round()).abs();
            let extent = match differ > 1.0 && differ > 0.1 * unit * below.max(above) {
                true => Extent::Range,
                false => Extent::PlusMinus,
            };
            return Shown { figure: *self, decimals, extent };
        };
        Shown { figure: *self, decimals, extent }
    }

    /// The figure as text, as `63.1 ±1.2`.
    ///
    /// ```
    /// use ttr_sim::stats::Figure;
    /// let text = |value, low, high| Figure::new(value, low, high).plus_minus(1);
    /// assert_eq!(text(63.1, 61.9, 64.3), "63.1 ±1.2");
    /// assert_eq!(text(99.8, 98.6, 99.99), "99.8 (98.6..100.0)");      // the halves differ
    /// assert_eq!(text(50.0, 49.988, 50.012), "50.00 ±0.01");          // 50.0 ±0.0 would be too much
    /// assert_eq!(text(120.5, f64::NAN, f64::NAN), "120.5 ±-");         // too few deals for an interval
    /// assert_eq!(text(f64::NAN, 460.2, f64::NAN), "≥460.2");
    /// assert_eq!(text(f64::NAN, f64::NAN, f64::NAN), "-");
    /// ```
    pub fn plus_minus(&self, decimals: usize) -> String {
        let shown = self.shown(decimals);
        shown.text(|value| format!("{value:.*}", shown.decimals), "-")
    }

    /// The same with a sign, such as `+36 ±8`.
    pub fn signed_plus_minus(&self, decimals: usize) -> String {
        let shown = self.shown(decimals);
        shown.text(
            |value| match (value * power(shown.decimals)).round() {
                0.0 => format!("{:.*}", shown.decimals, 0.0),
                _ => format!("{value:+.*}", shown.decimals),
            },
            "-",
        )
    }
}

fn power(decimals: usize) -> f64 {
    10f64.powi(decimals as i32)
}

/// The part of a figure's interval that is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extent {
    Nothing,
    Unknown,
    Exact,
    PlusMinus,
    Range,
    AtLeast,
    AtMost,
}

/// A figure with as many decimals as its interval needs.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    figure: Figure,
    /// Number of decimals.
    pub decimals: usize,
    extent: Extent,
}

impl Shown {
    /// The figure without its interval, or `missing`.
    pub fn value(&self, number: impl Fn(f64) -> String, missing: &str) -> String {
        match self.extent {
            Extent::Nothing => missing.to_owned(),
            Extent::AtLeast => format!("≥{}", number(self.figure.low)),
            Extent::AtMost => format!("≤{}", number(self.figure.high)),
            _ => number(self.figure.value),
        }
    }

    /// The interval of the figure; `None` if there is none to write.
    pub fn interval(&self, number: impl Fn(f64) -> String, missing: &str) -> Option<String> {
        match self.extent {
            Extent::Unknown => Some(format!("±{missing}")),
            // Half a width has no sign.
            Extent::PlusMinus => Some(format!("±{}", number(self.figure.margin()).trim_start_matches('+'))),
            Extent::Range => Some(format!("({}..{})", number(self.figure.low), number(self.figure.high))),
            Extent::Nothing | Extent::Exact | Extent::AtLeast | Extent::AtMost => None,
        }
    }

    /// Both the figure and its interval.
    fn text(&self, number: impl Fn(f64) -> String, missing: &str) -> String {
        let value = self.value(&number, missing);
        match self.interval(&number, missing) {
            Some(interval) => format!("{value} {interval}"),
            None => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_zeros() {
        let elo = Figure::new(-85.2, -107.0, -67.1);
        assert_eq!(elo.signed_plus_minus(0), "-85 (-107..-67)");
        assert_eq!(Figure::new(36.2, 28.0, 44.0).signed_plus_minus(0), "+36 ±8");
        assert_eq!(Figure::exactly(0.0).signed_plus_minus(0), "0");
        assert_eq!(Figure::new(-0.2, -9.2, 8.8).signed_plus_minus(0), "0 ±9");
        assert_eq!(Figure { high: -1200.4, ..Figure::NONE }.signed_plus_minus(0), "≤-1200");
    }

    #[test]
    fn what_is_unknown_survives_json() {
        for figure in [Figure::NONE, Figure::alone(3.0), Figure { low: 4.0, ..Figure::NONE }] {
            let text = serde_json::to_string(&figure).unwrap();
            let again: Figure = serde_json::from_str(&text).unwrap();
            assert_eq!(format!("{figure:?}"), format!("{again:?}"), "{text}");
        }
    }
}
