//! Which tickets to keep, and when to draw more.

use std::ops::ControlFlow;

use ttr_engine::board::{Action, Observation};
use ttr_engine::{TicketSet, View};

use crate::planner::Planner;
use crate::planner::plan::{self, Means, Plan};
use crate::planner::roads::{CLOSED, Roads};

impl Planner {
    /// Keeps the tickets with the best plan.
    pub(super) fn keep_tickets(&mut self, view: &Observation<'_>) -> Action {
        let roads = plan::price_routes(&self.atlas, &self.weights, view);
        let means = self.means(view);
        let spare = self.weights.spare_trains as u8;
        let means = Means { trains: means.trains.saturating_sub(spare), ..means };
        let offered = view.offered();
        let held = view.tickets();
        let mut best: Option<(f64, Action, Plan)> = None;
        let _ = view.legal_actions(|action| {
            if let Action::Keep(choice) = action {
                let chosen = offered.into_iter().enumerate().filter(|(i, _)| choice >> i & 1 != 0);
                let kept: TicketSet = chosen.map(|(_, ticket)| ticket).collect();
                let plan = Plan::make(&self.atlas, &self.weights, &roads, held | kept, means);
                let value = plan.value(&self.atlas, &self.weights, means);
                if best.as_ref().is_none_or(|(known, ..)| value > *known) {
                    best = Some((value, action, plan));
                }
            }
            ControlFlow::<()>::Continue(())
        });
        match best {
            Some((_, action, _)) => action,
            None => Self::any(view),
        }
    }

    /// What drawing tickets can be expected to bring.
    pub(super) fn worth_of_tickets(&self, view: &Observation<'_>) -> f64 {
        let rules = &self.atlas.rules;
        let seat = view.seat();
        if rules.ticket_draw == 0 || view.ticket_deck_size() == 0 {
            return f64::MIN;
        }
        let unknown = self.atlas.drawable - view.tickets() - view.put_back();
        if unknown.is_empty() {
            return f64::MIN;
        }
        let turns = self.turns_left(view) - self.plan.turns(&self.atlas, &self.weights, view.hand()) - 1.0;
        let spare = view.trains(seat).saturating_sub(self.plan.trains);
        // Trains that can still be placed for new tickets: two cards a turn, and a turn for the claim.
        let reachable = (turns.max(0.0) * 0.9).min(f64::from(spare)) as u16;

        let mut lengths = Roads::closed();
        for route in view.open_routes(seat) & ttr_engine::RouteSet::first(self.atlas.routes.len()) {
            lengths.cost[route.index()] = self.atlas.track(route).length().into();
        }
        let network = view.routes(seat) | self.plan.routes;
        lengths.pave(network);
        let from_network = lengths.distances(&self.atlas, self.atlas.touched(network));

        let mut worths = arrayvec::ArrayVec::<f64, { TicketSet::CAPACITY }>::new();
        for ticket in unknown {
            let errand = self.atlas.errand(ticket);
            let [a, b] = errand.ends.map(usize::from);
            let extra = if from_network[a] == CLOSED || from_network[b] == CLOSED {
                CLOSED
            } else {
                from_network[a] + from_network[b]
            };
            let points = f64::from(errand.points);
            worths.push(if extra <= reachable {
                points - self.weights.extra_train * f64::from(extra)
            } else {
                -points
            });
        }
        worths.sort_by(f64::total_cmp);
        // The best of so many draws: at most the i-th with the chance that all are.
        let n = worths.len() as f64;
        let draws = i32::from(rules.ticket_draw);
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
