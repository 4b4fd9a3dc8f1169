//! Lookup tables of a board. They depend only on the rules, not on the position.

use ttr_engine::board::{BoardGame, Price};
use ttr_engine::spec::{FaceUpLocomotive, REGULAR};
use ttr_engine::{CardKind, Cards, Game, RouteId, RouteSet, TicketId, TicketSet};

/// Maximum number of cities of a board.
pub(crate) const CITIES: usize = 64;
/// Longer than any route.
pub(crate) const LENGTHS: usize = 16;
/// Maximum number of routes of a board.
pub(crate) const ROUTES: usize = RouteSet::CAPACITY;

/// A board with tables for planning.
#[derive(Debug)]
pub(crate) struct Atlas {
    /// Identifies the game.
    pub(crate) key: (u64, usize),
    pub(crate) seats: usize,
    pub(crate) routes: Vec<PricedRoute>,
    pub(crate) tickets: Vec<Errand>,
    /// Tickets that the ticket action can bring.
    pub(crate) drawable: TicketSet,
    pub(crate) cities: usize,
    /// By city, the routes that end there.
    pub(crate) at_city: Vec<RouteSet>,
    /// Neighbours with the routes that lead to them, city after city.
    links: Vec<(u8, u8)>,
    /// Index of each city's first link; its last link is before the next city's first.
    first_link: [u16; CITIES + 1],
    /// By two cities, the number of trains needed to join them on an empty board.
    pub(crate) distance: Vec<[u8; CITIES]>,
    payable: Payable,
    pub(crate) rules: Habits,
}

/// The routes that a number of cards pays for.
#[derive(Debug)]
struct Payable {
    /// By colour and number of cards, routes of at most this many trains: those on which locomotives count,
    /// and those on which they do not.
    wild: [[RouteSet; LENGTHS]; 8],
    plain: [[RouteSet; LENGTHS]; 8],
    /// By number of locomotives, routes that ask for at most this many.
    ferries: [RouteSet; LENGTHS],
    /// Routes that substitute sets may pay for.
    with_sets: RouteSet,
}

/// A route with the cost of claiming it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PricedRoute {
    pub(crate) ends: [u8; 2],
    pub(crate) colour: Option<CardKind>,
    pub(crate) points: u8,
    pub(crate) tunnel: bool,
    pub(crate) twin: Option<RouteId>,
    pub(crate) price: Price,
    /// Additional trains needed for the path around it, without this route and its twin; at most 20.
    pub(crate) detour: u8,
}

impl PricedRoute {
    pub(crate) fn length(&self) -> u8 {
        self.price.length
    }
}

/// A ticket: two cities to join, and its value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Errand {
    pub(crate) ends: [u8; 2],
    pub(crate) points: u8,
}

/// The rules that decisions depend on.
#[derive(Clone, Debug)]
pub(crate) struct Habits {
    pub(crate) end_trains: u8,
    pub(crate) ticket_draw: u8,
    pub(crate) stations: u8,
    pub(crate) unbuilt_station: u8,
    pub(crate) longest_path: u8,
    /// The bonus for the most completed tickets.
    pub(crate) most_tickets: u8,
    pub(crate) locomotive_ends_draw: bool,
    /// Number of tickets that wins a journey; `None` in games with points.
    pub(crate) journey: Option<u8>,
    /// The two sides that a journey's bonus ticket joins.
    pub(crate) journey_bonus: Option<[u64; 2]>,
    pub(crate) depots: bool,
    pub(crate) depot_bonus: u8,
}

impl Atlas {
    pub(crate) fn key(game: &BoardGame) -> (u64, usize) {
        (game.rules_hash(), game.seats())
    }

    pub(crate) fn new(game: &BoardGame) -> Self {
        let map = game.spec();
        let cities = map.cities.len();
        let mut distance = vec![[u8::MAX; CITIES]; cities];
        let mut at_city = vec![RouteSet::EMPTY; cities];
        let mut neighbours = vec![Vec::new(); cities];
        for (index, route) in game.routes().iter().enumerate() {
            let [a, b] = route.ends.map(u8::from);
            for (from, to) in [(a, b), (b, a)] {
                at_city[usize::from(from)].insert(RouteId::new(index));
                neighbours[usize::from(from)].push((to, index as u8));
                let known = &mut distance[usize::from(from)][usize::from(to)];
                *known = route.length.min(*known);
            }
        }
        join_all(&mut distance);
        let routes = (0..game.routes().len()).map(|index| {
            let route = &game.routes()[index];
            let id = RouteId::new(index);
            let ends = route.ends.map(u8::from);
            PricedRoute {
                ends,
                colour: route.colour,
                points: route.points,
                tunnel: route.tunnel,
                twin: route.twin,
                price: game.price(id),
                detour: way_around(game, ends).saturating_sub(route.length).min(20),
            }
        });
        let tickets = game
            .tickets()
            .iter()
            .map(|ticket| Errand { ends: ticket.ends.map(u8::from), points: ticket.points })
            .collect();
        let drawable = (0..map.tickets.len())
            .filter(|&index| map.tickets[index].deck == REGULAR)
            .map(TicketId::new)
            .collect();
        let mut first_link = [0; CITIES + 1];
        for city in 0..CITIES {
            first_link[city + 1] = first_link[city] + neighbours.get(city).map_or(0, Vec::len) as u16;
        }
        let routes: Vec<PricedRoute> = routes.collect();
        Self {
            key: Self::key(game),
            seats: game.seats(),
            payable: Payable::new(&routes),
            routes,
            tickets,
            drawable,
            cities,
            at_city,
            links: neighbours.concat(),
            first_link,
            distance,
            rules: Habits::new(game),
        }
    }

    /// The neighbours of a city with the routes that lead to them.
    #[inline]
    pub(crate) fn links(&self, city: u8) -> &[(u8, u8)] {
        let city = usize::from(city);
        &self.links[usize::from(self.first_link[city])..usize::from(self.first_link[city + 1])]
    }

    #[inline]
    pub(crate) fn priced(&self, route: RouteId) -> &PricedRoute {
        &self.routes[route.index()]
    }

    pub(crate) fn errand(&self, ticket: TicketId) -> Errand {
        self.tickets[ticket.index()]
    }

    /// The routes that a hand may be able to pay for; it can't pay for any other.
    #[inline]
    pub(crate) fn payable(&self, hand: Cards) -> RouteSet {
        let locomotives = usize::from(hand.locomotives());
        let (mut wild, mut plain) = (RouteSet::EMPTY, RouteSet::EMPTY);
        for colour in CardKind::COLOURS {
            let held = usize::from(hand.count(colour));
            wild |= self.payable.wild[colour.index()][(held + locomotives).min(LENGTHS - 1)];
            plain |= self.payable.plain[colour.index()][held.min(LENGTHS - 1)];
        }
        wild & self.payable.ferries[locomotives.min(LENGTHS - 1)] | plain | self.payable.with_sets
    }

    /// Number of trains that a set of routes needs.
    pub(crate) fn trains(&self, routes: RouteSet) -> u8 {
        routes.into_iter().map(|route| self.priced(route).length()).sum()
    }

    /// The routes that share a city with any of these routes, including themselves.
    pub(crate) fn beside(&self, routes: RouteSet) -> RouteSet {
        let mut rest = self.touched(routes);
        let mut beside = RouteSet::EMPTY;
        while rest != 0 {
            beside |= self.at_city[rest.trailing_zeros() as usize];
            rest &= rest - 1;
        }
        beside
    }

    /// The cities that these routes touch, as bits.
    pub(crate) fn touched(&self, routes: RouteSet) -> u64 {
        routes.into_iter().fold(0, |cities, route| {
            let [a, b] = self.priced(route).ends;
            cities | 1 << a | 1 << b
        })
    }
}

impl Payable {
    fn new(routes: &[PricedRoute]) -> Self {
        let set = |fits: &dyn Fn(&PricedRoute) -> bool| -> RouteSet {
            let ids = (0..routes.len()).map(RouteId::new);
            ids.filter(|id| fits(&routes[id.index()])).collect()
        };
        let cards = |locomotives: bool, colour: usize, cards: usize| {
            set(&|track| {
                track.price.locomotives == locomotives
                    && track.colour.is_none_or(|own| own.index() == colour)
                    && usize::from(track.length()) <= cards
            })
        };
        let table = |locomotives: bool| {
            std::array::from_fn(|colour| std::array::from_fn(|count| cards(locomotives, colour, count)))
        };
        Self {
            wild: table(true),
            plain: table(false),
            ferries: std::array::from_fn(|count| set(&|track| usize::from(track.price.ferry) <= count)),
            with_sets: set(&|track| track.price.most_sets > 0 && track.price.set_cards > 0),
        }
    }
}

impl Habits {
    fn new(game: &BoardGame) -> Self {
        let map = game.spec();
        let rules = &map.rules;
        let side = |names: &[String]| {
            let city = |name: &String| map.cities.iter().position(|city| city.name == *name);
            names.iter().filter_map(city).fold(0, |side, city| side | 1 << city)
        };
        Self {
            end_trains: rules.end.as_ref().map_or(0, |end| end.trains_at_most),
            ticket_draw: rules.tickets.draw,
            stations: rules.stations.as_ref().map_or(0, |stations| stations.per_seat),
            unbuilt_station: rules.stations.as_ref().map_or(0, |stations| stations.unbuilt_points),
            longest_path: rules.bonus.longest_path,
            most_tickets: rules.bonus.most_tickets,
            locomotive_ends_draw: rules.draw.face_up_locomotive == FaceUpLocomotive::EndsDraw,
            journey: rules.journey.as_ref().map(|journey| journey.tickets_to_win),
            journey_bonus: rules
                .journey
                .as_ref()
                .and_then(|journey| journey.bonus_between.as_ref())
                .map(|between| [side(&between.one), side(&between.other)]),
            depots: rules.depots.is_some(),
            depot_bonus: rules.depots.as_ref().map_or(0, |depots| depots.bonus),
        }
    }
}

/// Computes the lengths of the shortest paths from those of single routes.
fn join_all(distance: &mut [[u8; CITIES]]) {
    let cities = distance.len();
    for (city, row) in distance.iter_mut().enumerate() {
        row[city] = 0;
    }
    for over in 0..cities {
        for from in 0..cities {
            for to in 0..cities {
                let way = distance[from][over].saturating_add(distance[over][to]);
                distance[from][to] = distance[from][to].min(way);
            }
        }
    }
}

/// Number of trains needed from one city to its neighbour without the routes that join them directly.
fn way_around(game: &BoardGame, ends: [u8; 2]) -> u8 {
    let mut distance = [u8::MAX; CITIES];
    distance[usize::from(ends[0])] = 0;
    for _ in 0..game.spec().cities.len() {
        for route in game.routes() {
            let [a, b] = route.ends.map(u8::from);
            if [a, b] == ends {
                continue;
            }
            for (from, to) in [(a, b), (b, a)] {
                let way = distance[usize::from(from)].saturating_add(route.length);
                distance[usize::from(to)] = distance[usize::from(to)].min(way);
            }
        }
    }
    distance[usize::from(ends[1])]
}
