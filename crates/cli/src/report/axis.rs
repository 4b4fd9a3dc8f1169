//! Axes: positions of values and marks.

use super::format::Format;

/// An axis from its lower to its upper end.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    step: f64,
}

impl Axis {
    /// Creates an axis on which all of these values fit, its ends slightly outside.
    pub(super) fn around(values: impl IntoIterator<Item = f64>, marks: usize) -> Self {
        let (low, high) = ends(values);
        let room = (high - low) * 0.04;
        let (low, high) = (low - room, high + room);
        Self { low, high, step: round_step(high - low, marks) }
    }

    /// Creates an axis for shares: it stays within 0 and 1, and reaches both if the values take up more
    /// than half of it.
    pub(super) fn of_shares(values: impl IntoIterator<Item = f64>, marks: usize) -> Self {
        let axis = Self::around(values, marks);
        let (low, high) = (axis.low.max(0.0), axis.high.min(1.0));
        if high - low > 0.5 { Self::between(0.0, 1.0, 4) } else { Self::between(low, high, marks) }
    }

    /// Creates an axis with marks at both ends on which all of these values fit.
    pub(super) fn rounded(values: impl IntoIterator<Item = f64>, marks: usize) -> Self {
        let (low, high) = ends(values);
        let step = round_step(high - low, marks);
        Self { low: (low / step).floor() * step, high: (high / step).ceil() * step, step }
    }

    /// Creates an axis between these ends.
    pub(super) fn between(low: f64, high: f64, marks: usize) -> Self {
        Self { low, high, step: round_step(high - low, marks) }
    }

    /// Creates an axis from the least to the greatest of these values.
    pub(super) fn between_ends(values: impl IntoIterator<Item = f64>, marks: usize) -> Self {
        let (low, high) = ends(values);
        Self::between(low, high, marks)
    }

    pub(super) fn high(&self) -> f64 {
        self.high
    }

    /// Returns `true` if a value is on the axis.
    pub(super) fn has(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Position of a value: 0 at the lower end, 1 at the upper.
    pub(super) fn place(&self, value: f64) -> f64 {
        let place = (value - self.low) / (self.high - self.low);
        if place.is_finite() { place.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// The values with marks.
    pub(super) fn marks(&self) -> Vec<f64> {
        let slack = self.step * 1e-6;
        let first = ((self.low - slack) / self.step).ceil() as i64;
        let last = ((self.high + slack) / self.step).floor() as i64;
        (first..=last).map(|mark| mark as f64 * self.step).collect()
    }

    /// The label of a mark, with as many decimals as the step needs, whatever the values have.
    pub(super) fn mark(&self, value: f64, percent: bool) -> String {
        let step = if percent { self.step * 100.0 } else { self.step };
        let is_exact = |&decimals: &usize| {
            let shifted = step * 10f64.powi(decimals as i32);
            (shifted - shifted.round()).abs() < 1e-6
        };
        let decimals = (0..6).find(is_exact).unwrap_or(6);
        if percent {
            Format::decimals(decimals).value(value * 100.0) + "\u{a0}%"
        } else {
            Format::decimals(decimals).value(value)
        }
    }
}

/// A value with as many decimals as it has, at most three.
pub(super) fn exactly(value: f64) -> String {
    let decimals = (0..3).find(|&n| (value * 10f64.powi(n) % 1.0).abs() < 1e-6).unwrap_or(3);
    Format::decimals(decimals as usize).value(value)
}

/// The least and the greatest value; some room around a single one.
fn ends(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let values = values.into_iter().filter(|value| value.is_finite());
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    match high - low {
        width if width > 0.0 => (low, high),
        0.0 => (low - low.abs().max(1.0) * 0.1, high + high.abs().max(1.0) * 0.1),
        _ => (0.0, 1.0),
    }
}

/// The smallest of 1, 2, 2.5, 5, 10, ... that gives at most this many marks.
fn round_step(width: f64, marks: usize) -> f64 {
    let least = (width / marks.max(1) as f64).max(1e-9);
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 2.5, 5.0]
        .into_iter()
        .map(|n| n * power)
        .find(|step| *step >= least * 0.999)
        .unwrap_or(10.0 * power)
}

/// A position on an axis as an attribute.
pub(super) fn percent(place: f64) -> String {
    let hundredths = (place * 1e4).round() as i64;
    match hundredths % 100 {
        0 => format!("{}%", hundredths / 100),
        _ => format!("{:.2}%", hundredths as f64 / 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_inside() {
        let axis = Axis::rounded([0.0, 0.63], 5);
        assert_eq!(axis.marks().len(), 5);
        assert_eq!((axis.low, axis.mark(axis.high, true)), (0.0, "80\u{a0}%".to_owned()));
        let axis = Axis::around([-37.0, 112.0], 6);
        assert_eq!(axis.marks(), [0.0, 50.0, 100.0]);
        assert!(axis.place(-37.0) > 0.0 && axis.place(112.0) < 1.0);
        assert_eq!(Axis::between(0.0, 0.05, 5).mark(0.01, false), "0.01");
        assert_eq!(Axis::between(0.0, 0.5, 5).mark(0.1, false), "0.1");
        let axis = Axis::between(0.0, 0.1, 4);
        let marks: Vec<_> = axis.marks().into_iter().map(|mark| axis.mark(mark, true)).collect();
        assert_eq!(marks, ["0.0\u{a0}%", "2.5\u{a0}%", "5.0\u{a0}%", "7.5\u{a0}%", "10.0\u{a0}%"]);
    }

    #[test]
    fn shares_are_between_0_and_1() {
        let axis = Axis::of_shares([0.0, 0.91], 5);
        assert_eq!((axis.low, axis.high, axis.marks().len()), (0.0, 1.0, 5));
        let axis = Axis::of_shares([0.001, 0.05], 5);
        assert!(axis.low == 0.0 && axis.high < 0.06, "{axis:?}");
        let axis = Axis::of_shares([0.48, 0.52], 5);
        assert!(axis.low > 0.4 && axis.high < 0.6, "{axis:?}");
    }

    #[test]
    fn strange_values_have_a_place_too() {
        for values in [vec![], vec![f64::NAN], vec![7.0], vec![0.0, 0.0], vec![f64::INFINITY, 3.0]] {
            let axis = Axis::around(values.iter().copied(), 5);
            assert!(axis.low < axis.high && axis.marks().len() < 20, "{values:?}: {axis:?}");
            assert!((0.0..=1.0).contains(&axis.place(f64::NAN)));
        }
    }
}
