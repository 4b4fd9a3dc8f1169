//! Growth of a network's longest path by further routes.

use arrayvec::ArrayVec;
use ttr_engine::board::network::{Edge, longest_trail};
use ttr_engine::{CityId, RouteId, RouteSet};

use crate::planner::atlas::{Atlas, ROUTES};

/// Longest paths of a network and of the network with one more route, each computed on first use.
#[derive(Clone, Debug)]
pub(super) struct Trail {
    network: RouteSet,
    length: u16,
    known: RouteSet,
    gains: [u8; ROUTES],
}

impl Default for Trail {
    fn default() -> Self {
        Self { network: RouteSet::EMPTY, length: 0, known: RouteSet::EMPTY, gains: [0; ROUTES] }
    }
}

impl Trail {
    /// Number of trains that the longest path of a network gains by a route.
    pub(super) fn gain(&mut self, atlas: &Atlas, network: RouteSet, route: RouteId) -> u8 {
        if self.network != network {
            self.network = network;
            self.length = longest(atlas, network);
            self.known = RouteSet::EMPTY;
        }
        if !self.known.contains(route) {
            self.known.insert(route);
            let longer = if atlas.beside(RouteSet::only(route)).intersects(network) {
                longest(atlas, network | RouteSet::only(route))
            } else {
                self.length.max(atlas.priced(route).length().into())
            };
            self.gains[route.index()] = (longer - self.length) as u8;
        }
        self.gains[route.index()]
    }
}

/// The length of a network's longest path.
pub(super) fn longest(atlas: &Atlas, network: RouteSet) -> u16 {
    let edge = |route: RouteId| {
        let track = atlas.priced(route);
        let [a, b] = track.ends.map(|city| CityId::new(city.into()));
        Edge { a, b, length: track.length() }
    };
    let edges: ArrayVec<Edge, ROUTES> = network.into_iter().map(edge).collect();
    longest_trail(&edges)
}
