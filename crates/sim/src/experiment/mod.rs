//! Experiments: a question, the games to answer it, and figures to compare the answer with.
//!
//! `experiment.toml` contains the whole definition; running it writes `results.csv` and `report.html` next
//! to it, and running it again writes the same bytes.
//!
//! ```
//! use ttr_agents::Roster;
//! use ttr_sim::experiment::Experiment;
//! use ttr_sim::table::Drive;
//! # let folder = std::env::temp_dir().join(format!("ttr-experiment-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! let text = r#"
//!     title = "Greed"
//!     question = "How often does greedy win against random?"
//!     [[run]]
//!     name = "usa"
//!     map = "usa"
//!     agents = ["greedy", "random"]
//!     games = 20
//! "#;
//! std::fs::write(folder.join("experiment.toml"), text)?;
//! let experiment = Experiment::open(&folder, &Roster::default())?;
//! let page = |_: &_, _: &_| "<!DOCTYPE html>".to_owned();
//! let answer = experiment.run(&Drive::threads(2), |_, _| {}, &page)?.expect("nobody stops it");
//! let wins = answer.figures.iter().find(|row| row.subject == "greedy" && row.figure == "win_share");
//! assert!(wins.is_some_and(|wins| wins.measured.value > 0.9));
//! assert!(folder.join("results.csv").exists());
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod compare;
mod results;
mod spec;

use std::path::{Path, PathBuf};

use ttr_agents::{AgentSpec, Roster, SpecError};
use ttr_engine::spec::suggest;

pub use compare::{Agreement, Comparison, decimals};
pub use results::{Answer, Measured, OVERALL};
pub use spec::{ExperimentError, ExperimentSpec, Published, RunCommand, RunSpec, RunSpecError, SourceKind};

use crate::arena::{Arena, ArenaOptions};
use crate::exec::{self, ExecOptions};
use crate::game::Playable;
use crate::rate::{Ladder, Rate};
use crate::run::dir::{PLAN, RunDir};
use crate::run::error::{FileAction, FileError, RunError};
use crate::run::kept::{Kept, KeptRun, REPORT};
use crate::run::options::StudyPlan;
use crate::run::plan::RunPlan;
use crate::run::{file_ops, output_file};
use crate::table::agent_text;
use crate::table::runner::Drive;
use crate::table::schedule::Schedule;
use crate::tickets::{TicketOptions, Tickets};
use crate::with_game;

/// The folder for the runs of an incomplete experiment.
const WORK: &str = ".work";

const RESULTS: &str = "results.csv";

/// The reason why an experiment can't be played or finished. Results so far are kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// The experiment, or a file next to it, is invalid.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// A run can't be planned.
    #[error(transparent)]
    Plan(#[from] RunSpecError),
    /// A run can't be played.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl From<FileError> for AnswerError {
    fn from(error: FileError) -> Self {
        Self::Run(error.into())
    }
}

/// An experiment in its directory.
///
/// ```
/// use ttr_agents::Roster;
/// use ttr_sim::experiment::Experiment;
/// # let file = std::env::temp_dir().join(format!("ttr-experiment-{}.toml", std::process::id()));
/// let text = r#"
///     title = "Greed"
///     question = "How often does greedy win against random?"
///     run = [
///         { name = "two", map = "usa", agents = ["greedy", "random"], games = 20 },
///         { name = "three", map = "usa", seats = 3, agents = ["greedy", "random"], games = 30 },
///     ]
/// "#;
/// std::fs::write(&file, text)?;
/// let experiment = Experiment::open(&file, &Roster::default())?;
/// assert_eq!(experiment.games_of(&experiment.spec().runs[0])?, 20);
/// let error = experiment.only(vec!["tree".to_owned()]).unwrap_err();
/// assert!(error.to_string().contains("did you mean \"three\"?"), "{error}");
/// # std::fs::remove_file(&file)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Experiment {
    folder: PathBuf,
    spec: ExperimentSpec,
    roster: Roster,
    /// Names of the runs to play; empty for all.
    only: Vec<String>,
}

impl Experiment {
    /// Reads `experiment.toml` in a directory, or a file of that form. Its agents are those of a roster.
    ///
    /// # Errors
    /// If it is invalid, with the line and the problem.
    pub fn open(path: &Path, roster: &Roster) -> Result<Self, ExperimentError> {
        let file = if path.is_dir() { path.join("experiment.toml") } else { path.to_owned() };
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let (folder, spec) = (folder.to_owned(), ExperimentSpec::read(&file, roster)?);
        Ok(Self { folder, spec, roster: roster.clone(), only: Vec::new() })
    }

    /// Restricts the experiment to some of its runs; the other rows of `results.csv` stay as they are, even
    /// if their definition has changed.
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

    /// The definition of the experiment.
    pub fn spec(&self) -> &ExperimentSpec {
        &self.spec
    }

    /// The directory of the experiment.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The sources of its maps and agents.
    fn sources(&self) -> Sources<'_> {
        Sources { folder: &self.folder, roster: &self.roster }
    }

    /// Number of games of a run.
    ///
    /// # Errors
    /// If there is no such map or agent.
    pub fn games_of(&self, run: &RunSpec) -> Result<u64, RunSpecError> {
        run.games_in_all(self.sources())
    }

    /// Number of games in total, including those already played.
    ///
    /// # Errors
    /// If a map or an agent does not exist.
    pub fn games(&self) -> Result<u64, RunSpecError> {
        let played = self.spec.runs.iter().filter(|run| self.is_played(run));
        played.map(|run| self.games_of(run)).sum()
    }

    /// Plays the runs, or resumes them, and writes the results. `begin` receives each run and the number of
    /// its games that were played before; `page` renders the report. Returns `None` if it was stopped.
    ///
    /// # Errors
    /// If a game can't be played or something can't be written.
    pub fn run(
        &self,
        drive: &Drive<'_>,
        begin: impl Fn(&RunSpec, u64),
        page: &dyn Fn(&ExperimentSpec, &Answer) -> String,
    ) -> Result<Option<Answer>, AnswerError> {
        self.known_figures()?; // better refused now than after hours of play
        let Some(played) = self.play_runs(drive, begin)? else { return Ok(None) };
        // Other processes may play other runs of the experiment: only one at a time reads and rewrites the
        // results.
        let folder = std::fs::File::open(&self.folder);
        // Some systems have no locks for directories; then there is no waiting.
        let _locked = folder.as_ref().map(std::fs::File::lock);
        self.remove_leftovers()?;
        // Read again: other runs may have been played in the meantime.
        let known = self.known_figures()?;
        let (mut answer, mut played) = (Answer::default(), played.into_iter().peekable());
        for run in &self.spec.runs {
            match played.next_if(|_| self.is_played(run)) {
                Some(measured) => answer.add(run, measured),
                None => answer.keep(run, &known),
            }
        }
        answer.compare(&self.spec.published(&self.folder)?, &self.folder)?;
        let write = |name: &str, text: String| {
            let path = self.folder.join(name);
            output_file::write(&path, text.as_bytes()).map_err(FileAction::Write.failed(&path))
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

    /// Plays the runs, or resumes them, as [`Experiment::run`], and leaves them in [`Experiment::work`]:
    /// `run` takes them from there. Returns `None` if it was stopped.
    ///
    /// # Errors
    /// If a game can't be played or something can't be written.
    pub fn play_runs(
        &self,
        drive: &Drive<'_>,
        begin: impl Fn(&RunSpec, u64),
    ) -> Result<Option<Vec<Measured>>, AnswerError> {
        let played = self.spec.runs.iter().filter(|run| self.is_played(run));
        played.map(|run| self.play(run, drive, &|resumed| begin(run, resumed))).collect()
    }

    /// Removes the temporary files of a process that was killed while it wrote the results.
    fn remove_leftovers(&self) -> Result<(), FileError> {
        let found = output_file::leftovers(&self.folder).map_err(FileAction::Read.failed(&self.folder))?;
        for path in found {
            let target = path.file_name().and_then(|name| output_file::target_of(name.to_str()?));
            if target.is_some_and(|target| [RESULTS, REPORT].contains(&target)) {
                file_ops::remove_file(&path).map_err(FileAction::Delete.failed(&path))?;
            }
        }
        Ok(())
    }

    /// The figures in `results.csv` of runs that are not played.
    fn known_figures(&self) -> Result<Vec<Comparison>, ExperimentError> {
        if self.only.is_empty() { Ok(Vec::new()) } else { results::read(&self.folder.join(RESULTS)) }
    }

    fn play(
        &self,
        run: &RunSpec,
        drive: &Drive<'_>,
        begin: &dyn Fn(u64),
    ) -> Result<Option<Measured>, AnswerError> {
        match run.command {
            RunCommand::Rate => self.rate(run, drive, begin),
            RunCommand::Arena => {
                with_game!(run.game(&self.folder)?, game => self.arena(game, run, drive, begin))
            }
            RunCommand::Tickets => {
                with_game!(run.game(&self.folder)?, game => self.tickets(game, run, drive, begin))
            }
        }
    }

    fn rate(
        &self,
        run: &RunSpec,
        drive: &Drive<'_>,
        begin: &dyn Fn(u64),
    ) -> Result<Option<Measured>, AnswerError> {
        let ladder = Ladder::v1();
        let entry = run.rate_entry(&ladder, self.sources()).map_err(RunSpecError::from)?;
        let processes = self.processes_of(run);
        let plan = entry.plan(&ladder).with_exec_secret(processes.secret);
        let dir = self.directory(run, plan)?;
        let roster = self.roster.clone();
        let kept = KeptRun::open(dir, |plan| Rate::from_plan(ladder, plan, roster, processes))?;
        Ok(finish(kept, drive, begin)?.map(Measured::Rate))
    }

    fn arena<G: Playable>(
        &self,
        game: G,
        run: &RunSpec,
        drive: &Drive<'_>,
        begin: &dyn Fn(u64),
    ) -> Result<Option<Measured>, AnswerError> {
        let processes = self.processes_of(run);
        let agents = run.agents(self.sources()).map_err(RunSpecError::from)?;
        let entrants = run.entrants(&game, self.sources(), &processes)?;
        let (_, schedule) = run.schedule(self.sources())?;
        let study = StudyPlan::Arena(ArenaOptions::default());
        let plan = RunPlan::new(study, &game, &run.map, run.seed, agents)
            .with_deals(&schedule, schedule.deals(run.games))
            .with_exec_secret(processes.secret);
        let kept = KeptRun::open(self.directory(run, plan)?, |plan| Arena::from_plan(game, entrants, plan))?;
        Ok(finish(kept, drive, begin)?.map(Measured::Arena))
    }

    fn tickets<G: Playable>(
        &self,
        game: G,
        run: &RunSpec,
        drive: &Drive<'_>,
        begin: &dyn Fn(u64),
    ) -> Result<Option<Measured>, AnswerError> {
        let processes = self.processes_of(run);
        let agents = run.agents(self.sources()).map_err(RunSpecError::from)?;
        let entrants = run.entrants(&game, self.sources(), &processes)?;
        let (_, schedule) = run.schedule(self.sources())?;
        let options = TicketOptions::forced(run.forced);
        let plan = Tickets::plan(options, &game, &run.map, run.seed, agents, &schedule, run.games)
            .map_err(RunSpecError::from)?
            .with_exec_secret(processes.secret);
        let kept =
            KeptRun::open(self.directory(run, plan)?, |plan| Tickets::from_plan(game, entrants, plan))?;
        Ok(finish(kept, drive, begin)?.map(Measured::Tickets))
    }

    /// Options for the processes of a run: they keep the secret that they had.
    fn processes_of(&self, run: &RunSpec) -> ExecOptions {
        let begun = RunDir::open_to_read(&self.work(run)).ok().and_then(|dir| dir.plan().exec_secret);
        ExecOptions::new(begun.unwrap_or_else(exec::fresh_secret))
    }

    /// The directory of a run: the existing one, or a new one.
    fn directory(&self, run: &RunSpec, plan: RunPlan) -> Result<RunDir, RunError> {
        let path = self.work(run);
        if path.join(PLAN).exists() {
            let dir = RunDir::open(&path)?;
            if dir.plan() == &plan {
                return Ok(dir);
            }
        }
        // Either the experiment was changed since, and the results answer another question, or the process
        // was killed before it had started the run or while it deleted it.
        if path.exists() {
            remove(&path)?;
        }
        RunDir::create(&path, plan)
    }

    /// The directory of a run, until the results are written.
    pub fn work(&self, run: &RunSpec) -> PathBuf {
        self.folder.join(WORK).join(&run.name)
    }
}

fn remove(path: &Path) -> Result<(), FileError> {
    file_ops::remove_dir_all(path).map_err(FileAction::Delete.failed(path))
}

/// Plays a run to its end; returns `None` if it was stopped.
fn finish<S: Kept>(
    mut run: KeptRun<S>,
    drive: &Drive<'_>,
    begin: &dyn Fn(u64),
) -> Result<Option<S::Summary>, RunError> {
    begin(if run.is_complete() { run.games_planned() } else { run.games_played()? });
    run.play_to_end(drive)
}

/// The sources of the maps and agents of an experiment.
#[derive(Clone, Copy)]
struct Sources<'e> {
    /// The folder of its files, that of the experiment.
    folder: &'e Path,
    roster: &'e Roster,
}

impl Sources<'_> {
    fn agent(self, text: &str) -> Result<AgentSpec, SpecError> {
        agent_text::parse_in(self.roster, text, self.folder)
    }

    fn agents(self, texts: &[String]) -> Result<Vec<AgentSpec>, SpecError> {
        texts.iter().map(|text| self.agent(text)).collect()
    }
}

/// The schedule: one line-up, or all agents against each other.
fn schedule_of(line_up: &[AgentSpec], agents: &[AgentSpec], seats: usize) -> Result<Schedule, RunSpecError> {
    if line_up.is_empty() {
        return Ok(Schedule::checked_round_robin(agents.len(), seats)?);
    }
    let index = |agent: &AgentSpec| agents.iter().position(|known| known == agent);
    let line_up = line_up.iter().map(index).collect::<Option<Vec<_>>>();
    Ok(Schedule::table(line_up.ok_or(RunSpecError::UnknownAgent)?))
}
