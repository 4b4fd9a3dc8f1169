//! The effect of a ticket on wins and points.

use serde::{Deserialize, Serialize};

use crate::arena::SHARE;
use crate::stats::{Difference, Figure, bands};

/// A difference in wins and in points.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Effect {
    /// Difference in the share of wins.
    pub wins: Figure,
    /// Difference in mean points.
    pub points: Figure,
    /// `wins` with an interval that holds for all tickets at once.
    pub wins_of_all: Figure,
    /// `points` with an interval that holds for all tickets at once.
    pub points_of_all: Figure,
}

/// The outcome in which a difference is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Measure {
    Wins,
    Points,
}

impl Measure {
    /// Index of its sum, after a number of seats or games.
    pub(super) fn place(self) -> usize {
        match self {
            Self::Wins => 1,
            Self::Points => 2,
        }
    }

    /// The sum of a win or of a point.
    pub(super) fn unit(self) -> f64 {
        match self {
            Self::Wins => SHARE as f64,
            Self::Points => 1.0,
        }
    }
}

impl Effect {
    /// The effects of all tickets.
    pub(super) fn of_tickets(
        tickets: usize,
        seed: u64,
        difference: impl Fn(usize, Measure) -> Difference,
    ) -> Vec<Self> {
        let figures = |outcome| {
            let differences: Vec<_> = (0..tickets).map(|ticket| difference(ticket, outcome)).collect();
            let of_all = bands(&differences, seed);
            differences.into_iter().map(|difference| difference.figure).zip(of_all)
        };
        let effect = |((wins, wins_of_all), (points, points_of_all))| Self {
            wins,
            points,
            wins_of_all,
            points_of_all,
        };
        figures(Measure::Wins).zip(figures(Measure::Points)).map(effect).collect()
    }
}
