//! A run on disk: its plan, its directory, the parts that survive a crash, and the tables it writes.
//!
//! [`RunPlan`] is everything that results depend on. [`RunDir`] is a directory with a plan and, in time,
//! with parts, tables and a summary. [`KeptRun`] plays a study into a directory, resumes it there and
//! writes its results; it works with any [`Kept`].
//!
//! | module | contents |
//! |---|---|
//! | [`plan`], [`options`] | `run.toml` |
//! | [`dir`], [`parts`] | the directory, and finished stretches of deals |
//! | [`kept`] | playing, resuming, finishing |
//! | [`rows`], [`provenance`] | tables as CSV and Parquet, and their metadata |
//! | [`output_file`] | files that are complete or do not exist |
//! | [`error`] | errors |

pub(crate) mod csv_text;
pub mod dir;
pub mod error;
pub(crate) mod file_ops;
pub mod kept;
mod lock;
pub mod options;
pub mod output_file;
pub mod parts;
pub mod plan;
pub mod provenance;
pub mod rows;
pub(crate) mod sealed;

pub use dir::RunDir;
pub use error::{DirectoryError, FileAction, FileError, RunError};
pub use kept::{Kept, KeptRun, KeptStudy};
pub use options::{ArenaOptions, RateOptions, SprtPlan, StudyPlan, TicketOptions, TuneOptions};
pub use plan::{PlanDifference, PlanError, RunPlan};
