//! Depots as a free action, and passes.

use ttr_engine::CardKind::*;
use ttr_engine::board::{Action, Ending, Phase};
use ttr_engine::testing::{Table, cards};
use ttr_engine::{Dice, Game, Seat};

use super::{before_first_depots, europe, tickets, tiny_with_depots, with_depots};
use crate::guards::nothing_to_do;
use crate::{MARKET, assert_wrong_moment, forbidden_by, variant};

/// any number of depots before the action and after it, as long as the reserve has some.
#[test]
fn x_9_any_number_before_and_after() {
    let game = with_depots("europe", 2);
    let mut table = europe(&game);
    table.market(MARKET).hand(0, [(Purple, 1)]);
    table.play("depot Roma", []).unwrap().play("depot Wien", []).unwrap();
    assert_eq!((table.seat(), table.phase()), (0, Phase::Main), "the action is still to come");
    table.play("claim Dieppe-Paris in purple", []).unwrap();
    assert_eq!((table.seat(), table.phase()), (0, Phase::AfterAction));
    table.play("depot Berlin", []).unwrap();
    assert_eq!((table.seat(), table.phase()), (0, Phase::AfterAction));
    table.play("depot Danzig", []).unwrap();
    assert_eq!((table.seat(), table.phase(), table.reserve_of(0)), (1, Phase::Main, 0), "none is left");
    assert_eq!(table.depots_of(0), ["Edinburgh", "Roma", "Wien", "Berlin", "Danzig"]);
    // Without a reserve there is nothing to place, before or after.
    table.turn(0);
    assert_eq!(table.actions_like("depot"), [""; 0]);
    assert_eq!(forbidden_by(table.play("depot Sofia", [])), "X-3, X-9");
    table.play("store 1", cards([Red])).unwrap();
    table.play("take blue", cards([Red])).unwrap().play("take white", cards([Red])).unwrap();
    assert_eq!((table.seat(), table.phase()), (1, Phase::Main));
}

/// placing is no action: the turn goes on, and ends only by an action, after which placing is optional.
#[test]
fn x_9_placing_is_never_an_action() {
    let game = with_depots("europe", 2);
    let mut table = europe(&game);
    table.market(MARKET);
    table.play("depot Roma", []).unwrap();
    assert_wrong_moment(table.play("done", []));
    assert_eq!(forbidden_by(table.play("pass", [])), "CC-6");
    table.play("store 1", cards([Red])).unwrap();
    table.play("take blind", cards([Red])).unwrap().play("take blind", cards([Red])).unwrap();
    // All that is left is to place or not.
    assert_eq!(table.actions().len(), 44 + 1);
    assert_wrong_moment(table.play("store 1", []));
    assert_wrong_moment(table.play("take blind", []));
    assert_wrong_moment(table.play("tickets", []));
    assert_wrong_moment(table.play("pass", []));
    table.play("done", []).unwrap();
    assert_eq!((table.seat(), table.phase(), table.reserve_of(0)), (1, Phase::Main, 3));
}

/// not in the middle of a draw, of a choice of tickets or of a tunnel, but after each of them.
#[test]
fn x_9_not_in_the_middle_of_an_action() {
    let game = with_depots("europe", 2);
    let mut start = europe(&game);
    start.market([White, White, Orange, Orange, Orange]).hand(0, [(Blue, 5)]);

    let mut table = start.clone();
    table.play("store 2", cards([Red])).unwrap();
    assert_wrong_moment(table.play("depot Roma", []));
    table.play("take blind", cards([Red])).unwrap();
    assert_wrong_moment(table.play("depot Roma", []));
    assert_eq!(table.actions_like("depot").len() + table.actions_like("done").len(), 0);
    table.play("take blind", cards([Red])).unwrap().play("depot Roma", []).unwrap();

    let mut table = start.clone();
    let draws = ["Kyiv-Sochi", "Essen-Kyiv", "Roma-Smyrna"].map(|name| table.draws(name));
    table.play("tickets", draws).unwrap();
    assert_wrong_moment(table.play("depot Roma", []));
    table.play("keep Kyiv-Sochi", []).unwrap().play("depot Roma", []).unwrap();

    for answer in ["pay", "decline"] {
        let mut table = start.clone();
        table.play("claim Munchen-Venezia in blue", cards([Blue, Red, Red])).unwrap();
        assert_wrong_moment(table.play("depot Roma", []));
        table.play(answer, []).unwrap().play("depot Roma", []).unwrap();
        assert_eq!((table.seat(), table.phase()), (0, Phase::AfterAction));
    }
    // A tunnel that can't be paid, and a station.
    let mut table = start.clone();
    table.play("claim Munchen-Venezia in blue", cards([Blue; 3])).unwrap();
    assert!(matches!(table.phase(), Phase::Tunnel { extra: 3 }));
    let mut table = start.clone();
    table.hand(0, [(Yellow, 2)]);
    table.play("claim Munchen-Zurich in yellow", cards([Yellow; 3])).unwrap();
    assert_eq!(table.actions(), ["decline"]);
    table.play("decline", []).unwrap();
    assert_eq!((table.owner("Munchen-Zurich"), table.phase()), (None, Phase::AfterAction));
    table.play("depot Roma", []).unwrap();
    start.play("station Wien in blue", []).unwrap().play("depot Roma", []).unwrap();
}

/// placements are no progress, neither before an attempt that fails nor after it, nor in
/// another's turn.
#[test]
fn a_60_placements_are_no_progress() {
    for timing in ["own-turn", "any-time"] {
        let rules = format!("rules.depots = {{ timing = \"{timing}\" }}\nrules.no_progress_rounds = 1");
        let game = variant("europe", 2, &rules);
        let mut table = europe(&game);
        table.market([White, White, Orange, Orange, Orange]).hand(0, [(Blue, 2)]).hand(1, [(Blue, 2)]);
        table.play("depot Roma", []).unwrap();
        table.play("claim Munchen-Venezia in blue", cards([Blue; 3])).unwrap();
        table.play("decline", []).unwrap().play("depot Wien", []).unwrap().play("done", []).unwrap();
        assert_eq!(table.seen_by(0).facts().idle_turns, 1);
        if timing == "any-time" {
            table.play("depot Berlin", []).unwrap().play("done", []).unwrap();
        }
        table.play("claim Munchen-Venezia in blue", cards([Blue; 3])).unwrap();
        table.play("decline", []).unwrap();
        assert_eq!(table.phase(), Phase::AfterAction);
        table.play("done", []).unwrap();
        assert_eq!(table.phase(), Phase::Over(Ending::NoProgress));
        assert_eq!(table.actions(), [""; 0]);
    }
}

/// X-9, CC-31: depots can be placed in every turn of the final round, the last one included.
#[test]
fn x_9_in_the_final_round() {
    let game = with_depots("europe", 2);
    let mut table = europe(&game);
    table.market(MARKET).hand(0, [(Purple, 1)]).trains(0, 3);
    let claim = table.actions_like("claim").into_iter().find(|claim| claim.contains("purple")).unwrap();
    table.play(&claim, []).unwrap();
    assert_eq!(table.seen_by(1).final_turns(), None, "the turn is not over");
    table.play("done", []).unwrap();
    assert_eq!(table.seen_by(1).final_turns(), Some(2));
    for seat in [1, 0] {
        assert_eq!((table.seat(), table.phase()), (seat, Phase::Main));
        table.play("store 1", cards([Red])).unwrap();
        table.play("take blind", cards([Red])).unwrap().play("take blind", cards([Red])).unwrap();
        let city = table.actions_like("depot").remove(0);
        table.play(&city, []).unwrap().play("done", []).unwrap();
    }
    assert_eq!(table.phase(), Phase::Over(Ending::FinalRound));
}

/// X-9, CC-6: who can do nothing may pass or place, and place before the pass and after it; a turn with
/// placements is a pass all the same.
#[test]
fn x_9_pass_with_placements() {
    let game = tiny_with_depots(2, "");
    let mut start = nothing_to_do(&game);
    start.depots(0, ["Alba"]).depots(1, ["Brno"]);
    assert_eq!(start.actions(), ["pass", "depot Como"]);

    // Before.
    let mut table = start.clone();
    table.play("depot Como", []).unwrap();
    assert_eq!((table.seat(), table.actions()), (0, vec!["pass".to_owned()]));
    table.play("pass", []).unwrap();
    assert_eq!(
        (table.seat(), table.seen_by(0).facts().passes, table.seen_by(0).facts().idle_turns),
        (1, 1, 1)
    );
    table.play("pass", []).unwrap();
    assert_eq!(table.phase(), Phase::Over(Ending::Stalemate));

    // After, or not at all.
    for then in ["depot Como", "done"] {
        let mut table = start.clone();
        table.play("pass", []).unwrap();
        assert_eq!((table.seat(), table.phase()), (0, Phase::AfterAction));
        assert_eq!(table.actions(), ["depot Como", "done"]);
        table.play(then, []).unwrap();
        assert_eq!((table.seat(), table.phase()), (1, Phase::Main));
        assert_eq!(table.seen_by(0).facts().passes, 1);
        // CC-6: the last pass ends the game at once.
        table.play("pass", []).unwrap();
        assert_eq!(table.phase(), Phase::Over(Ending::Stalemate));
    }
}

/// X-9, CC-6, X-12: pass is listed iff nothing else can be done now: a placement that empties the
/// warehouses ends that.
#[test]
fn x_9_a_placement_can_forbid_the_pass() {
    let game = tiny_with_depots(2, "");
    // A card of seat 0 is in the warehouse of seat 1.
    let mut table = Table::new(&game);
    table.depots(0, ["Alba"]).depots(1, ["Brno"]).reserve(0, 1).ticket_deck([]).routes(0, ["Alba-Brno"]);
    table
        .hand(0, [(Red, 1), (Blue, 1)])
        .hand(1, [(Red, 1), (Blue, 1), (Green, 1)])
        .warehouse(1, [(Green, 1)]);
    assert_eq!(table.actions(), ["pass", "depot Como"]);
    table.play("depot Como", cards([Green])).unwrap();
    assert_eq!(table.actions(), ["take green"]);
    assert_eq!(forbidden_by(table.play("pass", [])), "CC-6");
    table.play("take green", []).unwrap();
    assert_eq!((table.seat(), table.seen_by(0).facts().passes), (1, 0));
}

/// pass is not listed beside placements while a draw, a ticket or a claim is possible.
#[test]
fn x_9_no_pass_while_an_action_is_legal() {
    let game = tiny_with_depots(2, "");
    let mut table = nothing_to_do(&game);
    table.depots(0, ["Alba"]).depots(1, ["Brno"]).ticket_deck(["Alba-Como"]);
    assert_eq!(table.actions(), ["tickets", "depot Como"]);
    assert_eq!(forbidden_by(table.play("pass", [])), "CC-6");
}

/// by default depots are placed in the seat's own turn only.
#[test]
fn a_23_own_turn() {
    let game = with_depots("europe", 3);
    let mut table = before_first_depots(&game);
    for city in ["Roma", "Paris", "Wien"] {
        table.play(&format!("depot {city}"), []).unwrap();
    }
    assert_eq!((table.seat(), table.phase()), (1, Phase::Main));
    let draws = tickets([20, 21, 22]);
    table.play("tickets", draws).unwrap().play("keep none", []).unwrap_err();
    table.act(Action::Keep(1), []).unwrap().play("done", []).unwrap();
    assert_eq!((table.seat(), table.phase()), (2, Phase::Main));
}

/// with `any-time` the others may place depots at the start of every turn, in turn order; then the
/// turn goes on as ever, with placements before the action and after it.
#[test]
fn a_23_any_time() {
    let game = variant("europe", 3, "rules.depots = { timing = \"any-time\" }");
    let mut table = before_first_depots(&game);
    for city in ["Roma", "Paris", "Wien"] {
        assert_eq!(table.phase(), Phase::FirstDepot);
        table.play(&format!("depot {city}"), []).unwrap();
    }
    let window = Phase::Window { turn_of: Seat::new(1) };
    assert_eq!((table.seat(), table.phase()), (2, window));
    assert_eq!(table.actions().len(), 44 + 1);
    assert_wrong_moment(table.play("store 1", []));
    table.play("depot Essen", []).unwrap();
    assert_eq!((table.seat(), table.phase()), (2, window), "any number");
    table.play("depot Berlin", []).unwrap().play("done", []).unwrap();
    assert_eq!((table.seat(), table.phase()), (0, window));
    table.play("done", []).unwrap();
    assert_eq!((table.seat(), table.phase()), (1, Phase::Main));
    assert_eq!([0, 1, 2].map(|seat| table.reserve_of(seat)), [4, 4, 2]);
    table.play("depot Danzig", []).unwrap();
    assert_eq!((table.seat(), table.phase()), (1, Phase::Main));
    table.play("store 1", cards([Red])).unwrap();
    table.play("take blind", cards([Red])).unwrap().play("take blind", cards([Red])).unwrap();
    table.play("depot Riga", []).unwrap().play("done", []).unwrap();
    // The next turn has its window; a seat without a reserve is not asked, nor once it has placed its last.
    let window = Phase::Window { turn_of: Seat::new(2) };
    assert_eq!((table.seat(), table.phase()), (0, window));
    for city in ["Sofia", "Athina", "Smyrna", "Angora"] {
        table.play(&format!("depot {city}"), []).unwrap();
    }
    assert_eq!((table.seat(), table.phase()), (1, window));
    table.play("done", []).unwrap();
    assert_eq!((table.seat(), table.phase()), (2, Phase::Main));
    let keep = Action::Keep(1);
    table.play("tickets", tickets([20, 21, 22])).unwrap().act(keep, []).unwrap();
    table.play("done", []).unwrap();
    let window = Phase::Window { turn_of: Seat::new(0) };
    assert_eq!((table.seat(), table.phase()), (1, window));
    table.play("done", []).unwrap();
    assert_eq!((table.seat(), table.phase()), (2, window));
}

/// a placement in another seat's turn can empty the warehouses, too.
#[test]
fn a_23_emptying_in_a_window() {
    let game = variant("europe", 2, "rules.depots = { timing = \"any-time\" }");
    let mut table = europe(&game);
    table.market(MARKET).hand(1, [(Red, 1)]).reserve(0, 1).warehouse(1, [(Blue, 3)]).deck_rest_to(0, []);
    table.turn(1).play("station Roma in red", []).unwrap().play("done", []).unwrap();
    // The red card became the deck.
    let window = Phase::Window { turn_of: Seat::new(0) };
    assert_eq!((table.seat(), table.phase()), (1, window));
    table.play("done", []).unwrap();
    table.play("store 1", cards([Red])).unwrap();
    table.play("take blue", []).unwrap().play("take white", []).unwrap().play("done", []).unwrap();
    assert_eq!((table.seat(), table.piles()[2].total()), (0, 3));
    table.play("depot Paris", cards([Blue, Red])).unwrap();
    assert_eq!((table.seat(), table.phase()), (1, Phase::Main), "the reserve is used up");
    assert_eq!((table.piles()[0].total(), table.piles()[2].total()), (2, 5));
    assert_eq!(table.warehouse_of(0).total() + table.warehouse_of(1).total(), 0);
}

/// a random action is each legal one equally often, placements and the pass beside them included.
#[test]
fn random_actions_among_placements() {
    let (large, tiny) = (with_depots("europe", 2), tiny_with_depots(2, ""));
    let mut rich = europe(&large);
    rich.market(MARKET).hand(0, [(Purple, 1), (Red, 1), (Locomotive, 1)]);
    let mut cards_only = europe(&large);
    cards_only.hand(0, [(Purple, 1)]).warehouse(1, [(Red, 1)]).ticket_deck([]).deck_rest_to(1, []);
    let mut poor = nothing_to_do(&tiny);
    poor.depots(0, ["Alba"]).depots(1, ["Brno"]);
    for table in [rich, cards_only, poor] {
        let actions = table.game.actions(table.finish().state());
        let mut counts = vec![0u32; actions.len()];
        let mut dice = Dice::from_seed(1);
        for _ in 0..200 * actions.len() {
            let action = table.game.random_action(table.state(), &mut dice);
            counts[actions.iter().position(|&listed| listed == action).expect("it is legal")] += 1;
        }
        // 200 each, with a deviation of 14.
        assert!(counts.iter().all(|n| (130..270).contains(n)), "{counts:?}");
    }
}
