//! A position of a board game: plain bytes, at most 512 of them.

use serde::{Deserialize, Serialize};

use crate::board::action::{Outcome, PendingClaim, Phase};
use crate::pieces::{
    Bottom, Cards, CityId, CitySet, MAX_SEATS, OldCards, Places, RouteId, RouteSet, Seat, Supply,
    TicketPlaces,
};
use crate::spec::MAX_TICKETS;
use crate::spec::{MAX_DEPOTS, MAX_OPENING_STEPS, MAX_STATIONS};

/// A position: a plain value of 512 bytes. A search branches by copying it.
///
/// It is read through [`Game`](crate::Game) or, from a seat, through
/// [`Observation`](crate::board::Observation).
///
/// ```
/// use ttr_engine::{board::BoardGame, maps, Dice, Game};
/// let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let mut dice = Dice::from_seed(1);
/// let state = game.deal(&mut dice);
/// let mut branch = state;
/// game.play(&mut branch, game.random_action(&state, &mut dice.clone()), &mut dice)?;
/// assert_ne!(branch, state);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// Deck, discard, market and hands. Cards taken face up or shown in a failed tunnel are known to all
    /// seats.
    pub(crate) cards: Supply<MAX_SEATS>,
    /// Cards laid down for a claim that is not settled yet.
    pub(crate) laid: Cards,
    /// Cards turned up for a tunnel that is not settled yet.
    pub(crate) revealed: Cards,
    /// Cards in each seat's warehouse (X-5).
    pub(crate) warehouses: [Cards; MAX_SEATS],
    routes: Places<3>,
    pub(crate) tickets: TicketPlaces<MAX_SEATS>,
    /// Tickets put under the deck, oldest first. The notes describe uncertain ones
    /// ([`crate::board::uncertain`]).
    pub(crate) bottom: Bottom<MAX_TICKETS>,
    /// The seat that put back the batch that is [`TicketPlace::Mixed`](crate::pieces::TicketPlace), or
    /// `None` if several did.
    pub(crate) mixed_by: Option<Seat>,
    /// Cities with a station or a depot.
    pub(crate) buildings: CitySet,
    pub(crate) points: [u16; MAX_SEATS],
    pub(crate) trains: [u8; MAX_SEATS],
    /// Cities of each seat's stations, in building order.
    pub(crate) stations: [[u8; MAX_STATIONS]; MAX_SEATS],
    /// Cities of each seat's depots, in the order of placement.
    pub(crate) depots: [[u8; MAX_DEPOTS]; MAX_SEATS],
    /// Depots in each seat's reserve.
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
    /// The outcome of this turn, while depots can still be placed.
    pub(crate) outcome: Outcome,
    /// Number of consecutive passes.
    pub(crate) passes: u8,
    /// Number of consecutive turns without progress (A-60).
    pub(crate) idle_turns: u16,
    /// Number of turns played.
    pub(crate) turns: u16,
    /// `true` if the market has too many locomotives, but was flushed as often as is allowed (A-52).
    pub(crate) flush_capped: bool,
    /// Number of tickets offered by the current choice.
    pub(crate) offered: u8,
    /// `true` if the memory of the seats is kept up to date; see [`State::forget`].
    pub(crate) remembers: bool,
}

/// Number of places with hidden cards other than the deck: the hands and the warehouses.
pub(crate) const HIDDEN_PLACES: usize = 2 * MAX_SEATS;

/// The index of a seat's warehouse among the hidden places. The index of a hand is that of its seat.
#[inline]
pub(crate) fn warehouse_place(seat: Seat) -> usize {
    MAX_SEATS + seat.index()
}

/// Number of opening tickets kept, by seat and step: four bits each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub(crate) struct OpeningKept([u8; MAX_SEATS]);

const _: () = assert!(MAX_OPENING_STEPS == 2, "two halves of a byte");

impl OpeningKept {
    /// Number of tickets that a seat kept in a step.
    pub(crate) fn get(self, seat: Seat, step: usize) -> u8 {
        self.0[seat] >> (4 * step) & 0xf
    }

    /// Number of tickets that a seat kept in all steps.
    pub(crate) fn sum(self, seat: Seat) -> u8 {
        self.get(seat, 0) + self.get(seat, 1)
    }

    pub(crate) fn set(&mut self, seat: Seat, step: usize, kept: u8) {
        debug_assert!(kept < 16);
        let kept_of = &mut self.0[seat];
        *kept_of = *kept_of & !(0xf << (4 * step)) | kept << (4 * step);
    }
}

/// No city.
pub(crate) const NOWHERE: u8 = u8::MAX;

const _: () = assert!(size_of::<State>() <= 512);

const FREE: u8 = 0;
const CLOSED: u8 = 7;

impl State {
    /// A position before the deal: all cards in the deck, nothing placed.
    pub(crate) fn new(deck: Cards, trains: u8, seats: usize) -> Self {
        let mut all_trains = [0; MAX_SEATS];
        all_trains[..seats].fill(trains);
        Self {
            cards: Supply::new(deck),
            laid: Cards::EMPTY,
            revealed: Cards::EMPTY,
            warehouses: [Cards::EMPTY; MAX_SEATS],
            routes: Places::new(),
            tickets: TicketPlaces::new(),
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
            seat: Seat::new(0),
            first: Seat::new(0),
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

    /// Drops what the seats remember of reshuffles and of tickets under the deck, now and for the rest
    /// of the game. No rule depends on it: the game continues in the same way, only faster. But
    /// observing seats may then know too little, or too much of tickets that they put back.
    pub(crate) fn forget(&mut self) {
        self.remembers = false;
        self.old = OldCards::NONE;
        self.bottom.set_notes(&[]);
    }

    /// The hidden cards of each place; in hands, those that were not shown.
    pub(crate) fn hidden(&self) -> [Cards; HIDDEN_PLACES] {
        let hands = self.cards.hidden();
        std::array::from_fn(|place| match place.checked_sub(MAX_SEATS) {
            None => hands[place],
            Some(seat) => self.warehouses[seat],
        })
    }

    /// Routes that are neither owned nor closed. All bits after the board's last route are set.
    #[inline]
    pub(crate) fn free_routes(&self) -> RouteSet {
        RouteSet(self.routes.at(FREE))
    }

    /// Routes that a seat owns.
    #[inline]
    pub(crate) fn routes_of(&self, seat: Seat) -> RouteSet {
        RouteSet(self.routes.at(1 + seat.to_u8()))
    }

    /// Routes that can no longer be claimed, because their twin was (CC-20).
    pub(crate) fn closed_routes(&self) -> RouteSet {
        RouteSet(self.routes.at(CLOSED))
    }

    /// Routes with an owner.
    #[inline]
    pub(crate) fn claimed_routes(&self) -> RouteSet {
        RouteSet(self.routes.placed()) - self.closed_routes()
    }

    /// The owner of a route.
    pub(crate) fn owner(&self, route: RouteId) -> Option<Seat> {
        match self.routes.of(route.to_u8()) {
            FREE | CLOSED => None,
            owner => Some(Seat::from_u8(owner - 1)),
        }
    }

    /// Gives a free route to a seat.
    #[inline]
    pub(crate) fn set_owner(&mut self, route: RouteId, seat: Seat) {
        self.routes.place(route.to_u8(), 1 + seat.to_u8());
    }

    /// Closes a free route.
    #[inline]
    pub(crate) fn close(&mut self, route: RouteId) {
        self.routes.place(route.to_u8(), CLOSED);
    }

    /// Number of tickets that can be drawn, from the shuffled part of the deck and from under it.
    pub(crate) fn ticket_deck_len(&self) -> usize {
        self.tickets.deck().len() + self.bottom.len()
    }

    /// Cities of a seat's stations.
    pub(crate) fn stations_of(&self, seat: Seat) -> impl Iterator<Item = CityId> + '_ {
        self.stations[seat].iter().filter(|&&city| city != NOWHERE).map(|&city| CityId::from_u8(city))
    }

    /// Cities of a seat's depots.
    pub(crate) fn depots_of(&self, seat: Seat) -> impl Iterator<Item = CityId> + '_ {
        self.depots[seat].iter().filter(|&&city| city != NOWHERE).map(|&city| CityId::from_u8(city))
    }

    /// Returns `true` if a seat has built this many stations.
    #[inline(always)]
    pub(crate) fn has_built(&self, seat: Seat, stations: u8) -> bool {
        match stations.checked_sub(1) {
            Some(last) => self.stations[seat][usize::from(last)] != NOWHERE,
            None => true,
        }
    }

    /// Number of stations that a seat has built.
    #[inline]
    pub(crate) fn stations_built(&self, seat: Seat) -> u8 {
        self.stations_of(seat).count() as u8
    }
}
