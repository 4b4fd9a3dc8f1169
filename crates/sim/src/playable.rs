//! What the simulator wants to know of a finished game, whichever game it is.

use serde::{Deserialize, Serialize};
use ttr_agents::Roster;
use ttr_engine::board::{self, BoardGame};
use ttr_engine::card_game::{self, CardGame};
use ttr_engine::{Game, RouteId, Seat, TicketId, Turn};

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

/// A game that the simulator plays and reports on.
pub trait Playable: Roster + 'static {
    /// The name of the map or game, for people.
    fn name(&self) -> &str;

    /// How each seat ended a finished game; of an unfinished one, as if it ended now.
    fn results(&self, state: &Self::State) -> Vec<SeatResult>;

    /// Why the game ended, in a word.
    fn ending(&self, state: &Self::State) -> &'static str;

    /// Turns played.
    fn turns(&self, state: &Self::State) -> u16;

    /// Which of [`SOURCES`] this game has.
    fn has_source(&self, source: usize) -> bool;

    /// What is left over at the end, in words: trains or cards.
    fn left_over(&self) -> &'static str;

    /// The names of the tickets, in order.
    fn ticket_names(&self) -> Vec<String>;

    /// The names of the routes, in order; a game without a board has none.
    fn route_names(&self) -> Vec<String>;

    /// What a seat sees, as JSON.
    fn observation_json(view: &Self::Observation<'_>) -> serde_json::Value;

    /// Map, rules and names, as JSON, for agents in other processes.
    fn description_json(&self) -> serde_json::Value;

    /// The board, if there is one.
    fn board(&self) -> Option<&BoardGame>;
}

fn bits(ids: impl Iterator<Item = u8>) -> u128 {
    ids.fold(0, |set, id| set | 1 << id)
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
                completed_tickets: bits(self.completed_tickets(state, seat).into_iter().map(|t| t.0)),
                failed_tickets: bits(self.failed_tickets(state, seat).into_iter().map(|t| t.0)),
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

    fn turns(&self, state: &board::State) -> u16 {
        self.observe(state, Seat(0)).turns()
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

    fn ticket_names(&self) -> Vec<String> {
        (0..self.tickets().len()).map(|ticket| self.ticket_name(TicketId(ticket as u8))).collect()
    }

    fn route_names(&self) -> Vec<String> {
        (0..self.routes().len()).map(|route| self.route_name(RouteId(route as u8))).collect()
    }

    fn observation_json(view: &board::Observation<'_>) -> serde_json::Value {
        serde_json::to_value(view.facts()).expect("facts are plain data")
    }

    fn description_json(&self) -> serde_json::Value {
        serde_json::json!({
            "kind": "board",
            "routes": self.route_names(),
            "tickets": self.ticket_names(),
            "map": self.map(),
        })
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
                completed_tickets: bits(view.completed(seat).into_iter().map(|t| t.0)),
                failed_tickets: if over { bits(view.tickets().into_iter().map(|t| t.0)) } else { 0 },
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

    fn turns(&self, state: &card_game::State) -> u16 {
        self.observe(state, Seat(0)).turns()
    }

    fn has_source(&self, source: usize) -> bool {
        matches!(SOURCES[source], "tickets" | "big_cities")
    }

    fn left_over(&self) -> &'static str {
        "cards left"
    }

    fn ticket_names(&self) -> Vec<String> {
        (0..self.tickets().len()).map(|ticket| self.ticket_name(TicketId(ticket as u8))).collect()
    }

    fn route_names(&self) -> Vec<String> {
        Vec::new()
    }

    fn observation_json(view: &card_game::Observation<'_>) -> serde_json::Value {
        serde_json::to_value(view.facts()).expect("facts are plain data")
    }

    fn description_json(&self) -> serde_json::Value {
        serde_json::json!({ "kind": "card-game", "tickets": self.ticket_names(), "game": self.spec() })
    }

    fn board(&self) -> Option<&BoardGame> {
        None
    }
}
