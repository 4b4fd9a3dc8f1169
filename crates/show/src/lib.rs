#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod description;
pub mod draw;
pub mod event;
mod moves;
pub mod text;
pub mod view;

use serde_json::Value as Json;
use ttr_engine::board::{self, BoardGame};
use ttr_engine::card_game::{self, CardGame};
use ttr_engine::{Notation, Seat, SeenAction, SeenStep, TicketId};

pub use event::Event;
pub use moves::Move;
pub use view::SeatView;

use view::Ticket;

/// A game whose positions and actions can be shown to people and to programs in other languages.
///
/// ```
/// use ttr_engine::card_game::CardGame;
/// use ttr_engine::{Dice, Game, Seat, maps};
/// use ttr_show::Show;
///
/// fn seats_shown<G: Show>(game: &G) -> Result<usize, serde_json::Error> {
///     let state = game.deal(&mut Dice::from_seed(1));
///     let seen = serde_json::to_value(game.position(&state, Some(Seat::new(0))))?;
///     Ok(seen["seats"].as_array().map_or(0, Vec::len))
/// }
/// let game = CardGame::new(&maps::card_game(), 4)?;
/// assert_eq!(seats_shown(&game)?, 4);
/// assert_eq!(game.description()["name"], "The Card Game");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Show: Notation {
    /// The view of a seat.
    fn seat_view(view: &Self::Observation<'_>) -> SeatView;

    /// An action of the seat to decide, as the seat of the view sees it; `None` if even its kind is secret.
    fn seen_move(view: &Self::Observation<'_>, action: SeenAction<Self::Action>) -> Option<Move>;

    /// The events of a step that a seat sees: the decision and its consequences.
    fn events(step: &SeenStep<'_, Self>) -> Vec<Event>;

    /// A ticket by name and value.
    fn ticket(&self, ticket: TicketId) -> Ticket;

    /// Map, rules and names as JSON.
    fn description(&self) -> Json;

    /// The board, if there is one.
    fn board(&self) -> Option<&BoardGame>;

    /// A position as one seat sees it, or with everything open.
    fn position(&self, state: &Self::State, eyes: Option<Seat>) -> SeatView {
        match eyes {
            Some(seat) => Self::seat_view(&self.observe(state, seat)),
            None => SeatView::open(self, state),
        }
    }
}

impl Show for BoardGame {
    fn seat_view(view: &board::Observation<'_>) -> SeatView {
        SeatView::of_board(view)
    }

    fn seen_move(view: &board::Observation<'_>, action: SeenAction<board::Action>) -> Option<Move> {
        Move::of_board(view, action)
    }

    fn events(step: &SeenStep<'_, Self>) -> Vec<Event> {
        event::of_board(step)
    }

    fn ticket(&self, ticket: TicketId) -> Ticket {
        Ticket { name: self.ticket_name(ticket), points: self.tickets()[ticket.index()].points }
    }

    fn description(&self) -> Json {
        description::of_board(self)
    }

    fn board(&self) -> Option<&BoardGame> {
        Some(self)
    }
}

impl Show for CardGame {
    fn seat_view(view: &card_game::Observation<'_>) -> SeatView {
        SeatView::of_card_game(view)
    }

    fn seen_move(view: &card_game::Observation<'_>, action: SeenAction<card_game::Action>) -> Option<Move> {
        Move::of_card_game(view, action)
    }

    fn events(step: &SeenStep<'_, Self>) -> Vec<Event> {
        event::of_card_game(step)
    }

    fn ticket(&self, ticket: TicketId) -> Ticket {
        Ticket { name: self.ticket_name(ticket), points: self.tickets()[ticket.index()].points }
    }

    fn description(&self) -> Json {
        description::of_card_game(self)
    }

    fn board(&self) -> Option<&BoardGame> {
        None
    }
}
