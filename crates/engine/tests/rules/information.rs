//! Who knows what: CC-34 to CC-36, I-42, and guesses about what a seat does not know.

mod bottom;
mod guesses;
mod memory;

use ttr_engine::CardKind::*;
use ttr_engine::board::{Action, BoardGame, Facts, Observation};
use ttr_engine::testing::{Table, cards};
use ttr_engine::{Cards, Event, Game, Seat, TicketId, View};

use crate::{MARKET, game, pile, starts, ticket_set, variant};

fn tickets(ids: impl IntoIterator<Item = usize>) -> Vec<Event> {
    ids.into_iter().map(|id| Event::Ticket(TicketId::new(id))).collect()
}

/// USA for two seats after the opening: seat 0 keeps tickets 0 and 1 of 0..3, seat 1 keeps 3 and 4 of 3..6.
fn after_opening(game: &BoardGame, hands: [[ttr_engine::CardKind; 4]; 2]) -> Table<'_> {
    let mut events = vec![starts(0)];
    events.extend(cards(hands.concat()));
    events.extend(cards(MARKET));
    events.extend(tickets(0..3));
    let mut table = Table::deal(game, events);
    table.act(Action::Keep(0b011), tickets(3..6)).unwrap();
    table.act(Action::Keep(0b011), []).unwrap();
    table
}

const HANDS: [[ttr_engine::CardKind; 4]; 2] = [[Red, Red, Red, Blue], [White, White, Green, Locomotive]];

/// CC-34: what everybody sees is the same for all seats.
#[test]
fn cc_34_public_facts() {
    let game = game("europe", 3);
    let mut table = Table::new(&game);
    table.hand(0, [(Red, 3)]).hand(1, [(Blue, 5)]).hand(2, [(Green, 1)]).market(MARKET);
    table.routes(1, ["Brest-Paris"]).stations(2, ["Roma"]).discard([(Black, 2)]);
    table.tickets(1, ["Paris-Wien", "Paris-Zagrab"]);
    for seat in 0..3 {
        let view = table.seen_by(seat);
        assert_eq!(view.owner(table.route("Brest-Paris")), Some(Seat::new(1)));
        assert_eq!((view.trains(Seat::new(1)), view.points(Seat::new(1))), (42, 4));
        assert_eq!(view.stations(Seat::new(2)).collect::<Vec<_>>(), [table.city("Roma")]);
        assert_eq!([0, 1, 2].map(|seat| view.hand_size(Seat::new(seat))), [3, 5, 1]);
        assert_eq!([0, 1, 2].map(|seat| view.ticket_count(Seat::new(seat))), [Some(0), Some(2), Some(0)]);
        assert_eq!(view.market(), MARKET.into_iter().collect());
        assert_eq!((view.deck_size(), view.discard()), (110 - 9 - 5 - 2, pile([(Black, 2)])), "CC-36");
        assert_eq!((view.ticket_deck_size(), view.final_turns()), (38, None));
    }
}

/// CC-34: which face-up card was taken is public, and remembered while it may still be in the hand.
#[test]
fn cc_34_face_up_cards_are_remembered() {
    let game = game("usa", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Purple, 2)]).market(MARKET);
    table.play("take purple", cards([Red])).unwrap().play("take blind", cards([Purple])).unwrap();
    assert_eq!(table.seen_by(1).shown(Seat::new(0)), pile([(Purple, 1)]), "four are held, one was seen");
    table.play("take blind", cards([Red])).unwrap().play("take blind", cards([Red])).unwrap();
    // Three of four purple cards are paid: the one that was seen may be among them.
    table.play("claim Helena-Salt Lake City in purple", []).unwrap();
    assert_eq!(table.hand_of(0), pile([(Purple, 1)]));
    assert_eq!(table.seen_by(1).shown(Seat::new(0)), Cards::EMPTY);
}

/// CC-34: cards laid for a failed tunnel return to the hand, but have been seen.
#[test]
fn cc_34_a_failed_tunnel_shows_cards() {
    let game = game("europe", 3);
    let mut table = Table::new(&game);
    table.hand(0, [(Blue, 5), (Locomotive, 1), (Red, 1)]).shown(0, [(Blue, 1)]);
    table.market([White, White, Orange, Orange, Orange]);
    table.play("claim Munchen-Venezia in blue", cards([Blue, Red, Red])).unwrap();
    let (_, laid, revealed) = table.seen_by(2).pending().unwrap();
    assert_eq!((laid, revealed), (pile([(Blue, 2)]), pile([(Blue, 1), (Red, 2)])), "both are public");
    table.play("decline", []).unwrap();
    // Two blue cards at once: the one known before may be one of them.
    assert_eq!(table.seen_by(1).shown(Seat::new(0)), pile([(Blue, 2)]));
    // It fails again with another payment: what was seen adds up by kind.
    let mut table = Table::new(&game);
    table.hand(0, [(Blue, 2), (Locomotive, 1)]).shown(0, [(Blue, 1)]);
    table.market([White, White, Orange, Orange, Orange]);
    let claim = "claim Munchen-Venezia in blue + 1 locomotive";
    table.play(claim, cards([Blue, Blue, Red])).unwrap().play("decline", []).unwrap();
    assert_eq!(table.hand_of(0), pile([(Blue, 2), (Locomotive, 1)]), "it failed");
    assert_eq!(table.seen_by(2).shown(Seat::new(0)), pile([(Blue, 1), (Locomotive, 1)]));
}

/// CC-34, CC-36: payments and reveals go to the discard, which is public.
#[test]
fn cc_36_the_discard_is_public() {
    let game = game("europe", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Blue, 5)]).market([White, White, Orange, Orange, Orange]);
    table.play("claim Munchen-Venezia in blue", cards([Blue, Red, Red])).unwrap().play("pay", []).unwrap();
    for seat in 0..2 {
        assert_eq!(table.seen_by(seat).discard(), pile([(Blue, 4), (Red, 2)]));
    }
}

fn facts(table: &Table<'_>, seat: u8) -> Facts {
    table.seen_by(seat).facts()
}

/// CC-35, I-42: opening hands and blind cards are secret: other cards there give the same view.
#[test]
fn cc_35_hands_and_blind_cards_are_secret() {
    let game = game("usa", 2);
    let play = |theirs, blind| {
        let mut table = after_opening(&game, [HANDS[0], theirs]);
        table.play("take blind", cards([Black])).unwrap().play("take blind", cards([Black])).unwrap();
        table.play("take blind", cards([blind])).unwrap().play("take white", cards([Yellow])).unwrap();
        table
    };
    let a = play([White, White, Green, Locomotive], Green);
    let b = play([Red, Black, Yellow, Yellow], Locomotive);
    assert_eq!(facts(&a, 0), facts(&b, 0));
    assert!(a.seen_by(0) == b.seen_by(0));
    assert_eq!(format!("{:?}", a.seen_by(0)), format!("{:?}", b.seen_by(0)));
    assert_ne!(facts(&a, 1), facts(&b, 1), "the owner sees them");
    assert_eq!(a.seen_by(0).unseen(), b.seen_by(0).unseen());
}

/// CC-35, I-42: held, returned and offered tickets are secret.
#[test]
fn cc_35_tickets_are_secret() {
    let game = game("usa", 2);
    let play = |theirs: [usize; 3], keep, drawn: [usize; 3]| {
        let mut events = vec![starts(0)];
        events.extend(cards(HANDS.concat()));
        events.extend(cards(MARKET));
        events.extend(tickets(0..3));
        let mut table = Table::deal(&game, events);
        table.act(Action::Keep(0b011), tickets(theirs)).unwrap();
        table.act(Action::Keep(keep), []).unwrap();
        table.play("take blind", cards([Black])).unwrap().play("take blind", cards([Black])).unwrap();
        table.act(Action::DrawTickets, tickets(drawn)).unwrap();
        table
    };
    let mut a = play([3, 4, 5], 0b011, [6, 7, 8]);
    let mut b = play([20, 21, 22], 0b101, [5, 10, 29]);
    assert_eq!(facts(&a, 0), facts(&b, 0), "while seat 1 is choosing");
    assert_eq!((a.seen_by(0).offered().len(), a.seen_by(0).offered_count()), (0, 3));
    assert_eq!(a.seen_by(1).offered().len(), 3);
    a.act(Action::Keep(0b001), []).unwrap();
    b.act(Action::Keep(0b100), []).unwrap();
    assert_eq!(facts(&a, 0), facts(&b, 0), "and afterwards");
    // CC-34: the numbers are public.
    let view = a.seen_by(0);
    assert_eq!((view.ticket_count(Seat::new(1)), facts(&a, 0).seats[1].put_back_count), (Some(3), Some(3)));
    let mut c = play([3, 4, 5], 0b011, [6, 7, 8]);
    c.act(Action::Keep(0b011), []).unwrap();
    assert_ne!(facts(&a, 0), facts(&c, 0));
}

/// CC-35: completed tickets are secret, too.
#[test]
fn cc_35_completed_tickets_are_secret() {
    let game = game("usa", 2);
    let play = |ticket: &str| {
        let mut table = Table::new(&game);
        table.market(MARKET).routes(1, ["Denver-Santa Fe", "El Paso-Santa Fe"]).tickets(1, [ticket]);
        facts(&table, 0)
    };
    assert_eq!(play("Denver-El Paso"), play("Los Angeles-New York"));
}

/// CC-3, CC-34: how many opening tickets a seat keeps is secret until all have chosen.
#[test]
fn cc_3_opening_choices_are_secret_until_all_have_chosen() {
    for (map, seats) in [("usa", 3), ("europe", 3), ("nordic", 3)] {
        let game = game(map, seats);
        let keep = |first: u8| {
            let mut dice = ttr_engine::Dice::from_seed(8);
            let mut state = game.deal(&mut dice);
            let chooser = Table::at(&game, state).seat();
            // Equal dice: what is dealt next does not depend on the choice.
            game.play(&mut state, Action::Keep(first), &mut dice).unwrap();
            (chooser, Table::at(&game, state), dice)
        };
        let (chooser, mut few, dice) = keep(0b011);
        let (_, mut many, _) = keep(0b111);
        let others: Vec<u8> = (0..3).filter(|&seat| seat != chooser).collect();
        for &seat in &others {
            assert_eq!(facts(&few, seat), facts(&many, seat), "{map}");
            assert_eq!(few.seen_by(seat).ticket_count(Seat::new(chooser.into())), None, "{map}");
        }
        assert_ne!(facts(&few, chooser), facts(&many, chooser));
        for table in [&mut few, &mut many] {
            let mut state = *table.state();
            let mut dice = dice.clone();
            for _ in 1..3 {
                game.play(&mut state, Action::Keep(0b011), &mut dice).unwrap();
            }
            *table = Table::at(&game, state);
        }
        let kept = |table: &Table<'_>| table.seen_by(others[0]).ticket_count(Seat::new(chooser.into()));
        assert_eq!((kept(&few), kept(&many)), (Some(2), Some(3)), "{map}: now it is public");
    }
}

/// CC-35: a seat remembers the tickets it put back; nobody else knows them.
#[test]
fn cc_35_put_back_tickets_are_known_to_their_owner_only() {
    let game = game("usa", 2);
    let table = after_opening(&game, HANDS);
    assert_eq!(facts(&table, 0).put_back, ticket_set([2]));
    assert_eq!(facts(&table, 1).put_back, ticket_set([5]));
    assert_eq!(facts(&table, 0).bottom[0].own, ticket_set([2]));
    assert_eq!(facts(&table, 1).bottom[0].own, ticket_set([5]));
}

/// USA with eight tickets, two seats: the deck has two tickets when the opening is over.
fn few_tickets() -> BoardGame {
    let lines = "seats = { min = 2, max = 2 }\nbase_tickets = \"none\"\ntickets = [\n\
        { from = \"Boston\", to = \"Miami\", points = 12 },\n\
        { from = \"Calgary\", to = \"Phoenix\", points = 13 },\n\
        { from = \"Chicago\", to = \"Santa Fe\", points = 9 },\n\
        { from = \"Dallas\", to = \"New York\", points = 11 },\n\
        { from = \"Denver\", to = \"El Paso\", points = 4 },\n\
        { from = \"Duluth\", to = \"Houston\", points = 8 },\n\
        { from = \"Portland\", to = \"Phoenix\", points = 11 },\n\
        { from = \"Toronto\", to = \"Miami\", points = 10 },\n]";
    variant("usa", 2, lines)
}

/// CC-35, I-42: when another seat draws from a batch under the deck, nobody learns which of the tickets it
/// got, not even who put them there.
#[test]
fn cc_35_who_draws_from_the_bottom_keeps_it_secret() {
    let game = few_tickets();
    // Under the deck: 2, put back by seat 0, and 5, put back by seat 1. The deck: 6 and 7.
    let play = |third: usize, keep: u8| {
        let mut table = after_opening(&game, HANDS);
        table.play("take blind", cards([Black])).unwrap().play("take blind", cards([Black])).unwrap();
        table.act(Action::DrawTickets, tickets([6, 7, third])).unwrap();
        let choosing = facts(&table, 0);
        table.act(Action::Keep(keep), []).unwrap();
        (choosing, table)
    };
    for keep in [0b111, 0b110, 0b001] {
        let ((choosing_a, a), (choosing_b, b)) = (play(2, keep), play(5, keep));
        assert_eq!(choosing_a, choosing_b, "while seat 1 is choosing");
        assert_eq!(facts(&a, 0), facts(&b, 0), "seat 1 keeps {keep:03b}");
        assert_eq!(a.seen_by(0).ticket_deck_size(), 1 + 3 - keep.count_ones() as usize);
    }
}

/// CC-34, CC-35: with two seats a reshuffle makes the other hand known: every card was somewhere else to be
/// seen.
#[test]
fn two_seats_know_each_other_after_a_reshuffle() {
    for (seats, known) in [(2, true), (3, false)] {
        let game = game("usa", seats);
        let mut table = Table::new(&game);
        table.hand(1, [(Red, 3)]).hand(0, [(Blue, 2)]).market(MARKET).deck_rest_discarded([Black]);
        assert_eq!(table.seen_by(0).shown(Seat::new(1)), Cards::EMPTY);
        table.play("take blind", cards([Black])).unwrap();
        let view = table.seen_by(0);
        assert_eq!(view.shown(Seat::new(1)) == pile([(Red, 3)]), known, "{seats} seats");
        // The others know the last card of the deck as well.
        assert_eq!(table.seen_by(1).shown(Seat::new(0)) == pile([(Blue, 2), (Black, 1)]), known);
        if known {
            assert_eq!(view.unseen().count(Red), table.piles()[0].count(Red));
        }
    }
}

/// CC-34, CC-35: an observer may list its own actions only.
#[test]
fn cc_35_actions_of_others_are_secret() {
    let game = game("usa", 2);
    let table = after_opening(&game, HANDS);
    let count = |view: Observation<'_>| {
        let mut count = 0;
        let _ = view.legal_actions(|_| {
            count += 1;
            std::ops::ControlFlow::<()>::Continue(())
        });
        count
    };
    assert!(count(table.seen_by(0)) > 0);
    assert_eq!(count(table.seen_by(1)), 0);
}

/// CC-35: who draws from tickets that it put back itself still knows the rest; then another seat draws, and
/// it doesn't.
#[test]
fn cc_35_memory_of_a_batch_ends_when_another_seat_draws_from_it() {
    let game = game("usa", 2);
    let mut table = Table::new(&game);
    let name = |id| game.ticket_name(TicketId::new(id));
    table.market(MARKET).ticket_deck([name(0), name(1), name(2)].iter().map(String::as_str));
    table.act(Action::DrawTickets, tickets([0, 1, 2])).unwrap().act(Action::Keep(0b001), []).unwrap();
    assert_eq!((facts(&table, 0).put_back, facts(&table, 1).put_back), (ticket_set([1, 2]), ticket_set([])));
    assert_eq!(facts(&table, 1).bottom[0].by, [2, 0]);
    let mut own = table.clone();
    own.turn(0).ticket_deck([name(3), name(4)].iter().map(String::as_str));
    own.act(Action::DrawTickets, tickets([3, 4, 1])).unwrap();
    assert_eq!((facts(&own, 0).put_back, facts(&own, 1).bottom[0].by.clone()), (ticket_set([2]), vec![1, 0]));
    table.ticket_deck([name(3), name(4)].iter().map(String::as_str));
    table.act(Action::DrawTickets, tickets([3, 4, 1])).unwrap();
    assert_eq!((facts(&table, 0).put_back, facts(&table, 0).bottom[0].size), (ticket_set([]), 1));
}
