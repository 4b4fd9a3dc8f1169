//! The rating of an agent in a directory: one arena per table, played one after the other.

use std::path::PathBuf;

use ttr_agents::{AgentSpec, Roster};

use super::entry::{RateEntry, Seated};
use super::ladder::Ladder;
use super::summary::{Rating, TableRating};
use crate::arena::{Arena, ArenaOptions, Summary};
use crate::exec::ExecOptions;
use crate::game::Playable;
use crate::run::dir::{PLAN, RunDir};
use crate::run::error::RunError;
use crate::run::kept::{Kept, KeptRun};
use crate::run::options::StudyPlan;
use crate::run::plan::{PlanError, RunPlan};
use crate::table::entrant::Entrant;
use crate::table::runner::{Drive, Outcome, PlayError};
use crate::with_game;

/// The folder with the arenas of the tables.
const TABLES: &str = "tables";

/// A rating: an entry at the tables of a ladder.
///
/// ```
/// use ttr_agents::{AgentSpec, Roster};
/// use ttr_sim::exec::ExecOptions;
/// use ttr_sim::rate::{Ladder, Rate, RateEntry};
/// use ttr_sim::run::{KeptRun, RunDir};
/// # let folder = std::env::temp_dir().join(format!("ttr-rate-{}", std::process::id()));
/// let (ladder, roster) = (Ladder::v1(), Roster::default());
/// let only = vec!["first-journey-usa-2".to_owned()];
/// let entry = RateEntry { agent: AgentSpec::new("random"), card_game: None, only, times: 1 };
/// let (plan, games) = (entry.plan(&ladder), entry.games(&ladder, &roster)?);
/// let dir = RunDir::create(&folder, plan)?;
/// let run = KeptRun::open(dir, |plan| Rate::from_plan(ladder, plan, roster, ExecOptions::default()))?;
/// assert_eq!(run.games_planned(), games);     // `run.play_to_end` plays them and returns the `Rating`
/// # drop(run);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Rate {
    ladder: Ladder,
    entry: RateEntry,
    tables: Vec<Seated>,
    roster: Roster,
    processes: ExecOptions,
}

impl Rate {
    /// Creates the rating of a plan, for an agent of a roster; `processes` are the options for agents that
    /// are processes.
    ///
    /// # Errors
    /// If it is the plan of another study, or of another version of the ladder.
    pub fn from_plan(
        ladder: Ladder,
        plan: &RunPlan,
        roster: Roster,
        processes: ExecOptions,
    ) -> Result<Self, PlanError> {
        let StudyPlan::Rate(options) = &plan.study else { return Err(plan.is_not_of("rate")) };
        if plan.map != ladder.id() || plan.map_hash != format!("{:016x}", ladder.hash) {
            return Err(PlanError::OtherMap(plan.map.clone()));
        }
        let (agent, card_game) = match &plan.agents[..] {
            [agent] => (agent.clone(), None),
            [agent, other] => (agent.clone(), Some(other.clone())),
            agents => return Err(PlanError::Other(format!("it has {} agents", agents.len()))),
        };
        let entry = RateEntry { agent, card_game, only: options.tables.clone(), times: options.times };
        let tables = entry.check(&ladder, &roster).and_then(|()| entry.seats(&ladder, &roster));
        let tables = tables.map_err(|error| PlanError::Other(error.to_string()))?;
        Ok(Self { ladder, entry, tables, roster, processes })
    }

    fn path(&self, dir: &RunDir, seated: &Seated) -> PathBuf {
        dir.path().join(TABLES).join(&seated.table.name)
    }

    fn played(&self) -> impl Iterator<Item = &Seated> {
        self.tables.iter().filter(|seated| seated.missing.is_none())
    }

    /// The arena of a table: the existing one, or a new one.
    fn open<G: Playable>(
        &self,
        dir: &RunDir,
        seated: &Seated,
        game: G,
    ) -> Result<KeptRun<Arena<G>>, RunError> {
        let table = &seated.table;
        let names = table.anchor_names();
        let anchors = names.iter().map(|name| self.ladder.anchor(table, name));
        let agents: Vec<AgentSpec> = std::iter::once(seated.agent.clone()).chain(anchors).collect();
        let known = names.iter().map(|&name| table.ratings.get(name).copied().unwrap_or(f64::NAN));
        let options = ArenaOptions { known_ratings: Some(known.collect()), ..ArenaOptions::default() };
        let entrant =
            |agent: &AgentSpec| Entrant::from_spec_with(&game, agent, &self.roster, &self.processes);
        let entrants = agents.iter().map(entrant).collect::<Result<_, _>>().map_err(PlayError::from)?;
        let plan = RunPlan::new(StudyPlan::Arena(options), &game, &table.map, table.seed, agents)
            .with_deals(&table.schedule(), self.entry.times * table.deals)
            .with_exec_secret(self.processes.secret);
        let dir = RunDir::open_or_create(&self.path(dir, seated), plan)?;
        KeptRun::open(dir, |plan| Arena::from_plan(game, entrants, plan))
    }

    /// The summary of a table that was started, as far as it was played.
    fn summary(&self, dir: &RunDir, seated: &Seated) -> Result<Option<Summary>, RunError> {
        if seated.missing.is_some() || !self.path(dir, seated).join(PLAN).exists() {
            return Ok(None);
        }
        with_game!(seated.table.game()?, game => {
            let run = self.open(dir, seated, game)?;
            if run.is_complete() { run.recorded().map(Some) } else { run.so_far() }
        })
    }

    /// The rating from the results of the tables.
    fn rating(&self, dir: &RunDir) -> Result<Rating, RunError> {
        let table = |seated: &Seated| {
            let Seated { table, agent, missing } = seated;
            Ok(TableRating::new(table, agent, self.summary(dir, seated)?.as_ref(), missing.as_deref()))
        };
        let tables = self.tables.iter().map(table).collect::<Result<_, RunError>>()?;
        Ok(Rating::new(&self.ladder, &self.entry, tables))
    }
}

impl Kept for Rate {
    type Summary = Rating;

    fn games_planned(&self, _: &RunPlan) -> u64 {
        self.played().map(|seated| self.entry.games_at(seated)).sum()
    }

    fn games_played(&self, dir: &RunDir) -> Result<u64, RunError> {
        let mut games = 0;
        for seated in self.played().filter(|seated| self.path(dir, seated).join(PLAN).exists()) {
            let table = RunDir::open_to_read(&self.path(dir, seated))?;
            games += match table.is_complete() {
                true => self.entry.games_at(seated),
                false => table.deals_played()? * seated.table.schedule().games_per_deal(),
            };
        }
        Ok(games)
    }

    fn play(&mut self, dir: &RunDir, drive: &Drive<'_>) -> Result<Outcome, RunError> {
        for seated in self.played() {
            let summary = with_game!(seated.table.game()?, game => {
                self.open(dir, seated, game)?.play_to_end(drive)?
            });
            if summary.is_none() {
                return Ok(Outcome::Stopped);
            }
        }
        Ok(Outcome::Finished)
    }

    fn so_far(&self, dir: &RunDir) -> Result<Option<Rating>, RunError> {
        if self.games_played(dir)? == 0 {
            return Ok(None);
        }
        self.rating(dir).map(Some)
    }

    fn write_results(&self, dir: &RunDir) -> Result<Rating, RunError> {
        let rating = self.rating(dir)?;
        dir.write_file("ratings.csv", rating.csv().as_bytes())?;
        Ok(rating)
    }

    fn silent(rating: &Rating) -> Vec<String> {
        rating.silent()
    }
}
