//! Games as the simulator needs them: results, endings, and the events that studies count.
//!
//! [`Playable`] is implemented for boards and for the Card Game; [`AnyGame`] is either of them.
//!
//! ```
//! use ttr_engine::{Dice, Game, board::BoardGame, maps};
//! use ttr_sim::game::{Ending, Playable, Source};
//! let game = BoardGame::new(&maps::load("usa")?, 2)?;
//! let mut dice = Dice::from_seed(1);
//! let mut state = game.deal(&mut dice);
//! assert_eq!(game.ending(&state), None);
//! game.playout(&mut state, &mut Dice::from_seed(2), &mut dice);
//! assert_eq!(game.ending(&state), Some(Ending::FinalRound));
//! let winner = game.results(&state).into_iter().find(|result| result.rank == 0).expect("somebody wins");
//! assert!(winner.sources[Source::Routes] > 0 && !winner.routes.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod any;
mod board;
mod card_game;
mod ending;
mod source;

use serde::{Deserialize, Serialize};
use ttr_agents::RosterGame;
use ttr_engine::{CardKind, RouteId, RouteSet, Seat, TicketSet};
use ttr_show::Show;

pub use any::{AnyGame, GameError};
pub use board::same_tracks;
pub use ending::Ending;
pub use source::{BySource, Source};

/// The result of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SeatResult {
    /// All points; in games without points, completed tickets.
    pub points: i16,
    /// Rank after all tie-breaks, 0 for a winner.
    pub rank: u8,
    /// Points by source.
    pub sources: BySource<i16>,
    /// Number of tickets completed, bonus tickets included.
    pub completed: u8,
    /// Number of tickets held and not completed.
    pub failed: u8,
    /// Number of trains not placed; in the Card Game, cards in hand.
    pub left: u8,
    /// Routes owned.
    pub routes: RouteSet,
    /// The completed tickets.
    pub completed_tickets: TicketSet,
    /// The tickets held and not completed.
    pub failed_tickets: TicketSet,
}

/// A choice among tickets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TicketChoice {
    /// The tickets to choose from.
    pub offered: TicketSet,
    /// Those that the seat keeps.
    pub kept: TicketSet,
    /// The choice precedes the first turn.
    pub opening: bool,
}

/// A route and the cards laid down for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The route.
    pub route: RouteId,
    /// The colour played, if any.
    pub colour: Option<CardKind>,
    /// Number of locomotives laid down.
    pub locomotives: u8,
    /// Number of spaces paid for with substitute sets.
    pub sets: u8,
}

/// The additional cards for a tunnel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Surcharge {
    /// Number of cards.
    pub cards: u8,
    /// Number of locomotives among them.
    pub locomotives: u8,
}

/// The tickets of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TicketsOf {
    /// Those in its hand.
    pub held: TicketSet,
    /// Those that it has completed and shown, in games in which this happens before the end.
    pub completed: TicketSet,
}

/// Rare situations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rarities {
    /// The deck is empty, the discard too.
    pub deck_empty: bool,
    /// Too many locomotives lie face up, and the flushes are used up.
    pub flush_guard: bool,
}

/// A game that the simulator plays and reports on.
pub trait Playable: RosterGame + Show + 'static {
    /// The name of the map or game, for people.
    fn name(&self) -> &str;

    /// The result of each seat in a finished game; in an unfinished one, as if it ended now.
    fn results(&self, state: &Self::State) -> Vec<SeatResult>;

    /// How each seat ended a game that a seat may have forfeited: it is last, and the others share the win.
    fn results_after(&self, state: &Self::State, forfeit: Option<Seat>) -> Vec<SeatResult> {
        let mut results = self.results(state);
        if let Some(loser) = forfeit {
            for (seat, result) in results.iter_mut().enumerate() {
                result.rank = if seat == loser.index() { self.seats() as u8 - 1 } else { 0 };
            }
        }
        results
    }

    /// The reason why the game ended; `None` if it has not.
    fn ending(&self, state: &Self::State) -> Option<Ending>;

    /// The seat that has the first turn; after a round of the Card Game, that of the next round.
    fn first(&self, state: &Self::State) -> Seat;

    /// Number of turns played.
    fn turns(&self, state: &Self::State) -> u16;

    /// The turn in which a decision is taken, counted over all seats from 1; 0 before the first turn.
    fn turn_of_decision(&self, state: &Self::State) -> u16;

    /// Returns `true` if this game has a source of points.
    fn has_source(&self, source: Source) -> bool;

    /// The kind of leftover at the end, in words: trains or cards.
    fn left_over(&self) -> &'static str;

    /// The choice of tickets that a decision makes, if it is one.
    fn ticket_choice(&self, state: &Self::State, seat: Seat, action: Self::Action) -> Option<TicketChoice>;

    /// The tickets of a seat.
    fn tickets_of(&self, state: &Self::State, seat: Seat) -> TicketsOf;

    /// The claim that a decision makes or attempts.
    fn claim(&self, action: Self::Action) -> Option<Claim>;

    /// The surcharge for a tunnel that a decision pays, if it does.
    fn surcharge(&self, state: &Self::State, action: Self::Action) -> Option<Surcharge>;

    /// The routes of a seat.
    fn routes_of(&self, state: &Self::State, seat: Seat) -> RouteSet;

    /// The rare situations of a position.
    fn rarities(&self, state: &Self::State) -> Rarities;

    /// The names of the tickets, in order.
    fn ticket_names(&self) -> Vec<String>;

    /// The values of the tickets, in order.
    fn ticket_points(&self) -> Vec<u8>;

    /// The names of the routes, in order; a game without a board has none.
    fn route_names(&self) -> Vec<String>;
}

/// Decodes a choice by bits among a set of tickets.
fn choice(offered: TicketSet, kept: u8, opening: bool) -> TicketChoice {
    let chosen = offered.into_iter().enumerate().filter(|&(index, _)| kept >> index & 1 == 1);
    TicketChoice { offered, kept: chosen.map(|(_, ticket)| ticket).collect(), opening }
}
