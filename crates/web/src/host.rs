//! Where maps and agents come from.

use ttr_agents::{Agent, AgentEntry, Roster, RosterGame};
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::maps::{self, AnySpec};
use ttr_engine::{Game, IndexedActions};
use ttr_show::Show;

/// Where a [`Session`](crate::Session) gets maps and agents from.
pub trait Host: Send {
    /// The ids of all maps to choose from.
    fn maps(&self) -> Vec<String> {
        maps::all_ids().map(str::to_owned).collect()
    }

    /// Agents to suggest as opponents, by name.
    fn agents(&self) -> &Roster {
        Roster::built_in()
    }

    /// A seed that nobody can guess, if there is a source of them.
    fn fresh_seed(&self) -> Option<u64> {
        None
    }

    /// A map by its id.
    ///
    /// # Errors
    /// If there is no such map.
    fn map(&self, id: &str) -> Result<AnySpec, String>;

    /// An agent for a board game.
    ///
    /// # Errors
    /// If there is no such agent, or it does not play this game.
    fn board_player(&self, game: &BoardGame, agent: &str) -> Result<Player<BoardGame>, String>;

    /// An agent for the Card Game.
    ///
    /// # Errors
    /// As [`Host::board_player`].
    fn card_player(&self, game: &CardGame, agent: &str) -> Result<Player<CardGame>, String>;
}

/// An agent at the table.
pub struct Player<G: Game> {
    /// The agent.
    pub agent: Box<dyn Agent<G>>,
    /// The source of its dice, if it must not be the seed of the game, from which it could find out the
    /// deal.
    pub secret: Option<u64>,
}

/// The shipped maps, and the agents of this program.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn;

impl BuiltIn {
    fn player<G: RosterGame>(game: &G, agent: &str) -> Result<Player<G>, String> {
        let roster = Roster::built_in();
        let spec = roster.parse(agent).map_err(|why| why.to_string())?;
        if spec.command().is_some() {
            return Err("processes can't play here".to_owned());
        }
        let needs = ["ms", "threads"].into_iter().find(|key| spec.given(key).is_some());
        if let Some(key) = needs.filter(|_| cfg!(target_family = "wasm")) {
            return Err(format!("there are no clocks and threads here: omit {key}="));
        }
        let agent = roster.build(game, &spec).map_err(|why| why.to_string())?;
        Ok(Player { agent, secret: None })
    }
}

impl Host for BuiltIn {
    fn map(&self, id: &str) -> Result<AnySpec, String> {
        shipped(id)
    }

    fn board_player(&self, game: &BoardGame, agent: &str) -> Result<Player<BoardGame>, String> {
        Self::player(game, agent)
    }

    fn card_player(&self, game: &CardGame, agent: &str) -> Result<Player<CardGame>, String> {
        Self::player(game, agent)
    }
}

/// A shipped map, with depots if its id says so. A page must not choose which files are read.
pub(crate) fn shipped(id: &str) -> Result<AnySpec, String> {
    let plain = id.strip_suffix(maps::WITH_DEPOTS).unwrap_or(id);
    if !maps::all_ids().any(|known| known == plain) {
        return Err(format!("there is no map \"{}\"", id.escape_debug()));
    }
    maps::find_any(id).map_err(|why| why.to_string())
}

/// A kind of game that can be played in a session.
pub trait SessionGame: Show + RosterGame + IndexedActions + Clone {
    /// The strongest heuristic agent: the usual opponent.
    const USUAL: &'static str;

    /// An agent of a host.
    ///
    /// # Errors
    /// If there is no such agent, or it does not play this game.
    fn player(&self, host: &dyn Host, agent: &str) -> Result<Player<Self>, String>;

    /// The points by source and seat, as if the game ended now.
    fn sheet(&self, state: &Self::State) -> serde_json::Value;
}

impl SessionGame for BoardGame {
    const USUAL: &'static str = "planner";

    fn player(&self, host: &dyn Host, agent: &str) -> Result<Player<Self>, String> {
        host.board_player(self, agent)
    }

    fn sheet(&self, state: &Self::State) -> serde_json::Value {
        self.score_sheet(state).iter().map(|seat| serde_json::to_value(seat).unwrap_or_default()).collect()
    }
}

impl SessionGame for CardGame {
    const USUAL: &'static str = "yard";

    fn player(&self, host: &dyn Host, agent: &str) -> Result<Player<Self>, String> {
        host.card_player(self, agent)
    }

    fn sheet(&self, state: &Self::State) -> serde_json::Value {
        self.score_sheet(state).iter().map(|seat| serde_json::to_value(seat).unwrap_or_default()).collect()
    }
}

/// An agent in the menu: what it plays, in the words of `ttr agents`.
pub(crate) fn menu_entry(entry: &AgentEntry) -> serde_json::Value {
    serde_json::json!({
        "name": entry.name(),
        "about": entry.about(),
        "boards": entry.is_for::<BoardGame>(),
        "cards": entry.is_for::<CardGame>(),
    })
}
