//! Cheapest paths over the map.

use arrayvec::ArrayVec;
use ttr_engine::board::{BoardGame, Observation};
use ttr_engine::{CityId, CitySet, RouteId, RouteSet};

/// The cities and routes of a board as a graph, for cheapest paths.
///
/// ```
/// use ttr_agents::Roads;
/// use ttr_engine::{RouteSet, board::BoardGame, maps};
/// let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let city = |name: &str| game.city_ids().find(|&city| game.city_name(city) == name).unwrap();
/// let all: RouteSet = game.route_ids().collect();
/// let length = |route| u16::from(game.route(route).length);
/// let from_boston = Roads::new(&game).from(city("Boston"), all, length);
/// assert_eq!(from_boston.cost(city("Chicago")), Some(7));
/// assert_eq!(from_boston.routes(city("Chicago")).unwrap().len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Roads {
    /// The routes at each city, with the city at their other end.
    at: Vec<Vec<(RouteId, CityId)>>,
}

/// The cheapest paths from one city to all others.
#[derive(Clone, Debug)]
pub struct Reach {
    from: CityId,
    /// For each city, the cost of the path, its last route, and the city before that.
    ways: [(u16, RouteId, CityId); CitySet::CAPACITY],
}

/// The routes of a path, in order.
pub(crate) type Path = ArrayVec<RouteId, { CitySet::CAPACITY }>;

const FAR: u16 = u16::MAX;

impl Roads {
    /// The graph of a board.
    pub fn new(game: &BoardGame) -> Self {
        let mut at = vec![Vec::new(); game.city_count()];
        for route in game.route_ids() {
            let [a, b] = game.route(route).ends;
            at[a.index()].push((route, b));
            at[b.index()].push((route, a));
        }
        Self { at }
    }

    /// The cheapest paths from a city over some routes, each at its cost. Ties go to the smaller index.
    pub fn from(&self, from: CityId, usable: RouteSet, cost: impl Fn(RouteId) -> u16) -> Reach {
        let mut ways = [(FAR, RouteId::new(0), from); CitySet::CAPACITY];
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

    /// The routes that the tickets of a view's seat still need: for each ticket, those of a shortest path
    /// over the seat's own and open routes, minus its own. Tickets that can no longer be completed need
    /// none.
    pub fn needed(&self, view: &Observation<'_>) -> RouteSet {
        let (game, own, open) = (view.game(), view.routes(view.seat()), view.open_routes(view.seat()));
        let cost = |route| if own.contains(route) { 0 } else { game.route(route).length.into() };
        let path = |[a, b]: [CityId; 2]| self.from(a, own | open, cost).routes(b).unwrap_or_default();
        let paths = view.tickets().into_iter().flat_map(|ticket| path(game.ticket(ticket).ends));
        paths.collect::<RouteSet>() - own
    }

    /// A path with the fewest routes, by a search from both ends that always widens the smaller front and
    /// stops where the two meet. Which of several such paths it finds depends on the whole board.
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

    /// The routes among `out_of` that join the same two cities as `route`: itself and its twin.
    pub(crate) fn tracks(&self, game: &BoardGame, route: RouteId, out_of: RouteSet) -> RouteSet {
        let [a, b] = game.routes()[route.index()].ends;
        let between = self.at[a.index()].iter().filter(|(_, city)| *city == b);
        between.map(|&(route, _)| route).collect::<RouteSet>() & out_of
    }
}

/// The path through the city where two searches met.
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
    /// The cost of the path to a city, if there is one.
    pub fn cost(&self, to: CityId) -> Option<u16> {
        Some(self.ways[to.index()].0).filter(|&cost| cost < FAR)
    }

    /// The routes of the path to a city, if there is one.
    pub fn routes(&self, to: CityId) -> Option<RouteSet> {
        Some(self.path(to)?.into_iter().collect())
    }

    /// The path to a city, if there is one.
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
