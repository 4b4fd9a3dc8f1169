//! Storing a card before every draw.

use ttr_engine::CardKind::*;
use ttr_engine::board::Phase;
use ttr_engine::testing::cards;

use super::{europe, with_depots};
use crate::{MARKET, assert_wrong_moment, forbidden_by, pile};

/// I-29: before a draw the top card of the deck goes to any one seat's warehouse, as the player
/// chooses; then the normal draw follows.
#[test]
fn x_5_store_with_any_seat_then_draw() {
    let game = with_depots("europe", 3);
    for owner in 0..3 {
        let mut table = europe(&game);
        table.market(MARKET).turn(1);
        assert_eq!(table.actions_like("store"), ["store 1", "store 2", "store 3"]);
        assert_eq!(table.actions_like("take"), [""; 0]);
        for take in ["take blind", "take blue"] {
            assert_eq!(forbidden_by(table.play(take, [])), "X-5");
        }
        table.play(&format!("store {}", owner + 1), cards([Red])).unwrap();
        for seat in 0..3 {
            let stored = if seat == owner { pile([(Red, 1)]) } else { pile([]) };
            assert_eq!((table.warehouse_of(seat), table.hand_of(seat).total()), (stored, 0));
        }
        assert_eq!((table.seat(), table.phase()), (1, Phase::FirstCard));
        let takes = ["take blind", "take purple", "take blue", "take orange", "take white", "take green"];
        assert_eq!(table.actions(), takes, "a draw that has begun goes on");
        assert_wrong_moment(table.play("store 1", []));
        // two cards, as ever, and no second card is stored for the second.
        table.play("take blue", cards([Black])).unwrap();
        assert_eq!(table.phase(), Phase::SecondCard);
        table.play("take blind", cards([Yellow])).unwrap().play("done", []).unwrap();
        assert_eq!(table.hand_of(1), pile([(Blue, 1), (Yellow, 1)]));
        assert_eq!((0..3).map(|seat| table.warehouse_of(seat).total()).sum::<u8>(), 1);
        assert_eq!(table.seat(), 2);
    }
}

/// X-5, CC-10: a face-up locomotive is the whole draw, after a card was stored; it can't be the second card.
#[test]
fn x_5_face_up_locomotive() {
    let game = with_depots("europe", 2);
    let mut table = europe(&game);
    table.market([Locomotive, Blue, White, White, Green]);
    table.play("store 2", cards([Red])).unwrap();
    let mut second = table.clone();
    table.play("take locomotive", cards([Red])).unwrap();
    assert_eq!((table.phase(), table.hand_of(0)), (Phase::AfterAction, pile([(Locomotive, 1)])));
    second.play("take blue", cards([Red])).unwrap();
    assert_eq!(forbidden_by(second.play("take locomotive", [])), "CC-10");
}

/// warehouses grow by one card per draw, whoever draws.
#[test]
fn x_5_warehouses_add_up() {
    let game = with_depots("europe", 2);
    let mut table = europe(&game);
    table.market(MARKET);
    for (turn, kind) in [Red, Blue, Red, Locomotive].into_iter().enumerate() {
        assert_eq!(usize::from(table.seat()), turn % 2);
        table.play("store 1", cards([kind])).unwrap();
        table.play("take blind", cards([Black])).unwrap().play("take blind", cards([White])).unwrap();
        table.play("done", []).unwrap();
    }
    assert_eq!(table.warehouse_of(0), pile([(Red, 2), (Blue, 1), (Locomotive, 1)]));
    assert_eq!(table.warehouse_of(1).total(), 0);
}

/// nothing is stored for tickets, claims or stations.
#[test]
fn x_5_not_for_other_actions() {
    let game = with_depots("europe", 2);
    let mut start = europe(&game);
    start.market(MARKET).hand(0, [(Purple, 1), (Blue, 2)]).warehouse(1, [(Red, 1)]);
    let deck = start.piles()[0];
    for action in ["tickets", "claim Dieppe-Paris in purple", "station Roma in blue"] {
        let mut table = start.clone();
        if action == "tickets" {
            let draws = ["Kyiv-Sochi", "Essen-Kyiv", "Roma-Smyrna"].map(|name| table.draws(name));
            table.play(action, draws).unwrap().play("keep Kyiv-Sochi", []).unwrap();
        } else {
            table.play(action, []).unwrap();
        }
        assert_eq!(table.phase(), Phase::AfterAction);
        assert_eq!((table.warehouse_of(0), table.warehouse_of(1)), (pile([]), pile([(Red, 1)])));
        assert_eq!(table.piles()[0], deck);
    }
    // A tunnel reveals cards of the deck, and stores none.
    let mut table = start.clone();
    table.play("claim Munchen-Venezia in blue", cards([Red, Red, Red])).unwrap();
    assert_eq!(table.warehouse_of(0).total() + table.warehouse_of(1).total(), 1);
}

/// with deck and discard empty nothing is stored, and market cards can still be taken.
#[test]
fn x_6_nothing_to_store() {
    let game = with_depots("europe", 2);
    let mut table = europe(&game);
    table.market(MARKET).warehouse(0, [(Red, 1)]).deck_rest_to(1, []);
    let takes = ["take purple", "take blue", "take orange", "take white", "take green"];
    assert_eq!(table.actions_like("take"), takes);
    assert_eq!(table.actions_like("store"), [""; 0]);
    assert_eq!(forbidden_by(table.play("store 1", [])), "X-5, X-6");
    assert_eq!(forbidden_by(table.play("take blind", [])), "CC-7");
    table.play("take purple", []).unwrap();
    assert_eq!(table.phase(), Phase::SecondCard);
    table.play("take green", []).unwrap();
    assert_eq!((table.phase(), table.piles()[2].total()), (Phase::AfterAction, 3));
    assert_eq!((table.warehouse_of(0), table.warehouse_of(1)), (pile([(Red, 1)]), pile([])));
}

/// X-6, CC-7: with an empty market as well there is no draw.
#[test]
fn x_6_nothing_at_all() {
    let game = with_depots("europe", 2);
    let mut table = europe(&game);
    table.warehouse(1, [(Red, 1)]).deck_rest_to(1, []);
    assert_eq!(table.actions_like("take").len() + table.actions_like("store").len(), 0);
    assert_eq!(table.actions()[0], "tickets");
}

/// the last card of the deck is stored; then only market cards can be taken, and they are not replaced.
#[test]
fn x_6_the_last_card_is_stored() {
    let game = with_depots("europe", 2);
    let mut table = europe(&game);
    table.market([Locomotive, Blue, Orange, White, Green]).deck_rest_to(1, [Black]);
    table.play("store 2", cards([Black])).unwrap();
    assert_eq!((table.warehouse_of(1), table.piles()[0].total()), (pile([(Black, 1)]), 0));
    let takes = ["take blue", "take orange", "take white", "take green", "take locomotive"];
    assert_eq!(table.actions(), takes);
    assert_eq!(forbidden_by(table.play("take blind", [])), "CC-7");
    table.play("take blue", []).unwrap();
    assert_eq!(table.actions(), ["take orange", "take white", "take green"], "CC-10");
    table.play("take white", []).unwrap().play("done", []).unwrap();
    assert_eq!((table.seat(), table.piles()[2].total()), (1, 3));
}

/// X-5, CC-13: if the stored card was the last of the deck, the discard becomes the deck at once, and can
/// be drawn from.
#[test]
fn x_5_the_last_card_before_a_reshuffle() {
    let game = with_depots("europe", 2);
    let mut table = europe(&game);
    table.market(MARKET).discard([(Red, 2)]).deck_rest_to(1, [Black]);
    table.play("store 1", cards([Black])).unwrap();
    assert_eq!((table.piles()[0], table.piles()[1].total()), (pile([(Red, 2)]), 0));
    table.play("take blind", cards([Red])).unwrap().play("take blind", cards([Red])).unwrap();
    assert_eq!(table.hand_of(0), pile([(Red, 2)]));
}

/// with a lazy reshuffle a store that needs a card shuffles the discard.
#[test]
fn x_5_lazy_reshuffle() {
    let rules = "rules.depots = {}\nrules.draw.reshuffle = \"lazy\"";
    let game = crate::variant("europe", 2, rules);
    let mut table = europe(&game);
    table.market(MARKET).discard([(Red, 3)]).reserve(1, 0).deck_rest_to(1, []);
    table.play("store 1", cards([Red])).unwrap();
    assert_eq!((table.warehouse_of(0), table.piles()[0]), (pile([(Red, 1)]), pile([(Red, 2)])));
}
