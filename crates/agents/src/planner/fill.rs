//! Routes to claim beyond the tickets, for their points.

use arrayvec::ArrayVec;
use ttr_engine::board::Observation;
use ttr_engine::{CardKind, RouteId, RouteSet};

use crate::planner::Planner;
use crate::planner::atlas::{Atlas, LENGTHS};
use crate::planner::weights::Weights;

/// How many such routes cards are collected for at a time.
const ROUTES_AHEAD: usize = 4;

/// Of how many routes it is found out what they add to the longest path.
const TRAILS: usize = 2 * ROUTES_AHEAD;

/// What filling needs to know again and again.
#[derive(Clone, Debug)]
pub(super) struct FillTables {
    kinds: Vec<FillKind>,
    /// By number of missing cards, what the turns cost.
    turns: [f64; LENGTHS],
    /// Routes that are long enough.
    long: RouteSet,
}

/// Routes that are worth the same for their points, and ask for the same cards.
#[derive(Clone, Copy, PartialEq, Debug)]
struct FillKind {
    routes: RouteSet,
    length: u8,
    /// What the points are worth without the trains.
    gain: f64,
    /// The index of the colour, or [`GREY`].
    colour: u8,
    /// Whether locomotives pay for them.
    wild: bool,
}

const GREY: u8 = 8;

impl FillTables {
    pub(super) fn new(atlas: &Atlas, w: &Weights) -> Self {
        let mut kinds: Vec<FillKind> = Vec::new();
        for (index, track) in atlas.routes.iter().enumerate() {
            let length = track.length();
            let kind = FillKind {
                routes: RouteSet::EMPTY,
                length,
                gain: w.fill_point * f64::from(track.points) - w.fill_train * f64::from(length),
                colour: track.colour.map_or(GREY, |colour| colour.index() as u8),
                wild: track.price.locomotives,
            };
            let same = |known: &FillKind| FillKind { routes: RouteSet::EMPTY, ..*known } == kind;
            let place = kinds.iter().position(same).unwrap_or_else(|| {
                kinds.push(kind);
                kinds.len() - 1
            });
            kinds[place].routes.insert(RouteId(index as u8));
        }
        let is_long = |route: &RouteId| f64::from(atlas.track(*route).length()) >= w.fill_length;
        Self {
            kinds,
            turns: std::array::from_fn(|missing| w.fill_turn * (1.0 + w.missing * missing as f64)),
            long: RouteSet::first(atlas.routes.len()).into_iter().filter(is_long).collect(),
        }
    }
}

/// Routes that could be claimed and are worth the same.
#[derive(Clone, Copy)]
struct Rated {
    rate: f64,
    length: u8,
    routes: RouteSet,
}

/// Each has a route of its own, so that there are no more than routes.
type AllRated = ArrayVec<Rated, { RouteSet::CAPACITY }>;

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
        let mut others = AllRated::new();
        self.rate_fill(view, network, left, &mut others);
        let mut best = take_best(&mut others);
        let next = highest(&others, u8::MAX).map_or(f64::NEG_INFINITY, |place| others[place].rate);
        if self.atlas.rules.longest_path > 0 && w.longest > 0.0 {
            for Rated { rate, routes, .. } in &mut best {
                let gain = routes.lowest().map_or(0, |route| self.trail.gain(&self.atlas, network, route));
                *rate += w.longest * f64::from(gain);
            }
        }
        for _ in 0..ROUTES_AHEAD {
            let mut found = highest(&best, left).map(|place| &mut best[place]);
            // The others are looked at where the best few are too long, or no better.
            if found.as_ref().is_none_or(|found| found.rate <= next)
                && let Some(other) = highest(&others, left).map(|place| &mut others[place])
                && found.as_ref().is_none_or(|found| found.rate <= other.rate)
            {
                found = Some(other);
            }
            let Some(Rated { length, routes, .. }) = found else { break };
            let route = routes.highest().expect("only what has a route is found");
            routes.remove(route);
            left -= *length;
            self.fill.insert(route);
        }
    }

    /// What routes are worth next to a network.
    fn rate_fill(&self, view: &Observation<'_>, network: RouteSet, left: u8, rated: &mut AllRated) {
        let (w, tables) = (&self.weights, &self.fill_tables);
        let hand = view.hand();
        let mut held = [0; GREY as usize + 1];
        for colour in CardKind::COLOURS {
            held[colour.index()] = hand.count(colour);
        }
        held[usize::from(GREY)] = held.into_iter().max().unwrap_or(0);
        let join = if self.atlas.rules.longest_path > 0 { w.fill_join } else { 0.0 };
        let joining = self.atlas.beside(network);
        let planned = self.plan.routes.into_iter();
        let twins: RouteSet = planned.filter_map(|route| self.atlas.track(route).twin).collect();
        let mut open = view.open_routes(view.seat()) - self.plan.routes - twins;
        if left > 6 {
            open = open & tables.long;
        }
        let mut add = |rate: f64, length: u8, routes: RouteSet| {
            if routes.is_empty() {
                return;
            }
            match rated.iter_mut().find(|known| known.rate == rate && known.length == length) {
                Some(known) => known.routes |= routes,
                None => rated.push(Rated { rate, length, routes }),
            }
        };
        for &FillKind { routes, length, gain, colour, wild } in &tables.kinds {
            let routes = routes & open;
            if routes.is_empty() {
                continue;
            }
            let cards = held[usize::from(colour)] + if wild { hand.locomotives() } else { 0 };
            let rate = gain - tables.turns[usize::from(length.saturating_sub(cards))];
            add(rate + join, length, routes & joining);
            add(rate, length, routes - joining);
        }
    }
}

/// Takes out the best few routes, best first; of equal ones those with the smaller index.
fn take_best(rated: &mut [Rated]) -> ArrayVec<Rated, TRAILS> {
    let mut best = ArrayVec::new();
    while let Some(place) = highest(rated, u8::MAX) {
        let Rated { rate, length, routes } = &mut rated[place];
        while let Some(route) = routes.lowest() {
            if best.is_full() {
                return best;
            }
            routes.remove(route);
            best.push(Rated { rate: *rate, length: *length, routes: RouteSet::only(route) });
        }
    }
    best
}

/// The place of the highest rate among routes of at most so many trains; of equal ones the last.
#[inline]
fn highest(rated: &[Rated], trains: u8) -> Option<usize> {
    let mut best = (f64::NEG_INFINITY, None);
    for (place, &Rated { rate, length, routes }) in rated.iter().enumerate() {
        if rate >= best.0 && length <= trains && !routes.is_empty() {
            best = (rate, Some(place));
        }
    }
    best.1
}
