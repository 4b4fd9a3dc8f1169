//! Compilation of a map from its file form into the tables used during play.

use crate::board::claims::Tariff;
use crate::board::network::Edge;
use crate::board::payment::Price;
use crate::board::rules::{OpeningDeal, PileDeal, Rules};
use crate::game::WrongSeats;
use crate::pieces::{CardKind, CityId, CitySet, MAX_SEATS, RouteId, RouteSet, TicketId, TicketSet};
use crate::spec::{DealSpec, FerrySets, LocomotiveUse, MAX_LENGTH, MapSpec, REGULAR, RouteSpec, TicketSpec};

/// A board game for a number of seats: immutable, shared by all threads.
///
/// The routes and tickets of the board are tables, indexed by [`RouteId`] and [`TicketId`]; the methods
/// that play a game are those of [`Game`](crate::Game).
///
/// ```
/// use ttr_engine::{board::BoardGame, maps, Dice, Game};
/// let game = BoardGame::new(&maps::load("europe")?, 4)?;
/// assert_eq!((game.seats(), game.city_count(), game.tickets().len()), (4, 47, 46));
/// let stockholm = game.parse_route("Stockholm-Petrograd")?;
/// assert!(game.route(stockholm).tunnel && game.route(stockholm).length == 8);
/// let state = game.deal(&mut Dice::from_seed(1));
/// assert!(game.actions(&state).iter().all(|&action| game.is_legal(&state, action)));
/// assert!(BoardGame::new(&maps::load("europe")?, 6).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BoardGame {
    pub(crate) spec: MapSpec,
    pub(crate) seats: usize,
    pub(crate) rules: Rules,
    pub(crate) routes: Vec<Route>,
    /// The routes as edges of a network.
    pub(crate) edges: Vec<Edge>,
    pub(crate) tickets: Vec<Ticket>,
    /// The two cities of each ticket.
    pub(crate) ticket_cities: Vec<CitySet>,
    pub(crate) all_cities: CitySet,
    /// All tickets of each pile. The first pile is the one drawn from during the game.
    pub(crate) piles: Vec<TicketSet>,
    /// The steps of the opening.
    pub(crate) opening: Vec<OpeningDeal>,
    /// Prices and claims of the routes.
    pub(crate) tariff: Tariff,
    /// Routes that are at most as long as the index.
    pub(crate) within: [RouteSet; MAX_LENGTH as usize + 1],
    /// Routes that end at a city.
    pub(crate) at_city: Vec<RouteSet>,
    /// Routes that share an end with a route, itself included.
    pub(crate) adjacent: Vec<RouteSet>,
    /// First tracks of double routes; the second track has the next index.
    pub(crate) first_tracks: RouteSet,
    pub(crate) hash: u64,
}

/// A route of a compiled board.
///
/// ```
/// use ttr_engine::{board::BoardGame, maps, CardKind};
/// let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let route = game.route(game.parse_route("Miami-New Orleans")?);
/// assert_eq!((route.length, route.points, route.colour), (6, 15, Some(CardKind::Red)));
/// assert_eq!(route.ends.map(|city| game.city_name(city)), ["Miami", "New Orleans"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Route {
    /// The two cities, the smaller index first.
    pub ends: [CityId; 2],
    /// Number of spaces.
    pub length: u8,
    /// The card kind required, or `None` if the route is grey.
    pub colour: Option<CardKind>,
    /// `true` if the route is a tunnel.
    pub tunnel: bool,
    /// Number of locomotive symbols of a ferry.
    pub ferry: u8,
    /// Number of cards of any kinds that fill one space, if the route accepts them.
    pub any_cards_per_space: Option<u8>,
    /// The other track of a double route.
    pub twin: Option<RouteId>,
    /// Points for claiming it.
    pub points: u8,
}

/// A ticket of a compiled board.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Ticket {
    /// The two cities.
    pub ends: [CityId; 2],
    /// Its value.
    pub points: u8,
}

impl BoardGame {
    /// Compiles a map for a number of seats.
    ///
    /// # Errors
    /// If the map does not allow this number of seats.
    pub fn new(map: &MapSpec, seats: usize) -> Result<Self, WrongSeats> {
        WrongSeats::check(&map.id, map.seats, MAX_SEATS, seats)?;
        let order = tracks_side_by_side(map);
        let routes = routes(map, &order);
        let tickets = tickets(map);
        let piles = pile_names(map);
        let at_city = at_city(map, &routes);
        let adjacent = |route: &Route| at_city[route.ends[0].index()] | at_city[route.ends[1].index()];
        let edge = |route: &Route| Edge { a: route.ends[0], b: route.ends[1], length: route.length };
        Ok(Self {
            rules: Rules::new(map, seats, &at_city),
            seats,
            edges: routes.iter().map(edge).collect(),
            adjacent: routes.iter().map(adjacent).collect(),
            within: std::array::from_fn(|most| {
                routes_where(&routes, |_, route| usize::from(route.length) <= most)
            }),
            first_tracks: routes_where(&routes, |id, route| route.twin.is_some_and(|twin| id < twin)),
            tariff: Tariff::new(order.iter().map(|(route, _)| price(map, route)).collect()),
            at_city,
            routes,
            all_cities: CitySet::first(map.cities.len()),
            ticket_cities: tickets.iter().map(|ticket| ticket.ends.into_iter().collect()).collect(),
            tickets,
            opening: opening(map, &piles),
            piles: piles.iter().map(|pile| tickets_of_pile(map, pile)).collect(),
            hash: map.hash(),
            spec: map.clone(),
        })
    }

    /// The map that the game is played on, including its rules.
    pub fn spec(&self) -> &MapSpec {
        &self.spec
    }

    /// A hash of the map and all its rules, equal for all records of the same game.
    pub fn rules_hash(&self) -> u64 {
        self.hash
    }

    /// The routes, by [`RouteId`]. The two tracks of a double route are adjacent; otherwise routes are
    /// in the order of the map file.
    pub fn routes(&self) -> &[Route] {
        &self.routes
    }

    /// A route.
    ///
    /// # Panics
    /// If the board has no such route.
    ///
    /// ```
    /// use ttr_engine::{board::BoardGame, maps};
    /// let game = BoardGame::new(&maps::load("usa")?, 2)?;
    /// let longest = game.route_ids().max_by_key(|&route| game.route(route).length).unwrap();
    /// assert_eq!((game.route(longest).length, game.city_count()), (6, 36));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn route(&self, route: RouteId) -> &Route {
        &self.routes[route.index()]
    }

    /// The ids of all routes.
    pub fn route_ids(&self) -> impl DoubleEndedIterator<Item = RouteId> + ExactSizeIterator + Clone + use<> {
        (0..self.routes.len()).map(RouteId::new)
    }

    /// A ticket.
    ///
    /// # Panics
    /// If the map has no such ticket.
    #[inline]
    pub fn ticket(&self, ticket: TicketId) -> &Ticket {
        &self.tickets[ticket.index()]
    }

    /// The ids of all tickets.
    pub fn ticket_ids(
        &self,
    ) -> impl DoubleEndedIterator<Item = TicketId> + ExactSizeIterator + Clone + use<> {
        (0..self.tickets.len()).map(TicketId::new)
    }

    /// The ids of all cities.
    pub fn city_ids(&self) -> impl DoubleEndedIterator<Item = CityId> + ExactSizeIterator + Clone + use<> {
        (0..self.spec.cities.len()).map(CityId::new)
    }

    /// The number of cities.
    pub fn city_count(&self) -> usize {
        self.spec.cities.len()
    }

    /// The price of a route.
    pub fn price(&self, route: RouteId) -> Price {
        *self.tariff.groups.price(route)
    }

    /// The tickets, by [`TicketId`], in the order of the map file.
    pub fn tickets(&self) -> &[Ticket] {
        &self.tickets
    }

    /// The name of a city.
    pub fn city_name(&self, city: CityId) -> &str {
        &self.spec.cities[city.index()].name
    }

    /// The other tracks of the double routes in a set.
    #[inline]
    pub(crate) fn twins(&self, routes: RouteSet) -> RouteSet {
        let first = self.first_tracks.0;
        RouteSet((routes.0 & first) << 1 | routes.0 >> 1 & first)
    }
}

/// The index of a city. A checked map names known cities only.
pub(crate) fn city_id(map: &MapSpec, name: &str) -> CityId {
    let index = map.cities.iter().position(|city| city.name == name);
    CityId::new(index.expect("a checked map names known cities only"))
}

/// The routes, in the order of their ids.
fn routes(map: &MapSpec, order: &[(&RouteSpec, TwinPlace)]) -> Vec<Route> {
    let route = |(index, &(spec, place)): (usize, &(&RouteSpec, TwinPlace))| {
        let mut ends = [city_id(map, &spec.from), city_id(map, &spec.to)];
        ends.sort();
        Route {
            ends,
            length: spec.length,
            colour: spec.colour.card(),
            tunnel: spec.tunnel,
            ferry: spec.ferry,
            any_cards_per_space: spec.any_cards_per_space,
            twin: match place {
                TwinPlace::Single => None,
                TwinPlace::First => Some(RouteId::from_u8(index as u8 + 1)),
                TwinPlace::Second => Some(RouteId::from_u8(index as u8 - 1)),
            },
            points: map.rules.claim.points.get(&spec.length.to_string()).copied().unwrap_or(0),
        }
    };
    order.iter().enumerate().map(route).collect()
}

/// The routes that satisfy a predicate.
fn routes_where(routes: &[Route], such: impl Fn(RouteId, &Route) -> bool) -> RouteSet {
    RouteSet::first(routes.len()).into_iter().filter(|&id| such(id, &routes[id.index()])).collect()
}

/// The routes that end at each city.
fn at_city(map: &MapSpec, routes: &[Route]) -> Vec<RouteSet> {
    let cities = CitySet::first(map.cities.len()).into_iter();
    cities.map(|city| routes_where(routes, |_, route| route.ends.contains(&city))).collect()
}

fn tickets(map: &MapSpec) -> Vec<Ticket> {
    let ends = |ticket: &TicketSpec| [city_id(map, &ticket.from), city_id(map, &ticket.to)];
    map.tickets.iter().map(|ticket| Ticket { ends: ends(ticket), points: ticket.points }).collect()
}

/// The names of the ticket piles: the deck first, then the others in file order.
fn pile_names(map: &MapSpec) -> Vec<&str> {
    let mut names = vec![REGULAR];
    for ticket in &map.tickets {
        if !names.contains(&ticket.deck.as_str()) {
            names.push(&ticket.deck);
        }
    }
    names
}

fn tickets_of_pile(map: &MapSpec, pile: &str) -> TicketSet {
    let all = TicketSet::first(map.tickets.len()).into_iter();
    all.filter(|ticket| map.tickets[ticket.index()].deck == pile).collect()
}

fn opening(map: &MapSpec, piles: &[&str]) -> Vec<OpeningDeal> {
    let deal = |deal: &DealSpec| PileDeal {
        pile: piles.iter().position(|pile| *pile == deal.deck).unwrap_or(0) as u8,
        count: deal.count,
        keep_max: deal.keep_max.unwrap_or(deal.count).min(deal.count),
    };
    let steps = map.rules.tickets.opening.iter();
    steps.map(|step| OpeningDeal { deals: step.deal.iter().map(deal).collect(), hold: step.hold }).collect()
}

/// The position of a route within a double route.
#[derive(Clone, Copy)]
enum TwinPlace {
    Single,
    First,
    Second,
}

/// The routes in file order, with the second track of each double route moved next to the first.
fn tracks_side_by_side(map: &MapSpec) -> Vec<(&RouteSpec, TwinPlace)> {
    let mut order = Vec::new();
    let mut done = vec![false; map.routes.len()];
    for (index, route) in map.routes.iter().enumerate() {
        if std::mem::replace(&mut done[index], true) {
            continue;
        }
        let is_twin = |other: &RouteSpec| {
            route.double.is_some()
                && route.double == other.double
                // A-20
                && !(map.rules.claim.twins_require_equal_length && route.length != other.length)
        };
        let second = (index + 1..map.routes.len()).find(|&other| is_twin(&map.routes[other]));
        match second {
            Some(second) => {
                done[second] = true;
                order.push((route, TwinPlace::First));
                order.push((&map.routes[second], TwinPlace::Second));
            }
            None => order.push((route, TwinPlace::Single)),
        }
    }
    order
}

/// The price of a route.
fn price(map: &MapSpec, route: &RouteSpec) -> Price {
    let special = route.tunnel || route.ferry > 0;
    let locomotives = match map.rules.claim.locomotives {
        LocomotiveUse::Anywhere => true,
        LocomotiveUse::TunnelsAndFerries => special,
    };
    let (set_cards, most_sets) = match (&map.rules.ferry_sets, route.any_cards_per_space) {
        (_, Some(cards)) => (cards, route.length), // NO-5
        (Some(sets), None) if route.ferry > 0 => match sets.spaces {
            FerrySets::AnySpace => (sets.cards, route.length), // NO-7, A-12
            FerrySets::LocomotiveSpaceOnly => (sets.cards, route.ferry),
        },
        _ => (0, 0),
    };
    let (length, colour, ferry) = (route.length, route.colour.card(), route.ferry);
    Price { length, colour, locomotives, ferry, set_cards, most_sets }
}
