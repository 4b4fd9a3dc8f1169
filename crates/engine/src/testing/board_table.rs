//! Positions of the board games made to order.

use crate::board::{Action, BoardGame, Payment, Phase, State};
use crate::chance::Dice;
use crate::game::Game;
use crate::pieces::{CardKind, Cards, CityId, RouteId, Seat, TicketId, TicketPlace, TicketSet};
use crate::testing::table::{Arrange, Parts, Table, sum};

impl Arrange for BoardGame {
    fn empty_table(&self) -> State {
        let mut state = State::new(self.rules.deck, self.rules.trains, self.seats);
        state.tickets.put_all(self.piles[0], TicketPlace::Deck);
        if let Some(depots) = &self.rules.depots {
            state.reserve[..self.seats].fill(depots.per_seat);
        }
        let hold = self.opening.last().map_or(0, |step| step.hold);
        for seat in Seat::all(self.seats) {
            // As if every seat had kept the fewest opening tickets.
            state.opening_kept.set(seat, self.opening.len() - 1, hold);
        }
        state
    }

    fn parts(state: &mut State) -> Parts<'_> {
        Parts::new(&mut state.cards, &mut state.seat)
    }

    fn put_ticket(state: &mut State, ticket: TicketId, to: TicketPlace) {
        state.tickets.put(ticket, to);
    }

    fn tickets_at(state: &State, place: TicketPlace) -> TicketSet {
        state.tickets.at(place)
    }

    fn held(state: &State, seat: Seat) -> TicketSet {
        state.tickets.at(TicketPlace::Held(seat))
    }

    fn bottom(state: &State) -> Vec<TicketSet> {
        state.bottom.batches().collect()
    }

    fn ticket_count(&self) -> usize {
        self.tickets.len()
    }

    fn ticket_name(&self, ticket: TicketId) -> String {
        self.ticket_name(ticket)
    }
}

/// Parts that only boards have.
impl<'g> Table<'g> {
    /// Gives a seat routes, by name, with their trains and points.
    pub fn routes<'n>(&mut self, seat: u8, names: impl IntoIterator<Item = &'n str>) -> &mut Self {
        for name in names {
            let id = self.route(name);
            let route = self.game.route(id);
            self.state.set_owner(id, Seat::new(seat.into()));
            self.state.trains[Seat::new(seat.into())] -= route.length;
            self.state.points[Seat::new(seat.into())] += u16::from(route.points);
            if let Some(twin) = route.twin
                && !self.game.rules.both_tracks
            {
                self.state.close(twin);
            }
        }
        self
    }

    /// Gives a seat any free routes until it has this many trains left; they must add up.
    pub fn trains(&mut self, seat: u8, left: u8) -> &mut Self {
        while self.state.trains[Seat::new(seat.into())] > left {
            let excess = self.state.trains[Seat::new(seat.into())] - left;
            let open = self.game.open_routes(&self.state, Seat::new(seat.into()));
            let best = open
                .into_iter()
                .filter(|&route| self.game.route(route).length <= excess)
                .max_by_key(|&route| self.game.route(route).length);
            let name = self.game.route_name(best.expect("routes that add up"));
            self.routes(seat, [name.as_str()]);
        }
        self
    }

    /// Builds stations for a seat.
    pub fn stations<'n>(&mut self, seat: u8, cities: impl IntoIterator<Item = &'n str>) -> &mut Self {
        for city in cities {
            let built = self.state.stations_built(Seat::new(seat.into()));
            let city = self.city(city);
            self.state.stations[Seat::new(seat.into())][usize::from(built)] = city.to_u8();
            self.state.buildings.insert(city);
        }
        self
    }

    /// Lets a seat have taken bonus tickets (FJ-7).
    pub fn bonus_tickets(&mut self, seat: u8, count: u8) -> &mut Self {
        self.state.bonus_tickets[Seat::new(seat.into())] = count;
        self
    }

    /// Lets a seat have discarded tickets by swaps, by name (FJ-5).
    pub fn swapped_away<'n>(&mut self, seat: u8, names: impl IntoIterator<Item = &'n str>) -> &mut Self {
        self.put_tickets(names, TicketPlace::PutBack(Seat::new(seat.into())))
    }

    /// Places depots of a seat's reserve on cities; every seat needs one at least (I-27).
    pub fn depots<'n>(&mut self, seat: u8, cities: impl IntoIterator<Item = &'n str>) -> &mut Self {
        for city in cities {
            let placed = self.state.depots_of(Seat::new(seat.into())).count();
            let city = self.city(city);
            self.state.depots[Seat::new(seat.into())][placed] = city.to_u8();
            self.state.buildings.insert(city);
            self.state.reserve[Seat::new(seat.into())] -= 1;
        }
        self
    }

    /// Lets a seat have just this many depots in reserve, the others being out of the game.
    pub fn reserve(&mut self, seat: u8, count: u8) -> &mut Self {
        self.state.reserve[Seat::new(seat.into())] = count;
        self
    }

    /// Puts cards from the deck into a seat's warehouse.
    pub fn warehouse(&mut self, seat: u8, cards: impl IntoIterator<Item = (CardKind, u8)>) -> &mut Self {
        let cards = self.take(sum(cards));
        self.state.warehouses[Seat::new(seat.into())] += cards;
        self
    }

    /// A route by its name.
    pub fn route(&self, name: &str) -> RouteId {
        self.game.parse_route(name).unwrap_or_else(|why| panic!("{why}"))
    }

    /// A city by its name.
    pub fn city(&self, name: &str) -> CityId {
        let found = self.game.spec.cities.iter().position(|city| city.name == name);
        CityId::new(found.unwrap_or_else(|| panic!("there is no city {name}")))
    }

    /// The decision that is being made.
    pub fn phase(&self) -> Phase {
        self.state.phase
    }

    /// Trains that a seat has left.
    pub fn trains_of(&self, seat: u8) -> u8 {
        self.state.trains[Seat::new(seat.into())]
    }

    /// Points that a seat has for its routes.
    pub fn points_of(&self, seat: u8) -> u16 {
        self.state.points[Seat::new(seat.into())]
    }

    /// The owner of a route.
    pub fn owner(&self, name: &str) -> Option<u8> {
        self.state.owner(self.route(name)).map(|seat| seat.to_u8())
    }

    /// Every way to pay for a route: what the claim names, and all cards of it, those of substitute sets
    /// included. A way that takes two sequences of decisions is listed twice.
    pub fn payments(&self, route: &str) -> Vec<(Payment, Cards)> {
        self.finish();
        let id = self.route(route);
        let route = self.game.route(id);
        let before = self.hand_of(self.seat());
        let mut paid = Vec::new();
        for action in self.game.actions(&self.state) {
            let Action::Claim { route: claimed, payment } = action else { continue };
            if claimed != id {
                continue;
            }
            if route.tunnel {
                paid.push((payment, payment.cards(route.length)));
                continue;
            }
            let mut open = vec![(self.state, action)];
            while let Some((mut state, action)) = open.pop() {
                self.game.play(&mut state, action, &mut Dice::from_seed(0)).expect("it is listed");
                if matches!(state.phase, Phase::Sets { .. }) {
                    open.extend(self.game.actions(&state).into_iter().map(|action| (state, action)));
                } else {
                    paid.push((payment, before - state.cards.hands[self.state.seat]));
                }
            }
        }
        paid
    }

    /// The cards in a seat's warehouse.
    pub fn warehouse_of(&self, seat: u8) -> Cards {
        self.state.warehouses[Seat::new(seat.into())]
    }

    /// Where a seat's depots stand, in the order they were placed.
    pub fn depots_of(&self, seat: u8) -> Vec<&'g str> {
        let game = self.game;
        self.state.depots_of(Seat::new(seat.into())).map(|city| game.city_name(city)).collect()
    }

    /// Number of depots that a seat has in reserve.
    pub fn reserve_of(&self, seat: u8) -> u8 {
        self.state.reserve[Seat::new(seat.into())]
    }
}

/// A payment without substitute sets.
pub fn payment(colour: Option<CardKind>, locomotives: u8) -> Payment {
    Payment { colour, locomotives, sets: 0 }
}
