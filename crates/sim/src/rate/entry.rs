//! An entry on a ladder: the agent to rate, and its tables.

use ttr_agents::{AgentSpec, Roster};
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::maps::AnySpec;
use ttr_engine::spec::{MapError, suggest};

use super::ladder::{Ladder, LadderTable};
use crate::exec::ExecOptions;
use crate::game::GameError;
use crate::run::options::{RateOptions, StudyPlan};
use crate::run::plan::{FORMAT, RunPlan};
use crate::table::entrant::{Entrant, EntrantError};
use crate::with_game;

/// The agent to rate, and its tables.
#[derive(Clone, PartialEq, Debug)]
pub struct RateEntry {
    /// The agent.
    pub agent: AgentSpec,
    /// Another agent that plays the Card Game in its place.
    pub card_game: Option<AgentSpec>,
    /// Names of the tables; empty for all.
    pub only: Vec<String>,
    /// Number of times the deals of the ladder are played.
    pub times: u64,
}

/// The reason why an agent can't be rated.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RateError {
    /// The ladder has no such table.
    #[error("there is no table {name:?}; {hint}")]
    UnknownTable {
        /// Its name.
        name: String,
        /// A suggestion.
        hint: String,
    },
    /// The agents play none of the tables.
    #[error("{agent} plays none of these tables: {why}")]
    NoTable {
        /// The label of the agent.
        agent: String,
        /// The reason why it does not play the first of them.
        why: String,
    },
    /// The deals are not played at all.
    #[error("the option times must be 1 or more")]
    NoGames,
    /// An agent can't be made.
    #[error(transparent)]
    Agent(#[from] EntrantError),
    /// A game of the ladder can't be played.
    #[error(transparent)]
    Game(#[from] GameError),
}

impl From<MapError> for RateError {
    fn from(error: MapError) -> Self {
        Self::Game(error.into())
    }
}

/// A table with the agent that plays there.
pub(super) struct Seated {
    pub(super) table: LadderTable,
    pub(super) agent: AgentSpec,
    /// The reason why the table is not played, if it is not.
    pub(super) missing: Option<String>,
}

impl RateEntry {
    /// The name of the entry: that of the agent, or of both.
    pub fn label(&self) -> String {
        match &self.card_game {
            Some(other) => format!("{} + {}", self.agent.label(), other.label()),
            None => self.agent.label(),
        }
    }

    /// Checks that there is something to play.
    ///
    /// # Errors
    /// A table does not exist, or the agents play none of the tables.
    pub fn check(&self, ladder: &Ladder, roster: &Roster) -> Result<(), RateError> {
        if self.times == 0 {
            return Err(RateError::NoGames);
        }
        let names: Vec<&str> = ladder.tables.iter().map(|table| table.name.as_str()).collect();
        if let Some(unknown) = self.only.iter().find(|name| !names.contains(&name.as_str())) {
            let hint = suggest(unknown, names, "tables");
            return Err(RateError::UnknownTable { name: unknown.clone(), hint });
        }
        let seated = self.seats(ladder, roster)?;
        if seated.iter().all(|seated| seated.missing.is_some()) {
            let why = seated.iter().find_map(|seated| seated.missing.clone()).unwrap_or_default();
            return Err(RateError::NoTable { agent: self.agent.label(), why });
        }
        Ok(())
    }

    /// Builds the agents for every table, so that errors are reported before any game.
    ///
    /// # Errors
    /// If an agent can't be made.
    pub fn try_out(
        &self,
        ladder: &Ladder,
        roster: &Roster,
        processes: &ExecOptions,
    ) -> Result<(), RateError> {
        for seated in self.seats(ladder, roster)?.iter().filter(|seated| seated.missing.is_none()) {
            with_game!(seated.table.game()?, game => {
                Entrant::from_spec_with(&game, &seated.agent, roster, processes)?;
            });
        }
        Ok(())
    }

    /// Number of games.
    ///
    /// # Errors
    /// If a map can't be loaded.
    pub fn games(&self, ladder: &Ladder, roster: &Roster) -> Result<u64, RateError> {
        let seated = self.seats(ladder, roster)?;
        Ok(seated.iter().filter(|seated| seated.missing.is_none()).map(|seated| self.games_at(seated)).sum())
    }

    pub(super) fn games_at(&self, seated: &Seated) -> u64 {
        self.times * seated.table.deals * seated.table.schedule().games_per_deal()
    }

    /// The plan: everything that the results depend on.
    pub fn plan(&self, ladder: &Ladder) -> RunPlan {
        RunPlan {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            map: ladder.id(),
            map_hash: format!("{:016x}", ladder.hash),
            seats: 0,
            seed: 0,
            deals: 0,
            first_deal: 0,
            end_deal: 0,
            line_ups: Vec::new(),
            exec_secret: None,
            study: StudyPlan::Rate(RateOptions { tables: self.only.clone(), times: self.times }),
            agents: std::iter::once(self.agent.clone()).chain(self.card_game.clone()).collect(),
        }
    }

    pub(super) fn seats(&self, ladder: &Ladder, roster: &Roster) -> Result<Vec<Seated>, RateError> {
        ladder.tables(&self.only).map(|table| self.seat(table, roster)).collect()
    }

    fn seat(&self, table: &LadderTable, roster: &Roster) -> Result<Seated, RateError> {
        let is_card_game = matches!(table.spec()?, AnySpec::CardGame(_));
        let agent = self.card_game.as_ref().filter(|_| is_card_game).unwrap_or(&self.agent);
        // Processes play every game.
        let stranger = roster.entry(&agent.name).ok().filter(|entry| match is_card_game {
            true => !entry.is_for::<CardGame>(),
            false => !entry.is_for::<BoardGame>(),
        });
        let missing = stranger.map(|entry| {
            let hint = if is_card_game { "; give --card-game AGENT" } else { "" };
            format!("{} plays {} only{hint}", agent.name, entry.plays_what())
        });
        Ok(Seated { table: table.clone(), agent: agent.clone(), missing })
    }
}
