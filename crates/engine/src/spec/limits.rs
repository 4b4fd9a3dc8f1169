//! Limits of boards and games: what states and tables have room for.

use crate::pieces::Cards;

/// Most cities of a board.
pub const MAX_CITIES: usize = 64;
/// Most routes of a board.
pub const MAX_ROUTES: usize = 128;
/// Most tickets of a board.
pub const MAX_TICKETS: usize = 104;
/// Most tickets of a Card Game.
pub const MAX_CARD_GAME_TICKETS: usize = 88;
/// Most spaces of a route.
pub const MAX_LENGTH: u8 = 9;
/// Most stations of a seat.
pub const MAX_STATIONS: usize = 3;
/// Most depots of a seat.
pub const MAX_DEPOTS: usize = 5;
/// Most different piles of tickets, the regular one included.
pub const MAX_PILES: usize = 4;
/// Most deals of opening tickets.
pub const MAX_OPENING_STEPS: usize = 2;
/// The pile that the ticket action draws from.
pub const REGULAR: &str = "regular";
/// Most seats of the Card Game.
pub const MAX_CARD_GAME_SEATS: usize = 4;
/// Most big cities.
pub const MAX_BIG_CITIES: usize = 16;
/// Most circles of a ticket (CG-1).
pub(crate) const MAX_CIRCLES: usize = 5;
/// Most cards of a colour: a counter has room for these and the circles of a ticket.
pub const MAX_OF_COLOUR: u8 = Cards::MAX_OF_KIND - MAX_CIRCLES as u8;
/// Most tickets to choose among at once.
#[cfg(feature = "maps")]
pub(crate) const MAX_CHOICE: u8 = 8;
