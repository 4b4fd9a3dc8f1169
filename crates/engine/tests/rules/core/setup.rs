//! Setup and whose turn it is: CC-1 to CC-5.

use ttr_engine::CardKind::*;
use ttr_engine::board::{Action, Phase};
use ttr_engine::testing::{Table, cards};
use ttr_engine::{Dice, Event, Game, Seat, TicketId, Turn};

use crate::{MARKET, forbidden_by, game, pile, starts, variant};

/// The four opening tickets of a seat in Europe.
fn offer(table: &Table<'_>, tickets: [&str; 4]) -> Vec<Event> {
    tickets.map(|name| table.draws(name)).to_vec()
}

const ONE: [&str; 4] = ["Brest-Petrograd", "Athina-Angora", "London-Wien", "Paris-Zagrab"];
const OTHER: [&str; 4] = ["Palermo-Moskva", "Kyiv-Sochi", "Essen-Kyiv", "Roma-Smyrna"];

/// CC-1: 45 trains and 3 stations in Europe, 40 trains in Nordic, 45 in USA; no points.
#[test]
fn cc_1_trains_stations_and_no_points() {
    for (map, trains, stations) in [("europe", 45, 3), ("nordic", 40, 0), ("usa", 45, 0)] {
        let game = game(map, 3);
        let table = Table::at(&game, game.deal(&mut Dice::from_seed(5)));
        for seat in 0..3 {
            assert_eq!((table.trains_of(seat), table.points_of(seat)), (trains, 0), "{map}");
            // Four points for each station in stock.
            assert_eq!(game.score_sheet(table.state())[usize::from(seat)].stations, 4 * stations, "{map}");
        }
    }
}

/// CC-2: four cards to each seat, unseen by the others, then five face up.
#[test]
fn cc_2_hands_and_market() {
    let game = game("europe", 2);
    let empty = Table::new(&game);
    let mut events = vec![starts(1)];
    events.extend(cards([Red, Red, Blue, Locomotive, White, White, White, White]));
    events.extend(cards([Green, Green, Locomotive, Locomotive, Black]));
    events.extend(offer(&empty, ONE));
    let table = Table::deal(&game, events);
    assert_eq!(table.hand_of(0), pile([(Red, 2), (Blue, 1), (Locomotive, 1)]));
    assert_eq!(table.hand_of(1), pile([(White, 4)]));
    let [deck, discard, market] = table.piles();
    assert_eq!(market, pile([(Green, 2), (Locomotive, 2), (Black, 1)]));
    // I-7: 110 - 4 * 2 - 5
    assert_eq!((deck.total(), discard.total()), (97, 0));
    let view = table.seen_by(0);
    assert_eq!((view.hand_size(Seat::new(1)), view.shown(Seat::new(1)).total()), (4, 0));
    assert_eq!(view.unseen().count(White), 12, "the others' cards are unseen");
}

/// CC-2, CC-12: three locomotives in the first market are flushed away, as often as it takes; not in Nordic.
#[test]
fn cc_2_the_first_market_is_flushed() {
    let europe = game("europe", 2);
    let hands = cards([Red, Red, Red, Red, White, White, White, White]);
    let three = cards([Locomotive, Blue, Locomotive, Blue, Locomotive]);
    let four = cards([Locomotive, Locomotive, Locomotive, Yellow, Locomotive]);
    let mut events = vec![starts(0)];
    events.extend(hands.clone());
    events.extend(three.clone());
    events.extend(four);
    events.extend(cards([Locomotive, Locomotive, Green, Green, Green]));
    events.extend(offer(&Table::new(&europe), ONE));
    let [deck, discard, market] = Table::deal(&europe, events).piles();
    assert_eq!(market, pile([(Locomotive, 2), (Green, 3)]));
    assert_eq!(discard, pile([(Locomotive, 7), (Blue, 2), (Yellow, 1)]));
    assert_eq!(deck.total(), 110 - 8 - 15);

    let nordic = game("nordic", 2);
    let mut events = vec![starts(0)];
    events.extend(hands);
    events.extend(three);
    events.extend((0..5).map(|id| Event::Ticket(TicketId::new(id))));
    assert_eq!(Table::deal(&nordic, events).piles()[2].locomotives(), 3);
}

/// CC-3, EU-2: keep two to four of the opening tickets; the others go to the box and can't be drawn any
/// more.
#[test]
fn cc_3_opening_tickets() {
    let game = variant("europe", 2, "rules.first_seat = { seat = 1 }");
    let mut events = cards([Red, Red, Red, Red, White, White, White, White]);
    events.extend(cards(MARKET));
    let empty = Table::new(&game);
    events.extend(offer(&empty, ONE));
    let mut table = Table::deal(&game, events);
    assert_eq!(table.phase(), Phase::Opening { step: 0 });
    // Subsets of two, three or four of four; all in one choice, the long one may go too.
    assert_eq!(table.actions().len(), 6 + 4 + 1);
    assert_eq!(forbidden_by(table.play("keep Brest-Petrograd", [])), "CC-3, CC-29");
    assert_eq!(forbidden_by(table.play("keep none", [])), "CC-3, CC-29");
    table.play("keep Athina-Angora, London-Wien", offer(&empty, OTHER)).unwrap();
    assert_eq!((table.seat(), table.phase()), (1, Phase::Opening { step: 0 }));
    table.play("keep Palermo-Moskva, Kyiv-Sochi, Essen-Kyiv, Roma-Smyrna", []).unwrap();
    assert_eq!((table.seat(), table.phase()), (0, Phase::Main));
    assert_eq!(table.tickets_of(0), ["Athina-Angora", "London-Wien"]);
    assert_eq!(table.tickets_of(1).len(), 4);
    // I-22: 40 regular tickets without the six that were dealt; Paris-Zagrab stays in the box.
    assert_eq!(table.seen_by(0).ticket_deck_size(), 34);
}

/// CC-3: the order of choosing has no effect.
#[test]
fn cc_3_the_order_of_choosing_has_no_effect() {
    let game = game("europe", 2);
    let empty = Table::new(&game);
    let play = |first: u8, offers: [[&str; 4]; 2], keeps: [&str; 2]| {
        let mut events = vec![starts(first)];
        events.extend(cards([Red, Red, Red, Red, White, White, White, White]));
        events.extend(cards(MARKET));
        events.extend(offer(&empty, offers[0]));
        let mut table = Table::deal(&game, events);
        assert_eq!(table.seat(), first);
        table.play(keeps[0], offer(&empty, offers[1])).unwrap();
        table.play(keeps[1], []).unwrap();
        table
    };
    let (keep_one, keep_other) = ("keep Brest-Petrograd, Paris-Zagrab", "keep Kyiv-Sochi, Roma-Smyrna");
    let a = play(0, [ONE, OTHER], [keep_one, keep_other]);
    let b = play(1, [OTHER, ONE], [keep_other, keep_one]);
    for seat in 0..2 {
        assert_eq!(a.tickets_of(seat), b.tickets_of(seat));
        assert_eq!(a.seen_by(seat).put_back(), b.seen_by(seat).put_back());
        assert_eq!(a.seen_by(seat).facts().bottom, b.seen_by(seat).facts().bottom);
    }
    assert_eq!(a.seen_by(0).ticket_deck_size(), b.seen_by(0).ticket_deck_size());
}

/// CC-4: any seat may be drawn to start, and play goes clockwise.
#[test]
fn cc_4_first_seat_and_clockwise() {
    let game = game("usa", 3);
    for first in 0..3 {
        let mut events = vec![starts(first)];
        events.extend(cards([Red, Red, Red, Red, White, White, White, White, Blue, Blue, Blue, Blue]));
        events.extend(cards(MARKET));
        let deal = |n: usize| (3 * n..3 * n + 3).map(|id| Event::Ticket(TicketId::new(id)));
        events.extend(deal(0));
        let mut table = Table::deal(&game, events);
        let mut order = vec![table.seat()];
        for n in 1..4 {
            let keep_all = Action::Keep(0b111);
            table.act(keep_all, deal(n).take(if n < 3 { 3 } else { 0 })).unwrap();
            order.push(table.seat());
        }
        for _ in 0..3 {
            table.play("take blind", cards([Red])).unwrap().play("take blind", cards([Red])).unwrap();
            order.push(table.seat());
        }
        let clockwise: Vec<u8> = (0..7).map(|n| (first + n) % 3).collect();
        assert_eq!(order, clockwise);
    }
}

/// CC-5: a turn is one action: cards, a route, tickets or a station.
#[test]
fn cc_5_one_action_a_turn() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Purple, 2)]).hand(1, [(Purple, 1)]).market(MARKET);
    for start in ["take blind", "take purple", "claim", "tickets", "station"] {
        assert!(!table.actions_like(start).is_empty(), "{start}");
    }
    assert!(table.actions_like("pass").is_empty(), "an action must be taken");
    table.play("claim Dieppe-Paris in purple", []).unwrap();
    assert_eq!(game.turn(table.state()), Turn::Of(Seat::new(1)));
    table.play("station Roma in purple", []).unwrap();
    assert_eq!(table.seat(), 0);
    let drawn = ["Kyiv-Sochi", "Essen-Kyiv", "Roma-Smyrna"].map(|name| table.draws(name));
    table.play("tickets", drawn).unwrap();
    assert_eq!(table.seat(), 0, "the choice is part of the turn");
    assert!(table.actions().iter().all(|action| action.starts_with("keep")));
    table.play("keep Kyiv-Sochi", []).unwrap();
    assert_eq!(table.seat(), 1);
    table.play("take blind", cards([Red])).unwrap();
    assert_eq!(table.seat(), 1);
    assert!(table.actions().iter().all(|action| action.starts_with("take")));
    table.play("take blind", cards([Red])).unwrap();
    assert_eq!(table.seat(), 0);
}
