//! The directory of a run: what is played, what has been played, what came out.
//!
//! ```text
//! runs/arena-europe-1/
//!   run.toml                what is played; a run that goes on must agree with it
//!   parts/                  finished stretches of deals, while the run is not complete
//!     0000000000-0000000512
//!   summary.json ...        what came out, when all deals are played
//! ```
//!
//! Every file is written under a temporary name and renamed, and the directory is synced. A part carries a version, the hash of its
//! run, its deals, its length and a checksum; text that is read back ends with a checksum. So whatever is found after a crash is
//! either whole or not there, and what does not belong there is refused.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use ttr_agents::{AgentSpec, EXEC};
use ttr_engine::{Notation, codec, input_file};

use crate::run::rows::{Column, RowWriter};
use crate::run::{file_ops, output_file, provenance, sealed};
use crate::table::schedule::Schedule;

/// First bytes of a part.
const MAGIC: &[u8; 8] = b"ttr-part";
/// Bytes before the content of a part: what it is, format, hash of the plan, first deal, the one after the last, and length.
const FRAME: usize = MAGIC.len() + 4 + 4 * 8;
/// Bytes after it.
const CHECKSUM: usize = 8;
/// Version of everything in a run directory.
pub const FORMAT: u32 = 3;

/// Longest plan that is read, in bytes.
const MAX_PLAN_BYTES: u64 = 1 << 24;
/// Longest part or summary that is read, in bytes.
const MAX_RESULT_BYTES: u64 = 1 << 30;

/// The file with the plan.
pub const PLAN: &str = "run.toml";
const PARTS: &str = "parts";
const REPLAYS: &str = "replays";
const LOCK: &str = ".lock";
/// The file that marks a run as complete.
pub const SUMMARY: &str = "summary.json";

/// The whole of what a run's results depend on, and which part of it is played here.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunPlan {
    /// [`FORMAT`].
    pub format: u32,
    /// Version of this program.
    pub version: String,
    /// The verb: what is done with the games.
    pub verb: String,
    /// The map as it was asked for, with modules, such as `europe+depots`.
    pub map: String,
    /// Hash of the map and its rules.
    pub map_hash: String,
    /// How many seats.
    pub seats: usize,
    /// The master seed.
    pub seed: u64,
    /// How many deals.
    pub deals: u64,
    /// What is played here: the first of them and the one after the last.
    pub first_deal: u64,
    /// See `first_deal`.
    pub end_deal: u64,
    /// The line-ups, as indices of agents.
    pub line_ups: Vec<Vec<usize>>,
    /// Whatever else the verb depends on, by name.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// Who plays.
    pub agents: Vec<AgentSpec>,
}

impl RunPlan {
    /// The option that holds the secret of the run, in hexadecimal digits.
    pub(crate) const EXEC_SECRET: &'static str = "exec_secret";

    /// The plan of a whole run of this version.
    pub fn new<G: Notation>(verb: &str, game: &G, map: &str, seed: u64, agents: Vec<AgentSpec>) -> Self {
        Self {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            verb: verb.to_owned(),
            map: map.to_owned(),
            map_hash: format!("{:016x}", game.rules_hash()),
            seats: game.seats(),
            seed,
            deals: 0,
            first_deal: 0,
            end_deal: 0,
            line_ups: Vec::new(),
            options: BTreeMap::new(),
            agents,
        }
    }

    /// The same with so many deals of a schedule.
    #[must_use]
    pub fn with_deals(self, schedule: &Schedule, deals: u64) -> Self {
        Self { deals, end_deal: deals, line_ups: schedule.line_ups().to_vec(), ..self }
    }

    /// The same with the secret of the run, which processes get their random numbers from; without processes it needs none.
    #[must_use]
    pub fn with_exec_secret(mut self, secret: u64) -> Self {
        if self.has_processes() {
            self.options.insert(Self::EXEC_SECRET.to_owned(), format!("{secret:016x}"));
        }
        self
    }

    /// The secret of the run, if it has one.
    pub fn exec_secret(&self) -> Option<u64> {
        u64::from_str_radix(self.options.get(Self::EXEC_SECRET)?, 16).ok()
    }

    /// Whether an agent is a process.
    pub fn has_processes(&self) -> bool {
        self.agents.iter().any(|agent| agent.name == EXEC)
    }

    /// The deals to be played here.
    pub fn range(&self) -> Range<u64> {
        self.first_deal..self.end_deal
    }

    /// Whether this is all of the run, not a shard.
    pub fn is_whole(&self) -> bool {
        self.range() == (0..self.deals)
    }

    /// The same for the `index`-th of `count` shards, counted from 1.
    #[must_use]
    pub fn shard(&self, index: u64, count: u64) -> Self {
        let cut = |part: u64| (u128::from(self.deals) * u128::from(part) / u128::from(count)) as u64;
        Self { first_deal: cut(index - 1), end_deal: cut(index), ..self.clone() }
    }

    /// The same for all deals.
    #[must_use]
    pub fn whole(&self) -> Self {
        Self { first_deal: 0, end_deal: self.deals, ..self.clone() }
    }

    /// A hash of all that results depend on: equal for the shards of a run.
    pub fn hash(&self) -> u64 {
        codec::checksum(&codec::encode(&self.whole()))
    }

    /// Checks that the games of the plan can be played and counted.
    ///
    /// # Errors
    /// What is wrong, such as a line-up with an agent that does not exist.
    pub fn check_games(&self) -> Result<(), String> {
        let (seats, agents) = (self.seats, self.agents.len());
        if self.line_ups.is_empty() {
            return Err("line_ups is empty".into());
        }
        for line_up in &self.line_ups {
            if line_up.len() != seats {
                return Err(format!("the line-up {line_up:?} does not have {seats} seats"));
            }
            if let Some(agent) = line_up.iter().find(|&&agent| agent >= agents) {
                return Err(format!(
                    "the line-up {line_up:?} has agent {agent}, and there are {agents} from 0 on"
                ));
            }
        }
        if self.first_deal > self.end_deal || self.end_deal > self.deals {
            let (first, end, deals) = (self.first_deal, self.end_deal, self.deals);
            return Err(format!("first_deal {first}, end_deal {end} and deals {deals} are not in order"));
        }
        // Tables number the games with signed numbers.
        let games = Schedule::new(self.line_ups.clone()).games_per_deal().checked_mul(self.deals);
        if games.is_none_or(|games| games > i64::MAX as u64) {
            return Err(format!("{} deals are more games than can be counted", self.deals));
        }
        Ok(())
    }

    /// In which way another run is another one, if it is.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let text = |plan: &Self| toml::Table::try_from(plan.whole()).unwrap_or_default();
        let (mine, theirs) = (text(self), text(other));
        let keys = mine.keys().chain(theirs.keys());
        let differs = |key: &&String| mine.get(*key) != theirs.get(*key);
        let show =
            |table: &toml::Table, key: &str| table.get(key).map_or("nothing".into(), ToString::to_string);
        let mut keys: Vec<_> = keys.filter(differs).collect();
        keys.sort();
        let key = keys.first()?;
        if self.exec_secret() != other.exec_secret() {
            return Some("exec_secret differs; give the same --exec-secret to all shards".to_owned());
        }
        Some(format!("{key} is {} in one and {} in the other", show(&mine, key), show(&theirs, key)))
    }
}

/// The directory of a run, locked against a second process.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    plan: RunPlan,
    _lock: Option<File>,
}

/// Something about a directory that only its user can change.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct WrongDirectory(pub String);

impl RunDir {
    /// Creates the directory of a run. What a run leaves that died before it had a plan counts as nothing.
    ///
    /// # Errors
    /// If there is something already, or it can't be written.
    pub fn create(path: &Path, plan: RunPlan) -> anyhow::Result<Self> {
        if !plan.line_ups.is_empty() {
            plan.check_games().map_err(WrongDirectory)?;
        }
        check_vacant(path)?;
        file_ops::create_dir_all(path)
            .with_context(|| format!("the directory {} can't be made", path.display()))?;
        let lock = lock(path, Access::Change)?;
        // Another process may have been faster.
        check_vacant(path)?;
        let text = sealed::to_toml(&plan, PLAN).context("the plan can't be written")?;
        let dir = Self { path: path.to_owned(), plan, _lock: lock };
        dir.remove_leftovers()?;
        dir.write_file(PLAN, text.as_bytes())?;
        Ok(dir)
    }

    /// A fresh directory `PARENT/NAME-1`, `PARENT/NAME-2`, ...
    ///
    /// # Errors
    /// If none can be made.
    pub fn create_numbered(parent: &Path, name: &str, plan: RunPlan) -> anyhow::Result<Self> {
        file_ops::create_dir_all(parent)
            .with_context(|| format!("the directory {} can't be made; give --out", parent.display()))?;
        for number in 1.. {
            let path = parent.join(format!("{name}-{number}"));
            match file_ops::create_dir(&path) {
                Ok(()) => return Self::create(&path, plan),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => {
                    return Err(error)
                        .with_context(|| format!("{} can't be made; give --out", path.display()));
                }
            }
        }
        unreachable!("numbers do not end");
    }

    /// Opens the directory of a run to resume it, and removes what a killed process left there. A complete run is only read:
    /// it may be where nothing can be written.
    ///
    /// # Errors
    /// If it is not the directory of a run, another process works there, or it is of another version.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let plan = read_plan(path)?;
        let dir = Self { path: path.to_owned(), plan, _lock: lock(path, Access::Change)? };
        match dir.remove_leftovers() {
            Err(error) if dir.is_complete() && is_denied(&error) => {}
            done => done?,
        }
        Ok(dir)
    }

    /// Opens the directory of a run to read its parts, without changing anything.
    ///
    /// # Errors
    /// As [`RunDir::open`].
    pub fn open_to_read(path: &Path) -> anyhow::Result<Self> {
        let plan = read_plan(path)?;
        Ok(Self { path: path.to_owned(), plan, _lock: lock(path, Access::Read)? })
    }

    /// Removes temporary files, and the parts of a complete run.
    fn remove_leftovers(&self) -> anyhow::Result<()> {
        let parts = self.path.join(PARTS);
        if self.is_complete() && parts.exists() {
            self.discard_parts()?;
        }
        for folder in [self.path.clone(), parts, self.path.join(REPLAYS)] {
            let found = output_file::leftovers(&folder).with_context(|| folder.display().to_string())?;
            for file in found {
                file_ops::remove_file(&file).with_context(|| cannot_delete(&file))?;
            }
        }
        Ok(())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is played.
    pub fn plan(&self) -> &RunPlan {
        &self.plan
    }

    /// Whether everything is done.
    pub fn is_complete(&self) -> bool {
        self.path.join(SUMMARY).exists()
    }

    /// The summary of a complete run.
    ///
    /// # Errors
    /// If it can't be read, is damaged, or of another run.
    pub fn summary<S: DeserializeOwned>(&self) -> anyhow::Result<S> {
        let path = self.path.join(SUMMARY);
        self.read_json(SUMMARY)?.with_context(|| format!("{} can't be read", path.display()))
    }

    /// Writes a JSON object that is to be read back, with a checksum that ties it to this run.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn write_json(&self, name: &str, object: &impl Serialize) -> anyhow::Result<()> {
        let text =
            sealed::to_json(object, &self.owner(name)).with_context(|| format!("{name} can't be written"))?;
        self.write_file(name, text.as_bytes())
    }

    /// Reads an object that [`RunDir::write_json`] wrote; nothing if there is no such file.
    ///
    /// # Errors
    /// If it can't be read, or is not as it was written.
    pub fn read_json<T: DeserializeOwned>(&self, name: &str) -> anyhow::Result<Option<T>> {
        if !self.path.join(name).exists() {
            return Ok(None);
        }
        let text = self.read_text(name)?;
        Ok(Some(sealed::from_json(&text, &self.owner(name)).map_err(|why| self.refuse(name, &why))?))
    }

    /// Reads a text of this run.
    ///
    /// # Errors
    /// If it can't be read, or is no text.
    pub fn read_text(&self, name: &str) -> anyhow::Result<String> {
        let path = self.path.join(name);
        let bytes = input_file::read(&path, MAX_RESULT_BYTES)
            .with_context(|| format!("{} can't be read", path.display()))?;
        Ok(String::from_utf8(bytes).map_err(|_| self.refuse(name, &sealed::Broken::Changed))?)
    }

    /// The error of a file whose content can't be used.
    pub fn refuse(&self, name: &str, why: &impl std::fmt::Display) -> WrongDirectory {
        WrongDirectory(format!(
            "{} is damaged: {why}; delete {} and play the run again: it comes to the same results",
            self.path.join(name).display(),
            self.path.display()
        ))
    }

    /// What a file of this run belongs to.
    fn owner(&self, name: &str) -> String {
        format!("{name} {:016x}", self.plan.hash())
    }

    /// The deals that have been played, in order.
    ///
    /// # Errors
    /// If the directory can't be read, or has something that is not a part of this run.
    pub fn parts(&self) -> anyhow::Result<Vec<Range<u64>>> {
        let folder = self.path.join(PARTS);
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.with_context(|| format!("{} can't be read", folder.display()))?,
        };
        let mut parts = Vec::new();
        for entry in entries {
            let name = entry?.file_name();
            if name.as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let range = name.to_str().and_then(|name| name.split_once('-'));
            let range = range.and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
            let named = |range: &Range<u64>| part_name(range).as_str() == name;
            let Some(range) = range.filter(named) else {
                let path = folder.join(name);
                bail!(WrongDirectory(format!(
                    "{} is not a part of a run; move it elsewhere",
                    path.display()
                )));
            };
            let plan = self.plan.range();
            if range.is_empty() || range.start < plan.start || range.end > plan.end {
                bail!(WrongDirectory(format!(
                    "{} has deals that are not played here, which are {} to {}; move it elsewhere",
                    self.part_path(&range).display(),
                    plan.start,
                    plan.end.saturating_sub(1)
                )));
            }
            parts.push(range);
        }
        parts.sort_by_key(|part: &Range<u64>| (part.start, part.end));
        if let Some(pair) = parts.windows(2).find(|pair| pair[1].start < pair[0].end) {
            bail!(WrongDirectory(format!(
                "{} and {} have deals in common; delete one of them, and --resume plays what is missing",
                self.part_path(&pair[0]).display(),
                self.part_path(&pair[1]).display()
            )));
        }
        Ok(parts)
    }

    /// The deals that have not been played yet.
    ///
    /// # Errors
    /// If the directory can't be read.
    pub fn missing(&self) -> anyhow::Result<Vec<Range<u64>>> {
        Ok(gaps(&self.parts()?, self.plan.range()))
    }

    /// Keeps a part.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn write_part(&self, deals: &Range<u64>, part: &impl Serialize) -> anyhow::Result<()> {
        let content = codec::encode(part);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(FORMAT.to_le_bytes());
        for number in [self.plan.hash(), deals.start, deals.end, content.len() as u64] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(content);
        bytes.extend(codec::checksum(&bytes).to_le_bytes());
        self.write_file(&format!("{PARTS}/{}", part_name(deals)), &bytes)
    }

    /// Reads a part.
    ///
    /// # Errors
    /// If it is damaged, of another run or of other deals.
    pub fn read_part<P: DeserializeOwned>(&self, deals: &Range<u64>) -> anyhow::Result<P> {
        let bytes = self.part_bytes(deals)?;
        let content = &bytes[FRAME..bytes.len() - CHECKSUM];
        let (part, used) = codec::decode(content).map_err(|why| self.damaged(deals, &why))?;
        if used != content.len() {
            bail!(self.damaged(deals, "it is too long"));
        }
        Ok(part)
    }

    /// A part as it was written, with what stands around it, which is checked.
    fn part_bytes(&self, deals: &Range<u64>) -> anyhow::Result<Vec<u8>> {
        let path = self.part_path(deals);
        let bytes = input_file::read(&path, MAX_RESULT_BYTES)
            .with_context(|| format!("{} can't be read", path.display()))?;
        let body = bytes.len().checked_sub(CHECKSUM).filter(|&body| body >= FRAME);
        let (body, sum) = bytes.split_at(body.ok_or_else(|| self.damaged(deals, "it was cut off"))?);
        if &body[..8] != MAGIC || codec::checksum(body).to_le_bytes() != sum {
            bail!(self.damaged(deals, "its checksum is wrong"));
        }
        if body[8..12] != FORMAT.to_le_bytes() || body[12..20] != self.plan.hash().to_le_bytes() {
            bail!(self.damaged(deals, "it is of another run"));
        }
        let number = |at: usize| u64::from_le_bytes(std::array::from_fn(|index| body[at + index]));
        let inside = number(20)..number(28);
        if inside != *deals {
            let why = format!("it is the part {} under another name", part_name(&inside));
            bail!(self.damaged(deals, &why));
        }
        Ok(bytes)
    }

    /// The error of a part that can't be used.
    pub fn damaged(&self, deals: &Range<u64>, why: &str) -> WrongDirectory {
        let path = self.part_path(deals);
        WrongDirectory(format!(
            "{} is damaged: {why}; delete it, and --resume plays its deals again",
            path.display()
        ))
    }

    /// Checks that all parts are whole.
    ///
    /// # Errors
    /// If one is damaged, of another run or of other deals.
    pub fn check_parts(&self) -> anyhow::Result<()> {
        self.parts()?.iter().try_for_each(|part| self.part_bytes(part).map(|_| ()))
    }

    /// Takes the parts of another directory of the same run, as far as they are not here already.
    ///
    /// # Errors
    /// If it is another run, or a deal is in both.
    pub fn adopt(&self, other: &Self) -> anyhow::Result<()> {
        if let Some(difference) = self.plan.difference(&other.plan) {
            bail!(WrongDirectory(format!(
                "{} is not of the same run as the others: {difference}",
                other.path.display()
            )));
        }
        let mine = self.parts()?;
        for part in other.parts()? {
            if mine.contains(&part) {
                continue;
            }
            if mine.iter().any(|own| own.start < part.end && part.start < own.end) {
                bail!(WrongDirectory(format!(
                    "deals {} to {} are in {} and, divided otherwise, in {}; give another --out",
                    part.start,
                    part.end - 1,
                    other.path.display(),
                    self.path.display()
                )));
            }
            self.write_file(&format!("{PARTS}/{}", part_name(&part)), &other.part_bytes(&part)?)?;
        }
        Ok(())
    }

    /// Writes a file of results.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn write_file(&self, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        self.write_with(name, |path| output_file::write(path, bytes).map(|_| ()))
    }

    /// Begins a table, which says in its metadata what run it is of.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn table<'c, C>(&self, name: &str, columns: &'c [C]) -> anyhow::Result<RowWriter>
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
    pub fn write_replay(&self, game: u64, bytes: &[u8]) -> anyhow::Result<()> {
        self.write_with(&format!("{REPLAYS}/{game:06}.ttr"), |path| output_file::replace(path, bytes))
    }

    /// Makes the recorded games durable.
    ///
    /// # Errors
    /// If that can't be done.
    pub fn sync_replays(&self) -> anyhow::Result<()> {
        let folder = self.path.join(REPLAYS);
        if folder.is_dir() {
            file_ops::sync_dir(&folder).with_context(|| unwritable(&folder))
        } else {
            Ok(())
        }
    }

    fn write_with(&self, name: &str, write: impl FnOnce(&Path) -> io::Result<()>) -> anyhow::Result<()> {
        let path = self.path.join(name);
        if let Some(parent) = path.parent() {
            file_ops::create_dir_all(parent).with_context(|| unwritable(parent))?;
        }
        write(&path).with_context(|| unwritable(&path))
    }

    /// Throws the parts away, once all that follows from them is written.
    ///
    /// # Errors
    /// If they can't be deleted.
    pub fn discard_parts(&self) -> anyhow::Result<()> {
        let folder = self.path.join(PARTS);
        if !folder.exists() {
            return Ok(());
        }
        file_ops::remove_dir_all(&folder).with_context(|| cannot_delete(&folder))
    }

    fn part_path(&self, deals: &Range<u64>) -> PathBuf {
        self.path.join(PARTS).join(part_name(deals))
    }
}

fn part_name(deals: &Range<u64>) -> String {
    format!("{:010}-{:010}", deals.start, deals.end)
}

/// Reads the plan of a run and checks that it is as it was written, by this version.
fn read_plan(path: &Path) -> anyhow::Result<RunPlan> {
    /// What all versions have.
    #[derive(Deserialize)]
    struct Origin {
        format: u32,
        version: String,
    }
    let file = path.join(PLAN);
    let text = input_file::read_text(&file, MAX_PLAN_BYTES).map_err(|error| {
        let why = if check_vacant(path).is_ok() && path.is_dir() {
            "no run was started there, or it was killed at once: run the command that starts it again"
                .to_owned()
        } else {
            format!(
                "{} can't be read: {error}; give the directory of a run, such as runs/arena-europe-1",
                file.display()
            )
        };
        WrongDirectory(format!("{} is not the directory of a run: {why}", path.display()))
    })?;
    if let Ok(Origin { format, version }) = toml::from_str(&text)
        && (format != FORMAT || version != env!("CARGO_PKG_VERSION"))
    {
        bail!(WrongDirectory(format!(
            "{} was started by version {version} of ttr with format {format}, and this is {} with format {FORMAT}: results would \
             not be comparable; finish it with that version, or start a new run in another directory",
            path.display(),
            env!("CARGO_PKG_VERSION")
        )));
    }
    let damaged = |why: &dyn std::fmt::Display| {
        WrongDirectory(format!(
            "{} is damaged: {why}; restore it, or start a new run in another directory",
            file.display()
        ))
    };
    Ok(sealed::from_toml(&text, PLAN).map_err(|why| damaged(&why))?)
}

/// Checks that nothing is in a directory but what a run leaves that died before it had a plan.
fn check_vacant(path: &Path) -> Result<(), WrongDirectory> {
    let Ok(entries) = fs::read_dir(path) else { return Ok(()) };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_str().unwrap_or("?");
        let is_empty = |folder: PathBuf| {
            output_file::leftovers(&folder)
                .is_ok_and(|found| fs::read_dir(folder).is_ok_and(|entries| entries.count() == found.len()))
        };
        if name == LOCK || output_file::target_of(name).is_some() || name == PARTS && is_empty(entry.path()) {
            continue;
        }
        let what = if path.join(PLAN).exists() {
            "is the directory of a run; go on with it by --resume, or give another --out"
        } else {
            "is not empty; give another --out"
        };
        return Err(WrongDirectory(format!("{} {what}", path.display())));
    }
    Ok(())
}

/// What of a range is not in any of the parts, which are in order.
pub fn gaps(parts: &[Range<u64>], range: Range<u64>) -> Vec<Range<u64>> {
    let mut gaps = Vec::new();
    let mut at = range.start;
    for part in parts {
        if part.start > at {
            gaps.push(at..part.start.min(range.end));
        }
        at = at.max(part.end);
    }
    if at < range.end {
        gaps.push(at..range.end);
    }
    gaps
}

fn unwritable(path: &Path) -> String {
    format!(
        "{} can't be written; what was finished before it is safe: fix that, then --resume",
        path.display()
    )
}

fn cannot_delete(path: &Path) -> String {
    format!("{} can't be deleted", path.display())
}

fn is_denied(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(is_denied_io)
}

fn is_denied_io(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

/// What a directory is opened for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    /// Others may read at the same time.
    Read,
    /// Nobody else may.
    Change,
}

/// Locks a directory. Nobody can be at work where there is no lock file, or where nothing can be written.
fn lock(path: &Path, access: Access) -> anyhow::Result<Option<File>> {
    let file = path.join(LOCK);
    // A pipe would be waited for.
    if fs::metadata(&file).is_ok_and(|found| !found.is_file()) {
        bail!(WrongDirectory(format!("{} is not a regular file; delete it", file.display())));
    }
    let opened = match access {
        Access::Read => File::open(&file),
        // Network file systems lock only what is open to write.
        Access::Change => match File::options().write(true).open(&file) {
            Err(error) if is_denied_io(&error) => File::open(&file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => file_ops::create(&file),
            opened => opened,
        },
    };
    let lock = match opened {
        Err(error) if is_denied_io(&error) => return Ok(None),
        Err(error) if access == Access::Read && error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened.with_context(|| format!("{} can't be written", file.display()))?,
    };
    let locked = match access {
        Access::Read => lock.try_lock_shared(),
        Access::Change => lock.try_lock(),
    };
    match locked {
        Ok(()) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => {
            bail!(WrongDirectory(format!("another process is at work in {}", path.display())))
        }
        // Some file systems have no locks; then nobody watches.
        Err(TryLockError::Error(_)) => Ok(Some(lock)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing() {
        let gaps = |parts: &[(u64, u64)], from, to| -> Vec<(u64, u64)> {
            let parts: Vec<_> = parts.iter().map(|&(from, to)| from..to).collect();
            gaps(&parts, from..to).into_iter().map(|gap| (gap.start, gap.end)).collect()
        };
        assert_eq!(gaps(&[], 3, 9), [(3, 9)]);
        assert_eq!(gaps(&[(3, 5), (7, 9)], 3, 9), [(5, 7)]);
        assert_eq!(gaps(&[(0, 4)], 0, 9), [(4, 9)]);
        assert_eq!(gaps(&[(0, 4), (4, 9)], 0, 9), []);
    }

    fn plan() -> RunPlan {
        let map = ttr_engine::maps::load("usa").unwrap();
        let game = ttr_engine::board::BoardGame::new(&map, 2).unwrap();
        let plan = RunPlan::new("arena", &game, "usa", 1, vec![AgentSpec::new("random"); 2]);
        plan.with_deals(&Schedule::round_robin(2, 2), 10)
    }

    #[test]
    fn shards_cover_the_run() {
        for count in [1, 3, 7, 10, 13] {
            let shards: Vec<_> = (1..=count).map(|index| plan().shard(index, count)).collect();
            assert_eq!((shards[0].first_deal, shards[count as usize - 1].end_deal), (0, 10));
            assert!(shards.windows(2).all(|pair| pair[0].end_deal == pair[1].first_deal));
            assert!(shards.iter().all(|shard| shard.hash() == plan().hash()));
        }
    }

    #[test]
    fn differences_are_named() {
        let other = RunPlan { seed: 2, ..plan() };
        assert_eq!(plan().difference(&other).unwrap(), "seed is 1 in one and 2 in the other");
        assert_eq!(plan().difference(&plan().shard(1, 2)), None);
    }

    #[test]
    fn parts_come_back_or_are_refused() {
        let folder = std::env::temp_dir().join(format!("ttr-run-dir-{}", std::process::id()));
        let dir = RunDir::create(&folder, plan()).unwrap();
        dir.write_part(&(0..4), &vec![1u32, 2, 3]).unwrap();
        assert_eq!(dir.read_part::<Vec<u32>>(&(0..4)).unwrap(), [1, 2, 3]);
        assert_eq!(dir.missing().unwrap(), vec![4..10; 1]);
        assert!(RunDir::open(&folder).unwrap_err().to_string().contains("another process"));
        let path = dir.part_path(&(0..4));
        let bytes = fs::read(&path).unwrap();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            fs::write(&path, damaged).unwrap();
            assert!(dir.read_part::<Vec<u32>>(&(0..4)).is_err(), "byte {at}");
            fs::write(&path, &bytes[..at]).unwrap();
            assert!(dir.read_part::<Vec<u32>>(&(0..4)).is_err(), "{at} bytes");
        }
        drop(dir);
        let error = RunDir::create(&folder, plan()).unwrap_err().to_string();
        assert!(error.contains("--resume"), "{error}");
        fs::remove_dir_all(folder).unwrap();
    }
}
