//! What the simulator wants to know of a finished game, whichever game it is.

use serde::{Deserialize, Serialize};
use ttr_agents::Roster;
use ttr_engine::board::{self, BoardGame};
use ttr_engine::card_game::{self, CardGame};
use ttr_engine::{CardKind, Game, RouteId, Seat, TicketId, TicketSet, Turn};

use crate::position::{self, Position};
use crate::view_json;

/// Where points come from, over all games.
pub const SOURCES: [&str; 7] =
    ["routes", "tickets", "longest_path", "most_tickets", "stations", "depots", "big_cities"];

/// The ending of a game that has not ended.
pub const UNFINISHED: &str = "unfinished";

/// How a seat ended a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SeatResult {
    /// All points; in games without points, completed tickets.
    pub points: i16,
    /// Place after all tie-breaks, 0 for a winner.
    pub rank: u8,
    /// Points by source, in the order of [`SOURCES`].
    pub sources: [i16; SOURCES.len()],
    /// Tickets completed, bonus tickets included.
    pub completed: u8,
    /// Tickets held and not completed.
    pub failed: u8,
    /// Trains not placed; in the Card Game, cards in hand.
    pub left: u8,
    /// Routes owned, as a set with bit `1 << route` each.
    pub routes: u128,
    /// The completed tickets, as a set.
    pub completed_tickets: u128,
    /// The tickets held and not completed, as a set.
    pub failed_tickets: u128,
}

/// A choice among tickets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TicketChoice {
    /// The tickets to choose from, as a set.
    pub offered: u128,
    /// Those that are kept.
    pub kept: u128,
    /// Whether this is before the first turn.
    pub opening: bool,
}

/// A route and the cards laid down for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Index of the route.
    pub route: usize,
    /// The colour played, if any.
    pub colour: Option<CardKind>,
    /// Locomotives laid down.
    pub locomotives: u8,
    /// Spaces that are paid for with substitute sets.
    pub sets: u8,
}

/// The cards that a tunnel costs on top.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Surcharge {
    /// Number of cards.
    pub cards: u8,
    /// How many of them are locomotives.
    pub locomotives: u8,
}

/// The tickets of a seat, as sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TicketsOf {
    /// Those in its hand.
    pub held: u128,
    /// Those that it has completed and shown, in games in which this happens before the end.
    pub completed: u128,
}

/// What hardly ever comes up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rarities {
    /// The deck is empty, the discard too.
    pub deck_empty: bool,
    /// Too many locomotives lie face up, and the flushes are used up.
    pub flush_guard: bool,
}

/// A game that the simulator plays and reports on.
pub trait Playable: Roster + 'static {
    /// The name of the map or game, for people.
    fn name(&self) -> &str;

    /// How each seat ended a finished game; of an unfinished one, as if it ended now.
    fn results(&self, state: &Self::State) -> Vec<SeatResult>;

    /// Why the game ended, in a word.
    fn ending(&self, state: &Self::State) -> &'static str;

    /// The seat that has the first turn; after a round of the Card Game, that of the next round.
    fn first(&self, state: &Self::State) -> Seat;

    /// Turns played.
    fn turns(&self, state: &Self::State) -> u16;

    /// The turn in which a decision is taken, counted over all seats from 1; 0 before the first turn.
    fn turn_of_decision(&self, state: &Self::State) -> u16;

    /// Which of [`SOURCES`] this game has.
    fn has_source(&self, source: usize) -> bool;

    /// What is left over at the end, in words: trains or cards.
    fn left_over(&self) -> &'static str;

    /// What a decision says about tickets, if it is about tickets.
    fn ticket_choice(&self, state: &Self::State, seat: Seat, action: Self::Action) -> Option<TicketChoice>;

    /// The tickets of a seat.
    fn tickets_of(&self, state: &Self::State, seat: Seat) -> TicketsOf;

    /// What a decision claims, or tries to.
    fn claim(&self, action: Self::Action) -> Option<Claim>;

    /// What a decision pays for a tunnel on top, if it does.
    fn surcharge(&self, state: &Self::State, action: Self::Action) -> Option<Surcharge>;

    /// The routes of a seat, as a set.
    fn routes_of(&self, state: &Self::State, seat: Seat) -> u128;

    /// What has come up in a position that hardly ever does.
    fn rarities(&self, state: &Self::State) -> Rarities;

    /// The names of the tickets, in order.
    fn ticket_names(&self) -> Vec<String>;

    /// What each ticket is worth, in order.
    fn ticket_points(&self) -> Vec<u8>;

    /// The names of the routes, in order; a game without a board has none.
    fn route_names(&self) -> Vec<String>;

    /// What a seat sees, as JSON, with names in place of indices.
    fn observation_json(view: &Self::Observation<'_>) -> serde_json::Value;

    /// Map, rules and names, as JSON, for agents in other processes.
    fn description_json(&self) -> serde_json::Value;

    /// A position for people to look at: all of it, or what one seat may know.
    fn position(&self, state: &Self::State, eyes: Option<Seat>) -> Position;

    /// The board, if there is one.
    fn board(&self) -> Option<&BoardGame>;
}

/// The tickets of a set that a choice by bits keeps.
fn choice(offered: TicketSet, kept: u8, opening: bool) -> TicketChoice {
    let chosen = offered.into_iter().enumerate().filter(|&(index, _)| kept >> index & 1 == 1);
    TicketChoice { offered: ticket_bits(offered), kept: bits(chosen.map(|(_, ticket)| ticket.0)), opening }
}

/// The members of a set such as [`SeatResult::routes`].
pub(crate) fn members(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(next)
    })
}

fn bits(ids: impl Iterator<Item = u8>) -> u128 {
    ids.fold(0, |set, id| set | 1 << id)
}

fn ticket_bits(tickets: TicketSet) -> u128 {
    bits(tickets.into_iter().map(|ticket| ticket.0))
}

impl Playable for BoardGame {
    fn name(&self) -> &str {
        &self.map().name
    }

    fn results(&self, state: &board::State) -> Vec<SeatResult> {
        let journey = self.map().rules.journey.is_some();
        let sheet = self.score_sheet(state);
        let result = |(seat, score): (Seat, &board::SeatScore)| {
            let view = self.observe(state, seat);
            let tickets = if journey { score.total } else { score.tickets };
            SeatResult {
                points: score.total,
                rank: score.rank,
                sources: [
                    score.routes,
                    tickets,
                    score.longest_path_bonus,
                    score.most_tickets_bonus,
                    score.stations,
                    score.depot_bonus,
                    0,
                ],
                completed: score.completed,
                failed: score.failed,
                left: view.trains(seat),
                routes: bits(view.routes(seat).into_iter().map(|route| route.0)),
                completed_tickets: ticket_bits(self.completed_tickets(state, seat)),
                failed_tickets: ticket_bits(self.failed_tickets(state, seat)),
            }
        };
        Seat::all(self.seats()).zip(&sheet).map(result).collect()
    }

    fn ending(&self, state: &board::State) -> &'static str {
        match self.observe(state, Seat(0)).phase() {
            board::Phase::Over(ending) => ending.name(),
            _ => UNFINISHED,
        }
    }

    fn first(&self, state: &board::State) -> Seat {
        self.observe(state, Seat(0)).first()
    }

    fn turns(&self, state: &board::State) -> u16 {
        self.observe(state, Seat(0)).turns()
    }

    fn turn_of_decision(&self, state: &board::State) -> u16 {
        match self.observe(state, Seat(0)).phase() {
            board::Phase::Opening { .. } | board::Phase::FirstDepot => 0,
            _ => self.turns(state).saturating_add(1),
        }
    }

    fn has_source(&self, source: usize) -> bool {
        let rules = &self.map().rules;
        match SOURCES[source] {
            "routes" => rules.journey.is_none(),
            "tickets" => true,
            "longest_path" => rules.bonus.longest_path > 0,
            "most_tickets" => rules.bonus.most_tickets > 0,
            "stations" => rules.stations.is_some(),
            "depots" => rules.depots.is_some(),
            _ => false,
        }
    }

    fn left_over(&self) -> &'static str {
        "trains left"
    }

    fn ticket_choice(&self, state: &board::State, seat: Seat, action: board::Action) -> Option<TicketChoice> {
        let board::Action::Keep(kept) = action else { return None };
        let view = self.observe(state, seat);
        Some(choice(view.offered(), kept, matches!(view.phase(), board::Phase::Opening { .. })))
    }

    fn tickets_of(&self, state: &board::State, seat: Seat) -> TicketsOf {
        let view = self.observe(state, seat);
        TicketsOf { held: ticket_bits(view.tickets()), completed: ticket_bits(view.completed(seat)) }
    }

    fn claim(&self, action: board::Action) -> Option<Claim> {
        let board::Action::Claim { route, payment } = action else { return None };
        let board::Payment { colour, locomotives, sets } = payment;
        Some(Claim { route: route.index(), colour, locomotives, sets })
    }

    fn surcharge(&self, state: &board::State, action: board::Action) -> Option<Surcharge> {
        match (action, self.observe(state, Seat(0)).phase()) {
            (board::Action::PayTunnel { locomotives }, board::Phase::Tunnel { extra }) => {
                Some(Surcharge { cards: extra, locomotives })
            }
            _ => None,
        }
    }

    fn routes_of(&self, state: &board::State, seat: Seat) -> u128 {
        bits(self.observe(state, seat).routes(seat).into_iter().map(|route| route.0))
    }

    fn rarities(&self, state: &board::State) -> Rarities {
        let view = self.observe(state, Seat(0));
        Rarities {
            deck_empty: view.deck_size() == 0 && view.discard().is_empty(),
            flush_guard: view.flush_guard(),
        }
    }

    fn ticket_points(&self) -> Vec<u8> {
        self.tickets().iter().map(|ticket| ticket.points).collect()
    }

    fn ticket_names(&self) -> Vec<String> {
        (0..self.tickets().len()).map(|ticket| self.ticket_name(TicketId(ticket as u8))).collect()
    }

    fn route_names(&self) -> Vec<String> {
        (0..self.routes().len()).map(|route| self.route_name(RouteId(route as u8))).collect()
    }

    fn observation_json(view: &board::Observation<'_>) -> serde_json::Value {
        view_json::board_view(view)
    }

    fn description_json(&self) -> serde_json::Value {
        view_json::board_description(self)
    }

    fn position(&self, state: &board::State, eyes: Option<Seat>) -> Position {
        position::of_board(self, state, eyes)
    }

    fn board(&self) -> Option<&BoardGame> {
        Some(self)
    }
}

impl Playable for CardGame {
    fn name(&self) -> &str {
        &self.spec().name
    }

    fn results(&self, state: &card_game::State) -> Vec<SeatResult> {
        let over = self.turn(state) == Turn::Over;
        let sheet = self.score_sheet(state);
        let result = |(seat, score): (Seat, &card_game::SeatScore)| {
            let view = self.observe(state, seat);
            SeatResult {
                points: score.total,
                rank: score.rank,
                sources: [0, score.tickets + score.failed_tickets, 0, 0, 0, 0, score.city_bonus],
                completed: score.completed,
                failed: score.failed,
                left: view.hand_size(seat),
                routes: 0,
                completed_tickets: ticket_bits(view.completed(seat)),
                failed_tickets: if over { ticket_bits(view.tickets()) } else { 0 },
            }
        };
        Seat::all(self.seats()).zip(&sheet).map(result).collect()
    }

    fn ending(&self, state: &card_game::State) -> &'static str {
        match self.observe(state, Seat(0)).phase() {
            card_game::Phase::Over(ending) => ending.name(),
            _ => UNFINISHED,
        }
    }

    fn first(&self, state: &card_game::State) -> Seat {
        self.observe(state, Seat(0)).first()
    }

    fn turns(&self, state: &card_game::State) -> u16 {
        self.observe(state, Seat(0)).turns()
    }

    fn turn_of_decision(&self, state: &card_game::State) -> u16 {
        match self.observe(state, Seat(0)).phase() {
            card_game::Phase::Opening => 0,
            // The last turn of the round is over.
            card_game::Phase::Completing(_) => self.turns(state),
            _ => self.turns(state).saturating_add(1),
        }
    }

    fn has_source(&self, source: usize) -> bool {
        matches!(SOURCES[source], "tickets" | "big_cities")
    }

    fn left_over(&self) -> &'static str {
        "cards left"
    }

    fn ticket_choice(
        &self,
        state: &card_game::State,
        seat: Seat,
        action: card_game::Action,
    ) -> Option<TicketChoice> {
        let card_game::Action::Keep(kept) = action else { return None };
        let view = self.observe(state, seat);
        Some(choice(view.offered(), kept, matches!(view.phase(), card_game::Phase::Opening)))
    }

    fn tickets_of(&self, state: &card_game::State, seat: Seat) -> TicketsOf {
        let view = self.observe(state, seat);
        // What is chosen is completed only when all have chosen.
        TicketsOf {
            held: ticket_bits(view.tickets() | view.chosen()),
            completed: ticket_bits(view.completed(seat)),
        }
    }

    fn claim(&self, _: card_game::Action) -> Option<Claim> {
        None
    }

    fn surcharge(&self, _: &card_game::State, _: card_game::Action) -> Option<Surcharge> {
        None
    }

    fn routes_of(&self, _: &card_game::State, _: Seat) -> u128 {
        0
    }

    fn rarities(&self, state: &card_game::State) -> Rarities {
        let view = self.observe(state, Seat(0));
        Rarities { deck_empty: view.deck_size() == 0 && view.discard().is_empty(), flush_guard: false }
    }

    fn ticket_points(&self) -> Vec<u8> {
        self.tickets().iter().map(|ticket| ticket.points).collect()
    }

    fn ticket_names(&self) -> Vec<String> {
        (0..self.tickets().len()).map(|ticket| self.ticket_name(TicketId(ticket as u8))).collect()
    }

    fn route_names(&self) -> Vec<String> {
        Vec::new()
    }

    fn observation_json(view: &card_game::Observation<'_>) -> serde_json::Value {
        view_json::card_game_view(view)
    }

    fn description_json(&self) -> serde_json::Value {
        view_json::card_game_description(self)
    }

    fn position(&self, state: &card_game::State, eyes: Option<Seat>) -> Position {
        position::of_card_game(self, state, eyes)
    }

    fn board(&self) -> Option<&BoardGame> {
        None
    }
}
