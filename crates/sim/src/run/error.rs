//! Errors of runs on disk.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use ttr_engine::spec::MapError;

use super::plan::{FORMAT, PlanDifference, PlanError};
use crate::game::GameError;
use crate::table::runner::PlayError;

/// The reason why a run can't be played or finished. Results so far are kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// A game can't be played.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The directory can't be used as it is.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// A file can't be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The results of a run were requested before it was complete.
    #[error("{} is not complete: resume it first", .0.display())]
    Unfinished(PathBuf),
}

impl RunError {
    /// Whether a new run can't have a directory because something else has it.
    pub(super) fn is_taken(&self) -> bool {
        match self {
            Self::Directory(
                DirectoryError::Occupied(_) | DirectoryError::NotEmpty(_) | DirectoryError::Busy(_),
            ) => true,
            Self::File(error) => error.source.kind() == io::ErrorKind::AlreadyExists,
            _ => false,
        }
    }
}

impl From<MapError> for RunError {
    fn from(error: MapError) -> Self {
        Self::Game(error.into())
    }
}

/// An operation on a file that failed, for reasons that lie outside the program.
#[derive(Debug, thiserror::Error)]
#[error("{} can't be {action}", path.display())]
pub struct FileError {
    /// The file or directory.
    pub path: PathBuf,
    /// The operation.
    pub action: FileAction,
    /// The reason.
    pub source: io::Error,
}

/// An operation on a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileAction {
    /// Reading it.
    Read,
    /// Writing it.
    Write,
    /// Creating a directory.
    Make,
    /// Deleting it.
    Delete,
}

impl fmt::Display for FileAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read => "read",
            Self::Write => "written",
            Self::Make => "made",
            Self::Delete => "deleted",
        })
    }
}

impl FileAction {
    /// The error of this operation on a file, for [`Result::map_err`].
    pub(crate) fn failed<E: Into<io::Error>>(self, path: &Path) -> impl FnOnce(E) -> FileError {
        move |source| FileError { path: path.to_owned(), action: self, source: source.into() }
    }
}

impl FileError {
    /// Returns `true` if permission is denied.
    pub(crate) fn is_denied(&self) -> bool {
        is_denied(&self.source)
    }
}

/// Returns `true` if permission is denied.
pub(super) fn is_denied(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

/// A problem with a directory that only its user can fix.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DirectoryError {
    /// A new run was to be started in the directory of another.
    #[error("{} is the directory of a run", .0.display())]
    Occupied(PathBuf),
    /// A new run was to be started in a directory with other files.
    #[error("{} is not empty", .0.display())]
    NotEmpty(PathBuf),
    /// There is no plan, and nothing else either.
    #[error(
        "{} is not the directory of a run: no run was started there, or it was killed at once: run the command that starts it again",
        .0.display()
    )]
    NotStarted(PathBuf),
    /// The plan can't be read.
    #[error(
        "{} is not the directory of a run: {} can't be read: {why}; give the directory of a run, such as runs/arena-europe-1",
        path.display(),
        plan.display()
    )]
    NotARun {
        /// The directory.
        path: PathBuf,
        /// The file with its plan.
        plan: PathBuf,
        /// The reason.
        why: io::Error,
    },
    /// Another process has locked it.
    #[error("another process is at work in {}", .0.display())]
    Busy(PathBuf),
    /// The lock is not a regular file.
    #[error("{} is not a regular file; delete it", .0.display())]
    WrongLock(PathBuf),
    /// The run was started by another version of the program.
    #[error(
        "{} was started by version {version} of ttr with format {format}, and this is {} with format {FORMAT}: results would \
         not be comparable; finish it with that version, or start a new run in another directory",
        path.display(),
        env!("CARGO_PKG_VERSION")
    )]
    OtherVersion {
        /// The directory.
        path: PathBuf,
        /// The version.
        version: String,
        /// The format of its files.
        format: u32,
    },
    /// The run belongs to another study.
    #[error("{} is the directory of a run of ttr {found}, not of ttr {expected}", path.display())]
    OtherStudy {
        /// The directory.
        path: PathBuf,
        /// The command of the requested study.
        expected: &'static str,
        /// The command of its study.
        found: &'static str,
    },
    /// The map or ladder of the run has changed.
    #[error("{map} has changed since the run in {} was started; restore it, or start a new run", path.display())]
    OtherMap {
        /// The directory.
        path: PathBuf,
        /// The map or ladder.
        map: String,
    },
    /// The plan is invalid.
    #[error("{} is damaged: {why}; restore it, or start a new run in another directory", file.display())]
    DamagedPlan {
        /// The file.
        file: PathBuf,
        /// The problem.
        why: String,
    },
    /// A file with results is invalid.
    #[error(
        "{} is damaged: {why}; delete {} and play the run again: it comes to the same results",
        file.display(),
        file.parent().unwrap_or(Path::new(".")).display()
    )]
    DamagedResult {
        /// The file.
        file: PathBuf,
        /// The problem.
        why: String,
    },
    /// A file that has no results can't be used.
    #[error("{} is damaged: {why}; delete it: no result depends on it", file.display())]
    DamagedExtra {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// A part is invalid.
    #[error("{} is damaged: {why}; delete it, and its deals are played again when the run is resumed", file.display())]
    DamagedPart {
        /// The file.
        file: PathBuf,
        /// The problem.
        why: String,
    },
    /// A file among the parts is not a part.
    #[error("{} is not a part of a run; move it elsewhere", .0.display())]
    NotAPart(PathBuf),
    /// A part has deals outside the plan.
    #[error(
        "{} has deals that are not played here, which are {} to {}; move it elsewhere",
        file.display(),
        deals.start,
        deals.end.saturating_sub(1)
    )]
    ForeignPart {
        /// The file.
        file: PathBuf,
        /// The deals of the plan.
        deals: Range<u64>,
    },
    /// Two parts overlap.
    #[error(
        "{} and {} have deals in common; delete one of them, and what is missing is played again",
        .0[0].display(),
        .0[1].display()
    )]
    Overlap([PathBuf; 2]),
    /// The run is not the expected one, such as that of the other shards.
    #[error("{} is of another run: {difference}", path.display())]
    OtherRun {
        /// The directory.
        path: PathBuf,
        /// The difference.
        difference: PlanDifference,
    },
    /// The directory is that of another shard of the run.
    #[error(
        "{} has another shard of this run: deals {} to {}, not {} to {}",
        path.display(),
        found.start,
        found.end.saturating_sub(1),
        expected.start,
        expected.end.saturating_sub(1)
    )]
    OtherShard {
        /// The directory.
        path: PathBuf,
        /// The deals of the directory.
        found: Range<u64>,
        /// The deals to be played.
        expected: Range<u64>,
    },
    /// The same deals are in two directories, in parts of different sizes.
    #[error(
        "deals {} to {} are in {} and, divided otherwise, in {}",
        deals.start,
        deals.end.saturating_sub(1),
        paths[0].display(),
        paths[1].display()
    )]
    DividedOtherwise {
        /// The deals.
        deals: Range<u64>,
        /// The directories.
        paths: [PathBuf; 2],
    },
}

impl DirectoryError {
    /// The error of an invalid plan, in its directory.
    pub(super) fn of_plan(path: &Path, file: PathBuf, why: PlanError) -> Self {
        let path = path.to_owned();
        match why {
            PlanError::OtherStudy { expected, found } => Self::OtherStudy { path, expected, found },
            PlanError::OtherMap(map) => Self::OtherMap { path, map },
            why => Self::DamagedPlan { file, why: why.to_string() },
        }
    }
}
