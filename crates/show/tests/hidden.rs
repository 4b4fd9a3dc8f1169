//! Nothing hidden reaches another seat: not through views, events, or the words of an action.

mod support;

use std::collections::BTreeMap;

use serde_json::Value as Json;
use support::{boards, card_games, each_chosen_step, each_step};
use ttr_engine::board::{Action, BoardGame, State};
use ttr_engine::{Dice, Game, Seat, Step, maps};
use ttr_show::{Event, Move, Show};

/// Worlds that look the same to a seat give it the same view, as data, JSON and text.
fn assert_views_leak_nothing<G: Show>(game: &G) {
    let mut dice = Dice::from_seed(2);
    let mut different = 0;
    each_step(game, 1, |step| {
        for seat in Seat::all(game.seats()) {
            let world = game.determinize(&game.observe(&step.after, seat), &mut dice);
            different += usize::from(world != step.after);
            let [true_view, other] = [&step.after, &world].map(|state| game.position(state, Some(seat)));
            assert_eq!(true_view, other);
            assert_eq!(true_view.to_string(), other.to_string());
            let json = serde_json::to_value(&true_view).unwrap();
            assert_eq!(json, serde_json::to_value(&other).unwrap());
            // A seat's entry contains public knowledge, and no list of its cards or tickets.
            for keys in json["seats"].as_array().unwrap().iter().filter_map(Json::as_object) {
                assert!(!keys.contains_key("hand") && !keys.contains_key("tickets"), "{keys:?}");
            }
        }
    });
    assert!(different > 50, "{}: the test would see nothing", game.map_id());
}

#[test]
fn views_of_boards() {
    boards().iter().for_each(assert_views_leak_nothing);
}

#[test]
fn views_of_the_card_game() {
    card_games().iter().for_each(assert_views_leak_nothing);
}

/// Number of comparisons of a step with one in which something hidden went differently, by the first words
/// of the action.
type Compared = BTreeMap<String, usize>;

/// Steps that look the same to a seat, but in which other cards or tickets were drawn, kept, stored or
/// completed, have the same events and the same text.
fn assert_steps_leak_nothing<G: Show>(
    game: &G,
    seed: u64,
    choose: impl FnMut(&G::State, &mut Dice) -> G::Action,
    compared: &mut Compared,
) {
    let mut dice = Dice::from_parts(&[seed, 2]);
    each_chosen_step(game, seed, choose, |step| {
        let text = game.write_action(&step.before, step.action);
        let kind = text.split(' ').take(if text.starts_with("take blind") { 2 } else { 1 });
        let kind = kind.collect::<Vec<_>>().join(" ");
        for seat in step.by.others(game.seats()) {
            let mut world = game.determinize(&game.observe(&step.before, seat), &mut dice);
            if !game.is_legal(&world, step.action) {
                continue;
            }
            let other = Step::play(game, &mut world, step.action, &mut dice);
            let [seen, seen_there] = [step, &other].map(|step| step.seen_by(game, seat));
            let views = [&step.after, &other.after].map(|state| game.position(state, Some(seat)));
            if views[0] != views[1] || seen.table != seen_there.table {
                continue;
            }
            assert_eq!(G::events(&seen), G::events(&seen_there), "{}: {text}", game.map_id());
            assert_eq!(seen.write_action(), seen_there.write_action());
            if step.after != other.after {
                *compared.entry(kind.clone()).or_default() += 1;
            }
        }
    });
}

#[track_caller]
fn assert_seen(compared: &Compared, kinds: &[&str]) {
    for &kind in kinds {
        assert!(compared.get(kind).is_some_and(|&n| n >= 20), "{kind}: the test saw {compared:?}");
    }
}

#[test]
fn steps_of_boards() {
    let mut compared = Compared::new();
    for game in boards() {
        let random = |state: &State, dice: &mut Dice| game.random_action(state, dice);
        assert_steps_leak_nothing(&game, 5, random, &mut compared);
    }
    // A seat that places depots at random has none left to collect with.
    let game = BoardGame::new(&maps::find("usa+depots").unwrap(), 3).unwrap();
    let collecting = |state: &State, dice: &mut Dice| {
        let actions = game.actions(state);
        let first = |wanted: fn(&Action) -> bool| actions.iter().copied().find(wanted);
        let any = || game.random_action(state, dice);
        first(|action| matches!(action, Action::Collect(_)))
            .or_else(|| first(|action| *action == Action::Done))
            .or_else(|| first(|action| matches!(action, Action::Claim { .. })))
            .or_else(|| first(|action| matches!(action, Action::Store(_))))
            .unwrap_or_else(any)
    };
    for seed in 0..8 {
        assert_steps_leak_nothing(&game, seed, collecting, &mut compared);
    }
    assert_seen(&compared, &["keep", "tickets", "take blind", "swap", "store", "collect"]);
}

#[test]
fn steps_of_the_card_game() {
    let mut compared = Compared::new();
    for game in card_games() {
        for seed in 0..4 {
            let random = |state: &_, dice: &mut Dice| game.random_action(state, dice);
            assert_steps_leak_nothing(&game, seed, random, &mut compared);
        }
    }
    assert_seen(&compared, &["keep", "tickets", "take blind", "complete"]);
}

/// A seat is shown nothing hidden of others' actions, and everything of its own.
fn assert_secrets_are_missing<G: Show>(game: &G) {
    let mut secrets = 0;
    each_step(game, 3, |step| {
        for seat in Seat::all(game.seats()) {
            for event in G::events(&step.seen_by(game, seat)) {
                let shown = match &event {
                    Event::Drawn { cards, .. } => cards.is_some(),
                    Event::Offered { tickets, .. }
                    | Event::Dealt { tickets, .. }
                    | Event::Decision { chosen: Move::Keep { tickets, .. }, .. } => tickets.is_some(),
                    Event::Decision { chosen: Move::Complete { .. } | Move::StopCompleting, .. } => true,
                    _ => continue,
                };
                assert_eq!(shown, seat == step.by, "{event:?}");
                secrets += 1;
            }
        }
    });
    assert!(secrets > 20, "{}: the test would see nothing", game.map_id());
}

#[test]
fn secrets_are_missing() {
    boards().iter().for_each(assert_secrets_are_missing);
    card_games().iter().for_each(assert_secrets_are_missing);
}
