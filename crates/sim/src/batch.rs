//! Many games in step, for learning: a policy outside decides for all tables at once.
//!
//! A [`Batch`] holds a number of tables. [`Batch::step`] plays one action at each of them, lets opponents
//! move until a learner is to decide again, and deals a new game where one has ended. Every table has its
//! own dice, so results depend only on the seed, not on the number of threads.
//!
//! ```
//! use std::sync::Arc;
//! use ttr_engine::board::BoardGame;
//! use ttr_engine::maps;
//! use ttr_sim::batch::{Batch, BatchOptions, Numbers};
//! let game = BoardGame::new(&maps::load("usa")?, 2)?;
//! let numbers = Arc::new(Numbers::new(Arc::new(game), false));
//! let mut batch = Batch::new(numbers, BatchOptions { tables: 8, ..BatchOptions::default() })?;
//! for _ in 0..200 {
//!     let actions = batch.sample();
//!     batch.step(&actions)?;
//! }
//! assert!(batch.games_played() >= 8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::Arc;

use ttr_agents::{Agent, Forfeit};
use ttr_engine::{
    ActionSpace, Dice, EncodedViews, Encoder, IllegalAction, IndexedActions, Scores, Seat, Turn, View,
};

use crate::bench::cores;
use crate::game::Playable;
use crate::table::entrant::{Entrant, EntrantError};
use crate::table::one_game::legal;
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
}

impl<G> Default for BatchOptions<G> {
    fn default() -> Self {
        Self { tables: 1, seed: 1, threads: 0, opponents: Vec::new() }
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
    /// The opponent that resigned or chose an illegal action, with the reason; the result is then that of
    /// the position so far.
    pub forfeit: Option<(Seat, Forfeit)>,
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
    ended: Option<Box<Ended<G::State>>>,
}

/// A game with its actions and views as numbers.
pub struct Numbers<G: Learnable> {
    /// The game.
    pub game: Arc<G>,
    /// The numbered actions.
    pub space: G::Space,
    /// The encoder of views.
    pub encoder: G::Encoder,
}

impl<G: Learnable> Numbers<G> {
    /// Numbers the actions and views of a game, views perhaps with derived blocks. This takes some time.
    pub fn new(game: Arc<G>, derived: bool) -> Self {
        Self { space: game.action_space(), encoder: game.encoder(derived), game }
    }

    /// Calls `visit` with the index of every legal action of the seat that looks.
    pub fn for_each_index(&self, view: &G::Observation<'_>, mut visit: impl FnMut(usize)) {
        view.for_each_action(|action| {
            visit(self.space.index(action).expect("legal actions have an index"));
        });
    }
}

/// Arrays that a batch writes to, with one row per table. What is not wanted is left out.
#[derive(Default)]
pub struct Frame<'f> {
    /// What the deciding seats see.
    pub views: Option<&'f mut [u8]>,
    /// The same as floats.
    pub floats: Option<&'f mut [f32]>,
    /// 1 for every legal action, 0 for the others.
    pub mask: Option<&'f mut [i8]>,
    /// The same with eight actions per byte, the first in the highest bit, as `numpy.packbits` has it.
    pub packed_mask: Option<&'f mut [u8]>,
    /// The deciding seats.
    pub seats: Option<&'f mut [i8]>,
}

impl Frame<'_> {
    /// Checks that every array has a row per table, of the width of what it is for.
    fn check<G: Learnable>(&self, numbers: &Numbers<G>, tables: usize) {
        let (width, actions) = (numbers.encoder.layout().len(), numbers.space.actions().len());
        let check = |length: Option<usize>, width: usize| {
            assert!(length.is_none_or(|length| length == tables * width), "an array of another length");
        };
        check(self.views.as_ref().map(|array| array.len()), width);
        check(self.floats.as_ref().map(|array| array.len()), width);
        check(self.mask.as_ref().map(|array| array.len()), actions);
        check(self.packed_mask.as_ref().map(|array| array.len()), actions.div_ceil(8));
        check(self.seats.as_ref().map(|array| array.len()), 1);
    }
}

/// Tables that are played in step. See the [module](self).
pub struct Batch<G: Learnable> {
    numbers: Arc<Numbers<G>>,
    tables: Vec<BatchTable<G>>,
    /// The threads, if there are several.
    pool: Option<rayon::ThreadPool>,
    /// The actions of a step that are legal, by table.
    checked: Vec<Option<G::Action>>,
}

impl<G: Learnable> Batch<G> {
    /// Deals at every table.
    ///
    /// # Errors
    /// If there is no table, or an opponent can't be made.
    pub fn new(numbers: Arc<Numbers<G>>, options: BatchOptions<G>) -> Result<Self, BatchError> {
        if options.tables == 0 {
            return Err(BatchError::NoTables);
        }
        let threads = if options.threads == 0 { cores().get() } else { options.threads };
        let pool = (threads > 1).then(|| thread_pool(threads)).transpose()?;
        let table = |number| BatchTable::new(&*numbers.game, &options, number);
        let tables = (0..options.tables as u64).map(table).collect::<Result<_, _>>()?;
        Ok(Self { numbers, tables, pool, checked: Vec::new() })
    }

    /// The game, with its actions and views as numbers.
    pub fn numbers(&self) -> &Numbers<G> {
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
        let mut actions = vec![0; self.tables.len()];
        self.sample_into(&mut actions);
        actions
    }

    /// As [`Batch::sample`], into an array.
    ///
    /// # Panics
    /// If it does not have one place per table.
    pub fn sample_into(&mut self, actions: &mut [i64]) {
        assert_eq!(actions.len(), self.tables.len(), "an array of another length");
        let numbers = &*self.numbers;
        spread(&self.pool, &mut self.tables, actions, &|tables, actions: &mut [i64]| {
            for (table, action) in tables.iter_mut().zip(actions) {
                *action = table.sample(numbers);
            }
        });
    }

    /// Replaces the actions that are not legal by sampled ones. Returns how many they were.
    ///
    /// # Errors
    /// If the number of actions is wrong.
    pub fn make_legal(&mut self, actions: &mut [i64]) -> Result<usize, BatchError> {
        self.check(actions)?;
        let mut replaced = 0;
        for ((table, action), checked) in self.tables.iter_mut().zip(actions).zip(&self.checked) {
            if checked.is_none() {
                *action = table.sample(&self.numbers);
                replaced += 1;
            }
        }
        Ok(replaced)
    }

    /// Plays one action per table. All actions are checked first: after an error, nothing has changed.
    ///
    /// # Errors
    /// If the number of actions is wrong, or an action is not legal.
    pub fn step(&mut self, actions: &[i64]) -> Result<(), BatchError> {
        self.step_into(actions, Frame::default())
    }

    /// Plays one action per table, as [`Batch::step`], and writes what the next deciding seats see.
    ///
    /// # Errors
    /// As [`Batch::step`].
    ///
    /// # Panics
    /// If an array of the frame has another length.
    pub fn step_into(&mut self, actions: &[i64], frame: Frame<'_>) -> Result<(), BatchError> {
        frame.check(&self.numbers, self.tables.len());
        self.check(actions)?;
        if let Some(table) = self.checked.iter().position(Option::is_none) {
            return Err(self.tables[table].refuse(&self.numbers, table, actions[table]));
        }
        let numbers = &*self.numbers;
        let rows = (&mut self.checked[..], frame);
        spread(
            &self.pool,
            &mut self.tables,
            rows,
            &|tables, (actions, frame): (&mut [Option<G::Action>], _)| {
                write_rows(numbers, tables, frame, |row, table| {
                    table.play(&*numbers.game, actions[row].expect("all were checked"));
                });
            },
        );
        Ok(())
    }

    /// Writes what the deciding seats see.
    ///
    /// # Panics
    /// If an array of the frame has another length.
    pub fn write(&mut self, frame: Frame<'_>) {
        frame.check(&self.numbers, self.tables.len());
        let numbers = &*self.numbers;
        spread(&self.pool, &mut self.tables, frame, &|tables, frame: Frame<'_>| {
            write_rows(numbers, tables, frame, |_, _| {});
        });
    }

    /// Looks up the actions of all tables; those that are not legal are left out.
    fn check(&mut self, actions: &[i64]) -> Result<(), BatchError> {
        let (given, tables) = (actions.len(), self.tables.len());
        if given != tables {
            return Err(BatchError::Length { given, tables });
        }
        self.checked.resize(tables, None);
        let numbers = &*self.numbers;
        let rows = (actions, &mut self.checked[..]);
        spread(&self.pool, &mut self.tables, rows, &|tables, (actions, checked): (&[i64], &mut [_])| {
            for ((table, &action), checked) in tables.iter().zip(actions).zip(checked) {
                let found = usize::try_from(action).ok().and_then(|index| numbers.space.action(index));
                *checked = found.filter(|&action| numbers.game.is_legal(&table.state, action));
            }
        });
        Ok(())
    }
}

/// What can be cut in two after some rows.
trait Split: Send + Sized {
    /// The first rows of this many, and the rest.
    fn split(self, rows: usize, of: usize) -> (Self, Self);
}

impl<T: Sync> Split for &[T] {
    fn split(self, rows: usize, of: usize) -> (Self, Self) {
        self.split_at(self.len() / of * rows)
    }
}

impl<T: Send> Split for &mut [T] {
    fn split(self, rows: usize, of: usize) -> (Self, Self) {
        let row = self.len() / of;
        self.split_at_mut(row * rows)
    }
}

impl<S: Split> Split for Option<S> {
    fn split(self, rows: usize, of: usize) -> (Self, Self) {
        self.map(|array| array.split(rows, of)).unzip()
    }
}

impl<A: Split, B: Split> Split for (A, B) {
    fn split(self, rows: usize, of: usize) -> (Self, Self) {
        let ((a, more_a), (b, more_b)) = (self.0.split(rows, of), self.1.split(rows, of));
        ((a, b), (more_a, more_b))
    }
}

impl Split for Frame<'_> {
    fn split(self, rows: usize, of: usize) -> (Self, Self) {
        let (views, more_views) = self.views.split(rows, of);
        let (floats, more_floats) = self.floats.split(rows, of);
        let (mask, more_mask) = self.mask.split(rows, of);
        let (packed_mask, more_packed_mask) = self.packed_mask.split(rows, of);
        let (seats, more_seats) = self.seats.split(rows, of);
        let rest = Self {
            views: more_views,
            floats: more_floats,
            mask: more_mask,
            packed_mask: more_packed_mask,
            seats: more_seats,
        };
        (Self { views, floats, mask, packed_mask, seats }, rest)
    }
}

/// Does some work at all tables, each with its rows, on all threads.
fn spread<T: Send, R: Split>(
    pool: &Option<rayon::ThreadPool>,
    tables: &mut [T],
    rows: R,
    work: &(impl Fn(&mut [T], R) + Sync),
) {
    fn halve<T: Send, R: Split>(
        tables: &mut [T],
        rows: R,
        most: usize,
        work: &(impl Fn(&mut [T], R) + Sync),
    ) {
        if tables.len() <= most {
            return work(tables, rows);
        }
        let (half, all) = (tables.len() / 2, tables.len());
        let (first, rest) = tables.split_at_mut(half);
        let (first_rows, more_rows) = rows.split(half, all);
        rayon::join(|| halve(first, first_rows, most, work), || halve(rest, more_rows, most, work));
    }

    let Some(pool) = pool else { return work(tables, rows) };
    let most = (tables.len() / (8 * pool.current_num_threads())).max(1);
    pool.install(|| halve(tables, rows, most, work));
}

/// Does something at every table, and then writes what its deciding seat sees.
fn write_rows<G: Learnable>(
    numbers: &Numbers<G>,
    tables: &mut [BatchTable<G>],
    frame: Frame<'_>,
    mut first: impl FnMut(usize, &mut BatchTable<G>),
) {
    let Frame { mut views, mut floats, mut mask, mut packed_mask, mut seats } = frame;
    let (width, actions) = (numbers.encoder.layout().len(), numbers.space.actions().len());
    let packed = actions.div_ceil(8);
    let mut bytes = vec![0; if floats.is_some() { width } else { 0 }];
    for (row, table) in tables.iter_mut().enumerate() {
        first(row, table);
        let view = table.view(&*numbers.game);
        if let Some(floats) = &mut floats {
            numbers.encoder.encode(&view, &mut bytes);
            numbers.encoder.layout().scale(&bytes, &mut floats[row * width..][..width]);
        }
        if let Some(views) = &mut views {
            numbers.encoder.encode(&view, &mut views[row * width..][..width]);
        }
        if let Some(mask) = &mut mask {
            let mask = &mut mask[row * actions..][..actions];
            mask.fill(0);
            numbers.for_each_index(&view, |index| mask[index] = 1);
        }
        if let Some(mask) = &mut packed_mask {
            let mask = &mut mask[row * packed..][..packed];
            mask.fill(0);
            numbers.for_each_index(&view, |index| mask[index / 8] |= 0x80 >> (index % 8));
        }
        if let Some(seats) = &mut seats {
            seats[row] = view.seat().index() as i8;
        }
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

    /// The dice of deals and draws.
    pub fn chance(&self) -> &Dice {
        &self.chance
    }

    /// The view of the seat to decide.
    pub fn view<'s>(&'s self, game: &'s G) -> G::Observation<'s> {
        game.observe(&self.state, self.seat(game))
    }

    /// A legal action, each equally likely.
    fn sample(&mut self, numbers: &Numbers<G>) -> i64 {
        let action = numbers.game.random_action(&self.state, &mut self.samples);
        numbers.space.index(action).expect("legal actions have an index") as i64
    }

    /// Why an action can't be played.
    fn refuse(&self, numbers: &Numbers<G>, table: usize, action: i64) -> BatchError {
        let last = numbers.space.actions().len() - 1;
        let found = usize::try_from(action).ok().and_then(|index| numbers.space.action(index));
        let Some(found) = found else { return BatchError::Unknown { table, action, last } };
        match numbers.game.check(&self.state, found) {
            Err(why) => BatchError::Illegal { table, action, why },
            Ok(()) => unreachable!("it was not legal"),
        }
    }

    /// The game that ended in the last step, if one did.
    pub fn ended(&self) -> Option<&Ended<G::State>> {
        self.ended.as_deref()
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
            let action = match choice.and_then(|action| legal(game, &self.state, action)) {
                Ok(action) => action,
                Err(why) => {
                    self.deal_again(game, learner, Some((seat, why)));
                    continue;
                }
            };
            game.play_unchecked(&mut self.state, action, &mut self.chance);
            if game.turn(&self.state) == Turn::Over {
                self.deal_again(game, learner, None);
            }
        }
    }

    /// Records the end of a game and deals the next one.
    fn deal_again(&mut self, game: &G, seat: Seat, forfeit: Option<(Seat, Forfeit)>) {
        let loser = forfeit.as_ref().map(|&(seat, _)| seat);
        for agent in &mut self.opponents {
            agent.end(game, &self.state, loser);
        }
        let scores = game.scores(&self.state);
        let next = game.deal(&mut self.chance);
        let state = std::mem::replace(&mut self.state, next);
        self.ended = Some(Box::new(Ended { state, scores, seat, forfeit }));
        self.games += 1;
        self.begin(game);
    }
}
