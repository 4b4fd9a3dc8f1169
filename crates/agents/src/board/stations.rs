//! The best place for a station.

use std::ops::ControlFlow;

use ttr_engine::board::network::Components;
use ttr_engine::board::{Action, Observation};
use ttr_engine::{CityId, Game, RouteSet, Seat, TicketSet, View};

use super::tickets::{own_network, points, uncompleted};

/// Number of trains from which on the network is as good as finished, and stations are considered.
const TRAINS_FOR_STATIONS: u8 = 5;

/// Near the end of the game: the station that raises the score most, and by how much.
pub(crate) fn best_station(view: &Observation<'_>) -> Option<(u16, Action)> {
    let rules = view.game().spec().rules.stations.as_ref()?;
    let lost = uncompleted(view);
    let early = view.final_turns().is_none() && view.trains(view.seat()) > TRAINS_FOR_STATIONS;
    if early || lost.is_empty() {
        return None;
    }
    let others = Seat::all(view.game().seats()).filter(|&seat| seat != view.seat());
    let theirs = others.fold(RouteSet::EMPTY, |all, seat| all | view.routes(seat));
    // Do not buy again what existing stations already provide.
    let mut network = own_network(view);
    for city in view.stations(view.seat()) {
        if let Some((_, [a, b])) = best_loan(view, &network, lost, theirs, city) {
            network.join(a, b);
        }
    }
    let mut best = None;
    let mut payment_of_all = None;
    let _ = view.legal_actions(|action| {
        let Action::BuildStation { city, payment } = action else { return ControlFlow::Continue(()) };
        // Sites with the same payment are listed together, and those without locomotives come first.
        if *payment_of_all.get_or_insert(payment) != payment {
            return ControlFlow::Break(());
        }
        if let Some((won, _)) = best_loan(view, &network, lost, theirs, city) {
            let gain = (2 * won).saturating_sub(rules.unbuilt_points.into());
            if gain > best.map_or(0, |(most, _)| most) {
                best = Some((gain, action));
            }
        }
        ControlFlow::Continue(())
    });
    best
}

/// The route of another seat at a city that wins the greatest value of lost tickets: this value, and the
/// route's ends.
fn best_loan(
    view: &Observation<'_>,
    network: &Components,
    lost: TicketSet,
    theirs: RouteSet,
    city: CityId,
) -> Option<(u16, [CityId; 2])> {
    let game = view.game();
    let ends = theirs.into_iter().map(|route| game.route(route).ends);
    let loans = ends.filter(|ends| ends.contains(&city)).map(|ends| {
        let mut network = network.clone();
        let before = network.clone();
        network.join(ends[0], ends[1]);
        let won = lost.into_iter().filter(|&ticket| {
            let [a, b] = game.ticket(ticket).ends;
            network.joined(a, b) && !before.joined(a, b)
        });
        (points(view, won.collect()), ends)
    });
    loans.max_by_key(|&(won, _)| won).filter(|&(won, _)| won > 0)
}
