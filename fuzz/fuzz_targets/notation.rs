//! Any text as an action at some position, and damaged texts of whole games: text that parses is written
//! back the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ttr_engine::board::{Action, BoardGame, State};
use ttr_engine::{Dice, Game, Notation, Replay, Turn};
use ttr_fuzz::{GAMES, Input, damage, position};

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let game = input.pick(&GAMES);
    let seed = u64::from(input.byte());
    match input.byte() % 8 {
        0 => whole_game(game, seed, input),
        1..4 => {
            // A legal action with a few bytes changed.
            let (state, mut chance) = position(game, seed, input.below(400));
            if game.turn(&state) == Turn::Over {
                return;
            }
            let count = game.count_actions(&state);
            let action = game.nth_action(&state, input.below(count)).expect("the index is below the count");
            let text = game.write_action(&state, action);
            assert_eq!(game.parse_action(&state, &text), Ok(action), "{text}");
            let mut text = text.into_bytes();
            damage(&mut text, &mut input);
            check(game, state, &String::from_utf8_lossy(&text), &mut chance);
        }
        _ => {
            let (state, mut chance) = position(game, seed, input.below(400));
            check(game, state, &String::from_utf8_lossy(input.rest()), &mut chance);
        }
    }
});

fn check(game: &BoardGame, mut state: State, text: &str, chance: &mut Dice) {
    let Ok(action) = game.parse_action(&state, text) else { return };
    let written = game.write_action(&state, action);
    assert_eq!(game.parse_action(&state, &written), Ok(action), "{text:?} was written as {written:?}");
    let listed = game.actions(&state).contains(&action);
    assert_eq!(game.is_legal(&state, action), listed, "{text:?}");
    let before = state;
    if game.play(&mut state, action, chance).is_err() {
        assert!(state == before, "{text:?} was refused, but changed the state");
    }
}

fn whole_game(game: &BoardGame, seed: u64, mut input: Input<'_>) {
    let replay: Replay<Action> =
        Replay::play(game, seed, ["random"], |game, state, dice| game.random_action(state, dice)).unwrap();
    let text = replay.to_text(game).expect("it was played");
    let mut text = text.into_bytes();
    damage(&mut text, &mut input);
    let Ok(read) = Replay::<Action>::from_text(game, &String::from_utf8_lossy(&text)) else { return };
    assert!(read.verify(game).is_ok());
    let again = read.to_text(game).expect("it verifies");
    assert_eq!(Replay::from_text(game, &again).as_ref(), Ok(&read));
}
