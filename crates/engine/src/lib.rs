#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod action_space;
pub mod board;
pub mod card_game;
mod chance;
pub mod codec;
mod encode;
mod facts;
mod game;
#[cfg(feature = "maps")]
pub mod input_file;
#[cfg(feature = "maps")]
pub mod maps;
mod notation;
mod pieces;
pub mod plain_text;
mod replay;
pub mod spec;
mod step;
#[cfg(feature = "testing")]
pub mod testing;

pub use action_space::{ActionFields, ActionSpace, IndexedActions};
pub use chance::{Chance, Dice, Event, Recorder, Script, TableEvent, Witness};
pub use encode::{Block, Column, EncodedViews, Encoder, Layout};
pub use game::{Game, IllegalAction, Scores, Turn, View, WrongSeats};
pub use notation::{Notation, NotationError, SeenAction};
pub use pieces::{
    BySeat, CardKind, Cards, CityId, CitySet, IdOutOfRange, MAX_SEATS, Members, RouteId, RouteSet, Seat,
    TicketId, TicketSet,
};
pub use replay::{Replay, ReplayError, ReplayHeader, replay_game, replay_header};
pub use step::{SeenStep, Step};
