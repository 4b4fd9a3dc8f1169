//! `ttr arena`: plays agents against each other.

use ttr_agents::{AgentSpec, Roster};
use ttr_engine::maps::AnySpec;
use ttr_sim::arena::{Arena, ArenaOptions, SprtPlan};
use ttr_sim::game::{AnyGame, Playable};
use ttr_sim::run::{KeptRun, RunDir, RunPlan, StudyPlan};
use ttr_sim::table::agent_text;
use ttr_sim::table::schedule::Schedule;
use ttr_sim::with_game;

use crate::args::{self, GameArgs, GamesArgs, RunArgs, fewest_seats, map_name};
use crate::{BadInput, dry_run, runs};

/// Plays agents against each other on identical deals.
///
/// Every line-up plays every deal in every rotation of its seats; with three seats or more, the order around
/// the table varies from deal to deal. The tables show win shares (a tie is split), Elo ratings by wins,
/// points by source, tickets, how often each agent finishes ahead of each other one, and the win share by
/// position in the order of play. The 95 % confidence intervals come from the spread between deals. Results
/// depend only on version, map, agents, seed and number of games, not on threads, interruptions or shards.
///
/// The run directory gets summary.json, report.html, and the tables games, seats and agents as CSV and
/// Parquet. Options add further tables and replays.
#[derive(clap::Args)]
#[command(mut_arg("games", |games| games.required(false).default_value("40000")))]
#[command(mut_arg("resume", |resume| resume.conflicts_with_all(["GameArgs", "GamesArgs", "agents", "table", "sprt",
    "elo0", "elo1", "anchor", "save_replays", "seat_tables", "decisions", "on_forfeit"])))]
#[command(after_help = "\
Examples:
  ttr arena                                                   the default agents on Europe
  ttr arena --map usa --seats 4 --agents planner,hungry,greedy,random
  ttr arena --agents planner,exec:python3\\ mybot.py           your own bot
  ttr arena --table planner,greedy,greedy --seats 3           one line-up
  ttr arena --agents tuned=planner@tuned.toml,planner         a label for tables and reports
  ttr arena --agents planner,long-route --sprt 1,2            stop as soon as the SPRT decides
  ttr arena --resume runs/arena-europe-1                      resume after an interruption
  ttr arena --shard 2/4 --out part2                           the second quarter; then: ttr merge
  ttr arena --shard 2/4 --out part2 --or-resume               the same, however often it is started
  ttr arena --games 1e9 --dry-run                             how long does it take?")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Agents of a round robin [default: a ladder from random to planner, or to yard in the Card Game]
    ///
    /// `ttr agents` lists all agents and their parameters. An agent is written NAME,
    /// NAME:KEY=VALUE,KEY=VALUE, NAME@FILE or exec:COMMAND: planner,ismcts:iters=500,threads=2 are two
    /// agents. LABEL= before an agent sets its name in all tables:
    /// tuned=planner@tuned.toml,fast=ismcts:iters=100. A KEY=VALUE after an agent with settings belongs to
    /// that agent, unless VALUE is an agent and KEY is none of its parameters. Labels start with a letter
    /// and must differ.
    #[arg(long, value_name = "LIST", conflicts_with = "table")]
    agents: Vec<String>,
    /// A single line-up instead of a round robin; an agent may take several seats
    #[arg(long, value_name = "LIST")]
    table: Option<String>,
    #[command(flatten)]
    games: GamesArgs,
    /// Stop as soon as a sequential test (SPRT, alpha = beta = 0.05) decides whether agent A wins more than
    /// agent B; both by position in the list or by name
    #[arg(long, value_name = "A,B", conflicts_with = "shard")]
    sprt: Option<String>,
    /// H0: A is at most this many Elo stronger than B
    #[arg(long, value_name = "ELO", default_value = "0", requires = "sprt", allow_hyphen_values = true)]
    elo0: f64,
    /// H1: A is at least this many Elo stronger than B
    #[arg(long, value_name = "ELO", default_value = "10", requires = "sprt", allow_hyphen_values = true)]
    elo1: f64,
    /// Agent with rating 0, by position in the list or by name [default: the agent with the most wins among
    /// those that neither won nor lost all their games]
    #[arg(long, value_name = "NAME")]
    anchor: Option<String>,
    /// Save the first N games as replays
    #[arg(long, value_name = "N", default_value = "0", value_parser = args::replays, allow_hyphen_values = true)]
    save_replays: u64,
    /// Write the tables seat_tickets and seat_routes: every ticket a seat was offered, and every route it
    /// claimed
    #[arg(long)]
    seat_tables: bool,
    /// Write the tables decisions (every decision, with the estimates of searches) and decision_times
    #[arg(long)]
    decisions: bool,
    /// What to do if an agent forfeits a game
    #[arg(long, value_name = "WHAT", default_value = "record")]
    on_forfeit: OnForfeit,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum OnForfeit {
    /// Count the game as lost and continue
    Record,
    /// Stop the run
    Stop,
}

pub(crate) fn run(args: &Args, roster: &Roster) -> anyhow::Result<()> {
    if let Some(path) = &args.run.resume {
        return runs::reopen(RunDir::open(path)?, &args.run.show(roster), true);
    }
    let spec = args.game.find()?;
    let (agents, schedule, seats) = line_ups(args, &spec, roster)?;
    let mut options = ArenaOptions::default();
    options.replays = args.save_replays;
    options.decisions = args.decisions;
    options.seat_tables = args.seat_tables;
    options.stop_on_forfeit = args.on_forfeit == OnForfeit::Stop;
    options.sprt = args.sprt.as_deref().map(|pair| sprt(args, pair, &agents)).transpose()?;
    options.anchor = args.anchor.as_deref().map(|name| anchor(name, &agents)).transpose()?;
    with_game!(AnyGame::new(&spec, seats)?, game => begin(args, game, agents, &schedule, options, roster))
}

/// The agents, the schedule, and the number of seats.
fn line_ups(
    args: &Args,
    spec: &AnySpec,
    roster: &Roster,
) -> anyhow::Result<(Vec<AgentSpec>, Schedule, usize)> {
    if let Some(table) = &args.table {
        let seated = agent_text::list(roster, table)?;
        if args.game.seats.is_some_and(|seats| seats != seated.len()) {
            let message =
                format!("--table has {} agents; give --seats {} or omit it", seated.len(), seated.len());
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
        AgentSpec::check_labels(&agents)?;
        let seats = line_up.len();
        return Ok((agents, Schedule::table(line_up), seats));
    }
    let agents = args::agents(roster, &args.agents, spec)?;
    let seats = args.game.seats.unwrap_or(fewest_seats(spec));
    spec.check_seats(seats)?;
    let schedule = args::round_robin(agents.len(), seats)?;
    Ok((agents, schedule, seats))
}

fn sprt(args: &Args, pair: &str, agents: &[AgentSpec]) -> anyhow::Result<SprtPlan> {
    let names = labels(agents);
    let find = |name: &str| index(name.trim(), &names);
    // The name of an agent without a label may have commas.
    let commas = pair.match_indices(',').map(|(at, _)| pair.split_at(at));
    let found = commas.filter_map(|(a, b)| Some((find(a)?, find(&b[1..])?))).next();
    let Some((agent, other)) = found.filter(|(a, b)| a != b) else {
        let message = format!(
            "--sprt {pair}: expected two of the agents by position or name, such as --sprt 1,2; they are {}",
            names.join(", ")
        );
        return Err(BadInput(message).into());
    };
    if args.elo0 >= args.elo1 || !args.elo0.is_finite() || !args.elo1.is_finite() {
        return Err(BadInput("--elo0 must be less than --elo1".into()).into());
    }
    Ok(SprtPlan { agent, other, elo0: args.elo0, elo1: args.elo1 })
}

fn labels(agents: &[AgentSpec]) -> Vec<String> {
    agents.iter().map(AgentSpec::label).collect()
}

/// Finds an agent by its position in the list, from 1, or by its name.
fn index(name: &str, names: &[String]) -> Option<usize> {
    match name.parse::<usize>() {
        Ok(position) if (1..=names.len()).contains(&position) => Some(position - 1),
        _ => names.iter().position(|known| known == name),
    }
}

fn anchor(name: &str, agents: &[AgentSpec]) -> anyhow::Result<usize> {
    let names = labels(agents);
    index(name, &names).ok_or_else(|| {
        let message = format!("--anchor {name}: expected one of the agents: {}", names.join(", "));
        BadInput(message).into()
    })
}

fn begin<G: Playable + Clone>(
    args: &Args,
    game: G,
    agents: Vec<AgentSpec>,
    schedule: &Schedule,
    options: ArenaOptions,
    roster: &Roster,
) -> anyhow::Result<()> {
    let show = args.run.show(roster);
    let entrants = args::entrants(&game, &agents, roster, &show.processes)?;
    let (map, study) = (map_name(&args.game), StudyPlan::Arena(options));
    let plan = RunPlan::new(study, &game, &map, args.games.seed, agents)
        .with_deals(schedule, schedule.deals(args.games.games.get()));
    if args.games.dry_run {
        let open = |plan: &RunPlan| Arena::from_plan(game.clone(), entrants.clone(), plan);
        return dry_run::run(&plan, &show, |dir| KeptRun::open(dir, open));
    }
    let dir = runs::directory(&args.run, game.map_id(), args.games.part_of(plan), &show)?;
    runs::resume(KeptRun::open(dir, |plan| Arena::from_plan(game, entrants, plan))?, &show, true)
}
