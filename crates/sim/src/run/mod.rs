//! A run on disk: its plan, its directory, the parts that survive a crash, and the tables it writes.

pub mod dir;
pub(crate) mod file_ops;
pub mod kept;
pub mod output_file;
pub mod provenance;
pub mod rows;
pub(crate) mod sealed;

pub use dir::{RunDir, RunPlan};
pub use kept::{KeptRun, KeptStudy};
