//! A run that keeps what it plays in its directory.

use std::ops::Range;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::game::Playable;
use crate::run::dir::{RunDir, gaps};
use crate::table::entrant::Entrant;
use crate::table::runner::{self, Drive, Go, Outcome, Study};

/// Renders the report of a summary. The library has no pages of its own: whoever finishes a run brings them.
pub type Page<'p, S> = dyn Fn(&S) -> String + 'p;

/// The report of a run in its directory.
pub const REPORT: &str = "report.html";

/// Something that is played into a directory, and summed up when it is complete.
pub trait KeptRun {
    /// What comes out.
    type Summary: std::fmt::Display + Serialize + DeserializeOwned;

    /// Its directory.
    fn dir(&self) -> &RunDir;

    /// Games of a deal.
    fn games_per_deal(&self) -> u64;

    /// Plays what is missing.
    ///
    /// # Errors
    /// If a game can't be played or something can't be written.
    fn play(&self, drive: &Drive<'_>) -> anyhow::Result<Outcome>;

    /// What the deals so far say, without writing anything.
    ///
    /// # Errors
    /// If a part is damaged.
    fn so_far(&self) -> anyhow::Result<Self::Summary>;

    /// Writes everything that a complete run leaves and returns the summary; `page` renders `report.html`.
    ///
    /// # Errors
    /// If something can't be written; then the parts are still there.
    fn finish(&self, page: Option<&Page<'_, Self::Summary>>) -> anyhow::Result<Self::Summary>;

    /// The summary of a complete run, as its directory has it.
    ///
    /// # Errors
    /// If it can't be read.
    fn recorded(&self) -> anyhow::Result<Self::Summary> {
        self.dir().summary()
    }

    /// Agents that finished none of their games, and why.
    fn silent(_summary: &Self::Summary) -> Vec<String> {
        Vec::new()
    }

    /// Games that have been played.
    ///
    /// # Errors
    /// If the directory can't be read.
    fn games_played(&self) -> anyhow::Result<u64> {
        let deals: u64 = self.dir().parts()?.iter().map(|part| part.end - part.start).sum();
        Ok(deals * self.games_per_deal())
    }

    /// Games to be played here in all.
    fn games_planned(&self) -> u64 {
        let range = self.dir().plan().range();
        (range.end - range.start) * self.games_per_deal()
    }
}

/// A study whose parts are kept on disk.
pub trait KeptStudy<G: Playable>: Study<G, Part: Serialize + DeserializeOwned> {
    /// Checks that a part that was read is what these deals can have come to, so that nothing that follows from it fails.
    ///
    /// # Errors
    /// What is wrong.
    fn check(&self, part: &Self::Part, deals: &Range<u64>) -> Result<(), String>;
}

/// How much time a crash may cost.
const KEEP_EVERY: Duration = Duration::from_secs(5);
/// Bytes after which a part is kept.
const MOST_BYTES: usize = 4 << 20;

/// Plays the deals that the directory does not have yet, and keeps them. `look` sees all parts in the order of deals, those that
/// were kept before included; it may shorten a new part, and stop the run.
///
/// # Errors
/// If a game can't be played or a part can't be written; what was kept before stays. If a part is damaged, nothing is played.
pub fn play_missing<G: Playable, S: KeptStudy<G>>(
    dir: &RunDir,
    game: &G,
    entrants: &[Entrant<G>],
    study: &S,
    drive: &Drive<'_>,
    mut look: impl FnMut(&mut Range<u64>, &mut S::Part) -> Go + Send,
) -> anyhow::Result<Outcome> {
    let kept = dir.parts()?;
    for deals in &kept {
        read(dir, study, deals)?;
    }
    let missing = gaps(&kept, dir.plan().range());
    let mut stretches: Vec<_> = kept.into_iter().map(|deals| (deals, true)).collect();
    stretches.extend(missing.into_iter().map(|gap| (gap, false)));
    stretches.sort_by_key(|(deals, _)| deals.start);
    for (mut deals, is_kept) in stretches {
        let outcome = if is_kept {
            let mut part = read(dir, study, &deals)?;
            if look(&mut deals, &mut part) == Go::Stop { Outcome::Stopped } else { Outcome::Finished }
        } else {
            play_gap(dir, game, entrants, study, deals, drive, &mut look)?
        };
        if outcome == Outcome::Stopped {
            return Ok(Outcome::Stopped);
        }
    }
    Ok(Outcome::Finished)
}

fn play_gap<G: Playable, S: KeptStudy<G>>(
    dir: &RunDir,
    game: &G,
    entrants: &[Entrant<G>],
    study: &S,
    gap: Range<u64>,
    drive: &Drive<'_>,
    look: &mut (impl FnMut(&mut Range<u64>, &mut S::Part) -> Go + Send),
) -> anyhow::Result<Outcome> {
    let mut open: Option<(Range<u64>, S::Part)> = None;
    let mut kept_at = Instant::now();
    let outcome = runner::run(game, entrants, study, gap, drive, |mut deals, mut part| {
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
            if let Some((deals, part)) = open.take() {
                dir.write_part(&deals, &part)?;
            }
            kept_at = Instant::now();
        }
        Ok(go)
    });
    // Also after a failure: what was finished before it is good.
    if let Some((deals, part)) = open.take().filter(|(deals, _)| !deals.is_empty()) {
        dir.write_part(&deals, &part)?;
    }
    outcome
}

/// Reads a part and checks it.
///
/// # Errors
/// If it is damaged.
pub fn read<G: Playable, S: KeptStudy<G>>(
    dir: &RunDir,
    study: &S,
    deals: &Range<u64>,
) -> anyhow::Result<S::Part> {
    let part = dir.read_part(deals)?;
    study.check(&part, deals).map_err(|why| dir.damaged(deals, &why))?;
    Ok(part)
}
