//! Quality of the agents' own opening choices, compared with rules that choose otherwise.

use super::Opening;
use super::fit::CrossFit;
use crate::stats::{Blocks, Difference, Figure};
use crate::tickets::effect::Measure;
use crate::tickets::summary::ratio;
use crate::tickets::tally::BLOCKS;

/// Number of sums of an agent and a rule: choices, their shares of wins and points, the same for the
/// agent's own choice, tickets kept, and choices that are the agent's own.
const OF_RULE: usize = 7;
const OWN: usize = 2;
const KEPT: usize = 5;
const SAME: usize = 6;

/// A rule that chooses opening tickets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rule {
    /// The choice of the agent.
    Own,
    /// Any legal choice, each equally likely.
    Any,
    /// Any legal choice of this many tickets, each equally likely.
    Keep(u32),
    /// The choice with the largest sum of values, which are fitted to other deals: a value per ticket and
    /// per number of tickets.
    Values,
    /// The same with a value for staying near the agent's own choice.
    Corrected,
}

/// Sums by agent, rule and block of deals.
pub(in crate::tickets) struct ChoiceSums {
    rules: Vec<Rule>,
    values: CrossFit,
    corrected: CrossFit,
    blocks: Blocks,
}

impl ChoiceSums {
    pub(super) fn new(agents: usize, rules: Vec<Rule>, values: CrossFit, corrected: CrossFit) -> Self {
        let blocks = Blocks::grouped(OF_RULE * agents * rules.len(), BLOCKS);
        Self { rules, values, corrected, blocks }
    }

    /// The rules, in the order of their figures.
    pub(super) fn rules(&self) -> &[Rule] {
        &self.rules
    }

    pub(in crate::tickets) fn add(&mut self, opening: &Opening) {
        let own = opening.own();
        for place in 0..self.rules.len() {
            let rule = self.rules[place];
            let chosen = match rule {
                Rule::Own => Some(usize::from(opening.own)),
                Rule::Values => Some(self.values.best(opening)),
                Rule::Corrected => Some(self.corrected.best(opening)),
                Rule::Any | Rule::Keep(_) => None,
            };
            let takes = |&(index, size): &(usize, u32)| match rule {
                Rule::Keep(count) => size == count,
                _ => chosen.is_none_or(|chosen| index == chosen),
            };
            let sizes = opening.arms.iter().map(|arm| arm.size() as u32).enumerate();
            let at = self.place(opening.agent as usize, place);
            for (index, size) in sizes.filter(takes) {
                let arm = &opening.arms[index];
                let sums = [
                    1,
                    arm.share.into(),
                    arm.points.into(),
                    own.share.into(),
                    own.points.into(),
                    size.into(),
                    i64::from(index == usize::from(opening.own)),
                ];
                for (sum, value) in sums.into_iter().enumerate() {
                    self.blocks.add(opening.deal, at + sum, value);
                }
            }
        }
    }

    /// The mean outcome of a rule.
    pub(super) fn mean(&self, agent: usize, rule: usize, outcome: Measure) -> Figure {
        let at = self.place(agent, rule);
        self.blocks.ratio(|sums| (sums[at + outcome.place()] as f64 / outcome.unit(), sums[at] as f64))
    }

    /// The mean outcome of a rule, minus that of the agent's own choice.
    pub(super) fn regret(&self, agent: usize, rule: usize, outcome: Measure) -> Figure {
        let at = self.place(agent, rule);
        let mean =
            move |sum: usize| move |sums: &[i64]| (sums[at + sum] as f64 / outcome.unit(), sums[at] as f64);
        let Difference { figure, .. } =
            self.blocks.difference(mean(outcome.place()), mean(OWN + outcome.place()));
        figure
    }

    /// Mean number of tickets that a rule keeps, and the share of its choices that are the agent's own.
    pub(super) fn kept_and_same(&self, agent: usize, rule: usize) -> (f64, f64) {
        let at = self.place(agent, rule);
        let [choices, kept, same] = [0, KEPT, SAME].map(|sum| self.blocks.total(at + sum) as f64);
        (ratio(kept, choices), ratio(same, choices))
    }

    fn place(&self, agent: usize, rule: usize) -> usize {
        OF_RULE * (agent * self.rules.len() + rule)
    }
}
