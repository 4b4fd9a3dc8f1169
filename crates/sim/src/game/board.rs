//! Results and events of board games.

use ttr_engine::board::{self, BoardGame};
use ttr_engine::{Game, RouteId, Seat, TicketId};

use super::{
    Claim, Playable, Rarities, SOURCES, SeatResult, Surcharge, TicketChoice, TicketsOf, UNFINISHED, bits,
    choice, ticket_bits,
};

impl Playable for BoardGame {
    fn name(&self) -> &str {
        &self.map().name
    }

    fn results(&self, state: &board::State) -> Vec<SeatResult> {
        let journey = self.map().rules.journey.is_some();
        let sheet = self.score_sheet(state);
        let result = |(seat, score): (Seat, &board::SeatScore)| {
            let view = self.observe(state, seat);
            let tickets = if journey { score.total } else { score.tickets };
            SeatResult {
                points: score.total,
                rank: score.rank,
                sources: [
                    score.routes,
                    tickets,
                    score.longest_path_bonus,
                    score.most_tickets_bonus,
                    score.stations,
                    score.depot_bonus,
                    0,
                ],
                completed: score.completed,
                failed: score.failed,
                left: view.trains(seat),
                routes: bits(view.routes(seat).into_iter().map(|route| route.0)),
                completed_tickets: ticket_bits(self.completed_tickets(state, seat)),
                failed_tickets: ticket_bits(self.failed_tickets(state, seat)),
            }
        };
        Seat::all(self.seats()).zip(&sheet).map(result).collect()
    }

    fn ending(&self, state: &board::State) -> &'static str {
        match self.observe(state, Seat(0)).phase() {
            board::Phase::Over(ending) => ending.name(),
            _ => UNFINISHED,
        }
    }

    fn first(&self, state: &board::State) -> Seat {
        self.observe(state, Seat(0)).first()
    }

    fn turns(&self, state: &board::State) -> u16 {
        self.observe(state, Seat(0)).turns()
    }

    fn turn_of_decision(&self, state: &board::State) -> u16 {
        match self.observe(state, Seat(0)).phase() {
            board::Phase::Opening { .. } | board::Phase::FirstDepot => 0,
            _ => self.turns(state).saturating_add(1),
        }
    }

    fn has_source(&self, source: usize) -> bool {
        let rules = &self.map().rules;
        match SOURCES[source] {
            "routes" => rules.journey.is_none(),
            "tickets" => true,
            "longest_path" => rules.bonus.longest_path > 0,
            "most_tickets" => rules.bonus.most_tickets > 0,
            "stations" => rules.stations.is_some(),
            "depots" => rules.depots.is_some(),
            _ => false,
        }
    }

    fn left_over(&self) -> &'static str {
        "trains left"
    }

    fn ticket_choice(&self, state: &board::State, seat: Seat, action: board::Action) -> Option<TicketChoice> {
        let board::Action::Keep(kept) = action else { return None };
        let view = self.observe(state, seat);
        Some(choice(view.offered(), kept, matches!(view.phase(), board::Phase::Opening { .. })))
    }

    fn tickets_of(&self, state: &board::State, seat: Seat) -> TicketsOf {
        let view = self.observe(state, seat);
        TicketsOf { held: ticket_bits(view.tickets()), completed: ticket_bits(view.completed(seat)) }
    }

    fn claim(&self, action: board::Action) -> Option<Claim> {
        let board::Action::Claim { route, payment } = action else { return None };
        let board::Payment { colour, locomotives, sets } = payment;
        Some(Claim { route: route.index(), colour, locomotives, sets })
    }

    fn surcharge(&self, state: &board::State, action: board::Action) -> Option<Surcharge> {
        match (action, self.observe(state, Seat(0)).phase()) {
            (board::Action::PayTunnel { locomotives }, board::Phase::Tunnel { extra }) => {
                Some(Surcharge { cards: extra, locomotives })
            }
            _ => None,
        }
    }

    fn routes_of(&self, state: &board::State, seat: Seat) -> u128 {
        bits(self.observe(state, seat).routes(seat).into_iter().map(|route| route.0))
    }

    fn rarities(&self, state: &board::State) -> Rarities {
        let view = self.observe(state, Seat(0));
        Rarities {
            deck_empty: view.deck_size() == 0 && view.discard().is_empty(),
            flush_guard: view.flush_guard(),
        }
    }

    fn ticket_points(&self) -> Vec<u8> {
        self.tickets().iter().map(|ticket| ticket.points).collect()
    }

    fn ticket_names(&self) -> Vec<String> {
        (0..self.tickets().len()).map(|ticket| self.ticket_name(TicketId(ticket as u8))).collect()
    }

    fn route_names(&self) -> Vec<String> {
        (0..self.routes().len()).map(|route| self.route_name(RouteId(route as u8))).collect()
    }
}
