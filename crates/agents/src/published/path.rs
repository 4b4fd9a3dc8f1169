//! Path: all dealt tickets, the routes of the most valuable first.

use ttr_engine::board::Action;
use ttr_engine::{CardKind, RouteId, RouteSet};

use super::{Situation, Strategy};
use crate::board::{trains_needed, uncompleted};

/// Claims the route of highest priority on the paths of all open tickets.
pub(super) struct ByPath;

/// Two cities to join directly, and the priority of doing so.
struct CityPair {
    priority: i32,
    tracks: RouteSet,
}

impl Strategy for ByPath {
    fn forget(&mut self) {}

    fn keep(&mut self, table: &Situation<'_>) -> Action {
        table.keep_all()
    }

    fn turn(&mut self, table: &Situation<'_>) -> Option<Action> {
        let mut targets = ticket_targets(table);
        if targets.is_empty() {
            targets = any_targets(table);
        }
        let priority = |route: RouteId| {
            let aims = targets.iter().filter(|target| target.tracks.contains(route));
            aims.map(|target| target.priority).max()
        };
        let most_held = |route, colour| {
            let tracks = table.roads.tracks(table.view.game(), route, table.free);
            !table.is_coded() || table.colour_to_play(tracks) == Some(colour)
        };
        table.claim(priority, most_held).or_else(|| {
            // The released program looks for "RED" among "red" and the like: it never takes a face-up card.
            let top = targets.iter().max_by_key(|target| target.priority).filter(|_| !table.is_coded())?;
            table.options.take(table.colour_to_collect(top.tracks))
        })
    }
}

/// The routes that the paths of all open tickets still need.
fn ticket_targets(table: &Situation<'_>) -> Vec<CityPair> {
    let game = table.view.game();
    let mut targets = Vec::new();
    for id in uncompleted(table.view) {
        let ticket = &game.tickets()[id.index()];
        let needed = trains_needed(table.view, table.roads, id, table.free);
        if !table.is_coded() && needed.is_none_or(|needed| needed > table.trains()) {
            continue;
        }
        let path = table.fewest_routes(ticket.ends, table.free).unwrap_or_default();
        for route in path.into_iter().filter(|&route| !table.own.contains(route) && table.affords(route)) {
            let tracks = table.roads.tracks(game, route, table.free);
            let priority = i32::from(game.route(route).points) + 2 * i32::from(ticket.points);
            targets.push(CityPair { priority, tracks });
        }
    }
    targets
}

/// Any route, once no ticket asks for one.
fn any_targets(table: &Situation<'_>) -> Vec<CityPair> {
    let target = |route: RouteId| {
        let points = i32::from(table.view.game().routes()[route.index()].points);
        // The released program lacks a sign, so the cheapest come first.
        let priority = if table.is_coded() { -points } else { points };
        CityPair { priority, tracks: RouteSet::only(route) }
    };
    table.free.into_iter().filter(|&route| table.affords(route)).map(target).collect()
}

impl Situation<'_> {
    /// Returns `true` if there are enough trains for a route; the released program requires that one is
    /// left.
    fn affords(&self, route: RouteId) -> bool {
        let length = u16::from(self.view.game().routes()[route.index()].length);
        if self.is_coded() { length < self.trains() } else { length <= self.trains() }
    }

    /// The colour that pays for one of these tracks and that the hand has most of.
    fn colour_to_play(&self, tracks: RouteSet) -> Option<CardKind> {
        let colours = tracks.into_iter().map(|route| self.view.game().routes()[route.index()].colour);
        let grey = colours.clone().any(|colour| colour.is_none());
        let pays = |kind: &CardKind| grey || colours.clone().any(|colour| colour == Some(*kind));
        let colours = CardKind::COLOURS.into_iter().filter(pays);
        colours.reduce(
            |best, next| {
                if self.view.hand().count(next) > self.view.hand().count(best) { next } else { best }
            },
        )
    }
}
