//! What a seat may know, and worlds that look the same to it (CG-22, A-43, I-42).

use ttr_engine::CardKind::*;
use ttr_engine::card_game::{CardGame, Phase, State};
use ttr_engine::spec::TrackVisible;
use ttr_engine::testing::{CardTable, Inspect, cards};
use ttr_engine::{Cards, Dice, Event, Game, Seat, TicketId, Turn};

use crate::{game, game_with};

const FIVE: [ttr_engine::CardKind; 5] = [Purple, Purple, Blue, Orange, White];

fn tickets(ids: std::ops::Range<u8>) -> Vec<Event> {
    ids.map(|id| Event::Ticket(TicketId(id))).collect()
}

/// CG-22: cards taken face up are remembered, cards drawn blind are not seen; what is played leaves the memory.
#[test]
fn shown_cards() {
    let game = game(2);
    let mut table = CardTable::new(&game);
    table.market(FIVE).hand(0, [(Blue, 1)]);
    table.play("take blue", cards([Red])).unwrap().play("take blind", cards([Green])).unwrap();
    let other = game.observe(table.state(), Seat(1));
    assert_eq!((other.shown(Seat(0)), other.hand_size(Seat(0))), (Cards::of(Blue, 1), 3));
    assert_eq!(other.unseen().total(), 96 - 5 - 1);
    table.play("take blind", cards([Green])).unwrap().play("take blind", cards([Green])).unwrap();
    table.play("play 2 blue", []).unwrap();
    assert_eq!(game.observe(table.state(), Seat(1)).shown(Seat(0)), Cards::EMPTY);
}

/// CG-22, A-43: nobody may look at a track stack, or its owner, or all; a perfect memory knows it anyway.
#[test]
fn track_stacks() {
    for (option, own, others) in [
        (TrackVisible::None, false, false),
        (TrackVisible::Owner, true, false),
        (TrackVisible::All, true, true),
    ] {
        let game = game_with(2, |rules| rules.track_visible = option);
        let mut table = CardTable::new(&game);
        table.market(FIVE).track(0, [(Red, 2)]);
        let open = |seat| game.observe(table.state(), Seat(seat)).open_track(Seat(0)).is_some();
        assert_eq!((open(0), open(1)), (own, others));
        assert_eq!(game.observe(table.state(), Seat(1)).track(Seat(0)), Cards::of(Red, 2));
    }
}

/// CG-22: hands and tickets of others are in no output of an observation.
#[test]
fn secrets_stay_secret() {
    let game = game(2);
    let secret = |hand, ticket| {
        let mut table = CardTable::new(&game);
        table.market(FIVE).hand(1, [(hand, 3)]).tickets(1, [ticket]);
        let observation = game.observe(table.state(), Seat(0));
        (format!("{observation:?}"), serde_json::to_string(&observation).unwrap())
    };
    assert_eq!(secret(Red, "Seattle-Miami"), secret(Green, "Chicago-Dallas"));
}

/// CG-10, CG-22: a seat remembers what it put under the deck, until another draws a part of it.
#[test]
fn put_back_tickets() {
    let game = game(2);
    let mut table = CardTable::new(&game);
    table.market(FIVE);
    table.ticket_deck([
        "Seattle-Denver",
        "Dallas-Helena",
        "Dallas-Washington",
        "Dallas-Winnipeg",
        "Miami-Omaha",
    ]);
    let draws: Vec<_> = ["Seattle-Denver", "Dallas-Helena", "Dallas-Washington", "Miami-Omaha"]
        .map(|name| table.draws(name))
        .into();
    table.play("tickets", draws).unwrap().play("keep none", []).unwrap();
    let known = |table: &CardTable<'_>, seat| game.observe(table.state(), Seat(seat)).put_back().len();
    assert_eq!((known(&table, 0), known(&table, 1)), (4, 0));
    // Seat 1 draws the last of the deck and three of the four: seat 0 does not know which is left.
    let draws: Vec<_> = ["Dallas-Winnipeg", "Seattle-Denver", "Miami-Omaha", "Dallas-Helena"]
        .map(|name| table.draws(name))
        .into();
    table.play("tickets", draws).unwrap();
    assert_eq!(known(&table, 0), 0);
    let mut seen = std::collections::BTreeSet::new();
    let mut dice = Dice::from_seed(1);
    for _ in 0..100 {
        let world = game.determinize(&game.observe(table.state(), Seat(0)), &mut dice);
        seen.insert(format!("{:?}", game.observe(&world, Seat(1)).offered()));
    }
    assert!(seen.len() > 3);
    table.play("keep none", []).unwrap();
    assert_eq!(known(&table, 1), 4);
}

/// Plays random games up to a decision and compares what a seat sees in determinized worlds.
fn some_positions(seats: usize, mut visit: impl FnMut(&CardGame, &State, &mut Dice)) {
    let game = game(seats);
    let mut dice = Dice::from_parts(&[seats as u64, 77]);
    for seed in 0..60 {
        let mut chance = Dice::from_seed(seed);
        let mut state = game.deal(&mut chance);
        while let Turn::Of(_) = game.turn(&state) {
            if dice.below(12) == 0 {
                visit(&game, &state, &mut dice);
            }
            let action = game.random_action(&state, &mut dice);
            game.play(&mut state, action, &mut chance).unwrap();
        }
        visit(&game, &state, &mut dice);
    }
}

/// A random action is the one that its random number stands for in the list.
#[test]
fn random_actions_are_uniform() {
    for seats in 2..=4 {
        some_positions(seats, |game, state, dice| {
            if game.turn(state) == Turn::Over {
                return;
            }
            let mut same = dice.clone();
            let n = same.below(game.count_actions(state) as u32);
            assert_eq!(Some(game.random_action(state, dice)), game.nth_action(state, n as usize));
        });
    }
}

/// I-42: guessed worlds are sound, look the same, and do not depend on the truth; they are not always the same.
#[test]
fn determinized_worlds() {
    for seats in 2..=4 {
        let mut different = 0;
        some_positions(seats, |game, state, dice| {
            for seat in Seat::all(seats) {
                let world = game.determinize(&game.observe(state, seat), dice);
                game.assert_invariants(&world);
                assert!(game.observe(&world, seat) == game.observe(state, seat));
                different += usize::from(world != *state);
            }
        });
        assert!(different > 500);
    }
}

/// Seat 0 has kept one of its opening tickets, and seat 1 is to choose.
fn first_choice_made(game: &CardGame) -> CardTable<'_> {
    let mut events = vec![Event::Seat(Seat(0))];
    events.extend(cards([Green; 7]).into_iter().chain(cards([Red; 7])).chain(cards(FIVE)));
    events.extend(tickets(0..6));
    let mut table = CardTable::deal(game, events);
    table.play("keep Chicago-New York/1", tickets(6..12)).unwrap();
    table
}

/// CG-2: what a seat returned in the opening is not among what others kept then, but may be drawn later.
#[test]
fn returned_tickets_are_not_in_opening_hands() {
    let game = game(2);
    let mut table = first_choice_made(&game);
    table.play("keep Dallas-Raleigh, Dallas-Miami", []).unwrap();
    assert_eq!(table.phase(), Phase::Main);
    let returned = game.observe(table.state(), Seat(0)).returned();
    assert_eq!(returned.len(), 5);
    let mut dice = Dice::from_seed(5);
    let mut held_later = 0;
    for _ in 0..500 {
        let world = game.determinize(&game.observe(table.state(), Seat(0)), &mut dice);
        assert!(!game.observe(&world, Seat(1)).tickets().intersects(returned));
    }
    // Seat 1 draws four and keeps them: now any of its tickets may be one of those, but two are not.
    table.play("take blind", cards([Blue])).unwrap().play("take blind", cards([Blue])).unwrap();
    table.play("tickets", tickets(20..24)).unwrap().act(ttr_engine::card_game::Action::Keep(15), []).unwrap();
    let mut counts = [0; 7];
    for _ in 0..20_000 {
        let world = game.determinize(&game.observe(table.state(), Seat(0)), &mut dice);
        let common = game.observe(&world, Seat(1)).tickets() & returned;
        counts[common.len()] += 1;
        held_later += common.len();
    }
    // 2 opening tickets come from the 40 that seat 0 was not dealt; then 43 unseen tickets less 2 hold the 5 returned
    // ones, of which 4 places are in the hand: 4 * 5 / 43 on average.
    assert_eq!(counts[5], 0);
    let mean = held_later as f64 / 20_000.0;
    assert!((mean - 20.0 / 43.0).abs() < 0.02, "{mean}");
}

/// The same with completed tickets: which of them were opening tickets is part of the guess. The exact distribution by
/// rejection: every hidden ticket in a random place, until nothing contradicts.
#[test]
fn determinized_tickets_are_uniform_in_round_two() {
    let game = game(4);
    let mut chance = Dice::from_seed(3);
    let mut dice = Dice::from_seed(4);
    // A position of round 2 in which another has completed tickets, and this seat returned some.
    let me = Seat(0);
    let mut found = None;
    'search: for seed in 0..200 {
        let mut state = game.deal(&mut Dice::from_seed(seed));
        while let Turn::Of(_) = game.turn(&state) {
            let o = game.observe(&state, me);
            let completed: usize = (1..4).map(|seat| o.completed(Seat(seat)).len()).sum();
            if o.round() == 1 && o.returned().len() == 5 && completed >= 6 && o.offered_count() == 0 {
                found = Some(state);
                break 'search;
            }
            let action = game.random_action(&state, &mut dice);
            game.play(&mut state, action, &mut chance).unwrap();
        }
    }
    let state = found.expect("such a position");
    let o = game.observe(&state, me);
    let facts = o.facts();
    let own = o.returned();
    // What each other seat holds of the returned tickets, on average, by the guess.
    let rounds = 20_000;
    let mut guessed = [0.0; 4];
    let mut guessed_opening = 0.0;
    for _ in 0..rounds {
        let world = game.determinize(&o, &mut dice);
        for (seat, guessed) in guessed.iter_mut().enumerate().skip(1) {
            let other = game.observe(&world, Seat(seat as u8));
            guessed_opening += (other.kept_first() & o.completed(other.seat())).len() as f64 / rounds as f64;
            *guessed += (game.observe(&world, Seat(seat as u8)).tickets() & own).len() as f64 / rounds as f64;
        }
    }
    // By rejection: slots are the opening and later tickets of each seat, and all other hidden places.
    let seen = o.tickets() | o.put_back();
    let seen = (0..4).fold(seen, |seen, seat| seen | o.completed(Seat(seat)));
    let hidden: Vec<TicketId> = (0..46).map(TicketId).filter(|&ticket| !seen.contains(ticket)).collect();
    let mut exact = [0.0; 4];
    let mut exact_opening = 0.0;
    let mut accepted = 0;
    'sample: while accepted < rounds {
        // For each seat: completed tickets fall on random slots of opening_kept + later ones.
        let mut slots: Vec<(usize, bool)> = Vec::new();
        let mut completed_opening = 0;
        for seat in 1..4 {
            let done = o.completed(Seat(seat as u8));
            let kept = facts.seats[seat].opening_kept.unwrap();
            let all = done.len() + usize::from(facts.seats[seat].ticket_count.unwrap());
            let mut labels: Vec<bool> = (0..all).map(|slot| slot < kept).collect();
            for ticket in done {
                let label = labels.swap_remove(dice.below(labels.len() as u32) as usize);
                if label && own.contains(ticket) {
                    continue 'sample;
                }
                completed_opening += u32::from(label);
            }
            slots.extend(labels.into_iter().map(|label| (seat, label)));
        }
        let mut pile = hidden.clone();
        let mut counts = [0; 4];
        for &(seat, opening) in &slots {
            let ticket = pile.swap_remove(dice.below(pile.len() as u32) as usize);
            if own.contains(ticket) {
                if opening {
                    continue 'sample;
                }
                counts[seat] += 1;
            }
        }
        accepted += 1;
        exact_opening += f64::from(completed_opening) / rounds as f64;
        for seat in 1..4 {
            exact[seat] += f64::from(counts[seat]) / rounds as f64;
        }
    }
    for seat in 1..4 {
        assert!((guessed[seat] - exact[seat]).abs() < 0.02, "{guessed:?} {exact:?}");
    }
    println!("opening tickets among the completed ones: {guessed_opening}, exactly {exact_opening}");
    assert!((guessed_opening - exact_opening).abs() < 0.05, "{guessed_opening} {exact_opening}");
    assert!(exact.iter().sum::<f64>() > 0.05, "the position says nothing: {exact:?}");
}

/// CG-2: while opening tickets are being chosen, every choice of another seat is as likely: of 63 sets of at least one of six
/// tickets, 6 have one and 20 have three.
#[test]
fn any_opening_choice_is_as_likely() {
    let game = game(2);
    let table = first_choice_made(&game);
    assert_eq!(table.phase(), Phase::Opening);
    let mut dice = Dice::from_seed(6);
    let mut counts = [0_u32; 7];
    for _ in 0..63_000 {
        let world = game.determinize(&game.observe(table.state(), Seat(1)), &mut dice);
        counts[game.observe(&world, Seat(0)).tickets().len()] += 1;
    }
    for (count, ways) in counts.into_iter().zip([0_u32, 6, 15, 20, 15, 6, 1]) {
        let expected = 1000.0 * f64::from(ways);
        assert!((f64::from(count) - expected).abs() <= 5.0 * expected.sqrt(), "{counts:?}");
    }
}
