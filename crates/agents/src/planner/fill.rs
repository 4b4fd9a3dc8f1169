//! Routes to claim beyond the tickets, for their points.

use arrayvec::ArrayVec;
use ttr_engine::board::Observation;
use ttr_engine::{CardKind, RouteId, RouteSet};

use crate::planner::Planner;
use crate::planner::atlas::{Atlas, LENGTHS};
use crate::planner::weights::Weights;

/// Maximum number of such routes to collect cards for at a time.
const ROUTES_AHEAD: usize = 4;

/// Number of routes for which the gain in the longest path is computed.
const TRAILS: usize = 2 * ROUTES_AHEAD;

/// Lookup tables for filling.
///
/// The value of a route depends on its length, on the cards that are missing for it, and on whether it
/// joins the network: few enough cases to sort once and for all.
#[derive(Clone, Debug)]
pub(super) struct FillTables {
    kinds: Vec<FillKind>,
    /// The cases, best first; of equal ones the longer routes first.
    ranks: Vec<Worth>,
    /// By number of trains, the ranks of routes of at most this length.
    within: [u128; LENGTHS],
    /// Routes that are long enough.
    long: RouteSet,
}

/// The value of routes of a certain length.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Worth {
    rate: f64,
    length: u8,
}

/// Routes that have the same points and ask for the same cards.
#[derive(Clone, PartialEq, Debug)]
struct FillKind {
    routes: RouteSet,
    length: u8,
    /// The index of the colour, or [`GREY`].
    colour: u8,
    /// Locomotives pay for them.
    wild: bool,
    /// By number of missing cards, the ranks of routes that stand alone and of those that join the network.
    ranks: [[u8; 2]; LENGTHS],
}

const GREY: u8 = 8;

/// More than the number of cases: routes of up to nine trains lack none to all of the cards, and join the
/// network or not.
const RANKS: usize = 128;

impl FillTables {
    pub(super) fn new(atlas: &Atlas, w: &Weights) -> Self {
        let join = if atlas.rules.longest_path > 0 { w.fill_join } else { 0.0 };
        let worths = |length: u8, points: u8, missing: u8| {
            let gain = w.fill_point * f64::from(points) - w.fill_train * f64::from(length);
            let alone = gain - w.fill_turn * (1.0 + w.missing * f64::from(missing));
            [alone, alone + join].map(|rate| Worth { rate, length })
        };
        let worths_of = |index: usize| {
            let track = &atlas.routes[index];
            (0..=track.length()).map(move |missing| worths(track.length(), track.points, missing))
        };
        let mut ranks: Vec<Worth> = (0..atlas.routes.len()).flat_map(worths_of).flatten().collect();
        ranks.sort_by(|a, b| b.rate.total_cmp(&a.rate).then(b.length.cmp(&a.length)));
        ranks.dedup();
        assert!(ranks.len() <= RANKS, "points go by length");

        let mut kinds: Vec<FillKind> = Vec::new();
        for (index, track) in atlas.routes.iter().enumerate() {
            let mut kind = FillKind {
                routes: RouteSet::EMPTY,
                length: track.length(),
                colour: track.colour.map_or(GREY, |colour| colour.index() as u8),
                wild: track.price.locomotives,
                ranks: [[0; 2]; LENGTHS],
            };
            let rank = |worth| ranks.iter().position(|&known| known == worth).expect("all are ranked") as u8;
            for (places, worths) in kind.ranks.iter_mut().zip(worths_of(index)) {
                *places = worths.map(rank);
            }
            let same = |known: &FillKind| FillKind { routes: RouteSet::EMPTY, ..known.clone() } == kind;
            let place = kinds.iter().position(same).unwrap_or_else(|| {
                kinds.push(kind);
                kinds.len() - 1
            });
            kinds[place].routes.insert(RouteId::new(index));
        }
        let is_long = |route: &RouteId| f64::from(atlas.priced(*route).length()) >= w.fill_length;
        Self {
            kinds,
            within: std::array::from_fn(|trains| {
                let fits = |&rank: &usize| usize::from(ranks[rank].length) <= trains;
                (0..ranks.len()).filter(fits).fold(0, |within, rank| within | 1 << rank)
            }),
            ranks,
            long: RouteSet::first(atlas.routes.len()).into_iter().filter(is_long).collect(),
        }
    }
}

/// Routes that can be claimed, by rank.
struct Ranked<'t> {
    tables: &'t FillTables,
    routes: [RouteSet; RANKS],
    /// The ranks that have routes.
    present: u128,
}

impl<'t> Ranked<'t> {
    fn new(tables: &'t FillTables) -> Self {
        Self { tables, routes: [RouteSet::EMPTY; RANKS], present: 0 }
    }

    #[inline]
    fn add(&mut self, rank: u8, routes: RouteSet) {
        self.routes[usize::from(rank)] |= routes;
        self.present |= u128::from(!routes.is_empty()) << rank;
    }

    /// Removes a route of a rank, which `choose` selects among those that are left.
    #[inline]
    fn take(&mut self, rank: usize, choose: impl Fn(RouteSet) -> Option<RouteId>) -> Option<RouteId> {
        let routes = &mut self.routes[rank];
        let route = choose(*routes)?;
        routes.remove(route);
        if routes.is_empty() {
            self.present &= !(1 << rank);
        }
        Some(route)
    }

    /// The best rank that has a route of at most this many trains, and its value.
    #[inline]
    fn first(&self, trains: u8) -> Option<(usize, Worth)> {
        let fitting = self.present & self.tables.within[usize::from(trains).min(LENGTHS - 1)];
        let rank = fitting.trailing_zeros() as usize;
        (fitting != 0).then(|| (rank, self.tables.ranks[rank]))
    }
}

/// A route whose gain in the longest path is known; or none any more.
struct Favourite {
    route: Option<RouteId>,
    worth: Worth,
}

impl Planner {
    /// Chooses routes beyond the tickets for the trains that the plan leaves over.
    pub(super) fn choose_fill(&mut self, view: &Observation<'_>) {
        self.fill = RouteSet::EMPTY;
        if self.atlas.rules.journey.is_some() {
            return;
        }
        let w = &self.weights;
        let mut left = view.trains(view.seat()).saturating_sub(self.plan.trains);
        let network = view.routes(view.seat()) | self.plan.routes;
        let mut others = Ranked::new(&self.fill_tables);
        self.rank_fill(view, network, left, &mut others);
        let mut favourites = take_best(&mut others);
        if self.atlas.rules.longest_path > 0 && w.longest > 0.0 {
            for Favourite { route, worth } in &mut favourites {
                let gain = route.map_or(0, |route| self.trail.gain(&self.atlas, network, route));
                worth.rate += w.longest * f64::from(gain);
            }
        }
        for _ in 0..ROUTES_AHEAD {
            let favourite = highest(&favourites, left).map(|place| &mut favourites[place]);
            // The others are considered where the best few are too long, or no better.
            let other = others.first(left).filter(|(_, other)| {
                favourite.as_ref().is_none_or(|favourite| favourite.worth.rate <= other.rate)
            });
            let (route, length) = match (other, favourite) {
                (Some((rank, worth)), _) => (others.take(rank, RouteSet::highest), worth.length),
                (None, Some(favourite)) => (favourite.route.take(), favourite.worth.length),
                (None, None) => break,
            };
            let Some(route) = route else { break };
            self.fill.insert(route);
            left -= length;
        }
    }

    /// The routes that can be claimed in addition to a network.
    fn rank_fill(&self, view: &Observation<'_>, network: RouteSet, left: u8, ranked: &mut Ranked<'_>) {
        let tables = ranked.tables;
        let hand = view.hand();
        let mut held = [0; GREY as usize + 1];
        for colour in CardKind::COLOURS {
            held[colour.index()] = hand.count(colour);
        }
        held[usize::from(GREY)] = held.into_iter().max().unwrap_or(0);
        let joining = self.atlas.beside(network);
        let planned = self.plan.routes.into_iter();
        let twins: RouteSet = planned.filter_map(|route| self.atlas.priced(route).twin).collect();
        let mut open = view.open_routes(view.seat()) - self.plan.routes - twins;
        if left > 6 {
            open &= tables.long;
        }
        for FillKind { routes, length, colour, wild, ranks } in &tables.kinds {
            let routes = *routes & open;
            if routes.is_empty() {
                continue;
            }
            let cards = held[usize::from(*colour)] + if *wild { hand.locomotives() } else { 0 };
            let [alone, joined] = ranks[usize::from(length.saturating_sub(cards))];
            ranked.add(alone, routes - joining);
            ranked.add(joined, routes & joining);
        }
    }
}

/// Removes the best few routes, best first; of equal ones those with the smaller index.
fn take_best(ranked: &mut Ranked<'_>) -> ArrayVec<Favourite, TRAILS> {
    let mut best = ArrayVec::new();
    while !best.is_full()
        && let Some((rank, worth)) = ranked.first(u8::MAX)
    {
        best.push(Favourite { route: ranked.take(rank, RouteSet::lowest), worth });
    }
    best
}

/// The position of the highest rate among routes of at most this many trains; of equal ones the last.
#[inline]
fn highest(favourites: &[Favourite], trains: u8) -> Option<usize> {
    let mut best = (f64::NEG_INFINITY, None);
    for (place, Favourite { route, worth }) in favourites.iter().enumerate() {
        if worth.rate >= best.0 && worth.length <= trains && route.is_some() {
            best = (worth.rate, Some(place));
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use ttr_engine::board::BoardGame;
    use ttr_engine::maps;

    use super::*;
    use crate::spec::AgentSpec;

    #[test]
    fn ranks_are_in_order_and_of_the_right_length() {
        for (map, spec) in [("usa", "planner"), ("nordic", "planner"), ("europe", "planner:fill_turn=0")] {
            let game = BoardGame::new(&maps::find(map).unwrap(), 2).unwrap();
            let atlas = Atlas::new(&game);
            let tables = FillTables::new(
                &atlas,
                &Weights::for_game(&game).with_settings(&AgentSpec::parse(spec).unwrap()),
            );
            assert!(tables.ranks.is_sorted_by(|a, b| (a.rate, a.length) > (b.rate, b.length)), "{map}");
            for FillKind { length, ranks, .. } in &tables.kinds {
                for missing in 0..=usize::from(*length) {
                    let [alone, joined] = ranks[missing].map(|rank| tables.ranks[usize::from(rank)]);
                    assert!(alone.length == *length && joined.length == *length && joined.rate >= alone.rate);
                    assert!(missing == 0 || ranks[missing - 1][0] <= ranks[missing][0], "{map}: {missing}");
                    let fits = |trains: u8| tables.within[usize::from(trains)] >> ranks[missing][0] & 1 != 0;
                    assert!(fits(*length) && !fits(length - 1), "{map}: {length}");
                }
            }
        }
    }
}
