//! Shared by the board agents: paths on the map, claims worth considering, and habits for decisions that no
//! plan covers.

mod claims;
mod habits;
mod options;
mod roads;
mod stations;
mod tickets;

pub(crate) use claims::{Claim, best_claim, thrift};
pub(crate) use habits::{habit, pay_tunnel};
pub(crate) use options::Options;
pub(crate) use roads::Path;
pub use roads::{Reach, Roads};
pub(crate) use stations::best_station;
pub(crate) use tickets::{
    any_open_ticket, best_keep, keeps, own_network, points, trains_needed, uncompleted,
};

use ttr_engine::board::Observation;
use ttr_engine::{Game, RouteId, RouteSet, Seat};

/// The routes that a seat could claim if it had trains and cards for them.
pub(crate) fn free_routes(view: &Observation<'_>, seat: Seat) -> RouteSet {
    let game = view.game();
    let both_tracks = view.game().seats() >= game.spec().rules.claim.both_tracks_from.into();
    let free = |route: RouteId| {
        let twin_owner = game.routes()[route.index()].twin.and_then(|twin| view.owner(twin));
        let closed = twin_owner.is_some_and(|owner| !both_tracks || owner == seat); // CC-19, CC-20
        view.owner(route).is_none() && !closed
    };
    game.route_ids().filter(|&route| free(route)).collect()
}
