//! `ttr rate`: the rating of an agent on a ladder of fixed opponents.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use ttr_agents::AgentSpec;
use ttr_sim::rate::{Ladder, RateEntry, RateRun, calibrate};
use ttr_sim::run::dir::RunDir;
use ttr_sim::table::runner::Drive;

use crate::args::{self, ProcessArgs};
use crate::progress::Progress;
use crate::runs::{self, Show};
use crate::{BadInput, print, terminal};

/// Rate an agent on a ladder of fixed opponents.
///
/// `ladder v1` is a benchmark: seven tables (First Journey USA, USA and Europe with 2 and 4 seats, Nordic
/// with 3, the Card Game with 2), each with fixed opponents of known rating, fixed deals and a fixed number
/// of games. Ratings of different agents, machines and authors on the same ladder are comparable. A rating
/// is Elo by wins: 0 is one-step, on the boards, and in the Card Game a yard that does not see robberies
/// coming. Overall is the mean over the tables.
///
/// The run directory gets summary.json, ratings.csv and report.html, and an ordinary arena run per table in
/// tables/. Results depend on version, agent and ladder only.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ttr rate planner --card-game yard           one entry for boards and the Card Game
  ttr rate ismcts:iters=200                   an agent that plays every game
  ttr rate 'exec:python3 mybot.py'            a bot of your own
  ttr rate greedy --only usa-2,usa-4          some tables, without an overall rating
  ttr rate planner --times 10                 ten times the deals, for narrower intervals
  ttr rate --resume runs/rate-ladder-v1-1     resume after an interruption")]
pub(crate) struct Args {
    /// The agent: NAME, NAME:key=value,... NAME@file.toml or exec:COMMAND
    #[arg(value_name = "AGENT", required_unless_present_any = ["resume", "calibrate"])]
    agent: Option<String>,
    /// The agent that plays the Card Game instead
    #[arg(long, value_name = "AGENT")]
    card_game: Option<String>,
    /// Play these tables only, with commas between their names
    #[arg(long, value_name = "TABLES", value_delimiter = ',')]
    only: Vec<String>,
    /// Play N times the deals of the ladder, from 1 to 1000
    #[arg(long, value_name = "N", default_value = "1", value_parser = |text: &str| args::whole(text, 1..=1000),
        allow_hyphen_values = true)]
    times: u64,
    /// Number of threads; 0 = one per core
    #[arg(long, value_name = "N", default_value = "0", value_parser = args::threads, allow_hyphen_values = true)]
    threads: NonZeroUsize,
    /// Output directory [default: runs/rate-ladder-v1-N]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Resume the run in DIR with its original settings
    #[arg(long, value_name = "DIR",
        conflicts_with_all = ["agent", "card_game", "only", "times", "out", "calibrate", "exec_secret"])]
    resume: Option<PathBuf>,
    /// Measure the ratings of the ladder's own anchors, as its file has them; the same --out resumes
    #[arg(long, hide_short_help = true, requires = "out", conflicts_with_all = ["agent", "card_game", "times", "json"])]
    calibrate: bool,
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
    let ladder = Ladder::v1();
    if args.calibrate {
        return measure_anchors(args, &ladder);
    }
    let processes = args.processes.options();
    let (dir, processes) = match (&args.resume, &args.agent) {
        (Some(path), _) => {
            let dir = RunDir::open(path)?;
            let processes = args::planned_processes(dir.plan(), &processes)?;
            (dir, processes)
        }
        (None, agent) => {
            let entry = RateEntry {
                agent: AgentSpec::parse(agent.as_deref().unwrap_or_default())?,
                card_game: args.card_game.as_deref().map(AgentSpec::parse).transpose()?,
                only: args.only.clone(),
                times: args.times,
            };
            entry.check(&ladder).map_err(BadInput)?;
            entry.try_out(&ladder, &processes)?;
            let plan = entry.plan(&ladder).with_exec_secret(processes.secret);
            (runs::directory(args.out.as_deref(), &ladder.id(), plan)?, processes)
        }
    };
    let show = Show { threads: args.threads.get(), json: args.json, quiet: args.quiet, processes };
    let run = RateRun::new(ladder, dir, show.processes.clone())?;
    runs::reopen_run(&run, &show, true)
}

/// Plays the anchors against each other, and prints what belongs into the file of the ladder.
fn measure_anchors(args: &Args, ladder: &Ladder) -> anyhow::Result<()> {
    let Some(out) = &args.out else { return Err(BadInput("give --out".into()).into()) };
    let mut text = String::new();
    for table in ladder.tables(&args.only) {
        let progress = Progress::new(&table.name, table.calibration_games(), args.quiet);
        let add = |games| progress.add(games);
        let drive = Drive { threads: args.threads.get(), stop: args::interruption(), progress: &add };
        let measured = calibrate(ladder, table, &out.join(&table.name), &drive);
        progress.finish();
        let Some(measured) = measured? else {
            terminal::tell("stopped; the same command resumes");
            return Ok(());
        };
        let rating =
            |(name, figure): &(String, ttr_sim::stats::Figure)| format!("{name} = {:.1}", figure.value);
        let ratings: Vec<_> = measured.ratings.iter().map(rating).collect();
        let shown: Vec<_> = measured
            .ratings
            .iter()
            .map(|(name, figure)| format!("{name} {}", figure.signed_plus_minus(1)))
            .collect();
        let _ = writeln!(
            text,
            "# {}: {} games; {}\nanchor_games = \"{:016x}\"\nratings = {{ {} }}\n",
            table.name,
            ttr_show::text::thousands(measured.games),
            shown.join(", "),
            measured.anchor_games,
            ratings.join(", ")
        );
    }
    Ok(print(&text)?)
}
