//! Warehouses and depots.

use ttr_engine::board::{Action, Observation};
use ttr_engine::{CityId, Seat};

use crate::planner::Planner;

impl Planner {
    /// The first depot goes where the plan has most to claim.
    pub(super) fn place_first_depot(&mut self, view: &Observation<'_>) -> Action {
        self.follow(view);
        match self.best_site(view) {
            Some(city) => Action::PlaceDepot(city),
            None => Self::any(view),
        }
    }

    /// The free city at which most planned routes end.
    pub(super) fn best_site(&self, view: &Observation<'_>) -> Option<CityId> {
        let mut built = 0_u64;
        for seat in Seat::all(self.atlas.seats) {
            for city in view.stations(seat).chain(view.depots(seat)) {
                built |= 1 << city.0;
            }
        }
        (0..self.atlas.cities as u8)
            .filter(|city| built >> city & 1 == 0)
            .max_by_key(|&city| (self.atlas.at_city[usize::from(city)] & self.plan.routes).len())
            .map(CityId)
    }

    /// A card goes where this seat will collect it.
    pub(super) fn store(&self, view: &Observation<'_>) -> Action {
        Action::Store(view.seat())
    }

    /// Collects what is worth a depot.
    pub(super) fn collect(&self, view: &Observation<'_>, owners: u8) -> Action {
        let richest = Seat::all(self.atlas.seats)
            .filter(|seat| owners >> seat.0 & 1 != 0)
            .max_by_key(|&seat| view.warehouse_size(seat));
        match richest {
            Some(owner)
                if view.depot_reserve(view.seat()) > 0
                    && view.warehouse_size(owner) > 0
                    && f64::from(view.warehouse_size(owner)) >= self.weights.collect =>
            {
                Action::Collect(owner)
            }
            _ => Action::Done,
        }
    }
}
