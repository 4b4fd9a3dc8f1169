//! Ratings on a ladder: a benchmark with fixed maps, opponents, deals and numbers of games.
//!
//! A [`Ladder`] is a list of tables, each with anchors of known rating. A [`KeptRun`](crate::run::KeptRun)
//! of a [`Rate`] plays an agent against them, one ordinary arena per table, and sums it up as a [`Rating`]:
//! one number per table, and their mean.
//!
//! ```
//! use ttr_agents::{AgentSpec, Roster};
//! use ttr_sim::rate::{Ladder, RateEntry};
//! let ladder = Ladder::v1();
//! let entry = RateEntry { agent: AgentSpec::parse("planner")?, card_game: None, only: Vec::new(), times: 1 };
//! let roster = Roster::default();
//! entry.check(&ladder, &roster)?;
//! // It does not play the Card Game, which is one of the seven tables.
//! assert_eq!((ladder.games(&[]), entry.games(&ladder, &roster)?), (2772, 2376));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod calibrate;
mod entry;
mod kept;
mod ladder;
mod summary;

pub use crate::run::options::RateOptions;
pub use calibrate::{Calibration, calibrate};
pub use entry::{RateEntry, RateError};
pub use kept::Rate;
pub use ladder::{Ladder, LadderTable};
pub use summary::{Rating, TableRating, mean_of_independent};
