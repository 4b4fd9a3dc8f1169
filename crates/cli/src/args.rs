//! Arguments that several commands share, and their parsers.

use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use ttr_agents::{AgentEntry, AgentSpec, Roster, SpecError};
use ttr_engine::maps::AnySpec;
use ttr_engine::spec::SeatRange;
use ttr_show::text::thousands;
use ttr_sim::bench::cores;
use ttr_sim::exec::{ExecOptions, fresh_secret};
use ttr_sim::game::Playable;
use ttr_sim::run::{RunDir, RunPlan};
use ttr_sim::table::agent_text;
use ttr_sim::table::entrant::{Entrant, EntrantError};
use ttr_sim::table::schedule::Schedule;

use crate::BadInput;
use crate::runs::Show;

/// Optional rules that can be added to a map.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Module {
    /// Warehouses and depots of Europa 1912
    Depots,
}

/// Finds a game by id or path and adds modules.
pub(crate) fn find_game(name: &str, with: &[Module]) -> anyhow::Result<AnySpec> {
    match ttr_engine::maps::find_any(name)? {
        AnySpec::Board(map) if with.contains(&Module::Depots) => {
            Ok(AnySpec::Board(ttr_engine::maps::with_depots(map)?))
        }
        AnySpec::CardGame(_) if !with.is_empty() => {
            Err(BadInput("depots need a board, and the Card Game has none; omit --with".into()).into())
        }
        spec => Ok(spec),
    }
}

pub(crate) fn seats(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "expected a number of seats, such as 2".to_owned())
}

/// More games than any machine plays in a year.
const MOST_GAMES: u64 = 1_000_000_000_000;

/// Parses a number of games: `100000`, `100_000`, `1e5`, `100k` and `0.1M` are the same.
pub(crate) fn games(text: &str) -> Result<NonZeroU64, String> {
    let number = text.replace('_', "");
    let units = [('k', "e3"), ('K', "e3"), ('M', "e6")];
    let scaled = units.iter().find_map(|&(unit, power)| Some(number.strip_suffix(unit)?.to_owned() + power));
    // Whole numbers up to 10^12 are exact as f64; larger ones are rejected.
    let games = scaled.unwrap_or(number).parse::<f64>().ok().filter(|games| games.fract() == 0.0);
    match games {
        Some(games) if games > MOST_GAMES as f64 => {
            Err(format!("expected at most {} games", thousands(MOST_GAMES)))
        }
        games => games
            .and_then(|games| NonZeroU64::new(games as u64))
            .ok_or_else(|| "expected a number of games from 1, such as 100000, 1e5 or 100k".to_owned()),
    }
}

/// Parses a whole number in a range.
pub(crate) fn whole(text: &str, range: RangeInclusive<u64>) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("expected a whole number from {} to {}", range.start(), range.end()))
}

/// Parses a number of replays to save.
pub(crate) fn replays(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "expected a number of games to save, such as 10".to_owned())
}

pub(crate) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

pub(crate) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    /// More cores than any machine this runs on has.
    const MOST: usize = 1024;
    match text.parse() {
        Ok(0) => Ok(cores()),
        Ok(threads) if threads <= MOST => Ok(NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN)),
        _ => Err(format!("expected a number of threads up to {MOST}; 0 uses all cores")),
    }
}

pub(crate) fn seat_range(spec: &AnySpec) -> SeatRange {
    match spec {
        AnySpec::Board(map) => map.seats,
        AnySpec::CardGame(game) => game.seats,
    }
}

pub(crate) fn fewest_seats(spec: &AnySpec) -> usize {
    seat_range(spec).min.into()
}

/// The game to play.
#[derive(clap::Args)]
pub(crate) struct GameArgs {
    /// Id of a shipped map, or path of a map file
    #[arg(long, value_name = "MAP", default_value = "europe")]
    pub(crate) map: String,
    /// Optional rules to add
    #[arg(long, value_name = "MODULE")]
    pub(crate) with: Vec<Module>,
    /// Number of seats, the players' places at the table [default: the map's minimum]
    #[arg(long, value_name = "N", value_parser = seats, allow_hyphen_values = true)]
    pub(crate) seats: Option<usize>,
}

impl GameArgs {
    /// The game.
    pub(crate) fn find(&self) -> anyhow::Result<AnySpec> {
        find_game(&self.map, &self.with)
    }
}

/// The map with its modules, as one word that [`find_game`] resolves again.
pub(crate) fn map_name(args: &GameArgs) -> String {
    if args.with.is_empty() { args.map.clone() } else { args.map.clone() + ttr_engine::maps::WITH_DEPOTS }
}

/// Options of all commands that play into a run directory.
#[derive(clap::Args)]
pub(crate) struct RunArgs {
    /// Number of threads; 0 uses all cores
    #[arg(long, value_name = "N", default_value = "0", value_parser = threads, allow_hyphen_values = true)]
    threads: NonZeroUsize,
    /// Output directory [default: runs/COMMAND-MAP-N]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Resume the run in DIR with its original settings
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "exec_secret", "or_resume"])]
    pub(crate) resume: Option<PathBuf>,
    /// If the run is in the --out directory already, resume it instead of refusing to start
    ///
    /// One command for schedulers, which may start a job several times: it starts, resumes, or does nothing
    /// if all is done. The run in the directory must have the same settings.
    #[arg(long, requires = "out")]
    pub(crate) or_resume: bool,
    #[command(flatten)]
    pub(crate) processes: ProcessArgs,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    /// Do not show progress
    #[arg(long, short)]
    quiet: bool,
}

impl RunArgs {
    /// Returns how to play and report the run. Without `--exec-secret`, each call draws a new secret, unless
    /// the run has one already.
    pub(crate) fn show(&self, roster: &Roster) -> Show {
        let begun = self.out.as_ref().filter(|_| self.or_resume && self.processes.exec_secret.is_none());
        let known = begun.and_then(|path| RunDir::open_to_read(path).ok()?.plan().exec_secret);
        let processes = self.processes.options();
        Show {
            threads: self.threads.get(),
            json: self.json,
            quiet: self.quiet,
            roster: roster.clone(),
            processes: known.map_or(processes.clone(), |secret| processes.with_secret(secret)),
        }
    }
}

/// The games of a run that can be split into shards.
#[derive(clap::Args)]
pub(crate) struct GamesArgs {
    /// Number of games, such as 10000, 1e6 or 1M, rounded up to whole deals
    // The default is set by each command.
    #[arg(long, value_name = "N", value_parser = games, allow_hyphen_values = true)]
    pub(crate) games: NonZeroU64,
    /// Master seed
    #[arg(long, value_name = "N", default_value = "1", value_parser = seed, allow_hyphen_values = true)]
    pub(crate) seed: u64,
    /// Play only the I-th of N shards
    #[arg(long, value_name = "I/N", value_parser = shard, allow_hyphen_values = true)]
    shard: Option<(u64, u64)>,
    /// Print what the run costs, from a second or two of play on this machine, and keep nothing
    ///
    /// Games per second, core hours, bytes, and a number of shards that take half an hour each on one core.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

impl GamesArgs {
    /// The shard of the run to play here.
    pub(crate) fn part_of(&self, plan: RunPlan) -> RunPlan {
        match self.shard {
            Some((index, count)) => plan.shard(index, count),
            None => plan,
        }
    }
}

/// The agents as entrants of a run.
pub(crate) fn entrants<G: Playable>(
    game: &G,
    agents: &[AgentSpec],
    roster: &Roster,
    processes: &ExecOptions,
) -> anyhow::Result<Vec<Entrant<G>>> {
    agents
        .iter()
        .map(|agent| {
            Entrant::from_spec_with(game, agent, roster, processes).map_err(|error| match error {
                EntrantError::Spec(SpecError::WrongGame { .. }) => {
                    BadInput(format!("{error}; agents for it: {}", agents_for::<G>(roster))).into()
                }
                error => error.into(),
            })
        })
        .collect()
}

/// The names of the agents that play a kind of game.
pub(crate) fn agents_for<G: Playable>(roster: &Roster) -> String {
    roster.playing::<G>().map(AgentEntry::name).collect::<Vec<_>>().join(", ")
}

/// The best agent without search.
pub(crate) fn best_planner(spec: &AnySpec) -> AgentSpec {
    AgentSpec::new(match spec {
        AnySpec::Board(_) => "planner",
        AnySpec::CardGame(_) => "yard",
    })
}

/// The default agents: a ladder from random to the best heuristic.
fn default_agents(spec: &AnySpec) -> &'static str {
    match spec {
        AnySpec::Board(_) => "planner,hungry,long-route,one-step,path,greedy,random",
        AnySpec::CardGame(_) => "yard,greedy,random",
    }
}

/// Parses a shard: `2/4` is the second of four.
pub(crate) fn shard(text: &str) -> Result<(u64, u64), String> {
    let parsed =
        text.split_once('/').and_then(|(i, n)| Some((i.trim().parse().ok()?, n.trim().parse().ok()?)));
    match parsed {
        Some((index, count)) if 1 <= index && index <= count => Ok((index, count)),
        Some((index, count)) if count > 0 => {
            Err(format!("there is no shard {index} of {count}; shards are numbered from 1 to {count}"))
        }
        _ => Err("expected a shard and the number of shards, such as 2/4".to_owned()),
    }
}

/// The agents of the lists, or the default agents if there are none.
pub(crate) fn agents(roster: &Roster, lists: &[String], spec: &AnySpec) -> anyhow::Result<Vec<AgentSpec>> {
    let mut agents: Vec<AgentSpec> = Vec::new();
    for list in lists {
        agents.extend(agent_text::list(roster, list)?);
    }
    if lists.is_empty() {
        agents = roster.list(default_agents(spec))?;
    }
    for (index, agent) in agents.iter().enumerate() {
        if agents[..index].contains(agent) {
            let message = format!(
                "{agent} is listed twice; to play it against itself, list it once or use --table {agent},{agent}"
            );
            return Err(BadInput(message).into());
        }
    }
    AgentSpec::check_labels(&agents)?;
    Ok(agents)
}

/// A round robin of all agents.
pub(crate) fn round_robin(agents: usize, seats: usize) -> Result<Schedule, BadInput> {
    Schedule::checked_round_robin(agents, seats).map_err(|error| BadInput(error.to_string()))
}

/// Options for agents that run as processes.
#[derive(clap::Args)]
pub(crate) struct ProcessArgs {
    /// Time limit per decision of an exec: agent, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = time_limit, allow_hyphen_values = true)]
    time_limit: Duration,
    /// Secret from which the `random` of exec: agents is derived, up to 16 hexadecimal digits [default: from
    /// the operating system]
    ///
    /// It is written to run.toml. Set it to repeat a run, or to play a run in shards: all shards need the
    /// same secret.
    #[arg(long, value_name = "HEX", value_parser = secret)]
    exec_secret: Option<u64>,
}

impl ProcessArgs {
    pub(crate) fn options(&self) -> ExecOptions {
        let secret = self.exec_secret.unwrap_or_else(fresh_secret);
        ExecOptions::new(secret).with_time_limit(self.time_limit)
    }

    /// Checks that the shards of a run will have the same secret.
    pub(crate) fn check_shard(&self, plan: &RunPlan) -> Result<(), BadInput> {
        if plan.is_whole() || !plan.has_processes() || self.exec_secret.is_some() {
            return Ok(());
        }
        Err(BadInput(format!(
            "all shards of a run with exec: agents need the same secret; give each of them --exec-secret {:016x}",
            fresh_secret()
        )))
    }
}

fn secret(text: &str) -> Result<u64, String> {
    let digits = (1..=16).contains(&text.len()) && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    let secret = u64::from_str_radix(text, 16).ok().filter(|_| digits);
    secret.ok_or_else(|| "expected up to 16 hexadecimal digits, such as 1f2e3d4c5b6a7988".to_owned())
}

/// Process options for resuming a run: its own secret, everything else as given.
pub(crate) fn planned_processes(plan: &RunPlan, given: &ExecOptions) -> Result<ExecOptions, BadInput> {
    match plan.exec_secret {
        Some(secret) => Ok(given.clone().with_secret(secret)),
        None if plan.has_processes() => {
            let why = "run.toml has exec: agents but no exec_secret; start a new run";
            Err(BadInput(why.to_owned()))
        }
        None => Ok(given.clone()),
    }
}

fn time_limit(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0 && *seconds <= 86_400.0);
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "expected seconds, such as 10 or 0.5".to_owned())
}
