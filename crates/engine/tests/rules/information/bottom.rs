//! Tickets under the deck (I-45): what a seat that put them there knows once others draw them.

use std::collections::BTreeSet;

use ttr_engine::board::{Action, BoardGame, Phase, State, UncertainFacts};
use ttr_engine::testing::Table;
use ttr_engine::{Dice, Game, Seat, TicketId, TicketSet, Turn};

use super::{HANDS, after_opening, facts, few_tickets, tickets};
use crate::under_the_deck::{self, Note};
use crate::{MARKET, game, ticket_set};

/// What each player could write down about the tickets that it put under the deck.
struct Notes {
    under: under_the_deck::Notes,
    /// Tickets returned in the opening, by seat.
    returned: Vec<TicketSet>,
}

impl Notes {
    fn new(seats: usize) -> Self {
        Self { under: under_the_deck::Notes::new(seats), returned: vec![TicketSet::EMPTY; seats] }
    }

    fn note(&mut self, game: &BoardGame, before: &State, action: Action, after: &State) {
        let Turn::Of(seat) = game.turn(before) else { return };
        match action {
            Action::DrawTickets => self.under.draw(seat, game.observe(after, seat).offered()),
            Action::Keep(_) => {
                let unkept = game.observe(before, seat).offered() - game.observe(after, seat).tickets();
                let opening = |s| matches!(game.observe(s, seat).phase(), Phase::Opening { .. });
                let mut by = vec![TicketSet::EMPTY; game.seats()];
                by[seat] = unkept;
                if opening(before) {
                    self.returned[seat] |= unkept;
                    by = std::mem::take(&mut self.returned);
                    if opening(after) {
                        self.returned = by;
                        return;
                    }
                    if game.observe(after, seat).facts().bottom.is_empty() {
                        return; // they are in the box
                    }
                }
                self.under.put_back(&by);
            }
            _ => {}
        }
    }
}

/// Whether a ticket that a seat put back is where it can't be in a world of that seat.
fn is_misplaced(
    game: &BoardGame,
    notes: &Notes,
    seat: Seat,
    world: &State,
    ticket: TicketId,
    note: &Note,
) -> bool {
    for other in Seat::all(game.seats()).filter(|&other| other != seat) {
        let view = game.observe(world, other);
        if view.tickets().contains(ticket) || view.offered().contains(ticket) {
            return !note.seats.contains(&other);
        }
        if view.put_back().contains(ticket) {
            let bottom = view.facts().bottom;
            let batch = bottom.iter().position(|batch| batch.own.contains(ticket));
            // What is in the box was put back before.
            return batch.is_none_or(|batch| !note.batches.contains(&notes.under.bottom[batch].0));
        }
    }
    // It is in the oldest batch, unless it is where the seat knows it to be.
    let certain = game.observe(world, seat).put_back().contains(ticket);
    !certain && notes.under.bottom.first().is_none_or(|(number, _)| !note.batches.contains(number))
}

/// I-45: worlds have every ticket that a seat put under the deck where it can be, for all that the seat
/// knows. Among five seats there is not always room to remember all of them; the others are never
/// misplaced.
#[test]
fn i_45_tickets_put_under_the_deck_are_remembered() {
    let tables =
        [("usa", 2), ("usa", 3), ("usa", 5), ("usa-big-cities", 5), ("europe", 5), ("europe-big-cities", 5)];
    for (map, seats) in tables {
        let game = game(map, seats);
        let (mut checked, mut forgotten, mut wrong, mut wrong_at_all) = (0, 0, 0, 0);
        for seed in 0..150 {
            let mut dice = Dice::from_parts(&[seed, 0xb0]);
            let mut state = game.deal(&mut dice);
            let mut notes = Notes::new(seats);
            while let Turn::Of(_) = game.turn(&state) {
                // Tickets in every twelfth turn, while there are any.
                let list = game.actions(&state);
                let others: Vec<_> = list.iter().filter(|&&action| action != Action::DrawTickets).collect();
                let action = if others.is_empty() || others.len() < list.len() && dice.below(12) == 0 {
                    Action::DrawTickets
                } else {
                    *others[dice.below(others.len() as u32) as usize]
                };
                let before = state;
                game.play(&mut state, action, &mut dice).unwrap();
                notes.note(&game, &before, action, &state);
                if dice.below(8) > 0 {
                    continue;
                }
                for seat in Seat::all(seats) {
                    let uncertain = |note: &Note| !note.seats.is_empty();
                    if !notes.under.notes[seat].values().any(uncertain) {
                        continue;
                    }
                    let view = game.observe(&state, seat);
                    let groups = view.uncertain();
                    let known = |ticket| groups.iter().any(|group| group.tickets.contains(ticket));
                    let world = game.determinize(&view, &mut dice);
                    for (&ticket, note) in &notes.under.notes[seat] {
                        let wrong_here = is_misplaced(&game, &notes, seat, &world, ticket, note);
                        let known = known(ticket) || view.put_back().contains(ticket);
                        checked += usize::from(uncertain(note));
                        forgotten += usize::from(!known);
                        wrong += usize::from(known && wrong_here);
                        wrong_at_all += usize::from(wrong_here);
                    }
                }
            }
        }
        println!(
            "{map}, {seats} seats: of {checked} tickets {forgotten} forgotten, {wrong_at_all} misplaced"
        );
        assert!(checked > 500, "{map}, {seats} seats: {checked} tickets");
        assert_eq!(wrong, 0, "{map}, {seats} seats: of {checked} tickets");
        let room = if seats < 5 { 0 } else { checked / 1000 };
        assert!(forgotten <= room, "{map}, {seats} seats: {forgotten} of {checked} tickets");
    }
}

/// I-45, CC-35: a seat that draws from tickets that all returned in the opening still knows which of its
/// own are left.
#[test]
fn i_45_whoever_draws_knows_its_own_tickets_that_are_left() {
    let game = few_tickets();
    // Under the deck: 2, put back by seat 0, and 5, put back by seat 1. The deck: 6 and 7.
    let mut table = after_opening(&game, HANDS);
    table.turn(1).act(Action::DrawTickets, tickets([6, 7, 2])).unwrap();
    for put_back in [ticket_set([5]), ticket_set([5, 6, 7])] {
        let (mine, theirs) = (facts(&table, 1), facts(&table, 0));
        assert_eq!((mine.put_back, mine.bottom[0].own, mine.uncertain), (put_back, ticket_set([5]), vec![]));
        assert!(theirs.put_back.is_empty() && theirs.bottom[0].own.is_empty());
        let batches = (0..theirs.bottom.len()).collect();
        let seats = vec![Seat::new(1)];
        assert_eq!(theirs.uncertain, [UncertainFacts { tickets: ticket_set([2]), seats, batches }]);
        let mut dice = Dice::from_seed(4);
        for _ in 0..50 {
            let world = Table::at(&game, game.determinize(&table.seen_by(1), &mut dice));
            assert_eq!(facts(&world, 1), facts(&table, 1));
            assert!(!world.seen_by(0).tickets().contains(TicketId::new(5)));
        }
        if table.phase() == Phase::Tickets {
            table.act(Action::Keep(0b001), []).unwrap();
        }
    }
    // Seat 0 draws all that is under the deck: its own ticket is not there, so seat 1 has it, as seat 0 has
    // the others.
    table.turn(0).act(Action::DrawTickets, tickets([5, 6, 7])).unwrap();
    let drawn = |tickets, seat| UncertainFacts { tickets, seats: vec![Seat::new(seat)], batches: vec![] };
    assert_eq!(facts(&table, 0).uncertain, [drawn(ticket_set([2]), 1)]);
    assert_eq!(facts(&table, 1).uncertain, [drawn(ticket_set([5, 6, 7]), 0)]);
}

/// I-45: whoever draws a ticket that another seat remembers may keep it or put it back; to the other it is
/// all the same.
#[test]
fn i_45_what_became_of_a_remembered_ticket_is_secret() {
    let game = few_tickets();
    let play = |third: usize, keep: u8| {
        let mut table = after_opening(&game, HANDS);
        table.turn(1).act(Action::DrawTickets, tickets([6, 7, third])).unwrap();
        table.act(Action::Keep(keep), []).unwrap();
        table
    };
    // Seat 1 keeps seat 0's ticket 2, puts it back, or has never drawn it.
    let tables = [play(2, 0b001), play(2, 0b010), play(5, 0b001)];
    let mut places = BTreeSet::new();
    for seed in 0..200 {
        let worlds = tables.each_ref().map(|table| {
            assert_eq!(facts(table, 0), facts(&tables[0], 0));
            game.determinize(&table.seen_by(0), &mut Dice::from_seed(seed))
        });
        assert!(worlds[0] == worlds[1] && worlds[0] == worlds[2], "seed {seed}");
        let world = Table::at(&game, worlds[0]);
        let view = world.seen_by(1);
        places
            .insert((view.tickets().contains(TicketId::new(2)), view.put_back().contains(TicketId::new(2))));
    }
    let [held, put_back, left] = [(true, false), (false, true), (false, false)];
    assert_eq!(places, [held, put_back, left].into(), "all are possible");
}

/// I-45: of tickets that a seat put back alone, those that another seat did not draw are still there.
#[test]
fn i_45_the_rest_of_an_own_batch_is_of_the_own_tickets() {
    let game = game("usa", 2);
    let mut table = Table::new(&game);
    let names: Vec<_> = (0..5).map(|id| game.ticket_name(TicketId::new(id))).collect();
    table.market(MARKET).ticket_deck(names[..3].iter().map(String::as_str));
    table.act(Action::DrawTickets, tickets([0, 1, 2])).unwrap().act(Action::Keep(0b001), []).unwrap();
    table.ticket_deck(names[3..].iter().map(String::as_str));
    table.act(Action::DrawTickets, tickets([3, 4, 1])).unwrap();
    let view = facts(&table, 0);
    assert_eq!(
        (view.put_back, &view.bottom[0].by),
        (ticket_set([]), &vec![1, 0]),
        "it is known who put it there"
    );
    let known = UncertainFacts { tickets: ticket_set([1, 2]), seats: vec![Seat::new(1)], batches: vec![0] };
    assert_eq!((view.uncertain, facts(&table, 1).uncertain), (vec![known], vec![]));
    let mut drawn = [0; 2];
    let mut dice = Dice::from_seed(1);
    for _ in 0..1000 {
        let world = game.determinize(&table.seen_by(0), &mut dice);
        let offered = game.observe(&world, Seat::new(1)).offered();
        let found = [1, 2].map(|id| offered.contains(TicketId::new(id)));
        assert_ne!(found[0], found[1], "one of them was drawn");
        drawn[usize::from(found[1])] += 1;
    }
    assert!(drawn.iter().all(|&n| n > 420), "{drawn:?}");
}
