//! `ttr bench`: measures the speed of random games and prints a checksum of them.

use std::num::{NonZeroU64, NonZeroUsize};

use serde::Serialize;
use ttr_engine::Notation;
use ttr_engine::maps::{self, AnySpec};
use ttr_show::text::{count, thousands};
use ttr_sim::bench::{BenchPlan, Measurement, combined_checksum, measure};
use ttr_sim::game::AnyGame;
use ttr_sim::with_game;

use crate::args::{self, Module, fewest_seats, find_game, seat_range};
use crate::progress::Progress;
use crate::{print, print_json};

/// Measures the speed of random games.
///
/// Plays fixed seeds with uniformly random legal actions to the exact final score. Prints games per second,
/// decisions ("plies") per game, processor time per ply (including dealing and scoring; wall time where the
/// system does not report processor time) and a checksum of the points, ranks and plies of all games. The
/// speed depends on the machine. The checksum depends only on map, seats, seed and number of games, never on
/// the number of threads: if it changes, the games play out differently.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ttr bench                                 usa with 2 seats on one core
  ttr bench --map nordic --seats 3
  ttr bench --map europe --with depots      with warehouses and depots
  ttr bench --map card-game --seats 4       the Card Game
  ttr bench --map my-map.toml --threads 0   on all cores
  ttr bench --all --games 10000             all maps with all numbers of seats
  ttr bench --json --quiet                  as JSON")]
pub(crate) struct Args {
    /// Id of a shipped map, or path of a map file
    #[arg(long, value_name = "MAP", default_value = "usa")]
    map: String,
    /// Optional rules to add
    #[arg(long, value_name = "MODULE")]
    with: Vec<Module>,
    /// Number of seats [default: the map's minimum]
    #[arg(long, value_name = "N", value_parser = args::seats, allow_hyphen_values = true)]
    seats: Option<usize>,
    /// Number of games, such as 10000, 1e6 or 1M
    #[arg(long, value_name = "N", default_value = "100000", value_parser = args::games, allow_hyphen_values = true)]
    games: NonZeroU64,
    /// Master seed: game i is a function of the seed and i
    #[arg(long, value_name = "N", default_value = "1", value_parser = args::seed, allow_hyphen_values = true)]
    seed: u64,
    /// Number of threads; 0 uses all cores
    #[arg(long, value_name = "N", default_value = "1", value_parser = args::threads, allow_hyphen_values = true)]
    threads: NonZeroUsize,
    /// Measure every shipped map with every number of seats, as a table
    #[arg(long, conflicts_with_all = ["map", "seats", "with"])]
    all: bool,
    /// Print JSON; with --all, an array
    #[arg(long)]
    json: bool,
    /// Do not show progress
    #[arg(long, short)]
    quiet: bool,
}

/// The figures of a run, as JSON.
#[derive(Serialize)]
struct Figures {
    map: String,
    map_hash: String,
    seats: usize,
    games: u64,
    seed: u64,
    threads: usize,
    cores: usize,
    seconds: f64,
    games_per_second: f64,
    games_per_second_per_core: f64,
    plies: u64,
    plies_per_game: f64,
    nanoseconds_per_ply: f64,
    /// Hexadecimal, because not every JSON reader keeps 64 bits.
    checksum: String,
    #[serde(skip)]
    sum: u64,
}

impl Figures {
    fn new(game: &impl Notation, plan: &BenchPlan, measured: &Measurement) -> Self {
        Self {
            map: game.map_id().to_owned(),
            map_hash: format!("{:016x}", game.rules_hash()),
            seats: game.seats(),
            games: measured.tally.games,
            seed: plan.seed,
            threads: plan.threads.get(),
            cores: measured.cores,
            seconds: measured.time.as_secs_f64(),
            games_per_second: measured.games_per_second(),
            games_per_second_per_core: measured.games_per_second_per_core(),
            plies: measured.tally.plies,
            plies_per_game: measured.plies_per_game(),
            nanoseconds_per_ply: measured.nanoseconds_per_ply(),
            checksum: format!("{:016x}", measured.tally.checksum),
            sum: measured.tally.checksum,
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let plan = BenchPlan { games: args.games, seed: args.seed, threads: args.threads };
    if args.all {
        return run_all(args, &plan);
    }
    let progress = Progress::new("bench", plan.games.get(), args.quiet);
    let spec = find_game(&args.map, &args.with)?;
    let figures = measure_spec(&spec, args.seats.unwrap_or(fewest_seats(&spec)), &plan, &progress)?;
    progress.finish();
    if args.json { print_json(&figures) } else { Ok(print(&report(&figures))?) }
}

/// Prints one line per run, as soon as the run is measured.
fn run_all(args: &Args, plan: &BenchPlan) -> anyhow::Result<()> {
    let specs = maps::all_ids().map(maps::find_any).collect::<Result<Vec<_>, _>>()?;
    let seats = |spec| seat_range(spec).min..=seat_range(spec).max;
    let runs: Vec<(&AnySpec, usize)> =
        specs.iter().flat_map(|spec| seats(spec).map(move |seats| (spec, seats.into()))).collect();
    let games = plan.games.get().saturating_mul(runs.len() as u64);
    let progress = Progress::new("bench", games, args.quiet);
    let say = |line: String| progress.suspend(|| print(&line));
    if !args.json {
        say(row(["map", "seats", "games/s", "per core", "plies", "ns/ply", "checksum"]))?;
    }
    let mut all = Vec::new();
    for (spec, seats) in runs {
        let figures = measure_spec(spec, seats, plan, &progress)?;
        if !args.json {
            say(row([
                &figures.map,
                &figures.seats.to_string(),
                &thousands(figures.games_per_second.round() as u64),
                &thousands(figures.games_per_second_per_core.round() as u64),
                &format!("{:.1}", figures.plies_per_game),
                &format!("{:.1}", figures.nanoseconds_per_ply),
                &figures.checksum,
            ]))?;
        }
        all.push(figures);
    }
    progress.finish();
    if args.json {
        return print_json(&all);
    }
    let names: Vec<_> = all.iter().map(|run| format!("{} {}", run.map, run.seats)).collect();
    let sums = names.iter().zip(&all).map(|(name, run)| (name.as_str(), run.sum));
    let checksum = combined_checksum(sums);
    Ok(print(&row(["all", "", "", "", "", "", &format!("{checksum:016x}")]))?)
}

fn measure_spec(
    spec: &AnySpec,
    seats: usize,
    plan: &BenchPlan,
    progress: &Progress,
) -> anyhow::Result<Figures> {
    with_game!(AnyGame::new(spec, seats)?, game => measure_game(&game, plan, progress))
}

fn measure_game(game: &impl Notation, plan: &BenchPlan, progress: &Progress) -> anyhow::Result<Figures> {
    progress.set_title(&format!("bench {}, {}", game.map_id(), count(game.seats(), "seat", "seats")));
    let measured = measure(game, plan, |games| progress.add(games))?;
    Ok(Figures::new(game, plan, &measured))
}

fn row(cells: [&str; 7]) -> String {
    let [map, seats, games, per_core, plies, time, checksum] = cells;
    format!("{map:<20} {seats:>5} {games:>9} {per_core:>9} {plies:>6} {time:>6}  {checksum:>16}\n")
}

fn report(figures: &Figures) -> String {
    format!(
        "\
{}, {}: {} random games, seed {}, {}, {:.2} s
games/s           {:>10}
games/s per core  {:>10}
plies per game    {:>10.1}
ns per ply        {:>10.1}
checksum          {}
",
        figures.map,
        count(figures.seats, "seat", "seats"),
        thousands(figures.games),
        figures.seed,
        count(figures.threads, "thread", "threads"),
        figures.seconds,
        thousands(figures.games_per_second.round() as u64),
        thousands(figures.games_per_second_per_core.round() as u64),
        figures.plies_per_game,
        figures.nanoseconds_per_ply,
        figures.checksum,
    )
}
