//! What the simulator asks of a game: results, endings, and the events that studies count.

mod board;
mod card_game;

use serde::{Deserialize, Serialize};
use ttr_agents::Roster;
use ttr_engine::{CardKind, Seat, TicketSet};
use ttr_show::Show;

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
pub trait Playable: Roster + Show + 'static {
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
