//! Guessing what a seat does not know: never against what it knows, evenly, and without a look at the truth.

use ttr_engine::CardKind::{self, *};
use ttr_engine::board::{Action, BoardGame, State};
use ttr_engine::testing::{Inspect, Table, cards, conform};
use ttr_engine::{Dice, Game, Seat, Turn, maps};

use super::{HANDS, after_opening, facts, few_tickets, tickets};
use crate::{MARKET, game, pile, ticket_set};

/// How far counts are from what is expected, in chi-squared.
fn chi_squared(counts: &[u32], expected: &[f64]) -> f64 {
    counts.iter().zip(expected).map(|(&n, e)| (f64::from(n) - e).powi(2) / e).sum()
}

/// CC-35, I-42: a guess looks the same to the seat, whenever it is made.
#[test]
fn a_guess_never_changes_what_the_seat_knows() {
    for (map, seats) in [("usa", 2), ("usa-mega", 5), ("europe", 3), ("nordic", 3)] {
        let game = game(map, seats);
        let mut dice = Dice::from_seed(11);
        let mut state = game.deal(&mut dice);
        let mut n = 0;
        while let Turn::Of(_) = game.turn(&state) {
            n += 1;
            if n % 5 == 0 {
                for seat in Seat::all(seats) {
                    let world = game.determinize(&game.observe(&state, seat), &mut dice);
                    game.assert_invariants(&world);
                    assert_eq!(game.observe(&world, seat).facts(), game.observe(&state, seat).facts());
                    assert_eq!(game.observe(&world, seat).hand(), game.observe(&state, seat).hand());
                }
            }
            let action = game.random_action(&state, &mut dice);
            game.play(&mut state, action, &mut dice).unwrap();
        }
        assert!(n > 100);
    }
}

/// I-42: equal views and equal dice give equal guesses, whatever is true.
#[test]
fn a_guess_does_not_use_hidden_cards() {
    let game = game("usa", 2);
    let play = |theirs: [CardKind; 4], their_tickets: [usize; 3]| {
        let mut events = vec![crate::starts(0)];
        events.extend(cards([HANDS[0], theirs].concat()));
        events.extend(cards(MARKET));
        events.extend(tickets(0..3));
        let mut table = Table::deal(&game, events);
        table.act(Action::Keep(0b011), tickets(their_tickets)).unwrap();
        table.act(Action::Keep(0b011), []).unwrap();
        table
    };
    let a = play(HANDS[1], [3, 4, 5]);
    let b = play([Red, Black, Yellow, Yellow], [20, 21, 29]);
    assert_ne!(a.state(), b.state());
    assert_eq!(facts(&a, 0), facts(&b, 0));
    for seed in 0..50 {
        let guess = |table: &Table<'_>| game.determinize(&table.seen_by(0), &mut Dice::from_seed(seed));
        assert_eq!(guess(&a), guess(&b));
    }
}

/// CC-35: a hidden card is each unseen card with the same probability.
#[test]
fn hidden_cards_are_guessed_evenly() {
    let game = game("usa", 2);
    let mut table = after_opening(&game, HANDS);
    table.play("take green", cards([Red])).unwrap().play("take blind", cards([Red])).unwrap();
    table.play("take white", cards([Red])).unwrap().play("take blind", cards([Red])).unwrap();
    let view = table.seen_by(0);
    let unseen = view.unseen();
    // 110 cards without the seat's six, the market's five and the white one that seat 1 has shown.
    assert_eq!(unseen.total(), 110 - 6 - 5 - 1);
    let worlds = 20_000;
    let mut dice = Dice::from_seed(2);
    let mut counts = [0u32; 9];
    for _ in 0..worlds {
        let hand = game.observe(&game.determinize(&view, &mut dice), Seat::new(1)).hand();
        assert_eq!(hand.total(), 6);
        assert!(hand.contains(pile([(White, 1)])), "a card taken face up was forgotten");
        for (kind, count) in (hand - pile([(White, 1)])).iter() {
            counts[kind.index()] += u32::from(count);
        }
    }
    let expected = CardKind::ALL
        .map(|kind| f64::from(worlds) * 5.0 * f64::from(unseen.count(kind)) / f64::from(unseen.total()));
    let chi = chi_squared(&counts, &expected);
    // Eight degrees of freedom: above 26 with probability 0.001.
    assert!(chi < 26.0, "chi-squared {chi}: {counts:?} for {expected:?}");
}

/// CC-35: the hand of one other seat and the deck are guessed together: all ways to deal are equally likely.
#[test]
fn small_hands_are_guessed_evenly() {
    // Seat 1 holds two cards, the deck has two: red, red, blue, green. Six ways to deal, by hand:
    // red-red 1, red-blue 2, red-green 2, blue-green 1.
    let game = game("usa", 2);
    let mut table = Table::new(&game);
    table.market(MARKET).hand(1, [(Red, 1), (Blue, 1)]).deck_rest_to(0, [Red, Green]);
    let view = table.seen_by(0);
    let hands = [
        pile([(Red, 2)]),
        pile([(Red, 1), (Blue, 1)]),
        pile([(Red, 1), (Green, 1)]),
        pile([(Blue, 1), (Green, 1)]),
    ];
    let mut counts = [0u32; 4];
    let mut dice = Dice::from_seed(4);
    for _ in 0..12_000 {
        let world = game.determinize(&view, &mut dice);
        let hand = game.observe(&world, Seat::new(1)).hand();
        counts[hands.iter().position(|known| *known == hand).expect("a possible hand")] += 1;
    }
    let chi = chi_squared(&counts, &[2000.0, 4000.0, 4000.0, 2000.0]);
    // Three degrees of freedom: above 16.3 with probability 0.001.
    assert!(chi < 16.3, "chi-squared {chi}: {counts:?}");
}

/// Tickets of seat 1 in a guess of seat 0.
fn guessed_tickets(game: &BoardGame, world: &State) -> Vec<String> {
    Table::at(game, *world).tickets_of(1)
}

/// CC-35, EU-2: who kept k of four opening tickets in Europe kept the long one with probability k/4.
#[test]
fn the_long_ticket_is_guessed_with_k_in_four() {
    let game = game("europe", 2);
    let long: Vec<_> = (0..6).map(|id| game.ticket_name(ttr_engine::TicketId::new(id))).collect();
    for (choice, k) in [(0b0011u8, 2.0), (0b1110, 3.0), (0b1111, 4.0)] {
        let mut events = vec![crate::starts(0)];
        events.extend(cards(HANDS.concat()));
        events.extend(cards(MARKET));
        events.extend(tickets([0, 10, 11, 12]));
        let mut table = Table::deal(&game, events);
        table.act(Action::Keep(0b1111), tickets([1, 20, 21, 22])).unwrap();
        table.act(Action::Keep(choice), []).unwrap();
        let view = table.seen_by(0);
        let worlds = 8_000;
        let mut dice = Dice::from_seed(6);
        let mut kept_long = [0u32; 2];
        let mut which = [0u32; 6];
        for _ in 0..worlds {
            let held = guessed_tickets(&game, &game.determinize(&view, &mut dice));
            assert_eq!(held.len(), k as usize);
            let found = long.iter().position(|name| held.contains(name));
            kept_long[usize::from(found.is_none())] += 1;
            if let Some(found) = found {
                which[found] += 1;
            }
        }
        assert_eq!(which[0], 0, "that one is the observer's own");
        let share = k / 4.0 * f64::from(worlds);
        if k < 4.0 {
            let chi = chi_squared(&kept_long, &[share, f64::from(worlds) - share]);
            assert!(chi < 10.8, "{k} kept: {kept_long:?}");
        } else {
            assert_eq!(kept_long[1], 0);
        }
        let chi = chi_squared(&which[1..], &[share / 5.0; 5]);
        assert!(chi < 18.5, "{k} kept: {which:?}");
    }
}

/// CC-35: held tickets are guessed evenly among all that the seat can't place; what it put back is not
/// among them.
#[test]
fn hidden_tickets_are_guessed_evenly() {
    let game = few_tickets();
    // Seat 0 holds 0 and 1 and has put back 2. Seat 1 holds two of the other five.
    let table = after_opening(&game, HANDS);
    let view = table.seen_by(0);
    let names: Vec<_> = (0..8).map(|id| game.ticket_name(ttr_engine::TicketId::new(id))).collect();
    let mut counts = [0u32; 8];
    let mut dice = Dice::from_seed(9);
    for _ in 0..10_000 {
        let world = game.determinize(&view, &mut dice);
        for name in guessed_tickets(&game, &world) {
            counts[names.iter().position(|known| *known == name).unwrap()] += 1;
        }
        assert_eq!(game.observe(&world, Seat::new(0)).facts().bottom[0].own, ticket_set([2]));
    }
    assert_eq!(counts[..3], [0; 3]);
    let chi = chi_squared(&counts[3..], &[4000.0; 5]);
    assert!(chi < 18.5, "chi-squared {chi}: {counts:?}");
}

/// CC-12, CC-35: a market with three locomotives that was not flushed reveals something about the deck, and
/// guesses respect it.
#[test]
fn an_unflushed_market_is_respected() {
    let game = game("usa", 2);
    let mut table = Table::new(&game);
    table.market([Locomotive, Locomotive, Blue, White, Green]);
    table.deck_rest_to(1, [Locomotive, Locomotive, Locomotive]);
    table.play("take blue", cards([Locomotive])).unwrap();
    assert_eq!(table.piles()[2].locomotives(), 3, "nothing but locomotives in the deck: no flush");
    let mut dice = Dice::from_seed(3);
    for seat in 0..2 {
        for _ in 0..500 {
            let world = game.determinize(&table.seen_by(seat), &mut dice);
            game.assert_invariants(&world);
        }
    }
}

/// CC-35, I-42: guesses stay sound in whole games with so few tickets that the bottom of the deck is
/// reached.
#[test]
fn guesses_with_tickets_drawn_from_the_bottom() {
    let census = conform(&few_tickets(), 0..100);
    assert!(census.of("ticket drawn from the bottom") > 100, "{census:?}");
}

/// I-42, CC-22: in the middle of another seat's claim with sets, that seat can go on in every guess,
/// however unlikely the cards for it are.
#[test]
fn guesses_in_the_middle_of_substitute_sets() {
    let game = game("nordic", 2);
    let mut table = Table::new(&game);
    table.hand(0, [(Purple, 9), (Blue, 4), (Orange, 4), (White, 4), (Red, 11), (Locomotive, 8)]);
    table.market([Blue, Orange, White, Green, Yellow]);
    table.play("claim Lieksa-Murmansk in purple + 4 sets", []).unwrap();
    for kind in ["purple", "blue", "orange", "white"] {
        if table.actions().iter().any(|action| action.starts_with(&format!("sets {kind}*"))) {
            table.play(&format!("sets {kind}*0"), []).unwrap();
        }
    }
    let mut dice = Dice::from_seed(5);
    for _ in 0..200 {
        let world = game.determinize(&table.seen_by(1), &mut dice);
        assert!(game.count_actions(&world) > 0);
    }
}

/// CC-12, I-45: where the likelier origin of shown cards is not the true one, the market decides what the
/// deck can be.
#[test]
fn an_unflushed_market_overrides_what_is_assumed_of_old_cards() {
    let game = BoardGame::new(&maps::find("europe+depots").unwrap(), 5).unwrap();
    conform(&game, 1657..1658);
}
