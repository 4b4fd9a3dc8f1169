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

    /// A way with the fewest routes, by a search from both ends that always widens the smaller front and stops where the
    /// two meet: which of several such ways it finds changes with whatever changes on the board.
    pub(crate) fn meet(&self, from: CityId, to: CityId, first: RouteSet, last: RouteSet) -> Option<Path> {
        // For each side and city, the route it was reached by and the city before.
        let mut found: [[Option<(RouteId, CityId)>; CitySet::CAPACITY]; 2] = [[None; CitySet::CAPACITY]; 2];
        let mut seen = [CitySet::only(from), CitySet::only(to)];
        let mut fronts = [vec![from], vec![to]];
        while !fronts[0].is_empty() && !fronts[1].is_empty() {
            let side = usize::from(fronts[0].len() > fronts[1].len());
            for city in std::mem::take(&mut fronts[side]) {
                let among = |routes: RouteSet| {
                    self.at[city.index()].iter().filter(move |(route, _)| routes.contains(*route))
                };
                for &(route, next) in among(first).chain(among(last)) {
                    if !seen[side].contains(next) {
                        seen[side].insert(next);
                        found[side][next.index()] = Some((route, city));
                        fronts[side].push(next);
                    }
                    if seen[1 - side].contains(next) {
                        return Some(joined(&found, next));
                    }
                }
            }
        }
        None
    }

    /// The routes between the two ends of one of them, out of some: it and its twin.
    pub(crate) fn tracks(&self, game: &BoardGame, route: RouteId, out_of: RouteSet) -> RouteSet {
        let [a, b] = game.routes()[route.index()].ends;
        let between = self.at[a.index()].iter().filter(|(_, city)| *city == b);
        between.map(|&(route, _)| route).collect::<RouteSet>() & out_of
    }
}

/// The way through the city where two searches met.
fn joined(found: &[[Option<(RouteId, CityId)>; CitySet::CAPACITY]; 2], meeting: CityId) -> Path {
    let walk = |side: usize| {
        std::iter::successors(found[side][meeting.index()], move |(_, city)| found[side][city.index()])
            .map(|(route, _)| route)
    };
    let mut path: Path = walk(0).collect();
    path.reverse();
    path.extend(walk(1));
    path
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
