//! `ttr tune`: better weights for an agent.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use ttr_agents::AgentSpec;
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::maps::AnySpec;
use ttr_sim::exec::ExecOptions;
use ttr_sim::playable::Playable;
use ttr_sim::report;
use ttr_sim::run_dir::{PLAN, RunDir, RunPlan, SUMMARY, WrongDirectory};
use ttr_sim::runner::Drive;
use ttr_sim::stats::Decision;
use ttr_sim::text::{Align, Table, thousands};
use ttr_sim::tune::{Generation, Generations, TunePlan, Tuned, Tuner};

use super::args::{self, GameArgs, ProcessArgs, fewest_seats, map_name};
use super::progress::Progress;
use super::runs::directory;
use super::{BadInput, print, terminal};

/// Improve the weights of an agent by self-play.
///
/// A CMA-ES search: every candidate of a generation plays the same deals, in all rotations, against the same opponents. In the end
/// the centre of the search is tested against the agent as it was, on fresh deals, until a sequential test decides. The run
/// directory gets tuned.toml, which --agents NAME@tuned.toml loads, curve.csv and report.html.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ttr tune --map europe
  ttr tune --agent planner --map usa --seats 4 --against planner,hungry --budget 500000
  ttr tune --agent planner --params ticket_cost,draw_before --map nordic
  ttr arena --agents planner,planner@runs/tune-europe-1/tuned.toml")]
pub(crate) struct Args {
    /// The agent; what is set in it stays; left out, planner (in the Card Game yard)
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
    #[command(flatten)]
    game: GameArgs,
    /// The opponents, as in `ttr arena --agents`; left out, the agent as it is
    #[arg(long, value_name = "LIST")]
    against: Vec<String>,
    /// The parameters to tune, with commas between them (`ttr agents` lists them); left out, all of its numbers
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    params: Vec<String>,
    /// Number of games of the search, rounded up to whole generations
    #[arg(long, value_name = "N", default_value = "200000", value_parser = args::games, allow_hyphen_values = true)]
    budget: std::num::NonZeroU64,
    /// Deals that each candidate plays in a generation
    #[arg(long, value_name = "N", default_value = "100", value_parser = |text: &str| args::whole(text, DEALS),
        allow_hyphen_values = true)]
    deals: u64,
    /// Candidates of a generation, 4 to 1000
    #[arg(long, value_name = "N", default_value = "16", value_parser = |text: &str| args::whole(text, CANDIDATES),
        allow_hyphen_values = true)]
    candidates: u64,
    /// Initial step size (sigma), as a fraction of each parameter's range, up to 1
    #[arg(long, value_name = "SHARE", default_value = "0.1", value_parser = step, allow_hyphen_values = true)]
    step: f64,
    /// Maximum number of games in the final test
    #[arg(long, value_name = "N", default_value = "20000", value_parser = args::games, allow_hyphen_values = true)]
    confirm: std::num::NonZeroU64,
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
    #[arg(long, value_name = "DIR", conflicts_with_all = ["GameArgs", "agent", "against", "params", "budget", "deals",
        "candidates", "step", "confirm", "seed", "out", "exec_secret"])]
    resume: Option<PathBuf>,
    #[command(flatten)]
    processes: ProcessArgs,
    /// Print what came out as JSON
    #[arg(long)]
    json: bool,
    /// No progress and no line per generation
    #[arg(long, short)]
    quiet: bool,
}

const VERB: &str = "tune";
/// Deals of a generation, and its candidates: the limits of the search.
const DEALS: std::ops::RangeInclusive<u64> = 1..=1_000_000;
const CANDIDATES: std::ops::RangeInclusive<u64> = 4..=1000;
/// The generations so far, written after each.
const GENERATIONS: &str = "generations.json";

fn step(text: &str) -> Result<f64, String> {
    let step = text.parse().ok().filter(|step: &f64| *step > 0.0 && *step <= 1.0);
    step.ok_or_else(|| "give a share, such as 0.1".to_owned())
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(path) = &args.resume {
        let dir = RunDir::open(path)?;
        let plan = dir.plan().clone();
        if plan.verb != VERB {
            let message = format!("{} is the directory of a run of ttr {}", path.display(), plan.verb);
            return Err(WrongDirectory(message).into());
        }
        let processes = args::planned_processes(&plan, &args.processes.options())?;
        let tune = from_plan(&plan, processes).map_err(|why| dir.refuse(PLAN, &why))?;
        return match args::find_planned_game(&plan)? {
            AnySpec::Board(map) => tune_game(&BoardGame::new(&map, plan.seats)?, tune, dir, args),
            AnySpec::CardGame(spec) => tune_game(&CardGame::new(&spec, plan.seats)?, tune, dir, args),
        };
    }
    let spec = args.game.find()?;
    let against = if args.against.is_empty() { Vec::new() } else { args::agents(&args.against, &spec)? };
    let agent = match &args.agent {
        Some(agent) => AgentSpec::parse(agent)?,
        None => args::best_planner(&spec),
    };
    let tune = TunePlan {
        agent,
        params: args.params.clone(),
        against,
        budget: args.budget.get(),
        deals: args.deals,
        candidates: args.candidates as usize,
        step: args.step,
        seed: args.seed,
        confirm: args.confirm.get(),
        processes: args.processes.options(),
    };
    let seats = args.game.seats.unwrap_or(fewest_seats(&spec));
    match &spec {
        AnySpec::Board(map) => begin(&BoardGame::new(map, seats)?, tune, args),
        AnySpec::CardGame(spec) => begin(&CardGame::new(spec, seats)?, tune, args),
    }
}

fn begin<G: Playable + Clone>(game: &G, tune: TunePlan, args: &Args) -> anyhow::Result<()> {
    // Errors are reported before there is a directory.
    let least = Tuner::new(game, tune.clone())?.games_per_generation();
    if tune.budget < least {
        return Err(BadInput(format!(
            "--budget {}: a generation takes {} games; give at least that many, or fewer --deals or --candidates",
            tune.budget,
            thousands(least)
        ))
        .into());
    }
    args::entrants(game, &tune.against, &tune.processes)?;
    let mut options = std::collections::BTreeMap::new();
    options.insert("params".into(), tune.params.join(","));
    options.insert("budget".into(), tune.budget.to_string());
    options.insert("deals".into(), tune.deals.to_string());
    options.insert("candidates".into(), tune.candidates.to_string());
    options.insert("step".into(), tune.step.to_string());
    options.insert("confirm".into(), tune.confirm.to_string());
    let agents = std::iter::once(tune.agent.clone()).chain(tune.against.clone()).collect();
    let plan = RunPlan::new(VERB, game, &map_name(&args.game), tune.seed, agents);
    let plan = RunPlan { options, ..plan }.with_exec_secret(tune.processes.secret);
    let dir = directory(args.out.as_deref(), game.map_id(), plan)?;
    tune_game(game, tune, dir, args)
}

/// What a plan asks for, within the limits of the arguments.
fn from_plan(plan: &RunPlan, processes: ExecOptions) -> Result<TunePlan, String> {
    let text = |key: &str| {
        plan.options.get(key).map(String::as_str).ok_or_else(|| format!("the option {key} is missing"))
    };
    let number = |key: &str, range: std::ops::RangeInclusive<u64>| {
        let number = text(key)?.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            format!("the option {key} is not a number from {} to {}", range.start(), range.end())
        })
    };
    let (agent, against) = plan.agents.split_first().ok_or("there is no agent")?;
    Ok(TunePlan {
        agent: agent.clone(),
        against: against.to_vec(),
        params: text("params")?.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect(),
        budget: number("budget", 1..=u64::MAX)?,
        deals: number("deals", DEALS)?,
        candidates: number("candidates", CANDIDATES)? as usize,
        step: step(text("step")?)?,
        seed: plan.seed,
        confirm: number("confirm", 1..=u64::MAX)?,
        processes,
    })
}

fn tune_game<G: Playable + Clone>(game: &G, tune: TunePlan, dir: RunDir, args: &Args) -> anyhow::Result<()> {
    args::check_map(game, dir.plan())?;
    let (budget, confirm) = (tune.budget, tune.confirm);
    let mut tuner = Tuner::new(game, tune)?;
    if dir.is_complete() {
        return tell(&dir.summary()?, &dir, game.seats(), args);
    }
    if let Some(Generations { generations }) = dir.read_json(GENERATIONS)? {
        tuner.recall(generations).map_err(|why| dir.refuse(GENERATIONS, &why))?;
    }
    let stop = args::interruption();
    let progress = Progress::new(&format!("tune {}", game.map_id()), budget, args.quiet);
    progress.resume(tuner.games());
    let add = |games| progress.add(games);
    let drive = Drive { threads: args.threads.get(), stop, progress: &add };
    let stopped = |tuner: &Tuner<'_, G>, what: &str| {
        terminal::tell(&format!("stopped {what}; go on with: ttr tune --resume {}", dir.path().display()));
        write_best(&dir, &tuner.best())
    };
    while !tuner.is_done() {
        if !tuner.step(&drive)? {
            progress.finish();
            let games = thousands(tuner.games());
            return stopped(&tuner, &format!("after {games} of {} games", thousands(budget)));
        }
        dir.write_json(GENERATIONS, &Generations { generations: tuner.curve().to_vec() })?;
        tell_generation(&progress, tuner.curve(), args.quiet);
    }
    progress.finish();
    let progress = Progress::new("test on fresh deals, at most", confirm, args.quiet);
    let add = |games| progress.add(games);
    let tuned = tuner.finish(&Drive { progress: &add, ..drive })?;
    progress.finish();
    let Some(tuned) = tuned else {
        return stopped(&tuner, "during the final test, which starts over");
    };
    write_best(&dir, &tuned.after)?;
    dir.write_file("curve.csv", curve_csv(&tuned).as_bytes())?;
    dir.write_file("report.html", report::tune(&tuned, game).as_bytes())?;
    dir.write_json(SUMMARY, &tuned)?;
    tell(&tuned, &dir, game.seats(), args)
}

fn tell(tuned: &Tuned, dir: &RunDir, seats: usize, args: &Args) -> anyhow::Result<()> {
    print(&if args.json { dir.read_text(SUMMARY)? } else { table(tuned, seats) })?;
    terminal::tell(&format!(
        "\nweights: {}\nreport: {}",
        dir.path().join("tuned.toml").display(),
        dir.path().join("report.html").display()
    ));
    Ok(())
}

fn write_best(dir: &RunDir, agent: &AgentSpec) -> anyhow::Result<()> {
    dir.write_file("tuned.toml", agent.to_toml().as_bytes())
}

fn tell_generation(progress: &Progress, curve: &[Generation], quiet: bool) {
    let Some(generation) = curve.last().filter(|_| !quiet && terminal::is_watched()) else { return };
    let line = format!(
        "generation {:>4}  {:>9} games  wins {:5.1} %  best {:5.1} %  margin {:+6.1}  spread {:.3}",
        curve.len(),
        thousands(generation.games),
        100.0 * generation.mean.value,
        100.0 * generation.best,
        generation.margin,
        generation.spread
    );
    progress.suspend(|| terminal::tell(&line));
}

fn curve_csv(tuned: &Tuned) -> String {
    let mut text = "generation,games,mean_win_share,best_win_share,mean_margin,spread\n".to_owned();
    for (index, generation) in tuned.curve.iter().enumerate() {
        // Writing to a string can't fail.
        let _ = writeln!(
            text,
            "{},{},{:.6},{:.6},{:.6},{:.6}",
            index + 1,
            generation.games,
            generation.mean.value,
            generation.best,
            generation.margin,
            generation.spread
        );
    }
    text
}

fn table(tuned: &Tuned, seats: usize) -> String {
    let mut table =
        Table::new([("parameter", Align::Left), ("before", Align::Right), ("after", Align::Right)]);
    for (name, before, after) in &tuned.params {
        table.row([name.clone(), format!("{before:.4}"), format!("{after:.4}")]);
    }
    let mut text = table.to_string();
    if let Some(test) = &tuned.confirmed {
        let verdict = match test.decision {
            Some(Decision::Stronger) => "it is stronger",
            Some(Decision::NotStronger) => "it is not stronger: keep the old weights",
            None => "undecided",
        };
        let _ = writeln!(
            text,
            "\nagainst itself before, on fresh deals: wins {} % of {} games (par {:.1} %; not corrected for the stop), \
             {} Elo (corrected); {verdict} (LLR {:.2})",
            test.share.times(100.0).plus_minus(1),
            thousands(test.games),
            100.0 / seats as f64,
            test.elo.signed_plus_minus(0),
            test.llr
        );
    }
    text
}
