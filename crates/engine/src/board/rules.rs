//! The rules of a map, compiled for a number of seats.

use arrayvec::ArrayVec;

use crate::board::compile::city_id;
use crate::pieces::{Cards, CitySet, RouteSet};
use crate::spec::{
    CitySets, DepotSpec, FaceUpLocomotive, FirstSeat, JourneyBonusLimit, JourneySpec, MAX_PILES, MapSpec,
    Reshuffle, TieBreak, Unkept,
};

/// The numeric and optional rules, ready for use.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) trains: u8,
    pub(crate) opening_hand: u8,
    pub(crate) first_seat: FirstSeat,
    /// Number of turns without progress that ends the game; `None` for no limit.
    pub(crate) idle_limit: Option<u16>,
    pub(crate) tie_breaks: Vec<TieBreak>,
    pub(crate) deck: Cards,
    pub(crate) market: u8,
    pub(crate) flush_at: u8,
    pub(crate) max_flushes: u8,
    pub(crate) face_up_locomotive_ends_draw: bool,
    pub(crate) eager_reshuffle: bool,
    /// `true` if both tracks of double routes are open.
    pub(crate) both_tracks: bool,
    pub(crate) unkept_opening: Unkept,
    pub(crate) ticket_draw: u8,
    pub(crate) ticket_keep: u8,
    pub(crate) unkept: Unkept,
    pub(crate) tunnel_reveal: u8,
    pub(crate) stations: u8,
    pub(crate) unbuilt_station_points: u8,
    pub(crate) end_trains: u8,
    pub(crate) longest_path_bonus: u8,
    pub(crate) most_tickets_bonus: u8,
    pub(crate) journey: Option<Journey>,
    pub(crate) depots: Option<DepotSpec>,
}

impl Rules {
    /// The rules of a map for a number of seats. `at_city` holds the routes that end at each city.
    pub(crate) fn new(map: &MapSpec, seats: usize, at_city: &[RouteSet]) -> Self {
        let spec = &map.rules;
        Self {
            trains: spec.trains,
            opening_hand: spec.opening_hand,
            first_seat: spec.first_seat,
            idle_limit: (spec.no_progress_rounds > 0)
                .then(|| u16::from(spec.no_progress_rounds) * seats as u16),
            tie_breaks: spec.tie_breaks.clone(),
            deck: Cards::from_counts(spec.deck.counts()),
            market: spec.draw.market,
            flush_at: spec.draw.flush_at,
            max_flushes: spec.draw.max_flushes,
            face_up_locomotive_ends_draw: spec.draw.face_up_locomotive == FaceUpLocomotive::EndsDraw,
            eager_reshuffle: spec.draw.reshuffle == Reshuffle::Eager,
            both_tracks: seats >= spec.claim.both_tracks_from.into(),
            unkept_opening: spec.tickets.unkept_opening,
            ticket_draw: spec.tickets.draw,
            ticket_keep: spec.tickets.keep,
            unkept: spec.tickets.unkept,
            tunnel_reveal: spec.tunnels.as_ref().map_or(0, |tunnels| tunnels.reveal),
            stations: spec.stations.as_ref().map_or(0, |stations| stations.per_seat),
            unbuilt_station_points: spec.stations.as_ref().map_or(0, |stations| stations.unbuilt_points),
            end_trains: spec.end.as_ref().map_or(0, |end| end.trains_at_most),
            longest_path_bonus: spec.bonus.longest_path,
            most_tickets_bonus: spec.bonus.most_tickets,
            depots: spec.depots.clone(),
            journey: spec.journey.as_ref().map(|journey| Journey::new(map, journey, at_city)),
        }
    }
}

/// The rules of First Journey (section 6).
#[derive(Clone, Debug)]
pub(crate) struct Journey {
    pub(crate) tickets_to_win: u8,
    pub(crate) bonus: Option<Bonus>,
    pub(crate) unlimited_bonus: bool,
    /// `true` if the game has only what First Journey has: blind draws, claims that are paid for at
    /// once, swaps.
    pub(crate) simple: bool,
}

impl Journey {
    fn new(map: &MapSpec, journey: &JourneySpec, at_city: &[RouteSet]) -> Self {
        let spec = &map.rules;
        Self {
            tickets_to_win: journey.tickets_to_win,
            bonus: journey.bonus_between.as_ref().map(|between| Bonus::new(map, between, at_city)),
            unlimited_bonus: journey.bonus_limit == JourneyBonusLimit::Unlimited,
            simple: spec.draw.market == 0
                && spec.tickets.draw == 0
                && spec.tunnels.is_none()
                && spec.stations.is_none()
                && spec.depots.is_none()
                && spec.ferry_sets.is_none()
                && map.routes.iter().all(|route| route.any_cards_per_space.is_none()),
        }
    }
}

/// The two sets of cities that a bonus ticket joins (FJ-7).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bonus {
    pub(crate) between: [CitySet; 2],
    /// The routes that end in a city of each set.
    pub(crate) routes_at: [RouteSet; 2],
}

impl Bonus {
    fn new(map: &MapSpec, between: &CitySets, at_city: &[RouteSet]) -> Self {
        let cities = |names: &[String]| names.iter().map(|name| city_id(map, name)).collect::<CitySet>();
        let between = [cities(&between.one), cities(&between.other)];
        let routes_at = |cities: CitySet| {
            cities.into_iter().fold(RouteSet::EMPTY, |all, city| all | at_city[city.index()])
        };
        Self { between, routes_at: between.map(routes_at) }
    }

    /// Returns `true` if these cities include one of each set.
    #[inline]
    pub(crate) fn is_joined_by(&self, cities: CitySet) -> bool {
        self.between.iter().all(|set| set.intersects(cities))
    }

    /// Returns `true` if these routes have an end in each set.
    #[inline]
    pub(crate) fn ends_at(&self, routes: RouteSet) -> bool {
        self.routes_at.iter().all(|at| at.intersects(routes))
    }
}

/// A step of the opening.
#[derive(Clone, Debug)]
pub(crate) struct OpeningDeal {
    pub(crate) deals: ArrayVec<PileDeal, MAX_PILES>,
    /// Minimum number of tickets held after the choice.
    pub(crate) hold: u8,
}

impl OpeningDeal {
    /// Number of tickets dealt to a seat.
    pub(crate) fn dealt(&self) -> u8 {
        self.deals.iter().map(|deal| deal.count).sum()
    }
}

/// Tickets that a step of the opening deals from one pile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PileDeal {
    /// Index of the pile; 0 is the deck.
    pub(crate) pile: u8,
    pub(crate) count: u8,
    /// Maximum number of them that may be kept.
    pub(crate) keep_max: u8,
}
