//! The operations that change files: everything that runs write goes through here.
//!
//! # Fault injection
//!
//! A hook for tests only: the environment variable `TTR_FILE_FAULT` makes an operation fail, counted from
//! 1.
//!
//! | value | effect |
//! |---|---|
//! | `kill:N` | the process aborts at the N-th operation |
//! | `full:N` | the N-th operation fails as if the disk were full |
//! | `broken:N` | the N-th operation and all later ones fail as if the disk were broken |
//! | `trace:FILE` | none fails; a line with name and absolute path of each is appended to the file |
//!
//! A write that fails has written half of its bytes.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{self, Path};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The environment variable that injects a fault.
const FAULT: &str = "TTR_FILE_FAULT";

enum Fault {
    Kill(u64),
    Full(u64),
    Broken(u64),
    Trace(File),
}

static PLANNED: LazyLock<Option<Fault>> = LazyLock::new(|| {
    let text = std::env::var(FAULT).ok()?;
    let (what, at) = text.split_once(':')?;
    Some(match what {
        "kill" => Fault::Kill(at.parse().ok()?),
        "full" => Fault::Full(at.parse().ok()?),
        "broken" => Fault::Broken(at.parse().ok()?),
        "trace" => Fault::Trace(File::options().append(true).create(true).open(at).ok()?),
        _ => return None,
    })
});

/// Operations so far.
static COUNT: AtomicU64 = AtomicU64::new(0);

/// An operation: its name and what it changes.
type What<'p> = (&'static str, &'p Path);

/// Performs an operation, or the fault that is planned for it; `half` is what a fault leaves behind.
fn perform<T>(
    (name, path): What<'_>,
    operation: impl FnOnce() -> io::Result<T>,
    half: impl FnOnce() -> io::Result<()>,
) -> io::Result<T> {
    // The number on Linux.
    const NO_SPACE: i32 = 28;
    const IO: i32 = 5;
    let Some(fault) = &*PLANNED else { return operation() };
    let count = COUNT.fetch_add(1, Ordering::Relaxed) + 1;
    match fault {
        Fault::Kill(at) if count == *at => {
            half()?;
            std::process::abort();
        }
        Fault::Full(at) if count == *at => {
            half()?;
            Err(io::Error::from_raw_os_error(NO_SPACE))
        }
        Fault::Broken(at) if count >= *at => Err(io::Error::from_raw_os_error(IO)),
        Fault::Trace(trace) => {
            let done = operation()?;
            let line = format!("{name} {}\n", path::absolute(path)?.display());
            (&*trace).write_all(line.as_bytes())?;
            Ok(done)
        }
        _ => operation(),
    }
}

fn whole<T>(what: What<'_>, operation: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    perform(what, operation, || Ok(()))
}

/// Creates a file that must not exist.
pub(crate) fn create_new(path: &Path) -> io::Result<File> {
    whole(("create", path), || OpenOptions::new().write(true).create_new(true).open(path))
}

/// Opens a file to write, and creates it if it does not exist.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    whole(("create", path), || File::options().create(true).truncate(false).write(true).open(path))
}

/// Writes all bytes. A trace does not say where to.
pub(crate) fn write_all(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    let half = file.try_clone();
    perform(
        ("write", Path::new(".")),
        || file.write_all(bytes),
        || half?.write_all(&bytes[..bytes.len() / 2]),
    )
}

/// Makes the bytes of a file durable. A trace does not say which.
pub(crate) fn sync(file: &File) -> io::Result<()> {
    whole(("sync", Path::new(".")), || file.sync_all())
}

/// Renames a file. [`sync_dir`] makes that durable.
pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    whole(("rename", to), || fs::rename(from, to))
}

/// Removes a file.
pub(crate) fn remove_file(path: &Path) -> io::Result<()> {
    whole(("remove", path), || fs::remove_file(path))
}

/// Removes a directory and everything in it. Links are not followed.
pub(crate) fn remove_dir_all(path: &Path) -> io::Result<()> {
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            remove_dir_all(&entry.path())?;
        } else {
            remove_file(&entry.path())?;
        }
    }
    whole(("remove", path), || fs::remove_dir(path))
}

/// Creates a directory that must not exist.
pub(crate) fn create_dir(path: &Path) -> io::Result<()> {
    whole(("create-dir", path), || fs::create_dir(path))?;
    sync_parent(path)
}

/// Creates a directory and its missing parents.
pub(crate) fn create_dir_all(path: &Path) -> io::Result<()> {
    if path.as_os_str().is_empty() || path.is_dir() {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        create_dir_all(parent)?;
    }
    match create_dir(path) {
        // Another process was faster.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        done => done,
    }
}

/// Makes the names in the directory of a file durable.
pub(crate) fn sync_parent(path: &Path) -> io::Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    sync_dir(parent.unwrap_or(Path::new(".")))
}

/// Makes the names in a directory durable, where the system can.
pub(crate) fn sync_dir(path: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    whole(("sync-dir", path), || {
        use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
        match File::open(path).and_then(|directory| directory.sync_all()) {
            // Some file systems can't, and some directories can't be read: the names are there anyway.
            Err(error) if matches!(error.kind(), InvalidInput | PermissionDenied | Unsupported) => Ok(()),
            done => done,
        }
    })
}
