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

/// A way from one city to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Path {
    pub(crate) cost: u16,
    /// The routes in order.
    pub(crate) routes: ArrayVec<RouteId, { CitySet::CAPACITY }>,
}

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

    /// The cheapest way over some routes, which cost something each; ties go to the smaller index. None, if there is
    /// no way.
    pub(crate) fn path(
        &self,
        from: CityId,
        to: CityId,
        usable: RouteSet,
        cost: impl Fn(RouteId) -> u16,
    ) -> Option<Path> {
        let mut reached = [(FAR, RouteId(0), from); CitySet::CAPACITY];
        reached[from.index()].0 = 0;
        let mut open = CitySet::first(self.at.len());
        loop {
            let near = open.into_iter().min_by_key(|city| reached[city.index()].0)?;
            let far = reached[near.index()].0;
            if far == FAR {
                return None;
            }
            if near == to {
                break;
            }
            open.remove(near);
            for &(route, city) in &self.at[near.index()] {
                if usable.contains(route) && open.contains(city) {
                    let way = far + cost(route);
                    if way < reached[city.index()].0 {
                        reached[city.index()] = (way, route, near);
                    }
                }
            }
        }
        let mut path = Path { cost: reached[to.index()].0, routes: ArrayVec::new() };
        let mut city = to;
        while city != from {
            let (_, route, before) = reached[city.index()];
            path.routes.push(route);
            city = before;
        }
        path.routes.reverse();
        Some(path)
    }
}
