//! A position of the Card Game: plain bytes, at most 512 of them.

use serde::{Deserialize, Serialize};

use crate::card_game::action::Phase;
use crate::pieces::{
    Bottom, CardKind, Cards, OldCards, Places, Seat, Supply, TicketPlace, TicketPlaces, TicketSet,
};
use crate::spec::{MAX_CARD_GAME_SEATS, MAX_CARD_GAME_TICKETS};

/// Maximum number of seats.
pub(crate) const SEATS: usize = MAX_CARD_GAME_SEATS;

/// A position: a plain value of at most 512 bytes. A search branches by copying it.
///
/// It is read through [`Game`](crate::Game) or, from a seat, through
/// [`Observation`](crate::card_game::Observation).
///
/// ```
/// use ttr_engine::{card_game::CardGame, maps, Dice, Game};
/// let game = CardGame::new(&maps::card_game(), 2)?;
/// let state = game.deal(&mut Dice::from_seed(1));
/// let mut branch = state;
/// game.playout(&mut branch, &mut Dice::from_seed(2), &mut Dice::from_seed(3));
/// assert_ne!(branch, state);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// Deck, discard, market and hands. The opening locomotive and cards taken face up are known to all
    /// seats.
    pub(crate) cards: Supply<SEATS>,
    pub(crate) yards: [Yard; SEATS],
    /// Track stacks.
    pub(crate) tracks: [Cards; SEATS],
    /// Hidden cards from before the reshuffle between the rounds.
    pub(crate) old: OldCards<SEATS>,
    /// The hidden part of each hand that dates from before that reshuffle, known to its seat alone.
    pub(crate) old_hands: [Cards; SEATS],
    /// Track stacks at the end of the previous round.
    pub(crate) old_tracks: [Cards; SEATS],
    pub(crate) tickets: TicketPlaces<SEATS>,
    /// The seat that kept or returned a ticket in the opening, wherever the ticket is now.
    opening: Places<4>,
    /// Tickets put under the deck, oldest first.
    pub(crate) bottom: Bottom<MAX_CARD_GAME_TICKETS>,
    pub(crate) seat: Seat,
    /// The seat that started the round; while tickets are being completed, the seat that chose first.
    pub(crate) first: Seat,
    pub(crate) phase: Phase,
    /// The round, counted from 0 (CG-17).
    pub(crate) round: u8,
    /// Number of turns left after the deck ran out; 0 before that (CG-12).
    pub(crate) final_turns: u8,
    /// Number of consecutive turns without progress (A-60).
    pub(crate) idle_turns: u16,
    /// Number of turns played.
    pub(crate) turns: u16,
}

const _: () = assert!(size_of::<State>() <= 512);

/// The rows in front of a seat, at most one per colour (CG-3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
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

impl State {
    /// A position before the deal: all cards in the deck, all tickets in the box.
    pub(crate) fn new(deck: Cards) -> Self {
        Self {
            cards: Supply::new(deck),
            yards: [Yard::default(); SEATS],
            tracks: [Cards::EMPTY; SEATS],
            old: OldCards::NONE,
            old_hands: [Cards::EMPTY; SEATS],
            old_tracks: [Cards::EMPTY; SEATS],
            tickets: TicketPlaces::new(),
            opening: Places::new(),
            bottom: Bottom::EMPTY,
            seat: Seat::new(0),
            first: Seat::new(0),
            phase: Phase::Main,
            round: 0,
            final_turns: 0,
            idle_turns: 0,
            turns: 0,
        }
    }

    /// The tickets in a seat's hand, except those it has chosen to complete.
    #[inline]
    pub(crate) fn held(&self, seat: Seat) -> TicketSet {
        self.tickets.at(TicketPlace::Held(seat)) | self.tickets.at(TicketPlace::HeldOver(seat))
    }

    /// Number of tickets offered by the current choice.
    #[inline]
    pub(crate) fn offered(&self) -> u8 {
        self.tickets.offered().len() as u8
    }

    /// Number of tickets that can be drawn, from the shuffled part of the deck and from under it.
    #[inline]
    pub(crate) fn ticket_deck_len(&self) -> usize {
        self.tickets.deck().len() + self.bottom.len()
    }

    /// The tickets that a seat returned in the opening, wherever they are now.
    pub(crate) fn returned(&self, seat: Seat) -> TicketSet {
        TicketSet(self.opening.at(1 + seat.to_u8()))
    }

    /// The tickets that a seat kept in the opening, completed or not.
    pub(crate) fn kept_first(&self, seat: Seat) -> TicketSet {
        TicketSet(self.opening.at(1 + SEATS as u8 + seat.to_u8()))
    }

    /// Records the tickets that a seat kept and returned in the opening.
    pub(crate) fn set_opening(&mut self, seat: Seat, kept: TicketSet, returned: TicketSet) {
        self.opening.put_all((self.returned(seat) | self.kept_first(seat)).0, 0);
        self.opening.put_all(returned.0, 1 + seat.to_u8());
        self.opening.put_all(kept.0, 1 + SEATS as u8 + seat.to_u8());
    }

    /// The sizes of the rows in all yards but one, by colour. A colour is in one yard at most (I-33).
    #[inline]
    pub(crate) fn rows_against(&self, seat: Seat) -> Cards {
        let all = self.yards.iter().fold(Cards::EMPTY, |all, yard| all + yard.rows());
        all - self.yards[seat].rows()
    }
}
