//! Most points now: what is payable is claimed or played, what is not is collected.

mod board;
mod card_game;

pub use board::GreedyClaims;
pub use card_game::GreedyRows;

use crate::spec::{AgentInfo, Plays};

pub(crate) const INFO: AgentInfo = AgentInfo {
    name: "greedy",
    about: "most points now: claims the dearest route it can pay for",
    plays: Plays::Anything,
    tuned: false,
    params: &[],
};
