//! Collecting warehouses after a claim.

use ttr_engine::CardKind::*;
use ttr_engine::board::{BoardGame, Phase};
use ttr_engine::testing::{Table, cards};

use super::{europe, with_depots};
use crate::{MARKET, assert_wrong_moment, forbidden_by, pile};

const CLAIM: &str = "claim Dieppe-Paris in purple";

/// Seat 0 can claim Dieppe-Paris; every seat has cards in its warehouse.
fn before_claim(game: &BoardGame) -> Table<'_> {
    let mut table = europe(game);
    table.market(MARKET).hand(0, [(Purple, 1)]);
    table.warehouse(0, [(Red, 1)]).warehouse(1, [(Blue, 2), (Locomotive, 1)]).warehouse(2, [(Green, 4)]);
    table
}

/// X-7, I-10, I-30: whoever claims a route with a depot at one end may take that owner's whole warehouse
/// for one depot of the seat's reserve.
#[test]
fn x_7_one_end() {
    let game = with_depots("europe", 3);
    for (city, other) in [("Paris", "Zurich"), ("Dieppe", "Wien")] {
        let mut table = before_claim(&game);
        table.depots(1, [city]).depots(2, [other]);
        table.play(CLAIM, []).unwrap();
        assert_eq!((table.seat(), table.owner("Dieppe-Paris")), (0, Some(0)));
        assert_eq!(table.actions(), ["collect 2", "done"], "not that of seat 3, whose depot is elsewhere");
        assert_eq!(forbidden_by(table.play("collect 3", [])), "X-7");
        assert_eq!(forbidden_by(table.play("collect 1", [])), "X-7");
        assert_wrong_moment(table.play("depot Roma", []));
        table.play("collect 2", []).unwrap();
        assert_eq!(table.hand_of(0), pile([(Blue, 2), (Locomotive, 1)]));
        assert_eq!([0, 1, 2].map(|seat| table.reserve_of(seat)), [3, 3, 3], "seat 0 pays, nobody else");
        assert_eq!(table.depots_of(0), ["Edinburgh"], "the depot is out of the game");
        assert_eq!([0, 1, 2].map(|seat| table.warehouse_of(seat).total()), [1, 0, 4]);
        assert_eq!((table.seat(), table.phase()), (0, Phase::AfterAction));
    }
}

/// collecting is optional.
#[test]
fn x_7_declined() {
    let game = with_depots("europe", 3);
    let mut table = before_claim(&game);
    table.depots(1, ["Paris"]).play(CLAIM, []).unwrap().play("done", []).unwrap();
    assert_eq!((table.phase(), table.hand_of(0).total(), table.reserve_of(0)), (Phase::AfterAction, 0, 4));
    assert_eq!([0, 1, 2].map(|seat| table.warehouse_of(seat).total()), [1, 3, 4]);
    assert_wrong_moment(table.play("collect 2", []));
}

/// a seat's own depots count.
#[test]
fn a_26_own_depot() {
    let game = with_depots("europe", 3);
    let mut table = before_claim(&game);
    table.depots(0, ["Paris"]).play(CLAIM, []).unwrap();
    assert_eq!(table.actions(), ["collect 1", "done"]);
    table.play("collect 1", []).unwrap();
    assert_eq!((table.hand_of(0), table.reserve_of(0)), (pile([(Red, 1)]), 2));
}

/// two ends with depots of two owners: up to two warehouses for two depots, in the order the
/// player chooses, and the cards of the first are seen before the second is decided on.
#[test]
fn x_7_two_warehouses_in_any_order() {
    let game = with_depots("europe", 3);
    let mut start = before_claim(&game);
    start.depots(1, ["Paris"]).depots(2, ["Dieppe"]).play(CLAIM, []).unwrap();
    assert_eq!(start.actions(), ["collect 2", "collect 3", "done"]);
    let (blue, green) = ([(Blue, 2), (Locomotive, 1)], [(Green, 4)]);
    for (first, cards, second) in [(2, pile(blue), 3), (3, pile(green), 2)] {
        let mut table = start.clone();
        table.play(&format!("collect {first}"), []).unwrap();
        assert_eq!((table.seen_by(0).hand(), table.reserve_of(0)), (cards, 3));
        assert_eq!(table.actions(), [format!("collect {second}"), "done".to_owned()]);
        let mut one = table.clone();
        one.play("done", []).unwrap();
        assert_eq!((one.phase(), one.hand_of(0)), (Phase::AfterAction, cards));
        table.play(&format!("collect {second}"), []).unwrap();
        assert_eq!((table.hand_of(0), table.reserve_of(0)), (pile(blue) + pile(green), 2));
        assert_eq!((table.seat(), table.phase()), (0, Phase::AfterAction), "I-30: no third");
    }
}

/// one of the two may be the seat's own warehouse.
#[test]
fn x_7_own_and_another() {
    let game = with_depots("europe", 3);
    let mut table = before_claim(&game);
    table.depots(0, ["Paris"]).depots(2, ["Dieppe"]).play(CLAIM, []).unwrap();
    assert_eq!(table.actions(), ["collect 1", "collect 3", "done"]);
}

/// two depots of the same owner are one warehouse, for one depot.
#[test]
fn a_31_two_depots_of_one_owner() {
    let game = with_depots("europe", 3);
    let mut table = before_claim(&game);
    table.depots(1, ["Paris", "Dieppe"]).play(CLAIM, []).unwrap();
    assert_eq!(table.actions(), ["collect 2", "done"]);
    table.play("collect 2", []).unwrap();
    assert_eq!((table.phase(), table.reserve_of(0)), (Phase::AfterAction, 3));
}

/// each collection needs a depot in reserve.
#[test]
fn x_7_not_enough_reserve() {
    let game = with_depots("europe", 3);
    let mut start = before_claim(&game);
    start.depots(1, ["Paris"]).depots(2, ["Dieppe"]);
    let mut table = start.clone();
    table.reserve(0, 1).play(CLAIM, []).unwrap();
    assert_eq!(table.actions(), ["collect 2", "collect 3", "done"]);
    table.play("collect 3", []).unwrap();
    assert_eq!(
        (table.seat(), table.phase()),
        (1, Phase::Main),
        "none left, neither for paying nor for placing"
    );
    assert_eq!((table.hand_of(0).total(), table.warehouse_of(1).total()), (4, 3));
    // Others' reserves are of no use.
    start.reserve(0, 0).play(CLAIM, []).unwrap();
    assert_eq!((start.seat(), start.phase(), start.hand_of(0).total()), (1, Phase::Main, 0));
}

/// an empty warehouse is not collected.
#[test]
fn x_7_empty_warehouse() {
    let game = with_depots("europe", 3);
    let mut table = europe(&game);
    table.market(MARKET).hand(0, [(Purple, 1)]).warehouse(2, [(Red, 1)]).depots(1, ["Paris"]);
    let mut both = table.clone();
    table.play(CLAIM, []).unwrap();
    assert_eq!(table.phase(), Phase::AfterAction);
    both.depots(2, ["Dieppe"]).play(CLAIM, []).unwrap();
    assert_eq!(both.actions(), ["collect 3", "done"]);
}

/// depots at other cities of the network do not count, nor do stations, tickets or draws collect.
#[test]
fn x_7_only_the_ends_of_the_claimed_route() {
    let game = with_depots("europe", 3);
    let mut table = before_claim(&game);
    table.routes(0, ["Brest-Paris"]).depots(1, ["Brest"]).hand(0, [(Red, 1)]);
    let mut station = table.clone();
    table.play(CLAIM, []).unwrap();
    assert_eq!(table.phase(), Phase::AfterAction);
    station.play("station Paris in red", []).unwrap();
    assert_eq!(station.phase(), Phase::AfterAction);
    assert_wrong_moment(station.play("collect 2", []));
}

/// collected cards can't pay for the claim that collects them.
#[test]
fn x_8_no_credit_for_the_claim() {
    let game = with_depots("europe", 2);
    let mut table = europe(&game);
    table.market(MARKET).hand(0, [(Orange, 1)]).warehouse(1, [(Orange, 5)]).depots(1, ["Brest"]);
    assert_eq!(forbidden_by(table.play("claim Brest-Dieppe in orange", [])), "CC-22");
    assert_eq!(table.actions_like("claim Brest"), [""; 0]);
}

/// Seat 0 tries Munchen-Venezia with two of its blue cards; seat 1 has a depot at its end and blue cards.
fn before_tunnel(game: &BoardGame, blue: u8) -> Table<'_> {
    let mut table = europe(game);
    table.market([White, White, Orange, Orange, Orange]).hand(0, [(Blue, blue)]);
    table.warehouse(1, [(Blue, 3)]).depots(1, ["Venezia"]);
    table
}

/// X-8, CC-26: nor for the extra cost of that tunnel: an attempt that the hand can't pay for fails, and
/// collects nothing.
#[test]
fn x_8_no_credit_for_the_extra_cost() {
    let game = with_depots("europe", 2);
    let mut table = before_tunnel(&game, 2);
    table.play("claim Munchen-Venezia in blue", cards([Blue, Red, Red])).unwrap();
    assert_eq!(table.actions(), ["decline"]);
    table.play("decline", []).unwrap();
    assert_eq!((table.owner("Munchen-Venezia"), table.phase()), (None, Phase::AfterAction));
    assert_eq!((table.hand_of(0), table.warehouse_of(1).total()), (pile([(Blue, 2)]), 3));
    assert_wrong_moment(table.play("collect 2", []));
}

/// a declined tunnel collects nothing.
#[test]
fn x_8_declined_tunnel() {
    let game = with_depots("europe", 2);
    let mut table = before_tunnel(&game, 4);
    table.play("claim Munchen-Venezia in blue", cards([Blue, Red, Red])).unwrap();
    assert_eq!(table.actions(), ["pay", "decline"]);
    assert_wrong_moment(table.play("collect 2", []));
    table.play("decline", []).unwrap();
    assert_eq!((table.phase(), table.hand_of(0)), (Phase::AfterAction, pile([(Blue, 4)])));
    assert_eq!((table.warehouse_of(1).total(), table.reserve_of(0)), (3, 4));
}

/// CC-27: a tunnel that succeeds collects after all its cards are discarded, with and without
/// extra cost.
#[test]
fn x_8_successful_tunnel() {
    let game = with_depots("europe", 2);
    for revealed in [[Blue, Red, Red], [Red, Red, Red]] {
        let mut table = before_tunnel(&game, 4);
        table.play("claim Munchen-Venezia in blue", cards(revealed)).unwrap();
        if revealed[0] == Blue {
            table.play("pay", []).unwrap();
        }
        let left = table.hand_of(0);
        assert_eq!(table.actions(), ["collect 2", "done"]);
        assert_eq!(table.piles()[1].total(), 3 + 4 - left.total(), "laid and revealed cards are discarded");
        table.play("collect 2", []).unwrap();
        assert_eq!(table.hand_of(0), left + pile([(Blue, 3)]));
    }
}

/// a depot placed just before the claim counts for it, but a second one is needed to pay.
#[test]
fn x_10_placed_just_before() {
    let game = with_depots("europe", 3);
    for (reserve, collects) in [(4, true), (2, true), (1, false)] {
        let mut table = before_claim(&game);
        table.reserve(0, reserve).play("depot Paris", []).unwrap();
        table.play(CLAIM, []).unwrap();
        if collects {
            assert_eq!(table.actions(), ["collect 1", "done"]);
            table.play("collect 1", []).unwrap();
            assert_eq!((table.hand_of(0), table.reserve_of(0)), (pile([(Red, 1)]), reserve - 2));
        } else {
            assert_eq!((table.seat(), table.phase(), table.hand_of(0).total()), (1, Phase::Main, 0));
        }
    }
    // One that is placed after the claim comes too late.
    let mut table = before_claim(&game);
    table.play(CLAIM, []).unwrap().play("depot Paris", []).unwrap();
    assert_eq!(table.phase(), Phase::AfterAction);
    assert_wrong_moment(table.play("collect 1", []));
}

/// X-7, CC-31: the claim that starts the final round collects, too; the turn ends afterwards.
#[test]
fn x_7_with_the_last_trains() {
    let game = with_depots("europe", 2);
    let mut table = europe(&game);
    table.market(MARKET).hand(0, [(Purple, 1)]).warehouse(1, [(Red, 2)]).depots(1, ["Paris"]);
    table.routes(1, ["Brest-Paris"]);
    table.routes(0, ["Palermo-Smyrna", "Budapest-Kyiv", "Petrograd-Stockholm", "Moskva-Petrograd"]);
    table.routes(0, ["Kharkov-Moskva", "Rostov-Sevastopol", "Riga-Wilno", "Kharkov-Kyiv", "Rostov-Sochi"]);
    assert_eq!(table.trains_of(0), 3);
    table.play(CLAIM, []).unwrap().play("collect 2", []).unwrap();
    assert_eq!(table.seen_by(0).final_turns(), None);
    table.play("done", []).unwrap();
    assert_eq!((table.seen_by(0).final_turns(), table.hand_of(0)), (Some(2), pile([(Red, 2)])));
}
