//! `ttr tickets`: what tickets, routes and cities are worth.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use ttr_agents::AgentSpec;
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::maps::AnySpec;
use ttr_sim::game::Playable;
use ttr_sim::run::dir::RunDir;
use ttr_sim::tickets::{TicketRun, Tickets, check_choice};

use crate::BadInput;
use crate::args::{self, GameArgs, ProcessArgs, fewest_seats, map_name};
use crate::runs::{self, Show};

/// Play many games and say what tickets, routes and cities are worth.
///
/// For each ticket: how often it is dealt and kept, in the opening and later, completed, the win share and
/// points of its holders with 95 % intervals, the difference to players without it (an association), the
/// effect of being offered it at the opening, the trains and the turn it takes; pairs of tickets held
/// together; for each route how often it is claimed, when, with which cards, and how often winners have it;
/// cities; and how often the rarest states occur. Only sums are kept, so a million games need no more
/// memory than a thousand.
///
/// With --forced every legal opening choice of every seat is played on the same seeds, and all else as the
/// agents play. That gives the effect of keeping a ticket on top of others (add) or in place of another
/// (swap), and how good the agents' own choices are.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ttr tickets --map usa                                    the best tickets of USA, as planner plays
  ttr tickets --map europe --seats 4 --games 1000000
  ttr tickets --map usa --agents random --games 1000000    how rare are stalemates?
  ttr tickets --map card-game
  ttr tickets --map usa --forced --games 70000             what does it do to keep a ticket?")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Who plays; one agent plays against itself; left out, planner (in the Card Game yard)
    #[arg(long, value_name = "LIST")]
    agents: Vec<String>,
    /// Play every legal opening choice of tickets of every seat, and report what each ticket does
    #[arg(long)]
    forced: bool,
    /// Number of games, such as 10000, 1e6 or 1M, rounded up to whole deals
    #[arg(long, value_name = "N", default_value = "20000", value_parser = args::games, allow_hyphen_values = true)]
    games: NonZeroU64,
    /// The master seed
    #[arg(long, value_name = "N", default_value = "1", value_parser = args::seed, allow_hyphen_values = true)]
    seed: u64,
    /// How many threads; 0 = one for each core
    #[arg(long, value_name = "N", default_value = "0", value_parser = args::threads, allow_hyphen_values = true)]
    threads: NonZeroUsize,
    /// A new directory for the results; left out, a fresh one under runs/
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Resume the run in DIR with its original settings
    #[arg(long, value_name = "DIR", conflicts_with_all = ["GameArgs", "agents", "forced", "games", "seed", "out", "shard",
        "exec_secret"])]
    resume: Option<PathBuf>,
    /// Play only the I-th of N parts
    #[arg(long, value_name = "I/N", value_parser = args::shard, allow_hyphen_values = true)]
    shard: Option<(u64, u64)>,
    #[command(flatten)]
    processes: ProcessArgs,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let show = Show {
        threads: args.threads.get(),
        json: args.json,
        quiet: args.quiet,
        processes: args.processes.options(),
    };
    if let Some(path) = &args.resume {
        return runs::reopen(RunDir::open(path)?, &show, true);
    }
    let spec = args.game.find()?;
    let agents = if args.agents.is_empty() {
        vec![args::best_planner(&spec)]
    } else {
        args::agents(&args.agents, &spec)?
    };
    let seats = args.game.seats.unwrap_or(fewest_seats(&spec));
    match &spec {
        AnySpec::Board(map) => begin(args, BoardGame::new(map, seats)?, agents, &show),
        AnySpec::CardGame(spec) => begin(args, CardGame::new(spec, seats)?, agents, &show),
    }
}

fn begin<G: Playable>(args: &Args, game: G, agents: Vec<AgentSpec>, show: &Show) -> anyhow::Result<()> {
    let entrants = args::entrants(&game, &agents, &show.processes)?;
    let schedule = args::round_robin(agents.len(), game.seats())?;
    if args.forced {
        check_choice(&game).map_err(|error| BadInput(format!("{error}; leave out --forced")))?;
    }
    let deals = args.games.get().div_ceil(Tickets::most_games_per_deal(&game, &schedule, args.forced));
    let mut plan = TicketRun::plan(&game, &map_name(&args.game), agents, &schedule, args.seed, deals);
    if args.forced {
        plan = TicketRun::<G>::forced(plan);
    }
    if let Some((index, count)) = args.shard {
        plan = plan.shard(index, count);
    }
    args.processes.check_shard(&plan)?;
    let plan = plan.with_exec_secret(show.processes.secret);
    let dir = runs::directory(args.out.as_deref(), game.map_id(), plan)?;
    runs::play(&TicketRun::new(game, entrants, dir)?, show)
}
