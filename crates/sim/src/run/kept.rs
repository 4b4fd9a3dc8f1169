//! Runs that keep their results in a directory.

use std::fmt::Display;
use std::ops::Range;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::dir::{RunDir, SUMMARY};
use super::error::{FileError, RunError};
use super::parts::gaps;
use super::plan::{PlanError, RunPlan};
use crate::table::runner::{self, Drive, Go, Outcome, Study};

/// Renders the report of a summary. The library has no pages of its own: the caller provides them.
pub type Page<'p, S> = dyn Fn(&S) -> String + 'p;

/// The report of a run in its directory.
pub const REPORT: &str = "report.html";

/// A run that a [`KeptRun`] plays: how it is stored in a directory and resumed from there, and its summary.
///
/// Studies whose deals are played independently get it from [`KeptStudy`].
pub trait Kept {
    /// The result.
    type Summary: Display + Serialize + DeserializeOwned;

    /// Loads the state of an unfinished run from its directory.
    ///
    /// # Errors
    /// If it can't be read, or belongs to another run.
    fn resume(&mut self, dir: &RunDir) -> Result<(), RunError> {
        let _ = dir;
        Ok(())
    }

    /// Number of games to play here in total.
    fn games_planned(&self, plan: &RunPlan) -> u64;

    /// Number of games played so far.
    ///
    /// # Errors
    /// If the directory can't be read.
    fn games_played(&self, dir: &RunDir) -> Result<u64, RunError>;

    /// Plays the missing games.
    ///
    /// # Errors
    /// If a game can't be played or a file can't be written; results so far are kept.
    fn play(&mut self, dir: &RunDir, drive: &Drive<'_>) -> Result<Outcome, RunError>;

    /// The figures so far; `None` if there are too few games.
    ///
    /// # Errors
    /// If the stored results are damaged.
    fn so_far(&self, dir: &RunDir) -> Result<Option<Self::Summary>, RunError>;

    /// Writes the results except for summary and report, and returns the summary.
    ///
    /// # Errors
    /// If a file can't be written.
    fn write_results(&self, dir: &RunDir) -> Result<Self::Summary, RunError>;

    /// The summary of a complete run, as stored in its directory.
    ///
    /// # Errors
    /// If it can't be read.
    fn recorded(&self, dir: &RunDir) -> Result<Self::Summary, RunError> {
        dir.summary()
    }

    /// Agents that finished none of their games, with the reason.
    fn silent(summary: &Self::Summary) -> Vec<String> {
        let _ = summary;
        Vec::new()
    }
}

/// A run that is played into a directory, resumed there, and summed up when it is complete.
///
/// ```
/// use ttr_agents::AgentSpec;
/// use ttr_engine::{board::BoardGame, maps};
/// use ttr_sim::arena::{Arena, ArenaOptions};
/// use ttr_sim::run::{KeptRun, RunDir, RunPlan, StudyPlan};
/// use ttr_sim::table::{Drive, Entrant, Schedule};
/// # let folder = std::env::temp_dir().join(format!("ttr-kept-{}", std::process::id()));
/// let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let agents = AgentSpec::list("greedy,random")?;
/// let study = StudyPlan::Arena(ArenaOptions::default());
/// let plan = RunPlan::new(study, &game, "usa", 1, agents).with_deals(&Schedule::round_robin(2, 2), 10);
/// let dir = RunDir::create(&folder.join("run"), plan)?;
/// let entrants: Result<_, _> = dir.plan().agents.iter().map(|agent| Entrant::from_spec(&game, agent)).collect();
/// let mut run = KeptRun::open(dir, |plan| Arena::from_plan(game, entrants.unwrap(), plan))?;
/// let summary = run.play_to_end(&Drive::threads(2))?.expect("nobody stops it");
/// assert_eq!(summary.games, 20);
/// assert!(folder.join("run/games.csv").exists() && run.is_complete());
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct KeptRun<S> {
    study: S,
    dir: RunDir,
}

impl<S: Kept> KeptRun<S> {
    /// Opens the run of a directory; `study` makes it from the plan.
    ///
    /// # Errors
    /// If the directory belongs to another study, or is damaged.
    pub fn open(dir: RunDir, study: impl FnOnce(&RunPlan) -> Result<S, PlanError>) -> Result<Self, RunError> {
        let mut study = study(dir.plan()).map_err(|why| dir.wrong_plan(why))?;
        if !dir.is_complete() {
            study.resume(&dir)?;
        }
        Ok(Self { study, dir })
    }

    /// The study.
    pub fn study(&self) -> &S {
        &self.study
    }

    /// Its directory.
    pub fn dir(&self) -> &RunDir {
        &self.dir
    }

    /// Both, to play a step.
    pub(crate) fn split(&mut self) -> (&mut S, &RunDir) {
        (&mut self.study, &self.dir)
    }

    /// Returns `true` if everything is played and written.
    pub fn is_complete(&self) -> bool {
        self.dir.is_complete()
    }

    /// Number of games to play here in total.
    pub fn games_planned(&self) -> u64 {
        self.study.games_planned(self.dir.plan())
    }

    /// Number of games played so far.
    ///
    /// # Errors
    /// If the directory can't be read.
    pub fn games_played(&self) -> Result<u64, RunError> {
        self.study.games_played(&self.dir)
    }

    /// Plays the missing games. Then [`KeptRun::finish`] writes the results.
    ///
    /// # Errors
    /// If a game can't be played or a file can't be written; results so far are kept.
    pub fn play(&mut self, drive: &Drive<'_>) -> Result<Outcome, RunError> {
        self.study.play(&self.dir, drive)
    }

    /// The figures so far, without writing anything; `None` if there are too few games.
    ///
    /// # Errors
    /// If the stored results are damaged.
    pub fn so_far(&self) -> Result<Option<S::Summary>, RunError> {
        self.study.so_far(&self.dir)
    }

    /// The summary of a complete run, as stored in its directory.
    ///
    /// # Errors
    /// If it can't be read.
    pub fn recorded(&self) -> Result<S::Summary, RunError> {
        self.study.recorded(&self.dir)
    }

    /// Writes all files of a complete run and returns the summary; `page` renders the report.
    ///
    /// # Errors
    /// If a file can't be written; then the parts are kept.
    pub fn finish(&self, page: Option<&Page<'_, S::Summary>>) -> Result<S::Summary, RunError> {
        let summary = self.study.write_results(&self.dir)?;
        if let Some(page) = page {
            self.dir.write_file(REPORT, page(&summary).as_bytes())?;
        }
        // Last: it marks the run as complete.
        self.dir.write_json(SUMMARY, &summary)?;
        self.dir.discard_parts()?;
        Ok(summary)
    }

    /// Plays the missing games and finishes the run, without a report; returns `None` if it was stopped.
    ///
    /// # Errors
    /// As [`KeptRun::play`] and [`KeptRun::finish`].
    pub fn play_to_end(&mut self, drive: &Drive<'_>) -> Result<Option<S::Summary>, RunError> {
        if self.is_complete() {
            return self.recorded().map(Some);
        }
        match self.play(drive)? {
            Outcome::Finished => self.finish(None).map(Some),
            Outcome::Stopped => Ok(None),
        }
    }
}

/// A study whose deals are played into parts on disk.
pub trait KeptStudy: Study<Part: Serialize + DeserializeOwned> {
    /// The result.
    type Summary: Display + Serialize + DeserializeOwned;

    /// Checks that a part that was read is a possible result of these deals, so that everything computed
    /// from it is valid.
    ///
    /// # Errors
    /// The problem.
    fn check(&self, part: &Self::Part, deals: &Range<u64>) -> Result<(), String>;

    /// The rule that may end the run before its last deal.
    fn stop_rule(&self) -> Option<Box<dyn StopRule<Self::Part> + '_>> {
        None
    }

    /// Sums up the parts, and writes the tables if requested.
    ///
    /// # Errors
    /// If a part is damaged, or a table can't be written.
    fn sum_up(&self, parts: &Parts<'_, Self>, write: bool) -> Result<Self::Summary, RunError>
    where
        Self: Sized;

    /// The summary of a complete run, as stored in its directory.
    ///
    /// # Errors
    /// If it can't be read.
    fn recorded(&self, dir: &RunDir) -> Result<Self::Summary, RunError> {
        dir.summary()
    }

    /// Agents that finished none of their games, with the reason.
    fn silent(summary: &Self::Summary) -> Vec<String> {
        let _ = summary;
        Vec::new()
    }
}

/// Decides whether a run ends before its last deal. It sees all parts, in the order of deals.
pub trait StopRule<P>: Send {
    /// Looks at the next part. If the run ends in it, everything after the end is removed from the part and
    /// its deals.
    fn look(&mut self, deals: &mut Range<u64>, part: &mut P) -> Go;
}

/// The parts of a study in a directory, checked as they are read.
pub struct Parts<'r, S> {
    study: &'r S,
    dir: &'r RunDir,
}

impl<'r, S: KeptStudy> Parts<'r, S> {
    /// Their directory.
    pub fn dir(&self) -> &'r RunDir {
        self.dir
    }

    /// Reads the parts in the order of deals, until `see` stops it.
    ///
    /// # Errors
    /// If one is damaged, or `see` fails.
    pub fn each(
        &self,
        mut see: impl FnMut(Range<u64>, S::Part) -> Result<Go, RunError>,
    ) -> Result<(), RunError> {
        for deals in self.dir.parts()? {
            let part = self.read(&deals)?;
            if see(deals, part)? == Go::Stop {
                break;
            }
        }
        Ok(())
    }

    fn read(&self, deals: &Range<u64>) -> Result<S::Part, RunError> {
        let part = self.dir.read_part(deals)?;
        self.study.check(&part, deals).map_err(|why| self.dir.damaged_part(deals, &why))?;
        Ok(part)
    }
}

impl<S: KeptStudy> Kept for S {
    type Summary = <S as KeptStudy>::Summary;

    fn games_planned(&self, plan: &RunPlan) -> u64 {
        let deals = plan.range();
        (deals.end - deals.start) * self.games_per_deal()
    }

    fn games_played(&self, dir: &RunDir) -> Result<u64, RunError> {
        Ok(dir.deals_played()? * self.games_per_deal())
    }

    /// If a part is damaged, nothing is played.
    fn play(&mut self, dir: &RunDir, drive: &Drive<'_>) -> Result<Outcome, RunError> {
        let parts = Parts { study: &*self, dir };
        let mut rule = self.stop_rule();
        let kept = dir.parts()?;
        let missing = gaps(&kept, dir.plan().range());
        let first_gap = missing.first().map_or(u64::MAX, |gap| gap.start);
        let mut is_decided = false;
        for deals in &kept {
            let mut part = parts.read(deals)?;
            if let Some(rule) = &mut rule
                && !is_decided
                && deals.start < first_gap
            {
                is_decided = rule.look(&mut deals.clone(), &mut part) == Go::Stop;
            }
        }
        // Deals after a gap wait until the gap is played.
        let waiting = kept.into_iter().filter(|deals| rule.is_some() && deals.start > first_gap);
        let mut stretches: Vec<_> = waiting.map(|deals| (deals, true)).collect();
        stretches.extend(missing.into_iter().map(|gap| (gap, false)));
        stretches.sort_by_key(|(deals, _)| deals.start);
        for (mut deals, is_kept) in stretches {
            if is_decided {
                break;
            }
            if is_kept {
                let mut part = parts.read(&deals)?;
                is_decided = rule.as_mut().is_some_and(|rule| rule.look(&mut deals, &mut part) == Go::Stop);
                continue;
            }
            let look = |deals: &mut Range<u64>, part: &mut S::Part| {
                let go = rule.as_mut().map_or(Go::On, |rule| rule.look(deals, part));
                is_decided = go == Go::Stop;
                go
            };
            if play_gap(self, dir, deals, drive, look)? == Outcome::Stopped && !is_decided {
                return Ok(Outcome::Stopped);
            }
        }
        Ok(Outcome::Finished)
    }

    fn so_far(&self, dir: &RunDir) -> Result<Option<Self::Summary>, RunError> {
        if dir.deals_played()? == 0 {
            return Ok(None);
        }
        self.sum_up(&Parts { study: self, dir }, false).map(Some)
    }

    fn write_results(&self, dir: &RunDir) -> Result<Self::Summary, RunError> {
        self.sum_up(&Parts { study: self, dir }, true)
    }

    fn recorded(&self, dir: &RunDir) -> Result<Self::Summary, RunError> {
        KeptStudy::recorded(self, dir)
    }

    fn silent(summary: &Self::Summary) -> Vec<String> {
        <S as KeptStudy>::silent(summary)
    }
}

/// Maximum time that a crash may cost.
const KEEP_EVERY: Duration = Duration::from_secs(5);
/// Number of bytes after which a part is written.
const MOST_BYTES: usize = 4 << 20;

/// Plays deals that are not stored yet, and stores them. `look` sees them in order, may shorten a part, and
/// stop the run.
fn play_gap<S: KeptStudy>(
    study: &S,
    dir: &RunDir,
    gap: Range<u64>,
    drive: &Drive<'_>,
    mut look: impl FnMut(&mut Range<u64>, &mut S::Part) -> Go + Send,
) -> Result<Outcome, RunError> {
    let mut open: Option<(Range<u64>, S::Part)> = None;
    let mut kept_at = Instant::now();
    let keep = |open: &mut Option<(Range<u64>, S::Part)>| match open.take() {
        Some((deals, part)) if !deals.is_empty() => dir.write_part(&deals, &part),
        _ => Ok::<(), FileError>(()),
    };
    let outcome = runner::run(study, gap, drive, |mut deals, mut part| {
        let go = look(&mut deals, &mut part);
        match &mut open {
            Some((range, whole)) => {
                study.join(whole, part);
                range.end = deals.end;
            }
            None => open = Some((deals, part)),
        }
        let is_full = open.as_ref().is_some_and(|(_, part)| study.bytes(part) >= MOST_BYTES);
        if is_full || kept_at.elapsed() >= KEEP_EVERY {
            keep(&mut open)?;
            kept_at = Instant::now();
        }
        Ok(go)
    });
    // Also after a failure: everything finished before it is valid.
    keep(&mut open)?;
    outcome
}
