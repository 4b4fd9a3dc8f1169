//! Positions made to order, for tests of single rules.

use crate::board::{Action, BoardGame, Observation, Payment, Phase, State, TicketPlace};
use crate::card::{CardKind, Cards};
use crate::chance::{Chance, Dice, Event, Script};
use crate::game::{Game, IllegalAction, Seat};
use crate::id::{CityId, RouteId, TicketId};
use crate::notation::Notation;
use crate::testing::Inspect;

/// A position at the start of a turn of seat 0, made to order.
///
/// It starts with all cards in the deck, empty hands and an empty board, and no tickets held. Whatever is placed comes
/// out of the deck; [`Table::finish`] or the first action asserts the invariants of the rules.
///
/// ```
/// use ttr_engine::testing::{Table, cards};
/// use ttr_engine::{board::BoardGame, maps, CardKind::*};
/// let game = BoardGame::new(&maps::load("europe").unwrap(), 2).unwrap();
/// let mut table = Table::new(&game);
/// table.hand(0, [(Purple, 1)]).market([Red, Blue, Blue, White, Green]);
/// table.play("claim Brest-Pamplona in purple", []).unwrap_err(); // it has four spaces
/// table.play("claim Paris-Dieppe in purple", []).unwrap();
/// assert_eq!((table.owner("Dieppe-Paris"), table.seat()), (Some(0), 1));
/// table.play("take red", cards([White])).unwrap(); // the red card is replaced by a white one
/// ```
#[derive(Clone, Debug)]
pub struct Table<'g> {
    /// The game.
    pub game: &'g BoardGame,
    state: State,
}

impl<'g> Table<'g> {
    /// An empty table, seat 0 to move.
    pub fn new(game: &'g BoardGame) -> Self {
        let mut state = State::new(game.rules.deck, game.rules.trains, game.seats);
        state.phase = Phase::Main;
        state.move_tickets(game.piles[0], TicketPlace::Deck);
        if let Some(depots) = &game.rules.depots {
            state.reserve[..game.seats].fill(depots.per_seat);
        }
        let hold = game.opening.last().map_or(0, |step| step.hold);
        for seat in 0..game.seats {
            // As if every seat had kept the fewest opening tickets.
            state.opening_kept.set(Seat(seat as u8), game.opening.len() - 1, hold);
        }
        Self { game, state }
    }

    /// The table after a deal with scripted events.
    pub fn deal(game: &'g BoardGame, events: impl IntoIterator<Item = Event>) -> Self {
        let mut script = Script::new(events);
        let state = game.deal(&mut script);
        script.assert_exhausted();
        Self { game, state }
    }

    /// The table at a position that was reached by play.
    pub fn at(game: &'g BoardGame, state: State) -> Self {
        Self { game, state }
    }

    /// The position as a seat may know it.
    pub fn seen_by(&self, seat: u8) -> Observation<'_> {
        self.game.observe(&self.state, Seat(seat))
    }

    /// The position.
    pub fn state(&self) -> &State {
        &self.state
    }

    fn take(&mut self, cards: Cards) -> Cards {
        self.state.deck -= cards;
        cards
    }

    /// Gives cards from the deck to a seat.
    pub fn hand(&mut self, seat: u8, cards: impl IntoIterator<Item = (CardKind, u8)>) -> &mut Self {
        for (kind, count) in cards {
            let cards = self.take(Cards::of(kind, count));
            self.state.hands[usize::from(seat)] += cards;
        }
        self
    }

    /// Marks cards of a seat's hand as seen by everybody.
    pub fn shown(&mut self, seat: u8, cards: impl IntoIterator<Item = (CardKind, u8)>) -> &mut Self {
        for (kind, count) in cards {
            self.state.shown[usize::from(seat)] += Cards::of(kind, count);
        }
        self
    }

    /// Lays cards from the deck face up.
    pub fn market(&mut self, cards: impl IntoIterator<Item = CardKind>) -> &mut Self {
        let cards = self.take(cards.into_iter().collect());
        self.state.market += cards;
        self
    }

    /// Leaves just these cards in the deck; the rest goes to the discard.
    pub fn deck_rest_discarded(&mut self, cards: impl IntoIterator<Item = CardKind>) -> &mut Self {
        let deck = self.take(cards.into_iter().collect());
        self.state.discard += std::mem::replace(&mut self.state.deck, deck);
        self
    }

    /// Leaves just these cards in the deck and nothing in the discard; the rest goes to the hand of a seat.
    pub fn deck_rest_to(&mut self, seat: u8, cards: impl IntoIterator<Item = CardKind>) -> &mut Self {
        let deck = self.take(cards.into_iter().collect());
        self.state.hands[usize::from(seat)] += std::mem::replace(&mut self.state.deck, deck);
        self
    }

    /// Moves cards from the deck to the discard.
    pub fn discard(&mut self, cards: impl IntoIterator<Item = (CardKind, u8)>) -> &mut Self {
        for (kind, count) in cards {
            let cards = self.take(Cards::of(kind, count));
            self.state.discard += cards;
        }
        self
    }

    /// Gives a seat routes, by name, with their trains and points.
    pub fn routes<'n>(&mut self, seat: u8, names: impl IntoIterator<Item = &'n str>) -> &mut Self {
        for name in names {
            let route = self.route(name);
            let spec = &self.game.routes[route.index()];
            self.state.set_owner(route, Seat(seat));
            self.state.trains[usize::from(seat)] -= spec.length;
            self.state.points[usize::from(seat)] += u16::from(spec.points);
            if let Some(twin) = spec.twin
                && !self.game.rules.both_tracks
            {
                self.state.close(twin);
            }
        }
        self
    }

    /// Gives a seat any free routes until it has this many trains left; they must add up.
    pub fn trains(&mut self, seat: u8, left: u8) -> &mut Self {
        while self.state.trains[usize::from(seat)] > left {
            let excess = self.state.trains[usize::from(seat)] - left;
            let open = self.game.open_routes(&self.state, Seat(seat));
            let best = open
                .into_iter()
                .filter(|route| self.game.routes[route.index()].length <= excess)
                .max_by_key(|route| self.game.routes[route.index()].length);
            let name = self.game.route_name(best.expect("routes that add up"));
            self.routes(seat, [name.as_str()]);
        }
        self
    }

    /// Gives a seat tickets from the deck or the box, by name.
    pub fn tickets<'n>(&mut self, seat: u8, names: impl IntoIterator<Item = &'n str>) -> &mut Self {
        for name in names {
            let ticket = self.ticket(name);
            self.state.move_ticket(ticket, TicketPlace::Held(Seat(seat)));
        }
        self
    }

    /// Removes tickets from the deck to the box, until just these are left, by name.
    pub fn ticket_deck<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) -> &mut Self {
        self.state.move_tickets(self.state.tickets_at(TicketPlace::Deck), TicketPlace::Box);
        for name in names {
            let ticket = self.ticket(name);
            self.state.move_ticket(ticket, TicketPlace::Deck);
        }
        self
    }

    /// Builds stations for a seat.
    pub fn stations<'n>(&mut self, seat: u8, cities: impl IntoIterator<Item = &'n str>) -> &mut Self {
        for city in cities {
            let built = self.state.stations_built(Seat(seat));
            let city = self.city(city);
            self.state.stations[usize::from(seat)][usize::from(built)] = city.0;
            self.state.buildings.insert(city);
        }
        self
    }

    /// Makes it the turn of a seat.
    pub fn turn(&mut self, seat: u8) -> &mut Self {
        self.state.seat = Seat(seat);
        self
    }

    /// Plays an action given in notation, with exactly these random events; if it is refused, says why.
    pub fn play(
        &mut self,
        action: &str,
        events: impl IntoIterator<Item = Event>,
    ) -> Result<&mut Self, IllegalAction> {
        let parsed = self.game.parse_action(&self.state, action).unwrap_or_else(|why| panic!("{why}"));
        self.act(parsed, events)
    }

    /// Plays an action with exactly these random events.
    pub fn act(
        &mut self,
        action: Action,
        events: impl IntoIterator<Item = Event>,
    ) -> Result<&mut Self, IllegalAction> {
        self.finish();
        let listed = self.game.actions(&self.state).contains(&action);
        assert_eq!(
            listed,
            self.game.is_legal(&self.state, action),
            "{action:?} is listed or legal, not both"
        );
        let mut script = Script::new(events);
        self.game.play(&mut self.state, action, &mut script)?;
        script.assert_exhausted();
        self.game.assert_invariants(&self.state);
        Ok(self)
    }

    /// Asserts that the position is sound.
    pub fn finish(&self) -> &Self {
        self.game.assert_invariants(&self.state);
        self
    }

    /// The legal actions in notation.
    pub fn actions(&self) -> Vec<String> {
        let actions = self.game.actions(&self.state);
        actions.into_iter().map(|action| self.game.write_action(&self.state, action)).collect()
    }

    /// The legal actions whose notation starts with a text.
    pub fn actions_like(&self, start: &str) -> Vec<String> {
        self.actions().into_iter().filter(|action| action.starts_with(start)).collect()
    }

    /// A route by its name.
    pub fn route(&self, name: &str) -> RouteId {
        self.game.parse_route(name).unwrap_or_else(|why| panic!("{why}"))
    }

    /// A ticket by its name.
    pub fn ticket(&self, name: &str) -> TicketId {
        let all = (0..self.game.tickets.len() as u8).map(TicketId);
        let mut found = all.filter(|&ticket| self.game.ticket_name(ticket) == name);
        found.next().unwrap_or_else(|| panic!("there is no ticket {name}"))
    }

    /// A city by its name.
    pub fn city(&self, name: &str) -> CityId {
        let found = self.game.map.cities.iter().position(|city| city.name == name);
        CityId(found.unwrap_or_else(|| panic!("there is no city {name}")) as u8)
    }

    /// The event that a ticket is drawn.
    pub fn draws(&self, name: &str) -> Event {
        Event::Ticket(self.ticket(name))
    }

    /// What a seat holds.
    pub fn hand_of(&self, seat: u8) -> Cards {
        self.state.hands[usize::from(seat)]
    }

    /// The tickets that a seat holds, by name.
    pub fn tickets_of(&self, seat: u8) -> Vec<String> {
        let held = self.state.tickets_at(TicketPlace::Held(Seat(seat)));
        held.into_iter().map(|ticket| self.game.ticket_name(ticket)).collect()
    }

    /// The tickets that a seat has completed and shown, by name.
    pub fn completed_by(&self, seat: u8) -> Vec<String> {
        let done = self.state.tickets_at(TicketPlace::Done(Seat(seat)));
        done.into_iter().map(|ticket| self.game.ticket_name(ticket)).collect()
    }

    /// Deck, discard and market.
    pub fn piles(&self) -> [Cards; 3] {
        [self.state.deck, self.state.discard, self.state.market]
    }

    /// What is being decided.
    pub fn phase(&self) -> Phase {
        self.state.phase
    }

    /// Whose turn it is.
    pub fn seat(&self) -> u8 {
        self.state.seat.0
    }

    /// Trains that a seat has left.
    pub fn trains_of(&self, seat: u8) -> u8 {
        self.state.trains[usize::from(seat)]
    }

    /// Points that a seat has for its routes.
    pub fn points_of(&self, seat: u8) -> u16 {
        self.state.points[usize::from(seat)]
    }

    /// Who owns a route.
    pub fn owner(&self, name: &str) -> Option<u8> {
        self.state.owner(self.route(name)).map(|seat| seat.0)
    }

    /// Every way to pay for a route: what the claim names, and all cards of it, those of substitute sets included.
    /// A way that takes two sequences of decisions is listed twice.
    pub fn payments(&self, route: &str) -> Vec<(Payment, Cards)> {
        self.finish();
        let route = self.route(route);
        let spec = &self.game.routes[route.index()];
        let before = self.state.hands[self.state.seat.index()];
        let mut paid = Vec::new();
        for action in self.game.actions(&self.state) {
            let Action::Claim { route: claimed, payment } = action else { continue };
            if claimed != route {
                continue;
            }
            if spec.tunnel {
                paid.push((payment, payment.cards(spec.length)));
                continue;
            }
            let mut open = vec![(self.state, action)];
            while let Some((mut state, action)) = open.pop() {
                self.game.play(&mut state, action, &mut Dice::from_seed(0)).expect("it is listed");
                if matches!(state.phase, Phase::Sets { .. }) {
                    open.extend(self.game.actions(&state).into_iter().map(|action| (state, action)));
                } else {
                    paid.push((payment, before - state.hands[self.state.seat.index()]));
                }
            }
        }
        paid
    }

    /// Lets a seat have completed and shown tickets, by name (FJ-6).
    pub fn completed<'n>(&mut self, seat: u8, names: impl IntoIterator<Item = &'n str>) -> &mut Self {
        for name in names {
            let ticket = self.ticket(name);
            self.state.move_ticket(ticket, TicketPlace::Done(Seat(seat)));
        }
        self
    }

    /// Lets a seat have taken bonus tickets (FJ-7).
    pub fn bonus_tickets(&mut self, seat: u8, count: u8) -> &mut Self {
        self.state.bonus_tickets[usize::from(seat)] = count;
        self
    }

    /// Lets a seat have discarded tickets by swaps, by name (FJ-5).
    pub fn swapped_away<'n>(&mut self, seat: u8, names: impl IntoIterator<Item = &'n str>) -> &mut Self {
        for name in names {
            let ticket = self.ticket(name);
            self.state.move_ticket(ticket, TicketPlace::PutBack(Seat(seat)));
        }
        self
    }

    /// Places depots of a seat's reserve on cities; every seat needs one at least (I-27).
    pub fn depots<'n>(&mut self, seat: u8, cities: impl IntoIterator<Item = &'n str>) -> &mut Self {
        for city in cities {
            let placed = self.state.depots_of(Seat(seat)).count();
            let city = self.city(city);
            self.state.depots[usize::from(seat)][placed] = city.0;
            self.state.buildings.insert(city);
            self.state.reserve[usize::from(seat)] -= 1;
        }
        self
    }

    /// Lets a seat have just this many depots in reserve, the others being out of the game.
    pub fn reserve(&mut self, seat: u8, count: u8) -> &mut Self {
        self.state.reserve[usize::from(seat)] = count;
        self
    }

    /// Puts cards from the deck into a seat's warehouse.
    pub fn warehouse(&mut self, seat: u8, cards: impl IntoIterator<Item = (CardKind, u8)>) -> &mut Self {
        for (kind, count) in cards {
            let cards = self.take(Cards::of(kind, count));
            self.state.warehouses[usize::from(seat)] += cards;
        }
        self
    }

    /// The cards in a seat's warehouse.
    pub fn warehouse_of(&self, seat: u8) -> Cards {
        self.state.warehouses[usize::from(seat)]
    }

    /// Where a seat's depots stand, in the order they were placed.
    pub fn depots_of(&self, seat: u8) -> Vec<&'g str> {
        let game = self.game;
        self.state.depots_of(Seat(seat)).map(|city| game.city_name(city)).collect()
    }

    /// How many depots a seat has in reserve.
    pub fn reserve_of(&self, seat: u8) -> u8 {
        self.state.reserve[usize::from(seat)]
    }
}

/// A payment without substitute sets.
pub fn payment(colour: Option<CardKind>, locomotives: u8) -> Payment {
    Payment { colour, locomotives, sets: 0 }
}

/// The events that these cards are drawn, in order.
pub fn cards(kinds: impl IntoIterator<Item = CardKind>) -> Vec<Event> {
    kinds.into_iter().map(Event::Card).collect()
}

/// A source of chance for steps that must not need any.
pub fn no_chance() -> impl Chance {
    Script::new([])
}
