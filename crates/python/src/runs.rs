//! Runs: the studies of the commands, played into directories, with agents of this program and of Python.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use ttr_agents::{AgentSpec, Roster};
use ttr_cli::report::{self, Reported};
use ttr_sim::arena::{Arena, ArenaOptions, SprtPlan};
use ttr_sim::bench::cores;
use ttr_sim::exec::{ExecOptions, fresh_secret};
use ttr_sim::experiment::Experiment;
use ttr_sim::rate::{Ladder, Rate, RateEntry};
use ttr_sim::run::parts::gaps;
use ttr_sim::run::{KeptRun, PlanError, RunDir, RunError, RunPlan, StudyPlan};
use ttr_sim::table::{Drive, Entrant, Outcome, Schedule};
use ttr_sim::tickets::{TicketOptions, Tickets};
use ttr_sim::tune::{TuneOptions, TunePlan, Tuner};

use crate::errors::{failed, guard, invalid};
use crate::game::Game;
use crate::json;
use crate::kind::{Compiled, Kind};
use crate::player::{Contestant, PYTHON, spec_of};

/// Why a run was not played.
pub(crate) enum Failure {
    /// The input is wrong.
    Invalid(String),
    /// Something else went wrong.
    Other(String),
}

impl Failure {
    pub(crate) fn invalid(why: impl std::fmt::Display) -> Self {
        Self::Invalid(why.to_string())
    }

    fn other(why: impl std::fmt::Display) -> Self {
        Self::Other(why.to_string())
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Invalid(why) => invalid(why),
            Failure::Other(why) => failed(why),
        }
    }
}

/// How a run ended.
pub(crate) struct Ended {
    path: PathBuf,
    outcome: Outcome,
}

/// What is played.
pub(crate) enum What {
    Arena {
        options: ArenaOptions,
        table: bool,
    },
    Tickets {
        forced: bool,
    },
    Tune(TuneOptions),
    /// What the directory says.
    Resume,
}

/// A run to be played.
pub(crate) struct Order<'r> {
    what: What,
    /// The map as the plan has it.
    map: &'r str,
    contestants: &'r [Contestant],
    seed: u64,
    games: u64,
    /// The deals to be played, if not all.
    deals: Option<(u64, u64)>,
    /// Whether only the directory is made, or checked if there is one.
    only_begins: bool,
    /// The directory; a new one under runs/ if none is given.
    out: Option<&'r Path>,
    processes: ExecOptions,
    drive: Drive<'r>,
}

/// The parent directory of runs that were given none.
const RUNS: &str = "runs";

impl Order<'_> {
    fn directory(&self, name: &str, plan: RunPlan) -> Result<RunDir, Failure> {
        let mut plan = plan.with_exec_secret(self.processes.secret);
        if let Some(deals) = self.deals {
            (plan.first_deal, plan.end_deal) = deals;
        }
        let dir = match self.out {
            Some(path) if self.only_begins => RunDir::open_or_create(path, plan),
            Some(path) => RunDir::create(path, plan),
            None => RunDir::create_numbered(Path::new(RUNS), &format!("{}-{name}", plan.command()), plan),
        };
        dir.map_err(Failure::invalid)
    }
}

/// Plays a run on a game.
pub(crate) fn run<G: Kind>(game: Arc<Compiled<G>>, order: Order<'_>) -> Result<Ended, Failure> {
    if matches!(order.what, What::Resume) {
        let dir = RunDir::open(order.out.unwrap_or(Path::new("."))).map_err(Failure::invalid)?;
        return open(&game, dir, &order);
    }
    let agents = order.contestants.iter().map(Contestant::spec).collect::<Result<Vec<_>, _>>()?;
    let rules = game.game();
    let new = |study, agents: Vec<AgentSpec>| RunPlan::new(study, rules, order.map, order.seed, agents);
    let plan = match &order.what {
        What::Arena { options, table: true } => {
            // An agent may take several seats.
            let mut known: Vec<AgentSpec> = Vec::new();
            let mut line_up = Vec::new();
            for agent in agents {
                let index = known.iter().position(|other| *other == agent).unwrap_or(known.len());
                if index == known.len() {
                    known.push(agent);
                }
                line_up.push(index);
            }
            if line_up.len() != rules.seats() {
                let (found, seats) = (line_up.len(), rules.seats());
                return Err(Failure::invalid(format!(
                    "the table has {found} agents, and the game {seats} seats"
                )));
            }
            let schedule = Schedule::table(line_up);
            new(StudyPlan::Arena(options.clone()), known).with_deals(&schedule, schedule.deals(order.games))
        }
        What::Arena { options, table: false } => {
            let schedule = round_robin(agents.len(), rules.seats())?;
            new(StudyPlan::Arena(options.clone()), agents).with_deals(&schedule, schedule.deals(order.games))
        }
        What::Tickets { forced } => {
            let schedule = round_robin(agents.len(), rules.seats())?;
            let options = TicketOptions::forced(*forced);
            Tickets::plan(options, rules, order.map, order.seed, agents, &schedule, order.games)
                .map_err(Failure::invalid)?
        }
        What::Tune(options) => {
            let search = TunePlan {
                agent: agents[0].clone(),
                against: agents[1..].to_vec(),
                options: options.clone(),
                seed: order.seed,
                roster: Roster::default(),
                processes: order.processes.clone(),
            };
            Tuner::plan(rules, order.map, &search).map_err(Failure::invalid)?
        }
        What::Resume => unreachable!("it was resumed"),
    };
    check_agents(&plan.agents)?;
    // Errors are reported before there is a directory.
    entrants(&game, &plan, &order)?;
    let dir = order.directory(rules.map_id(), plan)?;
    if order.only_begins {
        return Ok(Ended { path: dir.path().to_owned(), outcome: Outcome::Stopped });
    }
    open(&game, dir, &order)
}

fn round_robin(agents: usize, seats: usize) -> Result<Schedule, Failure> {
    Schedule::checked_round_robin(agents, seats).map_err(Failure::invalid)
}

fn check_agents(agents: &[AgentSpec]) -> Result<(), Failure> {
    for (index, agent) in agents.iter().enumerate() {
        if agents[..index].contains(agent) {
            let agent = agent.label();
            return Err(Failure::invalid(format!(
                "{agent} is there twice; to play it against itself, say table=[...] with an agent per seat"
            )));
        }
    }
    AgentSpec::check_labels(agents).map_err(Failure::invalid)
}

/// The agents of a plan: those of Python among the contestants, by their labels.
fn entrants<G: Kind>(
    game: &Arc<Compiled<G>>,
    plan: &RunPlan,
    order: &Order<'_>,
) -> Result<Vec<Entrant<G>>, Failure> {
    let mut processes = order.processes.clone();
    if let Some(secret) = plan.exec_secret {
        processes.secret = secret;
    }
    let roster = Roster::built_in();
    let seat = |agent: &AgentSpec| {
        if agent.name != PYTHON {
            return Entrant::from_spec_with(game.game(), agent, roster, &processes).map_err(Failure::invalid);
        }
        for contestant in order.contestants {
            if contestant.spec()? == *agent {
                return contestant.entrant(game, &processes);
            }
        }
        Err(Failure::invalid(format!("the agent {} was written in Python: give it in agents", agent.label())))
    };
    plan.agents.iter().map(seat).collect()
}

/// Plays what is missing in a directory.
fn open<G: Kind>(game: &Arc<Compiled<G>>, dir: RunDir, order: &Order<'_>) -> Result<Ended, Failure> {
    let plan = dir.plan().clone();
    let rules = game.game().clone();
    dir.check_game(&rules).map_err(Failure::invalid)?;
    match &plan.study {
        StudyPlan::Arena(_) => {
            let entrants = entrants(game, &plan, order)?;
            play(dir, order, |plan| Arena::from_plan(rules, entrants, plan))
        }
        StudyPlan::Tickets(_) => {
            let entrants = entrants(game, &plan, order)?;
            play(dir, order, |plan| Tickets::from_plan(rules, entrants, plan))
        }
        StudyPlan::Tune(_) => {
            let mut processes = order.processes.clone();
            processes.secret = plan.exec_secret.unwrap_or(processes.secret);
            play(dir, order, |plan| Tuner::from_plan(rules, plan, Roster::default(), processes))
        }
        other => Err(Failure::invalid(format!("this is the run of a {}", other.command()))),
    }
}

fn play<S: Reported>(
    dir: RunDir,
    order: &Order<'_>,
    study: impl FnOnce(&RunPlan) -> Result<S, PlanError>,
) -> Result<Ended, Failure> {
    let path = dir.path().to_owned();
    let mut run = KeptRun::open(dir, study).map_err(Failure::invalid)?;
    if run.is_complete() {
        return Ok(Ended { path, outcome: Outcome::Finished });
    }
    let outcome = run.play(&order.drive).map_err(Failure::other)?;
    if outcome == Outcome::Finished && run.dir().plan().is_whole() {
        report::finish(&run, Roster::built_in()).map_err(Failure::other)?;
    }
    Ok(Ended { path, outcome })
}

/// Does long work on another thread, while this one looks for Ctrl-C. After an interruption the work is stopped and
/// its result dropped: what was played is in its directory.
fn watched<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    /// Time between two looks.
    const LOOK: Duration = Duration::from_millis(50);
    let stop = AtomicBool::new(false);
    let (done, interrupted) = py.detach(|| {
        std::thread::scope(|scope| {
            let (send, receive) = mpsc::channel();
            let stop = &stop;
            scope.spawn(move || send.send(guard(|| work(stop))));
            let mut interrupted = None;
            loop {
                match receive.recv_timeout(LOOK) {
                    Ok(done) => return (Some(done), interrupted),
                    Err(mpsc::RecvTimeoutError::Disconnected) => return (None, interrupted),
                    Err(mpsc::RecvTimeoutError::Timeout) => {
                        if let Err(error) = Python::attach(|py| py.check_signals()) {
                            stop.store(true, Ordering::Relaxed);
                            interrupted = Some(error);
                        }
                    }
                }
            }
        })
    });
    match (done, interrupted) {
        (_, Some(interrupted)) => Err(interrupted),
        (Some(done), None) => Ok(done??),
        (None, None) => Err(failed("the run ended without a result")),
    }
}

/// Calls a function of Python with the number of games, now and then.
fn reporter(progress: Option<Py<PyAny>>) -> impl Fn(u64) + Sync {
    move |games| {
        if let Some(progress) = &progress {
            // What a progress bar can't do is no reason to stop.
            let _ = Python::attach(|py| progress.call1(py, (games,)));
        }
    }
}

/// A whole number of a range, for options.
fn whole<T: TryFrom<i64>>(value: i64, name: &str, least: i64) -> PyResult<T> {
    let wrong = || invalid(format!("expected {name} from {least}, found {value}"));
    if value < least { Err(wrong()) } else { T::try_from(value).map_err(|_| wrong()) }
}

/// An option of a dict, removed from it.
struct Options<'py>(Bound<'py, PyDict>);

impl<'py> Options<'py> {
    fn take<T>(&self, name: &str, default: T) -> PyResult<T>
    where
        T: for<'a> FromPyObject<'a, 'py>,
    {
        match self.0.get_item(name)? {
            None => Ok(default),
            Some(value) => {
                self.0.del_item(name)?;
                if value.is_none() {
                    return Ok(default);
                }
                match value.extract::<T>() {
                    Ok(value) => Ok(value),
                    Err(error) => Err(invalid(format!("{name}: {}", Into::<PyErr>::into(error)))),
                }
            }
        }
    }

    fn finish(self) -> PyResult<()> {
        match self.0.keys().iter().next() {
            None => Ok(()),
            Some(key) => Err(pyo3::exceptions::PyTypeError::new_err(format!("there is no option {key}"))),
        }
    }
}

/// What is asked for in Python.
struct Request {
    what: What,
    contestants: Vec<Contestant>,
    seed: u64,
    games: u64,
    deals: Option<(u64, u64)>,
    out: Option<PathBuf>,
    processes: ExecOptions,
    threads: usize,
    progress: Option<Py<PyAny>>,
}

impl Request {
    fn new(
        study: &str,
        game: &Bound<'_, Game>,
        agents: &Bound<'_, PyAny>,
        options: Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let options = Options(options);
        let contestants: Vec<Contestant> =
            agents.try_iter()?.map(|agent| Contestant::new(&agent?, game)).collect::<PyResult<_>>()?;
        let seed = options.take::<u64>("seed", 1)?;
        let threads: usize = whole(options.take::<i64>("threads", 0)?, "threads", 0)?;
        let mut threads = if threads == 0 { cores().get() } else { threads };
        let batch: usize = whole(options.take::<i64>("batch", 128)?, "batch", 1)?;
        if contestants.iter().any(Contestant::is_batched) {
            // A game that waits for its batch occupies a thread.
            threads = threads.max(batch);
        }
        let out = options.take::<Option<PathBuf>>("out", None)?;
        let deals = options.take::<Option<(u64, u64)>>("part", None)?;
        let progress = options.take::<Option<Py<PyAny>>>("progress", None)?;
        let time_limit = options.take::<f64>("time_limit", 10.0)?;
        if !(time_limit > 0.0 && time_limit <= 86_400.0) {
            return Err(invalid("expected time_limit in seconds, up to 86400"));
        }
        let secret = options.take::<Option<u64>>("exec_secret", None)?.unwrap_or_else(fresh_secret);
        let processes = ExecOptions::new(secret).with_time_limit(Duration::from_secs_f64(time_limit));
        let (what, games) = what(study, &options)?;
        options.finish()?;
        if game.get().is_changed() {
            return Err(invalid(
                "a run can only be repeated if its map is shipped or in a file: write your rules to a map file with a \
                 base",
            ));
        }
        if contestants.is_empty() && !matches!(what, What::Resume) {
            return Err(invalid("give at least one agent"));
        }
        Ok(Self { what, contestants, seed, games, deals, out, processes, threads, progress })
    }

    /// Plays it, or only makes its directory.
    fn play(self, py: Python<'_>, game: &Game, only_begins: bool) -> PyResult<Ended> {
        let Self { what, contestants, seed, games, deals, out, processes, threads, progress } = self;
        let add = reporter(progress);
        let rules = game.rules.clone();
        watched(py, |stop| {
            rules.run(Order {
                what,
                map: &game.given,
                contestants: &contestants,
                seed,
                games,
                deals,
                only_begins,
                out: out.as_deref(),
                processes,
                drive: Drive::new(threads, stop, &add),
            })
        })
    }
}

/// The study with its options, and the number of games.
fn what(study: &str, options: &Options<'_>) -> PyResult<(What, u64)> {
    Ok(match study {
        "arena" => {
            let games = whole(options.take::<i64>("games", 40_000)?, "games", 1)?;
            let mut arena = ArenaOptions::default();
            arena.replays = whole(options.take::<i64>("save_replays", 0)?, "save_replays", 0)?;
            arena.seat_tables = options.take("seat_tables", false)?;
            arena.decisions = options.take("decisions", false)?;
            arena.stop_on_forfeit = options.take("stop_on_forfeit", false)?;
            arena.anchor = options.take::<Option<usize>>("anchor", None)?;
            if let Some((agent, other)) = options.take::<Option<(usize, usize)>>("sprt", None)? {
                let (elo0, elo1) = (options.take("elo0", 0.0)?, options.take("elo1", 10.0)?);
                arena.sprt = Some(SprtPlan { agent, other, elo0, elo1 });
            }
            (What::Arena { options: arena, table: options.take("table", false)? }, games)
        }
        "tickets" => {
            let games = whole(options.take::<i64>("games", 20_000)?, "games", 1)?;
            (What::Tickets { forced: options.take("forced", false)? }, games)
        }
        "tune" => {
            let mut tune = TuneOptions::default();
            tune.params = options.take("params", Vec::new())?;
            tune.budget = whole(options.take::<i64>("budget", 200_000)?, "budget", 1)?;
            tune.deals = whole(options.take::<i64>("deals", 100)?, "deals", 1)?;
            tune.candidates = whole(options.take::<i64>("candidates", 16)?, "candidates", 4)?;
            tune.step = options.take("step", 0.1)?;
            tune.confirm = whole(options.take::<i64>("confirm", 20_000)?, "confirm", 1)?;
            (What::Tune(tune), 1)
        }
        "resume" => (What::Resume, 1),
        other => return Err(invalid(format!("there is no study {other:?}"))),
    })
}

/// Plays a run on a game, or the shard of one, and returns its directory.
#[pyfunction]
#[pyo3(signature = (study, game, agents, options))]
pub(crate) fn play_run(
    py: Python<'_>,
    study: &str,
    game: Bound<'_, Game>,
    agents: &Bound<'_, PyAny>,
    options: Bound<'_, PyDict>,
) -> PyResult<PathBuf> {
    let request = Request::new(study, &game, agents, options)?;
    finished(&request.play(py, game.get(), false)?)
}

/// Makes the directory of a run, or checks that it is the one of this run, without playing. Returns the directory,
/// the number of deals, and the secret of processes.
#[pyfunction]
#[pyo3(signature = (study, game, agents, options))]
pub(crate) fn begin_run(
    py: Python<'_>,
    study: &str,
    game: Bound<'_, Game>,
    agents: &Bound<'_, PyAny>,
    options: Bound<'_, PyDict>,
) -> PyResult<(PathBuf, u64, Option<u64>)> {
    let mut request = Request::new(study, &game, agents, options)?;
    // A run keeps the secret that it has.
    let begun = request.out.as_ref().and_then(|path| RunDir::open_to_read(path).ok()?.plan().exec_secret);
    if let Some(secret) = begun {
        request.processes = request.processes.with_secret(secret);
    }
    let path = request.play(py, game.get(), true)?.path;
    let dir = guard(|| RunDir::open_to_read(&path))?.map_err(invalid)?;
    let (deals, secret) = (dir.plan().deals, dir.plan().exec_secret);
    Ok((path, deals, secret))
}

/// The ranges of deals that a directory does not have; none of a complete run.
#[pyfunction]
pub(crate) fn missing_deals(path: PathBuf) -> PyResult<Vec<(u64, u64)>> {
    let missing = guard(|| {
        let dir = RunDir::open_to_read(&path)?;
        if dir.is_complete() {
            return Ok(Vec::new());
        }
        Ok(gaps(&dir.parts()?, dir.plan().range()))
    })?;
    let missing = missing.map_err(|error: RunError| invalid(error))?;
    Ok(missing.into_iter().map(|deals| (deals.start, deals.end)).collect())
}

/// An agent as a dict with all its settings, also those that come from a file; runs take it like its text.
#[pyfunction]
pub(crate) fn resolved_agent<'py>(agent: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let spec = spec_of(agent)?.ok_or_else(|| invalid("expected the text of an agent"))?;
    json::to_python(agent.py(), &serde_json::to_value(spec).map_err(failed)?)
}

/// The directory of a run that was played to its end.
fn finished(ended: &Ended) -> PyResult<PathBuf> {
    match ended.outcome {
        Outcome::Finished => Ok(ended.path.clone()),
        Outcome::Stopped => Err(failed(format!("the run in {} was stopped", ended.path.display()))),
    }
}

/// Rates an agent on the ladder and returns the directory.
#[pyfunction]
#[pyo3(signature = (agent, card_game, only, times, out, threads, progress, resume, only_begins=false))]
#[expect(clippy::too_many_arguments, reason = "they are keywords of Python")]
pub(crate) fn play_rate(
    py: Python<'_>,
    agent: &Bound<'_, PyAny>,
    card_game: Option<&Bound<'_, PyAny>>,
    only: Vec<String>,
    times: u64,
    out: Option<PathBuf>,
    threads: usize,
    progress: Option<Py<PyAny>>,
    resume: bool,
    only_begins: bool,
) -> PyResult<PathBuf> {
    let roster = Roster::built_in();
    let card_game = card_game.map(rated).transpose()?;
    // A run that is resumed knows its agents.
    let entry = if resume { None } else { Some(RateEntry { agent: rated(agent)?, card_game, only, times }) };
    let threads = if threads == 0 { cores().get() } else { threads };
    let add = reporter(progress);
    let ended = watched(py, |stop| {
        let ladder = Ladder::v1();
        let mut processes = ExecOptions::default();
        let drive = Drive::new(threads, stop, &add);
        let order = |processes: &ExecOptions| Order {
            what: What::Resume,
            map: "",
            contestants: &[],
            seed: 0,
            games: 0,
            deals: None,
            only_begins,
            out: out.as_deref(),
            processes: processes.clone(),
            drive,
        };
        let dir = match entry {
            None => RunDir::open(out.as_deref().unwrap_or(Path::new("."))).map_err(Failure::invalid)?,
            Some(entry) => {
                entry.check(&ladder, roster).map_err(Failure::invalid)?;
                entry.try_out(&ladder, roster, &processes).map_err(Failure::invalid)?;
                order(&processes).directory(&ladder.id(), entry.plan(&ladder))?
            }
        };
        if only_begins {
            return Ok(Ended { path: dir.path().to_owned(), outcome: Outcome::Finished });
        }
        processes.secret = dir.plan().exec_secret.unwrap_or(processes.secret);
        let order = order(&processes);
        play(dir, &order, |plan| Rate::from_plan(ladder, plan, roster.clone(), processes))
    })?;
    finished(&ended)
}

/// The specification of an agent to be rated.
fn rated(agent: &Bound<'_, PyAny>) -> PyResult<AgentSpec> {
    spec_of(agent)?.ok_or_else(|| invalid("expected an agent as a text, such as \"planner\""))
}

/// The tables of the ladder that an agent plays.
#[pyfunction]
#[pyo3(signature = (agent, card_game, only))]
pub(crate) fn rate_tables(
    agent: &Bound<'_, PyAny>,
    card_game: Option<&Bound<'_, PyAny>>,
    only: Vec<String>,
) -> PyResult<Vec<String>> {
    let (ladder, roster) = (Ladder::v1(), Roster::built_in());
    let (agent, card_game) = (rated(agent)?, card_game.map(rated).transpose()?);
    let entry = |only| RateEntry { agent: agent.clone(), card_game: card_game.clone(), only, times: 1 };
    entry(only.clone()).check(&ladder, roster).map_err(invalid)?;
    let names = ladder.tables(&only).map(|table| table.name.clone());
    Ok(names.filter(|name| entry(vec![name.clone()]).check(&ladder, roster).is_ok()).collect())
}

/// The names of the runs of an experiment, with their directories.
#[pyfunction]
pub(crate) fn experiment_runs(path: PathBuf, only: Vec<String>) -> PyResult<Vec<(String, PathBuf)>> {
    guard(|| {
        let experiment = Experiment::open(&path, Roster::built_in()).map_err(invalid)?;
        let runs = experiment.spec().runs.iter().map(|run| (run.name.clone(), experiment.work(run)));
        let all: Vec<_> = runs.collect();
        experiment.only(only.clone()).map_err(invalid)?;
        Ok(all.into_iter().filter(|(name, _)| only.is_empty() || only.contains(name)).collect())
    })?
}

/// Plays one run of an experiment into its directory, without results.
#[pyfunction]
#[pyo3(signature = (path, name, threads, progress))]
pub(crate) fn play_experiment_run(
    py: Python<'_>,
    path: PathBuf,
    name: String,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<()> {
    let add = reporter(progress);
    watched(py, |stop| {
        let experiment = Experiment::open(&path, Roster::built_in()).map_err(Failure::invalid)?;
        let experiment = experiment.only(vec![name]).map_err(Failure::invalid)?;
        let threads = if threads == 0 { cores().get() } else { threads };
        let played = experiment.play_runs(&Drive::new(threads, stop, &add), |_, _| {});
        played.map_err(Failure::other)?.map(drop).ok_or_else(|| Failure::other("the run was stopped"))
    })
}

/// Runs an experiment; its results are next to its file.
#[pyfunction]
#[pyo3(signature = (path, only, threads, progress))]
pub(crate) fn play_experiment(
    py: Python<'_>,
    path: PathBuf,
    only: Vec<String>,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<PathBuf> {
    let threads = if threads == 0 { cores().get() } else { threads };
    let add = reporter(progress);
    watched(py, |stop| {
        let experiment = Experiment::open(&path, Roster::built_in()).map_err(Failure::invalid)?;
        let experiment = experiment.only(only).map_err(Failure::invalid)?;
        let drive = Drive::new(threads, stop, &add);
        let answer = experiment.run(&drive, |_, _| {}, &report::experiment).map_err(Failure::other)?;
        answer
            .map(|_| experiment.folder().to_owned())
            .ok_or_else(|| Failure::other("the experiment was stopped"))
    })
}

/// The map, seats and study of a run directory.
#[pyfunction]
pub(crate) fn plan_of(path: PathBuf) -> PyResult<(String, usize, &'static str, bool)> {
    guard(|| {
        let dir = RunDir::open(&path).map_err(Failure::invalid)?;
        let plan = dir.plan();
        Ok::<_, PyErr>((plan.map.clone(), plan.seats, plan.command(), dir.is_complete()))
    })?
}
