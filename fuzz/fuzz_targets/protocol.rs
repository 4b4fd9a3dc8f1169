//! Any line as the answer of a process, at some position: an action, or an error that can be put into a record.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ttr_agents::Forfeit;
use ttr_engine::plain_text::is_printable;
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
    // Every number of a question looks alike to a bot; small ones let the fuzzer hit it.
    let id = u64::from(input.byte() % 4);
    let line = input.rest();
    let answer = parse_answer(line, id, actions);
    if let (Ok(_), Ok(serde_json::Value::Object(object))) = (&answer, serde_json::from_slice(line)) {
        assert!(object.get("id").is_none_or(|given| given.as_u64() == Some(id)), "a wrong id was taken");
    }
    match answer {
        Ok(Answer::Index(index)) => assert!(view.nth_action(index).is_some(), "{index} of {actions}"),
        Ok(Answer::Action(text)) => {
            match view.parse_action(&text) {
                Ok(action) => {
                    let listed = game.actions(&state).contains(&action);
                    assert_eq!(view.check(action).is_ok(), listed, "{text:?}");
                }
                Err(error) => check_reason(&error.to_string()),
            }
        }
        Err(error) => check_reason(&error.to_string()),
    }
});

/// What goes wrong is a reason of one short printable line.
fn check_reason(why: &str) {
    let reason = Forfeit::new(why).to_string();
    assert!(reason.chars().all(is_printable), "{reason:?}");
    assert!(reason.chars().count() <= 403, "{reason:?}");
}
