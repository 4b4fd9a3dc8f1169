//! Files that are complete or do not exist.
//!
//! This does not use the tempfile crate: all operations go through one layer in which tests inject faults,
//! and the names of temporary files show what a killed process left and the files it was writing.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::run::file_ops;

/// The kind of a write: to a new file, or to an existing one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// It is new.
    New,
    /// It replaces another.
    Replaced,
}

/// Writes a file under a temporary name in the same folder, then renames it. A link is followed; an
/// existing target that is not a regular file, such as a pipe, is written to directly.
///
/// # Errors
/// If it can't be written; then the previous file is untouched and no temporary file is left.
///
/// ```
/// use ttr_sim::run::output_file::{self, Written};
/// # let folder = std::env::temp_dir().join(format!("ttr-output-file-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let path = folder.join("board.svg");
/// assert_eq!(output_file::write(&path, b"<svg/>")?, Written::New);
/// assert_eq!(output_file::write(&path, b"<svg></svg>")?, Written::Replaced);
/// assert_eq!(std::fs::read(&path)?, b"<svg></svg>");
/// assert_eq!(std::fs::read_dir(&folder)?.count(), 1);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<Written> {
    let (target, written) = match fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => {
            file_ops::write_all(&mut OpenOptions::new().write(true).open(path)?, bytes)?;
            return Ok(Written::Replaced);
        }
        Ok(_) => (fs::canonicalize(path)?, Written::Replaced),
        Err(_) => (path.to_owned(), Written::New),
    };
    replace(&target, bytes)?;
    file_ops::sync_parent(&target)?;
    Ok(written)
}

/// Writes a file as [`write`] does, but leaves it to the caller to make its name durable: for many files in
/// one directory.
pub(crate) fn replace(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut pending = Pending::create(target)?;
    pending.write_all(bytes)?;
    pending.give_name()
}

/// A file that is written incrementally, and appears as a whole once it is finished.
#[derive(Debug)]
pub(crate) struct Pending {
    target: PathBuf,
    temporary: PathBuf,
    file: Option<BufWriter<Unbuffered>>,
}

impl Pending {
    /// Creates a file.
    ///
    /// # Errors
    /// If it can't be created there.
    pub(crate) fn create(target: &Path) -> io::Result<Self> {
        let (temporary, file) = create_beside(target)?;
        Ok(Self { target: target.to_owned(), temporary, file: Some(BufWriter::new(Unbuffered(file))) })
    }

    /// The final path of the file.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Renames the file to its final name, durably.
    ///
    /// # Errors
    /// If it can't be written to its end.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.give_name()?;
        file_ops::sync_parent(&self.target)
    }

    fn give_name(&mut self) -> io::Result<()> {
        if let Some(file) = self.file.take() {
            let done = file
                .into_inner()
                .map_err(|error| error.into_error())
                .and_then(|file| file_ops::sync(&file.0));
            if let Err(error) = done.and_then(|()| file_ops::rename(&self.temporary, &self.target)) {
                // The first error is the one to report.
                let _ = file_ops::remove_file(&self.temporary);
                return Err(error);
            }
        }
        Ok(())
    }
}

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            // The contents of the buffer are no longer needed.
            drop(file.into_parts());
            let _ = file_ops::remove_file(&self.temporary);
        }
    }
}

#[derive(Debug)]
struct Unbuffered(File);

impl Write for Unbuffered {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        file_ops::write_all(&mut self.0, bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The temporary files that a process left in a directory when it was killed. Remove them only if no
/// process is writing them.
///
/// # Errors
/// If the directory can't be read.
pub(crate) fn leftovers(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(found),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        if entry.file_name().to_str().and_then(target_of).is_some() && entry.file_type()?.is_file() {
            found.push(entry.path());
        }
    }
    Ok(found)
}

/// The final name of a temporary file, if it is one.
pub(crate) fn target_of(name: &str) -> Option<&str> {
    let (target, number) = name.strip_prefix('.')?.strip_suffix(".tmp")?.rsplit_once('.')?;
    let (process, n) = number.split_once('-')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (digits(process) && digits(n)).then_some(target)
}

/// A new, hidden file in the folder of another.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let Some(name) = path.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"));
    };
    for n in 0..100 {
        let mut temporary = std::ffi::OsString::from(".");
        temporary.push(name);
        temporary.push(format!(".{}-{n}.tmp", std::process::id()));
        let temporary = path.with_file_name(temporary);
        match file_ops::create_new(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_files_are_known_by_name() {
        let folder = std::env::temp_dir().join(format!("ttr-leftovers-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (temporary, _) = create_beside(&folder.join("games.csv")).unwrap();
        for other in ["games.csv", ".games.csv.tmp", ".a-b.tmp", ".lock", "x.1-0.tmp", ".x.1-.tmp"] {
            fs::write(folder.join(other), b"").unwrap();
        }
        assert_eq!(leftovers(&folder).unwrap(), std::slice::from_ref(&temporary));
        assert_eq!(target_of(temporary.file_name().unwrap().to_str().unwrap()), Some("games.csv"));
        fs::remove_dir_all(folder).unwrap();
    }
}
