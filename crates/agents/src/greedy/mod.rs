//! Most points now: claims or plays what it can pay for, and otherwise collects.

mod board;
mod card_game;

pub use board::GreedyClaims;
pub use card_game::GreedyRows;

use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;

use crate::roster::AgentEntry;

pub(crate) fn entry() -> AgentEntry {
    AgentEntry::new("greedy", "most points now: claims the most expensive route it can pay for")
        .plays(|game: &BoardGame, _| GreedyClaims::new(game))
        .plays(|_: &CardGame, _| GreedyRows)
}
