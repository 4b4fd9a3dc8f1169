//! What to do with a turn.

use ttr_engine::board::{Action, Observation, Payment, Phase};
use ttr_engine::{CardKind, CityId, RouteId, RouteSet, Seat, TicketSet};

use crate::planner::Planner;
use crate::planner::atlas::Track;
use crate::planner::plan;
use crate::planner::roads::Roads;

impl Planner {
    /// Turns that this seat has left, this one included, if all go on as they are likely to.
    pub(super) fn turns_left(&self, view: &Observation<'_>) -> f64 {
        if view.final_turns().is_some() {
            return 1.0;
        }
        let w = &self.weights;
        let turns = |seat: Seat| {
            let trains = f64::from(view.trains(seat).saturating_sub(self.atlas.rules.end_trains));
            let cards = trains * w.waste - f64::from(view.hand_size(seat));
            cards.max(0.0) / 2.0 + trains / w.stride + 1.0
        };
        Seat::all(self.atlas.seats).map(turns).fold(f64::MAX, f64::min)
    }

    /// Brings plan and needs up to date in the middle of a turn; a playout may begin there.
    pub(super) fn catch_up(&mut self, view: &Observation<'_>) {
        if self.planned_for.is_none() {
            self.follow(view);
            self.choose_fill(view);
        }
        self.count_needs(view);
    }

    pub(super) fn take_turn(&mut self, view: &Observation<'_>) -> Action {
        self.follow(view);
        let turns = self.turns_left(view);
        self.choose_fill(view);
        self.count_needs(view);
        if turns <= 1.0 {
            return self.last_turn(view);
        }

        let w = &self.weights;
        let needed = self.plan.turns(&self.atlas, w, view.hand());
        let hurried = turns - needed < w.hurry || turns < 4.0;
        let mut best = (self.worth_of_draw(view) * w.draw, Action::Pass);
        for route in self.wanted(view, hurried) {
            if let Some((worth, action)) = self.worth_of_claim(view, route, hurried)
                && worth > best.0
            {
                best = (worth, action);
            }
        }
        if let Some(station) = self.station(view, hurried)
            && (best.1 == Action::Pass || self.plan.routes.is_empty())
        {
            return station;
        }
        if best.1 == Action::Pass
            && turns >= w.draw_before
            && f64::from(self.plan.trains) <= w.unfinished
            && self.worth_of_tickets(view) > w.turn
        {
            return Action::DrawTickets;
        }
        if self.atlas.rules.journey.is_some() && self.plan.pursued.is_empty() && view.ticket_deck_size() > 0 {
            return Action::SwapTickets;
        }
        match best.1 {
            Action::Pass => self.draw(view),
            action => self.depot_before(view, action).unwrap_or(action),
        }
    }

    /// Begins to draw cards, or does whatever is possible.
    fn draw(&self, view: &Observation<'_>) -> Action {
        let blind = view.deck_size() > 0 || !view.discard().is_empty();
        if self.atlas.rules.depots && blind {
            return self.store(view);
        }
        self.take_card(view, false)
    }

    /// Routes to look at for a claim.
    fn wanted(&self, view: &Observation<'_>, hurried: bool) -> RouteSet {
        let open = view.open_routes(view.seat()) & RouteSet::first(self.atlas.routes.len());
        if hurried && self.atlas.rules.journey.is_none() {
            return open;
        }
        let planned = self.plan.routes | self.fill;
        let twins =
            planned.into_iter().filter_map(|route| self.atlas.track(route).twin).collect::<RouteSet>();
        (planned | twins) & open
    }

    /// What claiming a route now is worth, next to drawing cards; none if it can't be paid for.
    fn worth_of_claim(&self, view: &Observation<'_>, route: RouteId, hurried: bool) -> Option<(f64, Action)> {
        let w = &self.weights;
        let track = self.atlas.track(route);
        let hand = view.hand();
        let (payment, harm) = self.needs.pay(&self.atlas, w, hand, route)?;
        if track.tunnel && !hurried {
            let colour = payment.colour.map_or(0, |colour| hand.count(colour));
            let spare = colour + hand.locomotives() - track.length();
            if f64::from(spare) < w.tunnel_slack {
                return None;
            }
        }
        let for_ticket = |route: RouteId| {
            self.plan.routes.contains(route) || track.twin.is_some_and(|twin| self.plan.routes.contains(twin))
        };
        let mut worth = w.ready - harm;
        if for_ticket(route) {
            let rivals = Seat::all(self.atlas.seats)
                .filter(|&seat| seat != view.seat())
                .filter(|&seat| {
                    let near = self.atlas.at_city[usize::from(track.ends[0])]
                        | self.atlas.at_city[usize::from(track.ends[1])];
                    near.intersects(view.routes(seat))
                })
                .count();
            worth += w.contest * f64::from(track.detour) * (1.0 + w.rivals * rivals as f64);
            if hurried {
                let share = 2.0 * self.points(self.plan.pursued) / self.plan.routes.len() as f64;
                worth += w.share * share + f64::from(track.points);
            }
        } else if hurried {
            let left = view.trains(view.seat()) - self.plan.trains.min(view.trains(view.seat()));
            if track.length() > left {
                return None;
            }
            worth += f64::from(track.points) - w.pointless;
        }
        if w.block > 0.0 && self.atlas.seats == 2 {
            worth += w.block * self.spoils(view, track);
        }
        let left = view.trains(view.seat()) - track.length();
        if left <= self.atlas.rules.end_trains && view.final_turns().is_none() {
            worth += w.finish * self.lead(view).clamp(-30.0, 30.0) / 10.0;
        }
        Some((worth, Action::Claim { route, payment }))
    }

    /// How much a route would be missed by the other seat: trains of detour between two cities of its network.
    fn spoils(&self, view: &Observation<'_>, track: &Track) -> f64 {
        let other = view.routes(view.seat().next(self.atlas.seats));
        let near = |city: u8| self.atlas.at_city[usize::from(city)].intersects(other);
        if near(track.ends[0]) && near(track.ends[1]) { f64::from(track.detour) } else { 0.0 }
    }

    /// By how much this seat leads, as far as it can tell.
    fn lead(&self, view: &Observation<'_>) -> f64 {
        let own = f64::from(view.points(view.seat())) + self.points(self.plan.completed)
            - self.points(self.plan.pursued | self.plan.given_up);
        let others = Seat::all(self.atlas.seats).filter(|&seat| seat != view.seat());
        let best = others
            .map(|seat| {
                let tickets = f64::from(view.ticket_count(seat).unwrap_or(2));
                f64::from(view.points(seat)) + self.weights.their_ticket * tickets
            })
            .fold(f64::MIN, f64::max);
        own - best
    }

    /// Chooses routes beyond the tickets for the trains that these leave over.
    fn choose_fill(&mut self, view: &Observation<'_>) {
        self.fill = RouteSet::EMPTY;
        if self.atlas.rules.journey.is_some() {
            return;
        }
        let w = &self.weights;
        let mut left = view.trains(view.seat()).saturating_sub(self.plan.trains);
        let hand = view.hand();
        let network = view.routes(view.seat()) | self.plan.routes;
        let cities = self.atlas.touched(network);
        let open = view.open_routes(view.seat()) & RouteSet::first(self.atlas.routes.len());
        let most_held = CardKind::COLOURS.map(|colour| hand.count(colour)).into_iter().max().unwrap_or(0);
        let mut rated = arrayvec::ArrayVec::<(f64, RouteId), { RouteSet::CAPACITY }>::new();
        for route in open - self.plan.routes {
            let track = self.atlas.track(route);
            if f64::from(track.length()) < w.fill_length && left > 6 {
                continue;
            }
            if track.twin.is_some_and(|twin| self.plan.routes.contains(twin)) {
                continue;
            }
            let fitting = match track.colour {
                Some(colour) => hand.count(colour),
                None => most_held,
            };
            let wild = if track.price.locomotives { hand.locomotives() } else { 0 };
            let missing = track.length().saturating_sub(fitting + wild);
            let turns = 1.0 + w.missing * f64::from(missing);
            let ends = (cities >> track.ends[0] & 1) + (cities >> track.ends[1] & 1);
            let rate = w.fill_point * f64::from(track.points)
                - w.fill_train * f64::from(track.length())
                - w.fill_turn * turns
                + if self.atlas.rules.longest_path > 0 && ends > 0 { w.fill_join } else { 0.0 };
            rated.push((rate, route));
        }
        rated.sort_by(|a, b| b.0.total_cmp(&a.0));
        if self.atlas.rules.longest_path > 0 && w.longest > 0.0 {
            for (rate, route) in rated.iter_mut().take(8) {
                *rate += w.longest * f64::from(self.trail.gain(&self.atlas, network, *route));
            }
        }
        for _ in 0..4 {
            let best = rated
                .iter()
                .filter(|(_, route)| self.atlas.track(*route).length() <= left && !self.fill.contains(*route))
                .max_by(|a, b| a.0.total_cmp(&b.0));
            let Some(&(_, route)) = best else { break };
            left -= self.atlas.track(route).length();
            self.fill.insert(route);
        }
    }

    /// A station that the plan asks for, once the rest of the plan is there or time runs out.
    fn station(&self, view: &Observation<'_>, hurried: bool) -> Option<Action> {
        if self.plan.borrowed.is_empty() || !(self.plan.routes.is_empty() || hurried) {
            return None;
        }
        let built = self.atlas.rules.stations - plan::stations_left(&self.atlas, view);
        let has_station = |city: &CityId| view.stations(view.seat()).any(|own| own == *city);
        for route in self.plan.borrowed {
            let ends = self.atlas.track(route).ends.map(CityId);
            if ends.iter().any(has_station) {
                continue;
            }
            for city in ends {
                if self.is_free(view, city)
                    && let Some(payment) = self.station_payment(view, built + 1)
                {
                    return Some(Action::BuildStation { city, payment });
                }
            }
        }
        None
    }

    pub(super) fn is_free(&self, view: &Observation<'_>, city: CityId) -> bool {
        Seat::all(self.atlas.seats)
            .all(|seat| view.stations(seat).chain(view.depots(seat)).all(|built| built != city))
    }

    /// The least harmful cards for a station.
    fn station_payment(&self, view: &Observation<'_>, cards: u8) -> Option<Payment> {
        let hand = view.hand();
        let spare =
            |colour: CardKind| i16::from(hand.count(colour)) - i16::from(self.needs.asked[colour.index()]);
        let colour = CardKind::COLOURS
            .into_iter()
            .filter(|&colour| hand.count(colour) >= cards)
            .max_by_key(|&colour| spare(colour));
        if let Some(colour) = colour {
            return Some(Payment { colour: Some(colour), locomotives: 0, sets: 0 });
        }
        let (colour, held) = CardKind::COLOURS
            .map(|colour| (colour, hand.count(colour)))
            .into_iter()
            .max_by_key(|&(_, held)| held)?;
        let locomotives = cards - held;
        (locomotives <= hand.locomotives()).then_some(Payment {
            colour: (held > 0).then_some(colour),
            locomotives,
            sets: 0,
        })
    }

    /// The last turn: whatever brings the most points at once.
    fn last_turn(&mut self, view: &Observation<'_>) -> Action {
        let seat = view.seat();
        let open = view.open_routes(seat) & RouteSet::first(self.atlas.routes.len());
        let mut roads = Roads::closed();
        roads.pave(view.routes(seat));
        let unfinished = self.unfinished(&roads, view.tickets());
        let mut best = (0.0, Action::Pass);
        for route in open {
            if let Some((payment, _)) = self.needs.pay(&self.atlas, &self.weights, view.hand(), route) {
                let cost = roads.cost[route.index()];
                roads.cost[route.index()] = 0;
                let done = unfinished - self.unfinished(&roads, unfinished);
                roads.cost[route.index()] = cost;
                let worth = f64::from(self.atlas.track(route).points) + 2.0 * self.points(done);
                if worth > best.0 {
                    best = (worth, Action::Claim { route, payment });
                }
            }
        }
        let tickets = self.worth_of_tickets(view);
        if tickets > best.0 {
            best = (tickets, Action::DrawTickets);
        }
        let unbuilt = f64::from(self.atlas.rules.unbuilt_station);
        for route in self.plan.borrowed {
            let cost = roads.cost[route.index()];
            roads.cost[route.index()] = 0;
            let done = unfinished - self.unfinished(&roads, unfinished);
            roads.cost[route.index()] = cost;
            let worth = 2.0 * self.points(done) - unbuilt;
            if worth > best.0
                && let Some(station) = self.station(view, true)
            {
                best = (worth, station);
            }
        }
        match best.1 {
            Action::Pass => self.draw(view),
            action => action,
        }
    }

    fn unfinished(&self, roads: &Roads, tickets: TicketSet) -> TicketSet {
        let open = |ticket: &ttr_engine::TicketId| {
            let [a, b] = self.atlas.errand(*ticket).ends;
            roads.reach(&self.atlas, a) >> b & 1 == 0
        };
        tickets.into_iter().filter(open).collect()
    }

    fn points(&self, tickets: TicketSet) -> f64 {
        tickets.into_iter().map(|ticket| f64::from(self.atlas.errand(ticket).points)).sum()
    }

    /// Pays a tunnel's surcharge unless it costs more than the route is worth.
    pub(super) fn pay_tunnel(&self, view: &Observation<'_>, extra: u8) -> Action {
        let Some((claim, ..)) = view.pending() else { return Self::any(view) };
        let hand = view.hand();
        let held = claim.payment.colour.map_or(0, |colour| hand.count(colour));
        let locomotives = extra.saturating_sub(held);
        if locomotives > hand.locomotives() {
            return Action::DeclineTunnel;
        }
        let points = f64::from(self.atlas.track(claim.route).points);
        let late = self.turns_left(view) < 5.0;
        if !late && f64::from(extra + locomotives) > self.weights.tunnel_extra + points / 4.0 {
            return Action::DeclineTunnel;
        }
        Action::PayTunnel { locomotives }
    }

    /// Puts the cards into substitute sets that the plan needs least.
    pub(super) fn add_to_sets(&self, view: &Observation<'_>, kind: CardKind, due: u8) -> Action {
        let hand = view.hand();
        let later = || CardKind::ALL[kind.index() + 1..].iter().copied();
        let spare = |kind: CardKind| match kind {
            CardKind::Locomotive => 0,
            kind => hand.count(kind).saturating_sub(self.needs.asked[kind.index()]),
        };
        let after: u8 = later().map(|kind| hand.count(kind)).sum();
        let (least, most) = (due.saturating_sub(after), due.min(hand.count(kind)));
        let count = spare(kind).clamp(least, most);
        debug_assert!(matches!(view.phase(), Phase::Sets { .. }));
        Action::AddToSets { kind, count }
    }
}
