//! The tickets and routes of a game in the order of events, for the tables `seat_tickets` and
//! `seat_routes`.

use serde::{Deserialize, Serialize};
use ttr_engine::board::network::Components;
use ttr_engine::{CardKind, RouteId, RouteSet, Seat, TicketId, TicketSet};

use crate::game::{Claim, Playable, SeatResult, Surcharge, TicketChoice};

/// A ticket that a seat was offered, or dealt without a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TicketRecord {
    /// The ticket.
    pub ticket: TicketId,
    /// Number of the offer among those of the seat, from 1.
    pub offer: u16,
    /// Turn of the offer; 0 before the first turn.
    pub offered_turn: u16,
    /// The seat kept it.
    pub kept: bool,
    /// Turn in which the seat swapped it for another.
    pub discarded_turn: Option<u16>,
    /// It was completed in the end.
    pub completed: bool,
    /// Turn in which it was completed; `None` if it never was, or only by a station in the end.
    pub completed_turn: Option<u16>,
}

/// A route that a seat claimed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RouteRecord {
    /// The route.
    pub route: RouteId,
    /// Turn of the claim.
    pub turn: u16,
    /// Colour of the cards; `None` if only locomotives were played.
    pub colour: Option<CardKind>,
    /// Number of locomotives, those of the surcharge included.
    pub locomotives: u8,
    /// Number of spaces paid for with substitute sets.
    pub sets: u8,
    /// Number of additional cards for a tunnel.
    pub surcharge: u8,
}

/// The tickets and routes of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SeatLog {
    /// The tickets, in the order of their offers.
    pub tickets: Vec<TicketRecord>,
    /// The routes, in the order of their claims.
    pub routes: Vec<RouteRecord>,
}

impl SeatLog {
    /// Checks that the log fits a game with this many routes and tickets that lasted this many turns, and
    /// leads to a seat's result.
    pub(super) fn check(
        &self,
        (routes, tickets): (usize, usize),
        turns: u16,
        result: &SeatResult,
    ) -> Result<(), String> {
        let held = |record: &&TicketRecord| record.kept && record.discarded_turn.is_none();
        let ticket = |record: &TicketRecord| record.ticket;
        let is_known = |ticket: &TicketId| ticket.index() < tickets;
        let completed = self.tickets.iter().filter(|record| record.completed);
        let completed: Option<TicketSet> = set(completed.map(ticket), is_known);
        let open = self.tickets.iter().filter(held).filter(|record| !record.completed);
        let open: Option<TicketSet> = set(open.map(ticket), is_known);
        let claimed = set(self.routes.iter().map(|record| record.route), |route| route.index() < routes);
        // A forfeited turn is not counted.
        let last = turns.saturating_add(1);
        let is_ticket = |record: &TicketRecord| {
            let later =
                |turn: Option<u16>| turn.is_none_or(|turn| (record.offered_turn..=last).contains(&turn));
            is_known(&record.ticket)
                && later(Some(record.offered_turn))
                && later(record.completed_turn)
                && later(record.discarded_turn)
                && (record.completed || record.completed_turn.is_none())
                && (record.kept || !record.completed && record.discarded_turn.is_none())
        };
        // In an unfinished Card Game it is unknown which tickets would not have been completed.
        let fits = completed == Some(result.completed_tickets)
            && open.is_some_and(|open| result.failed_tickets.is_subset(open))
            && self.tickets.iter().all(is_ticket)
            && claimed == Some(result.routes)
            && self.routes.iter().all(|record| (1..=last).contains(&record.turn));
        if fits { Ok(()) } else { Err("its tickets and routes do not lead to its result".into()) }
    }

    /// Estimated size on disk, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.tickets.len() * size_of::<TicketRecord>() + self.routes.len() * size_of::<RouteRecord>()
    }
}

/// Collects distinct ids into a set; `None` if one is unknown or occurs twice.
fn set<I: Ord, S: FromIterator<I>>(ids: impl Iterator<Item = I>, is_known: impl Fn(&I) -> bool) -> Option<S> {
    let mut ids: Vec<I> = ids.collect();
    ids.sort_unstable();
    let fits = ids.iter().all(is_known) && ids.is_sorted_by(|a, b| a < b);
    fits.then(|| ids.into_iter().collect())
}

/// Follows the tickets and routes of all seats through a game.
///
/// The consequences of a decision are seen at the next one, so the engine only has to provide positions.
/// This also covers tickets that are dealt without a choice, completed at once, or swapped.
pub(super) struct GameLog {
    seats: Vec<SeatProgress>,
    last: Option<PendingDecision>,
    /// A claim that may still fail, as tunnels do.
    open_claim: Option<(Seat, Claim, u16, Surcharge)>,
}

/// The state that the last decision may have changed.
struct PendingDecision {
    seat: Seat,
    turn: u16,
    choice: Option<TicketChoice>,
}

#[derive(Default)]
struct SeatProgress {
    log: SeatLog,
    offers: u16,
    /// Tickets that it holds or has completed, and those that it has completed.
    owned: TicketSet,
    completed: TicketSet,
    routes: RouteSet,
    network: Components,
}

impl GameLog {
    pub(super) fn new(seats: usize) -> Self {
        Self { seats: (0..seats).map(|_| SeatProgress::default()).collect(), last: None, open_claim: None }
    }

    /// Records a decision before it is played.
    pub(super) fn decision<G: Playable>(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        action: G::Action,
    ) {
        self.settle(game, state);
        let turn = game.turn_of_decision(state);
        if let Some(claim) = game.claim(action) {
            self.open_claim = Some((seat, claim, turn, Surcharge { cards: 0, locomotives: 0 }));
        } else if let (Some(paid), Some((.., surcharge))) =
            (game.surcharge(state, action), &mut self.open_claim)
        {
            *surcharge = paid;
        }
        self.last = Some(PendingDecision { seat, turn, choice: game.ticket_choice(state, seat, action) });
    }

    /// The log by seat of a game that ended here with these results.
    pub(super) fn finish<G: Playable>(
        mut self,
        game: &G,
        state: &G::State,
        results: &[SeatResult],
    ) -> Vec<SeatLog> {
        self.settle(game, state);
        for (seat, result) in self.seats.iter_mut().zip(results) {
            for record in seat.log.tickets.iter_mut().filter(|record| record.kept) {
                let completed = result.completed_tickets.contains(record.ticket);
                record.completed = completed && record.discarded_turn.is_none();
            }
        }
        self.seats.into_iter().map(|seat| seat.log).collect()
    }

    /// Records the changes since the last decision.
    fn settle<G: Playable>(&mut self, game: &G, state: &G::State) {
        let (turn, mut choice) = match self.last.take() {
            Some(PendingDecision { seat, turn, choice }) => (turn, choice.map(|choice| (seat, choice))),
            None => (0, None),
        };
        for (seat, progress) in Seat::all(self.seats.len()).zip(&mut self.seats) {
            let routes = game.routes_of(state, seat);
            if routes != progress.routes
                && let Some((_, claim, turn, surcharge)) = self.open_claim.take_if(|(of, ..)| *of == seat)
            {
                progress.routes = routes;
                progress.claim(game, &claim, turn, surcharge);
            }
            let choice = choice.take_if(|(of, _)| *of == seat).map(|(_, choice)| choice);
            progress.tickets(game, state, seat, turn, choice);
        }
    }
}

impl SeatProgress {
    fn claim<G: Playable>(&mut self, game: &G, claim: &Claim, turn: u16, surcharge: Surcharge) {
        self.log.routes.push(RouteRecord {
            route: claim.route,
            turn,
            colour: claim.colour,
            locomotives: claim.locomotives + surcharge.locomotives,
            sets: claim.sets,
            surcharge: surcharge.cards,
        });
        if let Some(board) = game.board() {
            let [a, b] = board.routes()[claim.route.index()].ends;
            self.network.join(a, b);
        }
    }

    fn tickets<G: Playable>(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        turn: u16,
        choice: Option<TicketChoice>,
    ) {
        if let Some(TicketChoice { offered, kept, .. }) = choice {
            self.offer(offered, kept, turn);
        }
        let now = game.tickets_of(state, seat);
        let owned = now.held | now.completed;
        let dealt = owned - self.owned;
        self.offer(dealt, dealt, turn);
        for ticket in self.owned - owned {
            if let Some(record) = self.latest(ticket) {
                record.discarded_turn = Some(turn);
            }
        }
        self.owned = owned;
        let completed = match game.board() {
            // Where tickets are scored at the end, they are certain as soon as the seat's own routes join
            // their cities.
            Some(board) if board.spec().rules.journey.is_none() => {
                let is_joined = |ticket: &TicketId| {
                    let [a, b] = board.tickets()[ticket.index()].ends;
                    self.network.joined(a, b)
                };
                let joined: TicketSet = (owned - self.completed).into_iter().filter(is_joined).collect();
                self.completed | joined
            }
            _ => now.completed,
        };
        for ticket in completed - self.completed {
            if let Some(record) = self.latest(ticket) {
                record.completed_turn = Some(turn);
            }
        }
        self.completed = completed;
    }

    fn offer(&mut self, offered: TicketSet, kept: TicketSet, turn: u16) {
        if offered.is_empty() {
            return;
        }
        self.offers = self.offers.saturating_add(1);
        self.owned |= kept;
        let offer = self.offers;
        self.log.tickets.extend(offered.into_iter().map(|ticket| TicketRecord {
            ticket,
            offer,
            offered_turn: turn,
            kept: kept.contains(ticket),
            discarded_turn: None,
            completed: false,
            completed_turn: None,
        }));
    }

    /// The record of a ticket in the seat's possession.
    fn latest(&mut self, ticket: TicketId) -> Option<&mut TicketRecord> {
        self.log.tickets.iter_mut().rev().find(|record| record.kept && record.ticket == ticket)
    }
}
