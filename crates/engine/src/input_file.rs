//! Input files: regular files with a maximum size.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Reads a file of at most `most` bytes.
///
/// # Errors
/// If the file can't be read, is longer ([`io::ErrorKind::FileTooLarge`]), or is not a regular file:
/// reading a pipe would block, and a device may never end.
///
/// ```
/// use ttr_engine::input_file;
/// # let path = std::env::temp_dir().join(format!("ttr-input-file-{}", std::process::id()));
/// # std::fs::write(&path, "12345")?;
/// assert_eq!(input_file::read(&path, 5)?, b"12345");
/// assert_eq!(input_file::read(&path, 4).unwrap_err().to_string(), "it is longer than 4 bytes");
/// let error = input_file::read(&std::env::temp_dir(), 5).unwrap_err();
/// assert_eq!(error.to_string(), "it is a directory, not a regular file");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    // The metadata of the opened file, not of the path: the path may name another file by now.
    let found = file.metadata()?;
    if !found.is_file() {
        let what = if found.is_dir() { "a directory" } else { "a pipe or device" };
        return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("it is {what}, not a regular file")));
    }
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it is longer than {most} bytes")));
    }
    Ok(bytes)
}

/// Reads a text file of at most `most` bytes.
///
/// # Errors
/// Like [`read`]; also reports the line of the first byte that is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read(path, most)?).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
        io::Error::new(io::ErrorKind::InvalidData, format!("line {line} is not UTF-8 text"))
    })
}

/// Opens a file without blocking: otherwise opening a pipe without a writer would wait forever.
#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    File::options().read(true).custom_flags(flags.bits().cast_signed()).open(path)
}

/// Opens a regular file.
#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}
