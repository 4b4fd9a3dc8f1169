//! Options of a study: everything that its results depend on, apart from game, agents, deals and seed.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::plan::PlanError;

/// The study of a run, with its options.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum StudyPlan {
    /// Agents against each other.
    Arena(ArenaOptions),
    /// Value of tickets, routes and cities.
    Tickets(TicketOptions),
    /// Better weights for an agent. The first agent of the plan is tuned, against the others.
    Tune(TuneOptions),
    /// The rating of an agent on a ladder. A second agent of the plan plays the Card Game.
    Rate(RateOptions),
}

impl StudyPlan {
    /// The command that plays it.
    pub const fn command(&self) -> &'static str {
        match self {
            Self::Arena(_) => "arena",
            Self::Tickets(_) => "tickets",
            Self::Tune(_) => "tune",
            Self::Rate(_) => "rate",
        }
    }
}

/// Options of an arena.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ArenaOptions {
    /// Number of games, from the first on, whose replays are kept.
    pub replays: u64,
    /// Keep a row for every decision.
    pub decisions: bool,
    /// Keep the tickets and routes of every seat.
    pub seat_tables: bool,
    /// Stop the run at a forfeit, instead of recording it.
    pub stop_on_forfeit: bool,
    /// Index of the agent whose rating is 0; otherwise [`crate::stats::Contest::default_anchor`].
    pub anchor: Option<usize>,
    /// Ratings of all agents but the first, if known: the first is rated among them.
    pub known_ratings: Option<Vec<f64>>,
    /// A sequential test that may end the run.
    pub sprt: Option<SprtPlan>,
}

/// The agents that a sequential test compares, and its hypotheses.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtPlan {
    /// Index of the agent that may be stronger.
    pub agent: usize,
    /// Index of the other.
    pub other: usize,
    /// H0: the agent is at most this much stronger.
    pub elo0: f64,
    /// H1: it is at least this much stronger.
    pub elo1: f64,
}

/// Options of ticket statistics.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TicketOptions {
    /// Play every legal opening choice of every seat.
    pub forced: bool,
}

/// Options of tuning.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TuneOptions {
    /// The parameters to tune [default: all numbers of the agent that are not set].
    pub params: Vec<String>,
    /// Maximum number of games, those of the final test not counted.
    pub budget: u64,
    /// Deals that each candidate plays in the first generation.
    pub deals: u64,
    /// Candidates per generation.
    pub candidates: usize,
    /// Initial step size, as a fraction of each parameter's range.
    pub step: f64,
    /// Maximum number of games in the final test.
    pub confirm: u64,
}

/// Options of a rating.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RateOptions {
    /// Names of the tables [default: all].
    pub tables: Vec<String>,
    /// Number of times the deals of the ladder are played.
    pub times: u64,
}

impl ArenaOptions {
    /// Checks that the options fit this many agents.
    ///
    /// # Errors
    /// The option that does not, such as a test of an agent that does not exist.
    pub fn check(&self, agents: usize) -> Result<(), PlanError> {
        let exists = |option, agent: usize| {
            if agent < agents { Ok(()) } else { Err(PlanError::UnknownAgent { option, agent, agents }) }
        };
        if let Some(anchor) = self.anchor {
            exists("anchor", anchor)?;
        }
        if let Some(known) = &self.known_ratings
            && (known.len() + 1 != agents || !known.iter().all(|elo| elo.is_finite()))
        {
            let expected = "a number for every agent but the first".to_owned();
            return Err(PlanError::Option { option: "known_ratings", expected });
        }
        if let Some(test) = &self.sprt {
            exists("sprt", test.agent)?;
            exists("sprt", test.other)?;
            let in_order = test.elo0 < test.elo1 && test.elo0.is_finite() && test.elo1.is_finite();
            if test.agent == test.other || !in_order {
                let expected = "two agents, and elo0 below elo1".to_owned();
                return Err(PlanError::Option { option: "sprt", expected });
            }
        }
        Ok(())
    }
}

impl Default for TuneOptions {
    fn default() -> Self {
        Self { params: Vec::new(), budget: 200_000, deals: 100, candidates: 16, step: 0.1, confirm: 20_000 }
    }
}

impl Default for RateOptions {
    fn default() -> Self {
        Self { tables: Vec::new(), times: 1 }
    }
}

impl TicketOptions {
    /// Sets whether to play every legal opening choice.
    #[must_use]
    pub fn forced(forced: bool) -> Self {
        Self { forced }
    }
}

impl TuneOptions {
    /// Number of deals of the first generation.
    pub const DEALS: RangeInclusive<u64> = 1..=1_000_000;
    /// Number of candidates per generation.
    pub const CANDIDATES: RangeInclusive<u64> = 4..=1000;

    /// Checks that the options are within the limits of the search.
    ///
    /// # Errors
    /// The option that is not.
    pub fn check(&self) -> Result<(), PlanError> {
        let number = |option, number: u64, range: RangeInclusive<u64>| {
            let expected = format!("a whole number from {} to {}", range.start(), range.end());
            if range.contains(&number) { Ok(()) } else { Err(PlanError::Option { option, expected }) }
        };
        number("budget", self.budget, 1..=u64::MAX)?;
        number("deals", self.deals, Self::DEALS)?;
        number("candidates", self.candidates as u64, Self::CANDIDATES)?;
        number("confirm", self.confirm, 1..=u64::MAX)?;
        if self.step > 0.0 && self.step <= 1.0 {
            Ok(())
        } else {
            Err(PlanError::Option { option: "step", expected: "above 0 and at most 1".to_owned() })
        }
    }
}
