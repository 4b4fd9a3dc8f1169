//! `ttr tickets`: estimates the value of tickets, routes and cities.

use ttr_agents::{AgentSpec, Roster};
use ttr_sim::game::{AnyGame, Playable};
use ttr_sim::run::{KeptRun, RunDir, RunPlan};
use ttr_sim::tickets::{TicketOptions, Tickets};
use ttr_sim::with_game;

use crate::args::{self, GameArgs, GamesArgs, RunArgs, fewest_seats, map_name};
use crate::{BadInput, dry_run, runs};

/// Estimates the value of tickets, routes and cities from many games.
///
/// For each ticket: how often it is dealt, kept (at the opening and later) and completed; the win share and
/// points of its holders with 95 % confidence intervals; their difference from players without it (an
/// association); the effect of being offered it at the opening; and the trains and the turn it takes. Also
/// pairs of tickets held together; for each route how often it is claimed, when, with which cards, and how
/// often by winners; cities; and the frequency of the rarest states. Only sums are kept, so a million games
/// need no more memory than a thousand.
///
/// With --forced, every legal opening choice of every seat is played on the same seeds; everything else is
/// as the agents play. This gives the effect of keeping a ticket in addition to others (add) or instead of
/// another (swap), and the quality of the agents' own choices.
#[derive(clap::Args)]
#[command(mut_arg("games", |games| games.required(false).default_value("20000")))]
#[command(mut_arg("resume", |resume| resume.conflicts_with_all(["GameArgs", "GamesArgs", "agents", "forced"])))]
#[command(after_help = "\
Examples:
  ttr tickets --map usa                                    the best tickets of USA for planner
  ttr tickets --map europe --seats 4 --games 1000000
  ttr tickets --map usa --agents random --games 1000000    how rare are stalemates?
  ttr tickets --map card-game
  ttr tickets --map usa --forced --games 70000             the effect of keeping a ticket")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Agents that play; a single agent plays against itself [default: planner, or yard in the Card Game]
    #[arg(long, value_name = "LIST")]
    agents: Vec<String>,
    /// Play every legal opening choice of tickets of every seat, and report the effect of each ticket
    #[arg(long)]
    forced: bool,
    #[command(flatten)]
    games: GamesArgs,
    #[command(flatten)]
    run: RunArgs,
}

pub(crate) fn run(args: &Args, roster: &Roster) -> anyhow::Result<()> {
    if let Some(path) = &args.run.resume {
        return runs::reopen(RunDir::open(path)?, &args.run.show(roster), true);
    }
    let spec = args.game.find()?;
    let agents = if args.agents.is_empty() {
        vec![args::best_planner(&spec)]
    } else {
        args::agents(roster, &args.agents, &spec)?
    };
    let seats = args.game.seats.unwrap_or(fewest_seats(&spec));
    with_game!(AnyGame::new(&spec, seats)?, game => begin(args, game, agents, roster))
}

fn begin<G: Playable + Clone>(
    args: &Args,
    game: G,
    agents: Vec<AgentSpec>,
    roster: &Roster,
) -> anyhow::Result<()> {
    let show = args.run.show(roster);
    let entrants = args::entrants(&game, &agents, roster, &show.processes)?;
    let schedule = args::round_robin(agents.len(), game.seats())?;
    let options = TicketOptions::forced(args.forced);
    let (map, seed, games) = (map_name(&args.game), args.games.seed, args.games.games.get());
    let plan = Tickets::plan(options, &game, &map, seed, agents, &schedule, games)
        .map_err(|error| BadInput(format!("{error}; omit --forced")))?;
    if args.games.dry_run {
        let open = |plan: &RunPlan| Tickets::from_plan(game.clone(), entrants.clone(), plan);
        return dry_run::run(&plan, &show, |dir| KeptRun::open(dir, open));
    }
    let dir = runs::directory(&args.run, game.map_id(), args.games.part_of(plan), &show)?;
    runs::resume(KeptRun::open(dir, |plan| Tickets::from_plan(game, entrants, plan))?, &show, true)
}
