//! Where each ticket is.

use serde::{Deserialize, Serialize};

use super::{Places, Seat, TicketId, TicketSet};
use crate::chance::Chance;

/// Where a ticket is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TicketPlace {
    /// Out of the game, or in a pile that is only dealt from in the opening.
    Box,
    /// In a seat's hand; in the Card Game, kept in this round.
    Held(Seat),
    /// In a seat's hand since the round before, at the end of which it was not completed; only in the Card
    /// Game.
    HeldOver(Seat),
    /// In the shuffled part of the deck, which is drawn from first.
    Deck,
    /// Being chosen from, or being swapped away.
    Offered,
    /// Put back by a seat, which remembers it: under the deck, in the box, in the discard, or aside for the
    /// length of the opening.
    PutBack(Seat),
    /// Under the deck, in a batch from which another seat than the one that put it there has drawn. On
    /// boards, the notes of the bottom say who knows what about it; in the Card Game, nobody knows it any
    /// more.
    Mixed,
    /// Completed and shown by a seat (FJ-6, CG-16).
    Done(Seat),
    /// Chosen by a seat to be completed, but not shown yet; only in the Card Game.
    Chosen(Seat),
}

/// The place of every ticket of a game for up to `SEATS` seats: five for boards, four for the Card Game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct TicketPlaces<const SEATS: usize>(Places<5>);

/// No other place has these bits: the deck is looked at in every turn, and so takes two planes instead of
/// five.
const DECK_BITS: u8 = 0b11000;

impl<const SEATS: usize> TicketPlaces<SEATS> {
    /// All tickets in the box.
    pub(crate) fn new() -> Self {
        Self(Places::new())
    }

    /// Where five seats leave room for it, no other place has the bits of this one either.
    const OFFERED_BITS: u8 = if SEATS == 5 { 0b10001 } else { 23 };

    /// The number of a place. With five seats there is no room for those that only the Card Game has.
    #[inline]
    fn code(place: TicketPlace) -> u8 {
        let of_seat = |group: usize, seat: Seat| {
            debug_assert!(group < 3 || SEATS == 4, "a place of the Card Game");
            (1 + group * SEATS) as u8 + seat.to_u8()
        };
        match place {
            TicketPlace::Box => 0,
            TicketPlace::Held(seat) => of_seat(0, seat),
            TicketPlace::PutBack(seat) => of_seat(1, seat),
            TicketPlace::Done(seat) => of_seat(2, seat),
            TicketPlace::Chosen(seat) => of_seat(3, seat),
            TicketPlace::HeldOver(seat) => of_seat(4, seat),
            TicketPlace::Mixed => 22,
            TicketPlace::Offered => Self::OFFERED_BITS,
            TicketPlace::Deck => DECK_BITS,
        }
    }

    /// All tickets at a place.
    #[inline]
    pub(crate) fn at(&self, place: TicketPlace) -> TicketSet {
        TicketSet(self.0.at(Self::code(place)))
    }

    /// The tickets in the shuffled part of the deck.
    #[inline]
    pub(crate) fn deck(&self) -> TicketSet {
        TicketSet(self.0.with_bits(DECK_BITS))
    }

    /// The tickets that are being chosen from.
    #[inline]
    pub(crate) fn offered(&self) -> TicketSet {
        if SEATS == 5 {
            TicketSet(self.0.with_bits(Self::OFFERED_BITS))
        } else {
            self.at(TicketPlace::Offered)
        }
    }

    /// Moves a ticket.
    #[inline]
    pub(crate) fn put(&mut self, ticket: TicketId, to: TicketPlace) {
        self.0.put(ticket.to_u8(), Self::code(to));
    }

    /// Moves tickets.
    #[inline]
    pub(crate) fn put_all(&mut self, tickets: TicketSet, to: TicketPlace) {
        self.0.put_all(tickets.0, Self::code(to));
    }

    /// Moves tickets that are all at the same place.
    #[inline]
    pub(crate) fn transfer(&mut self, tickets: TicketSet, from: TicketPlace, to: TicketPlace) {
        self.0.transfer(tickets.0, Self::code(from), Self::code(to));
    }

    /// Offers tickets of the shuffled part of the deck, as far as there are any. Returns their number.
    #[inline]
    pub(crate) fn offer_from_deck(&mut self, count: u8, chance: &mut impl Chance) -> u8 {
        let (mut deck, mut drawn, mut offered) = (self.deck(), TicketSet::EMPTY, 0);
        while offered < count && !deck.is_empty() {
            let ticket = chance.one_ticket(deck);
            deck -= ticket;
            drawn |= ticket;
            offered += 1;
        }
        self.transfer(drawn, TicketPlace::Deck, TicketPlace::Offered);
        offered
    }

    /// The offered tickets of a choice, in which bit `i` stands for the `i`-th by index; none if it names
    /// tickets that are not there.
    #[inline]
    pub(crate) fn chosen(&self, choice: u8) -> Option<TicketSet> {
        let offered = self.offered();
        (u32::from(choice) >> offered.len() == 0).then(|| offered.pick(choice))
    }

    /// Gives the offered tickets of a legal choice to a seat, which puts the others back. Returns both.
    #[inline(always)] // both sets stay in registers
    pub(crate) fn keep(&mut self, seat: Seat, choice: u8) -> (TicketSet, TicketSet) {
        let offered = self.offered();
        let kept = offered.pick(choice);
        let unkept = offered - kept;
        self.transfer(unkept, TicketPlace::Offered, TicketPlace::PutBack(seat));
        self.transfer(kept, TicketPlace::Offered, TicketPlace::Held(seat));
        (kept, unkept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All places of all seats have codes of their own, and none has the bits of the deck.
    #[test]
    fn no_two_places_share_a_code() {
        fn assert_codes<const SEATS: usize>(of_seats: &[fn(Seat) -> TicketPlace]) {
            use TicketPlace::{Box, Deck, Mixed, Offered};
            let seats = Seat::all(SEATS);
            let of_seats = of_seats.iter().flat_map(|place| seats.clone().map(place));
            let mut codes: Vec<u8> =
                [Box, Mixed, Offered].into_iter().chain(of_seats).map(TicketPlaces::<SEATS>::code).collect();
            assert!(codes.iter().all(|code| code & DECK_BITS != DECK_BITS), "{codes:?}");
            assert_eq!(TicketPlaces::<SEATS>::code(Deck), DECK_BITS);
            let offered = TicketPlaces::<SEATS>::OFFERED_BITS;
            let like_offered = codes.iter().filter(|&code| code & offered == offered).count();
            assert!(SEATS < 5 || like_offered == 1, "{codes:?}");
            assert_ne!(DECK_BITS & offered, offered);
            let all = codes.len();
            codes.sort_unstable();
            codes.dedup();
            assert_eq!(codes.len(), all, "{codes:?}");
        }
        use TicketPlace::{Chosen, Done, Held, HeldOver, PutBack};
        assert_codes::<5>(&[Held, PutBack, Done]);
        assert_codes::<4>(&[Held, PutBack, Done, Chosen, HeldOver]);
    }
}
