//! Files that are there as a whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Whether a file was there before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// It is new.
    New,
    /// It replaces another.
    Replaced,
}

/// Writes a file under a temporary name in the same folder, then renames it. A link is followed; what is there and
/// is no file, such as a pipe, is written to as it is.
///
/// # Errors
/// If it can't be written; then what was there before is untouched and no temporary file is left.
///
/// ```
/// use ttr_sim::output_file::{self, Written};
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
            OpenOptions::new().write(true).open(path)?.write_all(bytes)?;
            return Ok(Written::Replaced);
        }
        Ok(_) => (fs::canonicalize(path)?, Written::Replaced),
        Err(_) => (path.to_owned(), Written::New),
    };
    let (temporary, mut file) = create_beside(&target)?;
    let done = file.write_all(bytes).and_then(|()| file.sync_all());
    drop(file);
    if let Err(error) = done.and_then(|()| fs::rename(&temporary, &target)) {
        // The first error is the one to tell.
        let _ = fs::remove_file(&temporary);
        return Err(error);
    }
    Ok(written)
}

/// A file that is written bit by bit, and there as a whole once it is finished.
#[derive(Debug)]
pub struct Pending {
    target: PathBuf,
    temporary: PathBuf,
    file: Option<BufWriter<File>>,
}

impl Pending {
    /// Begins a file.
    ///
    /// # Errors
    /// If none can be written there.
    pub fn create(target: &Path) -> io::Result<Self> {
        let (temporary, file) = create_beside(target)?;
        Ok(Self { target: target.to_owned(), temporary, file: Some(BufWriter::new(file)) })
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// If it can't be written to its end.
    pub fn finish(mut self) -> io::Result<()> {
        if let Some(file) = self.file.take() {
            file.into_inner()?.sync_all()?;
        }
        fs::rename(&self.temporary, &self.target)
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
        // Of a finished file there is nothing left to remove.
        let _ = fs::remove_file(&self.temporary);
    }
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
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
