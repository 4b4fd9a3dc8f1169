//! Any line as the answer of a process, at some position: an action, or an error that can be put into a record.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ttr_engine::{Game, Turn, View};
use ttr_fuzz::{GAMES, Input, position};
use ttr_sim::exec::{Answer, parse_answer};

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let game = input.pick(&GAMES);
    let (state, _) = position(game, u64::from(input.byte()), input.below(400));
    let Turn::Of(seat) = game.turn(&state) else { return };
    let view = game.observe(&state, seat);
    let actions = view.count_actions();
    match parse_answer(input.rest(), actions) {
        Ok(Answer::Index(index)) => assert!(view.nth_action(index).is_some(), "{index} of {actions}"),
        Ok(Answer::Action(text)) => {
            if let Ok(action) = view.parse_action(&text) {
                let listed = game.actions(&state).contains(&action);
                assert_eq!(view.check(action).is_ok(), listed, "{text:?}");
            }
        }
        Err(error) => {
            let error = error.to_string();
            assert!(!error.contains(char::is_control), "{error:?}");
            assert!(error.chars().count() < 2000, "{error:?}");
        }
    }
});
