//! `ttr tune`: tunes the weights of an agent.

use ttr_agents::{AgentSpec, Roster};
use ttr_show::text::thousands;
use ttr_sim::game::{AnyGame, Playable};
use ttr_sim::run::{KeptRun, RunDir};
use ttr_sim::table::agent_text;
use ttr_sim::table::runner::Drive;
use ttr_sim::tune::{Generation, TuneOptions, TunePlan, TuneStep, Tuner};
use ttr_sim::with_game;

use crate::args::{self, GameArgs, RunArgs, fewest_seats, map_name};
use crate::interruption::interruption;
use crate::progress::Progress;
use crate::runs::{self, Show};
use crate::terminal;

/// Tunes the weights of an agent by self-play.
///
/// An active CMA-ES search: all candidates of a generation play the same deals, in all rotations, against
/// the same opponents. Generations get more deals as candidates become harder to distinguish. Finally, the
/// average of the means of the last third of the generations plays the original agent on fresh deals until
/// an SPRT decides. The run directory gets tuned.toml, which --agents NAME@tuned.toml loads, curve.csv and
/// report.html.
#[derive(clap::Args)]
#[command(mut_arg("resume", |resume| resume.conflicts_with_all(["GameArgs", "agent", "against", "params", "budget",
    "deals", "candidates", "step", "confirm", "seed"])))]
#[command(after_help = "\
Examples:
  ttr tune --map europe
  ttr tune --agent planner --map usa --seats 4 --against planner,hungry --budget 500000
  ttr tune --agent planner --params ticket_cost,draw_before --map nordic
  ttr arena --agents planner,planner@runs/tune-europe-1/tuned.toml")]
pub(crate) struct Args {
    /// Agent to tune; parameters set here stay fixed [default: planner, or yard in the Card Game]
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
    #[command(flatten)]
    game: GameArgs,
    /// Opponents, as in `ttr arena --agents` [default: the agent itself, untuned]
    #[arg(long, value_name = "LIST")]
    against: Vec<String>,
    /// Parameters to tune, comma-separated (`ttr agents` lists them) [default: all numeric parameters]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    params: Vec<String>,
    /// Maximum number of games of the search, excluding the final test
    #[arg(long, value_name = "N", default_value = "200000", value_parser = args::games, allow_hyphen_values = true)]
    budget: std::num::NonZeroU64,
    /// Deals per candidate in the first generation; later generations get up to 8 times as many
    #[arg(long, value_name = "N", default_value = "100", value_parser = |text: &str| args::whole(text, TuneOptions::DEALS),
        allow_hyphen_values = true)]
    deals: u64,
    /// Candidates per generation, 4 to 1000
    #[arg(long, value_name = "N", default_value = "16", value_parser = |text: &str| args::whole(text, TuneOptions::CANDIDATES),
        allow_hyphen_values = true)]
    candidates: u64,
    /// Initial step size (sigma), as a fraction of each parameter's range, up to 1
    #[arg(long, value_name = "SHARE", default_value = "0.1", value_parser = step, allow_hyphen_values = true)]
    step: f64,
    /// Maximum number of games in the final test
    #[arg(long, value_name = "N", default_value = "20000", value_parser = args::games, allow_hyphen_values = true)]
    confirm: std::num::NonZeroU64,
    /// Master seed
    #[arg(long, value_name = "N", default_value = "1", value_parser = args::seed, allow_hyphen_values = true)]
    seed: u64,
    #[command(flatten)]
    run: RunArgs,
}

fn step(text: &str) -> Result<f64, String> {
    let step = text.parse().ok().filter(|step: &f64| *step > 0.0 && *step <= 1.0);
    step.ok_or_else(|| "expected a number above 0 and up to 1, such as 0.1".to_owned())
}

pub(crate) fn run(args: &Args, roster: &Roster) -> anyhow::Result<()> {
    let show = args.run.show(roster);
    if let Some(path) = &args.run.resume {
        let dir = RunDir::open(path)?;
        runs::check_study(&dir, &["tune"])?;
        let processes = args::planned_processes(dir.plan(), &show.processes)?;
        let game = AnyGame::find(&dir.plan().map, dir.plan().seats)?;
        return with_game!(game, game => {
            tune(KeptRun::open(dir, |plan| Tuner::from_plan(game, plan, roster.clone(), processes))?, &show)
        });
    }
    let spec = args.game.find()?;
    let agent = match &args.agent {
        Some(agent) => agent_text::parse(roster, agent)?,
        None => args::best_planner(&spec),
    };
    let mut agents = vec![agent];
    if !args.against.is_empty() {
        agents.extend(args::agents(roster, &args.against, &spec)?);
    }
    let seats = args.game.seats.unwrap_or(fewest_seats(&spec));
    with_game!(AnyGame::new(&spec, seats)?, game => begin(args, game, agents, &show))
}

fn begin<G: Playable + Clone>(
    args: &Args,
    game: G,
    agents: Vec<AgentSpec>,
    show: &Show,
) -> anyhow::Result<()> {
    let mut options = TuneOptions::default();
    options.params = args.params.clone();
    options.budget = args.budget.get();
    options.deals = args.deals;
    options.candidates = args.candidates as usize;
    options.step = args.step;
    options.confirm = args.confirm.get();
    // Errors are reported before the directory is created.
    let search = TunePlan {
        agent: agents[0].clone(),
        against: agents[1..].to_vec(),
        options,
        seed: args.seed,
        roster: show.roster.clone(),
        processes: show.processes.clone(),
    };
    let plan = Tuner::plan(&game, &map_name(&args.game), &search)?;
    args::entrants(&game, &agents[1..], &show.roster, &show.processes)?;
    let dir = runs::directory(&args.run, game.map_id(), plan, show)?;
    let (roster, processes) = (show.roster.clone(), show.processes.clone());
    tune(KeptRun::open(dir, |plan| Tuner::from_plan(game, plan, roster, processes))?, show)
}

fn tune<G: Playable + Clone>(mut run: KeptRun<Tuner<G>>, show: &Show) -> anyhow::Result<()> {
    if run.is_complete() {
        return runs::print_results(&run, &run.recorded()?, show);
    }
    let game = run.study().game();
    let progress = Progress::new(&format!("tune {}", game.map_id()), run.games_planned(), show.quiet);
    progress.resume(run.games_played()?);
    let add = |games| progress.add(games);
    let drive = Drive::new(show.threads, interruption(), &add);
    while !run.study().is_done() {
        if run.step(&drive)? == TuneStep::Stopped {
            progress.finish();
            let (played, planned) = (thousands(run.games_played()?), thousands(run.games_planned()));
            return Err(runs::stopped(run.dir(), &format!("after {played} of {planned} games")));
        }
        let tuner = run.study();
        tell_generation(&progress, tuner.curve(), tuner.game().seats(), show.quiet);
    }
    progress.finish();
    let progress = Progress::new("test on fresh deals, at most", run.study().most_test_games(), show.quiet);
    let add = |games| progress.add(games);
    let tested = run.step(&Drive::new(drive.threads, drive.stop, &add));
    progress.finish();
    if tested? == TuneStep::Stopped {
        return Err(runs::stopped(run.dir(), "during the final test, which starts over"));
    }
    runs::finish(&run, show)
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
    progress.suspend(|| terminal::print_line(&line));
}
