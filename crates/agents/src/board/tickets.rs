//! How a seat's tickets stand, and which offered ones to keep.

use std::ops::ControlFlow;

use ttr_engine::board::network::Components;
use ttr_engine::board::{Action, Observation};
use ttr_engine::{RouteSet, TicketId, TicketSet, View};

use super::{Path, Roads};

/// How the tickets of the seat that looks stand.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tickets {
    /// Completed by own routes.
    pub(crate) done: TicketSet,
    /// Not completed, but the cities can still be joined.
    pub(crate) open: TicketSet,
}

impl Tickets {
    /// Sorts held tickets: open are those that a way over own routes and those of `usable` could complete, with no
    /// more than `trains` trains.
    pub(crate) fn sort(view: &Observation<'_>, roads: &Roads, usable: RouteSet, trains: u16) -> Self {
        let mut tickets = Self::default();
        let joined = own_network(view);
        for ticket in view.tickets() {
            let [a, b] = view.game().tickets()[ticket.index()].ends;
            if joined.joined(a.0, b.0) {
                tickets.done.insert(ticket);
            } else if way(view, roads, ticket, usable).is_some_and(|path| path.cost <= trains) {
                tickets.open.insert(ticket);
            }
        }
        tickets
    }
}

/// The way that completes a ticket with the fewest trains, over own routes and others.
pub(crate) fn way(view: &Observation<'_>, roads: &Roads, ticket: TicketId, others: RouteSet) -> Option<Path> {
    let (game, own) = (view.game(), view.routes(view.seat()));
    let [a, b] = game.tickets()[ticket.index()].ends;
    let length = |route| if own.contains(route) { 0 } else { game.routes()[route.index()].length.into() };
    roads.path(a, b, own | others, length)
}

/// The cities that own routes join.
pub(crate) fn own_network(view: &Observation<'_>) -> Components {
    let mut components = Components::default();
    for route in view.routes(view.seat()) {
        let [a, b] = view.game().routes()[route.index()].ends;
        components.join(a.0, b.0);
    }
    components
}

/// Keeps the offered tickets that score best, the first of equals.
pub(crate) fn best_keep<S: PartialOrd>(
    view: &Observation<'_>,
    mut score: impl FnMut(TicketSet) -> S,
) -> Action {
    let offered = view.offered();
    let mut best: Option<(S, Action)> = None;
    let _ = view.legal_actions(|action| {
        if let Action::Keep(choice) = action {
            let members = offered.into_iter().enumerate().filter(|&(i, _)| choice >> i & 1 != 0);
            let score = score(members.map(|(_, ticket)| ticket).collect());
            if best.as_ref().is_none_or(|(most, _)| score > *most) {
                best = Some((score, action));
            }
        }
        ControlFlow::<()>::Continue(())
    });
    best.expect("some choice is legal").1
}
