//! `ttr.VecEnv`: many games in step, in arrays that stay the same.

use std::sync::{Arc, Mutex};

use numpy::{
    PyArray1, PyArray2, PyArrayMethods, PyReadwriteArray1, PyReadwriteArray2, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use ttr_engine::{Encoder, Scores, Seat};
use ttr_sim::batch::{Batch, BatchError, BatchOptions, Frame, Numbers};
use ttr_sim::exec::ExecOptions;

use crate::errors::{detached, guard, illegal_by, invalid};
use crate::game::Game;
use crate::kind::{Compiled, Kind};
use crate::player::Contestant;
use crate::runs::Failure;

/// How the tables are set up.
pub(crate) struct Settings {
    tables: usize,
    seed: u64,
    threads: usize,
    opponents: Arc<Vec<Contestant>>,
    derived: bool,
}

/// Tables that are played in step, of any game.
pub(crate) trait Tables: Send {
    fn step(&mut self, actions: &[i64], frame: Frame<'_>) -> Result<(), BatchError>;
    fn write(&mut self, frame: Frame<'_>);
    fn sample(&mut self, actions: &mut [i64]);
    fn make_legal(&mut self, actions: &mut [i64]) -> Result<usize, BatchError>;
    /// The tables at which a game ended in the last step.
    fn ended(&self) -> Vec<Finished>;
    /// What the learner saw of a game that ended: bytes or floats.
    fn last_view(&self, table: usize, bytes: &mut [u8], floats: Option<&mut [f32]>);
    fn state(&self, table: usize) -> Box<dyn crate::kind::Position>;
}

/// A game that ended.
pub(crate) struct Finished {
    table: usize,
    scores: Scores,
    seat: Seat,
    /// The seat that forfeited, with the reason.
    forfeit: Option<(Seat, String)>,
}

struct TablesOf<G: Kind> {
    game: Arc<Compiled<G>>,
    batch: Batch<G>,
}

/// Sets up tables.
pub(crate) fn tables<G: Kind>(
    game: Arc<Compiled<G>>,
    settings: Settings,
) -> Result<Box<dyn Tables>, Failure> {
    let processes = ExecOptions::default();
    let opponents = settings.opponents.iter().map(|opponent| opponent.entrant(&game, &processes));
    let options = BatchOptions {
        tables: settings.tables,
        seed: settings.seed,
        threads: settings.threads,
        opponents: opponents.collect::<Result<_, _>>()?,
    };
    let numbers = match settings.derived {
        false => game.numbers.clone(),
        true => Arc::new(Numbers::new(game.numbers.game.clone(), true)),
    };
    let batch = Batch::new(numbers, options).map_err(Failure::invalid)?;
    Ok(Box::new(TablesOf { game, batch }))
}

impl<G: Kind> Tables for TablesOf<G> {
    fn step(&mut self, actions: &[i64], frame: Frame<'_>) -> Result<(), BatchError> {
        self.batch.step_into(actions, frame)
    }

    fn write(&mut self, frame: Frame<'_>) {
        self.batch.write(frame);
    }

    fn sample(&mut self, actions: &mut [i64]) {
        self.batch.sample_into(actions);
    }

    fn make_legal(&mut self, actions: &mut [i64]) -> Result<usize, BatchError> {
        self.batch.make_legal(actions)
    }

    fn ended(&self) -> Vec<Finished> {
        let tables = self.batch.tables().iter().enumerate();
        let ended = tables.filter_map(|(table, at)| Some((table, at.ended()?)));
        let finished = |(table, ended): (usize, &ttr_sim::batch::Ended<G::State>)| Finished {
            table,
            scores: ended.scores.clone(),
            seat: ended.seat,
            forfeit: ended.forfeit.as_ref().map(|(seat, why)| (*seat, why.to_string())),
        };
        ended.map(finished).collect()
    }

    fn last_view(&self, table: usize, bytes: &mut [u8], floats: Option<&mut [f32]>) {
        let numbers = self.batch.numbers();
        let Some(ended) = self.batch.tables()[table].ended() else { return };
        numbers.encoder.encode(&numbers.game.observe(&ended.state, ended.seat), bytes);
        if let Some(floats) = floats {
            numbers.encoder.layout().scale(bytes, floats);
        }
    }

    fn state(&self, table: usize) -> Box<dyn crate::kind::Position> {
        let at = &self.batch.tables()[table];
        Box::new(crate::kind::At {
            game: self.game.clone(),
            state: at.state().clone(),
            dice: at.chance().clone(),
        })
    }
}

/// How games are rewarded.
enum Reward {
    /// The win, shared in a tie.
    Win,
    /// Points ahead of the best other seat, in hundreds.
    Margin,
    /// From 1 for the first to -1 for the last.
    Rank,
    /// A function of points, ranks and seat.
    Function(Py<PyAny>),
}

impl Reward {
    fn of(&self, py: Python<'_>, scores: &Scores, seat: Seat) -> PyResult<f32> {
        let (points, ranks) = (&scores.points, &scores.ranks);
        Ok(match self {
            Self::Win if ranks[seat] != 0 => 0.0,
            Self::Win => 1.0 / scores.winners().count() as f32,
            Self::Margin => {
                let best = seat.others(points.len()).map(|other| points[other]).max().unwrap_or(0);
                f32::from(points[seat] - best) / 100.0
            }
            Self::Rank => {
                // Seats of equal rank share the ranks that they take up.
                let rank = ranks[seat];
                let ahead = ranks.iter().filter(|&&other| other < rank).count() as f32;
                let shared = ranks.iter().filter(|&&other| other == rank).count() as f32;
                1.0 - 2.0 * (ahead + (shared - 1.0) / 2.0) / (ranks.len() - 1) as f32
            }
            Self::Function(function) => {
                let (points, ranks): (Vec<i16>, Vec<u32>) =
                    (points.to_vec(), ranks.iter().map(|&rank| rank.into()).collect());
                function.bind(py).call1((points, ranks, seat.index()))?.extract()?
            }
        })
    }
}

/// The vectors of views: floats or bytes.
enum Views {
    Floats(Py<PyArray2<f32>>),
    Bytes(Py<PyArray2<u8>>),
}

/// The masks: a byte or a bit per action.
enum Masks {
    Bytes(Py<PyArray2<i8>>),
    Bits(Py<PyArray2<u8>>),
}

impl Views {
    fn new(py: Python<'_>, floats: bool, shape: [usize; 2]) -> Self {
        match floats {
            true => Self::Floats(PyArray2::zeros(py, shape, false).unbind()),
            false => Self::Bytes(PyArray2::zeros(py, shape, false).unbind()),
        }
    }

    fn array<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        match self {
            Self::Floats(array) => array.bind(py).clone().into_any(),
            Self::Bytes(array) => array.bind(py).clone().into_any(),
        }
    }
}

/// The borrowed arrays of a frame.
struct Lent<'py> {
    floats: Option<PyReadwriteArray2<'py, f32>>,
    bytes: Option<PyReadwriteArray2<'py, u8>>,
    mask: Option<PyReadwriteArray2<'py, i8>>,
    packed: Option<PyReadwriteArray2<'py, u8>>,
    seats: PyReadwriteArray1<'py, i8>,
}

impl Lent<'_> {
    fn frame(&mut self) -> PyResult<Frame<'_>> {
        Ok(Frame {
            views: self.bytes.as_mut().map(|array| array.as_slice_mut()).transpose()?,
            floats: self.floats.as_mut().map(|array| array.as_slice_mut()).transpose()?,
            mask: self.mask.as_mut().map(|array| array.as_slice_mut()).transpose()?,
            packed_mask: self.packed.as_mut().map(|array| array.as_slice_mut()).transpose()?,
            seats: Some(self.seats.as_slice_mut()?),
        })
    }
}

/// Many games in step. Every step plays one action per game and writes what the next deciding seats see into arrays
/// that stay the same: copy what you keep, or say `copy=True`.
///
/// A game that ends is dealt again in the same step (SAME_STEP): `done` says where, `reward` has the result, and
/// `final_obs` what the seat saw at the end. With `opponents`, they take the other seats inside Rust, and the learner
/// decides for one seat, which changes from game to game; without, it decides for all seats. Results do not depend on
/// `threads`.
///
/// >>> import ttr
/// >>> env = ttr.VecEnv(ttr.Game("usa"), 8, seed=1)
/// >>> for _ in range(100):
/// ...     env.step(env.sample())
/// >>> env.obs.shape == (8, env.game.observation_size), env.mask.shape == (8, env.game.num_actions)
/// (True, True)
#[pyclass(module = "ttr", weakref)]
pub(crate) struct VecEnv {
    game: Py<Game>,
    tables: Option<Mutex<Box<dyn Tables>>>,
    settings: (usize, u64, usize, Arc<Vec<Contestant>>, bool),
    rewards: Reward,
    make_legal: bool,
    copy: bool,
    views: Views,
    masks: Masks,
    seat: Py<PyArray1<i8>>,
    sampled: Py<PyArray1<i64>>,
    reward: Py<PyArray1<f32>>,
    seat_rewards: Py<PyArray2<f32>>,
    done: Py<PyArray1<bool>>,
    final_views: Views,
    final_points: Py<PyArray2<i16>>,
    final_ranks: Py<PyArray2<i8>>,
    final_seat: Py<PyArray1<i8>>,
    /// Tables whose game ended in the last step.
    ended: Vec<usize>,
    /// The forfeits among them: table, seat, reason.
    forfeits: Vec<(usize, usize, String)>,
    statistics: Statistics,
}

/// Sums over all games that ended.
#[derive(Default)]
struct Statistics {
    steps: u64,
    games: u64,
    reward: f64,
    wins: f64,
    points: i64,
    margin: i64,
    forfeits: u64,
    replaced: u64,
}

fn closed() -> PyErr {
    invalid("the environment is closed; make a new one")
}

/// Warns of an opponent that failed.
fn warn(py: Python<'_>, seat: Seat, why: &str) -> PyResult<()> {
    let message = format!(
        "the opponent on seat {} forfeits: {why}; `forfeits` and `statistics` have all such games",
        seat.index()
    );
    py.import("warnings")?.call_method1("warn", (message, py.get_type::<PyRuntimeWarning>())).map(|_| ())
}

/// The exception of actions that were not played.
fn refused(error: &BatchError) -> PyErr {
    match error {
        BatchError::Illegal { why: ttr_engine::IllegalAction::Forbidden { rule, .. }, .. } => {
            illegal_by(Some(rule), &error.to_string())
        }
        BatchError::Illegal { .. } => illegal_by(None, &error.to_string()),
        _ => invalid(error),
    }
}

impl VecEnv {
    fn lend<'py>(&self, py: Python<'py>) -> PyResult<Lent<'py>> {
        let (mut floats, mut bytes, mut mask, mut packed) = (None, None, None, None);
        match &self.views {
            Views::Floats(array) => floats = Some(array.bind(py).try_readwrite().map_err(invalid)?),
            Views::Bytes(array) => bytes = Some(array.bind(py).try_readwrite().map_err(invalid)?),
        }
        match &self.masks {
            Masks::Bytes(array) => mask = Some(array.bind(py).try_readwrite().map_err(invalid)?),
            Masks::Bits(array) => packed = Some(array.bind(py).try_readwrite().map_err(invalid)?),
        }
        let seats = self.seat.bind(py).try_readwrite().map_err(invalid)?;
        Ok(Lent { floats, bytes, mask, packed, seats })
    }

    fn set_up(&self, py: Python<'_>, seed: u64) -> PyResult<Box<dyn Tables>> {
        let (tables, _, threads, ref opponents, derived) = self.settings;
        let settings = Settings { tables, seed, threads, opponents: opponents.clone(), derived };
        let rules = self.game.get().rules.clone();
        Ok(detached(py, || rules.batch(settings))??)
    }

    /// The array, or a copy of it.
    fn given<'py>(&self, array: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if self.copy { array.call_method0("copy") } else { Ok(array) }
    }

    /// Writes what came of the games that ended, and clears what was written before.
    fn settle(&mut self, py: Python<'_>) -> PyResult<()> {
        let Some(tables) = &mut self.tables else { return Err(closed()) };
        let tables = tables.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut reward = self.reward.bind(py).try_readwrite().map_err(invalid)?;
        let mut seat_rewards = self.seat_rewards.bind(py).try_readwrite().map_err(invalid)?;
        let mut done = self.done.bind(py).try_readwrite().map_err(invalid)?;
        let (reward, seat_rewards, done) =
            (reward.as_slice_mut()?, seat_rewards.as_slice_mut()?, done.as_slice_mut()?);
        let seats = self.game.get().rules.seats();
        self.forfeits.clear();
        for table in self.ended.drain(..) {
            reward[table] = 0.0;
            done[table] = false;
            seat_rewards[table * seats..][..seats].fill(0.0);
        }
        let finished = guard(|| tables.ended())?;
        if finished.is_empty() {
            return Ok(());
        }
        let mut points = self.final_points.bind(py).try_readwrite().map_err(invalid)?;
        let mut ranks = self.final_ranks.bind(py).try_readwrite().map_err(invalid)?;
        let mut final_seat = self.final_seat.bind(py).try_readwrite().map_err(invalid)?;
        let (points, ranks, final_seat) =
            (points.as_slice_mut()?, ranks.as_slice_mut()?, final_seat.as_slice_mut()?);
        let (mut floats, mut bytes) = (None, None);
        match &self.final_views {
            Views::Floats(array) => floats = Some(array.bind(py).try_readwrite().map_err(invalid)?),
            Views::Bytes(array) => bytes = Some(array.bind(py).try_readwrite().map_err(invalid)?),
        }
        let mut buffer = Vec::new();
        for ended in finished {
            let Finished { table, mut scores, seat, forfeit } = ended;
            if let Some((loser, why)) = forfeit {
                if self.statistics.forfeits == 0 {
                    warn(py, loser, &why)?;
                }
                self.forfeits.push((table, loser.index(), why));
                // Who forfeits is last, and the others share the win.
                scores.ranks = (0..seats)
                    .map(|other| if other == loser.index() { seats as u8 - 1 } else { 0 })
                    .collect();
                self.statistics.forfeits += 1;
            }
            done[table] = true;
            for other in Seat::all(seats) {
                let at = table * seats + other.index();
                (points[at], ranks[at]) = (scores.points[other], scores.ranks[other] as i8);
                seat_rewards[at] = self.rewards.of(py, &scores, other)?;
            }
            reward[table] = seat_rewards[table * seats + seat.index()];
            final_seat[table] = seat.index() as i8;
            match (&mut floats, &mut bytes) {
                (Some(floats), _) => {
                    let floats = floats.as_slice_mut()?;
                    let width = floats.len() / done.len();
                    buffer.resize(width, 0);
                    let row = &mut floats[table * width..][..width];
                    guard(|| tables.last_view(table, &mut buffer, Some(row)))?;
                }
                (_, Some(bytes)) => {
                    let bytes = bytes.as_slice_mut()?;
                    let width = bytes.len() / done.len();
                    let row = &mut bytes[table * width..][..width];
                    guard(|| tables.last_view(table, row, None))?;
                }
                _ => {}
            }
            let best = seat.others(seats).map(|other| scores.points[other]).max().unwrap_or(0);
            let statistics = &mut self.statistics;
            statistics.games += 1;
            statistics.reward += f64::from(reward[table]);
            statistics.points += i64::from(scores.points[seat]);
            statistics.margin += i64::from(scores.points[seat] - best);
            if scores.ranks[seat] == 0 {
                statistics.wins += 1.0 / scores.winners().count() as f64;
            }
            self.ended.push(table);
        }
        Ok(())
    }
}

#[pymethods]
impl VecEnv {
    #[new]
    #[pyo3(signature = (game, num_envs, seed=1, threads=0, opponents=None, *, reward=None, dtype="float32",
        packed_mask=false, derived=false, illegal="error", copy=false))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords of Python")]
    fn new(
        game: Bound<'_, Game>,
        num_envs: i64,
        #[pyo3(from_py_with = crate::game::seed)] seed: u64,
        threads: i64,
        opponents: Option<&Bound<'_, PyAny>>,
        reward: Option<&Bound<'_, PyAny>>,
        dtype: &str,
        packed_mask: bool,
        derived: bool,
        illegal: &str,
        copy: bool,
    ) -> PyResult<Self> {
        /// More tables than any machine has memory for.
        const MOST: i64 = 1 << 20;
        let py = game.py();
        if !(1..=MOST).contains(&num_envs) {
            return Err(invalid(format!("expected num_envs from 1 to {MOST}, found {num_envs}")));
        }
        if !(0..=1024).contains(&threads) {
            return Err(invalid(format!(
                "expected a number of threads up to 1024, 0 for all cores; found {threads}"
            )));
        }
        let floats = match dtype {
            "float32" => true,
            "uint8" => false,
            other => return Err(crate::view::wrong_dtype(other)),
        };
        let make_legal = match illegal {
            "error" => false,
            "random" => true,
            other => {
                return Err(invalid(format!("expected illegal=\"error\" or \"random\", found {other:?}")));
            }
        };
        let wrong_reward = || {
            invalid("expected reward=\"win\", \"margin\", \"rank\" or a function of (points, ranks, seat)")
        };
        let rewards = match reward {
            None => Reward::Win,
            Some(reward) if reward.is_callable() => Reward::Function(reward.clone().unbind()),
            Some(reward) => match reward.extract::<String>().as_deref() {
                Ok("win") => Reward::Win,
                Ok("margin") => Reward::Margin,
                Ok("rank") => Reward::Rank,
                _ => return Err(wrong_reward()),
            },
        };
        let opponents = match opponents {
            None => Vec::new(),
            Some(opponents)
                if opponents.extract::<String>().is_ok()
                    || opponents.is_callable()
                    || opponents.hasattr("choose")?
                    || opponents.hasattr("choose_batch")? =>
            {
                vec![Contestant::new(opponents, &game)?]
            }
            Some(opponents) => opponents
                .try_iter()?
                .map(|opponent| Contestant::new(&opponent?, &game))
                .collect::<PyResult<_>>()?,
        };
        let (tables, seats) = (num_envs as usize, game.get().rules.seats());
        let settings = (tables, seed, threads as usize, Arc::new(opponents), derived);
        let width = game.get().rules.layout(derived).len();
        let actions = game.get().rules.num_actions();
        let masks = match packed_mask {
            false => Masks::Bytes(PyArray2::zeros(py, [tables, actions], false).unbind()),
            true => Masks::Bits(PyArray2::zeros(py, [tables, actions.div_ceil(8)], false).unbind()),
        };
        let mut env = Self {
            game: game.unbind(),
            tables: None,
            settings,
            rewards,
            make_legal,
            copy,
            views: Views::new(py, floats, [tables, width]),
            masks,
            seat: PyArray1::zeros(py, tables, false).unbind(),
            sampled: PyArray1::zeros(py, tables, false).unbind(),
            reward: PyArray1::zeros(py, tables, false).unbind(),
            seat_rewards: PyArray2::zeros(py, [tables, seats], false).unbind(),
            done: PyArray1::zeros(py, tables, false).unbind(),
            final_views: Views::new(py, floats, [tables, width]),
            final_points: PyArray2::zeros(py, [tables, seats], false).unbind(),
            final_ranks: PyArray2::zeros(py, [tables, seats], false).unbind(),
            final_seat: PyArray1::zeros(py, tables, false).unbind(),
            ended: Vec::new(),
            forfeits: Vec::new(),
            statistics: Statistics::default(),
        };
        env.reset(py, None)?;
        Ok(env)
    }

    /// Deals at all tables, with another seed if one is given, and forgets the statistics.
    #[pyo3(signature = (seed=None))]
    fn reset(&mut self, py: Python<'_>, seed: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let seed = seed.map(crate::game::seed).transpose()?.unwrap_or(self.settings.1);
        let mut tables = self.set_up(py, seed)?;
        let mut lent = self.lend(py)?;
        let frame = lent.frame()?;
        detached(py, || tables.write(frame))?;
        drop(lent);
        self.settings.1 = seed;
        self.tables = Some(Mutex::new(tables));
        self.settle(py)?;
        self.statistics = Statistics::default();
        Ok(())
    }

    /// Plays one action per table, given as whole numbers.
    ///
    /// After an error nothing has changed; with `illegal="random"`, illegal actions are replaced instead.
    fn step(&mut self, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = actions.py();
        let count = self.settings.0;
        let actions = whole_numbers(actions, count)?;
        let readonly = actions.try_readonly().map_err(invalid)?;
        let mut lent = self.lend(py)?;
        let Some(tables) = &mut self.tables else { return Err(closed()) };
        let tables = tables.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        let frame = lent.frame()?;
        let mut replaced = Vec::new();
        let chosen = readonly.as_slice()?;
        let make_legal = self.make_legal;
        let stepped = detached(py, || {
            if !make_legal {
                return tables.step(chosen, frame).map(|()| 0);
            }
            replaced.extend_from_slice(chosen);
            let count = tables.make_legal(&mut replaced)?;
            tables.step(&replaced, frame).map(|()| count)
        })?;
        self.statistics.replaced += stepped.map_err(|error| refused(&error))? as u64;
        self.statistics.steps += 1;
        drop(lent);
        self.settle(py)
    }

    /// A legal action for every table, each equally likely, as int64; the array is overwritten by the next call.
    fn sample<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Some(tables) = &mut self.tables else { return Err(closed()) };
        let tables = tables.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        {
            let mut sampled = self.sampled.bind(py).try_readwrite().map_err(invalid)?;
            let sampled = sampled.as_slice_mut()?;
            detached(py, || tables.sample(sampled))?;
        }
        self.given(self.sampled.bind(py).clone().into_any())
    }

    /// The position of a table, with everything in it: for tests, and for looking at what happens.
    fn state(&self, py: Python<'_>, table: i64) -> PyResult<crate::state::State> {
        let count = self.settings.0;
        let table = usize::try_from(table).ok().filter(|&table| table < count).ok_or_else(|| {
            invalid(format!("there is no table {table}; the tables are 0 to {}", count - 1))
        })?;
        let tables = self.tables.as_ref().ok_or_else(closed)?;
        let tables = tables.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok(crate::state::State { position: guard(|| tables.state(table))?, game: self.game.clone_ref(py) })
    }

    /// Ends all games. Nothing can be done with the environment afterwards.
    fn close(&mut self) {
        self.tables = None;
    }

    /// Whether it was closed.
    #[getter]
    fn closed(&self) -> bool {
        self.tables.is_none()
    }

    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// Number of tables.
    #[getter]
    fn num_envs(&self) -> usize {
        self.settings.0
    }

    /// What the deciding seat of every table sees.
    #[getter]
    fn obs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.given(self.views.array(py))
    }

    /// 1 for every legal action; packed, a bit, as `numpy.packbits` has it.
    #[getter]
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.given(match &self.masks {
            Masks::Bytes(array) => array.bind(py).clone().into_any(),
            Masks::Bits(array) => array.bind(py).clone().into_any(),
        })
    }

    /// The deciding seats.
    #[getter]
    fn seat<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.given(self.seat.bind(py).clone().into_any())
    }

    /// The reward of the learner where a game ended, or of the seat that decided last (`final_seat`); else 0.
    #[getter]
    fn reward<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.given(self.reward.bind(py).clone().into_any())
    }

    /// The rewards of all seats where a game ended; else 0.
    #[getter]
    fn seat_rewards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.given(self.seat_rewards.bind(py).clone().into_any())
    }

    /// Whether a game ended in the last step.
    #[getter]
    fn done<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.given(self.done.bind(py).clone().into_any())
    }

    /// Where a game ended, what the seat `final_seat` saw at its end; other rows are old.
    #[getter]
    fn final_obs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.given(self.final_views.array(py))
    }

    /// Where a game ended, the points of all seats; other rows are old.
    #[getter]
    fn final_points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.given(self.final_points.bind(py).clone().into_any())
    }

    /// Where a game ended, the ranks of all seats; other rows are old.
    #[getter]
    fn final_ranks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.given(self.final_ranks.bind(py).clone().into_any())
    }

    /// Where a game ended, the seat of the learner, or the one that decided last; other rows are old.
    #[getter]
    fn final_seat<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.given(self.final_seat.bind(py).clone().into_any())
    }

    /// Games that ended in the last step because an opponent failed: (table, seat, reason). A warning reports the first
    /// one since the last reset.
    #[getter]
    fn forfeits(&self) -> Vec<(usize, usize, String)> {
        self.forfeits.clone()
    }

    /// Sums and means over all games that ended since the last reset, of the learner's seat or the one that decided
    /// last.
    #[getter]
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let statistics = &self.statistics;
        let mean = |sum: f64| if statistics.games == 0 { f64::NAN } else { sum / statistics.games as f64 };
        let values = PyDict::new(py);
        values.set_item("decisions", statistics.steps * self.settings.0 as u64)?;
        values.set_item("games", statistics.games)?;
        values.set_item("reward", mean(statistics.reward))?;
        values.set_item("win_share", mean(statistics.wins))?;
        values.set_item("points", mean(statistics.points as f64))?;
        values.set_item("margin", mean(statistics.margin as f64))?;
        values.set_item("forfeits", statistics.forfeits)?;
        values.set_item("replaced", statistics.replaced)?;
        Ok(values)
    }

    fn __len__(&self) -> usize {
        self.settings.0
    }

    fn __repr__(&self) -> String {
        let state = if self.tables.is_none() { ", closed" } else { "" };
        format!("<ttr.VecEnv of {} tables of {}{state}>", self.settings.0, self.game.get().given)
    }

    fn __reduce__(&self) -> PyResult<Py<PyTuple>> {
        Err(pyo3::exceptions::PyTypeError::new_err("a ttr.VecEnv can't be pickled; make one per process"))
    }
}

/// The actions as an array of int64, one per table.
pub(crate) fn whole_numbers<'py>(
    actions: &Bound<'py, PyAny>,
    tables: usize,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let py = actions.py();
    if let Ok(array) = actions.cast::<PyArray1<i64>>()
        && array.is_contiguous()
        && array.len() == tables
    {
        return Ok(array.clone());
    }
    let numpy = py.import("numpy")?;
    let array = numpy.call_method1("asarray", (actions,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    if !matches!(&*kind, "i" | "u") || shape != [tables] {
        let dtype = array.getattr("dtype")?;
        return Err(invalid(format!(
            "expected {tables} whole numbers, the index of an action in each place; found an array of dtype {dtype} and \
             shape {shape:?}"
        )));
    }
    let array = numpy.call_method1("ascontiguousarray", (array, "int64"))?;
    Ok(array.cast_into::<PyArray1<i64>>()?)
}
