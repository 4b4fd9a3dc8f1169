//! Reproducible Ticket to Ride self-play: the library behind the binary `ttr`.
//!
//! | module | what it does |
//! |---|---|
//! | [`mod@bench`] | plays random games and measures them |
//! | [`board_svg`] | draws boards |
//! | [`map_summary`], [`map_rules`] | what a map is like: in numbers, in words |
//! | [`seat_advantage`] | a toy game that asks what it is worth to move first |
//! | [`text`] | tables and paragraphs for terminals |
//! | [`output_file`] | files that are there as a whole or not at all |

#![forbid(unsafe_code)]

pub mod bench;
pub mod board_svg;
pub mod map_rules;
pub mod map_summary;
pub mod output_file;
pub mod seat_advantage;
pub mod text;

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
