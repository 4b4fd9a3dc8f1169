//! Sums over games by block of deals, and the figures that follow from them.

use serde::{Deserialize, Serialize};
use ttr_engine::Dice;

use super::distribution::NORMAL;
use super::interval::{self, Residuals};
use super::{FEWEST_DEALS, Figure};

/// Maximum number of blocks. With more deals, several deals share a block: that leaves the intervals as
/// they are, and limits the memory.
pub const GROUPS: usize = 2000;
/// Number of draws for simultaneous intervals.
const DRAWS: usize = 2000;

/// Sums of integers, by block of deals. Adding is exact in any order.
///
/// ```
/// use ttr_sim::stats::Blocks;
/// let mut blocks = Blocks::new(2);
/// for deal in 0..1000 {
///     blocks.add(deal, 0, 1);                     // games
///     blocks.add(deal, 1, (deal % 2) as i64);     // wins
/// }
/// let share = blocks.share(1000, |sums| (sums[1] as f64, sums[0] as f64));
/// assert_eq!(share.value, 0.5);
/// assert!((share.low - 0.469).abs() < 0.001 && (share.high - 0.531).abs() < 0.001, "{share:?}");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Blocks {
    width: usize,
    groups: usize,
    sums: Vec<i64>,
}

impl Blocks {
    /// Creates `width` sums, all 0.
    pub fn new(width: usize) -> Self {
        Self::grouped(width, GROUPS)
    }

    /// Creates `width` sums with at most `groups` blocks.
    pub fn grouped(width: usize, groups: usize) -> Self {
        Self { width, groups, sums: Vec::new() }
    }

    /// Adds to a sum of the block of a deal.
    #[inline]
    pub fn add(&mut self, deal: u64, sum: usize, value: i64) {
        let block = (deal % self.groups as u64) as usize;
        let end = (block + 1) * self.width;
        if self.sums.len() < end {
            self.sums.resize(end, 0);
        }
        self.sums[block * self.width + sum] += value;
    }

    /// Adds the sums of other deals.
    pub fn merge(&mut self, other: &Self) {
        assert_eq!(
            (self.width, self.groups),
            (other.width, other.groups),
            "only sums of the same things can be added"
        );
        if self.sums.len() < other.sums.len() {
            self.sums.resize(other.sums.len(), 0);
        }
        for (sum, other) in self.sums.iter_mut().zip(&other.sums) {
            *sum += other;
        }
    }

    /// Returns `true` if these are sums of the same things, in whole blocks.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        (self.width, self.groups) == (other.width, other.groups)
            && self.sums.len().is_multiple_of(self.width)
            && self.sums.len() <= self.width * self.groups
    }

    /// Maximum number of blocks.
    pub(crate) fn groups(&self) -> usize {
        self.groups
    }

    /// A sum over all blocks, saturating.
    pub(crate) fn total(&self, sum: usize) -> i64 {
        self.rows().fold(0, |total: i64, row| total.saturating_add(row[sum]))
    }

    /// The sums of each block.
    pub fn rows(&self) -> impl Iterator<Item = &[i64]> {
        self.sums.chunks_exact(self.width)
    }

    /// The sums over all blocks.
    pub fn totals(&self) -> Vec<i64> {
        let mut totals = vec![0; self.width];
        for block in self.rows() {
            for (total, sum) in totals.iter_mut().zip(block) {
                *total += sum;
            }
        }
        totals
    }

    /// A ratio of two sums, its denominator, and its spread among blocks.
    fn spread(&self, of: impl Fn(&[i64]) -> (f64, f64)) -> (f64, f64, Residuals) {
        let (part, whole) =
            self.rows().map(&of).fold((0.0, 0.0), |sum, (part, whole)| (sum.0 + part, sum.1 + whole));
        let value = part / whole;
        let blocks = self.rows().map(&of).filter(|&(_, whole)| whole != 0.0);
        (value, whole, Residuals::new(blocks.map(|(part, whole)| part - value * whole), whole))
    }

    /// A mean: the ratio of two sums, with a t interval.
    pub fn ratio(&self, of: impl Fn(&[i64]) -> (f64, f64)) -> Figure {
        let (value, _, residuals) = self.spread(of);
        interval::ratio(value, &residuals)
    }

    /// A share of events in games that were played in this many deals.
    pub fn share(&self, deals: u64, of: impl Fn(&[i64]) -> (f64, f64)) -> Figure {
        let (value, games, residuals) = self.spread(of);
        interval::share(value, games, games / deals as f64, &residuals)
    }

    /// The share of wins per seat of an agent that may have several seats in a game: at most `largest` of them
    /// can win.
    ///
    /// The interval is that of the share of games that any seat of the agent wins, because games are what
    /// varies. With two agents, the interval of one mirrors that of the other.
    ///
    /// ```
    /// use ttr_sim::stats::Blocks;
    /// // Two agents with two of four seats each; the first wins all games but two.
    /// let mut blocks = Blocks::new(3);
    /// for deal in 0..100 {
    ///     let lost = i64::from(deal % 50 == 0);
    ///     [8, 4 - lost, lost].into_iter().enumerate().for_each(|(sum, value)| blocks.add(deal, sum, value));
    /// }
    /// let share = |wins: usize| blocks.win_share(100, 0.5, |sums| (sums[wins] as f64, sums[0] as f64));
    /// let (one, other) = (share(1), share(2));
    /// assert_eq!(one.value, 0.4975);
    /// assert!((0.5 - one.low - other.high).abs() < 1e-6 && one.margin() < 0.006, "{one:?} {other:?}");
    /// ```
    pub fn win_share(&self, deals: u64, largest: f64, of: impl Fn(&[i64]) -> (f64, f64)) -> Figure {
        let of_games = |sums: &[i64]| {
            let (wins, seats) = of(sums);
            (wins, seats * largest)
        };
        self.share(deals, of_games).times(largest)
    }

    /// The standard deviation of single games, from their number, the sum of their values and that of the squares.
    pub fn deviation(&self, deals: u64, of: impl Fn(&[i64]) -> [f64; 3]) -> Figure {
        let (mean, games, residuals) = self.spread(|sums| {
            let [games, sum, _] = of(sums);
            (sum, games)
        });
        let (square, _, of_squares) = self.spread(|sums| {
            let [games, sum, squares] = of(sums);
            (squares - 2.0 * mean * sum + mean * mean * games, games)
        });
        // Rounding may lead to a negative value.
        interval::deviation(square.max(0.0), residuals.variance, games, games / deals as f64, &of_squares)
    }

    /// The difference of two ratios of sums.
    pub fn difference(
        &self,
        one: impl Fn(&[i64]) -> (f64, f64),
        other: impl Fn(&[i64]) -> (f64, f64),
    ) -> Difference {
        let ((a, games, _), (b, others, _)) = (self.spread(&one), self.spread(&other));
        let influence: Vec<f64> = self
            .rows()
            .map(|sums| {
                let ((part, whole), (part_other, whole_other)) = (one(sums), other(sums));
                (part - a * whole) / games - (part_other - b * whole_other) / others
            })
            .collect();
        let residuals = Residuals::new(influence.iter().copied(), 1.0);
        Difference { figure: interval::ratio(a - b, &residuals), influence }
    }
}

/// A difference with each block's contribution to its error.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    /// The difference, with its own interval.
    pub figure: Figure,
    influence: Vec<f64>,
}

/// The same differences with intervals that cover all true values at once in 95 % of runs, instead of one
/// at a time.
///
/// All of them are wider by one factor: the 95 % quantile of the largest standardised error of all, from
/// draws in which every block has a random sign, over the quantile of a single one.
pub fn bands(differences: &[Difference], seed: u64) -> Vec<Figure> {
    let known: Vec<(&Difference, f64)> = differences
        .iter()
        .filter(|difference| difference.figure.has_interval())
        .map(|difference| {
            (difference, difference.influence.iter().map(|error| error * error).sum::<f64>().sqrt())
        })
        .collect();
    let blocks = known.first().map_or(0, |(difference, _)| difference.influence.len());
    if blocks < FEWEST_DEALS {
        return differences.iter().map(|difference| difference.figure).collect();
    }
    let mut dice = Dice::from_parts(&[seed, 0xba2d]);
    let mut largest: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let signs: Vec<f64> = (0..blocks).map(|_| [-1.0, 1.0][dice.below(2) as usize]).collect();
            let error = |(difference, error): &(&Difference, f64)| {
                difference.influence.iter().zip(&signs).map(|(x, sign)| x * sign).sum::<f64>().abs() / error
            };
            known.iter().map(error).fold(0.0, f64::max)
        })
        .collect();
    largest.sort_by(f64::total_cmp);
    let factor = (largest[DRAWS * 95 / 100] / NORMAL).max(1.0);
    let widen = |figure: Figure| Figure {
        low: figure.value - factor * (figure.value - figure.low),
        high: figure.value + factor * (figure.high - figure.value),
        ..figure
    };
    differences.iter().map(|difference| widen(difference.figure)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wins(sums: &[i64]) -> (f64, f64) {
        (sums[1] as f64, sums[0] as f64)
    }

    /// Pairs of equal games must not count as twice the evidence.
    #[test]
    fn intervals_go_by_deal() {
        let (mut single, mut paired) = (Blocks::new(2), Blocks::new(2));
        for deal in 0..400u64 {
            let win = i64::from(Dice::from_seed(deal).below(2) == 0);
            for (blocks, games) in [(&mut single, 1), (&mut paired, 2)] {
                blocks.add(deal, 0, games);
                blocks.add(deal, 1, games * win);
            }
        }
        let (one, two) = (single.share(400, wins), paired.share(400, wins));
        assert!((one.low - two.low).abs() < 1e-3 && (one.high - two.high).abs() < 1e-3, "{one:?} {two:?}");
    }

    #[test]
    fn merging_is_exact_in_any_order() {
        let part = |from: u64, to: u64| {
            let mut blocks = Blocks::new(1);
            (from..to).for_each(|deal| blocks.add(deal, 0, deal as i64));
            blocks
        };
        let whole = part(0, 5000);
        let (mut forth, mut back) = (part(0, 1234), part(1234, 5000));
        forth.merge(&part(1234, 5000));
        back.merge(&part(0, 1234));
        assert_eq!((&forth, &back), (&whole, &whole));
        assert_eq!(whole.rows().count(), GROUPS);
    }

    /// Winning all games of 50 deals does not prove a share of 1, and four deals do not determine an
    /// interval.
    #[test]
    fn one_sided_results_have_an_interval() {
        let mut blocks = Blocks::new(2);
        for deal in 0..50 {
            blocks.add(deal, 0, 2);
            blocks.add(deal, 1, 2);
            let share = blocks.share(deal + 1, wins);
            assert_eq!(share.has_interval(), deal >= 4, "{deal}: {share:?}");
        }
        let share = blocks.share(50, wins);
        assert!(share.value == 1.0 && share.high == 1.0 && (0.94..0.97).contains(&share.low), "{share:?}");
        assert_eq!(blocks.ratio(wins).plus_minus(1), "1.0 ±-", "a mean that never varied has no known error");
    }

    /// Thirty differences without an effect: single intervals miss some of them, bands all but 5 % of the
    /// time.
    #[test]
    fn bands_cover_all_at_once() {
        let (mut single, mut together) = (0, 0);
        for trial in 0..200 {
            let mut blocks = Blocks::new(61);
            for deal in 0..100 {
                let mut dice = Dice::from_parts(&[trial, deal]);
                blocks.add(deal, 0, 100);
                for item in 0..30 {
                    blocks.add(deal, 1 + 2 * item, 10);
                    blocks.add(deal, 2 + 2 * item, i64::from(dice.below(100)));
                }
            }
            let of = |item: usize| {
                blocks.difference(
                    move |sums: &[i64]| (sums[2 + 2 * item] as f64, sums[1 + 2 * item] as f64),
                    |sums: &[i64]| (4.95 * sums[0] as f64, sums[0] as f64),
                )
            };
            let differences: Vec<_> = (0..30).map(of).collect();
            let covers = |figure: &Figure| figure.low <= 0.0 && 0.0 <= figure.high;
            single += u32::from(differences.iter().all(|difference| covers(&difference.figure)));
            together += u32::from(bands(&differences, trial).iter().all(covers));
        }
        assert!(single < 80, "{single} of 200");
        assert!((180..=199).contains(&together), "{together} of 200");
    }
}
