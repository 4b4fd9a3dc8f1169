//! The ticket deck: dealing, drawing, returning; and completing tickets at the end of a round.

use crate::card_game::action::Phase;
use crate::card_game::compile::CardGame;
use crate::card_game::state::State;
use crate::chance::Chance;
use crate::pieces::{Seat, TicketPlace, TicketSet};

impl CardGame {
    /// Offers the opening tickets to the seat to move (CG-2). Returned tickets can't be drawn before all
    /// seats have chosen, so dealing seat by seat is equivalent to dealing at once.
    pub(crate) fn offer_opening(&self, s: &mut State, chance: &mut impl Chance) {
        s.phase = Phase::Opening;
        s.tickets.offer_from_deck(self.spec.rules.opening_tickets, chance);
    }

    /// Offers drawn tickets to the seat to move (CG-10).
    pub(crate) fn offer_drawn(&self, s: &mut State, chance: &mut impl Chance) {
        s.phase = Phase::Tickets;
        let count = s.ticket_deck_len().min(self.spec.rules.ticket_draw.into()) as u8;
        let offered = s.tickets.offer_from_deck(count, chance);
        if offered < count {
            self.offer_from_bottom(s, count - offered, chance);
        }
    }

    /// Offers tickets from under the deck to the seat to move, once the deck itself is empty. There must
    /// be at least `count`.
    fn offer_from_bottom(&self, s: &mut State, count: u8, chance: &mut impl Chance) {
        let mut broken = false;
        for _ in 0..count {
            let (batch, ticket) = s.bottom.draw(chance);
            broken = batch.len() > 1;
            s.tickets.put(ticket, TicketPlace::Offered);
        }
        if broken {
            let rest = s.bottom.oldest();
            // The seat that put them there together no longer knows which of them are left.
            let known_to_another = rest - s.tickets.at(TicketPlace::PutBack(s.seat));
            s.tickets.put_all(known_to_another, TicketPlace::Mixed);
        }
    }

    /// Minimum number of tickets to keep now (CG-2, CG-10).
    #[inline]
    pub(crate) fn least_kept(&self, s: &State) -> u8 {
        if s.phase == Phase::Opening { self.spec.rules.opening_keep } else { 0 }
    }

    /// Keeps the chosen opening tickets. After the last seat, all returned ones are shuffled into the
    /// deck (CG-2).
    pub(crate) fn keep_opening(&self, s: &mut State, choice: u8, chance: &mut impl Chance) {
        let seat = s.seat;
        let (kept, returned) = s.tickets.keep(seat, choice);
        s.set_opening(seat, kept, returned);
        s.seat = seat.next(self.seats);
        if s.seat != s.first {
            return self.offer_opening(s, chance);
        }
        for seat in Seat::all(self.seats) {
            s.tickets.put_all(s.returned(seat), TicketPlace::Deck);
        }
        s.phase = Phase::Main;
    }

    /// Keeps the chosen tickets of a draw and puts the others under the deck (CG-10). Returns `true` if
    /// any was kept.
    pub(crate) fn keep_drawn(&self, s: &mut State, choice: u8) -> bool {
        let (kept, unkept) = s.tickets.keep(s.seat, choice);
        s.bottom.push_batch(unkept);
        !kept.is_empty()
    }

    /// Tickets that the seat to move may name next for completion: those after the ones it has named,
    /// and completable together with them.
    pub(crate) fn completable_next(&self, s: &State) -> TicketSet {
        let chosen = s.tickets.at(TicketPlace::Chosen(s.seat));
        let held = s.held(s.seat);
        let later = TicketSet(u128::MAX.checked_shl(u128::BITS - chosen.0.leading_zeros()).unwrap_or(0));
        let track = s.tracks[s.seat];
        (held & later)
            .into_iter()
            .filter(|&ticket| self.is_completable(track, chosen | TicketSet::only(ticket)))
            .collect()
    }
}
