//! A share that is measured deal by deal, and samples of its course.

use super::Figure;
use super::interval::{self, Residuals};

/// The share of wins after some deals, all with the same number of games, with its interval.
///
/// Only four sums are stored: the interval is that of [`super::Blocks::share`] with one deal per block.
///
/// ```
/// use ttr_sim::stats::{Blocks, RunningShare};
/// let (mut blocks, mut running) = (Blocks::new(2), RunningShare::default());
/// for deal in 0..300 {
///     let wins = [0, 1, 2, 2][deal as usize % 4];
///     blocks.add(deal, 0, wins);
///     blocks.add(deal, 1, 2);
///     running.add(wins as f64, 2.0);
/// }
/// let share = blocks.share(300, |sums| (sums[0] as f64, sums[1] as f64));
/// assert!((share.low - running.figure().low).abs() < 1e-9);
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RunningShare {
    deals: f64,
    wins: f64,
    games: f64,
    /// Wins of the first deal: powers of differences to it keep their digits.
    first: f64,
    /// Sums of the first to fourth powers of these differences.
    powers: [f64; 4],
}

impl RunningShare {
    /// Adds a deal.
    pub fn add(&mut self, wins: f64, games: f64) {
        if self.deals == 0.0 {
            self.first = wins;
        }
        self.deals += 1.0;
        self.wins += wins;
        self.games += games;
        let difference = wins - self.first;
        let mut power = 1.0;
        for sum in &mut self.powers {
            power *= difference;
            *sum += power;
        }
    }

    /// The share so far.
    pub fn figure(&self) -> Figure {
        let [first, second, third, fourth] = self.powers;
        let mean = first / self.deals;
        let squares = second - self.deals * mean.powi(2);
        let fourths =
            fourth - 4.0 * mean * third + 6.0 * mean.powi(2) * second - 3.0 * self.deals * mean.powi(4);
        let residuals = Residuals::of_sums(self.deals, squares.max(0.0), fourths.max(0.0), self.games);
        interval::share(self.wins / self.games, self.games, self.games / self.deals, &residuals)
    }
}

/// Maximum number of samples of a course.
const MOST: usize = 200;

/// Values after deals at equal distances, at most 200 of them: when there are more, every other one is
/// dropped. The selection depends only on the number of deals.
#[derive(Clone, PartialEq, Debug)]
pub struct Course<T> {
    deals: u64,
    distance: u64,
    kept: Vec<(u64, T)>,
}

impl<T> Default for Course<T> {
    fn default() -> Self {
        Self { deals: 0, distance: 1, kept: Vec::new() }
    }
}

impl<T> Course<T> {
    /// Adds a deal; `value` is only called if its sample is kept.
    pub fn add(&mut self, value: impl FnOnce() -> T) {
        self.deals += 1;
        if self.deals.is_multiple_of(self.distance) {
            if self.kept.len() == MOST {
                self.distance *= 2;
                let distance = self.distance;
                self.kept.retain(|(deals, _)| deals.is_multiple_of(distance));
            }
            if self.deals.is_multiple_of(self.distance) {
                self.kept.push((self.deals, value()));
            }
        }
    }

    /// All samples with the number of deals before them, the last deal included; `last` is its value.
    pub fn finish(self, last: impl FnOnce() -> T) -> Vec<(u64, T)> {
        let mut all = self.kept;
        if self.deals > 0 && all.last().is_none_or(|(deals, _)| *deals < self.deals) {
            all.push((self.deals, last()));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn courses_are_short_and_end_at_the_last_deal() {
        for deals in [0_u64, 1, 199, 200, 201, 202, 399, 400, 401, 1000, 123_457] {
            let mut course = Course::default();
            for deal in 1..=deals {
                course.add(|| deal);
            }
            let all = course.finish(|| deals);
            assert!(all.iter().all(|(at, value)| at == value));
            assert!(all.windows(2).all(|pair| pair[0].0 < pair[1].0));
            assert_eq!(all.last().map(|(at, _)| *at), (deals > 0).then_some(deals));
            assert!(all.len() <= MOST + 1 && all.len() as u64 >= deals.min(MOST as u64 / 2), "{deals}");
        }
    }
}
