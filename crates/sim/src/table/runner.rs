//! Deals played by all cores, joined in order.
//!
//! Threads take one stretch of deals after the other; their results are put in order again before they are
//! joined. So the result is the same for any number of threads, and memory does not grow with the number of
//! games.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use ttr_engine::Seat;

use crate::game::Playable;
use crate::table::entrant::{Crew, Entrant, EntrantError};

/// Maximum number of deals by which a thread may run ahead of the slowest.
const WINDOW: u64 = 1 << 16;
/// Target duration between two reports of a thread.
const REPORT: Duration = Duration::from_millis(50);
/// Maximum number of deals between two reports.
const MOST_DEALS: u64 = 256;
/// Size in bytes at which a part is reported, even in the middle of its stretch.
const MOST_BYTES: usize = 1 << 20;

/// A study of deals: the game, the agents, and the results to keep.
///
/// ```
/// use std::ops::Range;
/// use ttr_agents::Random;
/// use ttr_engine::{Dice, Game, board::BoardGame, maps};
/// use ttr_sim::table::one_game::{deal_seed, play};
/// use ttr_sim::table::runner::{self, Drive, Go, PlayError, Study};
/// use ttr_sim::table::{Crew, Entrant, Schedule};
///
/// /// Counts the points of all seats in games between random agents.
/// struct Points {
///     game: BoardGame,
///     entrants: Vec<Entrant<BoardGame>>,
/// }
///
/// impl Study for Points {
///     type Game = BoardGame;
///     type Part = i64;
///
///     fn game(&self) -> &BoardGame {
///         &self.game
///     }
///
///     fn entrants(&self) -> &[Entrant<BoardGame>] {
///         &self.entrants
///     }
///
///     fn empty(&self) -> i64 {
///         0
///     }
///
///     fn play(&self, crew: &mut Crew<'_, BoardGame>, deal: u64, part: &mut i64) -> Result<(), PlayError> {
///         for slot in Schedule::round_robin(1, 2).games(deal) {
///             let mut dice = [2, 3].map(|seat| Dice::from_parts(&[seat, deal]));
///             let mut agents = crew.take_seats(&slot)?;
///             let played = play(&self.game, deal_seed(1, deal), &mut agents, &mut dice, &mut ());
///             let scores = self.game.scores(&played.state);
///             *part += scores.points.iter().map(|&points| i64::from(points)).sum::<i64>();
///         }
///         Ok(())
///     }
///
///     fn join(&self, part: &mut i64, next: i64) {
///         *part += next;
///     }
///
///     fn games_per_deal(&self) -> u64 {
///         1
///     }
/// }
///
/// let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let study = Points { game, entrants: vec![Entrant::new("random", |_: &BoardGame| Random)] };
/// let points = |threads| {
///     let mut sum = 0;
///     let receive = |_: Range<u64>, part: i64| {
///         sum += part;
///         Ok::<_, PlayError>(Go::On)
///     };
///     runner::run(&study, 0..20, &Drive::threads(threads), receive).map(|_| sum)
/// };
/// assert_eq!(points(1)?, points(3)?, "results do not depend on the number of threads");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Study: Sync {
    /// The game.
    type Game: Playable;
    /// The results of some consecutive deals.
    type Part: Send;

    /// The rules.
    fn game(&self) -> &Self::Game;

    /// The agents.
    fn entrants(&self) -> &[Entrant<Self::Game>];

    /// The part of no deals.
    fn empty(&self) -> Self::Part;

    /// Plays all games of the next deal and adds them to a part.
    ///
    /// # Errors
    /// If the run can't continue.
    fn play(
        &self,
        crew: &mut Crew<'_, Self::Game>,
        deal: u64,
        part: &mut Self::Part,
    ) -> Result<(), PlayError>;

    /// Joins the part of the next deals to that of some deals.
    fn join(&self, part: &mut Self::Part, next: Self::Part);

    /// Estimated size of a part on disk, in bytes, if it grows with its deals.
    fn bytes(&self, part: &Self::Part) -> usize {
        let _ = part;
        0
    }

    /// Number of games per deal, for progress.
    fn games_per_deal(&self) -> u64;
}

/// The reason why games can't be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// An agent can't be made.
    #[error(transparent)]
    Agent(#[from] EntrantError),
    /// An agent resigned or chose an illegal action, in a run that stops at forfeits.
    #[error("deal {deal}, game {game}: {agent} on {seat} forfeits: {reason}")]
    Forfeit {
        /// The deal.
        deal: u64,
        /// Index of the game among those of the deal.
        game: usize,
        /// Label of the agent.
        agent: String,
        /// Its seat.
        seat: Seat,
        /// The reason.
        reason: String,
    },
    /// The system does not start the threads.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
}

/// Threads that the system does not start.
#[derive(Debug, thiserror::Error)]
#[error("{threads} threads can't be started; use fewer")]
pub struct ThreadsError {
    threads: usize,
    source: rayon::ThreadPoolBuildError,
}

/// This many threads; 0 stands for one per core.
pub(crate) fn thread_pool(threads: usize) -> Result<rayon::ThreadPool, ThreadsError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|source| ThreadsError { threads, source })
}

/// The outcome of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// All deals were played.
    Finished,
    /// A stop was requested: all deals up to the last one passed on are complete.
    Stopped,
}

/// The answer of the receiver of parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Go {
    /// Continue.
    On,
    /// Stop.
    Stop,
}

/// Options for playing a run.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Drive<'r> {
    /// Number of threads.
    pub threads: usize,
    /// When this becomes true, running deals are finished and no new ones started.
    pub stop: &'r AtomicBool,
    /// Receives the number of games played since the last call.
    pub progress: &'r (dyn Fn(u64) + Sync),
}

/// A flag that is never set, for runs that nobody stops.
static NEVER: AtomicBool = AtomicBool::new(false);

impl<'r> Drive<'r> {
    /// On this many threads, with a flag that stops the run and a function that hears of progress.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    /// use ttr_agents::Random;
    /// use ttr_engine::{board::BoardGame, maps};
    /// use ttr_sim::arena::Arena;
    /// use ttr_sim::table::{Drive, Entrant};
    /// let (stop, played) = (AtomicBool::new(false), AtomicU64::new(0));
    /// let count = |games| drop(played.fetch_add(games, Ordering::Relaxed));
    /// let game = BoardGame::new(&maps::load("usa")?, 2)?;
    /// let entrants = ["a", "b"].map(|name| Entrant::new(name, |_: &BoardGame| Random)).into();
    /// Arena::round_robin(game, entrants, 1).play_deals(0..5, &Drive::new(2, &stop, &count))?;
    /// assert_eq!(played.into_inner(), 10, "both agents have both seats in every deal");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(threads: usize, stop: &'r AtomicBool, progress: &'r (dyn Fn(u64) + Sync)) -> Self {
        Self { threads, stop, progress }
    }

    /// Uses this many threads, without progress or a stop flag.
    pub fn threads(threads: usize) -> Self {
        Self { threads, stop: &NEVER, progress: &|_| {} }
    }
}

/// Plays the deals of a range. `receive` gets the parts in order, each with its deals.
///
/// # Errors
/// If a game can't be played or a part can't be received.
pub fn run<S: Study, E: From<PlayError> + Send>(
    study: &S,
    deals: Range<u64>,
    drive: &Drive<'_>,
    receive: impl FnMut(Range<u64>, S::Part) -> Result<Go, E> + Send,
) -> Result<Outcome, E> {
    let threads = drive.threads;
    let pool = thread_pool(threads).map_err(PlayError::from)?;
    let floor = Floor {
        study,
        drive,
        end: deals.end,
        next: AtomicU64::new(deals.start),
        received: AtomicU64::new(deals.start),
        enough: AtomicBool::new(false),
    };
    let (send, parts) = mpsc::channel();
    pool.in_place_scope(|scope| {
        for _ in 0..threads {
            let (floor, send) = (&floor, send.clone());
            scope.spawn(move |_| floor.work(&send));
        }
        // The channel ends with the last thread.
        drop(send);
        floor.collect(deals.start, parts, receive)
    })
}

/// The next stretch of deals, or the reason why it could not be played.
type Message<P> = Result<(Range<u64>, P), PlayError>;

/// The shared state of a run's threads.
struct Floor<'r, S> {
    study: &'r S,
    drive: &'r Drive<'r>,
    /// The deal after the last.
    end: u64,
    /// The first deal that no thread has taken.
    next: AtomicU64,
    /// The first deal that was not received.
    received: AtomicU64,
    /// Stop: no more deals are needed.
    enough: AtomicBool,
}

impl<S: Study> Floor<'_, S> {
    fn is_stopped(&self) -> bool {
        self.drive.stop.load(Ordering::Relaxed) || self.enough.load(Ordering::Relaxed)
    }

    /// The work of one thread: takes stretches of deals until there are no more.
    fn work(&self, send: &mpsc::Sender<Message<S::Part>>) {
        let mut crew = Crew::new(self.study.game(), self.study.entrants());
        let mut stretch = 1;
        while !self.is_stopped() {
            let start = self.next.fetch_add(stretch, Ordering::Relaxed);
            if start >= self.end {
                break;
            }
            while start > self.received.load(Ordering::Relaxed) + WINDOW && !self.is_stopped() {
                std::thread::sleep(Duration::from_millis(1));
            }
            let clock = Instant::now();
            let mut rest = start..start.saturating_add(stretch).min(self.end);
            while !rest.is_empty() {
                let Some(done) = self.play(&mut crew, rest.clone()) else { return };
                if let Ok((range, _)) = &done {
                    (self.drive.progress)((range.end - range.start) * self.study.games_per_deal());
                    rest.start = range.end;
                }
                // If the run has failed already, nobody receives it.
                let failed = done.is_err();
                if send.send(done).is_err() || failed {
                    return;
                }
            }
            if clock.elapsed() < REPORT {
                stretch = (stretch * 2).min(MOST_DEALS);
            }
        }
    }

    /// Plays some deals; fewer if the run is stopped or they take many bytes, and `None` if it was stopped
    /// before the first.
    fn play(&self, crew: &mut Crew<'_, S::Game>, deals: Range<u64>) -> Option<Message<S::Part>> {
        let (mut part, mut end) = (self.study.empty(), deals.start);
        for deal in deals.clone() {
            if self.is_stopped() || self.study.bytes(&part) >= MOST_BYTES {
                break;
            }
            if let Err(error) = self.study.play(crew, deal, &mut part) {
                return Some(Err(error));
            }
            end = deal + 1;
        }
        (end > deals.start).then_some(Ok((deals.start..end, part)))
    }

    /// Puts the results of the threads in order, and passes them on.
    fn collect<E: From<PlayError>>(
        &self,
        first: u64,
        parts: mpsc::Receiver<Message<S::Part>>,
        mut receive: impl FnMut(Range<u64>, S::Part) -> Result<Go, E>,
    ) -> Result<Outcome, E> {
        let mut waiting = BTreeMap::new();
        let mut at = first;
        let mut failure = None;
        for message in parts {
            match message {
                Ok((range, part)) => {
                    waiting.insert(range.start, (range, part));
                }
                Err(error) => failure = failure.or(Some(error.into())),
            }
            while let Some((range, part)) = waiting.remove(&at)
                && !self.enough.load(Ordering::Relaxed)
            {
                at = range.end;
                self.received.store(at, Ordering::Relaxed);
                match receive(range, part) {
                    Ok(Go::On) => {}
                    Ok(Go::Stop) => self.enough.store(true, Ordering::Relaxed),
                    Err(error) => {
                        failure = failure.or(Some(error));
                        break;
                    }
                }
            }
            if failure.is_some() {
                self.enough.store(true, Ordering::Relaxed);
            }
        }
        match failure {
            Some(error) => Err(error),
            None if at == self.end => Ok(Outcome::Finished),
            None => Ok(Outcome::Stopped),
        }
    }
}
