//! Choice of tickets to keep, and of when to draw more.

use arrayvec::ArrayVec;
use ttr_engine::board::{Action, Observation};
use ttr_engine::{RouteSet, Seat, TicketSet};

use crate::board::best_keep;
use crate::planner::Planner;
use crate::planner::plan::{Means, Plan, Ways};
use crate::planner::roads::{CLOSED, RouteCosts};

/// Trains that can be placed per turn in the long run: two cards per turn, and a turn for the claim.
const TRAINS_A_TURN: f64 = 0.9;

/// Lead in tickets at which the bonus for the most tickets is safe.
const FAR_AHEAD: u8 = 2;

impl Planner {
    /// Keeps the tickets with the best plan.
    pub(super) fn keep_tickets(&mut self, view: &Observation<'_>) -> Action {
        let roads = self.price_routes(view);
        let mut ways = Ways::new(&roads);
        let means = self.means_for_tickets(view);
        let held = view.tickets();
        best_keep(view, |kept| {
            let plan = Plan::make(&self.atlas, &self.weights, &mut ways, held | kept, means);
            plan.value(&self.atlas, &self.weights, means)
        })
    }

    /// The resources of a seat that chooses tickets.
    pub(super) fn means_for_tickets(&self, view: &Observation<'_>) -> Means {
        let means = self.means(view);
        let spare = self.weights.spare_trains as u8;
        Means { trains: means.trains.saturating_sub(spare), ..means }
    }

    /// Points that a completed ticket contributes to the bonus for the most tickets: 0 for a seat that is
    /// far ahead.
    pub(super) fn per_ticket(&self, view: &Observation<'_>) -> f64 {
        if self.atlas.rules.most_tickets == 0 {
            return 0.0;
        }
        let count = |seat: Seat| view.ticket_count(seat).unwrap_or(0);
        let others = Seat::all(self.atlas.seats).filter(|&seat| seat != view.seat());
        let most = others.map(count).max().unwrap_or(0);
        if count(view.seat()) > most + FAR_AHEAD {
            return 0.0;
        }
        self.weights.globetrotter * f64::from(self.atlas.rules.most_tickets)
    }

    /// Expected gain of drawing tickets, with this many turns left beyond the plan.
    pub(super) fn worth_of_more_tickets(&self, view: &Observation<'_>, turns: f64) -> f64 {
        let spare = view.trains(view.seat()).saturating_sub(self.plan.trains);
        let reachable = (turns.max(0.0) * TRAINS_A_TURN).min(f64::from(spare));
        self.worth_of_tickets(view, view.routes(view.seat()) | self.plan.routes, reachable as u16)
    }

    /// Expected gain of drawing tickets for a network to which this many trains can still be added.
    pub(super) fn worth_of_tickets(&self, view: &Observation<'_>, network: RouteSet, reachable: u16) -> f64 {
        let unknown = self.atlas.drawable - view.tickets() - view.put_back();
        let draws = i32::from(self.atlas.rules.ticket_draw);
        if draws == 0 || view.ticket_deck_size() == 0 || unknown.is_empty() {
            return f64::MIN;
        }
        let mut lengths = RouteCosts::closed();
        for route in view.open_routes(view.seat()) & RouteSet::first(self.atlas.routes.len()) {
            lengths.cost[route.index()] = self.atlas.priced(route).length().into();
        }
        lengths.pave(network);
        let from_network = lengths.distances(&self.atlas, self.atlas.touched(network));

        let per_ticket = self.per_ticket(view);
        let mut worths = ArrayVec::<f64, { TicketSet::CAPACITY }>::new();
        for ticket in unknown {
            let errand = self.atlas.errand(ticket);
            let [a, b] = errand.ends;
            let to_network = |city: u8| from_network[usize::from(city)];
            let mut extra = to_network(a).saturating_add(to_network(b));
            if extra <= reachable && lengths.reach(&self.atlas, a) >> b & 1 == 0 {
                // The network may be in pieces.
                extra = lengths.way(&self.atlas, 1 << a, 1 << b).map_or(CLOSED, |(trains, _)| trains);
            }
            let points = f64::from(errand.points);
            worths.push(if extra <= reachable {
                points + per_ticket - self.weights.extra_train * f64::from(extra)
            } else {
                -points
            });
        }
        worths.sort_by(f64::total_cmp);
        // The best of several draws: it is at most the i-th with the probability that all are.
        let n = worths.len() as f64;
        let mut below = 0.0;
        let mut expected = 0.0;
        for (index, worth) in worths.iter().enumerate() {
            let at_most = ((index + 1) as f64 / n).powi(draws);
            expected += worth * (at_most - below);
            below = at_most;
        }
        expected
    }
}
