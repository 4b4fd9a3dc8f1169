//! Reproducible Ticket to Ride self-play: the library behind the binary `ttr`.
//!
//! | module | what it does |
//! |---|---|
//! | [`arena`] | agents against each other on equal deals |
//! | [`entrant`], [`schedule`], [`game_play`] | who takes part, who plays whom, one game |
//! | [`runner`], [`run_dir`], [`kept_run`] | deals on all cores, and the directory that keeps them |
//! | [`rows`] | tables for programs: CSV and Parquet |
//! | [`experiment`] | studies that can be run again |
//! | [`exec`] | agents that are processes |
//! | [`stats`] | intervals, ratings, sequential tests |
//! | [`playable`] | what the simulator wants to know of a game |
//! | [`tune`] | better weights for an agent, by self-play |
//! | [`rate`] | ratings on a ladder of fixed opponents |
//! | [`tickets`] | what tickets, routes and cities are worth |
//! | [`replay_text`], [`position`] | recorded games and positions for people to read |
//! | [`mod@bench`] | plays random games and measures them |
//! | [`report`] | HTML files with tables, charts and boards |
//! | [`board_svg`] | draws boards |
//! | [`map_summary`], [`map_rules`] | what a map is like: in numbers, in words |
//! | [`seat_advantage`] | a toy game that asks what it is worth to move first |
//! | [`text`] | tables and paragraphs for terminals |
//! | [`output_file`] | files that are there as a whole or not at all |

#![forbid(unsafe_code)]

pub mod arena;
pub mod bench;
pub mod board_svg;
pub mod entrant;
pub mod exec;
pub mod experiment;
mod file_ops;
pub mod game_play;
pub mod kept_run;
pub mod map_rules;
pub mod map_summary;
pub mod output_file;
pub mod playable;
pub mod position;
pub mod provenance;
pub mod rate;
pub mod replay_text;
pub mod report;
pub mod rows;
pub mod run_dir;
pub mod runner;
pub mod schedule;
mod sealed;
pub mod seat_advantage;
pub mod stats;
pub mod text;
pub mod tickets;
pub mod tune;
mod view_json;

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
