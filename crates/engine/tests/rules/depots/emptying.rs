//! Warehouses that become the deck, I-31.

use ttr_engine::CardKind::*;
use ttr_engine::board::{BoardGame, Phase};
use ttr_engine::testing::{Table, cards};

use super::{europe, with_depots};
use crate::{MARKET, pile, variant};

/// Seat 2 has no depot in reserve, seat 1 two cards in its warehouse; the deck has these cards, seat 2
/// holds the rest.
fn few_cards<'g>(game: &'g BoardGame, deck: &[ttr_engine::CardKind]) -> Table<'g> {
    let mut table = europe(game);
    table.market(MARKET).warehouse(1, [(Blue, 2)]).reserve(2, 0);
    table.hand(0, [(Purple, 1)]).deck_rest_to(2, deck.iter().copied());
    table
}

fn stored(table: &Table<'_>) -> u8 {
    (0..3).map(|seat| table.warehouse_of(seat).total()).sum()
}

/// a blind card that is the last of the deck: the stored cards are the new deck at once, and the
/// second card can come from it.
#[test]
fn x_12_by_a_blind_card() {
    let game = with_depots("europe", 3);
    let mut table = few_cards(&game, &[Red, Black]);
    table.play("store 1", cards([Red])).unwrap();
    assert_eq!(stored(&table), 3, "a card is left in the deck");
    table.play("take blind", cards([Black])).unwrap();
    assert_eq!((stored(&table), table.piles()[0]), (0, pile([(Red, 1), (Blue, 2)])));
    assert_eq!((table.phase(), table.piles()[2]), (Phase::SecondCard, MARKET.into_iter().collect()));
    table.play("take blind", cards([Blue])).unwrap();
    assert_eq!(table.hand_of(0), pile([(Purple, 1), (Black, 1), (Blue, 1)]));
}

/// likewise if the last card goes to the market.
#[test]
fn x_12_by_a_refill() {
    let game = with_depots("europe", 3);
    let mut table = few_cards(&game, &[Red, Black]);
    table.play("store 3", cards([Red])).unwrap().play("take green", cards([Black])).unwrap();
    assert_eq!((stored(&table), table.piles()[0]), (0, pile([(Red, 1), (Blue, 2)])));
}

/// the last card is stored, and comes back at once with all the others.
#[test]
fn x_12_by_a_store() {
    let game = with_depots("europe", 3);
    let mut table = few_cards(&game, &[Red]);
    table.play("store 1", cards([Red])).unwrap();
    assert_eq!((stored(&table), table.piles()[0]), (0, pile([(Red, 1), (Blue, 2)])));
    assert_eq!((table.phase(), table.actions()[0].as_str()), (Phase::FirstCard, "take blind"));
    table.play("take blind", cards([Red])).unwrap().play("take blind", cards([Blue])).unwrap();
    assert_eq!((table.phase(), table.piles()[0]), (Phase::AfterAction, pile([(Blue, 1)])));
}

/// X-12, CC-11: a placement that uses up a reserve while deck and discard are empty; then the market is
/// refilled.
#[test]
fn x_12_by_a_placement() {
    let game = with_depots("europe", 3);
    let mut start = europe(&game);
    start.market([Red, White, Green]).warehouse(1, [(Blue, 2)]).warehouse(2, [(Black, 2)]).reserve(0, 2);
    start.deck_rest_to(2, []);
    // Before the action: the draw that follows stores a card again.
    let mut table = start.clone();
    table.play("depot Roma", []).unwrap();
    assert_eq!(stored(&table), 4, "one is left in reserve");
    table.play("depot Wien", cards([Blue, Black])).unwrap();
    assert_eq!(stored(&table), 0);
    assert_eq!((table.piles()[0], table.piles()[2].total()), (pile([(Blue, 1), (Black, 1)]), 5));
    assert_eq!(table.actions_like("store").len(), 3);
    assert_eq!((table.seat(), table.phase()), (0, Phase::Main));
    // After the action.
    let mut table = start.clone();
    table.play("take red", []).unwrap().play("take white", []).unwrap();
    table.play("depot Roma", []).unwrap();
    assert_eq!((stored(&table), table.phase()), (4, Phase::AfterAction));
    table.play("depot Wien", cards([Blue, Blue, Black, Black])).unwrap();
    assert_eq!((stored(&table), table.piles()[0].total(), table.piles()[2].total()), (0, 0, 5));
    assert_eq!((table.seat(), table.phase()), (1, Phase::Main));
}

/// X-12, CC-12: the market that is refilled may have to be flushed.
#[test]
fn x_12_then_a_flush() {
    let game = with_depots("europe", 3);
    let mut table = europe(&game);
    table.market([Locomotive, Locomotive, White, Green]).reserve(0, 1);
    table.warehouse(1, [(Blue, 4), (Locomotive, 1)]).deck_rest_to(2, []);
    let flushed = cards([Blue, Blue, Blue, Blue, White]);
    table.play("depot Roma", [cards([Locomotive]), flushed].concat()).unwrap();
    assert_eq!(table.piles()[2], pile([(Blue, 4), (White, 1)]));
    assert_eq!(table.piles()[0], pile([(Locomotive, 3), (Green, 1)]));
}

/// a collection that uses up a reserve: the collected cards stay in the hand, the other
/// warehouses are emptied.
#[test]
fn x_12_by_a_collection() {
    let game = with_depots("europe", 3);
    let mut table = europe(&game);
    table
        .market([Red, White, Green, Green])
        .hand(0, [(Purple, 1)])
        .depots(1, ["Paris"])
        .depots(2, ["Dieppe"]);
    table.warehouse(1, [(Blue, 2)]).warehouse(2, [(Black, 3)]).reserve(0, 1).deck_rest_to(2, []);
    // The purple card fills the market, so deck and discard stay empty.
    table.play("claim Dieppe-Paris in purple", cards([Purple])).unwrap();
    assert_eq!((stored(&table), table.actions().len()), (5, 3));
    table.play("collect 2", []).unwrap();
    assert_eq!((table.hand_of(0), stored(&table)), (pile([(Blue, 2)]), 0));
    assert_eq!((table.piles()[0], table.piles()[2].total()), (pile([(Black, 3)]), 5));
    assert_eq!((table.seat(), table.phase()), (1, Phase::Main));
}

/// X-12, CC-24: not during a tunnel attempt, although deck and discard are empty: stored cards are never
/// revealed. When the cards have left the table they are the deck.
#[test]
fn x_12_not_during_a_tunnel() {
    let game = with_depots("europe", 3);
    for answer in ["pay", "decline"] {
        let mut table = few_cards(&game, &[Yellow, Yellow, Yellow, Red, Yellow]);
        table.hand(0, [(Yellow, 3)]);
        // Two cards are left.
        table.play("claim Munchen-Zurich in yellow", cards([Yellow, Red])).unwrap();
        assert!(matches!(table.phase(), Phase::Tunnel { extra: 1 }));
        assert_eq!((table.piles()[0].total(), table.piles()[1].total(), stored(&table)), (0, 0, 2));
        table.play(answer, []).unwrap();
        let paid = if answer == "pay" { 3 } else { 0 };
        assert_eq!((table.piles()[0].total(), stored(&table)), (2 + paid, 2), "the discard became the deck");
    }
    // Nothing is revealed at all: claimed without risk.
    let game = with_depots("europe", 3);
    let mut table = europe(&game);
    table.market(MARKET).hand(0, [(Yellow, 2)]).warehouse(1, [(Yellow, 3)]).deck_rest_to(2, []);
    table.play("claim Munchen-Zurich in yellow", []).unwrap();
    assert_eq!((table.owner("Munchen-Zurich"), stored(&table)), (Some(0), 3));
}

/// after a tunnel attempt it is checked as ever: here the reserve is used up by the collection.
#[test]
fn x_12_after_a_tunnel() {
    let game = with_depots("europe", 3);
    let mut table = europe(&game);
    table.market([Red, White, Green]).hand(0, [(Yellow, 2)]).depots(1, ["Zurich"]).reserve(0, 1);
    table.warehouse(1, [(Blue, 1)]).warehouse(2, [(Black, 3)]).deck_rest_to(2, []);
    table.play("claim Munchen-Zurich in yellow", cards([Yellow, Yellow])).unwrap();
    assert_eq!((table.actions().len(), stored(&table)), (2, 4));
    table.play("collect 2", []).unwrap();
    assert_eq!((table.hand_of(0), stored(&table)), (pile([(Blue, 1)]), 0));
    assert_eq!(table.piles()[0], pile([(Black, 3)]));
}

/// while the discard has cards it becomes the deck, and the warehouses stay.
#[test]
fn x_12_not_with_cards_in_the_discard() {
    let game = with_depots("europe", 3);
    let mut table = europe(&game);
    table.market(MARKET).warehouse(1, [(Blue, 2)]).reserve(2, 0).discard([(Red, 1)]).deck_rest_to(2, [Black]);
    table.play("store 1", cards([Black])).unwrap();
    assert_eq!((stored(&table), table.piles()[0]), (3, pile([(Red, 1)])));
    table.play("take blind", cards([Red])).unwrap();
    assert_eq!((stored(&table), table.piles()[0].total()), (0, 3));
}

/// not while every seat has a depot in reserve; and nothing happens if the warehouses are empty, too.
#[test]
fn x_12_not_without_a_reason() {
    let game = with_depots("europe", 3);
    let mut table = few_cards(&game, &[Red]);
    table.reserve(2, 1).play("store 1", cards([Red])).unwrap();
    assert_eq!((stored(&table), table.piles()[0].total()), (3, 0));
    assert_eq!(table.actions_like("take blind"), [""; 0]);

    let mut table = europe(&game);
    table.market([Red, White]).reserve(1, 0).deck_rest_to(2, []);
    table.play("take red", []).unwrap().play("take white", []).unwrap();
    assert_eq!((table.phase(), table.piles().map(|cards| cards.total())), (Phase::AfterAction, [0; 3]));
}

/// it can happen again and again.
#[test]
fn x_12_again() {
    let game = with_depots("europe", 3);
    let mut table = few_cards(&game, &[Red]);
    table.play("store 1", cards([Red])).unwrap();
    table.play("take blue", cards([Blue])).unwrap().play("take white", cards([Blue])).unwrap();
    table.play("done", []).unwrap();
    assert_eq!((table.seat(), stored(&table), table.piles()[0]), (1, 0, pile([(Red, 1)])));
    table.play("store 2", cards([Red])).unwrap();
    assert_eq!((stored(&table), table.piles()[0]), (0, pile([(Red, 1)])));
    table.play("take blind", cards([Red])).unwrap();
    assert_eq!((table.phase(), table.actions_like("take blind").len()), (Phase::SecondCard, 0));
}

/// with `empty-warehouse` a seat without cards in its warehouse is the reason, and an empty reserve
/// is none.
#[test]
fn a_27_empty_warehouse() {
    let game = variant("europe", 3, "rules.depots = { empty_trigger = \"empty-warehouse\" }");
    // The warehouses of seats 0 and 2 are empty; one gets the last card.
    let mut table = few_cards(&game, &[Red]);
    table.reserve(2, 4).play("store 1", cards([Red])).unwrap();
    assert_eq!((stored(&table), table.piles()[0]), (0, pile([(Red, 1), (Blue, 2)])));
    // With the last card no warehouse is empty any more; the empty reserve does not matter.
    let mut table = europe(&game);
    table.market(MARKET).warehouse(1, [(Blue, 2)]).warehouse(2, [(Red, 1)]).reserve(2, 0);
    table.deck_rest_to(2, [Red]);
    table.play("store 1", cards([Red])).unwrap();
    assert_eq!((stored(&table), table.piles()[0].total()), (4, 0));
    // A collection empties one warehouse: that is a reason for the others.
    let mut table = europe(&game);
    table
        .market([Red, White, Green, Green])
        .hand(0, [(Purple, 1)])
        .depots(1, ["Paris"])
        .depots(2, ["Dieppe"]);
    table.warehouse(0, [(Blue, 1)]).warehouse(1, [(Blue, 2)]).warehouse(2, [(Black, 3)]).deck_rest_to(2, []);
    table.play("claim Dieppe-Paris in purple", cards([Purple])).unwrap();
    table.play("collect 2", []).unwrap();
    assert_eq!((table.hand_of(0), stored(&table)), (pile([(Blue, 2)]), 0));
    assert_eq!((table.phase(), table.piles()[0]), (Phase::AfterAction, pile([(Blue, 1), (Black, 3)])));
}
