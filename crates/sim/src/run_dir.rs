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
//! Every file is written under a temporary name and renamed. A part carries a version, the hash of its run, its length and a
//! checksum, so that whatever is found after a crash is either whole or not there.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use ttr_agents::AgentSpec;
use ttr_engine::{Notation, codec};

use crate::output_file;
use crate::schedule::Schedule;

/// First bytes of a part.
const MAGIC: &[u8; 8] = b"ttr-part";
/// Bytes before the content of a part: what it is, format, hash of the plan, and length.
const FRAME: usize = MAGIC.len() + 4 + 8 + 8;
/// Bytes after it.
const CHECKSUM: usize = 8;
/// Version of everything in a run directory.
pub const FORMAT: u32 = 1;

const PLAN: &str = "run.toml";
const PARTS: &str = "parts";
const LOCK: &str = ".lock";
/// What tells that a run is complete.
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
        Some(format!("{key} is {} in one and {} in the other", show(&mine, key), show(&theirs, key)))
    }
}

/// The directory of a run, locked against a second process.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    plan: RunPlan,
    _lock: File,
}

/// Something about a directory that only its user can change.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct WrongDirectory(pub String);

impl RunDir {
    /// A fresh directory for a run.
    ///
    /// # Errors
    /// If there is something already, or it can't be written.
    pub fn create(path: &Path, plan: RunPlan) -> anyhow::Result<Self> {
        if fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some()) {
            let what = if path.join(PLAN).exists() {
                "is the directory of a run; go on with it by --resume, or give another --out"
            } else {
                "is not empty; give another --out"
            };
            bail!(WrongDirectory(format!("{} {what}", path.display())));
        }
        fs::create_dir_all(path.join(PARTS))
            .with_context(|| format!("the directory {} can't be made", path.display()))?;
        let lock = lock(path)?;
        let text = toml::to_string(&plan).context("the plan can't be written")?;
        write(&path.join(PLAN), text.as_bytes())?;
        Ok(Self { path: path.to_owned(), plan, _lock: lock })
    }

    /// A fresh directory `PARENT/NAME-1`, `PARENT/NAME-2`, ...
    ///
    /// # Errors
    /// If none can be made.
    pub fn create_numbered(parent: &Path, name: &str, plan: RunPlan) -> anyhow::Result<Self> {
        fs::create_dir_all(parent)
            .with_context(|| format!("the directory {} can't be made; give --out", parent.display()))?;
        for number in 1.. {
            let path = parent.join(format!("{name}-{number}"));
            match fs::create_dir(&path) {
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

    /// The directory of a run that was begun.
    ///
    /// # Errors
    /// If it is none, or of another version.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let file = path.join(PLAN);
        let text = fs::read_to_string(&file).map_err(|error| {
            WrongDirectory(format!(
                "{} is not the directory of a run: {} can't be read: {error}; give one that a run was begun in, such as \
                 runs/arena-europe-1",
                path.display(),
                file.display()
            ))
        })?;
        let plan: RunPlan = toml::from_str(&text).map_err(|error| {
            let why = format!(
                "{} is damaged: {}; begin the run anew, in another directory",
                file.display(),
                error.to_string().trim_end()
            );
            WrongDirectory(why)
        })?;
        if plan.format != FORMAT || plan.version != env!("CARGO_PKG_VERSION") {
            bail!(WrongDirectory(format!(
                "{} was begun by version {} of ttr, and this is {}: results would not be of one kind; finish it with \
                 that version or begin anew",
                path.display(),
                plan.version,
                env!("CARGO_PKG_VERSION")
            )));
        }
        let lock = lock(path)?;
        fs::create_dir_all(path.join(PARTS)).with_context(|| path.display().to_string())?;
        Ok(Self { path: path.to_owned(), plan, _lock: lock })
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
    /// If it can't be read, or is damaged.
    pub fn summary<S: DeserializeOwned>(&self) -> anyhow::Result<S> {
        let path = self.path.join(SUMMARY);
        let text = fs::read(&path).with_context(|| format!("{} can't be read", path.display()))?;
        let damaged = |error| {
            WrongDirectory(format!(
                "{} is damaged: {error}; delete {} and play the run again: it comes to the same results",
                path.display(),
                self.path.display()
            ))
        };
        Ok(serde_json::from_slice(&text).map_err(damaged)?)
    }

    /// The deals that have been played, in order.
    ///
    /// # Errors
    /// If the directory can't be read.
    pub fn parts(&self) -> anyhow::Result<Vec<Range<u64>>> {
        let folder = self.path.join(PARTS);
        let mut parts = Vec::new();
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let name = entry?.file_name();
            let range = name.to_str().and_then(|name| name.split_once('-'));
            let range = range.and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
            parts.extend(range);
        }
        parts.sort_by_key(|part: &Range<u64>| (part.start, part.end));
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
        bytes.extend(self.plan.hash().to_le_bytes());
        bytes.extend((content.len() as u64).to_le_bytes());
        bytes.extend(content);
        bytes.extend(codec::checksum(&bytes).to_le_bytes());
        write(&self.part_path(deals), &bytes)
    }

    /// Reads a part.
    ///
    /// # Errors
    /// If it is damaged or of another run.
    pub fn read_part<P: DeserializeOwned>(&self, deals: &Range<u64>) -> anyhow::Result<P> {
        let bytes = self.part_bytes(deals)?;
        let content = &bytes[FRAME..bytes.len() - CHECKSUM];
        let (part, used) = codec::decode(content).map_err(|_| self.damaged(deals))?;
        if used != content.len() {
            bail!(self.damaged(deals));
        }
        Ok(part)
    }

    /// A part as it was written, with what stands around it, which is checked.
    fn part_bytes(&self, deals: &Range<u64>) -> anyhow::Result<Vec<u8>> {
        let path = self.part_path(deals);
        let bytes = fs::read(&path).with_context(|| format!("{} can't be read", path.display()))?;
        let body = bytes.len().checked_sub(CHECKSUM).filter(|&body| body >= FRAME);
        let (body, sum) = bytes.split_at(body.ok_or_else(|| self.damaged(deals))?);
        if &body[..8] != MAGIC || codec::checksum(body).to_le_bytes() != sum {
            bail!(self.damaged(deals));
        }
        if body[8..12] != FORMAT.to_le_bytes() || body[12..20] != self.plan.hash().to_le_bytes() {
            bail!(WrongDirectory(format!("{} is of another run", path.display())));
        }
        Ok(bytes)
    }

    fn damaged(&self, deals: &Range<u64>) -> WrongDirectory {
        let path = self.part_path(deals);
        WrongDirectory(format!(
            "{} is damaged; delete it, and --resume plays its deals again",
            path.display()
        ))
    }

    /// Whether all parts are whole.
    ///
    /// # Errors
    /// If one is damaged or of another run.
    pub fn check_parts(&self) -> anyhow::Result<()> {
        self.parts()?.iter().try_for_each(|part| self.part_bytes(part).map(|_| ()))
    }

    /// Takes the parts of another directory of the same run.
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
            if mine.iter().any(|own| own.start < part.end && part.start < own.end) {
                bail!(WrongDirectory(format!(
                    "deals {} to {} are in {} and in another of the directories; give each shard once",
                    part.start,
                    part.end - 1,
                    other.path.display()
                )));
            }
            let from = other.part_path(&part);
            let bytes = fs::read(&from).with_context(|| format!("{} can't be read", from.display()))?;
            write(&self.part_path(&part), &bytes)?;
        }
        Ok(())
    }

    /// Writes a file of results.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn write_file(&self, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        let path = self.path.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
        }
        write(&path, bytes)
    }

    /// Throws the parts away, once all that follows from them is written.
    ///
    /// # Errors
    /// If they can't be deleted.
    pub fn discard_parts(&self) -> anyhow::Result<()> {
        let folder = self.path.join(PARTS);
        fs::remove_dir_all(&folder).with_context(|| format!("{} can't be deleted", folder.display()))
    }

    fn part_path(&self, deals: &Range<u64>) -> PathBuf {
        self.path.join(PARTS).join(format!("{:010}-{:010}", deals.start, deals.end))
    }
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

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    output_file::write(path, bytes).with_context(|| {
        format!(
            "{} can't be written; what was finished before it is safe: mend that, then --resume",
            path.display()
        )
    })?;
    Ok(())
}

fn lock(path: &Path) -> anyhow::Result<File> {
    let file = path.join(LOCK);
    let lock = File::options().create(true).truncate(false).write(true).open(&file);
    let lock = lock.with_context(|| format!("{} can't be written", file.display()))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => {
            bail!(WrongDirectory(format!("another process is at work in {}", path.display())))
        }
        // Some file systems have no locks; then nobody watches.
        Err(TryLockError::Error(_)) => Ok(lock),
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
