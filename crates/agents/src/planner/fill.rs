//! Routes to claim beyond the tickets, for their points.

use arrayvec::ArrayVec;
use ttr_engine::board::Observation;
use ttr_engine::{CardKind, RouteId, RouteSet};

use crate::planner::Planner;

/// How many such routes cards are collected for at a time.
const ROUTES_AHEAD: usize = 4;

impl Planner {
    /// Chooses routes beyond the tickets for the trains that these leave over.
    pub(super) fn choose_fill(&mut self, view: &Observation<'_>) {
        self.fill = RouteSet::EMPTY;
        if self.atlas.rules.journey.is_some() {
            return;
        }
        let w = &self.weights;
        let mut left = view.trains(view.seat()).saturating_sub(self.plan.trains);
        let hand = view.hand();
        let network = view.routes(view.seat()) | self.plan.routes;
        let cities = self.atlas.touched(network);
        let open = view.open_routes(view.seat()) & RouteSet::first(self.atlas.routes.len());
        let most_held = CardKind::COLOURS.map(|colour| hand.count(colour)).into_iter().max().unwrap_or(0);
        let mut rated = ArrayVec::<(f64, RouteId), { RouteSet::CAPACITY }>::new();
        for route in open - self.plan.routes {
            let track = self.atlas.track(route);
            if f64::from(track.length()) < w.fill_length && left > 6 {
                continue;
            }
            if track.twin.is_some_and(|twin| self.plan.routes.contains(twin)) {
                continue;
            }
            let fitting = match track.colour {
                Some(colour) => hand.count(colour),
                None => most_held,
            };
            let wild = if track.price.locomotives { hand.locomotives() } else { 0 };
            let missing = track.length().saturating_sub(fitting + wild);
            let turns = 1.0 + w.missing * f64::from(missing);
            let ends = (cities >> track.ends[0] & 1) + (cities >> track.ends[1] & 1);
            let rate = w.fill_point * f64::from(track.points)
                - w.fill_train * f64::from(track.length())
                - w.fill_turn * turns
                + if self.atlas.rules.longest_path > 0 && ends > 0 { w.fill_join } else { 0.0 };
            rated.push((rate, route));
        }
        rated.sort_by(|a, b| b.0.total_cmp(&a.0));
        if self.atlas.rules.longest_path > 0 && w.longest > 0.0 {
            for (rate, route) in rated.iter_mut().take(2 * ROUTES_AHEAD) {
                *rate += w.longest * f64::from(self.trail.gain(&self.atlas, network, *route));
            }
        }
        for _ in 0..ROUTES_AHEAD {
            let best = rated
                .iter()
                .filter(|(_, route)| self.atlas.track(*route).length() <= left && !self.fill.contains(*route))
                .max_by(|a, b| a.0.total_cmp(&b.0));
            let Some(&(_, route)) = best else { break };
            left -= self.atlas.track(route).length();
            self.fill.insert(route);
        }
    }
}
