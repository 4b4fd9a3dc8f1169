//! The speed of a game, and a checksum of how it plays.
//!
//! Fixed seeds are played with uniformly random legal actions to the exact final score. The figures depend
//! on the machine; the checksum only on the rules, the seed, the number of games, and the order in which a
//! playout counts actions. A change that alters the checksum must say why.

use std::num::{NonZeroU64, NonZeroUsize};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use ttr_engine::codec::mix;
use ttr_engine::{Dice, Game, Scores};

use crate::table::runner::{ThreadsError, thread_pool};

/// Number of games that a thread plays in one go.
const CHUNK: u64 = 128;

/// The dice of the deal and the draws, and those that choose actions.
const CHANCE: u64 = 0;
const CHOICES: u64 = 1;

/// The games to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchPlan {
    /// Number of games.
    pub games: NonZeroU64,
    /// The master seed: game `i` is a function of the seed and `i`.
    pub seed: u64,
    /// Number of threads; the results do not depend on it.
    pub threads: NonZeroUsize,
}

/// Sums over games, in any order: integers only, so that adding is exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BenchTally {
    /// Number of games.
    pub games: u64,
    /// Number of decisions.
    pub plies: u64,
    /// Checksum of the points, ranks and plies of every game.
    pub checksum: u64,
}

impl BenchTally {
    /// The tally of one game.
    pub fn of(index: u64, played: &RandomGame) -> Self {
        let mut hash = mix(index ^ played.plies.rotate_left(32));
        for (&points, &rank) in played.scores.points.iter().zip(&played.scores.ranks) {
            hash = mix(hash ^ u64::from(points as u16) ^ u64::from(rank) << 16);
        }
        Self { games: 1, plies: played.plies, checksum: hash }
    }

    /// The sum of both.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            games: self.games + other.games,
            plies: self.plies + other.plies,
            checksum: self.checksum.wrapping_add(other.checksum),
        }
    }
}

/// The result of a random game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RandomGame {
    /// The final result.
    pub scores: Scores,
    /// Number of decisions.
    pub plies: u64,
}

/// A measurement.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measurement {
    /// The games played.
    pub tally: BenchTally,
    /// Elapsed time.
    pub time: Duration,
    /// Processor time of all threads together; where the system does not report it, the elapsed time on all
    /// cores in use.
    pub processor_time: Duration,
    /// Number of cores in use: the threads, or all cores of the machine if those are fewer.
    pub cores: usize,
}

impl Measurement {
    /// Games per second on all cores in use.
    pub fn games_per_second(&self) -> f64 {
        self.tally.games as f64 / self.seconds()
    }

    /// Games per second on one core.
    pub fn games_per_second_per_core(&self) -> f64 {
        self.games_per_second() / self.cores as f64
    }

    /// Decisions per game.
    pub fn plies_per_game(&self) -> f64 {
        self.tally.plies as f64 / self.tally.games as f64
    }

    /// Nanoseconds of processor time per decision, dealing and scoring included.
    pub fn nanoseconds_per_ply(&self) -> f64 {
        1e9 * self.processor_time.as_secs_f64() / self.tally.plies as f64
    }

    /// Never 0, whatever the clock shows.
    fn seconds(&self) -> f64 {
        self.time.as_secs_f64().max(1e-9)
    }
}

/// Plays one game with uniformly random actions.
///
/// ```
/// use ttr_engine::{board::BoardGame, maps};
/// let game = BoardGame::new(&maps::load("first-journey-usa").unwrap(), 2).unwrap();
/// let played = ttr_sim::bench::play_randomly(&game, 1, 0);
/// assert_eq!(played, ttr_sim::bench::play_randomly(&game, 1, 0));
/// assert!(played.scores.points.iter().all(|tickets| (0..=6).contains(tickets)));
/// ```
pub fn play_randomly<G: Game>(game: &G, seed: u64, index: u64) -> RandomGame {
    let mut chance = Dice::from_parts(&[seed, CHANCE, index]);
    let mut choices = Dice::from_parts(&[seed, CHOICES, index]);
    let mut state = game.deal(&mut chance);
    let plies = game.playout(&mut state, &mut choices, &mut chance);
    RandomGame { scores: game.scores(&state), plies }
}

/// Plays the games of a plan and measures the time; `progress` receives the number of games every few
/// games.
///
/// # Errors
/// If the threads can't be started.
///
/// ```
/// use std::num::{NonZeroU64, NonZeroUsize};
/// use ttr_engine::{board::BoardGame, maps};
/// use ttr_sim::bench::{BenchPlan, measure};
/// let game = BoardGame::new(&maps::load("usa").unwrap(), 2).unwrap();
/// let plan = BenchPlan { games: NonZeroU64::new(300).unwrap(), seed: 1, threads: NonZeroUsize::MIN };
/// let one = measure(&game, &plan, |_| {}).unwrap();
/// let two = measure(&game, &BenchPlan { threads: NonZeroUsize::new(2).unwrap(), ..plan }, |_| {}).unwrap();
/// assert_eq!(one.tally, two.tally);
/// assert!(one.games_per_second() > 0.0);
/// ```
pub fn measure<G: Game>(
    game: &G,
    plan: &BenchPlan,
    progress: impl Fn(u64) + Sync,
) -> Result<Measurement, ThreadsError> {
    let BenchPlan { games, seed, threads } = *plan;
    let pool = thread_pool(threads.get())?;
    let chunk = |chunk: u64| {
        let start = chunk * CHUNK;
        let end = start.saturating_add(CHUNK).min(games.get());
        let tally = (start..end)
            .map(|index| BenchTally::of(index, &play_randomly(game, seed, index)))
            .fold(BenchTally::default(), BenchTally::plus);
        progress(tally.games);
        tally
    };
    let (start, processor_start) = (Instant::now(), processor_time());
    let tally = pool.install(|| {
        // One by one, so that no thread has a long queue before it that others wait for.
        let chunks = (0..games.get().div_ceil(CHUNK) as usize).into_par_iter().with_max_len(1);
        chunks.map(|index| chunk(index as u64)).reduce(BenchTally::default, BenchTally::plus)
    });
    let (time, processor_end) = (start.elapsed(), processor_time());
    let cores = threads.get().min(cores().get());
    let processor_time = match (processor_start, processor_end) {
        (Some(start), Some(end)) => end.saturating_sub(start),
        _ => time * cores as u32,
    };
    Ok(Measurement { tally, time, processor_time, cores })
}

/// Processor time that this process has used so far.
#[cfg(unix)]
fn processor_time() -> Option<Duration> {
    rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime).try_into().ok()
}

#[cfg(not(unix))]
fn processor_time() -> Option<Duration> {
    None
}

/// Number of cores that this process may use.
pub fn cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Combines several checksums, each with a name, into one; their order does not matter.
///
/// ```
/// use ttr_sim::bench::combined_checksum;
/// assert_eq!(combined_checksum([("a", 1), ("b", 2)]), combined_checksum([("b", 2), ("a", 1)]));
/// assert_ne!(combined_checksum([("a", 1), ("b", 2)]), combined_checksum([("a", 2), ("b", 1)]));
/// ```
pub fn combined_checksum<'a>(checksums: impl IntoIterator<Item = (&'a str, u64)>) -> u64 {
    let hash = |(name, checksum): (&str, u64)| {
        name.bytes().fold(mix(checksum), |hash, byte| mix(hash ^ u64::from(byte)))
    };
    checksums.into_iter().map(hash).fold(0, u64::wrapping_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(points: [i16; 2], ranks: [u8; 2], plies: u64) -> RandomGame {
        RandomGame {
            scores: Scores { points: points.into_iter().collect(), ranks: ranks.into_iter().collect() },
            plies,
        }
    }

    /// Any change in a game changes its part of the checksum.
    #[test]
    fn the_checksum_sees_everything() {
        let base = BenchTally::of(3, &played([10, -4], [0, 1], 80)).checksum;
        for (index, other) in [
            (4, played([10, -4], [0, 1], 80)),
            (3, played([10, -5], [0, 1], 80)),
            (3, played([-4, 10], [0, 1], 80)),
            (3, played([10, -4], [1, 0], 80)),
            (3, played([10, -4], [0, 0], 80)),
            (3, played([10, -4], [0, 1], 81)),
        ] {
            assert_ne!(BenchTally::of(index, &other).checksum, base, "{index} {other:?}");
        }
    }

    #[test]
    fn figures() {
        let tally = BenchTally { games: 1000, plies: 150_000, checksum: 0 };
        let processor_time = Duration::from_millis(900);
        let measured = Measurement { tally, time: Duration::from_millis(500), processor_time, cores: 2 };
        assert_eq!(measured.games_per_second(), 2000.0);
        assert_eq!(measured.games_per_second_per_core(), 1000.0);
        assert_eq!(measured.plies_per_game(), 150.0);
        assert!((measured.nanoseconds_per_ply() - 6000.0).abs() < 0.01);
    }
}
