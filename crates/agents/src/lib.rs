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
mod yard;

pub use agent::{Agent, Candidate, Estimate, Forfeit};
pub use greedy::{GreedyClaims, GreedyRows};
pub use planner::{LightPlanner, Planner};
pub use random::Random;
pub use roster::{AGENTS, Roster};
pub use spec::{AgentInfo, AgentSpec, EXEC, EXEC_COMMAND, Param, Plays, Range, SpecError, info, unknown_key};
pub use yard::Yard;
