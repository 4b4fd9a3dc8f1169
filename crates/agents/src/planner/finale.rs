//! The last turn: the action that scores the most points immediately.

use arrayvec::ArrayVec;
use ttr_engine::board::{Action, Observation};
use ttr_engine::{RouteId, RouteSet, Seat, TicketSet};

use crate::planner::Planner;
use crate::planner::cards::GreyPayments;
use crate::planner::plan;
use crate::planner::roads::RouteCosts;
use crate::planner::trail;

/// A ticket whose ends are not joined.
struct Unfinished {
    /// The cities that free routes join with each end, as bits.
    sides: [u64; 2],
    points: f64,
}

impl Planner {
    pub(super) fn last_turn(&mut self, view: &Observation<'_>) -> Action {
        let seat = view.seat();
        let own = view.routes(seat);
        let unfinished = self.unfinished(&plan::free_routes(&self.atlas, view), view.tickets());
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
            let mut worth =
                f64::from(self.atlas.priced(route).points) + 2.0 * self.finished_by(&unfinished, route);
            if worth + bonus > best.0
                && rival.is_some_and(|rival| longest < rival)
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
                let worth = 2.0 * self.finished_by(&unfinished, route) - unbuilt;
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

    /// The tickets among these whose ends free routes do not join.
    fn unfinished(
        &self,
        roads: &RouteCosts,
        tickets: TicketSet,
    ) -> ArrayVec<Unfinished, { TicketSet::CAPACITY }> {
        let mut unfinished = ArrayVec::new();
        for ticket in tickets {
            let errand = self.atlas.errand(ticket);
            let [a, b] = errand.ends;
            let from_a = roads.reach(&self.atlas, a);
            if from_a >> b & 1 == 0 {
                let sides = [from_a, roads.reach(&self.atlas, b)];
                unfinished.push(Unfinished { sides, points: f64::from(errand.points) });
            }
        }
        unfinished
    }

    /// The points of tickets that one more route completes.
    fn finished_by(&self, unfinished: &[Unfinished], route: RouteId) -> f64 {
        let [a, b] = self.atlas.priced(route).ends;
        let joins = |[one, other]: [u64; 2]| (one >> a & other >> b | one >> b & other >> a) & 1 != 0;
        unfinished.iter().filter(|ticket| joins(ticket.sides)).map(|ticket| ticket.points).sum()
    }

    /// The total points of these tickets.
    pub(super) fn points(&self, tickets: TicketSet) -> f64 {
        tickets.into_iter().map(|ticket| f64::from(self.atlas.errand(ticket).points)).sum()
    }
}
