//! Ratings on a ladder: a benchmark with fixed maps, opponents, deals and numbers of games.
//!
//! A [`Ladder`] is a list of tables, each with anchors of known rating. [`RateRun`] plays an agent against
//! them, one ordinary arena per table, and sums it up as a [`Rating`]: one number per table, and their mean.

mod calibrate;
mod ladder;
mod run;
mod summary;

pub use calibrate::{Calibration, calibrate};
pub use ladder::{Ladder, LadderTable};
pub use run::{RateEntry, RateRun};
pub use summary::{Rating, TableRating, mean_of_independent};
