//! The directory of a run: its plan, its progress and its results.
//!
//! ```text
//! runs/arena-europe-1/
//!   run.toml                the plan; a run that is resumed must agree with it
//!   parts/                  finished stretches of deals, while the run is not complete
//!     0000000000-0000000512
//!   summary.json ...        the results, when all deals are played
//! ```
//!
//! Every file is written under a temporary name and renamed, and the directory is synced. A part carries a
//! version, the hash of its run, its deals, its length and a checksum; text that is read back ends with a
//! checksum. So after a crash every file is either complete or missing, and foreign files are refused.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use ttr_engine::{Notation, input_file};

use super::error::{DirectoryError, FileAction, FileError, RunError};
use super::lock::{Access, is_lock, lock};
use super::parts::PARTS;
use super::plan::{FORMAT, PlanError, RunPlan};
use super::rows::{Column, RowWriter};
use super::{file_ops, output_file, provenance, sealed};

/// Maximum size of a plan, in bytes.
const MAX_PLAN_BYTES: u64 = 1 << 24;
/// Maximum size of a part or summary, in bytes.
pub(super) const MAX_RESULT_BYTES: u64 = 1 << 30;

/// The file with the plan.
pub const PLAN: &str = "run.toml";
/// The file that marks a run as complete.
pub const SUMMARY: &str = "summary.json";
const REPLAYS: &str = "replays";

/// The directory of a run, locked against a second process.
///
/// ```
/// use ttr_agents::AgentSpec;
/// use ttr_engine::{board::BoardGame, maps};
/// use ttr_sim::run::{ArenaOptions, RunDir, RunPlan, StudyPlan};
/// # let folder = std::env::temp_dir().join(format!("ttr-run-dir-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let study = StudyPlan::Arena(ArenaOptions::default());
/// let plan = RunPlan::new(study, &game, "usa", 1, AgentSpec::list("greedy,random")?);
/// let dir = RunDir::create_numbered(&folder, "arena-usa", plan.clone())?;
/// assert!(dir.path().ends_with("arena-usa-1") && !dir.is_complete());
/// assert!(RunDir::create(dir.path(), plan.clone()).is_err(), "there is a run already");
/// drop(dir);
/// assert_eq!(*RunDir::open(&folder.join("arena-usa-1"))?.plan(), plan);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    plan: RunPlan,
    _lock: Option<File>,
}

impl RunDir {
    /// Creates the directory of a run. The remains of a run that died before it had a plan are ignored.
    ///
    /// # Errors
    /// If the directory is not empty, or it can't be written.
    pub fn create(path: &Path, plan: RunPlan) -> Result<Self, RunError> {
        if !plan.line_ups.is_empty() {
            plan.check_games().map_err(|why| DirectoryError::of_plan(path, path.join(PLAN), why))?;
        }
        check_vacant(path)?;
        file_ops::create_dir_all(path).map_err(FileAction::Make.failed(path))?;
        let lock = lock(path, Access::Change)?;
        // Another process may have been faster.
        check_vacant(path)?;
        let text = sealed::to_toml(&plan, PLAN).map_err(io::Error::other);
        let text = text.map_err(FileAction::Write.failed(&path.join(PLAN)))?;
        let dir = Self { path: path.to_owned(), plan, _lock: lock };
        dir.remove_leftovers()?;
        dir.write_file(PLAN, text.as_bytes())?;
        Ok(dir)
    }

    /// The first directory of `PARENT/NAME-1`, `PARENT/NAME-2`, ... that is not taken. One that a run left
    /// which died before it had a plan is not.
    ///
    /// # Errors
    /// If none can be made.
    pub fn create_numbered(parent: &Path, name: &str, plan: RunPlan) -> Result<Self, RunError> {
        file_ops::create_dir_all(parent).map_err(FileAction::Make.failed(parent))?;
        for number in 1.. {
            match Self::create(&parent.join(format!("{name}-{number}")), plan.clone()) {
                Err(error) if error.is_taken() => {}
                created => return created,
            }
        }
        unreachable!("numbers do not end");
    }

    /// Opens the directory of a run to resume it, and removes what a killed process left there. A complete
    /// run is only read: the directory may be read-only.
    ///
    /// # Errors
    /// If it is not the directory of a run, another process works there, or it is of another version.
    pub fn open(path: &Path) -> Result<Self, RunError> {
        let plan = read_plan(path)?;
        let dir = Self { path: path.to_owned(), plan, _lock: lock(path, Access::Change)? };
        match dir.remove_leftovers() {
            Err(error) if dir.is_complete() && error.is_denied() => {}
            done => done?,
        }
        Ok(dir)
    }

    /// Opens the directory of a run to read its parts, without changing anything.
    ///
    /// # Errors
    /// As [`RunDir::open`].
    pub fn open_to_read(path: &Path) -> Result<Self, RunError> {
        let plan = read_plan(path)?;
        Ok(Self { path: path.to_owned(), plan, _lock: lock(path, Access::Read)? })
    }

    /// The directory of a plan: the existing one, or a new one.
    ///
    /// # Errors
    /// If there are other files, another run, or another shard of this one.
    pub fn open_or_create(path: &Path, plan: RunPlan) -> Result<Self, RunError> {
        if !path.join(PLAN).exists() {
            match Self::create(path, plan.clone()) {
                // Another process was faster, and has ended since.
                Err(RunError::Directory(DirectoryError::Occupied(_))) => {}
                created => return created,
            }
        }
        let dir = Self::open(path)?;
        let path = || path.to_owned();
        if let Some(difference) = dir.plan.difference(&plan) {
            return Err(DirectoryError::OtherRun { path: path(), difference }.into());
        }
        let (found, expected) = (dir.plan.range(), plan.range());
        if found != expected {
            return Err(DirectoryError::OtherShard { path: path(), found, expected }.into());
        }
        Ok(dir)
    }

    /// Removes temporary files, and the parts of a complete run.
    fn remove_leftovers(&self) -> Result<(), FileError> {
        let parts = self.path.join(PARTS);
        if self.is_complete() && parts.exists() {
            self.discard_parts()?;
        }
        for folder in [self.path.clone(), parts, self.path.join(REPLAYS)] {
            for file in output_file::leftovers(&folder).map_err(FileAction::Read.failed(&folder))? {
                file_ops::remove_file(&file).map_err(FileAction::Delete.failed(&file))?;
            }
        }
        Ok(())
    }

    /// The path of the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The plan.
    pub fn plan(&self) -> &RunPlan {
        &self.plan
    }

    /// Returns `true` if the run is complete.
    pub fn is_complete(&self) -> bool {
        self.path.join(SUMMARY).exists()
    }

    /// The summary of a complete run.
    ///
    /// # Errors
    /// If it can't be read, is damaged, or belongs to another run.
    pub fn summary<S: DeserializeOwned>(&self) -> Result<S, RunError> {
        self.read_json(SUMMARY)?.ok_or_else(|| RunError::Unfinished(self.path.clone()))
    }

    /// Writes a JSON object that is to be read back, with a checksum that ties it to this run.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn write_json(&self, name: &str, object: &impl Serialize) -> Result<(), FileError> {
        let text = sealed::to_json(object, &self.owner(name));
        let text = text.map_err(FileAction::Write.failed(&self.path.join(name)))?;
        self.write_file(name, text.as_bytes())
    }

    /// Reads an object that [`RunDir::write_json`] wrote; `None` if there is no such file.
    ///
    /// # Errors
    /// If it can't be read, or has changed since.
    pub fn read_json<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, RunError> {
        self.read_json_within(name, MAX_RESULT_BYTES)
    }

    /// Like [`RunDir::read_json`], of a file of at most this many bytes.
    ///
    /// # Errors
    /// As [`RunDir::read_json`], and if it is longer.
    pub(crate) fn read_json_within<T: DeserializeOwned>(
        &self,
        name: &str,
        most: u64,
    ) -> Result<Option<T>, RunError> {
        if !self.path.join(name).exists() {
            return Ok(None);
        }
        let text = self.read_text_within(name, most)?;
        Ok(Some(sealed::from_json(&text, &self.owner(name)).map_err(|why| self.damaged(name, &why))?))
    }

    /// Reads a text of this run.
    ///
    /// # Errors
    /// If it can't be read, or is not text.
    pub fn read_text(&self, name: &str) -> Result<String, RunError> {
        self.read_text_within(name, MAX_RESULT_BYTES)
    }

    fn read_text_within(&self, name: &str, most: u64) -> Result<String, RunError> {
        let path = self.path.join(name);
        let bytes = input_file::read(&path, most).map_err(FileAction::Read.failed(&path))?;
        Ok(String::from_utf8(bytes).map_err(|_| self.damaged(name, &sealed::Broken::Changed))?)
    }

    /// The error of a file of results with invalid content.
    pub(crate) fn damaged(&self, name: &str, why: &impl ToString) -> DirectoryError {
        DirectoryError::DamagedResult { file: self.path.join(name), why: why.to_string() }
    }

    /// The error of an invalid plan.
    pub(crate) fn wrong_plan(&self, why: PlanError) -> DirectoryError {
        DirectoryError::of_plan(&self.path, self.path.join(PLAN), why)
    }

    /// Checks that this is the game of the run.
    ///
    /// # Errors
    /// If the rules have changed since it was started.
    pub fn check_game<G: Notation>(&self, game: &G) -> Result<(), DirectoryError> {
        self.plan.check_game(game).map_err(|why| self.wrong_plan(why))
    }

    /// The identity of a file of this run.
    fn owner(&self, name: &str) -> String {
        format!("{name} {:016x}", self.plan.hash())
    }

    /// Writes a file of results.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn write_file(&self, name: &str, bytes: &[u8]) -> Result<(), FileError> {
        self.write_with(name, |path| output_file::write(path, bytes).map(|_| ()))
    }

    /// Creates a table whose metadata identify the run.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn table<'c, C>(&self, name: &str, columns: &'c [C]) -> Result<RowWriter, FileError>
    where
        Column: From<&'c C>,
    {
        let mut rows = RowWriter::create(&self.path, name, columns)?;
        provenance::metadata(&self.plan).iter().for_each(|(key, value)| rows.describe(key, value));
        Ok(rows)
    }

    /// Writes a recorded game, which is only durable after [`RunDir::sync_replays`].
    ///
    /// # Errors
    /// If it can't be written.
    pub(crate) fn write_replay(&self, game: u64, bytes: &[u8]) -> Result<(), FileError> {
        self.write_with(&format!("{REPLAYS}/{game:06}.ttr"), |path| output_file::replace(path, bytes))
    }

    /// Makes the recorded games durable.
    ///
    /// # Errors
    /// If it can't be done.
    pub(crate) fn sync_replays(&self) -> Result<(), FileError> {
        let folder = self.path.join(REPLAYS);
        if !folder.is_dir() {
            return Ok(());
        }
        file_ops::sync_dir(&folder).map_err(FileAction::Write.failed(&folder))
    }

    fn write_with(&self, name: &str, write: impl FnOnce(&Path) -> io::Result<()>) -> Result<(), FileError> {
        let path = self.path.join(name);
        if let Some(parent) = path.parent() {
            file_ops::create_dir_all(parent).map_err(FileAction::Write.failed(parent))?;
        }
        write(&path).map_err(FileAction::Write.failed(&path))
    }
}

/// Reads the plan of a run, and checks that it is unchanged and of this version.
fn read_plan(path: &Path) -> Result<RunPlan, DirectoryError> {
    /// The parts that all versions have.
    #[derive(Deserialize)]
    struct Origin {
        format: u32,
        version: String,
    }
    let file = path.join(PLAN);
    let text = match input_file::read_text(&file, MAX_PLAN_BYTES) {
        Err(_) if check_vacant(path).is_ok() && path.is_dir() => {
            return Err(DirectoryError::NotStarted(path.to_owned()));
        }
        Err(why) => return Err(DirectoryError::NotARun { path: path.to_owned(), plan: file, why }),
        Ok(text) => text,
    };
    if let Ok(Origin { format, version }) = toml::from_str(&text)
        && (format != FORMAT || version != env!("CARGO_PKG_VERSION"))
    {
        return Err(DirectoryError::OtherVersion { path: path.to_owned(), version, format });
    }
    sealed::from_toml(&text, PLAN).map_err(|why| DirectoryError::DamagedPlan { file, why: why.to_string() })
}

/// Checks that a directory contains at most the remains of a run that died before it had a plan.
fn check_vacant(path: &Path) -> Result<(), DirectoryError> {
    let Ok(entries) = fs::read_dir(path) else { return Ok(()) };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_str().unwrap_or("?");
        let is_empty = |folder: PathBuf| {
            output_file::leftovers(&folder)
                .is_ok_and(|found| fs::read_dir(folder).is_ok_and(|entries| entries.count() == found.len()))
        };
        let is_left = is_lock(name) || output_file::target_of(name).is_some();
        if is_left || name == PARTS && is_empty(entry.path()) {
            continue;
        }
        return Err(match path.join(PLAN).exists() {
            true => DirectoryError::Occupied(path.to_owned()),
            false => DirectoryError::NotEmpty(path.to_owned()),
        });
    }
    Ok(())
}
