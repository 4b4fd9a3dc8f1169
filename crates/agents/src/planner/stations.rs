//! Stations: which to build, where, and when.

use ttr_engine::board::{Action, Observation, Payment};
use ttr_engine::{CardKind, CityId, RouteId, Seat};

use crate::planner::Planner;
use crate::planner::plan;

impl Planner {
    /// A station that the plan asks for, once the rest of the plan is complete or time runs out.
    pub(super) fn station(&self, view: &Observation<'_>, hurried: bool) -> Option<Action> {
        if !self.plan.routes.is_empty() && !hurried {
            return None;
        }
        self.plan.borrowed.into_iter().find_map(|route| self.station_for(view, route))
    }

    /// The station that opens another seat's route; `None` if there is one already, or if none can be
    /// built.
    pub(super) fn station_for(&self, view: &Observation<'_>, route: RouteId) -> Option<Action> {
        let left = plan::stations_left(&self.atlas, view);
        let ends = self.atlas.priced(route).ends.map(|city| CityId::new(city.into()));
        if left == 0 || view.stations(view.seat()).any(|city| ends.contains(&city)) {
            return None;
        }
        let payment = self.station_payment(view, self.atlas.rules.stations - left + 1)?;
        let city = ends.into_iter().find(|&city| self.is_free(view, city))?;
        Some(Action::BuildStation { city, payment })
    }

    /// Returns `true` if a city has no building.
    pub(super) fn is_free(&self, view: &Observation<'_>, city: CityId) -> bool {
        Seat::all(self.atlas.seats)
            .all(|seat| view.stations(seat).chain(view.depots(seat)).all(|built| built != city))
    }

    /// The least harmful payment for a station.
    fn station_payment(&self, view: &Observation<'_>, cards: u8) -> Option<Payment> {
        let hand = view.hand();
        let spare =
            |colour: CardKind| i16::from(hand.count(colour)) - i16::from(self.needs.asked[colour.index()]);
        let colour = CardKind::COLOURS
            .into_iter()
            .filter(|&colour| hand.count(colour) >= cards)
            .max_by_key(|&colour| spare(colour));
        if let Some(colour) = colour {
            return Some(Payment { colour: Some(colour), locomotives: 0, sets: 0 });
        }
        let (colour, held) = CardKind::COLOURS
            .map(|colour| (colour, hand.count(colour)))
            .into_iter()
            .max_by_key(|&(_, held)| held)?;
        let locomotives = cards - held;
        (locomotives <= hand.locomotives()).then_some(Payment {
            colour: (held > 0).then_some(colour),
            locomotives,
            sets: 0,
        })
    }
}
