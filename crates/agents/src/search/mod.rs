//! Search: information-set Monte Carlo tree search and flat Monte Carlo, for every game.
//!
//! [`Search`] knows only [`ttr_engine::Game`]. Its knowledge of a particular game comes from a [`Guide`]:
//! [`BoardGuide`] for the board games, [`CardGuide`] for the Card Game. Both take any agent as their
//! rollout policy.
//!
//! A decision goes through these files in order: `agent` lists the candidates and starts the threads; each
//! `searcher` determinizes worlds, goes through its `tree` and plays to the end; `utility` turns the result
//! into a value per seat; a `contender` sums up the results of a candidate.

mod agent;
mod belief;
mod board;
mod card_game;
mod contender;
mod guide;
mod luck;
mod options;
mod searcher;
mod settings;
mod tree;
mod utility;

pub use agent::Search;
pub use board::BoardGuide;
pub use card_game::CardGuide;
pub use guide::{Guide, Prior, Proposal};
pub(crate) use options::entries;
pub use settings::{Budget, Root, Selection, Settings};
pub use utility::Utility;
