//! Deals played by all cores, joined in order.
//!
//! Threads take deals one stretch after the other; what they bring back is put in order again before it is joined. So
//! the result is the same for any number of threads, and memory does not grow with the number of games.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::game::Playable;
use crate::table::entrant::{Crew, Entrant};

/// How far a thread may run ahead of the slowest, in deals.
const WINDOW: u64 = 1 << 16;
/// How long a thread should play between two reports.
const REPORT: Duration = Duration::from_millis(50);
/// Longest stretch of deals between two reports.
const MOST_DEALS: u64 = 256;
/// Bytes of a part after which it is reported, whatever is left of its stretch.
const MOST_BYTES: usize = 1 << 20;

/// What is done with the deals of a run.
pub trait Study<G: Playable>: Sync {
    /// What some consecutive deals came to.
    type Part: Send;

    /// The part of no deals.
    fn empty(&self) -> Self::Part;

    /// Plays all games of the next deal and adds them to a part.
    ///
    /// # Errors
    /// If the run can't go on.
    fn play(&self, crew: &mut Crew<'_, G>, deal: u64, part: &mut Self::Part) -> anyhow::Result<()>;

    /// Joins the part of the next deals to that of some deals.
    fn join(&self, part: &mut Self::Part, next: Self::Part);

    /// About how many bytes a part takes on disk, if that grows with its deals.
    fn bytes(&self, part: &Self::Part) -> usize {
        let _ = part;
        0
    }

    /// Games of a deal, for progress.
    fn games_per_deal(&self) -> u64;
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// All deals were played.
    Finished,
    /// Somebody asked to stop: all deals up to the last one handed on are complete.
    Stopped,
}

/// What the receiver of parts says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Go {
    /// Go on.
    On,
    /// That was enough.
    Stop,
}

/// How a run is played.
#[derive(Clone, Copy)]
pub struct Drive<'r> {
    /// How many threads.
    pub threads: usize,
    /// When this becomes true, running deals are finished and nothing new is begun.
    pub stop: &'r AtomicBool,
    /// Is told how many more games were played.
    pub progress: &'r (dyn Fn(u64) + Sync),
}

/// A flag that nobody sets, for runs that nobody stops.
pub static NEVER: AtomicBool = AtomicBool::new(false);

impl<'r> Drive<'r> {
    /// On this many threads, unwatched.
    pub fn threads(threads: usize) -> Self {
        Self { threads, stop: &NEVER, progress: &|_| {} }
    }
}

/// Plays the deals of a range. `receive` gets the parts in order, each with its deals.
///
/// # Errors
/// If a game can't be played or a part can't be received.
pub fn run<G: Playable, S: Study<G>>(
    game: &G,
    entrants: &[Entrant<G>],
    study: &S,
    deals: Range<u64>,
    drive: &Drive<'_>,
    mut receive: impl FnMut(Range<u64>, S::Part) -> anyhow::Result<Go> + Send,
) -> anyhow::Result<Outcome> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(drive.threads)
        .build()
        .map_err(|error| anyhow::anyhow!("{} threads can't be started: {error}", drive.threads))?;
    let next = AtomicU64::new(deals.start);
    let received = AtomicU64::new(deals.start);
    let enough = AtomicBool::new(false);
    let stopped = || drive.stop.load(Ordering::Relaxed) || enough.load(Ordering::Relaxed);
    let (send, parts) = mpsc::channel::<anyhow::Result<(Range<u64>, S::Part)>>();

    let work = |send: mpsc::Sender<_>| {
        let mut crew = Crew::new(game, entrants);
        let mut stretch = 1;
        while !stopped() {
            let start = next.fetch_add(stretch, Ordering::Relaxed);
            if start >= deals.end {
                break;
            }
            while start > received.load(Ordering::Relaxed) + WINDOW && !stopped() {
                std::thread::sleep(Duration::from_millis(1));
            }
            let clock = Instant::now();
            let mut rest = start..start.saturating_add(stretch).min(deals.end);
            while !rest.is_empty() {
                let done = play_stretch(study, &mut crew, rest.clone(), &stopped);
                let Some(done) = done.transpose() else { return };
                let Ok((range, _)) = &done else {
                    // Nobody hears it if the run has failed already.
                    let _ = send.send(done);
                    return;
                };
                (drive.progress)((range.end - range.start) * study.games_per_deal());
                rest.start = range.end;
                if send.send(done).is_err() {
                    return;
                }
            }
            if clock.elapsed() < REPORT {
                stretch = (stretch * 2).min(MOST_DEALS);
            }
        }
    };

    pool.in_place_scope(|scope| {
        for _ in 0..drive.threads {
            let (work, send) = (&work, send.clone());
            scope.spawn(move |_| work(send));
        }
        drop(send);
        let mut waiting = BTreeMap::new();
        let mut at = deals.start;
        let mut failure = None;
        for message in parts {
            match message {
                Ok((range, part)) => {
                    waiting.insert(range.start, (range, part));
                }
                Err(error) => failure = failure.or(Some(error)),
            }
            while let Some((range, part)) = waiting.remove(&at)
                && !enough.load(Ordering::Relaxed)
            {
                at = range.end;
                received.store(at, Ordering::Relaxed);
                match receive(range, part) {
                    Ok(Go::On) => {}
                    Ok(Go::Stop) => enough.store(true, Ordering::Relaxed),
                    Err(error) => {
                        failure = failure.or(Some(error));
                        break;
                    }
                }
            }
            if failure.is_some() {
                enough.store(true, Ordering::Relaxed);
            }
        }
        match failure {
            Some(error) => Err(error),
            None if at == deals.end => Ok(Outcome::Finished),
            None => Ok(Outcome::Stopped),
        }
    })
}

/// Plays some deals; fewer if the run is stopped or they take many bytes, and nothing if it was stopped before the first.
fn play_stretch<G: Playable, S: Study<G>>(
    study: &S,
    crew: &mut Crew<'_, G>,
    deals: Range<u64>,
    stopped: &dyn Fn() -> bool,
) -> anyhow::Result<Option<(Range<u64>, S::Part)>> {
    let (mut part, mut end) = (study.empty(), deals.start);
    for deal in deals.clone() {
        if stopped() || study.bytes(&part) >= MOST_BYTES {
            break;
        }
        study.play(crew, deal, &mut part)?;
        end = deal + 1;
    }
    Ok((end > deals.start).then_some((deals.start..end, part)))
}
