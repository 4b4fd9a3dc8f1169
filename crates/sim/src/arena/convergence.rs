//! Shares of wins over the deals of a run.

use serde::{Deserialize, Serialize};

use super::record::SHARE;
use crate::stats::{Course, Figure, RunningShare};

/// Shares of wins after some deals.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ConvergencePoint {
    /// Number of deals.
    pub deals: u64,
    /// Share of wins of every agent, by index.
    pub win_shares: Vec<Figure>,
}

/// Collects shares of wins deal by deal, in the memory of a few hundred points.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Convergence {
    /// One per agent.
    shares: Vec<RunningShare>,
    /// By agent: the largest share that is possible, as of [`crate::stats::Blocks::win_share`].
    largest: Vec<f64>,
    /// By agent, of the deal that is being added: parts of wins, and games.
    deal: Vec<(i64, u32)>,
    course: Course<Vec<Figure>>,
}

impl Convergence {
    pub(super) fn new(largest: Vec<f64>) -> Self {
        let shares = vec![RunningShare::default(); largest.len()];
        Self { shares, deal: vec![(0, 0); largest.len()], largest, course: Course::default() }
    }

    /// Adds a seat of a game.
    pub(super) fn add(&mut self, agent: usize, share: u8) {
        let (wins, games) = &mut self.deal[agent];
        *wins += i64::from(share);
        *games += 1;
    }

    /// Ends a deal.
    pub(super) fn end_deal(&mut self) {
        let agents = self.shares.iter_mut().zip(&self.largest);
        for ((share, largest), (wins, games)) in agents.zip(&mut self.deal) {
            if *games > 0 {
                share.add(*wins as f64 / SHARE as f64, largest * f64::from(*games));
            }
            (*wins, *games) = (0, 0);
        }
        let (shares, largest) = (&self.shares, &self.largest);
        self.course.add(|| figures(shares, largest));
    }

    /// All points, the last deal included if it has not ended yet.
    pub(super) fn points(&self) -> Vec<ConvergencePoint> {
        let mut all = self.clone();
        if all.deal.iter().any(|&(_, games)| games > 0) {
            all.end_deal();
        }
        let last = || figures(&all.shares, &all.largest);
        let points = all.course.finish(last).into_iter();
        points.map(|(deals, win_shares)| ConvergencePoint { deals, win_shares }).collect()
    }
}

fn figures(shares: &[RunningShare], largest: &[f64]) -> Vec<Figure> {
    shares.iter().zip(largest).map(|(share, &largest)| share.figure().times(largest)).collect()
}
