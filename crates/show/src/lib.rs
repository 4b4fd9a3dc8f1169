#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod draw;
pub mod position;
pub mod text;
mod view;

use serde_json::Value as Json;
use ttr_engine::board::{self, BoardGame};
use ttr_engine::card_game::{self, CardGame};
use ttr_engine::{Game, Seat};

use position::Position;

/// A game whose positions can be shown to people and to programs in other languages.
pub trait Show: Game {
    /// A seat's view as JSON, with names in place of indices.
    fn observation_json(view: &Self::Observation<'_>) -> Json;

    /// An action of the seat that looks as JSON: its type and what it names.
    fn action_json(view: &Self::Observation<'_>, action: Self::Action) -> Json;

    /// Map, rules and names as JSON.
    fn description_json(&self) -> Json;

    /// A position for people to look at: all of it, or what one seat may know.
    fn position(&self, state: &Self::State, eyes: Option<Seat>) -> Position;

    /// The board, if there is one.
    fn board(&self) -> Option<&BoardGame>;
}

impl Show for BoardGame {
    fn observation_json(view: &board::Observation<'_>) -> Json {
        view::board_view(view)
    }

    fn action_json(view: &board::Observation<'_>, action: board::Action) -> Json {
        view::board_action(view, action)
    }

    fn description_json(&self) -> Json {
        view::board_description(self)
    }

    fn position(&self, state: &board::State, eyes: Option<Seat>) -> Position {
        position::of_board(self, state, eyes)
    }

    fn board(&self) -> Option<&BoardGame> {
        Some(self)
    }
}

impl Show for CardGame {
    fn observation_json(view: &card_game::Observation<'_>) -> Json {
        view::card_game_view(view)
    }

    fn action_json(view: &card_game::Observation<'_>, action: card_game::Action) -> Json {
        view::card_game_action(view, action)
    }

    fn description_json(&self) -> Json {
        view::card_game_description(self)
    }

    fn position(&self, state: &card_game::State, eyes: Option<Seat>) -> Position {
        position::of_card_game(self, state, eyes)
    }

    fn board(&self) -> Option<&BoardGame> {
        None
    }
}
