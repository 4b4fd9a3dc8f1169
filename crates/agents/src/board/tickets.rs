//! State of a seat's tickets, and which offered tickets to keep.

use std::ops::ControlFlow;

use ttr_engine::board::network::Components;
use ttr_engine::board::{Action, Observation};
use ttr_engine::{RouteSet, TicketId, TicketSet, View};

use super::Roads;

/// The cities joined by the seat's own routes.
pub(crate) fn own_network(view: &Observation<'_>) -> Components {
    let mut components = Components::default();
    for route in view.routes(view.seat()) {
        let [a, b] = view.game().route(route).ends;
        components.join(a, b);
    }
    components
}

/// The held tickets that the seat's own routes do not complete.
pub(crate) fn uncompleted(view: &Observation<'_>) -> TicketSet {
    let network = own_network(view);
    let joined = |&ticket: &TicketId| {
        let [a, b] = view.game().ticket(ticket).ends;
        network.joined(a, b)
    };
    view.tickets().into_iter().filter(|ticket| !joined(ticket)).collect()
}

/// Number of trains needed to complete a ticket with the seat's own routes and other usable ones; `None` if
/// they do not join its cities.
pub(crate) fn trains_needed(
    view: &Observation<'_>,
    roads: &Roads,
    ticket: TicketId,
    others: RouteSet,
) -> Option<u16> {
    let (game, own) = (view.game(), view.routes(view.seat()));
    let [a, b] = game.tickets()[ticket.index()].ends;
    let length = |route| if own.contains(route) { 0 } else { game.routes()[route.index()].length.into() };
    roads.from(a, own | others, length).cost(b)
}

/// Returns `true` if a held ticket is not completed but still can be: there are enough trains for a path
/// over open routes.
pub(crate) fn any_open_ticket(view: &Observation<'_>, roads: &Roads) -> bool {
    let (open, trains) = (view.open_routes(view.seat()), view.trains(view.seat()));
    uncompleted(view)
        .into_iter()
        .any(|ticket| trains_needed(view, roads, ticket, open).is_some_and(|needed| needed <= trains.into()))
}

/// Visits the choices among the offered tickets, in the order of [`View::legal_actions`].
pub(crate) fn each_keep(view: &Observation<'_>, mut visit: impl FnMut(Action, TicketSet)) {
    let offered = view.offered();
    let _ = view.legal_actions(|action| {
        if let Action::Keep(choice) = action {
            let members = offered.into_iter().enumerate().filter(|&(i, _)| choice >> i & 1 != 0);
            visit(action, members.map(|(_, ticket)| ticket).collect());
        }
        ControlFlow::<()>::Continue(())
    });
}

/// Lists these choices.
pub(crate) fn keeps(view: &Observation<'_>) -> Vec<(Action, TicketSet)> {
    let mut keeps = Vec::new();
    each_keep(view, |action, kept| keeps.push((action, kept)));
    keeps
}

/// Keeps the offered tickets that score best, the first of equals.
pub(crate) fn best_keep<S: PartialOrd>(
    view: &Observation<'_>,
    mut score: impl FnMut(TicketSet) -> S,
) -> Action {
    let mut best: Option<(S, Action)> = None;
    each_keep(view, |action, kept| {
        let score = score(kept);
        if best.as_ref().is_none_or(|(most, _)| score > *most) {
            best = Some((score, action));
        }
    });
    best.expect("some choice is legal").1
}

/// The total value of tickets.
pub(crate) fn points(view: &Observation<'_>, tickets: TicketSet) -> u16 {
    tickets.into_iter().map(|ticket| u16::from(view.game().tickets()[ticket.index()].points)).sum()
}
