//! Deals played by all cores, joined in order.
//!
//! Threads take deals one stretch after the other; what they bring back is put in order again before it is
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

/// How far a thread may run ahead of the slowest, in deals.
const WINDOW: u64 = 1 << 16;
/// How long a thread should play between two reports.
const REPORT: Duration = Duration::from_millis(50);
/// Longest stretch of deals between two reports.
const MOST_DEALS: u64 = 256;
/// Bytes of a part after which it is reported, whatever is left of its stretch.
const MOST_BYTES: usize = 1 << 20;

/// What is done with the deals of a run: the game, who plays it, and what is kept of it.
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
    /// What some consecutive deals came to.
    type Part: Send;

    /// The rules.
    fn game(&self) -> &Self::Game;

    /// Who plays.
    fn entrants(&self) -> &[Entrant<Self::Game>];

    /// The part of no deals.
    fn empty(&self) -> Self::Part;

    /// Plays all games of the next deal and adds them to a part.
    ///
    /// # Errors
    /// If the run can't go on.
    fn play(
        &self,
        crew: &mut Crew<'_, Self::Game>,
        deal: u64,
        part: &mut Self::Part,
    ) -> Result<(), PlayError>;

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

/// Why games can't be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// An agent can't be made.
    #[error(transparent)]
    Agent(#[from] EntrantError),
    /// An agent gave up or did something illegal, in a run that stops then.
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
        /// Why.
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
#[non_exhaustive]
pub struct Drive<'r> {
    /// How many threads.
    pub threads: usize,
    /// When this becomes true, running deals are finished and nothing new is begun.
    pub stop: &'r AtomicBool,
    /// Is told how many more games were played.
    pub progress: &'r (dyn Fn(u64) + Sync),
}

/// A flag that nobody sets, for runs that nobody stops.
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

    /// On this many threads, unwatched.
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

/// The next stretch of deals, or why it could not be played.
type Message<P> = Result<(Range<u64>, P), PlayError>;

/// What the threads of a run share.
struct Floor<'r, S> {
    study: &'r S,
    drive: &'r Drive<'r>,
    /// The deal after the last.
    end: u64,
    /// The first deal that nobody has taken.
    next: AtomicU64,
    /// The first deal that was not received.
    received: AtomicU64,
    /// Whether nothing more is wanted.
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
                // Nobody hears it if the run has failed already.
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

    /// Plays some deals; fewer if the run is stopped or they take many bytes, and nothing if it was stopped
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

    /// Puts what the threads send in order, and hands it on.
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
