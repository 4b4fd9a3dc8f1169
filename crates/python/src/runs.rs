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
use ttr_sim::run::{KeptRun, PlanError, RunDir, RunPlan, StudyPlan};
use ttr_sim::table::{Drive, Entrant, Outcome, Schedule, agent_text};
use ttr_sim::tickets::{TicketOptions, Tickets, check_choice};
use ttr_sim::tune::{TuneOptions, TunePlan, Tuner};

use crate::errors::{failed, guard, invalid};
use crate::game::Game;
use crate::kind::{Compiled, Kind};
use crate::player::{Contestant, PYTHON};

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
    /// The directory; a new one under runs/ if none is given.
    out: Option<&'r Path>,
    processes: ExecOptions,
    drive: Drive<'r>,
}

/// The parent directory of runs that were given none.
const RUNS: &str = "runs";

impl Order<'_> {
    fn directory(&self, name: &str, plan: RunPlan) -> Result<RunDir, Failure> {
        let plan = plan.with_exec_secret(self.processes.secret);
        let dir = match self.out {
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
            if *forced {
                check_choice(rules).map_err(Failure::invalid)?;
            }
            let per_deal = Tickets::most_games_per_deal(rules, &schedule, *forced);
            let study = StudyPlan::Tickets(TicketOptions::forced(*forced));
            new(study, agents).with_deals(&schedule, order.games.div_ceil(per_deal))
        }
        What::Tune(options) => {
            let plan = TunePlan {
                agent: agents[0].clone(),
                against: agents[1..].to_vec(),
                options: options.clone(),
                seed: order.seed,
                roster: Roster::default(),
                processes: order.processes.clone(),
            };
            let least = Tuner::new(rules.clone(), plan).map_err(Failure::invalid)?.games_per_generation();
            if options.budget < least {
                return Err(Failure::invalid(format!(
                    "a generation takes {least} games; raise budget, or lower deals or candidates"
                )));
            }
            new(StudyPlan::Tune(options.clone()), agents)
        }
        What::Resume => unreachable!("it was resumed"),
    };
    check_agents(&plan.agents)?;
    // Errors are reported before there is a directory.
    entrants(&game, &plan, &order)?;
    let dir = order.directory(rules.map_id(), plan)?;
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
    if outcome == Outcome::Finished {
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

/// Plays a run on a game and returns its directory.
#[pyfunction]
#[pyo3(signature = (study, game, agents, options))]
pub(crate) fn play_run(
    py: Python<'_>,
    study: &str,
    game: Bound<'_, Game>,
    agents: &Bound<'_, PyAny>,
    options: Bound<'_, PyDict>,
) -> PyResult<PathBuf> {
    let options = Options(options);
    let contestants: Vec<Contestant> =
        agents.try_iter()?.map(|agent| Contestant::new(&agent?, &game)).collect::<PyResult<_>>()?;
    let seed = options.take::<u64>("seed", 1)?;
    let threads: usize = whole(options.take::<i64>("threads", 0)?, "threads", 0)?;
    let mut threads = if threads == 0 { cores().get() } else { threads };
    let batch: usize = whole(options.take::<i64>("batch", 128)?, "batch", 1)?;
    if contestants.iter().any(Contestant::is_batched) {
        // A game that waits for its batch occupies a thread.
        threads = threads.max(batch);
    }
    let out = options.take::<Option<PathBuf>>("out", None)?;
    let progress = options.take::<Option<Py<PyAny>>>("progress", None)?;
    let time_limit = options.take::<f64>("time_limit", 10.0)?;
    if !(time_limit > 0.0 && time_limit <= 86_400.0) {
        return Err(invalid("expected time_limit in seconds, up to 86400"));
    }
    let secret = options.take::<Option<u64>>("exec_secret", None)?.unwrap_or_else(fresh_secret);
    let processes = ExecOptions::new(secret).with_time_limit(Duration::from_secs_f64(time_limit));
    let mut games = 1;
    let what = match study {
        "arena" => {
            games = whole(options.take::<i64>("games", 40_000)?, "games", 1)?;
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
            What::Arena { options: arena, table: options.take("table", false)? }
        }
        "tickets" => {
            games = whole(options.take::<i64>("games", 20_000)?, "games", 1)?;
            What::Tickets { forced: options.take("forced", false)? }
        }
        "tune" => {
            let mut tune = TuneOptions::default();
            tune.params = options.take("params", Vec::new())?;
            tune.budget = whole(options.take::<i64>("budget", 200_000)?, "budget", 1)?;
            tune.deals = whole(options.take::<i64>("deals", 100)?, "deals", 1)?;
            tune.candidates = whole(options.take::<i64>("candidates", 16)?, "candidates", 4)?;
            tune.step = options.take("step", 0.1)?;
            tune.confirm = whole(options.take::<i64>("confirm", 20_000)?, "confirm", 1)?;
            What::Tune(tune)
        }
        "resume" => What::Resume,
        other => return Err(invalid(format!("there is no study {other:?}"))),
    };
    options.finish()?;
    let game = game.get();
    if game.is_changed() {
        return Err(invalid(
            "a run can only be repeated if its map is shipped or in a file: write your rules to a map file with a base",
        ));
    }
    if contestants.is_empty() && !matches!(what, What::Resume) {
        return Err(invalid("give at least one agent"));
    }
    let add = reporter(progress);
    let rules = game.rules.clone();
    let ended = watched(py, |stop| {
        let drive = Drive::new(threads, stop, &add);
        let out = out.as_deref();
        let order =
            Order { what, map: &game.given, contestants: &contestants, seed, games, out, processes, drive };
        rules.run(order)
    })?;
    finished(&ended)
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
#[pyo3(signature = (agent, card_game, only, times, out, threads, progress, resume))]
#[expect(clippy::too_many_arguments, reason = "they are keywords of Python")]
pub(crate) fn play_rate(
    py: Python<'_>,
    agent: &str,
    card_game: Option<&str>,
    only: Vec<String>,
    times: u64,
    out: Option<PathBuf>,
    threads: usize,
    progress: Option<Py<PyAny>>,
    resume: bool,
) -> PyResult<PathBuf> {
    let roster = Roster::built_in();
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
            out: out.as_deref(),
            processes: processes.clone(),
            drive,
        };
        let dir = match &out {
            Some(path) if resume => RunDir::open(path).map_err(Failure::invalid)?,
            _ => {
                let parse = |text: &str| agent_text::parse(roster, text).map_err(Failure::invalid);
                let card_game = card_game.map(parse).transpose()?;
                let entry = RateEntry { agent: parse(agent)?, card_game, only, times };
                entry.check(&ladder, roster).map_err(Failure::invalid)?;
                entry.try_out(&ladder, roster, &processes).map_err(Failure::invalid)?;
                order(&processes).directory(&ladder.id(), entry.plan(&ladder))?
            }
        };
        processes.secret = dir.plan().exec_secret.unwrap_or(processes.secret);
        let order = order(&processes);
        play(dir, &order, |plan| Rate::from_plan(ladder, plan, roster.clone(), processes))
    })?;
    finished(&ended)
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
