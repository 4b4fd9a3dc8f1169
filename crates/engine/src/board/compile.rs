//! From the file form of a map to the tables that the game is played on.

use arrayvec::ArrayVec;

use crate::board::network::Edge;
use crate::board::payment::{Price, Tariff};
use crate::card::{CardKind, Cards};
use crate::game::MAX_SEATS;
use crate::id::{CityId, CitySet, RouteId, RouteSet, TicketId, TicketSet};
use crate::spec::{
    DepotSpec, FaceUpLocomotive, FerrySets, FirstSeat, JourneyBonusLimit, LocomotiveUse, MAX_LENGTH,
    MAX_PILES, MapSpec, REGULAR, Reshuffle, RouteSpec, TieBreak, Unkept,
};

/// A board game for a number of seats: immutable, shared by all threads.
#[derive(Clone, Debug)]
pub struct BoardGame {
    pub(crate) map: MapSpec,
    pub(crate) seats: usize,
    pub(crate) rules: Rules,
    pub(crate) routes: Vec<Route>,
    /// The routes as edges of a network.
    pub(crate) edges: Vec<Edge>,
    pub(crate) tickets: Vec<Ticket>,
    /// The two cities of each ticket.
    pub(crate) ticket_cities: Vec<CitySet>,
    pub(crate) all_cities: CitySet,
    /// All tickets of each pile; the first is the one that is drawn from during the game.
    pub(crate) piles: Vec<TicketSet>,
    /// The opening deals, as (pile, count, most to keep).
    pub(crate) opening: Vec<OpeningDeal>,
    /// What the routes cost.
    pub(crate) tariff: Tariff,
    /// Routes at most as long as the index.
    pub(crate) within: [RouteSet; MAX_LENGTH as usize + 1],
    /// Routes that end at a city.
    pub(crate) at_city: Vec<RouteSet>,
    /// Routes that end where a route does, itself included.
    pub(crate) adjacent: Vec<RouteSet>,
    /// First tracks of double routes; the second track has the next index.
    pub(crate) first_tracks: RouteSet,
    pub(crate) hash: u64,
}

/// A route of a compiled board.
#[derive(Clone, Debug)]
pub struct Route {
    /// The two cities, the smaller index first.
    pub ends: [CityId; 2],
    /// Number of spaces.
    pub length: u8,
    /// The card kind it asks for; none if grey.
    pub colour: Option<CardKind>,
    /// Whether it is a tunnel.
    pub tunnel: bool,
    /// Locomotive symbols of a ferry.
    pub ferry: u8,
    /// The other track of a double route.
    pub twin: Option<RouteId>,
    /// Points for claiming it.
    pub points: u8,
}

/// A ticket of a compiled board.
#[derive(Clone, Debug)]
pub struct Ticket {
    /// The two cities.
    pub ends: [CityId; 2],
    /// Its value.
    pub points: u8,
}

/// The rules that are numbers and choices, ready for use.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) trains: u8,
    pub(crate) opening_hand: u8,
    pub(crate) first_seat: FirstSeat,
    /// Turns without progress that end the game; none = any number is fine.
    pub(crate) idle_limit: Option<u16>,
    pub(crate) tie_breaks: Vec<TieBreak>,
    pub(crate) deck: Cards,
    pub(crate) market: u8,
    pub(crate) flush_at: u8,
    pub(crate) max_flushes: u8,
    pub(crate) face_up_locomotive_ends_draw: bool,
    pub(crate) eager_reshuffle: bool,
    /// Both tracks of double routes are open.
    pub(crate) both_tracks: bool,
    pub(crate) unkept_opening: Unkept,
    pub(crate) ticket_draw: u8,
    pub(crate) ticket_keep: u8,
    pub(crate) unkept: Unkept,
    pub(crate) tunnel_reveal: u8,
    pub(crate) stations: u8,
    pub(crate) unbuilt_station_points: u8,
    pub(crate) end_trains: u8,
    pub(crate) longest_path_bonus: u8,
    pub(crate) most_tickets_bonus: u8,
    pub(crate) journey: Option<Journey>,
    pub(crate) depots: Option<DepotSpec>,
}

#[derive(Clone, Debug)]
pub(crate) struct Journey {
    pub(crate) tickets_to_win: u8,
    pub(crate) bonus: Option<Bonus>,
    pub(crate) unlimited_bonus: bool,
    /// There is nothing but what First Journey has: blind draws, claims that are paid for at once, swaps.
    pub(crate) simple: bool,
}

/// What joining two sets of cities is worth a ticket for (FJ-7).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bonus {
    pub(crate) between: [CitySet; 2],
    /// The routes that end in a city of either set.
    pub(crate) routes_at: [RouteSet; 2],
}

impl Bonus {
    /// Whether some of these cities are in either set.
    #[inline]
    pub(crate) fn is_joined_by(&self, cities: CitySet) -> bool {
        self.between.iter().all(|set| set.intersects(cities))
    }

    /// Whether some of these routes end in either set.
    #[inline]
    pub(crate) fn ends_at(&self, routes: RouteSet) -> bool {
        self.routes_at.iter().all(|at| at.intersects(routes))
    }
}

/// One step of the opening.
#[derive(Clone, Debug)]
pub(crate) struct OpeningDeal {
    pub(crate) deals: ArrayVec<PileDeal, MAX_PILES>,
    /// Tickets to be held at least after the choice.
    pub(crate) hold: u8,
}

impl OpeningDeal {
    pub(crate) fn dealt(&self) -> u8 {
        self.deals.iter().map(|deal| deal.count).sum()
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct PileDeal {
    pub(crate) pile: u8,
    pub(crate) count: u8,
    pub(crate) keep_max: u8,
}

/// A number of seats that a map does not allow.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{map} is played by {min} to {max} seats, not by {seats}")]
pub struct WrongSeats {
    /// The map's id.
    pub map: String,
    /// What was asked for.
    pub seats: usize,
    /// Fewest seats.
    pub min: u8,
    /// Most seats.
    pub max: u8,
}

impl BoardGame {
    /// Compiles a map for a number of seats.
    pub fn new(map: &MapSpec, seats: usize) -> Result<Self, WrongSeats> {
        let range = map.seats;
        if seats < range.min.into() || seats > range.max.into() || seats > MAX_SEATS {
            return Err(WrongSeats { map: map.id.clone(), seats, min: range.min, max: range.max });
        }
        let city = |name: &str| {
            let index = map.cities.iter().position(|city| city.name == name);
            CityId(index.expect("a checked map names known cities only") as u8)
        };

        let order = tracks_side_by_side(map);
        let mut routes = Vec::new();
        let mut first_tracks = RouteSet::EMPTY;
        for (index, &(spec, twin)) in order.iter().enumerate() {
            let mut ends = [city(&spec.from), city(&spec.to)];
            ends.sort();
            let twin = match twin {
                Track::Single => None,
                Track::First => {
                    first_tracks.insert(RouteId(index as u8));
                    Some(RouteId(index as u8 + 1))
                }
                Track::Second => Some(RouteId(index as u8 - 1)),
            };
            routes.push(Route {
                ends,
                length: spec.length,
                colour: spec.colour.card(),
                tunnel: spec.tunnel,
                ferry: spec.ferry,
                twin,
                points: map.rules.claim.points.get(&spec.length.to_string()).copied().unwrap_or(0),
            });
        }

        let tariff = Tariff::new(order.iter().map(|(spec, _)| price(map, spec)).collect());

        let ids = || (0..routes.len()).map(|index| RouteId(index as u8));
        let within = std::array::from_fn(|n| {
            ids().filter(|route| usize::from(routes[route.index()].length) <= n).collect()
        });
        let at_city: Vec<RouteSet> = (0..map.cities.len())
            .map(|city| ids().filter(|r| routes[r.index()].ends.contains(&CityId(city as u8))).collect())
            .collect();

        let mut pile_names = vec![REGULAR];
        for ticket in &map.tickets {
            if !pile_names.contains(&ticket.deck.as_str()) {
                pile_names.push(&ticket.deck);
            }
        }
        let mut piles = vec![TicketSet::EMPTY; pile_names.len()];
        let pile = |name: &str| pile_names.iter().position(|known| *known == name).unwrap_or(0);
        let mut tickets = Vec::new();
        for (index, ticket) in map.tickets.iter().enumerate() {
            piles[pile(&ticket.deck)].insert(TicketId(index as u8));
            tickets.push(Ticket { ends: [city(&ticket.from), city(&ticket.to)], points: ticket.points });
        }
        let opening = map
            .rules
            .tickets
            .opening
            .iter()
            .map(|step| OpeningDeal {
                deals: step
                    .deal
                    .iter()
                    .map(|deal| PileDeal {
                        pile: pile(&deal.deck) as u8,
                        count: deal.count,
                        keep_max: deal.keep_max.unwrap_or(deal.count).min(deal.count),
                    })
                    .collect(),
                hold: step.hold,
            })
            .collect();

        let adjacent = |route: &Route| at_city[route.ends[0].index()] | at_city[route.ends[1].index()];
        let edge = |route: &Route| Edge { a: route.ends[0].0, b: route.ends[1].0, length: route.length };
        Ok(Self {
            edges: routes.iter().map(edge).collect(),
            adjacent: routes.iter().map(adjacent).collect(),
            rules: rules(map, seats, &city, &at_city),
            seats,
            all_cities: CitySet::first(map.cities.len()),
            routes,
            ticket_cities: tickets.iter().map(|ticket: &Ticket| ticket.ends.into_iter().collect()).collect(),
            tickets,
            piles,
            opening,
            tariff,
            within,
            at_city,
            first_tracks,
            hash: map.hash(),
            map: map.clone(),
        })
    }

    /// The map that the game is played on.
    pub fn map(&self) -> &MapSpec {
        &self.map
    }

    /// A hash of the map and all its rules, for telling whether two records speak of the same game.
    pub fn rules_hash(&self) -> u64 {
        self.hash
    }

    /// The routes, by [`RouteId`]. Two tracks of a double route stand next to each other; otherwise the order
    /// is that of the map file.
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
        (0..self.routes.len() as u8).map(RouteId)
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
        (0..self.tickets.len() as u8).map(TicketId)
    }

    /// The number of cities.
    pub fn city_count(&self) -> usize {
        self.map.cities.len()
    }

    /// How a route may be paid for.
    pub fn price(&self, route: RouteId) -> Price {
        *self.tariff.of(route)
    }

    /// The tickets, by [`TicketId`], in the order of the map file.
    pub fn tickets(&self) -> &[Ticket] {
        &self.tickets
    }

    /// The name of a city.
    pub fn city_name(&self, city: CityId) -> &str {
        &self.map.cities[city.index()].name
    }

    /// How the routes of a set stand to their twins: the other tracks of those that are double.
    #[inline]
    pub(crate) fn twins(&self, routes: RouteSet) -> RouteSet {
        let first = self.first_tracks.0;
        RouteSet((routes.0 & first) << 1 | routes.0 >> 1 & first)
    }
}

#[derive(Clone, Copy)]
enum Track {
    Single,
    First,
    Second,
}

/// The routes in file order, but with the second track of a double route moved next to its first.
fn tracks_side_by_side(map: &MapSpec) -> Vec<(&RouteSpec, Track)> {
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
                order.push((route, Track::First));
                order.push((&map.routes[second], Track::Second));
            }
            None => order.push((route, Track::Single)),
        }
    }
    order
}

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

fn rules(map: &MapSpec, seats: usize, city: &dyn Fn(&str) -> CityId, at_city: &[RouteSet]) -> Rules {
    let spec = &map.rules;
    let cities = |names: &[String]| names.iter().map(|name| city(name)).collect::<CitySet>();
    Rules {
        trains: spec.trains,
        opening_hand: spec.opening_hand,
        first_seat: spec.first_seat,
        idle_limit: (spec.no_progress_rounds > 0).then(|| u16::from(spec.no_progress_rounds) * seats as u16),
        tie_breaks: spec.tie_breaks.clone(),
        deck: Cards::from_counts(spec.deck.counts()),
        market: spec.draw.market,
        flush_at: spec.draw.flush_at,
        max_flushes: spec.draw.max_flushes,
        face_up_locomotive_ends_draw: spec.draw.face_up_locomotive == FaceUpLocomotive::EndsDraw,
        eager_reshuffle: spec.draw.reshuffle == Reshuffle::Eager,
        both_tracks: seats >= spec.claim.both_tracks_from.into(),
        unkept_opening: spec.tickets.unkept_opening,
        ticket_draw: spec.tickets.draw,
        ticket_keep: spec.tickets.keep,
        unkept: spec.tickets.unkept,
        tunnel_reveal: spec.tunnels.as_ref().map_or(0, |tunnels| tunnels.reveal),
        stations: spec.stations.as_ref().map_or(0, |stations| stations.per_seat),
        unbuilt_station_points: spec.stations.as_ref().map_or(0, |stations| stations.unbuilt_points),
        end_trains: spec.end.as_ref().map_or(0, |end| end.trains_at_most),
        longest_path_bonus: spec.bonus.longest_path,
        most_tickets_bonus: spec.bonus.most_tickets,
        depots: spec.depots.clone(),
        journey: spec.journey.as_ref().map(|journey| Journey {
            tickets_to_win: journey.tickets_to_win,
            bonus: journey.bonus_between.as_ref().map(|between| {
                let between = [cities(&between.one), cities(&between.other)];
                let routes_at = |cities: CitySet| {
                    cities.into_iter().fold(RouteSet::EMPTY, |all, city| all | at_city[city.index()])
                };
                Bonus { between, routes_at: between.map(routes_at) }
            }),
            unlimited_bonus: journey.bonus_limit == JourneyBonusLimit::Unlimited,
            simple: spec.draw.market == 0
                && spec.tickets.draw == 0
                && spec.tunnels.is_none()
                && spec.stations.is_none()
                && spec.depots.is_none()
                && spec.ferry_sets.is_none()
                && map.routes.iter().all(|route| route.any_cards_per_space.is_none()),
        }),
    }
}
