//! The Card Game at every number of seats and with every option, everything checked after every decision.

use ttr_engine::card_game::CardGame;
use ttr_engine::spec::{Assignment, CardGameRules, LastTurnDraw, TrackVisible};
use ttr_engine::testing::{Census, conform};
use ttr_engine::{Dice, Game, Turn, maps};

const GAMES: u64 = 2_000;

fn played(seats: usize, games: u64, change: impl FnOnce(&mut CardGameRules)) -> Census {
    let mut spec = maps::card_game();
    change(&mut spec.rules);
    let census = conform(&CardGame::new(&spec, seats).unwrap(), 0..games);
    println!("{seats} seats: {:#?}", census.0);
    census
}

fn reached(census: &Census, what: &[&str]) {
    for what in what {
        assert!(census.of(what) > 0, "\"{what}\" never happened");
    }
}

/// Not among them: a forced pass, for which cards, market and tickets must all be gone in a last turn. With
/// the market closed then it happens, see `options`; with it open, `forced_pass` in
/// `card_game/turns.rs` is a script.
const RARE: [&str; 15] = [
    "keep",
    "keep none",
    "take blind",
    "take face up",
    "take a face-up locomotive",
    "row with locomotives",
    "three-colour play",
    "robbed row",
    "robbed row with locomotives",
    "deck emptied by a blind draw",
    "deck emptied by a refill",
    "card taken in a last turn",
    "ticket drawn from the bottom",
    "empty ticket deck",
    "end: last turns",
];

#[test]
fn two_seats() {
    reached(&played(2, GAMES, |_| {}), &RARE);
}

#[test]
fn three_seats() {
    reached(&played(3, GAMES, |_| {}), &RARE);
}

#[test]
fn four_seats() {
    let census = played(4, GAMES, |_| {});
    reached(&census, &RARE);
    reached(&census, &["round 2", "batch broken by another seat"]);
}

#[test]
fn options() {
    let all = |rules: &mut CardGameRules| {
        rules.may_stop_after_one = true;
        rules.last_turn_draw = LastTurnDraw::None;
        rules.assignment = Assignment::PlayerChoice;
        rules.track_visible = TrackVisible::Owner;
        rules.no_progress_rounds = 1;
    };
    for seats in 2..=4 {
        let census = played(seats, 500, all);
        reached(&census, &["stop after one card", "complete a ticket", "complete no more", "forced pass"]);
        assert_eq!(census.of("card taken in a last turn"), 0);
    }
    for assignment in [Assignment::AutoValue, Assignment::AutoCount] {
        played(4, 500, |rules| rules.assignment = assignment);
    }
}

/// All points of many random games: whoever changes one of these numbers has changed the game, or its
/// chance.
#[test]
fn golden_checksum() {
    let points = [2, 3, 4].map(|seats| {
        let game = CardGame::new(&maps::card_game(), seats).unwrap();
        let mut points = 0;
        for seed in 0..2_000 {
            let mut dice = Dice::from_seed(seed);
            let mut state = game.deal(&mut dice);
            while let Turn::Of(_) = game.turn(&state) {
                let action = game.random_action(&state, &mut dice);
                game.play_unchecked(&mut state, action, &mut dice);
            }
            points += game.scores(&state).points.iter().map(|&points| i32::from(points)).sum::<i32>();
        }
        points
    });
    assert_eq!(points, [583_461, 443_935, 585_297], "2, 3 and 4 seats");
}
