//! Search: information-set Monte Carlo tree search and flat Monte Carlo, for every game.
//!
//! [`Search`] knows [`ttr_engine::Game`] only. What it is told about a particular game comes from a [`Guide`]: `board` has
//! the one for the board games, `card_game` the one for the Card Game; both take the agents of this crate as policies.
//!
//! A decision goes through these files in order: `agent` lists the candidates and starts the threads; each `searcher`
//! makes up worlds, goes through its `tree` and plays on; `utility` says what the result is worth to each seat; a
//! `contender` sums up how a candidate did.

mod agent;
mod belief;
pub(crate) mod board;
pub(crate) mod card_game;
mod contender;
mod guide;
mod luck;
mod options;
mod searcher;
mod settings;
mod tree;
mod utility;

pub use agent::Search;
pub use guide::{BySeat, Guide, Proposal};
pub(crate) use options::{FLAT, ISMCTS, settings};
pub use settings::{Budget, Root, Selection, Settings};
pub use utility::Utility;
