//! First Journey's tickets: completed at once, replaced, swapped (section 6).

use crate::board::action::{Ending, Phase};
use crate::board::compile::{BoardGame, Journey};
use crate::board::network::Components;
use crate::board::state::{State, TicketPlace};
use crate::chance::Chance;
use crate::game::Seat;
use crate::id::TicketSet;

impl BoardGame {
    /// Tickets that a seat has completed, bonus included.
    pub(crate) fn journey_completed(&self, s: &State, seat: Seat) -> u8 {
        s.tickets_at(TicketPlace::Done(seat)).len() as u8 + s.bonus_tickets[seat.index()]
    }

    /// Tickets in the discard: put back by swaps and not shuffled in again yet.
    pub(crate) fn ticket_discard(&self, s: &State) -> TicketSet {
        Seat::all(self.seats)
            .fold(TicketSet::EMPTY, |all, seat| all | s.tickets_at(TicketPlace::PutBack(seat)))
    }

    /// Whether the swap is allowed (FJ-5).
    #[inline]
    pub(crate) fn may_swap(&self, s: &State) -> bool {
        self.rules.journey.is_some() && (!s.ticket_deck().is_empty() || !self.ticket_discard(s).is_empty())
    }

    /// Discards all held tickets and draws two new ones (FJ-5). Returns whether one was completed at once.
    pub(crate) fn swap_tickets(&self, s: &mut State, journey: &Journey, chance: &mut impl Chance) -> bool {
        let seat = s.seat;
        // Aside until the last draw, replacements included: they are shuffled in only if there is nothing else.
        s.move_tickets(s.tickets_at(TicketPlace::Held(seat)), TicketPlace::Offered);
        for _ in 0..self.opening[0].dealt() {
            self.draw_journey_ticket(s, chance);
        }
        let completed = self.complete_tickets(s, journey, chance);
        s.move_tickets(s.tickets_at(TicketPlace::Offered), TicketPlace::PutBack(seat));
        completed
    }

    /// Draws one ticket into the hand of the seat to move, if there is any (FJ-5, FJ-6).
    fn draw_journey_ticket(&self, s: &mut State, chance: &mut impl Chance) {
        let mut deck = s.ticket_deck();
        if deck.is_empty() {
            let discard = self.ticket_discard(s);
            deck = if discard.is_empty() { s.tickets_at(TicketPlace::Offered) } else { discard };
            s.move_tickets(deck, TicketPlace::Deck);
        }
        if !deck.is_empty() {
            let ticket = TicketSet::only(chance.ticket(deck));
            s.transfer_tickets(ticket, TicketPlace::Deck, TicketPlace::Held(s.seat));
        }
    }

    /// Completes what the network of the seat to move joins, and draws replacements (FJ-6 to FJ-8), until
    /// nothing more is complete or the seat has won. Returns whether anything was completed.
    pub(crate) fn complete_tickets(
        &self,
        s: &mut State,
        journey: &Journey,
        chance: &mut impl Chance,
    ) -> bool {
        let seat = s.seat;
        let components = self.components(s, seat);
        let mut completed = self.take_bonus(s, journey, &components);
        let mut done = self.journey_completed(s, seat);
        loop {
            let mut done_now = TicketSet::EMPTY;
            for ticket in s.tickets_at(TicketPlace::Held(seat)) {
                let [a, b] = self.tickets[ticket.index()].ends;
                if done < journey.tickets_to_win && components.joined(a.0, b.0) {
                    done_now.insert(ticket);
                    done += 1;
                }
            }
            s.transfer_tickets(done_now, TicketPlace::Held(seat), TicketPlace::Done(seat));
            if done >= journey.tickets_to_win {
                s.phase = Phase::Over(Ending::TicketsDone); // FJ-9(a)
                return true;
            }
            if done_now.is_empty() {
                return completed;
            }
            completed = true;
            for _ in 0..done_now.len() {
                self.draw_journey_ticket(s, chance);
            }
        }
    }

    /// The bonus ticket for joining the two sets of cities (FJ-7, A-45).
    fn take_bonus(&self, s: &mut State, journey: &Journey, components: &Components) -> bool {
        let Some([one, other]) = journey.bonus_between else {
            return false;
        };
        if s.bonus_tickets[s.seat.index()] > 0 && !journey.unlimited_bonus {
            return false; // one for each seat
        }
        let joined = one
            .into_iter()
            .map(|a| other.into_iter().filter(|b| components.joined(a.0, b.0)).count())
            .sum::<usize>()
            .min(u8::MAX.into()) as u8;
        let due = if journey.unlimited_bonus { joined } else { joined.min(1) };
        // The game ends the moment it is won, also in the middle of several bonuses.
        let done = s.tickets_at(TicketPlace::Done(s.seat)).len() as u8;
        let due = due.min(journey.tickets_to_win.saturating_sub(done));
        let taken = &mut s.bonus_tickets[s.seat.index()];
        let new = due > *taken;
        *taken = due.max(*taken);
        new
    }
}
