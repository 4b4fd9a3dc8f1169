//! Shared by the fuzz targets: bytes as choices, the shipped games, and games played under every invariant.

#![forbid(unsafe_code)]

pub mod boards;

use std::sync::LazyLock;

use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::spec::MapSpec;
use ttr_engine::testing::Inspect;
use ttr_engine::{Dice, Game, Seat, Turn, maps};

/// More decisions than any game may need (I-44).
pub const TOO_LONG: usize = 20_000;

/// The input of a target, read as choices; when it is used up every choice is 0.
#[derive(Clone)]
pub struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    /// Reads choices from these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Returns `true` if nothing is left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        let mut value = usize::from(self.byte());
        if n > 256 {
            value = value << 8 | usize::from(self.byte());
        }
        value % n
    }

    /// One of some things.
    pub fn pick<'t, T>(&mut self, things: &'t [T]) -> &'t T {
        &things[self.below(things.len())]
    }

    /// 64 bits.
    pub fn word(&mut self) -> u64 {
        (0..8).fold(0, |word, _| word << 8 | u64::from(self.byte()))
    }

    /// At most `n` bytes.
    pub fn bytes(&mut self, n: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(n.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// The rest of the bytes.
    pub fn rest(&self) -> &'a [u8] {
        self.0
    }
}

/// Every shipped map at every number of seats, some of them with depots too.
pub static GAMES: LazyLock<Vec<BoardGame>> = LazyLock::new(|| {
    let ids = maps::ids().iter().chain(&["europe+depots", "nordic+depots", "usa+depots"]);
    let maps = ids.map(|id| maps::find(id).expect("shipped maps load"));
    maps.flat_map(|map| {
        (map.seats.min..=map.seats.max)
            .map(|seats| BoardGame::new(&map, seats.into()).expect("the map allows it"))
            .collect::<Vec<_>>()
    })
    .collect()
});

/// The Card Game at every number of seats.
pub static CARD_GAMES: LazyLock<Vec<CardGame>> = LazyLock::new(|| {
    (2..=4).map(|seats| CardGame::new(&maps::card_game(), seats).expect("the game allows it")).collect()
});

/// A map that loads must compile for all its numbers of seats, and games on it must end and keep every
/// invariant.
pub fn check_map(map: &MapSpec, seed: u64) {
    for seats in map.seats.min..=map.seats.max {
        let game = BoardGame::new(map, seats.into()).expect("a map compiles for its seats");
        let mut chooser = Dice::from_parts(&[seed, 1]);
        // Maps that switch the guard against endless play off, or set it high, may have endless play.
        let guarded = (1..=20).contains(&map.rules.no_progress_rounds);
        let most = if guarded { TOO_LONG } else { TOO_LONG / 4 };
        let ended = walk(&game, seed, most, |n| chooser.below(n as u32) as usize);
        assert!(ended || !guarded, "the game does not end (I-44)");
        if guarded {
            let mut state = game.deal(&mut chooser);
            game.playout(&mut state, &mut Dice::from_seed(seed), &mut chooser);
            game.assert_invariants(&state);
        }
    }
}

/// Plays one game under every invariant; `choose` gives the index of an action below their number. Returns
/// `true` if the game ended within `most` decisions.
pub fn walk<G: Inspect>(game: &G, seed: u64, most: usize, mut choose: impl FnMut(usize) -> usize) -> bool {
    let mut chance = Dice::from_seed(seed);
    let mut guesses = Dice::from_parts(&[seed, 2]);
    let mut state = game.deal(&mut chance);
    let mut tracker = G::Tracker::default();
    game.assert_invariants(&state);
    let mut plies = 0;
    while let Turn::Of(_) = game.turn(&state) {
        if plies == most {
            return false;
        }
        let count = game.count_actions(&state);
        let action = game.nth_action(&state, choose(count)).expect("the index is below the count");
        if plies.is_multiple_of(32) || guesses.below(16) == 0 {
            check_views(game, &state, &mut guesses);
            let list = game.actions(&state);
            assert_eq!(list.len(), count, "the list and its count differ");
            assert!(list.contains(&action), "{action:?} is not listed");
            assert_eq!(game.nth_action(&state, count), None);
        }
        let before = state.clone();
        game.play(&mut state, action, &mut chance).expect("listed actions are legal");
        game.assert_invariants(&state);
        game.assert_step(&mut tracker, &before, action, &state);
        plies += 1;
    }
    game.assert_end(&tracker, &state);
    check_views(game, &state, &mut guesses);
    let scores = game.scores(&state);
    assert_eq!((scores.points.len(), scores.ranks.len()), (game.seats(), game.seats()));
    assert!(scores.winners().next().is_some(), "nobody won");
    assert_eq!(game.count_actions(&state), 0, "a finished game offers actions");
    true
}

/// The view of each seat must not change in a determinized world, and that world must be valid.
fn check_views<G: Inspect>(game: &G, state: &G::State, dice: &mut Dice) {
    for seat in Seat::all(game.seats()) {
        let world = game.determinize(&game.observe(state, seat), dice);
        game.assert_invariants(&world);
        assert!(game.facts(&world, seat) == game.facts(state, seat), "{seat} sees another world (I-42)");
        game.scores(&world);
    }
}

/// A position of a random game, and the chance to continue it with.
pub fn position<G: Game>(game: &G, seed: u64, plies: usize) -> (G::State, Dice) {
    let mut chance = Dice::from_seed(seed);
    let mut chooser = Dice::from_parts(&[seed, 1]);
    let mut state = game.deal(&mut chance);
    for _ in 0..plies {
        if game.turn(&state) == Turn::Over {
            break;
        }
        let action = game.random_action(&state, &mut chooser);
        game.play_unchecked(&mut state, action, &mut chance);
    }
    (state, chance)
}

/// Changes, removes, repeats and swaps bytes as chosen by the input.
pub fn damage(bytes: &mut Vec<u8>, input: &mut Input<'_>) {
    for _ in 0..=input.below(6) {
        if bytes.is_empty() {
            return;
        }
        let at = input.below(bytes.len());
        match input.below(6) {
            0 => bytes[at] ^= 1 << input.below(8),
            1 => bytes[at] = input.byte(),
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(at..(at + 1 + input.below(16)).min(bytes.len()))),
            4 => {
                let end = (at + 1 + input.below(16)).min(bytes.len());
                let again = bytes[at..end].to_vec();
                bytes.splice(at..at, again);
            }
            _ => {
                let n = input.below(16);
                bytes.splice(at..at, input.bytes(n).iter().copied());
            }
        }
    }
}
