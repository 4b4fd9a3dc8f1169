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
    routes: Vec<FillRoute>,
    /// By number of missing cards, what the turns cost.
    turns: [f64; LENGTHS],
    /// Routes that are long enough.
    long: RouteSet,
}

/// A route as one to claim for its points.
#[derive(Clone, Copy, Debug)]
struct FillRoute {
    /// What its points are worth without its trains.
    gain: f64,
    /// The cities at its ends, as bits.
    ends: u64,
    length: u8,
    /// The index of its colour, or [`GREY`].
    colour: u8,
    /// Whether locomotives pay for it.
    wild: bool,
}

const GREY: u8 = 8;

impl FillTables {
    pub(super) fn new(atlas: &Atlas, w: &Weights) -> Self {
        let route = |track: &Track| FillRoute {
            gain: w.fill_point * f64::from(track.points) - w.fill_train * f64::from(track.length()),
            ends: track.ends.into_iter().fold(0, |ends, city| ends | 1 << city),
            length: track.length(),
            colour: track.colour.map_or(GREY, |colour| colour.index() as u8),
            wild: track.price.locomotives,
        };
        let is_long = |route: &RouteId| f64::from(atlas.track(*route).length()) >= w.fill_length;
        Self {
            routes: atlas.routes.iter().map(route).collect(),
            turns: std::array::from_fn(|missing| w.fill_turn * (1.0 + w.missing * missing as f64)),
            long: RouteSet::first(atlas.routes.len()).into_iter().filter(is_long).collect(),
        }
    }
}

/// A route that could be claimed, and what it is worth.
#[derive(Clone, Copy)]
struct Rated {
    rate: f64,
    route: RouteId,
    length: u8,
}

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
        let best = Best::of(&rated);
        if self.atlas.rules.longest_path > 0 && w.longest > 0.0 {
            for &(_, place) in &best.places {
                let Rated { rate, route, .. } = &mut rated[place];
                *rate += w.longest * f64::from(self.trail.gain(&self.atlas, network, *route));
            }
        }
        for _ in 0..ROUTES_AHEAD {
            let mut found = highest(best.places.iter().map(|&(_, place)| place), &rated, left);
            // The others are looked at where the best few are too long, or no better.
            if found.is_none_or(|place| rated[place].rate <= best.next) && rated.len() > best.places.len() {
                found = highest(0..rated.len(), &rated, left);
            }
            let Some(Rated { rate, route, length }) = found.map(|place| &mut rated[place]) else { break };
            *rate = f64::NEG_INFINITY;
            left -= *length;
            self.fill.insert(*route);
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
        let mut held = [0; GREY as usize + 1];
        for colour in CardKind::COLOURS {
            held[colour.index()] = hand.count(colour);
        }
        held[usize::from(GREY)] = held.into_iter().max().unwrap_or(0);
        let with_wild = held.map(|held| held + hand.locomotives());
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
            let FillRoute { gain, ends, length, colour, wild } = tables.routes[route.index()];
            let cards = if wild { &with_wild } else { &held };
            let missing = length.saturating_sub(cards[usize::from(colour)]);
            let rate = gain - tables.turns[usize::from(missing)];
            let rate = rate + if cities & ends != 0 { join } else { 0.0 };
            rated.push(Rated { rate, route, length });
        }
        rated
    }
}

/// The place of the highest rate among routes of at most so many trains; of equal ones the last.
#[inline]
fn highest(places: impl Iterator<Item = usize>, rated: &[Rated], trains: u8) -> Option<usize> {
    let mut best = (f64::MIN, None);
    for place in places {
        let Rated { rate, length, .. } = rated[place];
        if rate >= best.0 && length <= trains {
            best = (rate, Some(place));
        }
    }
    best.1
}

/// The places of the best few routes, best first; of equal ones the first.
struct Best {
    places: ArrayVec<(f64, usize), TRAILS>,
    /// What the best of all others is rated.
    next: f64,
}

impl Best {
    #[inline]
    fn of(rated: &[Rated]) -> Self {
        let mut best = Self { places: ArrayVec::new(), next: f64::NEG_INFINITY };
        for (place, &Rated { rate, .. }) in rated.iter().enumerate() {
            if let Some(&(worst, _)) = best.places.get(TRAILS - 1) {
                if rate <= worst {
                    best.next = best.next.max(rate);
                    continue;
                }
                best.next = worst; // no other is better than this one was
                best.places.pop();
            }
            let rank = best.places.iter().rposition(|known| known.0 >= rate).map_or(0, |above| above + 1);
            best.places.insert(rank, (rate, place));
        }
        best
    }
}
