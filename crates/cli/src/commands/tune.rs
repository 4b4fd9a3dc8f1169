//! `ttr tune`: better weights for an agent.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use crate::report;
use ttr_agents::AgentSpec;
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::maps::AnySpec;
use ttr_show::text::{Align, Table, thousands};
use ttr_sim::exec::ExecOptions;
use ttr_sim::game::Playable;
use ttr_sim::run::dir::{PLAN, RunDir, RunPlan, SUMMARY, WrongDirectory};
use ttr_sim::table::runner::Drive;
use ttr_sim::tune::{Generation, Generations, TunePlan, Tuned, Tuner};

use crate::args::{self, GameArgs, ProcessArgs, fewest_seats, map_name};
use crate::progress::Progress;
use crate::runs::directory;
use crate::{BadInput, print, terminal};

/// Improve the weights of an agent by self-play.
///
/// An active CMA-ES search: every candidate of a generation plays the same deals, in all rotations, against the same opponents.
/// Generations get more deals as candidates become harder to tell apart. Finally the average of the means of the last third of
/// the generations plays the original agent on fresh deals until an SPRT decides. The run directory gets tuned.toml, which
/// --agents NAME@tuned.toml loads, curve.csv and report.html.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ttr tune --map europe
  ttr tune --agent planner --map usa --seats 4 --against planner,hungry --budget 500000
  ttr tune --agent planner --params ticket_cost,draw_before --map nordic
  ttr arena --agents planner,planner@runs/tune-europe-1/tuned.toml")]
pub(crate) struct Args {
    /// The agent to tune; parameters that it sets are kept [default: planner, in the Card Game yard]
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
    #[command(flatten)]
    game: GameArgs,
    /// The opponents, as in `ttr arena --agents` [default: the agent as it is]
    #[arg(long, value_name = "LIST")]
    against: Vec<String>,
    /// The parameters to tune, comma-separated (`ttr agents` lists them) [default: all of its numbers]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    params: Vec<String>,
    /// Maximum number of games of the search, without the final test
    #[arg(long, value_name = "N", default_value = "200000", value_parser = args::games, allow_hyphen_values = true)]
    budget: std::num::NonZeroU64,
    /// Deals that each candidate plays in the first generation; later ones have up to 8 times as many
    #[arg(long, value_name = "N", default_value = "100", value_parser = |text: &str| args::whole(text, DEALS),
        allow_hyphen_values = true)]
    deals: u64,
    /// Candidates per generation, 4 to 1000
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
            "--budget {}: a generation takes {} games ({} candidates, {} deals); give at least that many, or fewer --deals \
             or --candidates",
            tune.budget,
            thousands(least),
            tune.candidates,
            thousands(tune.deals),
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
        return tell(&dir.summary()?, &dir, args);
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
        tell_generation(&progress, tuner.curve(), game.seats(), args.quiet);
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
    let report = report::tune(&tuned, game, dir.plan(), &command(dir.plan()));
    dir.write_file("report.html", report.as_bytes())?;
    dir.write_json(SUMMARY, &tuned)?;
    tell(&tuned, &dir, args)
}

/// A word for a POSIX shell.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_+=:,./@".contains(letter);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// The command that repeats a run.
fn command(plan: &RunPlan) -> String {
    let mut words = vec!["ttr".to_owned(), VERB.to_owned()];
    let mut option = |name: &str, value: &str| {
        if !value.is_empty() {
            words.extend([format!("--{name}"), quoted(value)]);
        }
    };
    option("map", &plan.map);
    option("seats", &plan.seats.to_string());
    if let [agent, against @ ..] = &plan.agents[..] {
        option("agent", &agent.to_string());
        option("against", &against.iter().map(ToString::to_string).collect::<Vec<_>>().join(","));
    }
    for name in ["params", "budget", "deals", "candidates", "step", "confirm"] {
        option(name, plan.options.get(name).map_or("", String::as_str));
    }
    option("seed", &plan.seed.to_string());
    words.join(" ")
}

fn tell(tuned: &Tuned, dir: &RunDir, args: &Args) -> anyhow::Result<()> {
    print(&if args.json { dir.read_text(SUMMARY)? } else { table(tuned) })?;
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

fn tell_generation(progress: &Progress, curve: &[Generation], seats: usize, quiet: bool) {
    let Some(generation) = curve.last().filter(|_| !quiet && terminal::is_watched()) else { return };
    let line = format!(
        "generation {:>4}  {:>9} games  wins {:5.1} %  best {:5.1} %  par {:4.1} %  margin {:+6.1}  deals {:>4}  step {:.3}",
        curve.len(),
        thousands(generation.games),
        100.0 * generation.share.value,
        100.0 * generation.best,
        100.0 / seats as f64,
        generation.margin.value,
        generation.deals,
        generation.step
    );
    progress.suspend(|| terminal::tell(&line));
}

fn curve_csv(tuned: &Tuned) -> String {
    let mut text =
        "generation,games,deals,par,win_share,win_share_low,win_share_high,best_win_share,margin,margin_low,\
                    margin_high,margin_weight,step,agreement\n"
            .to_owned();
    for (index, generation) in tuned.curve.iter().enumerate() {
        let Generation { games, deals, share, best, margin, margin_weight, step, agreement, .. } = generation;
        let _ = write!(text, "{},{games},{deals}", index + 1); // writing to a string can't fail
        let share = [tuned.par, share.value, share.low, share.high, *best];
        let search = [margin.value, margin.low, margin.high, *margin_weight, *step, *agreement];
        for figure in share.into_iter().chain(search) {
            let _ = if figure.is_finite() { write!(text, ",{figure:.6}") } else { write!(text, ",") };
        }
        text.push('\n');
    }
    text
}

fn table(tuned: &Tuned) -> String {
    let mut table = Table::new([
        ("parameter", Align::Left),
        ("before", Align::Right),
        ("after", Align::Right),
        ("moved", Align::Right),
    ]);
    for param in &tuned.params {
        table.row([
            param.name.clone(),
            format!("{:.4}", param.before),
            format!("{:.4}", param.after),
            format!("{:.0} %", 100.0 * param.moved()),
        ]);
    }
    let mut text = table.to_string();
    if let Some(test) = &tuned.confirmed {
        let _ = writeln!(
            text,
            "\nnew against old weights on fresh deals, {} games: wins {} % per seat (par {:.1} %{}), {} Elo (corrected for the \
             stop); LLR {:.2}, bounds {:.2} and {:.2}\n{}",
            thousands(test.games),
            test.share.times(100.0).plus_minus(1),
            100.0 * tuned.par,
            if test.decision.is_some() { "; exaggerated by the early stop" } else { "" },
            test.elo.signed_plus_minus(0),
            test.llr,
            test.lower_bound,
            test.upper_bound,
            test.verdict(),
        );
    }
    text
}
