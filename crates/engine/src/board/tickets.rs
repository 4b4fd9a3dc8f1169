//! The ticket deck: dealing, drawing, putting back.

use crate::board::action::{Outcome, Phase};
use crate::board::compile::BoardGame;
use crate::board::rules::PileDeal;
use crate::board::state::State;
use crate::chance::Chance;
use crate::pieces::{Seat, TicketPlace, TicketSet};
use crate::spec::Unkept;

impl BoardGame {
    /// Offers the top tickets of the deck to the seat to move. The deck must have at least `count`.
    fn offer_from_deck(&self, s: &mut State, count: u8, chance: &mut impl Chance) {
        let offered = s.tickets.offer_from_deck(count, chance);
        for _ in offered..count {
            self.offer_from_bottom(s, chance);
        }
    }

    /// Offers a ticket from under the deck, once the deck itself is empty.
    fn offer_from_bottom(&self, s: &mut State, chance: &mut impl Chance) {
        let (batch, ticket) = s.bottom.draw(chance);
        if s.remembers {
            self.remember_draw(s, batch, ticket);
        }
        s.tickets.put(ticket, TicketPlace::Offered);
    }

    /// Offers the opening tickets of a step to the seat to move (CC-3). No seat sees another's tickets,
    /// and returned tickets are not dealt again during the opening, so dealing seat by seat is
    /// equivalent to dealing at once.
    pub(crate) fn offer_opening(&self, s: &mut State, step: u8, chance: &mut impl Chance) {
        s.phase = Phase::Opening { step };
        for deal in &self.opening[usize::from(step)].deals {
            if deal.pile == 0 {
                self.offer_from_deck(s, deal.count, chance);
                continue;
            }
            for _ in 0..deal.count {
                // Other piles stay in the box except while they are being dealt from.
                let pile = self.piles[usize::from(deal.pile)] & s.tickets.at(TicketPlace::Box);
                s.tickets.put(chance.ticket(pile), TicketPlace::Offered);
            }
        }
        s.offered = self.opening[usize::from(step)].dealt();
    }

    /// Offers drawn tickets to the seat to move (CC-29).
    pub(crate) fn offer_drawn(&self, s: &mut State, chance: &mut impl Chance) {
        s.phase = Phase::Tickets;
        s.offered = s.ticket_deck_len().min(self.rules.ticket_draw.into()) as u8;
        self.offer_from_deck(s, s.offered, chance);
    }

    /// Minimum number of tickets to keep now.
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

    /// Returns `true` if a choice among the offered tickets is allowed: enough of them, and not too many
    /// of one pile.
    #[inline]
    pub(crate) fn may_keep(&self, s: &State, choice: u8) -> bool {
        u32::from(choice) >> s.offered == 0
            && choice.count_ones() >= self.least_kept(s).into()
            && self.within_limits(s, choice)
    }

    /// Returns `true` if a choice does not have too many tickets of one pile.
    #[inline(always)]
    pub(crate) fn within_limits(&self, s: &State, choice: u8) -> bool {
        self.limited_deals(s).all(|deal| {
            let kept = s.tickets.chosen(choice).unwrap_or_default();
            (kept & self.piles[usize::from(deal.pile)]).len() <= deal.keep_max.into()
        })
    }

    /// The deals of the current opening step that limit how many tickets may be kept.
    #[inline]
    fn limited_deals(&self, s: &State) -> impl Iterator<Item = &PileDeal> {
        let deals = match s.phase {
            Phase::Opening { step } => self.opening[usize::from(step)].deals.as_slice(),
            _ => &[],
        };
        deals.iter().filter(|deal| deal.keep_max < deal.count)
    }

    /// Keeps the chosen opening tickets and continues with the next seat, the next step or the first
    /// turn.
    pub(crate) fn keep_opening(&self, s: &mut State, step: u8, choice: u8, chance: &mut impl Chance) {
        let seat = s.seat;
        let (kept, _) = s.tickets.keep(seat, choice);
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
                .fold(TicketSet::EMPTY, |all, seat| all | s.tickets.at(TicketPlace::PutBack(seat)));
            s.bottom.push_batch(returned & self.piles[0]);
        }
        s.phase = Phase::Main;
        self.start_depots(s);
    }

    /// Keeps the chosen tickets of a draw and returns the others (CC-29).
    pub(crate) fn keep_drawn(&self, s: &mut State, choice: u8) {
        let (_, unkept) = s.tickets.keep(s.seat, choice);
        s.offered = 0;
        if self.rules.unkept == Unkept::Bottom {
            self.shorten_memory(s, unkept.len());
            s.bottom.push_batch(unkept);
        }
        // Keeping no ticket does not count as progress.
        self.finish_action(s, if choice == 0 { Outcome::Idle } else { Outcome::Progress });
    }
}
