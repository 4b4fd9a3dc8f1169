//! `ttr arena`: agents against each other.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use ttr_agents::AgentSpec;
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::maps::AnySpec;
use ttr_sim::arena::{ArenaOptions, ArenaRun, SprtPlan, Summary};
use ttr_sim::entrant::Entrant;
use ttr_sim::playable::Playable;
use ttr_sim::run_dir::RunDir;
use ttr_sim::runner::{Drive, Outcome};
use ttr_sim::schedule::Schedule;
use ttr_sim::text::thousands;

use super::args::{self, GameArgs, fewest_seats, interruption, map_name};
use super::{BadInput, print, print_json, terminal};

/// Play agents against each other on equal deals.
///
/// Every deal is played by every line-up in every rotation of seats. The tables have win shares (ties shared), Bradley-Terry
/// ratings on the Elo scale, points by source, tickets, a head-to-head matrix measured both ways, and what each seat is
/// worth, with 95 % intervals from a bootstrap over deals. Results depend on version, map, agents, seed and number of
/// games only: not on threads, interruptions or shards.
///
/// The run directory gets summary.json, games and seats as CSV and Parquet, report.html, and replays if asked for.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ttr arena                                                   a ladder on Europe
  ttr arena --map usa --seats 4 --agents planner,hungry,greedy,random
  ttr arena --agents planner,exec:python3\\ mybot.py           a bot of your own
  ttr arena --table planner,greedy,greedy --seats 3           one line-up
  ttr arena --agents planner@tuned.toml,planner --sprt 1,2    stop when it is clear who is stronger
  ttr arena --resume runs/arena-europe-1                      go on after an interruption
  ttr arena --shard 2/4 --out part2                           the second quarter; then: ttr merge")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Who takes part: everybody against everybody
    #[arg(long, value_name = "LIST", conflicts_with = "table")]
    agents: Vec<String>,
    /// One line-up, by seat
    #[arg(long, value_name = "LIST")]
    table: Option<String>,
    /// How many games, rounded up to whole deals
    #[arg(long, value_name = "N", default_value = "2000", value_parser = args::games, allow_hyphen_values = true)]
    games: NonZeroU64,
    /// The master seed
    #[arg(long, value_name = "N", default_value = "1", allow_hyphen_values = true)]
    seed: u64,
    /// How many threads; 0 = one for each core
    #[arg(long, value_name = "N", default_value = "0", value_parser = args::threads, allow_hyphen_values = true)]
    threads: NonZeroUsize,
    /// A new directory for the results; left out, a fresh one under runs/
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the run of this directory; all else is as it was
    #[arg(long, value_name = "DIR", conflicts_with_all = ["agents", "table", "out", "shard", "sprt"])]
    resume: Option<PathBuf>,
    /// Play only the I-th of N parts
    #[arg(long, value_name = "I/N", value_parser = args::shard)]
    shard: Option<(u64, u64)>,
    /// Stop when a sequential test decides whether agent A is stronger than agent B, given by place in the list or by name
    #[arg(long, value_name = "A,B", conflicts_with = "shard")]
    sprt: Option<String>,
    /// The weaker claim of the test: A is this much stronger
    #[arg(long, value_name = "ELO", default_value = "0", requires = "sprt", allow_hyphen_values = true)]
    elo0: f64,
    /// The stronger claim of the test
    #[arg(long, value_name = "ELO", default_value = "10", requires = "sprt", allow_hyphen_values = true)]
    elo1: f64,
    /// Keep the first N games as replays
    #[arg(long, value_name = "N", default_value = "0")]
    save_replays: u64,
    /// Keep a row for every decision
    #[arg(long)]
    decisions: bool,
    /// What a forfeit does
    #[arg(long, value_name = "WHAT", default_value = "record")]
    on_forfeit: OnForfeit,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    /// No progress bar
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum OnForfeit {
    /// The game is lost, and the run goes on
    Record,
    /// The run stops
    Stop,
}

/// How a verb plays, whatever it plays.
pub(crate) struct Show {
    pub(crate) threads: usize,
    pub(crate) json: bool,
    pub(crate) quiet: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let show = Show { threads: args.threads.get(), json: args.json, quiet: args.quiet };
    if let Some(path) = &args.resume {
        return resume(path, &show);
    }
    let spec = args.game.find()?;
    let (agents, schedule, seats) = line_ups(args, &spec)?;
    let options = ArenaOptions {
        replays: args.save_replays,
        decisions: args.decisions,
        stop_on_forfeit: args.on_forfeit == OnForfeit::Stop,
        sprt: args.sprt.as_deref().map(|pair| sprt(args, pair, &agents)).transpose()?,
    };
    match &spec {
        AnySpec::Board(map) => begin(args, BoardGame::new(map, seats)?, agents, &schedule, &options, &show),
        AnySpec::CardGame(spec) => {
            begin(args, CardGame::new(spec, seats)?, agents, &schedule, &options, &show)
        }
    }
}

/// Who takes part, who plays whom, and how many seats that takes.
fn line_ups(args: &Args, spec: &AnySpec) -> anyhow::Result<(Vec<AgentSpec>, Schedule, usize)> {
    if let Some(table) = &args.table {
        let seated = AgentSpec::list(table)?;
        if args.game.seats.is_some_and(|seats| seats != seated.len()) {
            let message =
                format!("--table has {} agents; give --seats {} or leave it out", seated.len(), seated.len());
            return Err(BadInput(message).into());
        }
        let mut agents: Vec<AgentSpec> = Vec::new();
        let mut line_up = Vec::new();
        for agent in seated {
            let index = agents.iter().position(|known| *known == agent).unwrap_or(agents.len());
            if index == agents.len() {
                agents.push(agent);
            }
            line_up.push(index);
        }
        let seats = line_up.len();
        return Ok((agents, Schedule::table(line_up), seats));
    }
    let texts = if args.agents.is_empty() { vec![args::default_agents(spec)] } else { args.agents.clone() };
    let mut agents: Vec<AgentSpec> = Vec::new();
    for text in &texts {
        agents.extend(AgentSpec::list(text)?);
    }
    for (index, agent) in agents.iter().enumerate() {
        if agents[..index].contains(agent) {
            let message = format!(
                "{agent} is in the list twice; for a game against itself give --table {agent},{agent} or name it once"
            );
            return Err(BadInput(message).into());
        }
    }
    let seats = args.game.seats.unwrap_or(fewest_seats(spec));
    Ok((agents.clone(), Schedule::round_robin(agents.len(), seats), seats))
}

fn sprt(args: &Args, pair: &str, agents: &[AgentSpec]) -> anyhow::Result<SprtPlan> {
    let names: Vec<String> = agents.iter().map(AgentSpec::label).collect();
    let index = |name: &str| match name.parse::<usize>() {
        Ok(place) if (1..=agents.len()).contains(&place) => Some(place - 1),
        _ => names.iter().position(|known| known == name),
    };
    let found = pair.split_once(',').and_then(|(a, b)| Some((index(a.trim())?, index(b.trim())?)));
    let Some((agent, other)) = found.filter(|(a, b)| a != b) else {
        let message = format!(
            "--sprt {pair}: give two of the agents by place or name, such as --sprt 1,2; they are {}",
            names.join(", ")
        );
        return Err(BadInput(message).into());
    };
    if args.elo0 >= args.elo1 || !args.elo0.is_finite() || !args.elo1.is_finite() {
        return Err(BadInput("--elo0 must be less than --elo1".into()).into());
    }
    Ok(SprtPlan { agent, other, elo0: args.elo0, elo1: args.elo1 })
}

fn begin<G: Playable>(
    args: &Args,
    game: G,
    agents: Vec<AgentSpec>,
    schedule: &Schedule,
    options: &ArenaOptions,
    show: &Show,
) -> anyhow::Result<()> {
    let entrants = args::entrants(&game, &agents)?;
    let map = map_name(&args.game);
    let deals = schedule.deals(args.games.get());
    let mut plan = ArenaRun::plan(&game, &map, agents, schedule, args.seed, deals, options);
    if let Some((index, count)) = args.shard {
        plan = plan.shard(index, count);
    }
    let name = format!("{}-{}", ArenaRun::<G>::VERB, game.map_id());
    let dir = match &args.out {
        Some(path) => RunDir::create(path, plan)?,
        None => RunDir::create_numbered(Path::new("runs"), &name, plan)?,
    };
    play(&ArenaRun::new(game, entrants, dir)?, show)
}

fn resume(path: &Path, show: &Show) -> anyhow::Result<()> {
    with_directory(RunDir::open(path)?, show, true)
}

/// Goes on with the run of a directory, or only sums it up.
pub(crate) fn with_directory(dir: RunDir, show: &Show, go_on: bool) -> anyhow::Result<()> {
    let plan = dir.plan().clone();
    match args::find_planned_game(&plan)? {
        AnySpec::Board(map) => reopen(BoardGame::new(&map, plan.seats)?, &plan.agents, dir, show, go_on),
        AnySpec::CardGame(spec) => reopen(CardGame::new(&spec, plan.seats)?, &plan.agents, dir, show, go_on),
    }
}

fn reopen<G: Playable>(
    game: G,
    agents: &[AgentSpec],
    dir: RunDir,
    show: &Show,
    go_on: bool,
) -> anyhow::Result<()> {
    args::check_map(&game, dir.plan())?;
    let entrants: Vec<Entrant<G>> = args::entrants(&game, agents)?;
    if dir.is_complete() {
        let text = std::fs::read_to_string(dir.path().join(ttr_sim::run_dir::SUMMARY))?;
        return tell(&serde_json::from_str(&text)?, dir.path(), show);
    }
    let run = ArenaRun::new(game, entrants, dir)?;
    if go_on { play(&run, show) } else { finish(&run, show) }
}

fn play<G: Playable>(run: &ArenaRun<G>, show: &Show) -> anyhow::Result<()> {
    let path = run.dir().path();
    let stop: &'static AtomicBool = interruption();
    let bar = args::bar(run.games_planned(), show.quiet);
    bar.set_message(run.game().map_id().to_owned());
    bar.set_position(run.games_played()?);
    bar.reset_eta();
    let progress = |games| bar.inc(games);
    let outcome = run.play(&Drive { threads: show.threads, stop, progress: &progress });
    bar.finish_and_clear();
    match outcome? {
        Outcome::Finished if run.dir().plan().is_whole() => finish(run, show),
        Outcome::Finished => {
            terminal::tell(&format!(
                "deals {} to {} of {} are played and kept in {}; when all shards are: ttr merge DIR... --out DIR",
                run.dir().plan().first_deal,
                run.dir().plan().end_deal.saturating_sub(1),
                run.dir().plan().deals,
                path.display()
            ));
            Ok(())
        }
        Outcome::Stopped => {
            if run.games_played()? > 0 {
                print(&run.so_far()?.to_string())?;
            }
            terminal::tell(&format!(
                "stopped after {} of {} games; go on with: ttr arena --resume {}",
                thousands(run.games_played()?),
                thousands(run.games_planned()),
                path.display()
            ));
            Ok(())
        }
    }
}

fn finish<G: Playable>(run: &ArenaRun<G>, show: &Show) -> anyhow::Result<()> {
    let summary = run.finish()?;
    tell(&summary, run.dir().path(), show)
}

fn tell(summary: &Summary, path: &Path, show: &Show) -> anyhow::Result<()> {
    if show.json {
        print_json(summary)?
    } else {
        print(&summary.to_string())?
    }
    terminal::tell(&format!("\nresults: {}", path.display()));
    Ok(())
}
