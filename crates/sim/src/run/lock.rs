//! Locks: only one process at a time changes the directory of a run.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use super::error::{DirectoryError, FileAction, RunError, is_denied};
use super::file_ops;

const LOCK: &str = ".lock";

/// The purpose of opening a directory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// Shared with other readers.
    Read,
    /// Exclusive.
    Change,
}

/// Returns `true` if a file is the lock of its directory.
pub(super) fn is_lock(name: &str) -> bool {
    name == LOCK
}

/// Locks a directory. No other process can be at work where there is no lock file, or where nothing can be
/// written.
pub(super) fn lock(path: &Path, access: Access) -> Result<Option<File>, RunError> {
    let file = path.join(LOCK);
    // Opening a pipe would block.
    if fs::metadata(&file).is_ok_and(|found| !found.is_file()) {
        return Err(DirectoryError::WrongLock(file).into());
    }
    let opened = match access {
        Access::Read => File::open(&file),
        // Network file systems lock only files that are open for writing.
        Access::Change => match File::options().write(true).open(&file) {
            Err(error) if is_denied(&error) => File::open(&file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => file_ops::create(&file),
            opened => opened,
        },
    };
    let lock = match opened {
        Err(error) if is_denied(&error) => return Ok(None),
        Err(error) if access == Access::Read && error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened.map_err(FileAction::Write.failed(&file))?,
    };
    let locked = match access {
        Access::Read => lock.try_lock_shared(),
        Access::Change => lock.try_lock(),
    };
    match locked {
        Ok(()) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => Err(DirectoryError::Busy(path.to_owned()).into()),
        // Some file systems have no locks; then there is no protection.
        Err(TryLockError::Error(_)) => Ok(Some(lock)),
    }
}
