//! A position of the Card Game: plain bytes, at most 512 of them.

use crate::bottom::Bottom;
use crate::card::{CardKind, Cards};
use crate::card_game::action::Phase;
use crate::game::Seat;
use crate::id::{TicketId, TicketSet};
use crate::memory::OldCards;
use crate::places::Places;
use crate::spec::{MAX_CARD_GAME_SEATS, MAX_CARD_GAME_TICKETS};

/// Most seats.
pub(crate) const SEATS: usize = MAX_CARD_GAME_SEATS;

/// A position. Read it through [`crate::Game`] or, as a seat, through [`crate::card_game::Observation`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(crate) deck: Cards,
    pub(crate) discard: Cards,
    pub(crate) market: Cards,
    pub(crate) hands: [Cards; SEATS],
    /// The part of each hand that everybody has seen: the opening locomotive, and cards taken face up.
    pub(crate) shown: [Cards; SEATS],
    pub(crate) yards: [Yard; SEATS],
    /// Track stacks.
    pub(crate) tracks: [Cards; SEATS],
    /// Hidden cards from before the reshuffle between the rounds.
    pub(crate) old_cards: OldCards<SEATS>,
    /// The part of each hand that dates from before that reshuffle and is hidden: known to its seat alone.
    pub(crate) old_hands: [Cards; SEATS],
    /// Track stacks at the end of the round before.
    pub(crate) old_tracks: [Cards; SEATS],
    tickets: Places<5>,
    /// Who kept or returned a ticket in the opening, wherever it has gone since.
    opening: Places<4>,
    /// Tickets put under the deck, oldest first.
    pub(crate) bottom: Bottom<MAX_CARD_GAME_TICKETS>,
    pub(crate) seat: Seat,
    /// Who started the round; when tickets are being completed, who was asked first.
    pub(crate) first: Seat,
    pub(crate) phase: Phase,
    /// The round, counted from 0 (CG-17).
    pub(crate) round: u8,
    /// Turns left since the deck is empty; 0 before that (CG-12).
    pub(crate) last_turns: u8,
    /// Turns in a row without progress.
    pub(crate) idle_turns: u16,
    /// Turns played.
    pub(crate) turns: u16,
}

const _: () = assert!(size_of::<State>() <= 512);

/// The rows that a seat has before it, at most one of a colour (CG-3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Yard {
    /// Colour cards, by the colour of their row.
    pub(crate) cards: Cards,
    /// Locomotives on top of the rows, by the *colour* of the row.
    pub(crate) locomotives: Cards,
}

impl Yard {
    /// The sizes of the rows, by colour.
    #[inline]
    pub(crate) fn rows(self) -> Cards {
        self.cards + self.locomotives
    }

    /// All cards of the yard.
    pub(crate) fn all(self) -> Cards {
        self.cards + Cards::of(CardKind::Locomotive, self.locomotives.total())
    }

    /// Takes the top card of every row (CG-5).
    #[inline]
    pub(crate) fn take_tops(&mut self) -> Cards {
        let locomotives = self.locomotives.one_of_each();
        let colours = self.cards.one_of_each().saturating_sub(locomotives);
        self.locomotives -= locomotives;
        self.cards -= colours;
        colours + Cards::of(CardKind::Locomotive, locomotives.total())
    }

    /// Takes a whole row (CG-9).
    pub(crate) fn take_row(&mut self, colour: CardKind) -> Cards {
        let cards = Cards::of(colour, self.cards.count(colour));
        let locomotives = self.locomotives.count(colour);
        self.cards -= cards;
        self.locomotives -= Cards::of(colour, locomotives);
        cards + Cards::of(CardKind::Locomotive, locomotives)
    }
}

/// Where a ticket is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TicketPlace {
    /// Out of the game; no ticket of the shipped game ever is.
    #[cfg_attr(not(feature = "testing"), expect(dead_code, reason = "only tests look into the empty box"))]
    Box,
    /// In a seat's hand, kept in this round.
    Held(Seat),
    /// In a seat's hand since the round before, at the end of which it was not completed.
    HeldOver(Seat),
    /// In the shuffled part of the deck, which is drawn from first.
    Deck,
    /// Being chosen from.
    Offered,
    /// Put back by a seat, which remembers it: under the deck or, in the opening, aside.
    PutBack(Seat),
    /// Under the deck, but nobody knows it any more: another seat drew a part of what was put there together.
    Buried,
    /// Completed and shown by a seat (CG-16).
    Done(Seat),
    /// Chosen by a seat to be completed, but not shown yet.
    Chosen(Seat),
}

/// No other place has these bits: the deck is looked at in every turn, and so takes two planes instead of five.
const DECK_BITS: u8 = 0b11000;

impl TicketPlace {
    #[inline]
    fn code(self) -> u8 {
        match self {
            Self::Box => 0,
            Self::Offered => 1,
            Self::Buried => 2,
            Self::Deck => DECK_BITS,
            Self::Held(seat) => 4 + seat.0,
            Self::PutBack(seat) => 8 + seat.0,
            Self::Done(seat) => 12 + seat.0,
            Self::Chosen(seat) => 16 + seat.0,
            Self::HeldOver(seat) => 20 + seat.0,
        }
    }
}

impl State {
    /// A position before the deal: the whole deck shuffled, all tickets in the box.
    pub(crate) fn new(deck: Cards) -> Self {
        Self {
            deck,
            discard: Cards::EMPTY,
            market: Cards::EMPTY,
            hands: [Cards::EMPTY; SEATS],
            shown: [Cards::EMPTY; SEATS],
            yards: [Yard::default(); SEATS],
            tracks: [Cards::EMPTY; SEATS],
            old_cards: OldCards::NONE,
            old_hands: [Cards::EMPTY; SEATS],
            old_tracks: [Cards::EMPTY; SEATS],
            tickets: Places::new(),
            opening: Places::new(),
            bottom: Bottom::EMPTY,
            seat: Seat(0),
            first: Seat(0),
            phase: Phase::Main,
            round: 0,
            last_turns: 0,
            idle_turns: 0,
            turns: 0,
        }
    }

    /// All tickets at a place.
    #[inline]
    pub(crate) fn tickets_at(&self, place: TicketPlace) -> TicketSet {
        TicketSet(self.tickets.at(place.code()))
    }

    /// The tickets in a seat's hand, without those it has chosen to complete.
    #[inline]
    pub(crate) fn held(&self, seat: Seat) -> TicketSet {
        self.tickets_at(TicketPlace::Held(seat)) | self.tickets_at(TicketPlace::HeldOver(seat))
    }

    /// Number of tickets that are being chosen from.
    #[inline]
    pub(crate) fn offered(&self) -> u8 {
        self.tickets_at(TicketPlace::Offered).len() as u8
    }

    /// The part of each hand that not everybody has seen.
    pub(crate) fn hidden(&self) -> [Cards; SEATS] {
        std::array::from_fn(|seat| self.hands[seat] - self.shown[seat])
    }

    /// The tickets in the shuffled part of the deck.
    #[inline]
    pub(crate) fn ticket_deck(&self) -> TicketSet {
        TicketSet(self.tickets.with_bits(DECK_BITS))
    }

    /// Moves tickets that all are at the same place.
    #[inline]
    pub(crate) fn transfer_tickets(&mut self, tickets: TicketSet, from: TicketPlace, to: TicketPlace) {
        self.tickets.transfer(tickets.0, from.code(), to.code());
    }

    #[inline]
    pub(crate) fn move_ticket(&mut self, ticket: TicketId, to: TicketPlace) {
        self.tickets.put(ticket.0, to.code());
    }

    #[inline]
    pub(crate) fn move_tickets(&mut self, tickets: TicketSet, to: TicketPlace) {
        self.tickets.put_all(tickets.0, to.code());
    }

    /// The tickets that a seat returned in the opening, wherever they are now.
    pub(crate) fn returned(&self, seat: Seat) -> TicketSet {
        TicketSet(self.opening.at(1 + seat.0))
    }

    /// The tickets that a seat kept in the opening, completed or not.
    pub(crate) fn kept_first(&self, seat: Seat) -> TicketSet {
        TicketSet(self.opening.at(1 + SEATS as u8 + seat.0))
    }

    /// Writes down what a seat kept and returned in the opening.
    pub(crate) fn set_opening(&mut self, seat: Seat, kept: TicketSet, returned: TicketSet) {
        self.opening.put_all((self.returned(seat) | self.kept_first(seat)).0, 0);
        self.opening.put_all(returned.0, 1 + seat.0);
        self.opening.put_all(kept.0, 1 + SEATS as u8 + seat.0);
    }

    /// The sizes of the rows in all yards but one, by colour. A colour lies in one yard at most (I-33).
    #[inline]
    pub(crate) fn rows_against(&self, seat: Seat) -> Cards {
        let all = self.yards.iter().fold(Cards::EMPTY, |all, yard| all + yard.rows());
        all - self.yards[seat.index()].rows()
    }
}
