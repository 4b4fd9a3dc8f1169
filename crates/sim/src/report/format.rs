//! Numbers as text.

use crate::stats::Figure;
use crate::text::thousands;

/// What stands for a figure that there is none of.
pub const MISSING: &str = "–";

/// How numbers of a kind are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    decimals: usize,
    percent: bool,
    signed: bool,
}

impl Format {
    /// A share, as `63.1 %`.
    pub const PERCENT: Self = Self { decimals: 1, percent: true, signed: false };
    /// A difference of shares, as `+3.1 %`.
    pub const PERCENT_MORE: Self = Self { decimals: 1, percent: true, signed: true };
    /// A rating, as `+120`.
    pub const ELO: Self = Self { decimals: 0, percent: false, signed: true };
    /// A whole number, as `1,234`.
    pub const WHOLE: Self = Self::decimals(0);
    /// A number with a decimal, as `63.1`.
    pub const POINTS: Self = Self::decimals(1);

    /// A number with some decimals.
    pub const fn decimals(decimals: usize) -> Self {
        Self { decimals, percent: false, signed: false }
    }

    /// A number.
    ///
    /// ```
    /// use ttr_sim::report::Format;
    /// assert_eq!(Format::PERCENT.value(0.6314), "63.1\u{a0}%");     // a no-break space
    /// assert_eq!(Format::ELO.value(-0.2), "0");
    /// assert_eq!(Format::WHOLE.value(-1234.0), "−1,234");
    /// assert_eq!(Format::POINTS.value(f64::NAN), "–");
    /// ```
    pub fn value(&self, value: f64) -> String {
        let number = self.number(value);
        if self.percent && value.is_finite() { number + "\u{a0}%" } else { number }
    }

    /// A number without decimals that are 0, for the ends of a scale.
    pub(super) fn short(&self, value: f64) -> String {
        let factor = if self.percent { 100.0 } else { 1.0 };
        let exact = |&decimals: &usize| {
            let shifted = value * factor * 10f64.powi(decimals as i32);
            (shifted - shifted.round()).abs() < 1e-6
        };
        let decimals = (0..self.decimals).find(exact).unwrap_or(self.decimals);
        Self { decimals, ..*self }.value(value)
    }

    /// A figure with half the width of its interval, as `63.1 ±1.2 %`.
    pub fn figure(&self, figure: &Figure) -> String {
        if !figure.value.is_finite() {
            return MISSING.to_owned();
        }
        let unit = if self.percent { "\u{a0}%" } else { "" };
        format!("{}\u{a0}{}{unit}", self.number(figure.value), self.margin(figure))
    }

    /// Half the width of an interval, as `±1.2`.
    pub fn margin(&self, figure: &Figure) -> String {
        format!("±{}", Self { signed: false, ..*self }.number(figure.margin()))
    }

    /// The ends of an interval, as `61.9 % to 64.3 %`.
    pub fn interval(&self, figure: &Figure) -> String {
        format!("{} to {}", self.value(figure.low), self.value(figure.high))
    }

    /// Whether it is a share.
    pub(super) fn is_percent(&self) -> bool {
        self.percent
    }

    /// Without its unit.
    fn number(&self, value: f64) -> String {
        if !value.is_finite() {
            return MISSING.to_owned();
        }
        let value = if self.percent { value * 100.0 } else { value };
        let digits = format!("{:.*}", self.decimals, value.abs());
        let (whole, decimals) = digits.split_once('.').unwrap_or((&digits, ""));
        let whole = whole.parse().map(thousands).unwrap_or_else(|_| whole.to_owned());
        let zero = !digits.contains(|digit: char| digit.is_ascii_digit() && digit != '0');
        let sign = match (value < 0.0, self.signed) {
            _ if zero => "",
            (true, _) => "−",
            (false, true) => "+",
            (false, false) => "",
        };
        let point = if decimals.is_empty() { "" } else { "." };
        format!("{sign}{whole}{point}{decimals}")
    }
}

/// A share of `n` independent observations with its 95 % Wilson interval.
///
/// ```
/// let share = ttr_sim::report::wilson(0.5, 100.0);
/// assert!((share.low - 0.404).abs() < 0.001 && (share.high - 0.596).abs() < 0.001);
/// ```
pub fn wilson(share: f64, n: f64) -> Figure {
    if n.is_nan() || n <= 0.0 || !share.is_finite() {
        return Figure { value: f64::NAN, low: f64::NAN, high: f64::NAN };
    }
    let squared = 1.96_f64.powi(2) / n;
    let middle = (share + squared / 2.0) / (1.0 + squared);
    let half = (share * (1.0 - share) * squared + squared * squared / 4.0).max(0.0).sqrt() / (1.0 + squared);
    Figure { value: share, low: (middle - half).clamp(0.0, share), high: (middle + half).clamp(share, 1.0) }
}
