//! The network that a seat wants to build for its tickets.

use arrayvec::ArrayVec;
use ttr_engine::board::Observation;
use ttr_engine::{CardKind, Cards, RouteId, RouteSet, Seat, TicketId, TicketSet};

use crate::planner::atlas::{Atlas, LENGTHS, PricedRoute};
use crate::planner::roads::{RouteCosts, SCALE};
use crate::planner::weights::Weights;

/// Maximum number of tickets in one plan; nobody holds more.
const TICKETS: usize = 40;

/// Routes to claim for some tickets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// The routes to claim.
    pub(crate) routes: RouteSet,
    /// Routes of other seats that stations are to open.
    pub(crate) borrowed: RouteSet,
    /// The tickets that it completes.
    pub(crate) pursued: TicketSet,
    /// The tickets that are given up.
    pub(crate) given_up: TicketSet,
    /// The tickets that are completed already.
    pub(crate) completed: TicketSet,
    /// Number of trains that the routes need.
    pub(crate) trains: u8,
    /// Cost of the routes.
    pub(crate) cost: f64,
}

/// The resources of a plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Means {
    pub(crate) trains: u8,
    pub(crate) stations: u8,
    /// Turns that are likely left.
    pub(crate) turns: f64,
    pub(crate) hand: Cards,
    /// Points per completed ticket in addition to its own.
    pub(crate) per_ticket: f64,
}

/// Costs by route and by number of cards in the hand that fit it.
#[derive(Clone, Debug)]
pub(crate) struct Prices(Vec<[u16; LENGTHS]>);

impl Prices {
    pub(crate) fn new(atlas: &Atlas, weights: &Weights) -> Self {
        let prices =
            |track: &PricedRoute| std::array::from_fn(|fitting| cost_of(weights, track, fitting as u8));
        Self(atlas.routes.iter().map(prices).collect())
    }

    #[inline]
    fn of(&self, atlas: &Atlas, route: RouteId, hand: Cards) -> u16 {
        let track = atlas.priced(route);
        let fitting = track.colour.map_or(0, |colour| hand.count(colour).min(track.length()));
        self.0[route.index()][usize::from(fitting)]
    }
}

/// The current cost of every route for a seat.
pub(crate) fn price_routes(
    atlas: &Atlas,
    weights: &Weights,
    prices: &Prices,
    view: &Observation<'_>,
) -> RouteCosts {
    let seat = view.seat();
    let mut roads = free_routes(atlas, view);
    let hand = view.hand();
    for route in view.open_routes(seat) & RouteSet::first(atlas.routes.len()) {
        roads.cost[route.index()] = prices.of(atlas, route, hand);
    }
    if stations_left(atlas, view) > 0 {
        let cost = scaled(weights.borrow);
        for other in Seat::all(atlas.seats).filter(|&other| other != seat) {
            for route in view.routes(other) {
                if roads.cost[route.index()] > 0 {
                    roads.cost[route.index()] = cost;
                    roads.borrowable.insert(route);
                }
            }
        }
    }
    roads
}

/// The network that a seat can already use: its own routes and, on the assumption that one is enough, those
/// of others at its stations.
pub(crate) fn free_routes(atlas: &Atlas, view: &Observation<'_>) -> RouteCosts {
    let seat = view.seat();
    let mut roads = RouteCosts::closed();
    roads.pave(view.routes(seat));
    if atlas.rules.stations > 0 {
        for city in view.stations(seat) {
            for other in Seat::all(atlas.seats).filter(|&other| other != seat) {
                roads.pave(view.routes(other) & atlas.at_city[city.index()]);
            }
        }
    }
    roads
}

/// Number of stations that a seat can still build.
pub(crate) fn stations_left(atlas: &Atlas, view: &Observation<'_>) -> u8 {
    match atlas.rules.stations {
        0 => 0,
        stations => stations - view.stations(view.seat()).count() as u8,
    }
}

fn cost_of(weights: &Weights, track: &PricedRoute, fitting: u8) -> u16 {
    let length = f64::from(track.length());
    let mut cost = weights.train * length + weights.claim - weights.point * f64::from(track.points);
    cost -= weights.held * f64::from(fitting);
    cost += weights.ferry * f64::from(track.price.ferry);
    if track.colour.is_none() {
        cost -= weights.grey * length;
    }
    if track.tunnel {
        cost += weights.tunnel;
    }
    scaled(cost.max(0.2 * length))
}

fn scaled(points: f64) -> u16 {
    (points * SCALE) as u16
}

/// Cache of the cheapest paths for tickets: plans for similar tickets ask for the same paths.
pub(crate) struct Ways<'r> {
    roads: &'r RouteCosts,
    known: ArrayVec<KnownWay, 128>,
}

struct KnownWay {
    planned: RouteSet,
    ticket: TicketId,
    way: Option<(u16, RouteSet)>,
}

impl<'r> Ways<'r> {
    pub(crate) fn new(roads: &'r RouteCosts) -> Self {
        Self { roads, known: ArrayVec::new() }
    }

    /// The cheapest path for a ticket in addition to planned routes: its cost and the routes that it adds.
    fn beyond(&mut self, atlas: &Atlas, planned: RouteSet, ticket: TicketId) -> Option<(u16, RouteSet)> {
        if let Some(known) =
            self.known.iter().find(|known| known.ticket == ticket && known.planned == planned)
        {
            return known.way;
        }
        let [a, b] = atlas.errand(ticket).ends;
        let mut roads = self.roads.clone();
        roads.pave(planned);
        let way = roads.way(atlas, 1 << a, 1 << b);
        if self.known.is_full() {
            self.known.clear();
        }
        self.known.push(KnownWay { planned, ticket, way });
        way
    }
}

impl Plan {
    /// The best plan for these tickets: all of them if possible, otherwise without those that cost the most
    /// relative to their value.
    pub(crate) fn make(
        atlas: &Atlas,
        weights: &Weights,
        ways: &mut Ways<'_>,
        tickets: TicketSet,
        means: Means,
    ) -> Self {
        let mut wanted = ArrayVec::<TicketId, TICKETS>::new();
        for ticket in tickets {
            let _ = wanted.try_push(ticket);
        }
        let far = |ticket: &TicketId| {
            let [a, b] = atlas.errand(*ticket).ends;
            atlas.distance[usize::from(a)][usize::from(b)]
        };
        wanted.sort_by_key(|ticket| std::cmp::Reverse(far(ticket)));
        let mut plan = Self::best_forest(atlas, ways, &wanted);
        while !plan.fits(atlas, weights, means) {
            // The ticket whose removal saves most relative to its value.
            let mut best: Option<(f64, usize, Self)> = None;
            for index in 0..wanted.len() {
                let ticket = wanted[index];
                if !plan.pursued.contains(ticket) {
                    continue;
                }
                let mut rest = wanted.clone();
                rest.remove(index);
                let without = Self::forest(atlas, ways, rest.iter().copied());
                let saved = f64::from(plan.trains) - f64::from(without.trains)
                    + 4.0 * (plan.borrowed.len() as f64 - without.borrowed.len() as f64);
                let rate = saved / f64::from(atlas.errand(ticket).points);
                if best.as_ref().is_none_or(|(known, ..)| rate > *known) {
                    best = Some((rate, index, without));
                }
            }
            let Some((_, index, without)) = best else { break };
            wanted.remove(index);
            plan = without;
        }
        plan.given_up = tickets - plan.pursued - plan.completed;
        plan
    }

    fn fits(&self, atlas: &Atlas, weights: &Weights, means: Means) -> bool {
        self.trains <= means.trains
            && self.borrowed.len() <= means.stations.into()
            && self.turns(atlas, weights, means.hand) <= means.turns + weights.lateness
    }

    /// The cheaper of two plans: distant tickets first, or near ones first.
    fn best_forest(atlas: &Atlas, ways: &mut Ways<'_>, far_first: &[TicketId]) -> Self {
        let one = Self::forest(atlas, ways, far_first.iter().copied());
        if one.pursued.len() < 2 {
            return one;
        }
        let other = Self::forest(atlas, ways, far_first.iter().rev().copied());
        if other.cost < one.cost { other } else { one }
    }

    /// Joins the ends of tickets one after the other, each by the cheapest path given the routes so far.
    /// Such a path never joins cities that are already joined, so no route of the forest is superfluous.
    fn forest(atlas: &Atlas, ways: &mut Ways<'_>, tickets: impl Iterator<Item = TicketId>) -> Self {
        let mut plan = Self::default();
        let mut routes = RouteSet::EMPTY;
        for ticket in tickets {
            let [a, b] = atlas.errand(ticket).ends;
            match ways.beyond(atlas, routes, ticket) {
                None => plan.given_up.insert(ticket),
                Some((0, _)) if ways.roads.reach(atlas, a) >> b & 1 != 0 => plan.completed.insert(ticket),
                Some((_, way)) => {
                    routes |= way;
                    plan.pursued.insert(ticket);
                }
            }
        }
        let roads = ways.roads;
        let cost: u32 = routes.into_iter().map(|route| u32::from(roads.cost[route.index()])).sum();
        plan.cost = f64::from(cost) / SCALE;
        plan.borrowed = routes & roads.borrowable;
        plan.routes = routes - roads.borrowable;
        plan.trains = atlas.trains(plan.routes);
        plan
    }

    /// Adds the path from one side of the board to the other, if a journey has a bonus for it that is cheap
    /// to get.
    pub(crate) fn add_bonus(&mut self, atlas: &Atlas, weights: &Weights, roads: &RouteCosts, trains: u8) {
        let Some([one, other]) = atlas.rules.journey_bonus else { return };
        let mut paved = roads.clone();
        paved.pave(self.routes);
        if let Some((_, way)) = paved.way(atlas, one, other) {
            let extra = atlas.trains(way);
            if self.trains + extra <= trains && f64::from(extra) <= weights.bonus_trains {
                self.routes |= way;
                self.trains += extra;
            }
        }
    }

    /// Number of turns that the plan takes with the cards of a hand.
    pub(crate) fn turns(&self, atlas: &Atlas, weights: &Weights, hand: Cards) -> f64 {
        let claims = self.routes.len() + self.borrowed.len();
        weights.lack * f64::from(self.missing(atlas, hand)) + claims as f64
    }

    /// Number of cards that a hand lacks for the plan.
    fn missing(&self, atlas: &Atlas, hand: Cards) -> u8 {
        let mut asked = [0; 8];
        let mut grey = 0;
        for route in self.routes {
            let track = atlas.priced(route);
            match track.colour {
                Some(colour) => asked[colour.index()] += track.length(),
                None => grey += track.length(),
            }
        }
        let (mut missing, mut spare) = (0, 0);
        for colour in CardKind::COLOURS {
            let (asked, held) = (asked[colour.index()], hand.count(colour));
            missing += asked.saturating_sub(held);
            spare += held.saturating_sub(asked) / 2; // some fit no grey route
        }
        (missing + grey.saturating_sub(spare)).saturating_sub(hand.locomotives())
    }

    /// The value of the plan: its tickets minus its cost.
    pub(crate) fn value(&self, atlas: &Atlas, weights: &Weights, means: Means) -> f64 {
        let points = |tickets: TicketSet| -> f64 {
            tickets.into_iter().map(|ticket| f64::from(atlas.errand(ticket).points)).sum()
        };
        let late = (self.turns(atlas, weights, means.hand) - means.turns).max(0.0);
        let done = self.pursued | self.completed;
        points(done) + means.per_ticket * done.len() as f64
            - points(self.given_up)
            - weights.ticket_cost * self.cost
            - weights.overtime * late * late
    }
}
