//! Shortest ways over the map.

use arrayvec::ArrayVec;
use ttr_engine::board::BoardGame;
use ttr_engine::{CityId, CitySet, RouteId, RouteSet};

/// Who is next to whom.
#[derive(Clone, Debug)]
pub(crate) struct Roads {
    /// The routes at each city, with the city at their other end.
    at: Vec<Vec<(RouteId, CityId)>>,
}

/// The cheapest ways from one city to all others.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    from: CityId,
    /// For each city what the way costs, its last route, and the city before that.
    ways: [(u16, RouteId, CityId); CitySet::CAPACITY],
}

/// The routes of a way, in order.
pub(crate) type Path = ArrayVec<RouteId, { CitySet::CAPACITY }>;

const FAR: u16 = u16::MAX;

impl Roads {
    pub(crate) fn new(game: &BoardGame) -> Self {
        let mut at = vec![Vec::new(); game.map().cities.len()];
        for (index, route) in game.routes().iter().enumerate() {
            let [a, b] = route.ends;
            at[a.index()].push((RouteId(index as u8), b));
            at[b.index()].push((RouteId(index as u8), a));
        }
        Self { at }
    }

    /// The cheapest ways from a city over some routes, which cost something each. Ties go to the smaller index.
    pub(crate) fn from(&self, from: CityId, usable: RouteSet, cost: impl Fn(RouteId) -> u16) -> Reach {
        let mut ways = [(FAR, RouteId(0), from); CitySet::CAPACITY];
        ways[from.index()].0 = 0;
        let mut open = CitySet::first(self.at.len());
        while let Some(near) = open.into_iter().min_by_key(|city| ways[city.index()].0)
            && ways[near.index()].0 < FAR
        {
            open.remove(near);
            for &(route, city) in &self.at[near.index()] {
                if usable.contains(route) && open.contains(city) {
                    let way = ways[near.index()].0 + cost(route);
                    if way < ways[city.index()].0 {
                        ways[city.index()] = (way, route, near);
                    }
                }
            }
        }
        Reach { from, ways }
    }

    /// The routes between the two ends of one of them, out of some: it and its twin.
    pub(crate) fn tracks(&self, game: &BoardGame, route: RouteId, out_of: RouteSet) -> RouteSet {
        let [a, b] = game.routes()[route.index()].ends;
        let between = self.at[a.index()].iter().filter(|(_, city)| *city == b);
        between.map(|&(route, _)| route).collect::<RouteSet>() & out_of
    }
}

impl Reach {
    /// What the way to a city costs; none, if there is no way.
    pub(crate) fn cost(&self, to: CityId) -> Option<u16> {
        Some(self.ways[to.index()].0).filter(|&cost| cost < FAR)
    }

    /// The way to a city, if there is one.
    pub(crate) fn path(&self, to: CityId) -> Option<Path> {
        self.cost(to)?;
        let mut path = Path::new();
        let mut city = to;
        while city != self.from {
            let (_, route, before) = self.ways[city.index()];
            path.push(route);
            city = before;
        }
        path.reverse();
        Some(path)
    }
}
