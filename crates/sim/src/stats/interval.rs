//! Intervals of shares, means, ratios and standard deviations over deals.
//!
//! Games of a deal share their cards, so a deal is one observation. Sums over deals are sufficient: for a
//! figure that is a ratio of two sums, a deal contributes its residual `x - ratio * n`.

use super::Figure;
use super::distribution::{beta, chi_squared, normal_tail, student};

/// Minimum number of deals for an interval.
pub const FEWEST_DEALS: usize = 5;

/// The largest correlation between games of a deal that is assumed where the data do not determine it.
const CORRELATION: f64 = 0.3;
/// The weight of this assumption, in degrees of freedom.
const PRIOR: f64 = 2.0;

/// The spread of a ratio of two sums among deals.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Residuals {
    /// Number of deals in which there was something to measure.
    pub deals: f64,
    /// Squared standard error of the ratio.
    pub variance: f64,
    /// Degrees of freedom of that estimate: few if few deals account for all of it.
    pub freedom: f64,
}

impl Residuals {
    /// Computes the spread from the residuals of all deals that have something to measure, and the sum in
    /// the denominator.
    pub fn new(residuals: impl Iterator<Item = f64>, whole: f64) -> Self {
        let (mut deals, mut squares, mut fourths) = (0.0, 0.0, 0.0);
        for residual in residuals {
            deals += 1.0;
            squares += residual * residual;
            fourths += residual.powi(4);
        }
        Self::of_sums(deals, squares, fourths, whole)
    }

    /// Computes the spread from the number of deals that have something to measure, the sums of the squares
    /// and fourth powers of their residuals, and the sum in the denominator.
    pub(super) fn of_sums(deals: f64, squares: f64, fourths: f64, whole: f64) -> Self {
        if squares <= 1e-12 * whole {
            return Self { deals, variance: 0.0, freedom: 0.0 };
        }
        // The variance of an estimated variance grows with the kurtosis.
        let kurtosis = deals * fourths / (squares * squares);
        let freedom = (2.0 * deals / (kurtosis - 1.0).max(1e-9)).min(deals - 1.0);
        Self { deals, variance: squares * deals / (deals - 1.0) / (whole * whole), freedom }
    }

    /// A figure whose interval is not known yet.
    pub(super) fn figure(&self, value: f64, standard_error: f64) -> Figure {
        // An error of 0 means that the data do not show the error.
        let known = self.deals >= FEWEST_DEALS as f64 && standard_error > 0.0;
        let standard_error = if known { standard_error } else { f64::NAN };
        Figure { standard_error, blocks: self.deals as u32, ..Figure::alone(value) }
    }

    /// The standard error of the ratio.
    pub(super) fn standard_error(&self) -> f64 {
        self.variance.sqrt()
    }

    /// The design effect: the factor by which the variance is larger than that of independent games.
    /// `games` is the number of games per deal.
    ///
    /// Rare events provide little information about it: the fewer deals account for the variance, the
    /// more it is shrunk to that of games with a correlation of `CORRELATION`. But where independent games
    /// would have shown their variance in many deals (`freedom`), few deals that differ show that the games
    /// of a deal balance each other.
    pub fn design_effect(&self, independent: f64, games: f64, freedom: f64) -> f64 {
        let expected = 1.0 + CORRELATION * (games - 1.0).max(0.0);
        let freedom = freedom.max(self.freedom);
        if freedom == 0.0 || independent <= 0.0 {
            return expected;
        }
        let weight = PRIOR * (1.0 - self.freedom / (self.deals - 1.0));
        let observed = self.variance / independent;
        (freedom * observed + weight * expected) / (freedom + weight)
    }

    /// The degrees of freedom of the variance if all games were independent, with events in this share of them.
    pub fn freedom_of_games(&self, share: f64, games: f64) -> f64 {
        let variance = share * (1.0 - share);
        if variance <= 0.0 {
            return 0.0;
        }
        // The excess kurtosis of a binomial distribution with the games of a deal.
        let excess = (1.0 - 6.0 * variance) * self.deals / (games * variance);
        (2.0 * self.deals / (2.0 + excess).max(1e-9)).min(self.deals - 1.0)
    }
}

/// A share of events among games, with its interval; `per_deal` is the number of games per deal.
///
/// It is the mid-P interval of Clopper and Pearson for the number of independent games that would be as
/// informative.
pub(super) fn share(share: f64, games: f64, per_deal: f64, residuals: &Residuals) -> Figure {
    let figure = residuals.figure(share, residuals.standard_error());
    if residuals.deals < FEWEST_DEALS as f64 || !share.is_finite() {
        return figure;
    }
    let freedom = residuals.freedom_of_games(share, games);
    let effect = residuals.design_effect(share * (1.0 - share) / games, per_deal, freedom);
    let Figure { low, high, .. } = binomial(share, games / effect, student(residuals.deals - 1.0));
    Figure { low, high, ..figure }
}

/// The mid-P interval of a share of `n` independent games; `z` is the normal quantile of its confidence.
///
/// ```
/// let share = ttr_sim::stats::binomial(1.0, 100.0, 1.96);
/// assert!((share.low - 0.9705).abs() < 0.0001 && share.high == 1.0, "{share:?}");
/// ```
pub fn binomial(share: f64, n: f64, z: f64) -> Figure {
    if n.is_nan() || n <= 0.0 || !share.is_finite() {
        return Figure::NONE;
    }
    // With many events of either kind, Wilson's interval is the same, and quicker.
    if n * share * (1.0 - share) > 100.0 {
        let squared = z * z / n;
        let middle = (share + squared / 2.0) / (1.0 + squared);
        let half = (share * (1.0 - share) * squared + squared * squared / 4.0).sqrt() / (1.0 + squared);
        return Figure::new(share, middle - half, middle + half);
    }
    let tail = normal_tail(z);
    let (events, others) = (share * n, (1.0 - share) * n);
    // The probability of more events than these, half of them counting, if the share is `p`.
    let above = |p: f64| (beta(events, others + 1.0, p) + beta(events + 1.0, others, p)) / 2.0;
    let (mut low, mut high) = (0.0, share);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if above(middle) < tail { low = middle } else { high = middle }
    }
    let lower = low;
    let (mut low, mut high) = (share, 1.0);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if 1.0 - above(middle) < tail { high = middle } else { low = middle }
    }
    // Bisection ends close to 0 and 1.
    let round = |end: f64| {
        if end < 1e-9 {
            0.0
        } else if end > 1.0 - 1e-9 {
            1.0
        } else {
            end
        }
    };
    Figure::new(share, round(lower).min(share), round(high).max(share))
}

/// A ratio of two sums with its t interval; without an interval if it never varied.
pub(super) fn ratio(value: f64, residuals: &Residuals) -> Figure {
    let figure = residuals.figure(value, residuals.standard_error());
    if figure.standard_error.is_nan() {
        return figure;
    }
    let margin = student(residuals.deals - 1.0) * figure.standard_error;
    Figure { low: value - margin, high: value + margin, ..figure }
}

/// The standard deviation of single games with its interval, from their mean square deviation, the squared
/// standard error of their mean, and the residuals of the mean square deviation.
///
/// The interval is that of a normal sample with as many games as give the mean square deviation the same
/// variance.
pub(super) fn deviation(
    square: f64,
    mean_variance: f64,
    games: f64,
    per_deal: f64,
    residuals: &Residuals,
) -> Figure {
    // The mean of the sample is closer to the games than the true mean.
    let variance = square + mean_variance;
    let value = variance.sqrt();
    // The error of a square root, to first order.
    let figure = residuals.figure(value, residuals.standard_error() / (2.0 * value));
    if figure.standard_error.is_nan() {
        return figure;
    }
    let effect = residuals.design_effect(2.0 * square * square / games, per_deal, residuals.freedom);
    let freedom = (games / effect - 1.0).max(1.0);
    // Three quarters: squares are skewed, and so their spread is underestimated more often than not.
    let z = student((0.75 * residuals.freedom).max(2.5));
    Figure {
        low: value * (freedom / chi_squared(freedom, z)).sqrt(),
        // With very few degrees of freedom the quantile vanishes.
        high: value * (freedom / chi_squared(freedom, -z).max(0.01 * freedom)).sqrt(),
        ..figure
    }
}
