//! Results and events of board games.

use ttr_engine::board::{self, BoardGame, Route};
use ttr_engine::{Game, RouteId, RouteSet, Seat, TicketId};

use super::{
    Claim, Ending, Playable, Rarities, SeatResult, Source, Surcharge, TicketChoice, TicketsOf, choice,
};

impl Playable for BoardGame {
    fn name(&self) -> &str {
        &self.spec().name
    }

    fn results(&self, state: &board::State) -> Vec<SeatResult> {
        let journey = self.spec().rules.journey.is_some();
        let sheet = self.score_sheet(state);
        let result = |(seat, score): (Seat, &board::SeatScore)| {
            let view = self.observe(state, seat);
            let tickets = if journey { score.total } else { score.tickets };
            SeatResult {
                points: score.total,
                rank: score.rank,
                sources: [
                    (Source::Routes, score.routes),
                    (Source::Tickets, tickets),
                    (Source::LongestPath, score.longest_path_bonus),
                    (Source::MostTickets, score.most_tickets_bonus),
                    (Source::Stations, score.stations),
                    (Source::Depots, score.depot_bonus),
                ]
                .into(),
                completed: score.completed,
                failed: score.failed,
                left: view.trains(seat),
                routes: view.routes(seat),
                completed_tickets: self.completed_tickets(state, seat),
                failed_tickets: self.failed_tickets(state, seat),
            }
        };
        Seat::all(self.seats()).zip(&sheet).map(result).collect()
    }

    fn ending(&self, state: &board::State) -> Option<Ending> {
        match self.observe(state, Seat::new(0)).phase() {
            board::Phase::Over(ending) => Some(ending.into()),
            _ => None,
        }
    }

    fn first(&self, state: &board::State) -> Seat {
        self.observe(state, Seat::new(0)).first()
    }

    fn turns(&self, state: &board::State) -> u16 {
        self.observe(state, Seat::new(0)).turns()
    }

    fn turn_of_decision(&self, state: &board::State) -> u16 {
        match self.observe(state, Seat::new(0)).phase() {
            board::Phase::Opening { .. } | board::Phase::FirstDepot => 0,
            _ => self.turns(state).saturating_add(1),
        }
    }

    fn has_source(&self, source: Source) -> bool {
        let rules = &self.spec().rules;
        match source {
            Source::Routes => rules.journey.is_none(),
            Source::Tickets => true,
            Source::LongestPath => rules.bonus.longest_path > 0,
            Source::MostTickets => rules.bonus.most_tickets > 0,
            Source::Stations => rules.stations.is_some(),
            Source::Depots => rules.depots.is_some(),
            Source::BigCities => false,
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
        TicketsOf { held: view.tickets(), completed: view.completed(seat) }
    }

    fn claim(&self, action: board::Action) -> Option<Claim> {
        let board::Action::Claim { route, payment } = action else { return None };
        let board::Payment { colour, locomotives, sets } = payment;
        Some(Claim { route, colour, locomotives, sets })
    }

    fn surcharge(&self, state: &board::State, action: board::Action) -> Option<Surcharge> {
        match (action, self.observe(state, Seat::new(0)).phase()) {
            (board::Action::PayTunnel { locomotives }, board::Phase::Tunnel { extra }) => {
                Some(Surcharge { cards: extra, locomotives })
            }
            _ => None,
        }
    }

    fn routes_of(&self, state: &board::State, seat: Seat) -> RouteSet {
        self.observe(state, seat).routes(seat)
    }

    fn rarities(&self, state: &board::State) -> Rarities {
        let view = self.observe(state, Seat::new(0));
        Rarities {
            deck_empty: view.deck_size() == 0 && view.discard().is_empty(),
            flush_guard: view.flush_guard(),
        }
    }

    fn ticket_points(&self) -> Vec<u8> {
        self.tickets().iter().map(|ticket| ticket.points).collect()
    }

    fn ticket_names(&self) -> Vec<String> {
        (0..self.tickets().len()).map(|ticket| self.ticket_name(TicketId::new(ticket))).collect()
    }

    fn route_names(&self) -> Vec<String> {
        (0..self.routes().len()).map(|route| self.route_name(RouteId::new(route))).collect()
    }
}

/// The tracks of a board as indices, grouped by those that ask for the same cards.
pub fn same_tracks(board: &BoardGame) -> Vec<Vec<usize>> {
    let routes = board.routes();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (index, route) in routes.iter().enumerate() {
        let asks = |route: &Route| (route.length, route.colour, route.tunnel, route.ferry);
        let twin = route.twin.map(|twin| twin.index());
        let same = |group: &&mut Vec<usize>| Some(group[0]) == twin && asks(&routes[group[0]]) == asks(route);
        match groups.iter_mut().find(same) {
            Some(group) => group.push(index),
            None => groups.push(vec![index]),
        }
    }
    groups
}
