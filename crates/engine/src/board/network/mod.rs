//! What one seat's routes amount to at final scoring: the longest path (CC-33), which cities they
//! join (CC-32) and the best use of stations (EU-9).
//!
//! Pure functions over small city indices: they run at the end of every game. First Journey asks for
//! `joined` with every claim. Only `frontier` uses the heap, for networks that no printed board is
//! known to have.

mod components;
mod frontier;
mod joined;
mod kernel;
mod order;
mod stations;
mod trail;

#[cfg(test)]
mod tests;

pub use components::Components;
pub(crate) use joined::Joined;
pub(crate) use stations::score_tickets;
pub use stations::{MAX_STATIONS, StationOptions, StationUse, TicketEnds, best_station_use, best_stations};
pub use trail::longest_trail;

/// City indices of a network are below this.
pub const MAX_CITIES: usize = 64;

/// Keeps a city index inside tables of [`MAX_CITIES`] entries, so that no bounds check is left.
const CITY_MASK: usize = MAX_CITIES - 1;

/// One owned route, as an edge between two different cities with indices below [`MAX_CITIES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// One end.
    pub a: u8,
    /// The other end.
    pub b: u8,
    /// Train spaces of the route.
    pub length: u8,
}

/// Table index of a city.
#[inline]
fn city(index: u8) -> usize {
    debug_assert!(usize::from(index) < MAX_CITIES);
    usize::from(index) & CITY_MASK
}

/// The members of a set.
#[inline]
fn members(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        first
    })
}
