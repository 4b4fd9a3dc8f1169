//! Which agents there are, and how they are built.

use ttr_engine::Notation;
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;

use crate::agent::Agent;
use crate::greedy::{self, GreedyClaims, GreedyRows};
use crate::planner::{self, Planner};
use crate::published;
use crate::random::{self, Random};
use crate::search;
use crate::spec::{self, AgentInfo, AgentSpec, Param, Plays, SpecError};
use crate::yard::{self, Yard};

/// All agents, weakest first.
pub const AGENTS: &[&AgentInfo] = &[
    &random::INFO,
    &greedy::INFO,
    &published::PATH,
    &published::ONE_STEP,
    &published::LONG_ROUTE,
    &published::HUNGRY,
    &search::FLAT,
    &planner::INFO,
    &yard::INFO,
    &search::ISMCTS,
];

/// A game that the agents of this crate play.
///
/// ```
/// use ttr_agents::{AgentSpec, Roster};
/// use ttr_engine::{board::BoardGame, maps};
/// let game = BoardGame::new(&maps::load("europe")?, 3)?;
/// let agent = game.agent(&AgentSpec::parse("random")?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Roster: Notation + Sized {
    /// Builds an agent.
    ///
    /// # Errors
    /// If there is no such agent, or it does not play this game.
    fn agent(&self, spec: &AgentSpec) -> Result<Box<dyn Agent<Self>>, SpecError>;

    /// Whether an agent plays this kind of game.
    fn is_played_by(info: &AgentInfo) -> bool;

    /// What a parameter is in this game if nobody sets it.
    fn default_of(&self, agent: &AgentInfo, param: &Param) -> String {
        let _ = agent;
        param.default.to_owned()
    }

    /// The same agent with every parameter set to what it is in this game: it stays the same agent when defaults are tuned again.
    ///
    /// ```
    /// use ttr_agents::{AgentSpec, Roster};
    /// use ttr_engine::{board::BoardGame, maps};
    /// let game = BoardGame::new(&maps::load("europe")?, 3)?;
    /// let planner = game.resolved(&AgentSpec::parse("planner:wild=0.5")?);
    /// assert_eq!(planner.given("wild"), Some("0.5"));
    /// assert!(planner.given("train").is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn resolved(&self, spec: &AgentSpec) -> AgentSpec {
        // A process has no parameters that are known here.
        let Ok(info) = spec::info(&spec.name) else { return spec.clone() };
        let mut resolved = spec.clone();
        for param in info.params.iter().filter(|param| spec.given(param.name).is_none()) {
            resolved = resolved.with(param.name, self.default_of(info, param));
        }
        resolved
    }

    /// The heuristic agent inside a search, with the defaults of this game. None for agents that do not search.
    fn heuristic_of(&self, spec: &AgentSpec) -> Option<AgentSpec>;

    /// That an agent does not play this game.
    fn wrong_game(&self, spec: &AgentSpec) -> SpecError {
        match spec::info(&spec.name) {
            Ok(info) => SpecError::WrongGame {
                agent: spec.name.clone(),
                plays: info.plays.to_string(),
                map: self.map_id().to_owned(),
            },
            Err(error) => error,
        }
    }
}

fn is_search(spec: &AgentSpec) -> bool {
    [search::FLAT.name, search::ISMCTS.name].contains(&spec.name.as_str())
}

impl Roster for BoardGame {
    fn agent(&self, spec: &AgentSpec) -> Result<Box<dyn Agent<Self>>, SpecError> {
        spec.check()?;
        Ok(match spec.name.as_str() {
            "random" => Box::new(Random),
            "greedy" => Box::new(GreedyClaims::new(self)),
            "planner" => Box::new(Planner::new(self, spec)),
            "flat" | "ismcts" => search::board::agent(self, spec),
            _ => return published::agent(self, spec).ok_or_else(|| self.wrong_game(spec)),
        })
    }

    fn default_of(&self, agent: &AgentInfo, param: &Param) -> String {
        match agent.name {
            "planner" => Planner::weight(self, param.name).to_string(),
            _ => param.default.to_owned(),
        }
    }

    fn heuristic_of(&self, spec: &AgentSpec) -> Option<AgentSpec> {
        is_search(spec).then(|| self.resolved(&AgentSpec::new(planner::INFO.name)))
    }

    fn is_played_by(info: &AgentInfo) -> bool {
        matches!(info.plays, Plays::Anything | Plays::Boards)
    }
}

impl Roster for CardGame {
    fn agent(&self, spec: &AgentSpec) -> Result<Box<dyn Agent<Self>>, SpecError> {
        spec.check()?;
        Ok(match spec.name.as_str() {
            "random" => Box::new(Random),
            "greedy" => Box::new(GreedyRows),
            "yard" => Box::new(Yard::new(self, spec)),
            "flat" | "ismcts" => search::card_game::agent(self, spec),
            _ => return Err(self.wrong_game(spec)),
        })
    }

    fn default_of(&self, agent: &AgentInfo, param: &Param) -> String {
        match agent.name {
            "yard" => Yard::weight(self, param.name).to_string(),
            _ => param.default.to_owned(),
        }
    }

    fn heuristic_of(&self, spec: &AgentSpec) -> Option<AgentSpec> {
        is_search(spec).then(|| self.resolved(&AgentSpec::new(yard::INFO.name)))
    }

    fn is_played_by(info: &AgentInfo) -> bool {
        matches!(info.plays, Plays::Anything | Plays::CardGame)
    }
}
