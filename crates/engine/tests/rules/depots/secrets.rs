//! Who knows what of warehouses: X-13, I-42.

use ttr_engine::CardKind::{self, *};
use ttr_engine::board::{BoardGame, Facts};
use ttr_engine::testing::{Inspect, Table, cards};
use ttr_engine::{Cards, Dice, Game, Seat};

use super::{europe, with_depots};
use crate::{MARKET, pile};

fn facts(table: &Table<'_>, seat: u8) -> Facts {
    table.seen_by(seat).facts()
}

/// sizes of warehouses, reserves and places of depots are public.
#[test]
fn x_13_counts_are_public() {
    let game = with_depots("europe", 3);
    let mut table = europe(&game);
    table.market(MARKET).warehouse(0, [(Red, 2)]).warehouse(2, [(Blue, 1)]).depots(1, ["Roma"]).reserve(2, 1);
    for seat in 0..3 {
        let view = table.seen_by(seat);
        assert_eq!([0, 1, 2].map(|seat| view.warehouse_size(Seat::new(seat))), [2, 0, 1]);
        assert_eq!([0, 1, 2].map(|seat| view.depot_reserve(Seat::new(seat))), [4, 3, 1]);
        let depots: Vec<_> = view.depots(Seat::new(1)).collect();
        assert_eq!(depots, [table.city("Lisboa"), table.city("Roma")]);
        let sizes = facts(&table, seat).seats.iter().map(|seat| seat.warehouse_size).collect::<Vec<_>>();
        assert_eq!(sizes, [2, 0, 1]);
    }
}

/// I-42: nobody knows a stored card: not who stored it, not the owner of the warehouse, nor
/// anybody else.
#[test]
fn x_13_stored_cards_are_unknown_to_all() {
    let game = with_depots("europe", 3);
    let play = |kind: CardKind| {
        let mut table = europe(&game);
        table.market(MARKET).hand(1, [(Red, 1)]).play("store 2", cards([kind])).unwrap();
        table
    };
    let (a, b) = (play(Red), play(Locomotive));
    assert_ne!(a.state(), b.state());
    for seat in 0..3 {
        assert_eq!(facts(&a, seat), facts(&b, seat));
        assert_eq!(a.seen_by(seat).unseen(), b.seen_by(seat).unseen());
        assert_eq!(a.seen_by(seat).unseen().total(), 110 - 5 - a.hand_of(seat).total());
    }
}

/// I-42: the collector knows its new cards; the others learn their number, and nothing is shown.
#[test]
fn x_13_collected_cards_are_known_to_the_collector_only() {
    let game = with_depots("europe", 3);
    let play = |stored: [(CardKind, u8); 2]| {
        let mut table = europe(&game);
        table.market(MARKET).hand(0, [(Purple, 1), (Red, 2)]).shown(0, [(Red, 1)]).depots(1, ["Paris"]);
        table.warehouse(1, stored).play("claim Dieppe-Paris in purple", []).unwrap();
        table
    };
    let (mut a, mut b) = (play([(Red, 2), (Blue, 1)]), play([(Locomotive, 1), (Green, 2)]));
    for seat in 0..3 {
        assert_eq!(facts(&a, seat), facts(&b, seat), "before");
    }
    a.play("collect 2", []).unwrap();
    b.play("collect 2", []).unwrap();
    assert_eq!((a.seen_by(0).hand(), a.seen_by(0).hand_size(Seat::new(0))), (pile([(Red, 4), (Blue, 1)]), 5));
    for seat in [1, 2] {
        assert_eq!(
            facts(&a, seat),
            facts(&b, seat),
            "the owner of the warehouse knows as little as the third seat"
        );
        assert_eq!(a.seen_by(seat).shown(Seat::new(0)), pile([(Red, 1)]), "as before");
        assert_eq!(a.seen_by(seat).hand_size(Seat::new(0)), 5);
    }
    assert_ne!(facts(&a, 0), facts(&b, 0));
}

/// what the warehouses held is unknown when it becomes the deck.
#[test]
fn x_13_emptied_warehouses_are_unknown() {
    let game = with_depots("europe", 3);
    let play = |stored: [(CardKind, u8); 2], hand: [(CardKind, u8); 2]| {
        let mut table = europe(&game);
        table.market(MARKET).hand(1, hand).reserve(0, 1).warehouse(2, stored).deck_rest_to(2, []);
        table.play("depot Roma", []).unwrap();
        assert_eq!(table.piles()[0], pile(stored));
        table
    };
    let a = play([(Red, 2), (Blue, 1)], [(Green, 2), (Black, 1)]);
    let b = play([(Green, 2), (Black, 1)], [(Red, 2), (Blue, 1)]);
    assert_eq!(facts(&a, 0), facts(&b, 0));
    assert_eq!(facts(&a, 2), facts(&b, 2));
}

/// X-13, CC-34: a reshuffle reveals two seats' hands to each other only if no card is in a warehouse.
#[test]
fn x_13_stored_cards_hide_hands() {
    let game = with_depots("europe", 2);
    let mut table = europe(&game);
    table.market(MARKET).hand(0, [(Red, 2)]).hand(1, [(Blue, 2)]).deck_rest_discarded([Black]);
    table.play("store 1", cards([Black])).unwrap();
    assert_eq!(table.piles()[1].total(), 0, "reshuffled");
    assert_eq!(table.seen_by(0).shown(Seat::new(1)), Cards::EMPTY, "the stored card may be blue");
    // Without a stored card each knows the other's hand: here the last one is collected while the deck is
    // empty.
    let mut table = europe(&game);
    table.market([Red, White, Green, Green]).hand(0, [(Purple, 1)]).depots(1, ["Paris"]);
    table.warehouse(1, [(Blue, 2)]).deck_rest_to(1, []);
    table.play("claim Dieppe-Paris in purple", cards([Purple])).unwrap().play("collect 2", []).unwrap();
    assert_eq!(table.seen_by(1).unseen().total(), 0);
    assert_eq!(table.seen_by(1).shown(Seat::new(0)), pile([(Blue, 2)]));
}

/// Nordic Countries, whose tickets are one pile: guesses need not know which ones were kept in the opening.
fn nordic(game: &BoardGame) -> Table<'_> {
    let mut table = Table::new(game);
    table.depots(0, ["Oslo"]).depots(1, ["Bergen"]);
    table
}

/// X-13, I-42: a guess deals warehouses, evenly among all unseen cards, for every seat: owners as well.
#[test]
fn x_13_guesses_deal_warehouses_anew() {
    let game = with_depots("nordic", 2);
    let mut table = nordic(&game);
    // Unseen by seat 0: one card each in the deck, in both warehouses and in the hand of seat 1.
    table.market(MARKET).hand(1, [(Green, 1)]).warehouse(0, [(Red, 1)]).warehouse(1, [(Blue, 1)]);
    table.deck_rest_to(0, [Black]);
    let view = table.seen_by(0);
    assert_eq!(view.unseen(), pile([(Red, 1), (Blue, 1), (Green, 1), (Black, 1)]));
    let kinds = [Red, Blue, Green, Black];
    let mut counts = [[0i32; 4]; 4];
    let mut dice = Dice::from_seed(5);
    for _ in 0..8_000 {
        let world = Table::at(&game, game.determinize(&view, &mut dice));
        game.assert_invariants(world.state());
        assert_eq!(facts(&world, 0), view.facts());
        let places = [world.warehouse_of(0), world.warehouse_of(1), world.hand_of(1), world.piles()[0]];
        for (place, cards) in places.into_iter().enumerate() {
            let kind = kinds.iter().position(|&kind| cards == pile([(kind, 1)])).unwrap();
            counts[place][kind] += 1;
        }
    }
    // 2000 each; the deviation of one count is 39.
    assert!(counts.as_flattened().iter().all(|n| (n - 2000).abs() < 160), "{counts:?}");
}

/// X-13, I-42: what a seat has collected is its own to know: guesses keep it.
#[test]
fn x_13_guesses_keep_collected_cards() {
    let game = with_depots("nordic", 2);
    let mut table = nordic(&game);
    table.market(MARKET).hand(0, [(Black, 1)]).depots(1, ["Lahti"]).warehouse(1, [(Blue, 2), (Red, 1)]);
    table.warehouse(0, [(Yellow, 2)]);
    table.play("claim Helsinki-Lahti in black", []).unwrap().play("collect 2", []).unwrap();
    let mut dice = Dice::from_seed(5);
    let mut others = std::collections::BTreeSet::new();
    for _ in 0..200 {
        let own = Table::at(&game, game.determinize(&table.seen_by(0), &mut dice));
        assert_eq!(own.hand_of(0), pile([(Blue, 2), (Red, 1)]));
        let world = Table::at(&game, game.determinize(&table.seen_by(1), &mut dice));
        assert_eq!((world.hand_of(0).total(), world.warehouse_of(0).total()), (3, 2));
        others.insert(world.hand_of(0).counts());
    }
    assert!(others.len() > 20, "to the other seat they could be anything");
}

/// cards left in warehouses have no value.
#[test]
fn x_13_stored_cards_have_no_value() {
    let game = with_depots("europe", 2);
    let mut table = europe(&game);
    table.market(MARKET);
    let before = game.scores(table.state());
    table.warehouse(0, [(Red, 12), (Locomotive, 5)]);
    assert_eq!(game.scores(table.finish().state()), before);
}
