//! The parts of a run: finished stretches of deals, each in its own file.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;
use ttr_engine::{codec, input_file};

use super::dir::{MAX_RESULT_BYTES, RunDir};
use super::error::{DirectoryError, FileAction, FileError, RunError};
use super::file_ops;
use super::plan::FORMAT;

/// The folder of the parts.
pub(super) const PARTS: &str = "parts";

/// First bytes of a part.
const MAGIC: &[u8; 8] = b"ttr-part";
/// Number of bytes before the content of a part: magic, format, hash of the plan, first deal, the one after
/// the last, and length.
const FRAME: usize = MAGIC.len() + 4 + 4 * 8;
/// Number of bytes after it.
const CHECKSUM: usize = 8;

impl RunDir {
    /// The deals that have been played, in order.
    ///
    /// # Errors
    /// If the directory can't be read, or has something that is not a part of this run.
    pub fn parts(&self) -> Result<Vec<Range<u64>>, RunError> {
        let folder = self.path().join(PARTS);
        let unreadable = FileAction::Read.failed(&folder);
        let names = match file_names(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            names => names.map_err(unreadable)?,
        };
        let mut parts = Vec::new();
        for name in names {
            if name.as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let range = name.to_str().and_then(|name| name.split_once('-'));
            let range = range.and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
            let named = |range: &Range<u64>| part_name(range).as_str() == name;
            let Some(range) = range.filter(named) else {
                return Err(DirectoryError::NotAPart(folder.join(name)).into());
            };
            let deals = self.plan().range();
            if range.is_empty() || range.start < deals.start || range.end > deals.end {
                return Err(DirectoryError::ForeignPart { file: self.part_path(&range), deals }.into());
            }
            parts.push(range);
        }
        parts.sort_by_key(|part: &Range<u64>| (part.start, part.end));
        if let Some(pair) = parts.windows(2).find(|pair| pair[1].start < pair[0].end) {
            return Err(DirectoryError::Overlap([&pair[0], &pair[1]].map(|part| self.part_path(part))).into());
        }
        Ok(parts)
    }

    /// Number of deals that have been played.
    ///
    /// # Errors
    /// If the directory can't be read.
    pub fn deals_played(&self) -> Result<u64, RunError> {
        Ok(self.parts()?.iter().map(|part| part.end - part.start).sum())
    }

    /// Writes a part.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn write_part(&self, deals: &Range<u64>, part: &impl Serialize) -> Result<(), FileError> {
        let content = codec::encode(part);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(FORMAT.to_le_bytes());
        for number in [self.plan().hash(), deals.start, deals.end, content.len() as u64] {
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
    pub fn read_part<P: DeserializeOwned>(&self, deals: &Range<u64>) -> Result<P, RunError> {
        let bytes = self.part_bytes(deals)?;
        let content = &bytes[FRAME..bytes.len() - CHECKSUM];
        Ok(codec::decode(content).map_err(|why| self.damaged_part(deals, &why.to_string()))?)
    }

    /// The bytes of a part, with its frame, which is checked.
    fn part_bytes(&self, deals: &Range<u64>) -> Result<Vec<u8>, RunError> {
        let path = self.part_path(deals);
        let bytes = input_file::read(&path, MAX_RESULT_BYTES).map_err(FileAction::Read.failed(&path))?;
        self.check_frame(&bytes, deals).map_err(|why| self.damaged_part(deals, &why))?;
        Ok(bytes)
    }

    /// Checks the frame of a part.
    fn check_frame(&self, bytes: &[u8], deals: &Range<u64>) -> Result<(), String> {
        let body = bytes.len().checked_sub(CHECKSUM).filter(|&body| body >= FRAME);
        let (body, sum) = bytes.split_at(body.ok_or("it was cut off")?);
        if &body[..8] != MAGIC || codec::checksum(body).to_le_bytes() != sum {
            return Err("its checksum is wrong".to_owned());
        }
        if body[8..12] != FORMAT.to_le_bytes() || body[12..20] != self.plan().hash().to_le_bytes() {
            return Err("it is of another run".to_owned());
        }
        let number = |at: usize| u64::from_le_bytes(std::array::from_fn(|index| body[at + index]));
        let inside = number(20)..number(28);
        if inside != *deals {
            return Err(format!("it is the part {} under another name", part_name(&inside)));
        }
        Ok(())
    }

    /// The error of an invalid part.
    pub(super) fn damaged_part(&self, deals: &Range<u64>, why: &str) -> DirectoryError {
        DirectoryError::DamagedPart { file: self.part_path(deals), why: why.to_owned() }
    }

    /// Checks that all parts are whole.
    ///
    /// # Errors
    /// If one is damaged, of another run or of other deals.
    pub fn check_parts(&self) -> Result<(), RunError> {
        self.parts()?.iter().try_for_each(|part| self.part_bytes(part).map(|_| ()))
    }

    /// Adds the parts of another directory of the same run that are not among `mine`, the parts that are
    /// here.
    ///
    /// # Errors
    /// If it is another run, or a deal is in both.
    pub fn adopt(&self, other: &Self, mine: &mut BTreeMap<u64, u64>) -> Result<(), RunError> {
        if let Some(difference) = self.plan().difference(other.plan()) {
            return Err(DirectoryError::OtherRun { path: other.path().to_owned(), difference }.into());
        }
        for part in other.parts()? {
            let before = mine.range(..part.end).next_back().map(|(&start, &end)| start..end);
            match before.filter(|own| part.start < own.end) {
                Some(own) if own == part => continue,
                Some(_) => {
                    let paths = [other, self].map(|dir| dir.path().to_owned());
                    return Err(DirectoryError::DividedOtherwise { deals: part, paths }.into());
                }
                None => {}
            }
            self.write_file(&format!("{PARTS}/{}", part_name(&part)), &other.part_bytes(&part)?)?;
            mine.insert(part.start, part.end);
        }
        Ok(())
    }

    /// Deletes the parts, once all files that depend on them are written.
    ///
    /// # Errors
    /// If they can't be deleted.
    pub(super) fn discard_parts(&self) -> Result<(), FileError> {
        let folder = self.path().join(PARTS);
        if !folder.exists() {
            return Ok(());
        }
        file_ops::remove_dir_all(&folder).map_err(FileAction::Delete.failed(&folder))
    }

    fn part_path(&self, deals: &Range<u64>) -> PathBuf {
        self.path().join(PARTS).join(part_name(deals))
    }
}

fn part_name(deals: &Range<u64>) -> String {
    format!("{:010}-{:010}", deals.start, deals.end)
}

fn file_names(folder: &std::path::Path) -> io::Result<Vec<std::ffi::OsString>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect()
}

/// The pieces of a range that are not in any of the parts, which are in order.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::options::{ArenaOptions, StudyPlan};
    use crate::run::plan::RunPlan;
    use crate::table::schedule::Schedule;

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
        let agents = vec![ttr_agents::AgentSpec::new("random"); 2];
        let plan = RunPlan::new(StudyPlan::Arena(ArenaOptions::default()), &game, "usa", 1, agents);
        plan.with_deals(&Schedule::round_robin(2, 2), 10)
    }

    #[test]
    fn parts_come_back_or_are_refused() {
        let folder = std::env::temp_dir().join(format!("ttr-run-dir-{}", std::process::id()));
        let dir = RunDir::create(&folder, plan()).unwrap();
        dir.write_part(&(0..4), &vec![1u32, 2, 3]).unwrap();
        assert_eq!(dir.read_part::<Vec<u32>>(&(0..4)).unwrap(), [1, 2, 3]);
        assert_eq!(dir.deals_played().unwrap(), 4);
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
        assert!(error.contains("is the directory of a run"), "{error}");
        fs::remove_dir_all(folder).unwrap();
    }
}
