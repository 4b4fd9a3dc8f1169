//! Which tickets a track stack completes: exactly, by branch and bound (CG-13 to CG-15).

use arrayvec::ArrayVec;

use crate::card::{CardKind, Cards};
use crate::card_game::compile::{CardGame, Ticket};
use crate::id::{TicketId, TicketSet};
use crate::spec::{Assignment, MAX_OF_COLOUR};

/// The best set of tickets that a track stack completes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Completion {
    /// The tickets.
    pub tickets: TicketSet,
    /// The sum of their values.
    pub points: u16,
}

impl CardGame {
    /// Whether the cards of a track stack complete all of these tickets (CG-14).
    pub fn is_completable(&self, track: Cards, tickets: TicketSet) -> bool {
        let mut missing: u32 = 0;
        let mut left = track - Cards::of(CardKind::Locomotive, track.locomotives());
        for ticket in tickets {
            let circles = self.tickets[ticket.index()].circles;
            missing += u32::from(circles.saturating_sub(left).total());
            left = left.saturating_sub(circles);
        }
        missing <= track.locomotives().into()
    }

    /// The tickets, out of these, that are completed with the cards of a track stack (CG-15).
    ///
    /// ```
    /// use ttr_engine::{card_game::CardGame, maps, CardKind, Cards, TicketId};
    /// let game = CardGame::new(&maps::card_game(), 2).unwrap();
    /// let track = Cards::of(CardKind::Yellow, 1) + Cards::of(CardKind::Blue, 1);
    /// let held = [TicketId(0), TicketId(1), TicketId(4)].into_iter().collect(); // 5, 5, and 7 for both cards
    /// assert_eq!(game.best_completion(track, held).points, 10);
    /// ```
    pub fn best_completion(&self, track: Cards, held: TicketSet) -> Completion {
        let count_first = self.spec.rules.assignment == Assignment::AutoCount;
        let mut tickets = ArrayVec::<Candidate, { TicketSet::CAPACITY }>::new();
        for id in held {
            let ticket = &self.tickets[id.index()];
            // Alone out of reach means out of reach.
            if ticket.circles.saturating_sub(track).total() <= track.locomotives() {
                tickets.push(Candidate::new(id, ticket, count_first));
            }
        }
        let best = Search::solve(track, tickets);
        let points = best.into_iter().map(|ticket| u16::from(self.tickets[ticket.index()].points)).sum();
        Completion { tickets: best, points }
    }
}

/// A ticket that could be completed.
#[derive(Clone, Copy)]
struct Candidate {
    /// What it adds to the criteria of CG-15, most important first: bit fields that never overflow into each other.
    worth: u64,
    circles: Cards,
    /// Circles of colours that can run out.
    size: u64,
    id: TicketId,
}

const COUNT: u32 = 17;
const POINTS: u32 = COUNT + 8;
const COUNT_FIRST: u32 = COUNT + 16;

impl Candidate {
    fn new(id: TicketId, ticket: &Ticket, count_first: bool) -> Self {
        let points = u64::from(ticket.points);
        let first =
            if count_first { 1 << COUNT_FIRST | points << COUNT } else { points << POINTS | 1 << COUNT };
        Self { worth: first | u64::from(ticket.city_points), circles: ticket.circles, size: 0, id }
    }
}

/// A depth-first search, the densest tickets first, with the fractional knapsack as its bound.
///
/// Sets of equal worth are told apart by the last criterion. Worth is so fine-grained that not cutting
/// off at equality costs next to nothing.
struct Search {
    tickets: ArrayVec<Candidate, { TicketSet::CAPACITY }>,
    /// For each ticket, the circles of it and all later ones, as far as they count.
    demand: ArrayVec<Cards, { TicketSet::CAPACITY }>,
    best: u64,
    best_set: TicketSet,
}

impl Search {
    fn solve(track: Cards, mut tickets: ArrayVec<Candidate, { TicketSet::CAPACITY }>) -> TicketSet {
        let locomotives = track.locomotives();
        let mut track = track - Cards::of(CardKind::Locomotive, locomotives);
        // Colours of which there are enough for all tickets don't matter.
        let all = tickets.iter().fold(Cards::EMPTY, |sum, ticket| capped_sum(sum, ticket.circles));
        let scarce = all.saturating_sub(track).one_of_each();
        let mut free = TicketSet::EMPTY;
        tickets.retain(|ticket| {
            ticket.circles = ticket.circles.only(scarce);
            ticket.size = ticket.circles.total().into();
            if ticket.size == 0 {
                free.insert(ticket.id);
            }
            ticket.size > 0
        });
        if tickets.is_empty() {
            return free;
        }
        track = track.only(scarce);
        tickets.sort_unstable_by(|a, b| (b.worth * a.size).cmp(&(a.worth * b.size)).then(a.id.cmp(&b.id)));
        let mut demand: ArrayVec<Cards, { TicketSet::CAPACITY }> = ArrayVec::new();
        let mut sum = Cards::EMPTY;
        for ticket in tickets.iter().rev() {
            sum = capped_sum(sum, ticket.circles);
            demand.push(sum);
        }
        demand.reverse();
        let mut search = Self { tickets, demand, best: 0, best_set: TicketSet::EMPTY };
        search.descend(0, track, locomotives, 0, TicketSet::EMPTY);
        search.best_set | free
    }

    /// Decides on the tickets from `next` on, with these colour cards and locomotives left.
    fn descend(&mut self, mut next: usize, left: Cards, locomotives: u8, worth: u64, set: TicketSet) {
        loop {
            let Some(ticket) = self.tickets.get(next) else { break };
            if worth + self.bound(next, left, locomotives) < self.best {
                return;
            }
            next += 1;
            let missing = ticket.circles.saturating_sub(left).total();
            if missing <= locomotives {
                let mut with = set;
                with.insert(ticket.id);
                let (after, worth) = (left.saturating_sub(ticket.circles), worth + ticket.worth);
                self.descend(next, after, locomotives - missing, worth, with);
            }
        }
        // Of equally long lists the lexicographically smaller one has the first id in which they differ.
        let before = |a: TicketSet, b: TicketSet| a.0.reverse_bits() > b.0.reverse_bits();
        if worth > self.best || worth == self.best && before(set, self.best_set) {
            self.best = worth;
            self.best_set = set;
        }
    }

    /// No more than this can be added by the tickets from `next` on: as if cards had no colour, as far as they can
    /// be of use, and tickets could be completed in part.
    #[inline]
    fn bound(&self, next: usize, left: Cards, locomotives: u8) -> u64 {
        let useful = left.intersection(self.demand[next]).total() + locomotives;
        let mut cards = u64::from(useful);
        let mut worth = 0;
        for ticket in &self.tickets[next..] {
            // What can't be completed any more needs no room.
            if ticket.circles.saturating_sub(left).total() > locomotives {
                continue;
            }
            if ticket.size > cards {
                return worth + ticket.worth * cards / ticket.size;
            }
            cards -= ticket.size;
            worth += ticket.worth;
        }
        worth
    }
}

/// The sum, as far as a track stack could ever go.
#[inline]
fn capped_sum(sum: Cards, circles: Cards) -> Cards {
    (sum + circles).intersection(Cards::of_each(MAX_OF_COLOUR))
}
