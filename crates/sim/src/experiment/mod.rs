//! Experiments: a question, what is played to answer it, and figures to compare the answer with.
//!
//! `experiment.toml` says it all; running it writes `results.csv` and `report.html` beside it, and running it again writes the same
//! bytes.

mod check;
mod compare;
mod results;
mod spec;

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::de::DeserializeOwned;
use ttr_agents::AgentSpec;
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::maps::AnySpec;
use ttr_engine::spec::suggest;

pub use compare::{Agreement, Comparison, decimals};
pub use results::{Answer, Measured, OVERALL};
pub use spec::{ExperimentError, ExperimentSpec, Kind, Published, RunSpec, Verb};

use crate::arena::{ArenaOptions, ArenaRun};
use crate::exec::{self, ExecOptions};
use crate::game::Playable;
use crate::rate::{Ladder, RateRun};
use crate::run::dir::{PLAN, RunDir, RunPlan};
use crate::run::kept::{KeptRun, REPORT};
use crate::run::{file_ops, output_file};
use crate::seat_advantage;
use crate::table::entrant::Entrant;
use crate::table::runner::{Drive, Outcome};
use crate::table::schedule::Schedule;
use crate::tickets::{TicketRun, Tickets};

/// Where the runs of an experiment are kept while it is not complete.
const WORK: &str = ".work";

const RESULTS: &str = "results.csv";

/// An experiment in its directory.
#[derive(Debug)]
pub struct Experiment {
    folder: PathBuf,
    spec: ExperimentSpec,
    /// Names of the runs that are played; all if there are none.
    only: Vec<String>,
}

impl Experiment {
    /// Reads `experiment.toml` in a directory, or a file of that form.
    ///
    /// # Errors
    /// With the line and what is wrong there.
    pub fn open(path: &Path) -> Result<Self, ExperimentError> {
        let file = if path.is_dir() { path.join("experiment.toml") } else { path.to_owned() };
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Ok(Self { folder: folder.to_owned(), spec: ExperimentSpec::read(&file)?, only: Vec::new() })
    }

    /// Plays some of the runs only; what `results.csv` says of the others stays as it is, even if the file asks for something
    /// else of them by now.
    ///
    /// # Errors
    /// If there is no such run.
    pub fn only(mut self, runs: Vec<String>) -> Result<Self, ExperimentError> {
        let names: Vec<&str> = self.spec.runs.iter().map(|run| run.name.as_str()).collect();
        if let Some(unknown) = runs.iter().find(|name| !names.contains(&name.as_str())) {
            let hint = suggest(unknown, names.iter().copied(), "runs");
            return Err(ExperimentError::new(
                &self.folder,
                None,
                format!("there is no run {unknown:?}"),
                &hint,
            ));
        }
        self.only = runs;
        Ok(self)
    }

    fn is_played(&self, run: &RunSpec) -> bool {
        self.only.is_empty() || self.only.contains(&run.name)
    }

    /// What is asked and played.
    pub fn spec(&self) -> &ExperimentSpec {
        &self.spec
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Games that it takes, those that are played already included.
    ///
    /// # Errors
    /// If a map or an agent does not exist.
    pub fn games(&self) -> anyhow::Result<u64> {
        let played = self.spec.runs.iter().filter(|run| self.is_played(run));
        played.map(|run| run.games_in_all(&self.folder)).sum()
    }

    /// Plays the runs, or resumes them, and writes the results. `begin` gets each run and the number of its games that were
    /// played before; `page` renders the report. Returns `None` if it was stopped.
    ///
    /// # Errors
    /// If a game can't be played or something can't be written.
    pub fn run(
        &self,
        drive: &Drive<'_>,
        begin: impl Fn(&RunSpec, u64),
        page: &dyn Fn(&ExperimentSpec, &Answer) -> String,
    ) -> anyhow::Result<Option<Answer>> {
        self.known_figures()?; // better refused now than after hours of play
        let mut played = Vec::new();
        for run in self.spec.runs.iter().filter(|run| self.is_played(run)) {
            let Some(measured) = self.play(run, drive, &|resumed| begin(run, resumed))? else {
                return Ok(None);
            };
            played.push(measured);
        }
        // Other processes may play other runs of the experiment: one at a time reads the results and writes them again.
        let folder = std::fs::File::open(&self.folder);
        // Some systems have no locks for directories; then nobody waits.
        let _locked = folder.as_ref().map(std::fs::File::lock);
        self.remove_leftovers()?;
        // Read again: other runs may have been played meanwhile.
        let known = self.known_figures()?;
        let (mut answer, mut played) = (Answer::default(), played.into_iter().peekable());
        for run in &self.spec.runs {
            match played.next_if(|_| self.is_played(run)) {
                Some(measured) => answer.add(run, measured),
                None => answer.keep(run, &known),
            }
        }
        answer.compare(&self.spec.published(&self.folder)?)?;
        let write = |name: &str, text: String| {
            let path = self.folder.join(name);
            output_file::write(&path, text.as_bytes())
                .map(|_| ())
                .with_context(|| format!("{} can't be written", path.display()))
        };
        write(RESULTS, answer.csv())?;
        write(REPORT, page(&self.spec, &answer))?;
        let work = self.folder.join(WORK);
        let done = match &self.only[..] {
            [] => vec![work],
            only => only.iter().map(|name| work.join(name)).collect(),
        };
        for path in done.iter().filter(|path| path.exists()) {
            remove(path)?;
        }
        Ok(Some(answer))
    }

    /// Removes what a process left that was killed while it wrote the results.
    fn remove_leftovers(&self) -> anyhow::Result<()> {
        let found =
            output_file::leftovers(&self.folder).with_context(|| self.folder.display().to_string())?;
        for path in found {
            let target = path.file_name().and_then(|name| output_file::target_of(name.to_str()?));
            if target.is_some_and(|target| [RESULTS, REPORT].contains(&target)) {
                file_ops::remove_file(&path).with_context(|| cannot_delete(&path))?;
            }
        }
        Ok(())
    }

    /// What `results.csv` says of runs that are not played.
    fn known_figures(&self) -> Result<Vec<Comparison>, ExperimentError> {
        if self.only.is_empty() { Ok(Vec::new()) } else { results::read(&self.folder.join(RESULTS)) }
    }

    fn play(
        &self,
        run: &RunSpec,
        drive: &Drive<'_>,
        begin: &dyn Fn(u64),
    ) -> anyhow::Result<Option<Measured>> {
        if run.verb == Verb::SeatAdvantage {
            begin(0);
            let wins = seat_advantage::random_wins(run.seats_of(2), run.games, run.seed);
            (drive.progress)(run.games);
            return Ok(Some(Measured::Seats(wins, run.games)));
        }
        if run.verb == Verb::Rate {
            return self.rate(run, drive, begin);
        }
        match run.find_map(&self.folder)? {
            AnySpec::Board(map) => {
                self.run_game(BoardGame::new(&map, run.seats_of(map.seats.min))?, run, drive, begin)
            }
            AnySpec::CardGame(spec) => {
                self.run_game(CardGame::new(&spec, run.seats_of(spec.seats.min))?, run, drive, begin)
            }
        }
    }

    fn rate(
        &self,
        run: &RunSpec,
        drive: &Drive<'_>,
        begin: &dyn Fn(u64),
    ) -> anyhow::Result<Option<Measured>> {
        let ladder = Ladder::v1();
        let entry = run.rate_entry(&ladder)?;
        let path = self.folder.join(WORK).join(&run.name);
        let processes = processes_of(&path);
        let plan = entry.plan(&ladder).with_exec_secret(processes.secret);
        let run = RateRun::new(ladder, self.directory(&path, plan)?, processes)?;
        Ok(finish(&run, drive, begin)?.map(Measured::Rate))
    }

    fn run_game<G: Playable>(
        &self,
        game: G,
        run: &RunSpec,
        drive: &Drive<'_>,
        begin: &dyn Fn(u64),
    ) -> anyhow::Result<Option<Measured>> {
        let agents = run.agents()?;
        let path = self.folder.join(WORK).join(&run.name);
        let processes = processes_of(&path);
        let entrants = agents
            .iter()
            .map(|agent| Entrant::from_spec_with(&game, agent, &processes))
            .collect::<Result<Vec<_>, _>>()?;
        let (_, schedule) = run.schedule(&self.folder)?;
        let deals = schedule.deals(run.games);
        match run.verb {
            Verb::Arena => {
                let options = ArenaOptions::default();
                let plan = ArenaRun::plan(&game, &run.map, agents, &schedule, run.seed, deals, &options)
                    .with_exec_secret(processes.secret);
                let run = ArenaRun::new(game, entrants, self.directory(&path, plan)?)?;
                Ok(finish(&run, drive, begin)?.map(Measured::Arena))
            }
            Verb::Tickets => {
                let deals = run.games.div_ceil(Tickets::most_games_per_deal(&game, &schedule, run.forced));
                let plan = TicketRun::plan(&game, &run.map, agents, &schedule, run.seed, deals)
                    .with_exec_secret(processes.secret);
                let plan = if run.forced { TicketRun::<G>::forced(plan) } else { plan };
                let run = TicketRun::new(game, entrants, self.directory(&path, plan)?)?;
                Ok(finish(&run, drive, begin)?.map(Measured::Tickets))
            }
            Verb::SeatAdvantage | Verb::Rate => Ok(None),
        }
    }

    /// The directory of a run: what is there of it, or a new one.
    fn directory(&self, path: &Path, plan: RunPlan) -> anyhow::Result<RunDir> {
        if path.join(PLAN).exists() {
            let dir = RunDir::open(path)?;
            if dir.plan() == &plan {
                return Ok(dir);
            }
        }
        // Either the experiment was changed since, and what was played answers another question, or the process was killed
        // before it had begun the run or while it deleted it.
        if path.exists() {
            remove(path)?;
        }
        RunDir::create(path, plan)
    }
}

/// How the processes of a run are treated: they go on with the secret that they had.
fn processes_of(path: &Path) -> ExecOptions {
    let begun = RunDir::open_to_read(path).ok().and_then(|dir| dir.plan().exec_secret());
    ExecOptions { secret: begun.unwrap_or_else(exec::fresh_secret), ..ExecOptions::default() }
}

fn remove(path: &Path) -> anyhow::Result<()> {
    file_ops::remove_dir_all(path).with_context(|| cannot_delete(path))
}

fn cannot_delete(path: &Path) -> String {
    format!("{} can't be deleted", path.display())
}

/// Plays a run to its end; nothing if it was stopped.
fn finish<R: KeptRun>(run: &R, drive: &Drive<'_>, begin: &dyn Fn(u64)) -> anyhow::Result<Option<R::Summary>>
where
    R::Summary: DeserializeOwned,
{
    if run.dir().is_complete() {
        begin(run.games_planned());
        return Ok(Some(run.dir().summary()?));
    }
    begin(run.games_played()?);
    match run.play(drive)? {
        Outcome::Finished => Ok(Some(run.finish(None)?)),
        Outcome::Stopped => Ok(None),
    }
}

/// The agents of texts.
fn parse_agents(texts: &[String]) -> Result<Vec<AgentSpec>, ttr_agents::SpecError> {
    texts.iter().map(|text| AgentSpec::parse(text)).collect()
}

/// Who plays whom: one line-up, or everybody against everybody.
fn schedule_of(line_up: &[String], agents: &[AgentSpec], seats: usize) -> anyhow::Result<Schedule> {
    if line_up.is_empty() {
        return Ok(Schedule::checked_round_robin(agents.len(), seats)?);
    }
    let index = |text: &String| {
        let agent = AgentSpec::parse(text).ok()?;
        agents.iter().position(|known| *known == agent)
    };
    let line_up = line_up.iter().map(index).collect::<Option<Vec<_>>>();
    Ok(Schedule::table(line_up.context("line_up names agents that do not exist")?))
}
