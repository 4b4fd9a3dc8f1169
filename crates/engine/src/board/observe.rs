//! What one seat may know of a position (CC-34 to CC-36, FJ-11).
//!
//! An [`Observation`] looks at the whole state but hands out only what its seat may know, with what a perfect
//! memory adds. Everything that compares, prints or sends it goes through [`Facts`], which holds nothing else.

use serde::Serialize;

use crate::board::action::{Action, PendingClaim, Phase};
use crate::board::compile::BoardGame;
use crate::board::state::{State, TicketPlace, warehouse_place};
use crate::board::uncertain::uncertain;
use crate::card::Cards;
use crate::game::{Game, Seat, Turn};
use crate::id::{CityId, RouteId, RouteSet, TicketSet};
use crate::spec::MAX_OPENING_STEPS;

/// A position as one seat may know it.
#[derive(Clone, Copy)]
pub struct Observation<'s> {
    pub(crate) game: &'s BoardGame,
    pub(crate) state: &'s State,
    pub(crate) seat: Seat,
}

impl<'s> Observation<'s> {
    /// The rules and the board.
    pub fn game(&self) -> &'s BoardGame {
        self.game
    }

    /// The seat that looks.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Who decides.
    pub fn turn(&self) -> Turn {
        self.game.turn(self.state)
    }

    /// The seat that has the first turn.
    pub fn first(&self) -> Seat {
        self.state.first
    }

    /// What is being decided.
    pub fn phase(&self) -> Phase {
        self.state.phase
    }

    /// Whether this seat is to decide.
    pub fn to_move(&self) -> bool {
        self.turn() == Turn::Of(self.seat)
    }

    /// The own hand.
    pub fn hand(&self) -> Cards {
        self.state.hands[self.seat.index()]
    }

    /// How many cards a seat holds.
    pub fn hand_size(&self, seat: Seat) -> u8 {
        self.state.hands[seat.index()].total()
    }

    /// The cards of a seat that everybody has seen; of the own seat, what the others know.
    pub fn shown(&self, seat: Seat) -> Cards {
        self.state.shown[seat.index()]
    }

    /// The face-up cards.
    pub fn market(&self) -> Cards {
        self.state.market
    }

    /// The discard, which lies face up (CC-36).
    pub fn discard(&self) -> Cards {
        self.state.discard
    }

    /// How many cards the deck has.
    pub fn deck_size(&self) -> u8 {
        self.state.deck.total()
    }

    /// Cards that this seat can't see: in the deck, in warehouses, or in other hands without having been shown.
    pub fn unseen(&self) -> Cards {
        let s = self.state;
        let others = Seat::all(self.game.seats).filter(|&seat| seat != self.seat);
        let stored = s.warehouses.iter().fold(s.deck, |unseen, &cards| unseen + cards);
        others.fold(stored, |unseen, seat| unseen + (s.hands[seat.index()] - s.shown[seat.index()]))
    }

    /// Hidden cards from before the last reshuffle, in all hands and warehouses together: whatever is hidden and not in the
    /// deck is known then, though not who holds which (I-45). Of cards shown since, the likelier origin is assumed.
    pub fn old_cards(&self) -> Cards {
        self.state.old.cards()
    }

    /// Number of a seat's hidden cards that are among [`Observation::old_cards`].
    pub fn old_in_hand(&self, seat: Seat) -> u8 {
        self.state.old.count(seat.index())
    }

    /// Number of stored cards of a seat that are among [`Observation::old_cards`].
    pub fn old_in_warehouse(&self, seat: Seat) -> u8 {
        self.state.old.count(warehouse_place(seat))
    }

    /// The claim that is being paid for, with the cards laid down and those turned up for a tunnel.
    pub fn pending(&self) -> Option<(PendingClaim, Cards, Cards)> {
        self.state.pending.map(|claim| (claim, self.state.laid, self.state.revealed))
    }

    /// The routes of a seat.
    pub fn routes(&self, seat: Seat) -> RouteSet {
        self.state.routes_of(seat)
    }

    /// Who owns a route.
    pub fn owner(&self, route: RouteId) -> Option<Seat> {
        self.state.owner(route)
    }

    /// The routes that a seat could still claim, whatever it holds.
    pub fn open_routes(&self, seat: Seat) -> RouteSet {
        self.game.open_routes(self.state, seat)
    }

    /// Trains that a seat has left.
    pub fn trains(&self, seat: Seat) -> u8 {
        self.state.trains[seat.index()]
    }

    /// Points that a seat has for its routes.
    pub fn points(&self, seat: Seat) -> u16 {
        self.state.points[seat.index()]
    }

    /// Where a seat's stations are.
    pub fn stations(&self, seat: Seat) -> impl Iterator<Item = CityId> + 's {
        self.state.stations_of(seat)
    }

    /// How many cards a seat's warehouse has; nobody knows which.
    pub fn warehouse_size(&self, seat: Seat) -> u8 {
        self.state.warehouses[seat.index()].total()
    }

    /// Where a seat's depots are.
    pub fn depots(&self, seat: Seat) -> impl Iterator<Item = CityId> + 's {
        self.state.depots_of(seat)
    }

    /// How many depots a seat has in reserve.
    pub fn depot_reserve(&self, seat: Seat) -> u8 {
        self.state.reserve[seat.index()]
    }

    /// The tickets held by this seat.
    pub fn tickets(&self) -> TicketSet {
        self.state.tickets_at(TicketPlace::Held(self.seat))
    }

    /// The tickets offered to this seat, if it is choosing.
    pub fn offered(&self) -> TicketSet {
        if self.to_move() { self.state.tickets_at(TicketPlace::Offered) } else { TicketSet::EMPTY }
    }

    /// The tickets that this seat has put back and knows to be there still: once another seat draws from among
    /// them, they are [`Observation::uncertain`].
    #[inline]
    pub fn put_back(&self) -> TicketSet {
        let certain = uncertain(self.state, self.seat).filter(|group| group.is_certain());
        certain.fold(self.state.tickets_at(TicketPlace::PutBack(self.seat)), |all, group| all | group.tickets)
    }

    /// The tickets that this seat has put under the deck and that others may have drawn since, with all places
    /// where they can be (I-45): one item per batch that it put back.
    pub fn uncertain(&self) -> Vec<UncertainFacts> {
        let s = self.state;
        let seats = Seat::all(self.game.seats);
        let groups = uncertain(s, self.seat).filter(|group| !group.is_certain());
        let facts = groups.map(|group| UncertainFacts {
            tickets: ids(group.tickets),
            seats: seats.clone().filter(|&seat| group.may_have(seat)).map(|seat| seat.0).collect(),
            batches: (s.bottom.batches().enumerate())
                .filter(|&(number, batch)| group.may_be_under(number, s.owner_of_batch(batch)))
                .map(|(number, _)| number)
                .collect(),
        });
        facts.collect()
    }

    /// The tickets that a seat has completed and shown (FJ-6).
    pub fn completed(&self, seat: Seat) -> TicketSet {
        self.state.tickets_at(TicketPlace::Done(seat))
    }

    /// Bonus tickets that a seat has taken (FJ-7).
    pub fn bonus_tickets(&self, seat: Seat) -> u8 {
        self.state.bonus_tickets[seat.index()]
    }

    /// How many tickets a seat holds. While opening tickets are being chosen, the others' choices are secret,
    /// and none is told (CC-3).
    pub fn ticket_count(&self, seat: Seat) -> Option<u8> {
        let secret = matches!(self.state.phase, Phase::Opening { .. }) && seat != self.seat;
        (!secret).then(|| self.state.tickets_at(TicketPlace::Held(seat)).len() as u8)
    }

    /// How many tickets are offered to the seat that is choosing.
    pub fn offered_count(&self) -> u8 {
        self.state.offered
    }

    /// Tickets that were put back, with who did, oldest first under the deck.
    fn bottom(&self) -> impl Iterator<Item = TicketSet> + 's {
        self.state.bottom.batches()
    }

    /// How many tickets can be drawn.
    pub fn ticket_deck_size(&self) -> usize {
        self.game.ticket_deck_len(self.state)
    }

    /// Whether the market has too many locomotives, but was flushed as often as is allowed.
    pub fn flush_guard(&self) -> bool {
        self.state.flush_capped
    }

    /// Turns left in the final round, this one included; none before it (CC-31).
    pub fn final_turns(&self) -> Option<u8> {
        (self.state.final_turns > 0).then_some(self.state.final_turns)
    }

    /// Turns played.
    pub fn turns(&self) -> u16 {
        self.state.turns
    }

    /// Everything above as one value that can be compared, printed and sent.
    pub fn facts(&self) -> Facts {
        let s = self.state;
        let seats = Seat::all(self.game.seats);
        let opening = matches!(s.phase, Phase::Opening { .. });
        Facts {
            seat: self.seat.0,
            first: s.first.0,
            to_move: match self.turn() {
                Turn::Of(seat) => Some(seat.0),
                Turn::Over => None,
            },
            phase: s.phase,
            hand: self.hand(),
            tickets: ids(self.tickets()),
            offered: ids(self.offered()),
            put_back: ids(self.put_back()),
            market: s.market,
            discard: s.discard,
            laid: s.laid,
            revealed: s.revealed,
            pending: s.pending.map(|claim| claim.route.0),
            deck_size: self.deck_size(),
            old_cards: self.old_cards(),
            ticket_deck_size: self.ticket_deck_size(),
            offered_count: s.offered,
            bottom: self
                .bottom()
                .map(|batch| BatchFacts {
                    size: batch.len(),
                    by: seats.clone().map(|seat| s.put_back_by(seat, batch)).collect(),
                    own: ids(batch & self.put_back()),
                })
                .collect(),
            uncertain: self.uncertain(),
            final_turns: s.final_turns,
            turns: s.turns,
            idle_turns: s.idle_turns,
            passes: s.passes,
            flush_capped: s.flush_capped,
            closed_routes: s.closed_routes().into_iter().map(|route| route.0).collect(),
            seats: seats
                .map(|seat| SeatFacts {
                    hand_size: self.hand_size(seat),
                    shown: self.shown(seat),
                    old_in_hand: self.old_in_hand(seat),
                    old_in_warehouse: self.old_in_warehouse(seat),
                    trains: self.trains(seat),
                    points: self.points(seat),
                    routes: self.routes(seat).into_iter().map(|route| route.0).collect(),
                    stations: self.stations(seat).map(|city| city.0).collect(),
                    warehouse_size: self.warehouse_size(seat),
                    depots: self.depots(seat).map(|city| city.0).collect(),
                    depot_reserve: self.depot_reserve(seat),
                    ticket_count: self.ticket_count(seat),
                    // What was put back is counted in public, but not while choices are secret (CC-34).
                    put_back_count: (!opening || seat == self.seat)
                        .then(|| s.tickets_at(TicketPlace::PutBack(seat)).len()),
                    opening_kept: (0..MAX_OPENING_STEPS)
                        .filter(|&step| match s.phase {
                            Phase::Opening { step: now } => step < now.into() || seat == self.seat,
                            _ => true,
                        })
                        .map(|step| s.opening_kept.get(seat, step))
                        .collect(),
                    completed: ids(self.completed(seat)),
                    bonus_tickets: self.bonus_tickets(seat),
                })
                .collect(),
        }
    }
}

fn ids(tickets: TicketSet) -> Vec<u8> {
    tickets.into_iter().map(|ticket| ticket.0).collect()
}

/// All that an [`Observation`] tells, as plain data. Seats, routes and tickets are indices from 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[expect(missing_docs, reason = "the fields are named like the methods of Observation")]
pub struct Facts {
    pub seat: u8,
    pub first: u8,
    pub to_move: Option<u8>,
    pub phase: Phase,
    pub hand: Cards,
    pub tickets: Vec<u8>,
    pub offered: Vec<u8>,
    pub put_back: Vec<u8>,
    pub market: Cards,
    pub discard: Cards,
    pub laid: Cards,
    pub revealed: Cards,
    pub pending: Option<u8>,
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
    pub closed_routes: Vec<u8>,
    pub seats: Vec<SeatFacts>,
}

/// What is known of tickets that were put under the deck together.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct BatchFacts {
    /// How many.
    pub size: usize,
    /// How many by each seat; zeros if several seats put it there and it was drawn from.
    pub by: Vec<usize>,
    /// Those that the observing seat put there itself and knows to be there still.
    pub own: Vec<u8>,
}

/// What a seat knows of tickets that it put under the deck together and that others may have drawn since.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct UncertainFacts {
    /// The tickets that it has not seen since.
    pub tickets: Vec<u8>,
    /// The seats that may have some of them.
    pub seats: Vec<u8>,
    /// The batches under the deck that some of them may be in, the oldest being 0.
    pub batches: Vec<usize>,
}

/// What is known of a seat.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[expect(missing_docs, reason = "the fields are named like the methods of Observation")]
pub struct SeatFacts {
    pub hand_size: u8,
    pub shown: Cards,
    pub old_in_hand: u8,
    pub old_in_warehouse: u8,
    pub trains: u8,
    pub points: u16,
    pub routes: Vec<u8>,
    pub stations: Vec<u8>,
    pub warehouse_size: u8,
    pub depots: Vec<u8>,
    pub depot_reserve: u8,
    pub ticket_count: Option<u8>,
    pub put_back_count: Option<usize>,
    pub opening_kept: Vec<u8>,
    pub completed: Vec<u8>,
    pub bonus_tickets: u8,
}

crate::facts::seen_through_facts!(Observation, BoardGame, Action);
