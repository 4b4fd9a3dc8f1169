//! The ticket deck: dealing, drawing, putting back.

use crate::board::action::{Outcome, Phase};
use crate::board::compile::{BoardGame, PileDeal};
use crate::board::state::{State, TicketPlace};
use crate::chance::Chance;
use crate::game::Seat;
use crate::id::{TicketId, TicketSet};
use crate::spec::Unkept;

impl BoardGame {
    /// Tickets that the ticket action could draw: the shuffled part of the deck and the bottom.
    pub(crate) fn ticket_deck_len(&self, s: &State) -> usize {
        s.ticket_deck().len() + s.bottom.len()
    }

    /// Draws the top tickets of the deck and puts them before the seat to move; there must be as many.
    fn offer_from_deck(&self, s: &mut State, count: u8, chance: &mut impl Chance) {
        let mut deck = s.ticket_deck();
        let mut drawn = TicketSet::EMPTY;
        let mut left = count;
        while left > 0 && !deck.is_empty() {
            let ticket = chance.one_ticket(deck);
            deck -= ticket;
            drawn |= ticket;
            left -= 1;
        }
        s.transfer_tickets(drawn, TicketPlace::Deck, TicketPlace::Offered);
        for _ in 0..left {
            self.offer_from_bottom(s, chance);
        }
    }

    /// Draws a ticket from under the deck, of which nothing else is left.
    fn offer_from_bottom(&self, s: &mut State, chance: &mut impl Chance) {
        let batch = s.bottom.oldest();
        let ticket = chance.ticket(batch);
        s.bottom.remove(ticket);
        if s.remembers {
            self.remember_draw(s, batch, ticket);
        }
        s.move_ticket(ticket, TicketPlace::Offered);
    }

    /// Offers the opening tickets of a step to the seat to move (CC-3). Nobody sees another's tickets, and what
    /// is returned does not come back during the opening: dealing seat by seat is the same as dealing at once.
    pub(crate) fn offer_opening(&self, s: &mut State, step: u8, chance: &mut impl Chance) {
        s.phase = Phase::Opening { step };
        for deal in &self.opening[usize::from(step)].deals {
            if deal.pile == 0 {
                self.offer_from_deck(s, deal.count, chance);
                continue;
            }
            for _ in 0..deal.count {
                // Other piles lie in the box except while they are dealt from.
                let pile = self.piles[usize::from(deal.pile)] & s.tickets_at(TicketPlace::Box);
                s.move_ticket(chance.ticket(pile), TicketPlace::Offered);
            }
        }
        s.offered = self.opening[usize::from(step)].dealt();
    }

    /// Offers drawn tickets to the seat to move (CC-29).
    pub(crate) fn offer_drawn(&self, s: &mut State, chance: &mut impl Chance) {
        s.phase = Phase::Tickets;
        s.offered = self.ticket_deck_len(s).min(self.rules.ticket_draw.into()) as u8;
        self.offer_from_deck(s, s.offered, chance);
    }

    /// The tickets of a choice, out of the offered ones; none if the choice names tickets that are not there.
    #[inline]
    pub(crate) fn chosen(&self, s: &State, choice: u8) -> Option<TicketSet> {
        if u32::from(choice) >> s.offered != 0 {
            return None;
        }
        Some(s.offered_tickets().pick(choice))
    }

    /// Fewest tickets that must be kept now.
    #[inline]
    pub(crate) fn least_kept(&self, s: &State) -> u8 {
        match s.phase {
            Phase::Opening { step } => {
                let kept = s.opening_kept.sum(s.seat);
                self.opening[usize::from(step)].hold.saturating_sub(kept)
            }
            _ => self.rules.ticket_keep.min(s.offered),
        }
    }

    /// Whether a choice among the offered tickets is allowed: enough of them, and not too many of one pile.
    #[inline]
    pub(crate) fn may_keep(&self, s: &State, choice: u8) -> bool {
        u32::from(choice) >> s.offered == 0
            && choice.count_ones() >= self.least_kept(s).into()
            && self.within_limits(s, choice)
    }

    /// Whether a choice has not too many tickets of one pile.
    #[inline(always)]
    pub(crate) fn within_limits(&self, s: &State, choice: u8) -> bool {
        self.limited_deals(s).all(|deal| {
            let kept = self.chosen(s, choice).unwrap_or_default();
            (kept & self.piles[usize::from(deal.pile)]).len() <= deal.keep_max.into()
        })
    }

    /// The deals of the current opening step of which not all may be kept.
    #[inline]
    fn limited_deals(&self, s: &State) -> impl Iterator<Item = &PileDeal> {
        let deals = match s.phase {
            Phase::Opening { step } => self.opening[usize::from(step)].deals.as_slice(),
            _ => &[],
        };
        deals.iter().filter(|deal| deal.keep_max < deal.count)
    }

    /// Keeps the chosen opening tickets and goes on to the next seat, the next step or the first turn.
    pub(crate) fn keep_opening(&self, s: &mut State, step: u8, choice: u8, chance: &mut impl Chance) {
        let seat = s.seat;
        let kept = self.chosen(s, choice).expect("the choice is legal");
        let unkept = s.offered_tickets() - kept;
        s.transfer_tickets(unkept, TicketPlace::Offered, TicketPlace::PutBack(seat));
        s.transfer_tickets(kept, TicketPlace::Offered, TicketPlace::Held(seat));
        s.opening_kept.set(seat, step.into(), kept.len() as u8);
        s.offered = 0;
        s.seat = seat.next(self.seats);
        if s.seat != s.first {
            return self.offer_opening(s, step, chance);
        }
        if usize::from(step) + 1 < self.opening.len() {
            return self.offer_opening(s, step + 1, chance);
        }
        if self.rules.unkept_opening == Unkept::Bottom {
            // Section 10: shuffled together and put under the deck after the last seat has chosen.
            let returned = Seat::all(self.seats)
                .fold(TicketSet::EMPTY, |all, seat| all | s.tickets_at(TicketPlace::PutBack(seat)));
            s.bottom.push_batch(returned & self.piles[0]);
        }
        s.phase = Phase::Main;
        self.start_depots(s);
    }

    /// Keeps the chosen tickets of a draw and puts the others away (CC-29).
    pub(crate) fn keep_drawn(&self, s: &mut State, choice: u8) {
        let seat = s.seat;
        let kept = self.chosen(s, choice).expect("the choice is legal");
        let unkept = s.offered_tickets() - kept;
        s.transfer_tickets(unkept, TicketPlace::Offered, TicketPlace::PutBack(seat));
        s.transfer_tickets(kept, TicketPlace::Offered, TicketPlace::Held(seat));
        s.offered = 0;
        if self.rules.unkept == Unkept::Bottom {
            self.shorten_memory(s, unkept.len());
            s.bottom.push_batch(unkept);
        }
        // Keeping no ticket is no progress.
        self.finish_action(s, if choice == 0 { Outcome::Idle } else { Outcome::Progress });
    }

    /// The i-th offered ticket.
    pub(crate) fn offered_ticket(&self, s: &State, i: usize) -> Option<TicketId> {
        s.offered_tickets().nth(i)
    }
}
