//! The conformance suite: the promises of every [`Game`], checked after every decision of many random games.
//!
//! A game joins by implementing [`Inspect`]: its invariants, and all conceivable actions to compare the list of
//! legal actions with. A failure names the map, the seats and the seed of the game that shows it.

mod board;
mod board_table;
mod card_game;
mod card_table;
mod table;

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use crate::action_space::{ActionFields, ActionSpace, IndexedActions};
use crate::chance::{Chance, Dice, Recorder, Script};
use crate::encode::{EncodedViews, Encoder};
use crate::game::{Game, Turn};
use crate::notation::Notation;
use crate::pieces::Seat;
use crate::replay::Replay;

pub use board::conceivable_actions;
pub use board_table::payment;
pub use card_game::CardGameTracker;
pub use table::{Table, cards, no_chance};

/// A game as the suite needs it, beyond playing.
pub trait Inspect: Notation + IndexedActions + EncodedViews {
    /// Facts that are followed through one game, such as who started the final round.
    type Tracker: Default;

    /// Panics if a position breaks an invariant of the rules.
    fn assert_invariants(&self, state: &Self::State);

    /// Panics if a step from one decision to the next breaks one.
    fn assert_step(
        &self,
        tracker: &mut Self::Tracker,
        before: &Self::State,
        action: Self::Action,
        after: &Self::State,
    );

    /// Panics if the end of a game breaks one.
    fn assert_end(&self, tracker: &Self::Tracker, state: &Self::State);

    /// All actions that could ever be meant, legal and illegal ones, also some that make no sense.
    fn conceivable_actions(&self, state: &Self::State) -> Vec<Self::Action>;

    /// Whether actions of this kind are so numerous that a random player would do little else. Games take
    /// them rarely, so that others get their turn.
    fn crowds_out(&self, _state: &Self::State, _action: Self::Action) -> bool {
        false
    }

    /// All that an observation reveals, in a form that can be compared.
    fn facts(&self, state: &Self::State, seat: Seat) -> String;

    /// Rare things that happened in a step, for the census.
    fn census(
        &self,
        tracker: &Self::Tracker,
        before: &Self::State,
        action: Self::Action,
        after: &Self::State,
        census: &mut Census,
    );
}

/// Numbers of rare events, by name.
#[derive(Clone, Debug, Default)]
pub struct Census(pub BTreeMap<&'static str, u64>);

impl Census {
    /// Counts something once.
    pub fn count(&mut self, what: &'static str) {
        *self.0.entry(what).or_default() += 1;
    }

    /// The number of times that something was counted.
    pub fn of(&self, what: &str) -> u64 {
        self.0.get(what).copied().unwrap_or(0)
    }

    /// Adds another census.
    pub fn add(&mut self, other: &Self) {
        for (what, n) in &other.0 {
            *self.0.entry(what).or_default() += n;
        }
    }
}

/// Plays a range of seeds at random and asserts everything. Returns the numbers of rare events.
///
/// # Panics
/// If the game breaks a promise; the message names the seed.
pub fn conform<G: Inspect>(game: &G, seeds: Range<u64>) -> Census {
    let mut census = Census::default();
    let numbers = Numbering { space: game.action_space(), encoder: game.encoder(true) };
    assert_numbering::<G>(&numbers.space);
    for seed in seeds {
        let _here = Here { map: game.map_id(), seats: game.seats(), seed };
        conform_game(game, &numbers, seed, &mut census);
    }
    census
}

/// Actions and views of a game as numbers.
struct Numbering<G: Inspect> {
    space: G::Space,
    encoder: G::Encoder,
}

/// Every numbered action has its own number, and parts of its own.
fn assert_numbering<G: Inspect>(space: &G::Space) {
    for (index, &action) in space.actions().iter().enumerate() {
        assert_eq!(space.index(action), Some(index), "the index of {action:?}");
    }
    let mut fields: Vec<_> = space.actions().iter().map(|&action| G::Space::fields(action)).collect();
    let key = |fields: &ActionFields| format!("{fields:?}");
    fields.sort_by_cached_key(key);
    fields.dedup();
    assert_eq!(fields.len(), space.actions().len(), "two actions have the same parts");
}

/// Names the game that was being played if a check panics.
struct Here<'g> {
    map: &'g str,
    seats: usize,
    seed: u64,
}

impl Drop for Here<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("this happened on {} with {} seats and seed {}", self.map, self.seats, self.seed);
        }
    }
}

/// Decisions that no game of ours may need more of (I-44).
const TOO_LONG: usize = 20_000;

fn conform_game<G: Inspect>(game: &G, numbers: &Numbering<G>, seed: u64, census: &mut Census) {
    let mut chance = Recorder::new(Dice::from_seed(seed));
    let mut dice = Dice::from_parts(&[seed, 0xc0]);
    let mut state = game.deal(&mut chance);
    let mut tracker = G::Tracker::default();
    let mut actions = Vec::new();
    game.assert_invariants(&state);
    while let Turn::Of(_) = game.turn(&state) {
        assert!(actions.len() < TOO_LONG, "the game does not end (I-44)");
        // The expensive checks take place now and then, at positions that differ from game to game.
        let action = assert_actions(game, &numbers.space, &state, &mut dice);
        if dice.below(60) == 0 {
            assert_hidden(game, &numbers.encoder, &state, &mut dice);
        }
        if dice.below(100) == 0 {
            assert_text(game, &state, &mut dice);
        }
        if dice.below(3000) == 0 {
            assert_space(game, &state);
        }
        let before = state.clone();
        game.play(&mut state, action, &mut chance).expect("listed actions are legal (I-43)");
        actions.push(action);
        game.assert_invariants(&state);
        game.assert_step(&mut tracker, &before, action, &state);
        game.census(&tracker, &before, action, &state, census);
    }
    game.assert_end(&tracker, &state);
    assert_eq!(game.count_actions(&state), 0, "a finished game offers actions");
    let scores = game.scores(&state);
    assert_eq!(scores.points.len(), game.seats());
    assert!(scores.winners().next().is_some(), "nobody won");

    // I-43: the same events and actions give the same game.
    let mut script = Script::new(chance.events().iter().copied());
    let again = play_again(game, &actions, &mut script);
    script.assert_exhausted();
    assert_eq!(again, state, "the same events and actions gave another game (I-43)");
    if seed.is_multiple_of(16) {
        assert_replay(game, seed, actions, &state);
    }
}

fn play_again<G: Game>(game: &G, actions: &[G::Action], chance: &mut impl Chance) -> G::State {
    let mut state = game.deal(chance);
    for &action in actions {
        game.play_unchecked(&mut state, action, chance);
    }
    state
}

/// The list of actions against counting and indexing, now and then; returns a random one of them.
fn assert_actions<G: Inspect>(game: &G, space: &G::Space, state: &G::State, dice: &mut Dice) -> G::Action {
    let count = game.count_actions(state);
    assert!(count > 0, "no action to take");
    let mut n = dice.below(count as u32) as usize;
    let mut action = game.nth_action(state, n).expect("n is below the number of actions");
    let crowded_out = game.crowds_out(state, action) && dice.below(25) > 0;
    if crowded_out || dice.below(8) == 0 {
        let list = game.actions(state);
        assert_eq!(list.len(), count, "the list and its count differ");
        assert_eq!(action, list[n], "action {n} of the list");
        assert_eq!(game.nth_action(state, count), None);
        for &action in &list {
            assert!(space.index(action).is_some(), "{action:?} is legal and has no index");
        }
        if crowded_out {
            let others: Vec<_> = (0..count).filter(|&n| !game.crowds_out(state, list[n])).collect();
            if !others.is_empty() {
                n = others[dice.below(others.len() as u32) as usize];
                action = list[n];
            }
        }
    }
    action
}

/// The list of actions against the whole action space, one by one.
fn assert_space<G: Inspect>(game: &G, state: &G::State) {
    let list = game.actions(state);
    for (n, &listed) in list.iter().enumerate() {
        assert_eq!(game.nth_action(state, n), Some(listed), "action {n} of the list");
        assert!(game.is_legal(state, listed), "{listed:?} is listed, but not legal");
    }
    let listed: HashSet<_> = list.iter().copied().collect();
    assert_eq!(listed.len(), list.len(), "an action is listed twice");
    for action in game.conceivable_actions(state) {
        let mut untouched = state.clone();
        if listed.contains(&action) {
            assert!(game.is_legal(state, action), "{action:?} is listed, but not legal");
        } else {
            // I-43: refused without change.
            let refused = game.play(&mut untouched, action, &mut Script::new([]));
            assert!(refused.is_err(), "{action:?} is legal, but not listed");
            assert!(untouched == *state, "{action:?} was refused, but changed the state");
        }
    }
}

/// Views do not depend on what their seats may not see, and guessed worlds are sound (I-42).
fn assert_hidden<G: Inspect>(game: &G, encoder: &G::Encoder, state: &G::State, dice: &mut Dice) {
    let encoded = |state: &G::State, seat| {
        let mut bytes = vec![0xff; encoder.layout().len()];
        encoder.encode(&game.observe(state, seat), &mut bytes);
        bytes
    };
    for seat in Seat::all(game.seats()) {
        let world = game.determinize(&game.observe(state, seat), dice);
        game.assert_invariants(&world);
        assert_eq!(game.facts(&world, seat), game.facts(state, seat), "{seat} sees another world (I-42)");
        assert!(encoded(&world, seat) == encoded(state, seat), "the encoding for {seat} shows hidden cards");
        // The same dice and the same view must give the same world, whatever the truth is.
        let same_dice = dice.next_u64();
        let guess = |s| game.determinize(&game.observe(s, seat), &mut Dice::from_seed(same_dice));
        assert_eq!(guess(state), guess(&world), "the guess of {seat} depends on hidden cards");
        assert!(game.count_actions(&world) > 0, "a guess of {seat} in which nothing can be done");
        if game.turn(state) == Turn::Of(seat) {
            assert_eq!(game.actions(&world), game.actions(state), "{seat} would have other actions");
        }
    }
}

/// Legal actions have a text that parses back.
fn assert_text<G: Inspect>(game: &G, state: &G::State, dice: &mut Dice) {
    for _ in 0..8 {
        let action = game.random_action(state, dice);
        let text = game.write_action(state, action);
        assert_eq!(game.parse_action(state, &text), Ok(action), "{text}");
    }
}

fn assert_replay<G: Inspect>(game: &G, seed: u64, actions: Vec<G::Action>, end: &G::State) {
    let mut all = actions.into_iter();
    let replay = Replay::play(game, seed, ["random"], |_, _, _| all.next().expect("the game is as long"));
    let replay = replay.expect("every action was legal");
    assert_eq!(*replay.points, *game.scores(end).points);
    let loaded = Replay::from_bytes(&replay.to_bytes()).expect("what was written can be read");
    assert_eq!(loaded, replay);
    assert!(loaded.verify(game).is_ok());
    let text = replay.to_text(game).expect("the game is legal");
    assert_eq!(Replay::from_text(game, &text).as_ref(), Ok(&replay));
}
