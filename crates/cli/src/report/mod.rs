//! Reports: one self-contained HTML file each.
//!
//! [`arena()`] is the report of an arena. Other commands build theirs from the same parts: a [`Page`] has
//! [`Section`]s, and a section takes anything that converts into [`Html`]: [`Table`], [`DotWhisker`],
//! [`DotSeries`], [`StackedBars`], [`HeatMatrix`], [`LineCurve`], [`Dumbbells`], [`Histogram`],
//! [`BoardHeat`], [`Tabs`]. The same data gives the same bytes.
//!
//! | module | content |
//! |---|---|
//! | `html` | markup that escapes its content |
//! | `page` | the page, its sections, tabs; `style.css` and `script.js` |
//! | `table` | sortable tables with bars and intervals |
//! | `rows_chart`, `dot_series`, `dumbbell`, `forest`, `curve`, `matrix` | charts |
//! | `board` | the board as a heat map |
//! | `axis`, `colour`, `format` | positions, colours and texts of values |
//! | `reported` | the runs that have a report, and finishing them with it |
//! | `provenance`, `settings` | the command that repeats a run, links to its data, all settings of agents |
//! | `arena`, `tickets`, `forced`, `tune`, `rate`, `experiment` | the reports of the commands |

mod arena;
mod axis;
mod board;
mod colour;
mod comparison;
mod curve;
mod dot_series;
mod dumbbell;
mod experiment;
mod forced;
mod forest;
mod format;
mod html;
mod matrix;
mod page;
mod provenance;
mod rate;
mod reported;
mod rows_chart;
mod settings;
mod table;
#[cfg(test)]
mod tests;
mod tickets;
mod tune;

pub use arena::arena;
pub use board::{BoardHeat, HeatScale, board_heat, route_title};
pub use colour::Ramp;
pub use curve::{Histogram, LineCurve};
pub use dot_series::DotSeries;
pub use dumbbell::Dumbbells;
pub use experiment::experiment;
pub use forest::Forest;
pub use format::{Format, MISSING};
pub use html::{Element, Html, element};
pub use matrix::HeatMatrix;
pub use page::{Page, Section, Tabs};
pub use provenance::Provenance;
pub use rate::rate;
pub use reported::{Reported, finish};
pub use rows_chart::{DotWhisker, StackedBars};
pub use table::{Cell, Table};
pub use tickets::tickets;
pub use tune::tune;
