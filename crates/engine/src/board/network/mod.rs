//! The routes of one seat as a network, for final scoring: the longest path (CC-33), the cities they
//! join (CC-32) and the best use of stations (EU-9).
//!
//! Pure functions that run at the end of every game. First Journey uses `joined` with every claim. Only
//! `frontier` allocates, for networks that no printed board is known to have.

mod components;
mod frontier;
mod joined;
mod kernel;
mod order;
mod stations;
mod trail;

#[cfg(test)]
mod tests;

use crate::pieces::{CityId, CitySet};

pub use components::Components;
pub(crate) use joined::Joined;
pub(crate) use stations::score_tickets;
pub use stations::{MAX_STATIONS, StationOptions, StationUse, TicketEnds, best_station_use, best_stations};
pub use trail::longest_trail;

/// Number of entries of tables indexed by city.
const CITIES: usize = CitySet::CAPACITY;

/// Mask that keeps a city index within tables of [`CITIES`] entries, so that no bounds check remains.
const CITY_MASK: usize = CITIES - 1;

/// An owned route as an edge between two different cities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// One end.
    pub a: CityId,
    /// The other end.
    pub b: CityId,
    /// Number of spaces of the route.
    pub length: u8,
}

/// Table index of a city.
#[inline]
fn city(city: CityId) -> usize {
    city.index() & CITY_MASK
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
