//! The ticket deck: dealing, drawing, putting back; and completing tickets at the end of a round.

use crate::card_game::action::Phase;
use crate::card_game::compile::CardGame;
use crate::card_game::state::{State, TicketPlace};
use crate::chance::Chance;
use crate::game::Seat;
use crate::id::{TicketId, TicketSet};

impl CardGame {
    /// How many tickets can be drawn.
    #[inline]
    pub(crate) fn ticket_deck_len(&self, s: &State) -> usize {
        s.ticket_deck().len() + s.bottom.len()
    }

    /// Offers the opening tickets to the seat to move (CG-2). Nothing that is returned can be drawn before all have
    /// chosen, so dealing seat by seat is the same as dealing at once.
    pub(crate) fn offer_opening(&self, s: &mut State, chance: &mut impl Chance) {
        s.phase = Phase::Opening;
        self.offer_from_deck(s, self.spec.rules.opening_tickets, chance);
    }

    /// Puts tickets of the shuffled part of the deck before the seat to move, as far as there are any; says how many.
    fn offer_from_deck(&self, s: &mut State, count: u8, chance: &mut impl Chance) -> u8 {
        let (mut deck, mut drawn) = (s.ticket_deck(), TicketSet::EMPTY);
        let count = deck.len().min(count.into()) as u8;
        for _ in 0..count {
            let ticket = chance.one_ticket(deck);
            deck -= ticket;
            drawn |= ticket;
        }
        s.transfer_tickets(drawn, TicketPlace::Deck, TicketPlace::Offered);
        count
    }

    /// Offers drawn tickets to the seat to move (CG-10).
    pub(crate) fn offer_drawn(&self, s: &mut State, chance: &mut impl Chance) {
        s.phase = Phase::Tickets;
        let count = self.ticket_deck_len(s).min(self.spec.rules.ticket_draw.into()) as u8;
        let offered = self.offer_from_deck(s, count, chance);
        if offered < count {
            self.offer_from_bottom(s, count - offered, chance);
        }
    }

    /// Puts tickets from under the deck, of which nothing else is left, before the seat to move; there must be as many.
    fn offer_from_bottom(&self, s: &mut State, count: u8, chance: &mut impl Chance) {
        let mut broken = false;
        for _ in 0..count {
            let batch = s.bottom.oldest();
            let ticket = chance.ticket(batch);
            s.bottom.remove(ticket);
            broken = batch.len() > 1;
            s.move_ticket(ticket, TicketPlace::Offered);
        }
        if broken {
            let rest = s.bottom.oldest();
            // Whoever put them there together does not know any more which of them are left.
            let known_to_another = rest - s.tickets_at(TicketPlace::PutBack(s.seat));
            s.move_tickets(known_to_another, TicketPlace::Buried);
        }
    }

    /// The tickets of a choice, out of the offered ones; none if the choice names tickets that are not there.
    pub(crate) fn chosen(&self, s: &State, choice: u8) -> Option<TicketSet> {
        let offered = s.tickets_at(TicketPlace::Offered);
        (u32::from(choice) >> offered.len() == 0).then(|| offered.pick(choice))
    }

    /// The i-th offered ticket.
    pub(crate) fn offered_ticket(&self, s: &State, i: usize) -> Option<TicketId> {
        s.tickets_at(TicketPlace::Offered).nth(i)
    }

    /// Fewest tickets that must be kept now (CG-2, CG-10).
    #[inline]
    pub(crate) fn least_kept(&self, s: &State) -> u8 {
        if s.phase == Phase::Opening { self.spec.rules.opening_keep } else { 0 }
    }

    /// Keeps the chosen opening tickets; after the last seat, all returned ones are shuffled into the deck (CG-2).
    pub(crate) fn keep_opening(&self, s: &mut State, choice: u8, chance: &mut impl Chance) {
        let seat = s.seat;
        let kept = self.chosen(s, choice).expect("the choice is legal");
        let returned = s.tickets_at(TicketPlace::Offered) - kept;
        s.transfer_tickets(returned, TicketPlace::Offered, TicketPlace::PutBack(seat));
        s.transfer_tickets(kept, TicketPlace::Offered, TicketPlace::Held(seat));
        s.set_opening(seat, kept, returned);
        s.seat = seat.next(self.seats);
        if s.seat != s.first {
            return self.offer_opening(s, chance);
        }
        for seat in Seat::all(self.seats) {
            s.move_tickets(s.returned(seat), TicketPlace::Deck);
        }
        s.phase = Phase::Main;
    }

    /// Keeps the chosen tickets of a draw and puts the others under the deck (CG-10); whether any was kept.
    pub(crate) fn keep_drawn(&self, s: &mut State, choice: u8) -> bool {
        let seat = s.seat;
        let kept = self.chosen(s, choice).expect("the choice is legal");
        let unkept = s.tickets_at(TicketPlace::Offered) - kept;
        s.transfer_tickets(unkept, TicketPlace::Offered, TicketPlace::PutBack(seat));
        s.transfer_tickets(kept, TicketPlace::Offered, TicketPlace::Held(seat));
        s.bottom.push_batch(unkept);
        !kept.is_empty()
    }

    /// Tickets that the seat to move may name next for completion: later than those it has named, and completable
    /// together with them.
    pub(crate) fn completable_next(&self, s: &State) -> TicketSet {
        let chosen = s.tickets_at(TicketPlace::Chosen(s.seat));
        let held = s.held(s.seat);
        let later = TicketSet(u128::MAX.checked_shl(u128::BITS - chosen.0.leading_zeros()).unwrap_or(0));
        let track = s.tracks[s.seat.index()];
        (held & later)
            .into_iter()
            .filter(|&ticket| self.is_completable(track, chosen | TicketSet::only(ticket)))
            .collect()
    }
}
