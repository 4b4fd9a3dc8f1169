//! A table: its agents, the schedule, one game, and many games on all cores.
//!
//! An [`Entrant`] is an agent that takes part, a [`Schedule`] seats entrants deal by deal, [`one_game`]
//! plays a game, and [`runner`] plays the deals of a [`Study`] on all cores and passes on the results in
//! order.
//!
//! ```
//! use ttr_agents::{AgentSpec, Random};
//! use ttr_engine::{Dice, Seat, board::BoardGame, maps};
//! use ttr_sim::table::one_game::{deal_seed, play};
//! use ttr_sim::table::{Crew, Entrant, Schedule};
//! let game = BoardGame::new(&maps::load("usa")?, 2)?;
//! let entrants = vec![
//!     Entrant::new("mine", |_: &BoardGame| Random),
//!     Entrant::from_spec(&game, &AgentSpec::parse("greedy")?)?,
//! ];
//! let mut crew = Crew::new(&game, &entrants);
//! for slot in Schedule::round_robin(2, 2).games(0) {
//!     let mut dice: Vec<Dice> = Seat::all(2).map(|seat| entrants[0].dice(1, 0, slot.game as u64, seat)).collect();
//!     let played = play(&game, deal_seed(1, 0), &mut crew.take_seats(&slot)?, &mut dice, &mut ());
//!     assert!(played.forfeit.is_none());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod agent_text;
pub mod entrant;
pub mod one_game;
pub mod runner;
pub mod schedule;

pub use entrant::{Crew, Entrant, EntrantError};
pub use runner::{Drive, Go, Outcome, PlayError, Study};
pub use schedule::Schedule;
