//! The ticket variants of Europa 1912.

use ttr_engine::CardKind::*;
use ttr_engine::board::{Action, BoardGame, Facts, Phase};
use ttr_engine::testing::{Inspect, Table, cards, conform};
use ttr_engine::{Dice, Event, Game, Seat, TicketId};

use crate::{MARKET, game, starts, variant};

/// Tickets of a map that are dealt at the start only, or not.
fn ids(game: &BoardGame, long: bool) -> Vec<TicketId> {
    let tickets = game.spec().tickets.iter().zip(0..);
    tickets.filter(|(ticket, _)| (ticket.deck == "long") == long).map(|(_, id)| TicketId::new(id)).collect()
}

fn events(tickets: &[TicketId]) -> Vec<Event> {
    tickets.iter().map(|&ticket| Event::Ticket(ticket)).collect()
}

/// A deal for two seats up to the first choice, seat 0 being first and offered these tickets.
fn deal<'g>(game: &'g BoardGame, offered: &[TicketId]) -> Table<'g> {
    let mut all = vec![starts(0)];
    all.extend(cards([[Red; 4], [Blue; 4]].concat()));
    all.extend(cards(MARKET));
    all.extend(events(offered));
    Table::deal(game, all)
}

fn facts(table: &Table<'_>, seat: u8) -> Facts {
    table.seen_by(seat).facts()
}

/// Keeps tickets until the turns start.
fn keep_all(table: &Table<'_>, choice: u8) -> ttr_engine::board::State {
    let mut state = *table.state();
    let mut dice = Dice::from_seed(3);
    while let Phase::Opening { .. } = Table::at(table.game, state).phase() {
        table.game.play(&mut state, Action::Keep(choice), &mut dice).unwrap();
    }
    state
}

/// Draws tickets, keeping all, until the deck is empty; returns what was drawn.
fn draw_all(game: &BoardGame, mut state: ttr_engine::board::State) -> Vec<TicketId> {
    let mut drawn = Vec::new();
    let mut dice = Dice::from_seed(4);
    while game.is_legal(&state, Action::DrawTickets) {
        let seat = Table::at(game, state).seat();
        game.play(&mut state, Action::DrawTickets, &mut dice).unwrap();
        let offered = game.observe(&state, Seat::new(seat.into())).offered();
        drawn.extend(offered);
        game.play(&mut state, Action::Keep((1 << offered.len()) - 1), &mut dice).unwrap();
    }
    drawn
}

/// X-15, EU-2: Europe Expanded has 6 long and 59 regular tickets; opening and draws are Europe's.
#[test]
fn x_15_expanded() {
    let game = game("europe-expanded", 2);
    let (long, regular) = (ids(&game, true), ids(&game, false));
    assert_eq!((long.len(), regular.len()), (6, 59));
    let mut table = deal(&game, &[long[0], regular[40], regular[58], regular[1]]);
    assert_eq!(table.actions().len(), 6 + 4 + 1, "two, three or four of four");
    let next = [long[5], regular[10], regular[11], regular[12]];
    table.act(Action::Keep(0b0110), events(&next)).unwrap().act(Action::Keep(0b1111), []).unwrap();
    assert_eq!(table.phase(), Phase::Main);
    assert_eq!((table.tickets_of(0).len(), table.tickets_of(1).len()), (2, 4));
    assert_eq!(table.seen_by(0).ticket_deck_size(), 59 - 6);
    table.play("tickets", events(&regular[20..23])).unwrap();
    assert_eq!(table.actions().len(), 7, "at least one of three");
    table.act(Action::Keep(0b001), []).unwrap();
    assert_eq!(table.seen_by(0).ticket_deck_size(), 59 - 6 - 1, "the rest goes under the deck");
}

/// EU-2: no long ticket is ever drawn, and every other one can be.
#[test]
fn no_long_ticket_in_the_deck() {
    for (map, choice, others, dealt) in
        [("europe-expanded", 0b1111, 59, 6), ("europe-big-cities", 0b11111, 45, 10)]
    {
        let game = game(map, 2);
        let state = keep_all(&Table::at(&game, game.deal(&mut Dice::from_seed(1))), choice);
        let drawn = draw_all(&game, state);
        assert_eq!(drawn.len(), others - dealt, "{map}");
        let long = ids(&game, true);
        assert!(drawn.iter().all(|ticket| !long.contains(ticket)), "{map}");
    }
}

/// X-16, I-20, I-21: Mega Europe deals two of 12 long tickets, of which at most one is kept, then five of 89
/// others: at least two of them are kept with a long one, three without.
#[test]
fn x_16_mega() {
    let game = game("europe-mega", 2);
    let (long, other) = (ids(&game, true), ids(&game, false));
    assert_eq!((long.len(), other.len()), (12, 89));
    let mut table = deal(&game, &[long[0], long[11]]);
    assert_eq!(table.phase(), Phase::Opening { step: 0 });
    let names = [long[0], long[11]].map(|ticket| game.ticket_name(ticket));
    assert_eq!(
        table.actions(),
        ["keep none".to_owned(), format!("keep {}", names[0]), format!("keep {}", names[1])]
    );
    table.play(&format!("keep {}", names.join(", ")), []).unwrap_err();
    table.act(Action::Keep(0b10), events(&[long[5], long[6]])).unwrap();
    assert_eq!((table.seat(), table.phase()), (1, Phase::Opening { step: 0 }));
    table.act(Action::Keep(0), events(&other[..5])).unwrap();
    // Step 2: seat 0 has a long one, seat 1 has not.
    assert_eq!((table.seat(), table.phase()), (0, Phase::Opening { step: 1 }));
    assert_eq!(table.actions().len(), 32 - 1 - 5, "two or more of five");
    table.act(Action::Keep(0b00001), []).unwrap_err();
    table.act(Action::Keep(0b00011), events(&other[84..])).unwrap();
    assert_eq!((table.seat(), table.actions().len()), (1, 32 - 1 - 5 - 10));
    table.act(Action::Keep(0b00011), []).unwrap_err();
    table.act(Action::Keep(0b11111), []).unwrap();
    assert_eq!((table.seat(), table.phase()), (0, Phase::Main));
    assert_eq!((table.tickets_of(0).len(), table.tickets_of(1).len()), (3, 5));
    assert!(table.tickets_of(0).contains(&names[1]));
    // Unkept ones are in the box: 89 - 10 are left, and the draw is of three.
    assert_eq!(table.seen_by(0).ticket_deck_size(), 79);
    table.play("tickets", events(&other[10..13])).unwrap();
    assert_eq!(table.actions().len(), 7);
    table.act(Action::Keep(0b100), []).unwrap();
    let mut drawn = draw_all(&game, *table.state());
    drawn.sort();
    let mut left = other[5..84].to_vec();
    left.retain(|&ticket| ticket != other[12]);
    assert_eq!(drawn, left, "all that was not dealt, and the two put under the deck");
}

/// X-16, EU-2: with five seats ten long tickets are dealt; two are left in the box.
#[test]
fn x_16_mega_with_five_seats() {
    let game = game("europe-mega", 5);
    let mut dice = Dice::from_seed(7);
    let mut state = game.deal(&mut dice);
    for choice in [0b01, 0b00, 0b10, 0b01, 0b00, 0b11111, 0b00111, 0b00011, 0b00011, 0b11100] {
        game.play(&mut state, Action::Keep(choice), &mut dice).unwrap();
    }
    let table = Table::at(&game, state);
    assert_eq!(table.phase(), Phase::Main);
    let first = table.seat();
    let held = |n: u8| table.tickets_of((first + n) % 5).len();
    assert_eq!([0, 1, 2, 3, 4].map(held), [6, 3, 3, 3, 3]);
    assert_eq!(table.seen_by(0).ticket_deck_size(), 89 - 25);
}

/// X-16, CC-3, CC-34: how many tickets a seat kept in step 1 is public when all have chosen, and not before.
#[test]
fn x_16_counts_of_step_one() {
    let game = game("europe-mega", 3);
    let long = ids(&game, true);
    let other = ids(&game, false);
    let play = |first: u8| {
        let mut all = vec![starts(0)];
        all.extend(cards([[Red; 4], [Blue; 4], [Green; 4]].concat()));
        all.extend(cards(MARKET));
        all.extend(events(&long[..2]));
        let mut table = Table::deal(&game, all);
        table.act(Action::Keep(first), events(&long[2..4])).unwrap();
        table
    };
    let (mut none, mut one) = (play(0b00), play(0b01));
    for table in [&mut none, &mut one] {
        assert_eq!(table.seen_by(1).ticket_count(Seat::new(0)), None);
    }
    assert_eq!(facts(&none, 1), facts(&one, 1));
    for table in [&mut none, &mut one] {
        table.act(Action::Keep(0b01), events(&long[4..6])).unwrap();
    }
    assert_eq!(facts(&none, 1), facts(&one, 1), "seat 2 has still to choose");
    assert_eq!(facts(&none, 2), facts(&one, 2));
    for table in [&mut none, &mut one] {
        table.act(Action::Keep(0b01), events(&other[..5])).unwrap();
    }
    let kept = |table: &Table<'_>| facts(table, 1).seats[0].opening_kept.clone();
    assert_eq!((kept(&none), kept(&one)), (vec![0], vec![1]), "now it is public");
    // Step 2 is secret in turn.
    let (mut three, mut four) = (one.clone(), one.clone());
    three.act(Action::Keep(0b00111), events(&other[5..10])).unwrap();
    four.act(Action::Keep(0b01111), events(&other[5..10])).unwrap();
    assert_eq!(facts(&three, 1), facts(&four, 1));
    for table in [&mut three, &mut four] {
        table.act(Action::Keep(0b00111), events(&other[10..15])).unwrap();
        table.act(Action::Keep(0b00111), []).unwrap();
    }
    let count = |table: &Table<'_>| table.seen_by(1).ticket_count(Seat::new(0));
    assert_eq!((count(&three), count(&four)), (Some(4), Some(5)));
}

/// I-42: guesses in the middle of the opening and after it hold at most one long ticket per
/// seat, and what is public is as it was.
#[test]
fn x_16_guesses() {
    for game in [game("europe-mega", 3), variant("europe-mega", 3, TOGETHER)] {
        let long = ids(&game, true);
        for seed in 0..20 {
            let mut dice = Dice::from_seed(seed);
            let mut state = game.deal(&mut dice);
            for _ in 0..8 {
                for seat in Seat::all(3) {
                    let view = game.observe(&state, seat);
                    let world = game.determinize(&view, &mut dice);
                    game.assert_invariants(&world);
                    assert_eq!(game.observe(&world, seat).facts(), view.facts());
                    for holder in Seat::all(3) {
                        let held = game.observe(&world, holder).tickets().into_iter();
                        assert!(held.filter(|ticket| long.contains(ticket)).count() <= 1);
                    }
                }
                let action = game.random_action(&state, &mut dice);
                game.play(&mut state, action, &mut dice).unwrap();
            }
        }
    }
}

/// `mega_order = together`: all seven at once.
const TOGETHER: &str = "[rules.tickets]\nopening = [{ deal = [\n\
    { deck = \"long\", count = 2, keep_max = 1 }, { deck = \"regular\", count = 5 }], hold = 3 }]";

/// with `together` seven tickets are offered at once; at least three are kept, of the long ones at
/// most one.
#[test]
fn a_34_mega_together() {
    let game = variant("europe-mega", 2, TOGETHER);
    let (long, other) = (ids(&game, true), ids(&game, false));
    let offered = [&long[..2], &other[..5]].concat();
    let mut table = deal(&game, &offered);
    assert_eq!(table.phase(), Phase::Opening { step: 0 });
    let held = table.seen_by(0).offered();
    let long_bits: u8 =
        held.into_iter().enumerate().filter(|(_, id)| long.contains(id)).map(|(i, _)| 1 << i).sum();
    for choice in 0..=u8::MAX {
        let legal = choice < 128 && choice.count_ones() >= 3 && (choice & long_bits).count_ones() <= 1;
        assert_eq!(game.is_legal(table.state(), Action::Keep(choice)), legal, "{choice:07b}");
    }
    // No long: 10 + 5 + 1. One of two: twice 10 + 10 + 5 + 1.
    assert_eq!(table.actions().len(), 16 + 2 * 26);
    let next = [&long[2..4], &other[5..10]].concat();
    let first_long = long_bits & long_bits.wrapping_neg();
    let keep = (127 & !long_bits) | first_long;
    table.act(Action::Keep(keep), events(&next)).unwrap();
    table.act(Action::Keep(127 & !long_bits), []).unwrap();
    assert_eq!((table.phase(), table.tickets_of(0).len(), table.tickets_of(1).len()), (Phase::Main, 6, 5));
    assert_eq!(table.seen_by(0).ticket_deck_size(), 79);
    conform(&variant("europe-mega", 3, TOGETHER), 0..10);
}

/// Big Cities has 45 tickets, each with one of nine big cities; five are dealt, at least two
/// kept; draws are of four, of which at least one is kept.
#[test]
fn x_17_big_cities() {
    let game = game("europe-big-cities", 2);
    let (long, all) = (ids(&game, true), ids(&game, false));
    assert_eq!((long.len(), all.len()), (0, 45));
    let big = ["London", "Paris", "Madrid", "Berlin", "Wien", "Roma", "Athina", "Angora", "Moskva"];
    for ticket in game.tickets() {
        assert!(ticket.ends.iter().any(|&city| big.contains(&game.city_name(city))));
    }
    let mut table = deal(&game, &all[..5]);
    assert_eq!(table.actions().len(), 32 - 1 - 5, "two or more of five");
    table.act(Action::Keep(0b00001), []).unwrap_err();
    table.act(Action::Keep(0b00011), events(&all[5..10])).unwrap().act(Action::Keep(0b11111), []).unwrap();
    assert_eq!(table.seen_by(0).ticket_deck_size(), 35, "unkept ones are in the box");
    table.play("tickets", events(&all[10..14])).unwrap();
    assert_eq!(table.actions().len(), 15, "one or more of four");
    table.act(Action::Keep(0b0000), []).unwrap_err();
    table.act(Action::Keep(0b0001), []).unwrap();
    assert_eq!(table.seen_by(0).ticket_deck_size(), 34);
    let mut drawn = draw_all(&game, *table.state());
    drawn.sort();
    assert_eq!(drawn, all[11..], "the three come back");
}

/// the last draw is of what is left.
#[test]
fn x_17_fewer_than_four_left() {
    let game = game("europe-big-cities", 2);
    let mut table = Table::new(&game);
    table.market(MARKET).ticket_deck(["Berlin-Wien", "London-Paris"]);
    let draws = ["Berlin-Wien", "London-Paris"].map(|name| table.draws(name));
    table.play("tickets", draws).unwrap();
    assert_eq!(table.actions().len(), 3);
}

/// the label of a ticket has no effect after the opening: a long one counts its points like any
/// other, and no board of the three has another bonus.
#[test]
fn x_18_labels_mean_nothing_later() {
    for map in ["europe-expanded", "europe-mega", "europe-big-cities"] {
        let (variant, europe) = (game(map, 2), game("europe", 2));
        let rules = |game: &BoardGame| {
            let mut rules = game.spec().rules.clone();
            rules.tickets = europe.spec().rules.tickets.clone();
            rules
        };
        assert_eq!(rules(&variant), rules(&europe), "{map}: only tickets differ");
    }
    let game = game("europe-mega", 2);
    let mut table = Table::new(&game);
    table.market(MARKET).tickets(0, ["Essen-Angora", "Berlin-Wien", "Dieppe-Marseille"]);
    table
        .tickets(1, ["London-Paris"])
        .routes(0, ["Berlin-Wien"])
        .routes(1, ["Dieppe-Paris", "Dieppe-London/1"]);
    let sheet = game.score_sheet(table.finish().state());
    assert_eq!((sheet[0].tickets, sheet[1].tickets), (3 - 16 - 5, 3));
    assert_eq!((sheet[0].completed, sheet[0].failed), (1, 2));
}
