//! A table: who sits there, who plays whom, one game, and many games on all cores.

pub mod entrant;
pub mod one_game;
pub mod runner;
pub mod schedule;

pub use entrant::{Crew, Entrant};
pub use runner::{Drive, Go, Outcome, Study};
pub use schedule::Schedule;
