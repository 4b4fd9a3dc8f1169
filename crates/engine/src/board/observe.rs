//! Observations: what one seat may know of a position (CC-34 to CC-36, FJ-11).
//!
//! An [`Observation`] refers to the whole state but exposes only what its seat may know, assuming
//! perfect memory. Everything that compares, prints or sends an observation goes through [`Facts`],
//! which holds nothing else.

use crate::board::action::{Action, PendingClaim, Phase};
use crate::board::compile::BoardGame;
use crate::board::state::{State, warehouse_place};
use crate::board::uncertain::uncertain;
use crate::game::{Game, Turn};
use crate::pieces::{Cards, CityId, RouteId, RouteSet, Seat, TicketPlace, TicketSet};
use crate::spec::MAX_OPENING_STEPS;

/// A position as seen by one seat.
///
/// ```
/// use ttr_engine::{board::BoardGame, maps, Dice, Game, Seat, View};
/// let game = BoardGame::new(&maps::load("europe")?, 3)?;
/// let mut dice = Dice::from_seed(1);
/// let state = game.deal(&mut dice);
/// let [mine, theirs] = [Seat::new(0), Seat::new(1)].map(|seat| game.observe(&state, seat));
/// assert_eq!((mine.hand().total(), mine.hand_size(Seat::new(1)), mine.trains(Seat::new(1))), (4, 4, 45));
/// assert_eq!((mine.to_move(), mine.offered().len()), (true, 4));
/// assert!(theirs.offered().is_empty(), "they are offered to another seat");
/// // Whatever is derived from it is the same in every world that looks the same.
/// let world = game.determinize(&mine, &mut dice);
/// assert_eq!(game.observe(&world, Seat::new(0)), mine);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Observation<'s> {
    pub(crate) game: &'s BoardGame,
    pub(crate) state: &'s State,
    pub(crate) seat: Seat,
}

impl<'s> Observation<'s> {
    /// Cards that this seat can't see: in the deck, in warehouses, or in other hands without having been
    /// shown.
    pub fn unseen(&self) -> Cards {
        let unseen = self.state.cards.unseen_by(self.seat, self.game.seats);
        self.state.warehouses.iter().fold(unseen, |unseen, &cards| unseen + cards)
    }

    /// Hidden cards from before the last reshuffle, in all hands and warehouses together: after a
    /// reshuffle, the seat knows all hidden cards outside the deck, though not who holds which (I-45).
    /// For cards shown since, the more likely origin is assumed.
    pub fn old_cards(&self) -> Cards {
        self.state.old.cards()
    }

    /// Number of stored cards of a seat that are among [`Observation::old_cards`].
    pub fn old_in_warehouse(&self, seat: Seat) -> u8 {
        self.state.old.count(warehouse_place(seat))
    }

    /// The claim being paid for, with the cards laid down and those turned up for a tunnel.
    pub fn pending(&self) -> Option<(PendingClaim, Cards, Cards)> {
        self.state.pending.map(|claim| (claim, self.state.laid, self.state.revealed))
    }

    /// The routes of a seat.
    pub fn routes(&self, seat: Seat) -> RouteSet {
        self.state.routes_of(seat)
    }

    /// The owner of a route.
    pub fn owner(&self, route: RouteId) -> Option<Seat> {
        self.state.owner(route)
    }

    /// The routes that a seat could still claim, whatever its hand.
    pub fn open_routes(&self, seat: Seat) -> RouteSet {
        self.game.open_routes(self.state, seat)
    }

    /// Number of trains that a seat has left.
    pub fn trains(&self, seat: Seat) -> u8 {
        self.state.trains[seat]
    }

    /// Points of a seat for its routes.
    pub fn points(&self, seat: Seat) -> u16 {
        self.state.points[seat]
    }

    /// The cities of a seat's stations.
    pub fn stations(&self, seat: Seat) -> impl Iterator<Item = CityId> + 's {
        self.state.stations_of(seat)
    }

    /// Number of cards in a seat's warehouse. Which ones is hidden from everyone (X-13).
    pub fn warehouse_size(&self, seat: Seat) -> u8 {
        self.state.warehouses[seat].total()
    }

    /// The cities of a seat's depots.
    pub fn depots(&self, seat: Seat) -> impl Iterator<Item = CityId> + 's {
        self.state.depots_of(seat)
    }

    /// Number of depots that a seat has in reserve.
    pub fn depot_reserve(&self, seat: Seat) -> u8 {
        self.state.reserve[seat]
    }

    /// The tickets held by this seat.
    pub fn tickets(&self) -> TicketSet {
        self.state.tickets.at(TicketPlace::Held(self.seat))
    }

    /// The tickets of this seat that would count as completed if the game ended now, with the best use
    /// of its stations.
    pub fn connected(&self) -> TicketSet {
        self.tickets() & self.game.completed_tickets(self.state, self.seat)
    }

    /// The tickets that this seat has put back and knows to be still there. Once another seat draws from
    /// among them, they become [`Observation::uncertain`].
    #[inline]
    pub fn put_back(&self) -> TicketSet {
        let certain = uncertain(self.state, self.seat).filter(|group| group.is_certain());
        certain.fold(self.state.tickets.at(TicketPlace::PutBack(self.seat)), |all, group| all | group.tickets)
    }

    /// The tickets that this seat has put under the deck and that others may have drawn since, with all
    /// places where they can be (I-45): one item per batch that it put back.
    pub fn uncertain(&self) -> Vec<UncertainFacts> {
        let s = self.state;
        let seats = Seat::all(self.game.seats);
        let groups = uncertain(s, self.seat).filter(|group| !group.is_certain());
        let facts = groups.map(|group| UncertainFacts {
            tickets: group.tickets,
            seats: seats.clone().filter(|&seat| group.may_have(seat)).collect(),
            batches: (s.bottom.batches().enumerate())
                .filter(|&(number, batch)| group.may_be_under(number, s.owner_of_batch(batch)))
                .map(|(number, _)| number)
                .collect(),
        });
        facts.collect()
    }

    /// Bonus tickets that a seat has taken (FJ-7).
    pub fn bonus_tickets(&self, seat: Seat) -> u8 {
        self.state.bonus_tickets[seat]
    }

    /// Number of tickets that a seat holds, or `None` for other seats while opening tickets are being
    /// chosen, because the choice is secret (CC-3).
    pub fn ticket_count(&self, seat: Seat) -> Option<u8> {
        let secret = matches!(self.state.phase, Phase::Opening { .. }) && seat != self.seat;
        (!secret).then(|| self.state.tickets.at(TicketPlace::Held(seat)).len() as u8)
    }

    /// Number of opening tickets that a seat kept in a step, or `None` while that is secret (CC-3).
    pub fn opening_kept(&self, seat: Seat, step: usize) -> Option<u8> {
        let public = match self.state.phase {
            Phase::Opening { step: now } => step < now.into() || seat == self.seat,
            _ => true,
        };
        (step < MAX_OPENING_STEPS && public).then(|| self.state.opening_kept.get(seat, step))
    }

    /// Number of tickets offered to the choosing seat.
    pub fn offered_count(&self) -> u8 {
        self.state.offered
    }

    /// Batches of tickets under the deck, oldest first.
    fn bottom(&self) -> impl Iterator<Item = TicketSet> + 's {
        self.state.bottom.batches()
    }

    /// Returns `true` if the market has too many locomotives, but was flushed as often as is allowed
    /// (A-52).
    pub fn flush_guard(&self) -> bool {
        self.state.flush_capped
    }

    /// All of it as one value that can be compared and printed.
    pub fn facts(&self) -> Facts {
        let s = self.state;
        let seats = Seat::all(self.game.seats);
        let opening = matches!(s.phase, Phase::Opening { .. });
        Facts {
            seat: self.seat,
            first: s.first,
            to_move: match self.turn() {
                Turn::Of(seat) => Some(seat),
                Turn::Over => None,
            },
            phase: s.phase,
            hand: self.hand(),
            tickets: self.tickets(),
            offered: self.offered(),
            put_back: self.put_back(),
            market: s.cards.market,
            discard: s.cards.discard,
            laid: s.laid,
            revealed: s.revealed,
            pending: s.pending.map(|claim| claim.route),
            deck_size: self.deck_size(),
            old_cards: self.old_cards(),
            ticket_deck_size: self.ticket_deck_size(),
            offered_count: s.offered,
            bottom: self
                .bottom()
                .map(|batch| BatchFacts {
                    size: batch.len(),
                    by: seats.clone().map(|seat| s.put_back_by(seat, batch)).collect(),
                    own: batch & self.put_back(),
                })
                .collect(),
            uncertain: self.uncertain(),
            final_turns: s.final_turns,
            turns: s.turns,
            idle_turns: s.idle_turns,
            passes: s.passes,
            flush_capped: s.flush_capped,
            closed_routes: s.closed_routes(),
            seats: seats
                .map(|seat| SeatFacts {
                    hand_size: self.hand_size(seat),
                    shown: self.shown(seat),
                    old_in_hand: self.old_in_hand(seat),
                    old_in_warehouse: self.old_in_warehouse(seat),
                    trains: self.trains(seat),
                    points: self.points(seat),
                    routes: self.routes(seat),
                    stations: self.stations(seat).collect(),
                    warehouse_size: self.warehouse_size(seat),
                    depots: self.depots(seat).collect(),
                    depot_reserve: self.depot_reserve(seat),
                    ticket_count: self.ticket_count(seat),
                    // Returned tickets are counted in public, but not while choices are secret (CC-34).
                    put_back_count: (!opening || seat == self.seat)
                        .then(|| s.tickets.at(TicketPlace::PutBack(seat)).len()),
                    opening_kept: (0..MAX_OPENING_STEPS)
                        .filter_map(|step| self.opening_kept(seat, step))
                        .collect(),
                    completed: self.completed(seat),
                    bonus_tickets: self.bonus_tickets(seat),
                })
                .collect(),
        }
    }
}

/// Everything that an [`Observation`] shows, as plain data.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the fields are named like the methods of Observation")]
pub struct Facts {
    pub seat: Seat,
    pub first: Seat,
    pub to_move: Option<Seat>,
    pub phase: Phase,
    pub hand: Cards,
    pub tickets: TicketSet,
    pub offered: TicketSet,
    pub put_back: TicketSet,
    pub market: Cards,
    pub discard: Cards,
    pub laid: Cards,
    pub revealed: Cards,
    pub pending: Option<RouteId>,
    pub deck_size: u8,
    pub old_cards: Cards,
    pub ticket_deck_size: usize,
    pub offered_count: u8,
    pub bottom: Vec<BatchFacts>,
    pub uncertain: Vec<UncertainFacts>,
    pub final_turns: u8,
    pub turns: u16,
    pub idle_turns: u16,
    pub passes: u8,
    pub flush_capped: bool,
    pub closed_routes: RouteSet,
    pub seats: Vec<SeatFacts>,
}

/// Public knowledge of tickets that were put under the deck together.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BatchFacts {
    /// Number of tickets.
    pub size: usize,
    /// Number of tickets by seat; zeros if several seats put them there and the batch was drawn from.
    pub by: Vec<usize>,
    /// Those that the observing seat put there itself and knows to be still there.
    pub own: TicketSet,
}

/// A seat's knowledge of tickets that it put under the deck together and that others may have drawn
/// since.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct UncertainFacts {
    /// The tickets that it has not seen since.
    pub tickets: TicketSet,
    /// The seats that may have some of them.
    pub seats: Vec<Seat>,
    /// The batches under the deck that may contain some of them; 0 is the oldest.
    pub batches: Vec<usize>,
}

/// Knowledge about a seat.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the fields are named like the methods of Observation")]
pub struct SeatFacts {
    pub hand_size: u8,
    pub shown: Cards,
    pub old_in_hand: u8,
    pub old_in_warehouse: u8,
    pub trains: u8,
    pub points: u16,
    pub routes: RouteSet,
    pub stations: Vec<CityId>,
    pub warehouse_size: u8,
    pub depots: Vec<CityId>,
    pub depot_reserve: u8,
    pub ticket_count: Option<u8>,
    pub put_back_count: Option<usize>,
    pub opening_kept: Vec<u8>,
    pub completed: TicketSet,
    pub bonus_tickets: u8,
}

crate::facts::seen_through_facts!(Observation, BoardGame, Action, Phase);
