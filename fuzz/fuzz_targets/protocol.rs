//! Any line as the answer of a process, at some position: an action that every seat is shown without its
//! secrets, or an error that can be written to a record.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ttr_agents::Forfeit;
use ttr_engine::plain_text::is_printable;
use ttr_engine::{Dice, Seat, Step, Turn, View};
use ttr_fuzz::{CARD_GAMES, GAMES, Input, position};
use ttr_show::Show;
use ttr_sim::exec::{Answer, parse_answer};

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    if input.below(8) == 0 {
        answer(input.pick(&CARD_GAMES), input);
    } else {
        answer(input.pick(&GAMES), input);
    }
});

fn answer<G: Show>(game: &G, mut input: Input<'_>) {
    let (state, chance) = position(game, u64::from(input.byte()), input.below(400));
    let Turn::Of(seat) = game.turn(&state) else { return };
    let view = game.observe(&state, seat);
    let actions = view.count_actions();
    // All question numbers are alike to a bot; small ones let the fuzzer hit them.
    let id = u64::from(input.byte() % 4);
    let line = input.rest();
    let answer = parse_answer(line, id, actions);
    if let (Ok(_), Ok(serde_json::Value::Object(object))) = (&answer, serde_json::from_slice(line)) {
        assert!(object.get("id").is_none_or(|given| given.as_u64() == Some(id)), "a wrong id was taken");
    }
    match answer {
        Ok(Answer::Index(index)) => {
            let action = view.nth_action(index).unwrap_or_else(|| panic!("{index} of {actions}"));
            check_step(game, &state, action, chance);
        }
        Ok(Answer::Action(text)) => match view.parse_action(&text) {
            Ok(action) => {
                let legal = view.check(action).is_ok();
                assert_eq!(legal, game.actions(&state).contains(&action), "{text:?}");
                if legal {
                    check_step(game, &state, action, chance);
                }
            }
            Err(error) => check_reason(&error.to_string()),
        },
        Err(error) => check_reason(&error.to_string()),
    }
}

/// Checks the JSON lines that every seat is sent about a decision: the same in worlds that look the same.
fn check_step<G: Show>(game: &G, state: &G::State, action: G::Action, mut chance: Dice) {
    let mut after = state.clone();
    let step = Step::play(game, &mut after, action, &mut chance);
    for seat in Seat::all(game.seats()) {
        let seen = step.seen_by(game, seat);
        let events = serde_json::to_string(&G::events(&seen)).expect("events are plain data");
        let view = |state| serde_json::to_string(&game.position(state, Some(seat))).expect("plain data");
        let sent = view(&after);
        assert!(!events.contains('\n') && !sent.contains('\n'));
        let world = game.determinize(&seen.after, &mut chance);
        assert_eq!(sent, view(&world), "{seat} sees another world");
        if seat != step.by {
            let text = seen.write_action();
            let secret = text.starts_with("keep") || text.starts_with("complete");
            assert_eq!(secret, text.ends_with("(hidden)"), "{text}");
        }
    }
}

/// An error is a reason on one short printable line.
fn check_reason(why: &str) {
    let reason = Forfeit::new(why).to_string();
    assert!(reason.chars().all(is_printable), "{reason:?}");
    assert!(reason.chars().count() <= 403, "{reason:?}");
}
