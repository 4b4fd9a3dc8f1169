//! The baseline of all baselines.

use ttr_engine::{Dice, Game, View};

use crate::agent::{Agent, Forfeit};
use crate::spec::{AgentInfo, Plays};

pub(crate) const INFO: AgentInfo = AgentInfo {
    name: "random",
    about: "any legal action, each equally likely",
    plays: Plays::Anything,
    tuned: false,
    params: &[],
};

/// Takes any legal action, each equally likely.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<G: Game> Agent<G> for Random {
    fn choose(&mut self, view: &G::Observation<'_>, dice: &mut Dice) -> Result<G::Action, Forfeit> {
        Ok(view.random_action(dice))
    }
}
