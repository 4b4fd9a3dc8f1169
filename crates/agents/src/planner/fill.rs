//! Routes to claim beyond the tickets, for their points.

use arrayvec::ArrayVec;
use ttr_engine::board::Observation;
use ttr_engine::{CardKind, RouteId, RouteSet};

use crate::planner::Planner;
use crate::planner::atlas::{Atlas, LENGTHS, Track};
use crate::planner::weights::Weights;

/// How many such routes cards are collected for at a time.
const ROUTES_AHEAD: usize = 4;

/// Of how many routes it is found out what they add to the longest path.
const TRAILS: usize = 2 * ROUTES_AHEAD;

/// What filling needs to know again and again.
#[derive(Clone, Debug)]
pub(super) struct FillTables {
    /// By route, what its points are worth without its trains.
    gains: Vec<f64>,
    /// By number of missing cards, what the turns cost.
    turns: [f64; LENGTHS],
    /// Routes that are long enough.
    long: RouteSet,
}

impl FillTables {
    pub(super) fn new(atlas: &Atlas, w: &Weights) -> Self {
        let gain =
            |track: &Track| w.fill_point * f64::from(track.points) - w.fill_train * f64::from(track.length());
        let is_long = |route: &RouteId| f64::from(atlas.track(*route).length()) >= w.fill_length;
        Self {
            gains: atlas.routes.iter().map(gain).collect(),
            turns: std::array::from_fn(|missing| w.fill_turn * (1.0 + w.missing * missing as f64)),
            long: RouteSet::first(atlas.routes.len()).into_iter().filter(is_long).collect(),
        }
    }
}

type Rated = (f64, RouteId);

impl Planner {
    /// Chooses routes beyond the tickets for the trains that these leave over.
    pub(super) fn choose_fill(&mut self, view: &Observation<'_>) {
        self.fill = RouteSet::EMPTY;
        if self.atlas.rules.journey.is_some() {
            return;
        }
        let w = &self.weights;
        let mut left = view.trains(view.seat()).saturating_sub(self.plan.trains);
        let network = view.routes(view.seat()) | self.plan.routes;
        let mut rated = self.rate_fill(view, network, left);
        let trails = self.atlas.rules.longest_path > 0 && w.longest > 0.0;
        let mut best = Best::default();
        for &rated in &rated {
            best.offer(rated);
        }
        if trails {
            for (rate, route) in &mut best.routes {
                *rate += w.longest * f64::from(self.trail.gain(&self.atlas, network, *route));
            }
        }
        let atlas = &self.atlas;
        let choose = |routes: &[Rated], left: u8, chosen: RouteSet| {
            let fits = |&&(_, route): &&Rated| atlas.track(route).length() <= left && !chosen.contains(route);
            routes.iter().filter(fits).max_by(|a, b| a.0.total_cmp(&b.0)).copied()
        };
        let mut complete = false;
        for _ in 0..ROUTES_AHEAD {
            let mut found = choose(&best.routes, left, self.fill);
            // The others are looked at where the best few are too long, or no better.
            if found.is_none_or(|(rate, _)| rate <= best.next) && rated.len() > best.routes.len() {
                if !complete {
                    for known in &best.routes {
                        rated.iter_mut().filter(|rated| rated.1 == known.1).for_each(|rated| *rated = *known);
                    }
                    complete = true;
                }
                found = choose(&rated, left, self.fill);
            }
            let Some((_, route)) = found else { break };
            left -= atlas.track(route).length();
            self.fill.insert(route);
        }
    }

    /// What routes are worth next to a network.
    fn rate_fill(
        &self,
        view: &Observation<'_>,
        network: RouteSet,
        left: u8,
    ) -> ArrayVec<Rated, { RouteSet::CAPACITY }> {
        let (w, tables) = (&self.weights, &self.fill_tables);
        let hand = view.hand();
        let held: [u8; 8] = std::array::from_fn(|colour| hand.count(CardKind::from_index(colour)));
        let most_held = held.into_iter().max().unwrap_or(0);
        let locomotives = hand.locomotives();
        let join = if self.atlas.rules.longest_path > 0 { w.fill_join } else { 0.0 };
        let cities = self.atlas.touched(network);
        let planned = self.plan.routes.into_iter();
        let twins: RouteSet = planned.filter_map(|route| self.atlas.track(route).twin).collect();
        let mut open = view.open_routes(view.seat()) & RouteSet::first(self.atlas.routes.len());
        open = open - self.plan.routes - twins;
        if left > 6 {
            open = open & tables.long;
        }
        let mut rated = ArrayVec::new();
        for route in open {
            let track = self.atlas.track(route);
            let fitting = track.colour.map_or(most_held, |colour| held[colour.index()]);
            let wild = if track.price.locomotives { locomotives } else { 0 };
            let missing = track.length().saturating_sub(fitting + wild);
            let joins = (cities >> track.ends[0] | cities >> track.ends[1]) & 1 != 0;
            let rate = tables.gains[route.index()] - tables.turns[usize::from(missing)];
            rated.push((rate + if joins { join } else { 0.0 }, route));
        }
        rated
    }
}

/// The best few routes, best first; of equal ones those with the smaller index.
#[derive(Default)]
struct Best {
    routes: ArrayVec<Rated, TRAILS>,
    /// What the best of all others is rated.
    next: f64,
}

impl Best {
    fn offer(&mut self, rated: Rated) {
        let place = self.routes.iter().rposition(|known| known.0 >= rated.0).map_or(0, |above| above + 1);
        if self.routes.is_full() {
            let dropped = if place == TRAILS { Some(rated) } else { self.routes.pop() };
            self.next = dropped.map_or(self.next, |(rate, _)| rate.max(self.next));
        } else if self.routes.is_empty() {
            self.next = f64::NEG_INFINITY;
        }
        if place < TRAILS {
            self.routes.insert(place, rated);
        }
    }
}
