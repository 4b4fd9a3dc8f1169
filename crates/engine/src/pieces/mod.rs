//! The parts that all games are made of: seats, cards, tickets, and the piles that they lie in.

pub(crate) mod array;
mod bits;
mod bottom;
mod by_seat;
mod card;
mod draws;
mod id;
mod memory;
mod places;
mod sample;
mod seat;
mod supply;
mod ticket_places;

pub use by_seat::BySeat;
pub use card::{CardKind, Cards};
pub use id::{CityId, CitySet, IdOutOfRange, Members, RouteId, RouteSet, TicketId, TicketSet};
pub use seat::{MAX_SEATS, Seat};

pub(crate) use bottom::Bottom;
pub(crate) use card::{ColourSet, PerColour};
pub(crate) use draws::Draws;
pub(crate) use memory::OldCards;
pub(crate) use places::Places;
pub(crate) use sample::{CardPile, TicketPile};
pub(crate) use supply::Supply;
pub(crate) use ticket_places::{TicketPlace, TicketPlaces};
