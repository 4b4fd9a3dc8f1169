//! Hungry: one plan that joins the cities of all tickets, and more tickets as long as there are trains for
//! them.

use ttr_engine::board::Action;
use ttr_engine::{CardKind, CityId, CitySet, Game, RouteId, RouteSet, Seat, TicketId, TicketSet};

use super::{Situation, Strategy};
use crate::board::{Reach, keeps, points};

/// Trains that a choice of tickets should leave.
const SPARE_AT_CHOICE: u16 = 5;
/// New tickets are drawn if more than this many trains are left beyond the plan.
const SPARE_FOR_TICKETS: u16 = 8;

/// Follows one plan for all tickets.
#[derive(Default)]
pub(super) struct Hungry {
    plan: Option<Network>,
    /// Number of trains that the last choice of tickets asks for.
    threshold: u16,
    /// The progress of all seats at the time of the plan.
    planned_at: u32,
}

/// Routes that join the cities of all tickets.
#[derive(Clone, Debug, Default)]
struct Network {
    routes: RouteSet,
    /// Points of the routes.
    points: u16,
    /// Spaces of each colour.
    spaces: [u16; 8],
    grey: u16,
    /// Locomotives for ferries.
    locomotives: u16,
}

impl Network {
    /// Number of trains that it needs. The released program adds the locomotives of ferries.
    fn trains(&self, coded: bool) -> u16 {
        self.spaces.iter().sum::<u16>() + self.grey + if coded { self.locomotives } else { 0 }
    }

    fn needs(&self, colour: CardKind) -> bool {
        colour != CardKind::Locomotive && self.spaces[colour.index()] > 0
    }
}

impl Strategy for Hungry {
    fn forget(&mut self) {
        *self = Self::default();
    }

    fn keep(&mut self, table: &Situation<'_>) -> Action {
        if table.is_coded() { self.keep_as_coded(table) } else { self.keep_as_intended(table) }
    }

    fn turn(&mut self, table: &Situation<'_>) -> Option<Action> {
        let coded = table.is_coded();
        let progress = table.progress();
        if self.planned_at < progress {
            self.plan = table.plan(table.view.tickets());
            self.planned_at = progress;
        }
        if table.options.tickets
            && self.threshold + SPARE_FOR_TICKETS < table.trains()
            && (coded || table.view.final_turns().is_none())
        {
            return Some(Action::DrawTickets);
        }
        match &self.plan {
            Some(plan) if !plan.routes.is_empty() => table.follow(plan),
            _ => table.claim_longest().or_else(|| table.options.take(None)),
        }
    }
}

impl Hungry {
    /// Keeps the best value per train among plans that leave some trains; else the plan with the fewest
    /// trains; else the cheapest tickets.
    fn keep_as_intended(&mut self, table: &Situation<'_>) -> Action {
        let trains = table.trains();
        let scored = keeps(table.view).into_iter().map(|(action, kept)| {
            let all = kept | table.view.tickets();
            let worth = points(table.view, all);
            let plan = table.plan(all);
            let needed = plan.as_ref().map_or(0, |plan| plan.trains(false));
            let score = match &plan {
                Some(plan) if needed + SPARE_AT_CHOICE <= trains => {
                    (2, f64::from(worth + plan.points) / f64::from(needed.max(1)))
                }
                Some(_) if needed <= trains => (1, -f64::from(needed)),
                _ => (0, -f64::from(worth)),
            };
            (score, needed, action, plan)
        });
        let best = scored.reduce(|best, next| if next.0 > best.0 { next } else { best });
        let (_, needed, action, plan) = best.expect("some choice is legal");
        (self.threshold, self.plan, self.planned_at) = (needed, plan, table.progress());
        action
    }

    /// The same with four bugs: a plan that leaves too few trains replaces a better earlier one, the need
    /// of new tickets is remembered for all that were offered, the points of others are counted twice
    /// before a new plan is made, and if no plan fits the old one stays.
    fn keep_as_coded(&mut self, table: &Situation<'_>) -> Action {
        let trains = table.trains();
        let mut choices = keeps(table.view);
        choices.sort_by_key(|(_, kept)| kept.len());
        let held = table.on_map(table.view.tickets());
        let (mut best_value, mut fewest_trains) = (0.0, trains);
        let (mut best, mut cheapest) = (None, None);
        let mut last = 0;
        for (action, kept) in choices {
            let worth = points(table.view, kept | held);
            if cheapest.is_none_or(|(least, _)| worth < least) {
                cheapest = Some((worth, action));
            }
            let plan = table.plan(kept | held);
            last = plan.as_ref().map_or(0, |plan| plan.trains(true));
            let Some(plan) = plan else { continue };
            if last + SPARE_AT_CHOICE <= trains {
                let value = f64::from(worth + plan.points) / f64::from(last.max(1));
                if value > best_value {
                    best_value = value;
                    best = Some((action, plan));
                }
            } else if last <= trains && last < fewest_trains {
                fewest_trains = last;
                best = Some((action, plan));
            }
        }
        let Some((action, plan)) = best else { return cheapest.expect("some choice is legal").1 };
        self.plan = Some(plan);
        self.threshold = last;
        let others = Seat::all(table.view.game().seats()).filter(|&seat| seat != table.view.seat());
        self.planned_at += others.map(|seat| table.progress_of(seat)).sum::<u32>();
        action
    }
}

impl Situation<'_> {
    /// The paths with the fewest trains.
    fn fewest_trains(&self, from: CityId) -> Reach {
        let routes = self.view.game().routes();
        let length = |route: RouteId| match self.own.contains(route) {
            true => 0,
            false => routes[route.index()].length.into(),
        };
        self.roads.from(from, self.own | self.free, length)
    }

    /// The tickets whose cities both have a usable route.
    fn on_map(&self, tickets: TicketSet) -> TicketSet {
        let game = self.view.game();
        let ends = (self.own | self.free).into_iter().flat_map(|route| game.routes()[route.index()].ends);
        let cities: CitySet = ends.collect();
        let on_map = |ticket: &TicketId| {
            game.tickets()[ticket.index()].ends.into_iter().all(|city| cities.contains(city))
        };
        tickets.into_iter().filter(on_map).collect()
    }

    /// Joins the cities of all tickets: the two farthest are the seeds of two clusters, every other city is
    /// attached to the nearer one, and then the clusters are joined. `None` if no two of them can be
    /// joined.
    fn plan(&self, tickets: TicketSet) -> Option<Network> {
        let mut cities = CitySet::EMPTY;
        for ticket in self.on_map(tickets) {
            for city in self.view.game().tickets()[ticket.index()].ends {
                cities.insert(city);
            }
        }
        if cities.is_empty() {
            return Some(Network::default());
        }
        let reach: Vec<(CityId, Reach)> =
            cities.into_iter().map(|city| (city, self.fewest_trains(city))).collect();
        let mut farthest: Option<(u16, usize, usize)> = None;
        for (i, (_, from)) in reach.iter().enumerate() {
            for (j, (to, _)) in reach.iter().enumerate().skip(i + 1) {
                if let Some(cost) = from.cost(*to)
                    && cost > farthest.map_or(0, |(most, ..)| most)
                {
                    farthest = Some((cost, i, j));
                }
            }
        }
        let Some((_, start, end)) = farthest else {
            // All are joined already: nothing is needed, but the released program interprets that as having
            // no plan.
            let joined = reach.iter().all(|(city, _)| reach[0].1.cost(*city) == Some(0));
            return (joined && !self.is_coded()).then(Network::default);
        };
        let mut clusters = [vec![start], vec![end]];
        let mut roads = RouteSet::EMPTY;
        let mut nearest: Option<(u16, usize, usize)> = None;
        for (x, (_, from)) in reach.iter().enumerate().filter(|&(x, _)| x != start && x != end) {
            if !self.is_coded() {
                nearest = None; // the released program does not reset the distance of the previous city
            }
            for (side, cluster) in clusters.iter().enumerate() {
                for &y in cluster {
                    if let Some(cost) = from.cost(reach[y].0)
                        && nearest.is_none_or(|(least, ..)| cost < least)
                    {
                        nearest = Some((cost, side, y));
                    }
                }
            }
            let Some((_, side, y)) = nearest else {
                if self.is_coded() {
                    return None;
                }
                continue;
            };
            clusters[side].push(x);
            roads |= from.path(reach[y].0).unwrap_or_default().into_iter().collect();
        }
        let pairs = clusters[0].iter().flat_map(|&x| clusters[1].iter().map(move |&y| (x, y)));
        let joint = pairs.filter_map(|(x, y)| Some((reach[x].1.cost(reach[y].0)?, x, y))).min();
        if let Some((_, x, y)) = joint {
            roads |= reach[x].1.path(reach[y].0).unwrap_or_default().into_iter().collect();
        }
        Some(self.choose_tracks(roads - self.own))
    }

    /// Chooses between the two tracks of double routes: a colour that no other route needs, or that few
    /// need.
    fn choose_tracks(&self, roads: RouteSet) -> Network {
        let game = self.view.game();
        let tracks = |route| self.roads.tracks(game, route, self.free);
        let (single, double): (Vec<RouteId>, Vec<RouteId>) =
            roads.into_iter().partition(|&route| tracks(route).len() < 2);
        let mut plan = Network::default();
        for route in single.into_iter().chain(double) {
            let need = |&route: &RouteId| match game.route(route).colour {
                Some(colour) => plan.spaces[colour.index()],
                None => plan.grey,
            };
            let Some(id) = tracks(route).into_iter().min_by_key(need) else { continue };
            let route = game.route(id);
            match route.colour {
                Some(colour) => plan.spaces[colour.index()] += u16::from(route.length),
                None => plan.grey += u16::from(route.length),
            }
            plan.locomotives += u16::from(route.ferry);
            plan.points += u16::from(route.points);
            plan.routes.insert(id);
        }
        plan
    }

    /// Claims a route of the plan, grey ones only in colours that no other route needs; otherwise collects
    /// cards for it.
    fn follow(&self, plan: &Network) -> Option<Action> {
        let grey = |route: RouteId| self.view.game().routes()[route.index()].colour.is_none();
        let claim = self.claim(
            |route| plan.routes.contains(route).then_some(()),
            |route, colour| !grey(route) || !plan.needs(colour),
        );
        if claim.is_some() {
            return claim;
        }
        let face_up = self.options.face_up;
        let most = |kinds: &[CardKind], key: &dyn Fn(CardKind) -> u16| {
            let best = kinds.iter().copied().max_by_key(|&kind| key(kind));
            best.filter(|&kind| key(kind) > 0)
        };
        // Frequent among the face-up cards; locomotives count as a colour.
        let frequent = most(&CardKind::ALL, &|kind| self.view.market().count(kind).into());
        let needed = most(&CardKind::COLOURS, &|kind| plan.spaces[kind.index()]);
        let grey_most = needed.is_none_or(|colour| plan.grey > plan.spaces[colour.index()]);
        // The released program looks for the most needed colour in capital letters, and never finds it.
        let needed = needed.filter(|&colour| !self.is_coded() && face_up.count(colour) > 0);
        let ferries = |kind| kind == CardKind::Locomotive && plan.locomotives > 0;
        let frequent_needed = frequent.filter(|&kind| plan.needs(kind) || ferries(kind));
        let pair = frequent.filter(|&kind| grey_most && self.view.market().count(kind) > 1);
        let wanted = needed.or(frequent_needed).or(pair).filter(|&kind| face_up.count(kind) > 0);
        self.options.take(wanted)
    }

    /// Claims the longest route that the hand can pay for.
    fn claim_longest(&self) -> Option<Action> {
        let routes = self.view.game().routes();
        self.claim(|route| Some(routes[route.index()].length), |_, _| true)
    }
}
