//! A position of a board game: plain bytes, at most 512 of them.

use crate::board::action::{Outcome, PendingClaim, Phase};
use crate::bottom::Bottom;
use crate::card::Cards;
use crate::game::{MAX_SEATS, Seat};
use crate::id::{CityId, CitySet, RouteId, RouteSet, TicketId, TicketSet};
use crate::memory::OldCards;
use crate::places::Places;
use crate::spec::MAX_TICKETS;
use crate::spec::{MAX_DEPOTS, MAX_OPENING_STEPS, MAX_STATIONS};

/// A position. Read it through [`crate::Game`] or, as a seat, through [`crate::board::Observation`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(crate) deck: Cards,
    pub(crate) discard: Cards,
    pub(crate) market: Cards,
    /// Cards laid down for a claim that is not settled yet.
    pub(crate) laid: Cards,
    /// Cards turned up for a tunnel that is not settled yet.
    pub(crate) revealed: Cards,
    pub(crate) hands: [Cards; MAX_SEATS],
    /// The part of each hand that everybody has seen: taken face up, or shown in a failed tunnel.
    pub(crate) shown: [Cards; MAX_SEATS],
    /// Cards in each seat's warehouse.
    pub(crate) warehouses: [Cards; MAX_SEATS],
    routes: Places<3>,
    tickets: Places<5>,
    /// Tickets put under the deck, oldest first; the notes are about uncertain ones ([`crate::board::uncertain`]).
    pub(crate) bottom: Bottom<MAX_TICKETS>,
    /// The seat that put back the batch that is [`TicketPlace::Mixed`]; none if several have.
    pub(crate) mixed_by: Option<Seat>,
    /// Cities with a station or a depot.
    pub(crate) buildings: CitySet,
    pub(crate) points: [u16; MAX_SEATS],
    pub(crate) trains: [u8; MAX_SEATS],
    /// Cities of each seat's stations, in building order.
    pub(crate) stations: [[u8; MAX_STATIONS]; MAX_SEATS],
    /// Cities of each seat's depots, in the order they were placed.
    pub(crate) depots: [[u8; MAX_DEPOTS]; MAX_SEATS],
    /// Depots beside each seat's warehouse.
    pub(crate) reserve: [u8; MAX_SEATS],
    pub(crate) opening_kept: OpeningKept,
    /// Hidden cards from before the last reshuffle: hands, then warehouses.
    pub(crate) old: OldCards<HIDDEN_PLACES>,
    /// Bonus tickets taken (FJ-7).
    pub(crate) bonus_tickets: [u8; MAX_SEATS],
    pub(crate) seat: Seat,
    pub(crate) first: Seat,
    pub(crate) phase: Phase,
    pub(crate) pending: Option<PendingClaim>,
    /// Turns left in the final round; 0 before it.
    pub(crate) final_turns: u8,
    /// What this turn came to, while depots can still be placed.
    pub(crate) outcome: Outcome,
    /// Seats that have passed in a row.
    pub(crate) passes: u8,
    /// Turns in a row without progress.
    pub(crate) idle_turns: u16,
    /// Turns played.
    pub(crate) turns: u16,
    /// The market has too many locomotives, but was flushed as often as is allowed.
    pub(crate) flush_capped: bool,
    /// Tickets that the current choice is among; they stand at [`TicketPlace::Offered`].
    pub(crate) offered: u8,
    /// Whether what the seats remember is kept up; see [`State::forget`].
    pub(crate) remembers: bool,
}

/// Places where cards lie hidden, the deck aside: the hands and the warehouses.
pub(crate) const HIDDEN_PLACES: usize = 2 * MAX_SEATS;

/// The place of a seat's warehouse; that of its hand is its index.
#[inline]
pub(crate) fn warehouse_place(seat: Seat) -> usize {
    MAX_SEATS + seat.index()
}

/// Numbers of opening tickets kept, by seat and step: half a byte each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct OpeningKept([u8; MAX_SEATS]);

const _: () = assert!(MAX_OPENING_STEPS == 2, "two halves of a byte");

impl OpeningKept {
    /// Tickets that a seat kept in a step.
    pub(crate) fn get(self, seat: Seat, step: usize) -> u8 {
        self.0[seat.index()] >> (4 * step) & 0xf
    }

    /// Tickets that a seat kept in all steps.
    pub(crate) fn sum(self, seat: Seat) -> u8 {
        self.get(seat, 0) + self.get(seat, 1)
    }

    pub(crate) fn set(&mut self, seat: Seat, step: usize, kept: u8) {
        debug_assert!(kept < 16);
        let kept_of = &mut self.0[seat.index()];
        *kept_of = *kept_of & !(0xf << (4 * step)) | kept << (4 * step);
    }
}

/// No city.
pub(crate) const NOWHERE: u8 = u8::MAX;

const _: () = assert!(size_of::<State>() <= 512);

const FREE: u8 = 0;
const CLOSED: u8 = 7;

/// Where a ticket is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TicketPlace {
    /// Out of the game, or in a pile that is only dealt from in the opening.
    Box,
    /// In a seat's hand.
    Held(Seat),
    /// In the shuffled part of the deck, which is drawn from first.
    Deck,
    /// Being chosen from, or being swapped away.
    Offered,
    /// Put back by a seat, which remembers it: under the deck, in the box, or in the discard.
    PutBack(Seat),
    /// Completed and shown by a seat (FJ-6).
    Done(Seat),
    /// Under the deck, in a batch from which another seat than the one that put it back has drawn: the notes of
    /// the bottom say who knows what about it.
    Mixed,
}

/// No other place has these bits: the deck is looked at in every turn, and so takes two planes instead of five.
const DECK_BITS: u8 = 0b11000;
/// No other place has these bits.
const OFFERED_BITS: u8 = 0b10001;

impl TicketPlace {
    #[inline]
    fn code(self) -> u8 {
        match self {
            Self::Box => 0,
            Self::Held(seat) => 1 + seat.0,
            Self::PutBack(seat) => 6 + seat.0,
            Self::Done(seat) => 11 + seat.0,
            Self::Mixed => 0b10000,
            Self::Offered => OFFERED_BITS,
            Self::Deck => DECK_BITS,
        }
    }
}

impl State {
    /// A position before the deal: the whole deck shuffled, nothing placed.
    pub(crate) fn new(deck: Cards, trains: u8, seats: usize) -> Self {
        let mut all_trains = [0; MAX_SEATS];
        all_trains[..seats].fill(trains);
        Self {
            deck,
            discard: Cards::EMPTY,
            market: Cards::EMPTY,
            laid: Cards::EMPTY,
            revealed: Cards::EMPTY,
            hands: [Cards::EMPTY; MAX_SEATS],
            shown: [Cards::EMPTY; MAX_SEATS],
            warehouses: [Cards::EMPTY; MAX_SEATS],
            routes: Places::new(),
            tickets: Places::new(),
            bottom: Bottom::EMPTY,
            mixed_by: None,
            buildings: CitySet::EMPTY,
            points: [0; MAX_SEATS],
            trains: all_trains,
            stations: [[NOWHERE; MAX_STATIONS]; MAX_SEATS],
            depots: [[NOWHERE; MAX_DEPOTS]; MAX_SEATS],
            reserve: [0; MAX_SEATS],
            opening_kept: OpeningKept::default(),
            old: OldCards::NONE,
            bonus_tickets: [0; MAX_SEATS],
            seat: Seat(0),
            first: Seat(0),
            phase: Phase::Main,
            pending: None,
            final_turns: 0,
            outcome: Outcome::Idle,
            passes: 0,
            idle_turns: 0,
            turns: 0,
            flush_capped: false,
            offered: 0,
            remembers: true,
        }
    }

    /// Forgets what the seats remember of reshuffles and of tickets under the deck, now and from now on. No rule depends on it:
    /// without it the game goes on in the same way, only faster, but seats that observe it may know too little, or too much of
    /// tickets that they put back.
    pub(crate) fn forget(&mut self) {
        self.remembers = false;
        self.old = OldCards::NONE;
        self.bottom.set_notes(&[]);
    }

    /// The hidden cards of each place: of hands, those that were not shown.
    pub(crate) fn hidden(&self) -> [Cards; HIDDEN_PLACES] {
        std::array::from_fn(|place| match place.checked_sub(MAX_SEATS) {
            None => self.hands[place] - self.shown[place],
            Some(seat) => self.warehouses[seat],
        })
    }

    /// Whether no card can be drawn from the deck, not even after a reshuffle.
    #[inline]
    pub(crate) fn deck_and_discard_empty(&self) -> bool {
        self.deck.is_empty() && self.discard.is_empty()
    }

    /// Routes that nobody owns and that are not closed. Beyond the board's last route every bit is set.
    #[inline]
    pub(crate) fn free_routes(&self) -> RouteSet {
        RouteSet(self.routes.at(FREE))
    }

    /// Routes that a seat owns.
    #[inline]
    pub(crate) fn routes_of(&self, seat: Seat) -> RouteSet {
        RouteSet(self.routes.at(1 + seat.0))
    }

    /// Routes that nobody can claim any more, because their twin was (CC-20).
    pub(crate) fn closed_routes(&self) -> RouteSet {
        RouteSet(self.routes.at(CLOSED))
    }

    /// Routes that somebody owns.
    #[inline]
    pub(crate) fn claimed_routes(&self) -> RouteSet {
        RouteSet(self.routes.placed()) - self.closed_routes()
    }

    /// Who owns a route.
    pub(crate) fn owner(&self, route: RouteId) -> Option<Seat> {
        match self.routes.of(route.0) {
            FREE | CLOSED => None,
            owner => Some(Seat(owner - 1)),
        }
    }

    /// Gives a free route to a seat.
    #[inline]
    pub(crate) fn set_owner(&mut self, route: RouteId, seat: Seat) {
        self.routes.place(route.0, 1 + seat.0);
    }

    /// Closes a free route.
    #[inline]
    pub(crate) fn close(&mut self, route: RouteId) {
        self.routes.place(route.0, CLOSED);
    }

    /// All tickets at a place.
    #[inline]
    pub(crate) fn tickets_at(&self, place: TicketPlace) -> TicketSet {
        TicketSet(self.tickets.at(place.code()))
    }

    /// The tickets in the shuffled part of the deck.
    #[inline]
    pub(crate) fn ticket_deck(&self) -> TicketSet {
        TicketSet(self.tickets.with_bits(DECK_BITS))
    }

    /// The tickets that are being chosen from.
    #[inline]
    pub(crate) fn offered_tickets(&self) -> TicketSet {
        TicketSet(self.tickets.with_bits(OFFERED_BITS))
    }

    #[inline]
    pub(crate) fn move_ticket(&mut self, ticket: TicketId, to: TicketPlace) {
        self.tickets.put(ticket.0, to.code());
    }

    /// Moves tickets that all are at the same place.
    #[inline]
    pub(crate) fn transfer_tickets(&mut self, tickets: TicketSet, from: TicketPlace, to: TicketPlace) {
        self.tickets.transfer(tickets.0, from.code(), to.code());
    }

    #[inline]
    pub(crate) fn move_tickets(&mut self, tickets: TicketSet, to: TicketPlace) {
        self.tickets.put_all(tickets.0, to.code());
    }

    /// Cities of a seat's stations.
    pub(crate) fn stations_of(&self, seat: Seat) -> impl Iterator<Item = CityId> + '_ {
        self.stations[seat.index()].iter().filter(|&&city| city != NOWHERE).map(|&city| CityId(city))
    }

    /// Cities of a seat's depots.
    pub(crate) fn depots_of(&self, seat: Seat) -> impl Iterator<Item = CityId> + '_ {
        self.depots[seat.index()].iter().filter(|&&city| city != NOWHERE).map(|&city| CityId(city))
    }

    /// Whether a seat has built that many stations.
    #[inline(always)]
    pub(crate) fn has_built(&self, seat: Seat, stations: u8) -> bool {
        match stations.checked_sub(1) {
            Some(last) => self.stations[seat.index()][usize::from(last)] != NOWHERE,
            None => true,
        }
    }

    /// How many stations a seat has built.
    #[inline]
    pub(crate) fn stations_built(&self, seat: Seat) -> u8 {
        self.stations_of(seat).count() as u8
    }
}
