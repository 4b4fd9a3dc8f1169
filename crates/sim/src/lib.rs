//! Reproducible Ticket to Ride self-play: everything behind the command `ttr` but the command line itself.
//!
//! | module | contents |
//! |---|---|
//! | [`game`] | what the simulator asks of a game |
//! | [`table`] | entrants, schedules, one game, and many games on all cores |
//! | [`run`] | run directories that survive a crash, and tables as CSV and Parquet |
//! | [`stats`] | intervals, ratings, sequential tests |
//! | [`arena`] | agents against each other on equal deals |
//! | [`tickets`] | the value of tickets, routes and cities |
//! | [`tune`] | better weights for an agent, by self-play |
//! | [`experiment`] | studies that can be run again |
//! | [`exec`] | agents that are processes |
//! | [`mod@bench`] | speed of random games |
//! | [`seat_advantage`] | a toy game that asks what it is worth to move first |

#![forbid(unsafe_code)]

pub mod arena;
pub mod bench;
pub mod exec;
pub mod experiment;
pub mod game;
pub mod run;
pub mod seat_advantage;
pub mod stats;
pub mod table;
pub mod tickets;
pub mod tune;
