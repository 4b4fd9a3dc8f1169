//! The rating of an agent in a directory: one arena per table, played one after the other.

use std::path::PathBuf;

use ttr_agents::{AGENTS, AgentSpec, Plays, Roster};
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::maps::AnySpec;
use ttr_engine::spec::suggest;

use super::ladder::{AnyGame, Ladder, LadderTable};
use super::summary::{Rating, TableRating};
use crate::arena::{ArenaOptions, ArenaRun, Summary};
use crate::exec::ExecOptions;
use crate::game::Playable;
use crate::run::dir::{FORMAT, PLAN, RunDir, RunPlan, SUMMARY, WrongDirectory};
use crate::run::kept::{KeptRun, Page, REPORT};
use crate::table::entrant::Entrant;
use crate::table::runner::{Drive, Outcome};

/// The folder with the arenas of the tables.
const TABLES: &str = "tables";

/// What is rated, and at which tables.
#[derive(Clone, PartialEq, Debug)]
pub struct RateEntry {
    /// The agent.
    pub agent: AgentSpec,
    /// Another agent that plays the Card Game in its place.
    pub card_game: Option<AgentSpec>,
    /// Names of the tables; all if there is none.
    pub only: Vec<String>,
    /// How many times the deals of the ladder are played.
    pub times: u64,
}

/// A table with the agent that plays there.
struct Seated {
    table: LadderTable,
    agent: AgentSpec,
    /// Why the table is not played, if it is not.
    missing: Option<String>,
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
    /// What is wrong: a table that does not exist, or agents that play none of the tables.
    pub fn check(&self, ladder: &Ladder) -> Result<(), String> {
        let names: Vec<&str> = ladder.tables.iter().map(|table| table.name.as_str()).collect();
        if let Some(unknown) = self.only.iter().find(|name| !names.contains(&name.as_str())) {
            return Err(format!("there is no table {unknown:?}; {}", suggest(unknown, names, "tables")));
        }
        let seated = self.seats(ladder).map_err(|error| error.to_string())?;
        if seated.iter().all(|seated| seated.missing.is_some()) {
            let why = seated.iter().find_map(|seated| seated.missing.clone()).unwrap_or_default();
            return Err(format!("{} plays none of these tables: {why}", self.agent.label()));
        }
        Ok(())
    }

    /// Builds the agents for every table, so that errors are reported before anything is played.
    ///
    /// # Errors
    /// If an agent can't be made.
    pub fn try_out(&self, ladder: &Ladder, processes: &ExecOptions) -> anyhow::Result<()> {
        for seated in self.seats(ladder)?.iter().filter(|seated| seated.missing.is_none()) {
            match seated.table.game()? {
                AnyGame::Board(game) => {
                    Entrant::from_spec_with(&game, &seated.agent, processes).map(|_| ())?
                }
                AnyGame::CardGame(game) => {
                    Entrant::from_spec_with(&game, &seated.agent, processes).map(|_| ())?;
                }
            }
        }
        Ok(())
    }

    /// Number of games that it takes.
    ///
    /// # Errors
    /// If a map can't be loaded.
    pub fn games(&self, ladder: &Ladder) -> anyhow::Result<u64> {
        let seated = self.seats(ladder)?;
        Ok(seated.iter().filter(|seated| seated.missing.is_none()).map(|seated| self.games_at(seated)).sum())
    }

    fn games_at(&self, seated: &Seated) -> u64 {
        self.times * seated.table.deals * seated.table.schedule().games_per_deal()
    }

    /// What the results depend on.
    pub fn plan(&self, ladder: &Ladder) -> RunPlan {
        let options = [("times", self.times.to_string()), ("tables", self.only.join(","))];
        RunPlan {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            verb: RateRun::VERB.to_owned(),
            map: ladder.id(),
            map_hash: format!("{:016x}", ladder.hash),
            seats: 0,
            seed: 0,
            deals: 0,
            first_deal: 0,
            end_deal: 0,
            line_ups: Vec::new(),
            options: options.map(|(key, value)| (key.to_owned(), value)).into(),
            agents: std::iter::once(self.agent.clone()).chain(self.card_game.clone()).collect(),
        }
    }

    fn from_plan(plan: &RunPlan, ladder: &Ladder) -> Result<Self, String> {
        let option = |key: &str| plan.options.get(key).ok_or_else(|| format!("the option {key} is missing"));
        let times = option("times")?.parse().ok().filter(|&times| times > 0);
        let (agent, card_game) = match &plan.agents[..] {
            [agent] => (agent.clone(), None),
            [agent, other] => (agent.clone(), Some(other.clone())),
            agents => return Err(format!("it has {} agents", agents.len())),
        };
        let only = option("tables")?.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        let times = times.ok_or("the option times is not a whole number from 1 on")?;
        let entry = Self { agent, card_game, only, times };
        entry.check(ladder)?;
        Ok(entry)
    }

    fn seats(&self, ladder: &Ladder) -> anyhow::Result<Vec<Seated>> {
        ladder.tables(&self.only).map(|table| self.seat(table)).collect()
    }

    fn seat(&self, table: &LadderTable) -> anyhow::Result<Seated> {
        let is_card_game = matches!(table.spec()?, AnySpec::CardGame(_));
        let agent = self.card_game.as_ref().filter(|_| is_card_game).unwrap_or(&self.agent);
        let info = AGENTS.iter().find(|info| info.name == agent.name);
        let plays = info.is_none_or(|info| match is_card_game {
            true => CardGame::is_played_by(info),
            false => BoardGame::is_played_by(info),
        });
        let missing = (!plays).then(|| {
            let hint = if is_card_game { "; give --card-game AGENT" } else { "" };
            let what = info.map_or(Plays::Anything, |info| info.plays);
            format!("{} plays {what} only{hint}", agent.name)
        });
        Ok(Seated { table: table.clone(), agent: agent.clone(), missing })
    }
}

/// A rating in its directory.
pub struct RateRun {
    ladder: Ladder,
    entry: RateEntry,
    tables: Vec<Seated>,
    processes: ExecOptions,
    dir: RunDir,
}

/// The arena of a table.
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
enum TableRun {
    Board(ArenaRun<BoardGame>),
    CardGame(ArenaRun<CardGame>),
}

/// Does the same with the arena of a table, whatever its game.
macro_rules! with_run {
    ($table:expr, $run:ident => $do:expr) => {
        match $table {
            TableRun::Board($run) => $do,
            TableRun::CardGame($run) => $do,
        }
    };
}

impl RateRun {
    /// The verb of its plans.
    pub const VERB: &'static str = "rate";

    /// The rating of a directory.
    ///
    /// # Errors
    /// If the directory is of something else, or of another version of the ladder.
    pub fn new(ladder: Ladder, dir: RunDir, processes: ExecOptions) -> anyhow::Result<Self> {
        let plan = dir.plan();
        if plan.verb != Self::VERB {
            let message = format!("{} is the directory of a run of ttr {}", dir.path().display(), plan.verb);
            return Err(WrongDirectory(message).into());
        }
        if (plan.map.clone(), plan.map_hash.clone()) != (ladder.id(), format!("{:016x}", ladder.hash)) {
            let message = format!(
                "{} is of {}, which this program does not have; start a new run",
                dir.path().display(),
                plan.map
            );
            return Err(WrongDirectory(message).into());
        }
        let entry = RateEntry::from_plan(plan, &ladder).map_err(|why| dir.refuse(PLAN, &why))?;
        let tables = entry.seats(&ladder)?;
        Ok(Self { ladder, entry, tables, processes, dir })
    }

    fn path(&self, seated: &Seated) -> PathBuf {
        self.dir.path().join(TABLES).join(&seated.table.name)
    }

    fn played(&self) -> impl Iterator<Item = &Seated> {
        self.tables.iter().filter(|seated| seated.missing.is_none())
    }

    /// The arena of a table: what is there of it, or a new one.
    fn open(&self, seated: &Seated) -> anyhow::Result<TableRun> {
        Ok(match seated.table.game()? {
            AnyGame::Board(game) => TableRun::Board(self.open_game(game, seated)?),
            AnyGame::CardGame(game) => TableRun::CardGame(self.open_game(game, seated)?),
        })
    }

    fn open_game<G: Playable>(&self, game: G, seated: &Seated) -> anyhow::Result<ArenaRun<G>> {
        let table = &seated.table;
        let names = table.anchor_names();
        let anchors = names.iter().map(|name| self.ladder.anchor(table, name));
        let agents: Vec<AgentSpec> = std::iter::once(seated.agent.clone()).chain(anchors).collect();
        let known = names.iter().map(|&name| table.ratings.get(name).copied().unwrap_or(f64::NAN));
        let options = ArenaOptions { known_ratings: Some(known.collect()), ..ArenaOptions::default() };
        let entrants = agents
            .iter()
            .map(|agent| Entrant::from_spec_with(&game, agent, &self.processes))
            .collect::<Result<Vec<_>, _>>()?;
        let deals = self.entry.times * table.deals;
        let plan = ArenaRun::plan(&game, &table.map, agents, &table.schedule(), table.seed, deals, &options)
            .with_exec_secret(self.processes.secret);
        ArenaRun::new(game, entrants, open_or_create(&self.path(seated), plan)?)
    }

    /// What the tables came to, by `summary` of each that was begun.
    fn rating(
        &self,
        summary: impl Fn(&TableRun) -> anyhow::Result<Option<Summary>>,
    ) -> anyhow::Result<Rating> {
        let mut tables = Vec::new();
        for seated in &self.tables {
            let begun = seated.missing.is_none() && self.path(seated).join(PLAN).exists();
            let played = if begun { summary(&self.open(seated)?)? } else { None };
            tables.push(TableRating::new(
                &seated.table,
                &seated.agent,
                played.as_ref(),
                seated.missing.as_deref(),
            ));
        }
        Ok(Rating::new(&self.ladder, &self.entry, tables))
    }
}

/// The directory of a plan: what is there of it, or a new one.
///
/// # Errors
/// If there is something else.
pub(super) fn open_or_create(path: &std::path::Path, plan: RunPlan) -> anyhow::Result<RunDir> {
    if !path.join(PLAN).exists() {
        return RunDir::create(path, plan);
    }
    let dir = RunDir::open(path)?;
    match dir.plan().difference(&plan) {
        None => Ok(dir),
        Some(difference) => Err(dir.refuse(PLAN, &difference).into()),
    }
}

impl KeptRun for RateRun {
    type Summary = Rating;

    fn dir(&self) -> &RunDir {
        &self.dir
    }

    /// Tables have their own.
    fn games_per_deal(&self) -> u64 {
        0
    }

    fn games_planned(&self) -> u64 {
        self.played().map(|seated| self.entry.games_at(seated)).sum()
    }

    fn games_played(&self) -> anyhow::Result<u64> {
        let mut games = 0;
        for seated in self.played().filter(|seated| self.path(seated).join(PLAN).exists()) {
            let dir = RunDir::open_to_read(&self.path(seated))?;
            let deals: u64 = dir.parts()?.iter().map(|part| part.end - part.start).sum();
            games += match dir.is_complete() {
                true => self.entry.games_at(seated),
                false => deals * seated.table.schedule().games_per_deal(),
            };
        }
        Ok(games)
    }

    fn play(&self, drive: &Drive<'_>) -> anyhow::Result<Outcome> {
        for seated in self.played() {
            let outcome = with_run!(&self.open(seated)?, run => {
                if run.dir().is_complete() {
                    continue;
                }
                let outcome = run.play(drive)?;
                if outcome == Outcome::Finished {
                    run.finish(None)?;
                }
                outcome
            });
            if outcome == Outcome::Stopped {
                return Ok(Outcome::Stopped);
            }
        }
        Ok(Outcome::Finished)
    }

    fn so_far(&self) -> anyhow::Result<Rating> {
        self.rating(|table| {
            with_run!(table, run => match run.dir().is_complete() {
                true => run.recorded().map(Some),
                false if run.games_played()? == 0 => Ok(None),
                false => run.so_far().map(Some),
            })
        })
    }

    fn finish(&self, page: Option<&Page<'_, Rating>>) -> anyhow::Result<Rating> {
        let rating = self.rating(|table| with_run!(table, run => run.recorded().map(Some)))?;
        self.dir.write_file("ratings.csv", rating.csv().as_bytes())?;
        if let Some(page) = page {
            self.dir.write_file(REPORT, page(&rating).as_bytes())?;
        }
        // Last: it says that the run is complete.
        self.dir.write_json(SUMMARY, &rating)?;
        Ok(rating)
    }

    fn silent(rating: &Rating) -> Vec<String> {
        rating.silent()
    }
}
