//! Tickets under the deck of the Card Game: what is forgotten of them (I-45), and how much that matters.

use ttr_engine::card_game::{Action, CardGame, Phase, State};
use ttr_engine::{Dice, Game, Seat, TicketId, TicketSet, Turn};

use crate::game;
use crate::under_the_deck::{Note, Notes};

fn note(notes: &mut Notes, game: &CardGame, before: &State, action: Action, after: &State) {
    let Turn::Of(seat) = game.turn(before) else { return };
    let view = game.observe(before, seat);
    match action {
        Action::DrawTickets => notes.draw(seat, game.observe(after, seat).offered()),
        // Unkept opening tickets are shuffled into the deck.
        Action::Keep(choice) if view.phase() != Phase::Opening => {
            let offered = (0..).zip(view.offered());
            let mut by = vec![TicketSet::EMPTY; game.seats()];
            by[seat] = offered.filter(|(i, _)| choice >> i & 1 == 0).map(|(_, ticket)| ticket).collect();
            notes.put_back(&by);
        }
        _ => {}
    }
    // Completed tickets are open.
    for seat in Seat::all(game.seats()) {
        let completed = game.observe(after, seat).completed(seat);
        notes.notes.iter_mut().for_each(|notes| notes.retain(|&ticket, _| !completed.contains(ticket)));
    }
}

/// Whether a ticket that a seat put back is where it can't be in a world of that seat.
fn is_misplaced(
    game: &CardGame,
    notes: &Notes,
    seat: Seat,
    world: &State,
    ticket: TicketId,
    note: &Note,
) -> bool {
    let bottom = game.observe(world, seat).facts().bottom;
    for other in Seat::all(game.seats()).filter(|&other| other != seat) {
        let view = game.observe(world, other);
        if view.tickets().contains(ticket) || view.offered().contains(ticket) {
            return !note.seats.contains(&other);
        }
        if view.put_back().contains(ticket) {
            let facts = view.facts().bottom;
            let batch = facts.iter().position(|batch| batch.own.contains(ticket));
            return batch.is_none_or(|batch| !note.batches.contains(&notes.bottom[batch].0));
        }
    }
    if let Some(batch) = bottom.iter().position(|batch| batch.own.contains(ticket)) {
        return !note.batches.contains(&notes.bottom[batch].0);
    }
    // It is in the rest of the oldest batch.
    notes.bottom.first().is_none_or(|(number, _)| !note.batches.contains(number))
}

/// I-45 (d) in the Card Game: a seat remembers the batches that nobody else has drawn from. Of those that
/// somebody has, it forgets its tickets, which docs/ARCHITECTURE.md says with these figures: how many of the
/// tickets that seats have put under the deck are forgotten, and how many are dealt where they can't be.
#[test]
fn tickets_under_the_deck_that_others_drew_from_are_forgotten() {
    for (seats, draws) in [(2, 12), (2, 3), (3, 12), (3, 3), (4, 12), (4, 3)] {
        let game = game(seats);
        let (mut certain, mut uncertain) = ([0, 0], [0, 0]);
        for seed in 0..150 {
            let mut dice = Dice::from_parts(&[seed, 0xb1]);
            let mut state = game.deal(&mut dice);
            let mut notes = Notes::new(seats);
            while let Turn::Of(_) = game.turn(&state) {
                let list = game.actions(&state);
                let others: Vec<_> = list.iter().filter(|&&action| action != Action::DrawTickets).collect();
                let action = if others.is_empty() || others.len() < list.len() && dice.below(draws) == 0 {
                    Action::DrawTickets
                } else {
                    *others[dice.below(others.len() as u32) as usize]
                };
                let before = state;
                game.play(&mut state, action, &mut dice).unwrap();
                note(&mut notes, &game, &before, action, &state);
                if dice.below(8) > 0 || game.turn(&state) == Turn::Over {
                    continue;
                }
                for seat in Seat::all(seats) {
                    let world = game.determinize(&game.observe(&state, seat), &mut dice);
                    for (&ticket, note) in &notes.notes[seat] {
                        let misplaced = is_misplaced(&game, &notes, seat, &world, ticket, note);
                        let counts = if note.seats.is_empty() { &mut certain } else { &mut uncertain };
                        counts[0] += 1;
                        counts[1] += u32::from(misplaced);
                    }
                }
            }
        }
        let share = |[all, wrong]: [u32; 2]| 100.0 * f64::from(wrong) / f64::from(all);
        let all = [certain[0] + uncertain[0], uncertain[1]];
        println!(
            "{seats} seats, tickets in every turn of {draws}: of {} tickets {:.1} % forgotten, {:.1} % of them and \
             {:.1} % of all misplaced",
            all[0],
            share([all[0], uncertain[0]]),
            share(uncertain),
            share(all)
        );
        assert!(certain[0] > 500, "{seats} seats: {certain:?}");
        assert_eq!(certain[1], 0, "{seats} seats: {certain:?}");
        assert!(share(uncertain) < 60.0, "{seats} seats: {uncertain:?}");
    }
}
