//! Warehouses and depots.

use ttr_engine::board::{Action, Observation};
use ttr_engine::{CityId, Seat};

use crate::planner::Planner;

impl Planner {
    /// Places the first depot where the plan has most to claim.
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
                built |= 1 << city.index();
            }
        }
        (0..self.atlas.cities)
            .filter(|city| built >> city & 1 == 0)
            .max_by_key(|&city| (self.atlas.at_city[city] & self.plan.routes).len())
            .map(CityId::new)
    }

    /// Stores a card in a warehouse that this seat will collect.
    pub(super) fn store(&self, view: &Observation<'_>) -> Action {
        Action::Store(view.seat())
    }

    /// Collects cards that are worth a depot.
    pub(super) fn collect(&self, view: &Observation<'_>, owners: u8) -> Action {
        let richest = Seat::all(self.atlas.seats)
            .filter(|seat| owners >> seat.index() & 1 != 0)
            .max_by_key(|&seat| view.warehouse_size(seat));
        match richest {
            Some(owner) if self.pays_off(view, view.warehouse_size(owner), 1) => Action::Collect(owner),
            _ => Action::Done,
        }
    }

    /// Returns `true` if this many cards are worth this many depots of the reserve.
    fn pays_off(&self, view: &Observation<'_>, cards: u8, depots: u8) -> bool {
        let w = &self.weights;
        let reserve = view.depot_reserve(view.seat());
        if cards == 0 || reserve < depots || view.final_turns().is_some() {
            return false;
        }
        let others = Seat::all(self.atlas.seats).filter(|&seat| seat != view.seat());
        let most = others.map(|seat| view.depot_reserve(seat)).max().unwrap_or(0);
        let loses_bonus = reserve >= most && reserve - depots < most && self.atlas.rules.depot_bonus > 0;
        let price = if depots > 1 { w.place } else { w.collect };
        f64::from(cards) >= price + if loses_bonus { w.reserve } else { 0.0 }
    }

    /// A depot to place where no card can be drawn: when the last one of a reserve is placed, the cards of
    /// all warehouses become the new deck. Without it, seats that have nothing to claim pass until the game
    /// is over.
    pub(super) fn reviving_depot(&self, view: &Observation<'_>) -> Option<Action> {
        let stored = Seat::all(self.atlas.seats).any(|seat| view.warehouse_size(seat) > 0);
        if !stored || !view.market().is_empty() || view.depot_reserve(view.seat()) == 0 {
            return None;
        }
        self.best_site(view).map(Action::PlaceDepot)
    }

    /// A depot to place before a claim, so that the claim can collect the seat's own warehouse.
    pub(super) fn depot_before(&self, view: &Observation<'_>, claim: Action) -> Option<Action> {
        let Action::Claim { route, .. } = claim else { return None };
        let track = self.atlas.priced(route);
        let seat = view.seat();
        if !self.atlas.rules.depots
            || track.tunnel
            || !self.pays_off(view, view.warehouse_size(seat), 2)
            || view.depots(seat).any(|city| track.ends.contains(&city.into()))
        {
            return None;
        }
        let mut ends = track.ends.into_iter().map(|city| CityId::new(city.into()));
        ends.find(|&city| self.is_free(view, city)).map(Action::PlaceDepot)
    }
}
