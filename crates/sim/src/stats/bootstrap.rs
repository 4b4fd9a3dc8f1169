//! The bootstrap over blocks of deals.

use serde::{Deserialize, Serialize};
use ttr_engine::Dice;

use super::Figure;

/// Most blocks that are kept apart. With more deals, every so many deals are a block: that leaves the intervals as they
/// are, and the memory small.
pub const GROUPS: usize = 2000;
/// How often the blocks are resampled.
const RESAMPLES: usize = 1000;

/// Sums of whole numbers, by block. Adding up is exact in any order.
///
/// ```
/// use ttr_sim::stats::Blocks;
/// let mut blocks = Blocks::new(2);
/// for deal in 0..1000 {
///     blocks.add(deal, 0, 1);                     // games
///     blocks.add(deal, 1, (deal % 2) as i64);     // wins
/// }
/// let share = blocks.resample(1).figure(|sums| sums[1] as f64 / sums[0] as f64);
/// assert_eq!(share.value, 0.5);
/// assert!(share.low > 0.46 && share.low < 0.475 && share.high > 0.525 && share.high < 0.54, "{share:?}");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Blocks {
    width: usize,
    groups: usize,
    sums: Vec<i64>,
}

impl Blocks {
    /// Of `width` sums, all 0.
    pub fn new(width: usize) -> Self {
        Self::grouped(width, GROUPS)
    }

    /// The same with at most `groups` blocks.
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

    /// How many blocks there are.
    pub fn len(&self) -> usize {
        self.sums.len() / self.width
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sums.is_empty()
    }

    /// The sums over all blocks.
    pub fn totals(&self) -> Vec<i64> {
        let mut totals = vec![0; self.width];
        for block in self.sums.chunks_exact(self.width) {
            for (total, sum) in totals.iter_mut().zip(block) {
                *total += sum;
            }
        }
        totals
    }

    /// Draws as many blocks as there are, with replacement, many times over.
    pub fn resample(&self, seed: u64) -> Resamples {
        let blocks = self.len();
        let mut dice = Dice::from_parts(&[seed, 0xb007]);
        let mut resampled = Vec::with_capacity(RESAMPLES);
        for _ in 0..if blocks == 0 { 0 } else { RESAMPLES } {
            let mut times = vec![0i64; blocks];
            for _ in 0..blocks {
                times[dice.below(blocks as u32) as usize] += 1;
            }
            let mut totals = vec![0; self.width];
            for (block, &times) in
                self.sums.chunks_exact(self.width).zip(&times).filter(|(_, times)| **times > 0)
            {
                for (total, sum) in totals.iter_mut().zip(block) {
                    *total += sum * times;
                }
            }
            resampled.push(totals);
        }
        Resamples { totals: self.totals(), resampled }
    }
}

/// The sums, and what they are in each resample.
#[derive(Clone, Debug)]
pub struct Resamples {
    totals: Vec<i64>,
    resampled: Vec<Vec<i64>>,
}

impl Resamples {
    /// The sums over all blocks.
    pub fn totals(&self) -> &[i64] {
        &self.totals
    }

    /// A figure that follows from the sums, with its interval.
    pub fn figure(&self, of: impl Fn(&[i64]) -> f64) -> Figure {
        Figure::new(of(&self.totals), self.resampled.iter().map(|sums| of(sums)).collect())
    }

    /// Several figures that are computed together.
    pub fn figures(&self, of: impl Fn(&[i64]) -> Vec<f64>) -> Vec<Figure> {
        let values = of(&self.totals);
        let mut resampled = vec![Vec::with_capacity(self.resampled.len()); values.len()];
        for sums in &self.resampled {
            for (list, value) in resampled.iter_mut().zip(of(sums)) {
                list.push(value);
            }
        }
        values.into_iter().zip(resampled).map(|(value, resampled)| Figure::new(value, resampled)).collect()
    }

    /// The mean of one sum for each of another.
    pub fn ratio(&self, sum: usize, of: usize) -> Figure {
        self.figure(|sums| sums[sum] as f64 / sums[of] as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(single.resample(1).ratio(1, 0), paired.resample(1).ratio(1, 0));
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
        assert_eq!(whole.len(), GROUPS);
    }

    /// The interval of a mean covers the truth about as often as it says.
    #[test]
    fn coverage() {
        let mut covered = 0;
        for trial in 0..200u64 {
            let mut blocks = Blocks::new(2);
            for deal in 0..100 {
                blocks.add(deal, 0, 1);
                blocks.add(deal, 1, i64::from(Dice::from_parts(&[trial, deal]).below(10)));
            }
            let mean = blocks.resample(trial).ratio(1, 0);
            covered += u32::from(mean.low <= 4.5 && 4.5 <= mean.high);
        }
        assert!((180..=199).contains(&covered), "{covered} of 200");
    }
}
