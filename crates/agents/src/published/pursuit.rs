//! One-Step and Long-Route: one ticket at a time, and of the path that completes it one route at a time.

use ttr_engine::board::Action;
use ttr_engine::spec::LocomotiveUse;
use ttr_engine::{CardKind, CityId, Game, RouteId, RouteSet, Seat, TicketId, TicketSet};

use super::{Situation, Strategy, Variant};
use crate::board::{Path, best_keep, points, trains_needed, uncompleted};

/// Fewest trains that every seat must have for new tickets to be worth drawing.
const TIME_FOR_TICKETS: u8 = 8;
/// Number of trains that the released program assumes for a ticket, since it considers every ticket out of
/// reach.
const OUT_OF_REACH: u16 = 50;

/// Follows one objective after the other.
pub(super) struct Pursuit {
    style: Preference,
    plan: Intention,
    /// The progress of all seats at the time of the plan.
    planned_at: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Preference {
    OneStep,
    LongRoute,
}

#[derive(Clone, Copy)]
enum Intention {
    /// The next route of a ticket.
    Claim(Objective),
    DrawTickets,
    /// The longest route.
    Longest(Option<Objective>),
}

/// Two cities to join directly.
#[derive(Clone, Copy)]
struct Objective {
    /// The tracks between them.
    tracks: RouteSet,
    /// The colour to collect for it; `None` if any colour will do.
    colour: Option<CardKind>,
}

impl Pursuit {
    pub(super) fn one_step() -> Self {
        Self { style: Preference::OneStep, plan: Intention::Longest(None), planned_at: None }
    }

    pub(super) fn long_route() -> Self {
        Self { style: Preference::LongRoute, plan: Intention::Longest(None), planned_at: None }
    }

    /// The routes available for paths.
    fn usable(&self, table: &Situation<'_>) -> RouteSet {
        let shortest = match self.style {
            Preference::OneStep => 0,
            Preference::LongRoute => 3.min(table.trains()),
        };
        let long = |route: &RouteId| u16::from(table.view.game().routes()[route.index()].length) >= shortest;
        table.free.into_iter().filter(long).collect()
    }

    fn make_plan(&self, table: &Situation<'_>) -> Intention {
        if let Some(objective) = self.next_of_best_ticket(table) {
            return Intention::Claim(objective);
        }
        let seats = Seat::all(table.view.game().seats());
        if self.style == Preference::OneStep
            && table.options.tickets
            && seats.map(|seat| table.view.trains(seat)).min() >= Some(TIME_FOR_TICKETS)
        {
            return Intention::DrawTickets;
        }
        Intention::Longest(self.longest_route(table))
    }

    /// The first unclaimed route on the path of the most valuable ticket that can be completed.
    fn next_of_best_ticket(&self, table: &Situation<'_>) -> Option<Objective> {
        let usable = self.usable(table);
        let mut best: Option<(u8, TicketId)> = None;
        for ticket in uncompleted(table.view) {
            let needed = trains_needed(table.view, table.roads, ticket, usable);
            if needed.is_some_and(|needed| table.is_coded() || needed <= table.trains()) {
                let points = table.view.game().tickets()[ticket.index()].points;
                if best.is_none_or(|(most, _)| points > most) {
                    best = Some((points, ticket));
                }
            }
        }
        let ends = table.view.game().tickets()[best?.1.index()].ends;
        let path = table.fewest_routes(ends, usable)?;
        let route = path.into_iter().find(|&route| !table.own.contains(route))?;
        let tracks = table.roads.tracks(table.view.game(), route, usable);
        Some(Objective { tracks, colour: table.colour_to_collect(tracks) })
    }

    /// The longest route that there are enough trains for; of equals the one that is closest to being paid
    /// for.
    fn longest_route(&self, table: &Situation<'_>) -> Option<Objective> {
        let routes = table.view.game().routes();
        let open = table.view.open_routes(table.view.seat());
        let key = |route: &RouteId| (routes[route.index()].length, self.nearness(table, *route));
        let best = open.into_iter().reduce(|best, next| if key(&next) > key(&best) { next } else { best })?;
        let tracks = table.roads.tracks(table.view.game(), best, open);
        let colour = match routes[best.index()].colour {
            None if table.is_coded() => None, // it compares a card with a pair, and never finds one
            None => table.colour_to_collect(tracks),
            colour => colour,
        };
        Some(Objective { tracks, colour })
    }

    fn nearness(&self, table: &Situation<'_>, route: RouteId) -> i32 {
        let route = &table.view.game().routes()[route.index()];
        let hand = table.view.hand();
        let length = i32::from(route.length);
        let most = hand.colours().map(|(_, count)| i32::from(count)).max().unwrap_or(0);
        let held = route.colour.map_or(most, |colour| hand.count(colour).into());
        let grey = route.colour.is_none();
        if held >= length {
            return if grey && self.style == Preference::LongRoute { 15 } else { 10 };
        }
        if held + i32::from(hand.locomotives()) >= length {
            return 9;
        }
        // The released program counts the most frequent colour, whatever the route asks for.
        9 + i32::from(grey) - length + if table.is_coded() { most } else { held }
    }

    /// Keeps the tickets with the most points per train, if there are enough trains for them; else those
    /// that cost least to fail.
    fn best_value(&self, table: &Situation<'_>) -> Action {
        let usable = self.usable(table);
        best_keep(table.view, |kept| {
            let (mut value, mut trains) = (0, 0);
            for ticket in kept {
                let points = i32::from(table.view.game().tickets()[ticket.index()].points);
                // It asks the wrong object for a path, and interprets the error as "there is none".
                match trains_needed(table.view, table.roads, ticket, usable).filter(|_| !table.is_coded()) {
                    Some(needed) => (value, trains) = (value + points, trains + needed),
                    None => (value, trains) = (value - points, trains + OUT_OF_REACH),
                }
            }
            let fits = trains <= table.trains();
            let ratio = f64::from(value) / f64::from(trains.max(1));
            (fits && ratio > 0.0, if fits { ratio } else { 0.0 }, -i32::from(points(table.view, kept)))
        })
    }
}

impl Strategy for Pursuit {
    fn forget(&mut self) {
        self.plan = Intention::Longest(None);
        self.planned_at = None;
    }

    fn keep(&mut self, table: &Situation<'_>) -> Action {
        self.planned_at = None;
        match self.style {
            Preference::OneStep if table.is_opening() => table.keep_all(),
            _ => self.best_value(table),
        }
    }

    fn turn(&mut self, table: &Situation<'_>) -> Option<Action> {
        let progress = table.progress();
        if self.planned_at.is_none_or(|then| then < progress) {
            self.plan = self.make_plan(table);
            self.planned_at = Some(progress);
        }
        match self.plan {
            Intention::Claim(objective) if table.is_coded() => table.pursue(objective),
            Intention::Claim(Objective { tracks, .. }) => {
                // The colour to collect depends on the hand, and the hand has changed.
                table.pursue(Objective { tracks, colour: table.colour_to_collect(tracks) })
            }
            Intention::DrawTickets => {
                self.planned_at = None;
                table.options.tickets.then_some(Action::DrawTickets)
            }
            Intention::Longest(objective) if table.is_coded() => objective.and_then(|o| table.pursue(o)),
            Intention::Longest(_) => self.longest_route(table).and_then(|objective| table.pursue(objective)),
        }
    }
}

impl Situation<'_> {
    /// A path with the fewest routes. To the released program its own routes are steps like any other.
    pub(super) fn fewest_routes(&self, [from, to]: [CityId; 2], usable: RouteSet) -> Option<Path> {
        match self.variant {
            Variant::Coded { own_last: true } => self.roads.meet(from, to, usable, self.own),
            Variant::Coded { own_last: false } => {
                self.roads.meet(from, to, usable | self.own, RouteSet::EMPTY)
            }
            Variant::Intended => {
                let step = |route| u16::from(!self.own.contains(route));
                self.roads.from(from, self.own | usable, step).path(to)
            }
        }
    }

    /// The colour that pays for one of these tracks and that the hand has most of; of equals, one that lies
    /// face up.
    pub(super) fn colour_to_collect(&self, tracks: RouteSet) -> Option<CardKind> {
        let colours = tracks.into_iter().map(|route| self.view.game().routes()[route.index()].colour);
        let grey = colours.clone().any(|colour| colour.is_none());
        let kinds = match (grey, self.is_coded()) {
            (true, true) => CardKind::ALL.as_slice(), // it counts locomotives as a colour
            _ => CardKind::COLOURS.as_slice(),
        };
        let pays = |kind: &CardKind| grey || colours.clone().any(|colour| colour == Some(*kind));
        let (hand, market) = (self.view.hand(), self.view.market());
        let key = |kind: &CardKind| (hand.count(*kind), !self.is_coded() && market.count(*kind) > 0);
        kinds
            .iter()
            .copied()
            .filter(pays)
            .reduce(|best, next| if key(&next) > key(&best) { next } else { best })
    }

    /// Claims the objective, or collects cards for it.
    fn pursue(&self, objective: Objective) -> Option<Action> {
        self.claim_any(objective.tracks).or_else(|| self.collect_for(objective))
    }

    /// Takes the colour if it lies face up, else a locomotive that does, else a blind card.
    fn collect_for(&self, objective: Objective) -> Option<Action> {
        let face_up = self.options.face_up;
        let colour = objective.colour.filter(|&colour| face_up.count(colour) > 0);
        let locomotive = self.is_coded() || self.takes_locomotives(objective.tracks);
        self.options.take(colour.or(locomotive.then_some(CardKind::Locomotive)))
    }

    /// Returns `true` if locomotives can be played on one of these tracks.
    pub(super) fn takes_locomotives(&self, tracks: RouteSet) -> bool {
        self.view.game().spec().rules.claim.locomotives == LocomotiveUse::Anywhere
            || tracks.into_iter().any(|route| {
                let route = &self.view.game().routes()[route.index()];
                route.tunnel || route.ferry > 0
            })
    }

    pub(super) fn is_opening(&self) -> bool {
        matches!(self.view.phase(), ttr_engine::board::Phase::Opening { .. })
    }

    /// Keeps as many of the offered tickets as allowed, the most valuable ones if not all.
    pub(super) fn keep_all(&self) -> Action {
        best_keep(self.view, |kept: TicketSet| (kept.len(), points(self.view, kept)))
    }
}
