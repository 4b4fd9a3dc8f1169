//! Values of tickets and of numbers of tickets, fitted to the results of opening choices.

use ttr_engine::TicketId;

use super::Opening;
use crate::arena::SHARE;
use crate::stats::solve_for;

/// Number of parts of the deals: each is evaluated with values that are fitted to the others.
const FOLDS: usize = 5;
/// Number of possible sizes of a choice, from 0 tickets on.
const SIZES: usize = u8::BITS as usize + 1;
/// The ridge: values are shrunk towards 0 as by a normal prior whose standard deviation is 10 % of wins.
/// The variance of a win among the choices of an opening is about 0.2, and 0.2 / 0.1² = 20.
const RIDGE: f64 = 20.0;

/// The features that have a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Features {
    /// Number of tickets of the map. Each has a value, and so has each number of tickets kept.
    pub(super) tickets: usize,
    /// There is also a value for each number of differences from the agent's own choice.
    pub(super) with_own: bool,
}

impl Features {
    fn count(&self) -> usize {
        self.tickets + SIZES * if self.with_own { 2 } else { 1 }
    }

    /// The features of a legal choice, as indices.
    fn of(self, opening: &Opening, kept: u8) -> impl Iterator<Item = usize> {
        let size = self.tickets + kept.count_ones() as usize;
        let apart = (kept ^ opening.own().kept).count_ones() as usize;
        let apart = self.with_own.then_some(self.tickets + SIZES + apart);
        opening.tickets(kept).map(TicketId::index).chain([size]).chain(apart)
    }
}

/// The values of all features.
struct FeatureValues(Vec<f64>);

/// The normal equations of a least-squares fit of wins, by part of the deals. Every opening has its own
/// level, so that only differences between choices of the same opening count.
pub(super) struct Fits {
    features: Features,
    /// Deals after which the seats of the line-ups have taken all their orders.
    cycle: u64,
    folds: Vec<Equations>,
}

#[derive(Clone)]
struct Equations {
    matrix: Vec<Vec<f64>>,
    right: Vec<f64>,
}

impl Equations {
    fn new(count: usize) -> Self {
        Self { matrix: vec![vec![0.0; count]; count], right: vec![0.0; count] }
    }

    fn merge(&mut self, other: &Self) {
        for (sums, more) in self.matrix.iter_mut().zip(&other.matrix) {
            sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
        self.right.iter_mut().zip(&other.right).for_each(|(sum, more)| *sum += more);
    }

    fn solve(mut self) -> FeatureValues {
        (0..self.right.len()).for_each(|index| self.matrix[index][index] += RIDGE);
        let none = vec![0.0; self.right.len()];
        // With the ridge there is always a solution.
        FeatureValues(solve_for(&self.matrix, self.right).unwrap_or(none))
    }
}

/// Values for each part of the deals, from all other parts.
pub(super) struct CrossFit {
    features: Features,
    cycle: u64,
    folds: Vec<FeatureValues>,
}

/// The part that a deal belongs to. Deals of the same order of seats are spread over all of them.
fn fold(deal: u64, cycle: u64) -> usize {
    (deal / cycle % FOLDS as u64) as usize
}

impl Fits {
    pub(super) fn new(features: Features, cycle: u64) -> Self {
        Self { features, cycle, folds: vec![Equations::new(features.count()); FOLDS] }
    }

    pub(super) fn add(&mut self, opening: &Opening) {
        let Equations { matrix, right } = &mut self.folds[fold(opening.deal, self.cycle)];
        let arms = opening.arms.len() as f64;
        let mean = opening.arms.iter().map(|arm| f64::from(arm.share)).sum::<f64>() / arms;
        // Number of choices with a feature: only the features of this opening are touched.
        let mut met: Vec<(usize, f64)> = Vec::new();
        for arm in &opening.arms {
            let win = (f64::from(arm.share) - mean) / SHARE as f64;
            let features: Vec<usize> = self.features.of(opening, arm.kept).collect();
            for &feature in &features {
                right[feature] += win;
                features.iter().for_each(|&other| matrix[feature][other] += 1.0);
                match met.iter_mut().find(|(known, _)| *known == feature) {
                    Some((_, times)) => *times += 1.0,
                    None => met.push((feature, 1.0)),
                }
            }
        }
        for &(feature, times) in &met {
            met.iter().for_each(|&(other, others)| matrix[feature][other] -= times * others / arms);
        }
    }

    /// Solves for the values.
    pub(super) fn cross_fit(&self) -> CrossFit {
        let without = |left_out: usize| {
            let mut sum = Equations::new(self.features.count());
            let others = self.folds.iter().enumerate().filter(|&(index, _)| index != left_out);
            others.for_each(|(_, fold)| sum.merge(fold));
            sum.solve()
        };
        CrossFit { features: self.features, cycle: self.cycle, folds: (0..FOLDS).map(without).collect() }
    }
}

impl CrossFit {
    /// Index of the legal choice with the largest sum of values, which are those of other deals.
    pub(super) fn best(&self, opening: &Opening) -> usize {
        let FeatureValues(values) = &self.folds[fold(opening.deal, self.cycle)];
        let sum = |kept: u8| self.features.of(opening, kept).map(|feature| values[feature]).sum::<f64>();
        let sums = opening.arms.iter().map(|arm| sum(arm.kept)).enumerate();
        // The first of equal ones.
        sums.reduce(|best, next| if next.1 > best.1 { next } else { best }).map_or(0, |(index, _)| index)
    }
}
