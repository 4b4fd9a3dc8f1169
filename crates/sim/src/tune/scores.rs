//! Results of the candidates of a generation, and their costs in the search.

use serde::{Deserialize, Serialize};

use crate::arena::{GameRecord, SHARE};
use crate::stats::{Blocks, Figure};

/// Weight of the earlier generations in the weight of the margin, relative to the last one.
const MEMORY: f64 = 0.8;
/// Maximum weight of the margin: the goal is wins.
const MOST_MARGIN: f64 = 1.0;

/// Covariances among candidates, which determine the weight of the margin.
///
/// A win is one bit per game. The margin has less noise, but is not quite the goal: on USA at 4 seats it
/// helps a lot, on Nordic Countries at 3 seats it misleads (test `margin_weight`). So its weight is that of
/// the best linear prediction of the true share of wins. The correlation between two halves of the deals is
/// signal; the rest is noise.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Moments {
    /// Covariance of the share in one half of the deals with the share in the other half.
    pub true_share: f64,
    /// Covariance of the share in one half with the margin in the other half.
    pub true_margin: f64,
    /// Variance of the share in all deals.
    pub share: f64,
    /// Covariance of share and margin in all deals.
    pub both: f64,
    /// Variance of the margin in all deals.
    pub margin: f64,
}

impl Moments {
    /// Combines the covariances with those of the next generation.
    #[must_use]
    pub(super) fn then(&self, next: &Self) -> Self {
        Self {
            true_share: MEMORY * self.true_share + next.true_share,
            true_margin: MEMORY * self.true_margin + next.true_margin,
            share: MEMORY * self.share + next.share,
            both: MEMORY * self.both + next.both,
            margin: MEMORY * self.margin + next.margin,
        }
    }

    pub(super) fn is_finite(&self) -> bool {
        [self.true_share, self.true_margin, self.share, self.both, self.margin].iter().all(|x| x.is_finite())
    }

    /// Value of one standard deviation of the margin, in shares of wins.
    pub(super) fn margin_weight(&self) -> f64 {
        // The solution of the normal equations, without the determinant that both coefficients share.
        let share = self.margin * self.true_share - self.both * self.true_margin;
        let margin = self.share * self.true_margin - self.both * self.true_share;
        match margin / share {
            _ if margin <= 0.0 => 0.0,
            _ if share <= 0.0 => MOST_MARGIN,
            weight => weight.min(MOST_MARGIN),
        }
    }
}

/// Indices of the sums of a candidate.
const GAMES: usize = 0;
const SHARES: usize = 1;
const MARGINS: usize = 2;
const SQUARES: usize = 3;
const OF_CANDIDATE: usize = 4;

/// Sums over the games of a generation, by candidate and group of deals.
#[derive(Clone, Debug)]
pub(super) struct Scores {
    candidates: usize,
    /// By candidate, in parts of the deals: two halves, to measure their agreement.
    parts: Blocks,
    /// All candidates together, by deal.
    together: Blocks,
    deals: u64,
}

impl Scores {
    pub(super) fn new(candidates: usize) -> Self {
        Self::in_parts(candidates, 2)
    }

    fn in_parts(candidates: usize, parts: usize) -> Self {
        Self {
            candidates,
            parts: Blocks::grouped(candidates * OF_CANDIDATE, parts),
            together: Blocks::new(OF_CANDIDATE),
            deals: 0,
        }
    }

    /// Adds the games of whole deals; candidates come before opponents in the numbering of agents.
    pub(super) fn add(&mut self, games: &[GameRecord]) {
        for deal in games.chunk_by(|a, b| a.deal == b.deal) {
            self.deals += 1;
            for game in deal {
                for seat in game.seats.iter().filter(|seat| seat.agent < self.candidates) {
                    let others = game.seats.iter().filter(|other| other.agent >= self.candidates);
                    let best = others.map(|other| other.result.points).max().unwrap_or(0);
                    let margin = i64::from(seat.result.points) - i64::from(best);
                    for (sum, value) in
                        [1, i64::from(seat.share), margin, margin * margin].into_iter().enumerate()
                    {
                        self.parts.add(game.deal, seat.agent * OF_CANDIDATE + sum, value);
                        self.together.add(game.deal, sum, value);
                    }
                }
            }
        }
    }

    /// Covariances among the candidates; all 0 if there are not two halves of deals.
    pub(super) fn moments(&self) -> Moments {
        let of = |sums: &[i64]| {
            let share: Vec<f64> = sums.chunks(OF_CANDIDATE).map(share_of).collect();
            let margin =
                self.costs_of(sums, 1.0).iter().zip(&share).map(|(cost, share)| -cost - share).collect();
            (share, margin)
        };
        let halves: Vec<(Vec<f64>, Vec<f64>)> = self.parts.rows().map(of).collect();
        let [(share, margin), (other_share, other_margin)] = &halves[..] else { return Moments::default() };
        let (all_share, all_margin) = of(&self.parts.totals());
        let moments = Moments {
            true_share: covariance(share, other_share),
            true_margin: (covariance(share, other_margin) + covariance(margin, other_share)) / 2.0,
            share: covariance(&all_share, &all_share),
            both: covariance(&all_share, &all_margin),
            margin: covariance(&all_margin, &all_margin),
        };
        if moments.is_finite() { moments } else { Moments::default() }
    }

    /// Costs of the candidates: lower for more wins, and for larger margins by this weight.
    pub(super) fn costs(&self, margin_weight: f64) -> Vec<f64> {
        self.costs_of(&self.parts.totals(), margin_weight)
    }

    /// Correlation between the costs in the two halves of the deals; 0 if it can't be measured.
    pub(super) fn agreement(&self, margin_weight: f64) -> f64 {
        let halves: Vec<Vec<f64>> = self.parts.rows().map(|row| self.costs_of(row, margin_weight)).collect();
        match &halves[..] {
            [one, other] => correlation(one, other),
            _ => 0.0,
        }
    }

    /// Share of wins of all candidates together.
    pub(super) fn share(&self) -> Figure {
        self.together.share(self.deals, |sums| (sums[SHARES] as f64 / SHARE as f64, sums[GAMES] as f64))
    }

    /// Mean margin of all candidates together.
    pub(super) fn margin(&self) -> Figure {
        self.together.ratio(|sums| (sums[MARGINS] as f64, sums[GAMES] as f64))
    }

    /// Share of wins of the candidate with the most wins.
    pub(super) fn best(&self) -> f64 {
        let totals = self.parts.totals();
        totals.chunks(OF_CANDIDATE).map(share_of).fold(0.0, f64::max)
    }

    fn costs_of(&self, sums: &[i64], weight: f64) -> Vec<f64> {
        let all = self.together.totals();
        let mean = all[MARGINS] as f64 / all[GAMES] as f64;
        let deviation = (all[SQUARES] as f64 / all[GAMES] as f64 - mean * mean).max(0.0).sqrt();
        let margin = |sums: &[i64]| sums[MARGINS] as f64 / sums[GAMES] as f64 / deviation.max(1e-9);
        sums.chunks(OF_CANDIDATE).map(|sums| -share_of(sums) - weight * margin(sums)).collect()
    }
}

fn share_of(sums: &[i64]) -> f64 {
    sums[SHARES] as f64 / sums[GAMES] as f64 / SHARE as f64
}

fn covariance(one: &[f64], other: &[f64]) -> f64 {
    let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len() as f64;
    let (a, b) = (mean(one), mean(other));
    one.iter().zip(other).map(|(x, y)| (x - a) * (y - b)).sum::<f64>() / one.len() as f64
}

/// Correlation of two lists of numbers; 0 if either never varies.
pub(super) fn correlation(one: &[f64], other: &[f64]) -> f64 {
    let spread = covariance(one, one) * covariance(other, other);
    if spread > 0.0 { covariance(one, other) / spread.sqrt() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use ttr_agents::AgentSpec;
    use ttr_engine::board::BoardGame;
    use ttr_engine::maps;

    use super::*;
    use crate::exec::ExecOptions;
    use crate::table::runner::Drive;
    use crate::tune::{TuneOptions, TunePlan, Tuner};

    impl Scores {
        /// The same with the parts of the deals joined into two halves.
        fn in_halves(&self) -> Self {
            let mut halves = Self::in_parts(self.candidates, 2);
            for (part, sums) in self.parts.rows().enumerate() {
                sums.iter().enumerate().for_each(|(sum, &value)| halves.parts.add(part as u64, sum, value));
            }
            Self { together: self.together.clone(), deals: self.deals, ..halves }
        }
    }

    #[test]
    fn correlations() {
        assert!((correlation(&[1.0, 2.0, 3.0], &[2.0, 4.0, 6.0]) - 1.0).abs() < 1e-12);
        assert!((correlation(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]) + 1.0).abs() < 1e-12);
        assert_eq!(correlation(&[1.0, 2.0], &[5.0, 5.0]), 0.0);
        assert_eq!(correlation(&[f64::NAN, 2.0], &[5.0, 6.0]), 0.0);
    }

    /// If only the shares of two candidates are signal, the margin gets no weight. If the margin is the
    /// share without its noise, it gets all.
    #[test]
    fn margins_count_if_they_help() {
        let noise = Moments { true_share: 1.0, true_margin: 0.0, share: 2.0, both: 0.0, margin: 1.0 };
        assert_eq!(noise.margin_weight(), 0.0);
        let better = Moments { true_share: 1.0, true_margin: 1.0, share: 3.0, both: 1.0, margin: 1.0 };
        assert_eq!(better.margin_weight(), MOST_MARGIN);
        let some = Moments { true_share: 1.0, true_margin: 2.0, share: 2.0, both: 3.0, margin: 8.0 };
        assert_eq!(some.margin_weight(), 0.5);
        assert_eq!(Moments::default().margin_weight(), 0.0);
    }

    /// The weight of the margin that predicts wins on other deals best: the correlation, over candidates of
    /// a first generation, between the cost in one part of the deals and the share of wins in all other
    /// parts.
    ///
    /// `cargo test -p ttr-sim --lib margin_weight -- --ignored --nocapture`
    #[test]
    #[ignore = "a measurement that takes minutes"]
    fn margin_weight() {
        const PARTS: usize = 12;
        const WEIGHTS: [f64; 8] = [0.0, 0.075, 0.15, 0.3, 0.5, 1.0, 2.0, 1e6];
        for (map, seats, step, deals) in [("usa", 4, 0.1, 50), ("nordic", 3, 0.05, 50)] {
            let game = BoardGame::new(&maps::load(map).unwrap(), seats).unwrap();
            let plan = TunePlan {
                agent: AgentSpec::new("planner"),
                against: Vec::new(),
                options: TuneOptions {
                    params: Vec::new(),
                    budget: 1,
                    deals: 1,
                    candidates: 24,
                    step,
                    confirm: 1,
                },
                seed: 5,
                roster: Default::default(),
                processes: ExecOptions::default(),
            };
            let mut scores = Scores::in_parts(plan.options.candidates, PARTS);
            let tuner = Tuner::new(game, plan).unwrap();
            let candidates = tuner.candidates();
            tuner.play(&candidates, PARTS as u64 * deals, &mut scores, &Drive::threads(2)).unwrap();
            let all = scores.parts.totals();
            let mut line = format!("{map} {seats} seats, step {step}, {deals} deals:");
            for weight in WEIGHTS {
                let found = scores.parts.rows().map(|part| {
                    let others: Vec<i64> = all.iter().zip(part).map(|(all, part)| all - part).collect();
                    let truth: Vec<f64> = others.chunks(OF_CANDIDATE).map(|sums| -share_of(sums)).collect();
                    correlation(&scores.costs_of(part, weight), &truth)
                });
                line += &format!("  {weight}: {:.3}", found.sum::<f64>() / PARTS as f64);
            }
            println!("{line}");
            println!("estimated weight: {:.3}", scores.in_halves().moments().margin_weight());
        }
    }
}
