//! The agent `random`, the baseline.

use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::{Dice, Game, View};

use crate::agent::{Agent, Forfeit};
use crate::roster::AgentEntry;

pub(crate) fn entry() -> AgentEntry {
    AgentEntry::new("random", "any legal action, each equally likely")
        .plays(|_: &BoardGame, _| Random)
        .plays(|_: &CardGame, _| Random)
}

/// Takes any legal action, each equally likely.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<G: Game> Agent<G> for Random {
    fn choose(&mut self, view: &G::Observation<'_>, dice: &mut Dice) -> Result<G::Action, Forfeit> {
        Ok(view.random_action(dice))
    }
}
