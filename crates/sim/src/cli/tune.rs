//! `ttr tune`: better weights for an agent.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Context;
use indicatif::ProgressBar;
use ttr_agents::AgentSpec;
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::maps::AnySpec;
use ttr_sim::playable::Playable;
use ttr_sim::report;
use ttr_sim::run_dir::{RunDir, RunPlan, SUMMARY, WrongDirectory};
use ttr_sim::runner::Drive;
use ttr_sim::stats::Decision;
use ttr_sim::text::{Align, Table, thousands};
use ttr_sim::tune::{Generation, TunePlan, Tuned, Tuner};

use super::args::{self, GameArgs, fewest_seats, map_name};
use super::runs::directory;
use super::{print, print_json, terminal};

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
    #[arg(long, value_name = "AGENT", conflicts_with = "resume")]
    agent: Option<String>,
    #[command(flatten)]
    game: GameArgs,
    /// The opponents, as in `ttr arena --agents`; left out, the agent as it is
    #[arg(long, value_name = "LIST")]
    against: Vec<String>,
    /// The parameters to tune, with commas between them (`ttr agents` lists them); left out, all of its numbers
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    params: Vec<String>,
    /// How many games the search may play
    #[arg(long, value_name = "N", default_value = "200000", value_parser = args::games)]
    budget: std::num::NonZeroU64,
    /// Deals that each candidate plays in a generation
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    deals: u64,
    /// Candidates of a generation, 4 to 1000
    #[arg(long, value_name = "N", default_value = "16", value_parser = clap::value_parser!(u64).range(4..=1000))]
    candidates: u64,
    /// The first steps, as a share of each parameter's range, up to 1
    #[arg(long, value_name = "SHARE", default_value = "0.1", value_parser = step)]
    step: f64,
    /// Most games of the test at the end
    #[arg(long, value_name = "N", default_value = "20000", value_parser = args::games)]
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
    /// Go on with the run of this directory; all else is as it was
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "against", "params"])]
    resume: Option<PathBuf>,
    /// Print what came out as JSON
    #[arg(long)]
    json: bool,
    /// No progress bar and no line for each generation
    #[arg(long, short)]
    quiet: bool,
}

const VERB: &str = "tune";
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
        let tune = from_plan(&plan).with_context(|| format!("the plan in {} is damaged", path.display()))?;
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
    };
    let seats = args.game.seats.unwrap_or(fewest_seats(&spec));
    match &spec {
        AnySpec::Board(map) => begin(&BoardGame::new(map, seats)?, tune, args),
        AnySpec::CardGame(spec) => begin(&CardGame::new(spec, seats)?, tune, args),
    }
}

fn begin<G: Playable + Clone>(game: &G, tune: TunePlan, args: &Args) -> anyhow::Result<()> {
    // What is wrong with the agent is told before there is a directory.
    Tuner::new(game, tune.clone())?;
    args::entrants(game, &tune.against, &Default::default())?;
    let mut options = std::collections::BTreeMap::new();
    options.insert("params".into(), tune.params.join(","));
    options.insert("budget".into(), tune.budget.to_string());
    options.insert("deals".into(), tune.deals.to_string());
    options.insert("candidates".into(), tune.candidates.to_string());
    options.insert("step".into(), tune.step.to_string());
    options.insert("confirm".into(), tune.confirm.to_string());
    let agents = std::iter::once(tune.agent.clone()).chain(tune.against.clone()).collect();
    let plan = RunPlan::new(VERB, game, &map_name(&args.game), tune.seed, agents);
    let plan = RunPlan { options, ..plan };
    let dir = directory(args.out.as_deref(), game.map_id(), plan)?;
    tune_game(game, tune, dir, args)
}

fn from_plan(plan: &RunPlan) -> Option<TunePlan> {
    let text = |key: &str| plan.options.get(key).map(String::as_str);
    let (agent, against) = plan.agents.split_first()?;
    Some(TunePlan {
        agent: agent.clone(),
        against: against.to_vec(),
        params: text("params")?.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect(),
        budget: text("budget")?.parse().ok()?,
        deals: text("deals")?.parse().ok()?,
        candidates: text("candidates")?.parse().ok()?,
        step: text("step")?.parse().ok()?,
        seed: plan.seed,
        confirm: text("confirm")?.parse().ok()?,
    })
}

fn tune_game<G: Playable + Clone>(game: &G, tune: TunePlan, dir: RunDir, args: &Args) -> anyhow::Result<()> {
    args::check_map(game, dir.plan())?;
    let budget = tune.budget;
    let mut tuner = Tuner::new(game, tune)?;
    if let Ok(bytes) = std::fs::read(dir.path().join(GENERATIONS)) {
        let curve: Vec<Generation> = serde_json::from_slice(&bytes).map_err(|error| {
            WrongDirectory(format!("{GENERATIONS} is damaged: {error}; delete it to begin anew"))
        })?;
        tuner.recall(curve);
    }
    let stop = args::interruption();
    let bar = args::bar(budget, args.quiet);
    bar.set_message(format!("tune {}", game.map_id()));
    bar.set_position(tuner.games());
    let progress = |games| bar.inc(games);
    let drive = Drive { threads: args.threads.get(), stop, progress: &progress };
    while !tuner.is_done() {
        if !tuner.step(&drive)? {
            bar.finish_and_clear();
            terminal::tell(&format!(
                "stopped after {} of {} games; go on with: ttr tune --resume {}",
                thousands(tuner.games()),
                thousands(budget),
                dir.path().display()
            ));
            return write_best(&dir, &tuner.best());
        }
        dir.write_file(GENERATIONS, &serde_json::to_vec(tuner.curve())?)?;
        tell_generation(&bar, tuner.curve(), args.quiet);
    }
    bar.set_message("testing on fresh deals");
    let tuned = tuner.finish(&drive)?;
    bar.finish_and_clear();
    write_best(&dir, &tuned.after)?;
    dir.write_file("curve.csv", curve_csv(&tuned).as_bytes())?;
    dir.write_file("report.html", report::tune(&tuned, game).as_bytes())?;
    dir.write_file(SUMMARY, &serde_json::to_vec_pretty(&tuned)?)?;
    if args.json {
        print_json(&tuned)?
    } else {
        print(&table(&tuned))?
    }
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

fn tell_generation(bar: &ProgressBar, curve: &[Generation], quiet: bool) {
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
    bar.suspend(|| terminal::tell(&line));
}

fn curve_csv(tuned: &Tuned) -> String {
    let mut text = "generation,games,mean_win_share,best_win_share,mean_margin,spread\n".to_owned();
    for (index, generation) in tuned.curve.iter().enumerate() {
        // Writing to a string can't fail.
        let _ = writeln!(
            text,
            "{},{},{},{},{},{}",
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

fn table(tuned: &Tuned) -> String {
    let mut table =
        Table::new([("parameter", Align::Left), ("before", Align::Right), ("after", Align::Right)]);
    for (name, before, after) in &tuned.params {
        table.row([name.clone(), before.to_string(), after.to_string()]);
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
            "\nagainst itself before, on fresh deals: wins {:.1} ±{:.1} % of {} games; {verdict} (LLR {:.2})",
            100.0 * test.share.value,
            100.0 * test.share.margin(),
            thousands(test.games),
            test.llr
        );
    }
    text
}
