//! The last turn: whatever brings the most points at once.

use ttr_engine::board::{Action, Observation};
use ttr_engine::{RouteSet, Seat, TicketId, TicketSet};

use crate::planner::Planner;
use crate::planner::cards::GreyPayments;
use crate::planner::plan;
use crate::planner::roads::Roads;
use crate::planner::trail;

impl Planner {
    pub(super) fn last_turn(&mut self, view: &Observation<'_>) -> Action {
        let seat = view.seat();
        let own = view.routes(seat);
        let mut roads = plan::free_routes(&self.atlas, view);
        let unfinished = self.unfinished(&roads, view.tickets());
        let others = Seat::all(self.atlas.seats).filter(|&other| other != seat);
        let bonus = f64::from(self.atlas.rules.longest_path);
        let rival = match bonus > 0.0 {
            true => others.clone().map(|other| trail::longest(&self.atlas, view.routes(other))).max(),
            false => None,
        };
        let longest = if bonus > 0.0 { trail::longest(&self.atlas, own) } else { 0 };

        let mut best = (0.0, Action::Pass);
        let mut grey = GreyPayments::default();
        for route in view.open_routes(seat) & self.atlas.payable(view.hand()) {
            let payment = self.needs.pay(&self.atlas, &self.weights, view.hand(), route, &mut grey);
            let Some((payment, _)) = payment else { continue };
            let done = roads.with(route, |roads| unfinished - self.unfinished(roads, unfinished));
            let mut worth = f64::from(self.atlas.track(route).points) + 2.0 * self.points(done);
            if rival.is_some_and(|rival| longest < rival)
                && rival <= Some(longest + u16::from(self.trail.gain(&self.atlas, own, route)))
            {
                worth += bonus;
            }
            if worth > best.0 {
                best = (worth, Action::Claim { route, payment });
            }
        }

        let tickets = self.worth_of_tickets(view, own, 0);
        if tickets > best.0 {
            best = (tickets, Action::DrawTickets);
        }

        if !unfinished.is_empty() && plan::stations_left(&self.atlas, view) > 0 {
            let unbuilt = f64::from(self.atlas.rules.unbuilt_station);
            for route in others.fold(RouteSet::EMPTY, |all, other| all | view.routes(other)) {
                let done = roads.with(route, |roads| unfinished - self.unfinished(roads, unfinished));
                let worth = 2.0 * self.points(done) - unbuilt;
                if worth > best.0
                    && let Some(station) = self.station_for(view, route)
                {
                    best = (worth, station);
                }
            }
        }
        match best.1 {
            Action::Pass => self.draw(view),
            action => action,
        }
    }

    /// Those of some tickets whose ends free routes do not join.
    fn unfinished(&self, roads: &Roads, tickets: TicketSet) -> TicketSet {
        let open = |ticket: &TicketId| {
            let [a, b] = self.atlas.errand(*ticket).ends;
            roads.reach(&self.atlas, a) >> b & 1 == 0
        };
        tickets.into_iter().filter(open).collect()
    }

    /// The points of some tickets.
    pub(super) fn points(&self, tickets: TicketSet) -> f64 {
        tickets.into_iter().map(|ticket| f64::from(self.atlas.errand(ticket).points)).sum()
    }
}
