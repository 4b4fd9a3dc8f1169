//! Many games in step, for learning: a policy outside decides for all tables at once.
//!
//! A [`Batch`] holds a number of tables. [`Batch::step`] plays one action at each of them, lets opponents
//! move until a learner is to decide again, and deals a new game where one has ended. Every table has its
//! own dice, so results depend only on the seed, not on the number of threads.
//!
//! ```
//! use ttr_engine::board::BoardGame;
//! use ttr_engine::maps;
//! use ttr_sim::batch::{Batch, BatchOptions};
//! let game = BoardGame::new(&maps::load("usa")?, 2)?;
//! let mut batch = Batch::new(&game, BatchOptions { tables: 8, ..BatchOptions::default() })?;
//! for _ in 0..200 {
//!     let actions = batch.sample();
//!     batch.step(&actions)?;
//! }
//! assert!(batch.games_played() >= 8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use rayon::prelude::*;
use ttr_agents::Agent;
use ttr_engine::{
    ActionSpace, Dice, EncodedViews, Encoder, IllegalAction, IndexedActions, Scores, Seat, Turn, View,
};

use crate::game::Playable;
use crate::table::entrant::{Entrant, EntrantError};
use crate::table::runner::{ThreadsError, thread_pool};

/// The dice of a table: those of deals and draws, of sampled actions, and of opponents.
const CHANCE: u64 = 0x6261_7463_6801;
const SAMPLES: u64 = 0x6261_7463_6802;
const OPPONENTS: u64 = 0x6261_7463_6803;

/// Games suitable for learning: their actions and views are numbers.
pub trait Learnable: Playable + IndexedActions + EncodedViews {}

impl<G: Playable + IndexedActions + EncodedViews> Learnable for G {}

/// The settings of a batch.
#[derive(Clone)]
pub struct BatchOptions<G> {
    /// Number of tables.
    pub tables: usize,
    /// The master seed.
    pub seed: u64,
    /// Number of threads; 0 uses all cores. Results do not depend on it.
    pub threads: usize,
    /// Agents that take the other seats, in turn; the learner's seat changes from game to game. Without
    /// opponents, the learner decides for all seats.
    pub opponents: Vec<Entrant<G>>,
    /// Encodings include derived blocks.
    pub derived: bool,
}

impl<G> Default for BatchOptions<G> {
    fn default() -> Self {
        Self { tables: 1, seed: 1, threads: 0, opponents: Vec::new(), derived: false }
    }
}

/// The reason why a batch can't be made or stepped. The batch is unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// There is no table.
    #[error("a batch needs at least one table")]
    NoTables,
    /// An opponent can't be made.
    #[error(transparent)]
    Opponent(#[from] EntrantError),
    /// The threads can't be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// The number of actions is not that of the tables.
    #[error("{given} actions for {tables} tables: give one action per table")]
    Length {
        /// Number of actions.
        given: usize,
        /// Number of tables.
        tables: usize,
    },
    /// The action number is out of range.
    #[error("table {table}: there is no action {action}; actions are 0 to {last}")]
    Unknown {
        /// The table.
        table: usize,
        /// The number.
        action: i64,
        /// The largest number.
        last: usize,
    },
    /// The action is not legal.
    #[error("table {table}: action {action} is not legal: {why}")]
    Illegal {
        /// The table.
        table: usize,
        /// The number.
        action: i64,
        /// The rule that forbids it.
        why: IllegalAction,
    },
}

/// The end of a game at a table.
#[derive(Clone, PartialEq, Debug)]
pub struct Ended<S> {
    /// The last position.
    pub state: S,
    /// The result.
    pub scores: Scores,
    /// The seat of the learner, or without opponents the one that decided last.
    pub seat: Seat,
    /// The opponent that resigned or chose an illegal action; the result is then that of the position so
    /// far.
    pub forfeit: Option<Seat>,
}

/// A table of a batch.
pub struct BatchTable<G: Learnable> {
    state: G::State,
    chance: Dice,
    samples: Dice,
    opponent_dice: Dice,
    opponents: Vec<Box<dyn Agent<G>>>,
    number: u64,
    games: u64,
    /// The seat of the learner if there are opponents.
    learner: Option<Seat>,
    ended: Option<Ended<G::State>>,
}

/// A game with its actions and views as numbers.
pub struct Numbers<'g, G: Learnable> {
    /// The game.
    pub game: &'g G,
    /// The numbered actions.
    pub space: G::Space,
    /// The encoder of views.
    pub encoder: G::Encoder,
}

/// Tables that are played in step. See the [module](self).
///
/// ```
/// use ttr_engine::{ActionSpace, board::BoardGame, maps};
/// use ttr_sim::batch::{Batch, BatchError, BatchOptions};
/// let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let mut batch = Batch::new(&game, BatchOptions { tables: 3, ..BatchOptions::default() })?;
/// let width = batch.numbers().space.actions().len();
/// let mut legal = vec![0; 3 * width];
/// batch.mask(&mut legal);
/// let first = |row: &[u8]| row.iter().position(|&legal| legal == 1).expect("a seat has an action") as i64;
/// let actions: Vec<i64> = legal.chunks(width).map(first).collect();
/// batch.step(&actions)?;
/// assert!(matches!(batch.step(&actions[..2]), Err(BatchError::Length { given: 2, tables: 3 })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Batch<'g, G: Learnable> {
    numbers: Numbers<'g, G>,
    tables: Vec<BatchTable<G>>,
    pool: rayon::ThreadPool,
}

impl<'g, G: Learnable> Batch<'g, G> {
    /// Creates a batch, and deals a game at every table.
    ///
    /// # Errors
    /// If there is no table, or an opponent can't be made.
    pub fn new(game: &'g G, options: BatchOptions<G>) -> Result<Self, BatchError> {
        if options.tables == 0 {
            return Err(BatchError::NoTables);
        }
        let pool = thread_pool(options.threads)?;
        let table = |number| BatchTable::new(game, &options, number);
        let numbers = (0..options.tables as u64).into_par_iter();
        let tables = pool.install(|| numbers.map(table).collect::<Result<Vec<_>, BatchError>>())?;
        let numbers = Numbers { game, space: game.action_space(), encoder: game.encoder(options.derived) };
        Ok(Self { numbers, tables, pool })
    }

    /// The game, with its actions and views as numbers.
    pub fn numbers(&self) -> &Numbers<'g, G> {
        &self.numbers
    }

    /// The tables.
    pub fn tables(&self) -> &[BatchTable<G>] {
        &self.tables
    }

    /// Number of finished games, over all tables.
    pub fn games_played(&self) -> u64 {
        self.tables.iter().map(|table| table.games).sum()
    }

    /// A legal action for every table, each equally likely.
    pub fn sample(&mut self) -> Vec<i64> {
        let Numbers { game, space, .. } = &self.numbers;
        let draw = |table: &mut BatchTable<G>| {
            let action = game.random_action(&table.state, &mut table.samples);
            space.index(action).expect("legal actions have an index") as i64
        };
        self.pool.install(|| self.tables.par_iter_mut().map(draw).collect())
    }

    /// Plays one action per table. All actions are checked first: after an error, nothing has changed.
    ///
    /// # Errors
    /// If the number of actions is wrong, or an action is not legal.
    pub fn step(&mut self, actions: &[i64]) -> Result<(), BatchError> {
        let (given, tables) = (actions.len(), self.tables.len());
        if given != tables {
            return Err(BatchError::Length { given, tables });
        }
        let Numbers { game, space, .. } = &self.numbers;
        let check = |(number, (table, &action)): (usize, (&mut BatchTable<G>, &i64))| {
            let last = space.actions().len() - 1;
            let found = usize::try_from(action).ok().and_then(|index| space.action(index));
            let found = found.ok_or(BatchError::Unknown { table: number, action, last })?;
            let legal = game.check(&table.state, found);
            legal.map(|()| found).map_err(|why| BatchError::Illegal { table: number, action, why })
        };
        let pairs = self.tables.par_iter_mut().zip(actions).enumerate();
        // The first error by table, whichever thread finds one first.
        let checked: Vec<_> = self.pool.install(|| pairs.map(check).collect());
        let checked = checked.into_iter().collect::<Result<Vec<_>, _>>()?;
        self.pool.install(|| {
            let pairs = self.tables.par_iter_mut().zip(checked);
            pairs.for_each(|(table, action)| table.play(game, action));
        });
        Ok(())
    }

    /// Calls `write` with every table and its row of an array, on all threads.
    ///
    /// # Panics
    /// If the array is not a whole number of rows per table.
    pub fn for_each_row<T: Send>(
        &mut self,
        array: &mut [T],
        write: impl Fn(&Numbers<'g, G>, &BatchTable<G>, &mut [T]) + Sync,
    ) {
        assert_eq!(array.len() % self.tables.len(), 0, "an array of another length");
        let width = array.len() / self.tables.len();
        if width > 0 {
            let numbers = &self.numbers;
            let rows = array.par_chunks_mut(width).zip(&mut self.tables);
            self.pool.install(|| rows.for_each(|(row, table)| write(numbers, table, row)));
        }
    }

    /// Encodes the view of the deciding seat of every table, one row per table.
    pub fn observe(&mut self, out: &mut [u8]) {
        self.for_each_row(out, |numbers, table, row| numbers.encoder.encode(&table.view(numbers.game), row));
    }

    /// Like [`Batch::observe`], as floats.
    pub fn observe_floats(&mut self, out: &mut [f32]) {
        self.for_each_row(out, |numbers, table, row| {
            let mut bytes = vec![0; row.len()];
            numbers.encoder.encode(&table.view(numbers.game), &mut bytes);
            numbers.encoder.layout().scale(&bytes, row);
        });
    }

    /// Writes 1 for every legal action of every table and 0 for the others, one row per table.
    pub fn mask(&mut self, out: &mut [u8]) {
        self.for_each_row(out, |numbers, table, row| {
            row.fill(0);
            table.for_each_index(numbers, |index| row[index] = 1);
        });
    }

    /// Like [`Batch::mask`], with eight actions per byte, the first in the highest bit, as in
    /// `numpy.packbits`.
    pub fn packed_mask(&mut self, out: &mut [u8]) {
        self.for_each_row(out, |numbers, table, row| {
            row.fill(0);
            table.for_each_index(numbers, |index| row[index / 8] |= 0x80 >> (index % 8));
        });
    }
}

impl<G: Learnable> BatchTable<G> {
    fn new(game: &G, options: &BatchOptions<G>, number: u64) -> Result<Self, BatchError> {
        let dice = |what| Dice::from_parts(&[options.seed, what, number]);
        let mut chance = dice(CHANCE);
        let others = if options.opponents.is_empty() { 0 } else { game.seats() - 1 };
        let opponents = options.opponents.iter().cycle().take(others).map(|entrant| entrant.build(game));
        let mut table = Self {
            state: game.deal(&mut chance),
            chance,
            samples: dice(SAMPLES),
            opponent_dice: dice(OPPONENTS),
            opponents: opponents.collect::<Result<_, _>>()?,
            number,
            games: 0,
            learner: None,
            ended: None,
        };
        table.begin(game);
        table.let_opponents_play(game);
        Ok(table)
    }

    /// The seat to decide.
    pub fn seat(&self, game: &G) -> Seat {
        match game.turn(&self.state) {
            Turn::Of(seat) => seat,
            Turn::Over => unreachable!("a new game was dealt"),
        }
    }

    /// The position.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// The view of the seat to decide.
    pub fn view<'s>(&'s self, game: &'s G) -> G::Observation<'s> {
        game.observe(&self.state, self.seat(game))
    }

    /// Calls `visit` with the index of every legal action.
    pub fn for_each_index(&self, numbers: &Numbers<'_, G>, mut visit: impl FnMut(usize)) {
        self.view(numbers.game).for_each_action(|action| {
            visit(numbers.space.index(action).expect("legal actions have an index"));
        });
    }

    /// The game that ended in the last step, if one did.
    pub fn ended(&self) -> Option<&Ended<G::State>> {
        self.ended.as_ref()
    }

    /// Seats the learner and its opponents. The learner changes seats from game to game, and starts in a
    /// different one at every table.
    fn begin(&mut self, game: &G) {
        if self.opponents.is_empty() {
            return;
        }
        let seats = game.seats();
        let learner = Seat::new(((self.number + self.games) % seats as u64) as usize);
        for (agent, seat) in self.opponents.iter_mut().zip(learner.others(seats)) {
            agent.begin(game, seat);
        }
        self.learner = Some(learner);
    }

    /// Plays the action of the learner, and continues until it decides again.
    fn play(&mut self, game: &G, action: G::Action) {
        self.ended = None;
        let seat = self.seat(game);
        game.play_unchecked(&mut self.state, action, &mut self.chance);
        if game.turn(&self.state) == Turn::Over {
            self.deal_again(game, seat, None);
        }
        self.let_opponents_play(game);
    }

    /// Lets opponents decide until it is the learner's turn. Ends a game, and deals the next one, at most
    /// once: the learner decides in every game that is dealt.
    fn let_opponents_play(&mut self, game: &G) {
        while let (Some(learner), seat) = (self.learner, self.seat(game)) {
            if seat == learner {
                return;
            }
            let place =
                learner.others(game.seats()).position(|other| other == seat).expect("it is another seat");
            let view = game.observe(&self.state, seat);
            let choice = self.opponents[place].choose(&view, &mut self.opponent_dice);
            let Some(action) = choice.ok().filter(|&action| game.is_legal(&self.state, action)) else {
                self.deal_again(game, learner, Some(seat));
                continue;
            };
            game.play_unchecked(&mut self.state, action, &mut self.chance);
            if game.turn(&self.state) == Turn::Over {
                self.deal_again(game, learner, None);
            }
        }
    }

    /// Records the end of a game and deals the next one.
    fn deal_again(&mut self, game: &G, seat: Seat, forfeit: Option<Seat>) {
        for agent in &mut self.opponents {
            agent.end(game, &self.state, forfeit);
        }
        let scores = game.scores(&self.state);
        let next = game.deal(&mut self.chance);
        let state = std::mem::replace(&mut self.state, next);
        self.ended = Some(Ended { state, scores, seat, forfeit });
        self.games += 1;
        self.begin(game);
    }
}
