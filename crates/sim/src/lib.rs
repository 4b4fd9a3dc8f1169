#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod arena;
pub mod batch;
pub mod bench;
pub mod exec;
pub mod experiment;
pub mod game;
pub mod rate;
pub mod run;
pub mod stats;
pub mod table;
pub mod tickets;
pub mod tune;
