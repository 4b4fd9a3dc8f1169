#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod bits;
pub mod board;
mod bottom;
mod card;
pub mod card_game;
mod chance;
pub mod codec;
mod facts;
mod game;
mod id;
pub mod input_file;
pub mod maps;
mod memory;
mod notation;
mod places;
pub mod plain_text;
mod replay;
mod sample;
pub mod spec;
#[cfg(feature = "testing")]
pub mod testing;

pub use card::{CardKind, Cards};
pub use chance::{Chance, Dice, Event, Recorder, Script};
pub use game::{Game, IllegalAction, MAX_SEATS, Scores, Seat, Turn, View};
pub use id::{CityId, CitySet, Members, RouteId, RouteSet, TicketId, TicketSet};
pub use notation::{Notation, NotationError, as_others_see};
pub use replay::{Replay, ReplayError, ReplayHeader, replay_header};
