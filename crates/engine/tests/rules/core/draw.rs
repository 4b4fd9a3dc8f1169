//! Drawing cards: CC-7 to CC-15.

use ttr_engine::CardKind::{self, *};
use ttr_engine::board::{BoardGame, Phase};
use ttr_engine::testing::{Table, cards};

use crate::{MARKET, assert_wrong_moment, forbidden_by, game, pile};

/// A table on which seat 1 holds all cards but those in the deck and the market.
fn scarce<'g>(game: &'g BoardGame, deck: &[CardKind], market: &[CardKind]) -> Table<'g> {
    let mut table = Table::new(game);
    table.market(market.iter().copied()).deck_rest_to(1, deck.iter().copied());
    table
}

/// CC-7: cards can be drawn as long as there is one to take.
#[test]
fn cc_7_drawing_needs_a_card() {
    let game = game("europe", 2);
    let mut table = scarce(&game, &[], &[]);
    assert_eq!(forbidden_by(table.play("take blind", [])), "CC-7");
    assert_eq!(forbidden_by(table.play("take red", [])), "CC-8");
    assert_eq!(table.actions(), ["tickets"], "EU-12: other actions remain");
    let table = scarce(&game, &[], &[Red]);
    assert_eq!(table.actions_like("take"), ["take red"]);
    let table = scarce(&game, &[Red], &MARKET);
    assert_eq!(table.actions_like("take").len(), 6);
}

/// CC-8: a taken market card is replaced before the second card is chosen, and the new one can be taken.
#[test]
fn cc_8_the_market_is_refilled_before_the_second_card() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.market(MARKET);
    assert_eq!(forbidden_by(table.play("take yellow", [])), "CC-8");
    table.play("take orange", cards([Yellow])).unwrap();
    assert_eq!((table.seat(), table.phase()), (0, Phase::SecondCard));
    assert_eq!(table.piles()[2], pile([(Purple, 1), (Blue, 1), (Yellow, 1), (White, 1), (Green, 1)]));
    table.play("take yellow", cards([Black])).unwrap();
    assert_eq!(table.hand_of(0), pile([(Orange, 1), (Yellow, 1)]));
    assert_eq!((table.seat(), table.phase()), (1, Phase::Main));
}

/// CC-8: the first card can be taken blind; the market stays.
#[test]
fn cc_8_blind() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.market(MARKET);
    table.play("take blind", cards([Black])).unwrap().play("take blind", cards([Red])).unwrap();
    assert_eq!(table.hand_of(0), pile([(Black, 1), (Red, 1)]));
    assert_eq!(table.piles()[2], MARKET.into_iter().collect());
}

/// CC-9, A-54: the second card must be taken if there is one.
#[test]
fn cc_9_the_second_card_is_mandatory() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Purple, 4)]).market(MARKET).play("take blind", cards([Black])).unwrap();
    for other in ["pass", "tickets", "claim Dieppe-Paris in purple", "station Roma in purple"] {
        assert_wrong_moment(table.play(other, []));
    }
    assert_eq!(table.actions().len(), 6);
}

/// CC-9, CC-15: if there is no second card, the turn ends with one.
#[test]
fn cc_9_cc_15_no_second_card() {
    let game = game("europe", 2);
    let mut table = scarce(&game, &[], &[Red]);
    table.play("take red", []).unwrap();
    assert_eq!((table.hand_of(0), table.seat()), (pile([(Red, 1)]), 1));
}

/// CC-10: a face-up locomotive as the first card ends the action.
#[test]
fn cc_10_a_face_up_locomotive_ends_the_draw() {
    for map in ["europe", "usa"] {
        let game = game(map, 2);
        let mut table = Table::new(&game);
        table.market([Locomotive, Blue, Blue, White, Green]);
        table.play("take locomotive", cards([Red])).unwrap();
        assert_eq!((table.hand_of(0).total(), table.seat(), table.phase()), (1, 1, Phase::Main), "{map}");
    }
}

/// CC-10, A-4: no face-up locomotive as the second card, whether the first was blind or not.
#[test]
fn cc_10_no_face_up_locomotive_as_second_card() {
    let game = game("europe", 2);
    for (first, event) in [("take blind", Red), ("take blue", Red), ("take blind", Locomotive)] {
        let mut table = Table::new(&game);
        table.market([Locomotive, Blue, Blue, White, Green]);
        table.play(first, cards([event])).unwrap();
        assert_eq!(forbidden_by(table.play("take locomotive", [])), "CC-10");
        assert!(!table.actions().contains(&"take locomotive".to_owned()));
    }
}

/// CC-10: nor one that has just appeared.
#[test]
fn cc_10_not_even_one_that_has_just_appeared() {
    let game = game("usa", 2);
    let mut table = Table::new(&game);
    table.market(MARKET).play("take blue", cards([Locomotive])).unwrap();
    assert_eq!(forbidden_by(table.play("take locomotive", [])), "CC-10");
}

/// CC-10: a locomotive drawn blind is an ordinary card, first or second.
#[test]
fn cc_10_a_blind_locomotive_is_an_ordinary_card() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.market(MARKET).play("take blind", cards([Locomotive])).unwrap();
    assert_eq!(table.seat(), 0, "the turn goes on");
    table.play("take blind", cards([Locomotive])).unwrap();
    assert_eq!(table.hand_of(0), pile([(Locomotive, 2)]));
}

/// CC-10, NO-3: in Nordic two face-up locomotives in one turn are fine.
#[test]
fn cc_10_not_in_nordic() {
    let game = game("nordic", 2);
    let mut table = Table::new(&game);
    table.market([Locomotive, Locomotive, Blue, White, Green]);
    table.play("take locomotive", cards([Red])).unwrap().play("take locomotive", cards([Red])).unwrap();
    assert_eq!((table.hand_of(0), table.seat()), (pile([(Locomotive, 2)]), 1));
}

/// CC-11, CC-13: slots that stayed empty are refilled as soon as cards are discarded.
#[test]
fn cc_11_empty_slots_are_refilled_after_discards() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Purple, 4)]).market([Red, Blue]).deck_rest_to(1, []);
    // Two cards would be a market of four: three of the discarded ones fill it, the last is the deck.
    table.play("claim Brest-Pamplona in purple", cards([Purple; 3])).unwrap();
    let [deck, discard, market] = table.piles();
    assert_eq!(market, pile([(Red, 1), (Blue, 1), (Purple, 3)]));
    assert_eq!((deck, discard.total()), (pile([(Purple, 1)]), 0));
}

/// CC-11, CC-13: so do the cards of a station, and those turned up for a tunnel that fails.
#[test]
fn cc_11_other_discards_refill_too() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Purple, 1)]).market([Red, Blue]).deck_rest_to(1, []);
    table.play("station Roma in purple", cards([Purple])).unwrap();
    assert_eq!(table.piles()[2], pile([(Red, 1), (Blue, 1), (Purple, 1)]));

    let mut table = Table::new(&game);
    table.hand(0, [(Blue, 2)]).market(MARKET).deck_rest_to(1, [Blue, Red, White]);
    table.play("claim Munchen-Venezia in blue", cards([Blue, Red, White])).unwrap();
    table.play("decline", []).unwrap();
    assert_eq!(table.hand_of(0), pile([(Blue, 2)]), "too few to pay: it failed");
    assert_eq!(table.piles()[0], pile([(Blue, 1), (Red, 1), (White, 1)]));
}

/// CC-11, CC-12: all slots are refilled first, then the market is checked, and a flush refills it from all
/// cards.
#[test]
fn cc_11_refill_first_then_check_for_a_flush() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Purple, 3), (Locomotive, 1)]).market([Locomotive, Locomotive, Red]).deck_rest_to(1, []);
    let refill = cards([Locomotive, Purple]);
    let flushed = cards([Purple, Purple, Red, Purple, Locomotive]);
    table.play("claim Brest-Pamplona in purple + 1 locomotive", [refill, flushed].concat()).unwrap();
    let [deck, discard, market] = table.piles();
    assert_eq!(market, pile([(Purple, 3), (Red, 1), (Locomotive, 1)]));
    assert_eq!((deck, discard.total()), (pile([(Locomotive, 2)]), 0));
}

/// CC-12: a third locomotive flushes the market between the first and the second card, again and again.
#[test]
fn cc_12_flush_between_two_cards() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.market([Locomotive, Locomotive, Blue, White, Green]);
    let mut events = cards([Locomotive]);
    events.extend(cards([Locomotive, Locomotive, Locomotive, Locomotive, Red]));
    events.extend(cards([Locomotive, Locomotive, Red, Red, Red]));
    table.play("take blue", events).unwrap();
    let [_, discard, market] = table.piles();
    assert_eq!(market, pile([(Locomotive, 2), (Red, 3)]));
    assert_eq!(discard, pile([(Locomotive, 7), (White, 1), (Green, 1), (Red, 1)]));
    assert_eq!((table.phase(), table.seat()), (Phase::SecondCard, 0));
    table.play("take red", cards([Black])).unwrap();
}

/// CC-12: also after the second card, and after a face-up locomotive was taken.
#[test]
fn cc_12_flush_at_the_end_of_a_turn() {
    let game = game("usa", 2);
    let mut table = Table::new(&game);
    table.market([Locomotive, Locomotive, Blue, White, Green]).play("take blind", cards([Red])).unwrap();
    table.play("take white", cards([Locomotive, Red, Red, Red, Red, Red])).unwrap();
    assert_eq!(table.piles()[2], pile([(Red, 5)]));

    let mut table = Table::new(&game);
    table.market([Locomotive, Locomotive, Blue, White, Green]);
    table.play("take locomotive", cards([Locomotive])).unwrap();
    assert_eq!(table.piles()[2].locomotives(), 2, "two are not too many");
}

/// CC-13: the discard becomes the deck as soon as the deck is empty.
#[test]
fn cc_13_eager_reshuffle() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.market(MARKET).deck_rest_discarded([Red]);
    let discard = table.piles()[1];
    table.play("take blind", cards([Red])).unwrap();
    assert_eq!(table.piles(), [discard, pile([]), MARKET.into_iter().collect()]);
    // The refill of a slot can empty it as well.
    let mut table = Table::new(&game);
    table.market(MARKET).deck_rest_discarded([Red]);
    table.play("take blue", cards([Red])).unwrap();
    assert_eq!((table.piles()[0], table.piles()[1].total()), (discard, 0));
}

/// CC-13: cards discarded while the deck is empty become the deck, once the whole payment is there.
#[test]
fn cc_13_discards_become_the_deck() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Purple, 3), (Locomotive, 1)]).market(MARKET).deck_rest_to(1, []);
    table.play("claim Brest-Pamplona in purple + 1 locomotive", []).unwrap();
    let [deck, discard, market] = table.piles();
    assert_eq!(deck, pile([(Purple, 3), (Locomotive, 1)]));
    assert_eq!((discard.total(), market), (0, MARKET.into_iter().collect()));
    assert_eq!(table.seat(), 1);
    assert!(table.actions().contains(&"take blind".to_owned()));
}

/// CC-14: there is no hand limit.
#[test]
fn cc_14_no_hand_limit() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.market(MARKET).turn(1).deck_rest_to(1, [Red, Red]);
    assert_eq!(table.hand_of(1).total(), 103);
    table.play("take blind", cards([Red])).unwrap().play("take blind", cards([Red])).unwrap();
    assert_eq!(table.hand_of(1).total(), 105);
}

/// CC-15: a last face-up locomotive may be taken as the first card only.
#[test]
fn cc_15_the_only_card_is_a_face_up_locomotive() {
    let europe = game("europe", 2);
    let mut table = scarce(&europe, &[], &[Locomotive]);
    table.play("take locomotive", []).unwrap();
    assert_eq!((table.hand_of(0), table.seat()), (pile([(Locomotive, 1)]), 1));

    let mut table = scarce(&europe, &[], &[Locomotive, Red]);
    table.play("take red", []).unwrap();
    assert_eq!((table.hand_of(0), table.seat()), (pile([(Red, 1)]), 1), "the locomotive stays");
    assert_eq!(table.piles()[2], pile([(Locomotive, 1)]));

    // In Nordic it is a card like any other.
    let nordic = game("nordic", 2);
    let mut table = scarce(&nordic, &[], &[Locomotive, Red]);
    table.play("take red", []).unwrap().play("take locomotive", []).unwrap();
    assert_eq!((table.hand_of(0).total(), table.seat()), (2, 1));
}
