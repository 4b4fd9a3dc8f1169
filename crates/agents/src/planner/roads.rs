//! Cheapest paths over a board on which some routes are free, some have a cost and some are closed.

use ttr_engine::{RouteId, RouteSet};

use crate::planner::atlas::{Atlas, CITIES, ROUTES};

/// The cost of an unusable route.
pub(crate) const CLOSED: u16 = u16::MAX;
/// Costs are in units of this fraction of a point.
pub(crate) const SCALE: f64 = 16.0;

/// The current cost of every route.
#[derive(Clone, Debug)]
pub(crate) struct RouteCosts {
    pub(crate) cost: [u16; ROUTES],
    /// Routes of others that stations can open.
    pub(crate) borrowable: RouteSet,
}

impl RouteCosts {
    pub(crate) fn closed() -> Self {
        Self { cost: [CLOSED; ROUTES], borrowable: RouteSet::EMPTY }
    }

    /// Makes routes free because they are owned or planned.
    pub(crate) fn pave(&mut self, routes: RouteSet) {
        for route in routes {
            self.cost[route.index()] = 0;
        }
    }

    /// The cheapest path from any of the cities `from` to any of the cities `to`: its cost and its routes
    /// that are not free.
    pub(crate) fn way(&self, atlas: &Atlas, from: u64, to: u64) -> Option<(u16, RouteSet)> {
        if from & to != 0 {
            return Some((0, RouteSet::EMPTY));
        }
        let mut reached = Reached::from(from);
        while let Some(city) = reached.nearest() {
            if to >> city & 1 != 0 {
                return Some((reached.distance[usize::from(city)], reached.path(atlas, &self.cost, city)));
            }
            reached.settle(atlas, &self.cost, city);
        }
        None
    }

    /// The cost from these cities to every city.
    pub(crate) fn distances(&self, atlas: &Atlas, from: u64) -> [u16; CITIES] {
        let mut reached = Reached::from(from);
        while let Some(city) = reached.nearest() {
            reached.settle(atlas, &self.cost, city);
        }
        reached.distance
    }

    /// The cities that free routes join with a city.
    pub(crate) fn reach(&self, atlas: &Atlas, city: u8) -> u64 {
        let mut found = 1_u64 << city;
        let mut todo = found;
        while todo != 0 {
            let city = todo.trailing_zeros() as u8;
            todo &= todo - 1;
            for &(to, route) in atlas.links(city) {
                if self.cost[usize::from(route)] == 0 && found >> to & 1 == 0 {
                    found |= 1 << to;
                    todo |= 1 << to;
                }
            }
        }
        found
    }
}

/// The state of a search.
struct Reached {
    distance: [u16; CITIES],
    /// The route over which a city was reached.
    over: [u8; CITIES],
    /// Cities that are reached but not settled.
    border: u64,
    sources: u64,
}

impl Reached {
    fn from(sources: u64) -> Self {
        let mut distance = [CLOSED; CITIES];
        let mut rest = sources;
        while rest != 0 {
            distance[rest.trailing_zeros() as usize] = 0;
            rest &= rest - 1;
        }
        Self { distance, over: [0; CITIES], border: sources, sources }
    }

    /// Removes the nearest city from the border.
    #[inline]
    fn nearest(&mut self) -> Option<u8> {
        // Distance and city in one number: which city is nearer is unpredictable, so this avoids a branch.
        let mut best = u32::from(CLOSED) << 8;
        let mut rest = self.border;
        while rest != 0 {
            let city = rest.trailing_zeros();
            rest &= rest - 1;
            best = best.min(u32::from(self.distance[city as usize]) << 8 | city);
        }
        if best >= u32::from(CLOSED) << 8 {
            return None;
        }
        let city = best as u8;
        self.border &= !(1 << city);
        Some(city)
    }

    #[inline]
    fn settle(&mut self, atlas: &Atlas, cost: &[u16; ROUTES], city: u8) {
        let here = self.distance[usize::from(city)];
        for &(to, route) in atlas.links(city) {
            // A closed route brings nothing nearer.
            let way = here.saturating_add(cost[usize::from(route)]);
            if way < self.distance[usize::from(to)] {
                self.distance[usize::from(to)] = way;
                self.over[usize::from(to)] = route;
                self.border |= 1 << to;
            }
        }
    }

    /// The routes back to a source, without the free ones.
    fn path(&self, atlas: &Atlas, cost: &[u16; ROUTES], to: u8) -> RouteSet {
        let mut routes = RouteSet::EMPTY;
        let mut city = to;
        while self.sources >> city & 1 == 0 {
            let route = RouteId::new(self.over[usize::from(city)].into());
            if cost[route.index()] > 0 {
                routes.insert(route);
            }
            let [a, b] = atlas.priced(route).ends;
            city = if a == city { b } else { a };
        }
        routes
    }
}
