//! A run that keeps what it plays in its directory.

use std::ops::Range;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::entrant::Entrant;
use crate::playable::Playable;
use crate::run_dir::RunDir;
use crate::runner::{self, Drive, Go, Outcome, Study};

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

    /// Writes everything that a complete run leaves, and gives the summary.
    ///
    /// # Errors
    /// If something can't be written; then the parts are still there.
    fn finish(&self) -> anyhow::Result<Self::Summary>;

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

/// How much time a crash may cost.
const KEEP_EVERY: Duration = Duration::from_secs(5);

/// Plays the deals that the directory does not have yet, and keeps them. `look` sees every part before it is kept, in
/// order; it may shorten a part, if it says so, and stop the run.
///
/// # Errors
/// If a game can't be played or a part can't be written; what was kept before stays.
pub fn play_missing<G: Playable, S: Study<G>>(
    dir: &RunDir,
    game: &G,
    entrants: &[Entrant<G>],
    study: &S,
    drive: &Drive<'_>,
    mut look: impl FnMut(&mut Range<u64>, &mut S::Part) -> Go + Send,
) -> anyhow::Result<Outcome>
where
    S::Part: Serialize,
{
    for gap in dir.missing()? {
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
            if open.as_ref().is_some_and(|(_, part)| study.is_full(part)) || kept_at.elapsed() >= KEEP_EVERY {
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
        if outcome? == Outcome::Stopped {
            return Ok(Outcome::Stopped);
        }
    }
    Ok(Outcome::Finished)
}

/// Shows all parts of a run in order.
///
/// # Errors
/// If one is damaged.
pub fn for_each_part<P: DeserializeOwned>(
    dir: &RunDir,
    mut show: impl FnMut(P) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    dir.parts()?.iter().try_for_each(|deals| show(dir.read_part(deals)?))
}
