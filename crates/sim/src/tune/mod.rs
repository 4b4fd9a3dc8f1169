//! Tuning: weights of an agent that win more, found by self-play.
//!
//! Every candidate of a generation plays the same deals against the same opponents, in all rotations. The
//! average of the means of the last generations then plays the original agent on fresh deals, until a
//! sequential test decides.
//!
//! ```
//! use ttr_agents::AgentSpec;
//! use ttr_engine::card_game::CardGame;
//! use ttr_engine::maps;
//! use ttr_sim::table::Drive;
//! use ttr_sim::tune::{TuneOptions, TunePlan, Tuner};
//! let mut options = TuneOptions::default();
//! (options.budget, options.deals, options.candidates) = (80, 5, 4);
//! let plan = TunePlan {
//!     agent: AgentSpec::parse("yard")?,
//!     against: Vec::new(),
//!     options,
//!     seed: 1,
//!     roster: Default::default(),
//!     processes: Default::default(),
//! };
//! let mut tuner = Tuner::new(CardGame::new(&maps::card_game(), 2)?, plan)?;
//! while !tuner.is_done() {
//!     tuner.step(&Drive::threads(2))?;
//! }
//! assert_eq!((tuner.curve().len(), tuner.best().name.as_str()), (2, "yard"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `cma_es` | the search, which knows nothing of games |
//! | `dial` | parameters as its coordinates |
//! | `scores` | its costs, computed from games |
//! | `tuner` | generations, the final test |
//! | `kept` | a search in a directory |

mod cma_es;
mod dial;
mod kept;
mod scores;
mod tuner;

use std::fmt;

use serde::{Deserialize, Serialize};
use ttr_agents::{AgentSpec, Roster, SpecError};
use ttr_show::text::{Align, Table, thousands};

pub use cma_es::CmaEs;
pub use kept::{TuneStep, WEIGHTS};
pub use scores::Moments;
pub use tuner::Tuner;

pub use crate::run::options::TuneOptions;

use crate::exec::ExecOptions;
use crate::stats::{Decision, Figure};

/// The agent to tune, the opponents, and the budget.
#[derive(Clone, Debug)]
pub struct TunePlan {
    /// The agent; parameters that it sets are not tuned unless they are named.
    pub agent: AgentSpec,
    /// The opponents [default: the original agent].
    pub against: Vec<AgentSpec>,
    /// The parameters and the budget.
    pub options: TuneOptions,
    /// The master seed.
    pub seed: u64,
    /// The source of the agents.
    pub roster: Roster,
    /// Options for opponents that are processes.
    pub processes: ExecOptions,
}

/// The reason why an agent can't be tuned.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TuneError {
    /// There is no such agent or parameter, or the agent does not play this game.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The agent has no parameter that is a number.
    #[error("{agent} has no parameter that can be tuned")]
    NothingToTune {
        /// The agent.
        agent: String,
    },
    /// All such parameters of the agent are set.
    #[error("all parameters of {agent} that can be tuned are set")]
    AllSet {
        /// The agent.
        agent: String,
    },
    /// The parameter is not a number.
    #[error("{agent}: {key} can't be tuned, it is {range}")]
    NotTunable {
        /// The agent.
        agent: String,
        /// The parameter.
        key: String,
        /// Its possible values.
        range: String,
    },
    /// The budget does not suffice for one generation.
    #[error(
        "budget {budget}: a generation takes {} games ({candidates} candidates, {} deals); raise the budget, or lower \
         deals or candidates",
        thousands(*least),
        thousands(*deals)
    )]
    SmallBudget {
        /// The budget, in games.
        budget: u64,
        /// Number of games of the first generation.
        least: u64,
        /// Number of its candidates.
        candidates: usize,
        /// Number of its deals.
        deals: u64,
    },
}

/// A generation of candidates.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Generation {
    /// Number of games so far.
    pub games: u64,
    /// Number of deals that each of its candidates played.
    pub deals: u64,
    /// Share of wins of all its candidates together.
    pub share: Figure,
    /// Share of wins of the candidate with the most wins: the luckiest of many, so biased upwards.
    pub best: f64,
    /// Mean margin in points over the best opponent.
    pub margin: Figure,
    /// The step size after it, as a fraction of the ranges.
    pub step: f64,
    /// Value of one standard deviation of the margin in its costs, in shares of wins.
    pub margin_weight: f64,
    /// Covariances among its candidates, from which later generations learn the weight of the margin.
    pub moments: Moments,
    /// Correlation between the costs of its candidates in two halves of the deals.
    pub agreement: f64,
    /// The cost of each candidate, for resuming.
    pub costs: Vec<f64>,
}

/// The generations of a search that is not complete.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Generations {
    /// The generations, in order.
    pub generations: Vec<Generation>,
}

/// A parameter before and after tuning.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TunedParam {
    /// Its name.
    pub name: String,
    /// Its description.
    pub about: String,
    /// Lower end of its range.
    pub least: f64,
    /// Upper end of its range.
    pub most: f64,
    /// Its value before.
    pub before: f64,
    /// Its value after.
    pub after: f64,
}

impl TunedParam {
    /// Distance that it moved, as a fraction of its range.
    pub fn moved(&self) -> f64 {
        (self.after - self.before).abs() / (self.most - self.least)
    }
}

/// The result of tuning.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tuned {
    /// The agent as it was.
    pub before: AgentSpec,
    /// The agent with its new weights.
    pub after: AgentSpec,
    /// The tuned parameters.
    pub params: Vec<TunedParam>,
    /// Fair share of wins of a seat.
    pub par: f64,
    /// The generations.
    pub curve: Vec<Generation>,
    /// The test of the new weights against the old ones on fresh deals; `None` if nothing changed.
    pub confirmed: Option<Confirmation>,
}

/// A test on fresh deals: a sequential one, and an interval that allows for its stop.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Confirmation {
    /// Share of wins per seat of the new weights. If the test has decided it is biased away from the fair
    /// share.
    pub share: Figure,
    /// Difference in Elo between new and old weights, corrected for the stop (median-unbiased).
    pub elo: Figure,
    /// Number of games.
    pub games: u64,
    /// Number of deals of these games.
    pub deals: u64,
    /// Logarithm of the likelihood ratio.
    pub llr: f64,
    /// Value of `llr` at which H0 is accepted.
    pub lower_bound: f64,
    /// Value of `llr` at which H1 is accepted.
    pub upper_bound: f64,
    /// H0: the new weights are at most this much stronger.
    pub elo0: f64,
    /// H1: the new weights are at least this much stronger.
    pub elo1: f64,
    /// The decision of the test; `None` if it ran out of games.
    pub decision: Option<Decision>,
}

impl Confirmation {
    /// Returns whether the new weights are stronger according to the interval; `None` if it is unclear.
    pub fn is_stronger(&self) -> Option<bool> {
        match (self.elo.low, self.elo.high) {
            (low, _) if low > 0.0 => Some(true),
            (_, high) if high < 0.0 => Some(false),
            _ => None,
        }
    }

    /// Interval and sequential test in words.
    pub fn verdict(&self) -> String {
        let interval = match self.is_stronger() {
            Some(true) => "the new weights are stronger (the interval is above 0)",
            Some(false) => "the new weights are weaker (the interval is below 0): keep the old ones",
            None => "no clear difference (the interval includes 0)",
        };
        let (elo0, elo1) = (self.elo0, self.elo1);
        let test = match self.decision {
            Some(Decision::Stronger) => format!("the SPRT accepts H1 (at least {elo1} Elo stronger)"),
            Some(Decision::NotStronger) => format!("the SPRT accepts H0 (at most {elo0} Elo stronger)"),
            None => "the SPRT is undecided".to_owned(),
        };
        format!("{interval}; {test}")
    }
}

/// The tables for the terminal.
impl fmt::Display for Tuned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Align::{Left, Right};
        let mut table =
            Table::new([("parameter", Left), ("before", Right), ("after", Right), ("moved", Right)]);
        for param in &self.params {
            table.row([
                param.name.clone(),
                format!("{:.4}", param.before),
                format!("{:.4}", param.after),
                format!("{:.0} %", 100.0 * param.moved()),
            ]);
        }
        write!(f, "{table}")?;
        let Some(test) = &self.confirmed else { return Ok(()) };
        writeln!(
            f,
            "\nnew against old weights on fresh deals, {} games: wins {} % per seat (par {:.1} %{}), {} Elo (corrected for the \
             stop); LLR {:.2}, bounds {:.2} and {:.2}\n{}",
            thousands(test.games),
            test.share.times(100.0).plus_minus(1),
            100.0 * self.par,
            if test.decision.is_some() { "; exaggerated by the early stop" } else { "" },
            test.elo.signed_plus_minus(0),
            test.llr,
            test.lower_bound,
            test.upper_bound,
            test.verdict(),
        )
    }
}
