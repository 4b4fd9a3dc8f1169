//! The rules one by one: positions made to order, actions in notation, every random event scripted.
//!
//! The first words of a test's comment are the numbers of the rules that it proves.

mod core;
mod depots;
mod europe;
mod guards;
mod information;
mod journey;
mod mistakes;
mod nordic;
mod scoring;
#[path = "../support/under_the_deck.rs"]
mod under_the_deck;
mod usa;
mod variants;

use ttr_engine::CardKind::{self, *};
use ttr_engine::board::BoardGame;
use ttr_engine::testing::Table;
use ttr_engine::{Cards, Event, IllegalAction, TicketId, TicketSet, maps};

/// Five cards for the market, none of them a locomotive.
const MARKET: [CardKind; 5] = [Purple, Blue, Orange, White, Green];

/// A shipped map for some seats.
fn game(map: &str, seats: usize) -> BoardGame {
    BoardGame::new(&maps::load(map).unwrap(), seats).unwrap()
}

/// A shipped map with some lines of its file changed.
fn variant(base: &str, seats: usize, lines: &str) -> BoardGame {
    let text = format!("format = 1\nname = \"Variant\"\nbase = \"{base}\"\n{lines}");
    let map = maps::parse("variant.toml", &text).unwrap_or_else(|why| panic!("{why}"));
    BoardGame::new(&map, seats).unwrap()
}

/// The rule that forbids an action.
fn forbidden_by(played: Result<&mut Table<'_>, IllegalAction>) -> &'static str {
    match played {
        Err(IllegalAction::Forbidden { rule, .. }) => rule,
        Err(why) => panic!("refused for another reason: {why}"),
        Ok(_) => panic!("it was allowed"),
    }
}

/// Asserts that an action belongs to another moment.
fn assert_wrong_moment(played: Result<&mut Table<'_>, IllegalAction>) {
    match played {
        Err(IllegalAction::WrongMoment { .. }) => {}
        Err(why) => panic!("refused for another reason: {why}"),
        Ok(_) => panic!("it was allowed"),
    }
}

/// Cards by kind and count.
fn pile(cards: impl IntoIterator<Item = (CardKind, u8)>) -> Cards {
    cards.into_iter().fold(Cards::EMPTY, |all, (kind, count)| all + Cards::of(kind, count))
}

/// Tickets by index.
fn ticket_set<const N: usize>(ids: [u8; N]) -> TicketSet {
    ids.into_iter().map(|id| TicketId::new(id.into())).collect()
}

/// The event that a seat is chosen to start.
fn starts(seat: u8) -> Event {
    Event::Seat(ttr_engine::Seat::new(seat.into()))
}
