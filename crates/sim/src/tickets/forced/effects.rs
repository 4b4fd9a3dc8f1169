//! The effect of keeping one ticket more, or one instead of another: sums over openings.

use super::Opening;
use super::opening::Arm;
use crate::stats::{Blocks, Difference};
use crate::tickets::effect::{Effect, Measure};
use crate::tickets::tally::BLOCKS;

/// Number of sums of a kind of effect: pairs of choices, and the shares of wins and points of either side.
const OF_KIND: usize = 5;
/// Number of sums of a ticket: those of adding it, those of swapping it in, and openings in which it was
/// offered.
const OF_TICKET: usize = 2 * OF_KIND + 1;
const OFFERED: usize = 2 * OF_KIND;

/// The two effects of a forced choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Change {
    /// A set with the ticket, minus the same set without it.
    Add,
    /// A set with the ticket, minus the same set with another offered ticket in its place.
    Swap,
}

impl Change {
    /// Index of its sums.
    fn sums(self, ticket: usize) -> usize {
        OF_TICKET * ticket + OF_KIND * self as usize
    }
}

/// Sums by ticket and block of deals.
pub(super) struct Effects {
    blocks: Blocks,
    tickets: usize,
}

impl Effects {
    pub(super) fn new(tickets: usize) -> Self {
        Self { blocks: Blocks::grouped(OF_TICKET * tickets, BLOCKS), tickets }
    }

    /// Adds all pairs of legal choices that differ by a ticket, or by one in place of another.
    pub(super) fn add(&mut self, opening: &Opening) {
        for (index, ticket) in opening.offered.into_iter().enumerate() {
            let (bit, ticket) = (1 << index, ticket.index());
            self.blocks.add(opening.deal, OF_TICKET * ticket + OFFERED, 1);
            for with in opening.arms.iter().filter(|arm| arm.kept & bit != 0) {
                if let Some(without) = opening.arm(with.kept ^ bit) {
                    self.pair(opening.deal, Change::Add, ticket, with, without);
                }
                for other in (0..opening.offered.len()).map(|other| 1 << other) {
                    if with.kept & other == 0
                        && let Some(instead) = opening.arm(with.kept ^ bit ^ other)
                    {
                        self.pair(opening.deal, Change::Swap, ticket, with, instead);
                    }
                }
            }
        }
    }

    fn pair(&mut self, deal: u64, change: Change, ticket: usize, with: &Arm, without: &Arm) {
        let sums = [1, with.share.into(), with.points.into(), without.share.into(), without.points.into()];
        let at = change.sums(ticket);
        sums.into_iter().enumerate().for_each(|(sum, value)| self.blocks.add(deal, at + sum, value));
    }

    /// By ticket: number of openings in which it was offered.
    pub(super) fn offered(&self) -> Vec<u64> {
        let totals = self.blocks.totals();
        (0..self.tickets).map(|ticket| totals[OF_TICKET * ticket + OFFERED] as u64).collect()
    }

    /// By ticket: the mean difference over all pairs.
    pub(super) fn figures(&self, change: Change, seed: u64) -> Vec<Effect> {
        Effect::of_tickets(self.tickets, seed, |ticket, outcome| self.difference(change, ticket, outcome))
    }

    fn difference(&self, change: Change, ticket: usize, outcome: Measure) -> Difference {
        let at = change.sums(ticket);
        let mean =
            move |sum: usize| move |sums: &[i64]| (sums[at + sum] as f64 / outcome.unit(), sums[at] as f64);
        // The sums of the other side come after those of this one.
        self.blocks.difference(mean(outcome.place()), mean(outcome.place() + 2))
    }
}
