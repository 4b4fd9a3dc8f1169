#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod agent;
mod board;
mod card_game;
mod greedy;
mod planner;
mod published;
mod random;
mod roster;
pub mod search;
mod spec;
mod weights;
mod yard;

pub use agent::{Agent, Candidate, Estimate, Explanation, Forfeit, Note};
pub use board::{Reach, Roads};
pub use greedy::{GreedyClaims, GreedyRows};
pub use planner::{LightPlanner, Planner, Weights};
pub use random::Random;
pub use roster::{AgentEntry, Params, Roster, RosterGame};
pub use spec::{AgentSpec, Param, Plays, Range, SpecError};
pub use yard::{Yard, YardWeights};
