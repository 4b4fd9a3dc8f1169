//! `ttr rate`: rates an agent on a ladder of fixed opponents.

use std::fmt::Write;

use ttr_agents::Roster;
use ttr_sim::rate::{Ladder, Rate, RateEntry, calibrate};
use ttr_sim::run::{KeptRun, RunDir, RunPlan};
use ttr_sim::table::agent_text;
use ttr_sim::table::runner::Drive;

use crate::args::{self, RunArgs};
use crate::interruption::interruption;
use crate::progress::Progress;
use crate::{BadInput, Interrupted, print, runs};

/// Rates an agent on a ladder of fixed opponents.
///
/// `ladder v1` is a benchmark: seven tables (First Journey USA, USA and Europe with 2 and 4 seats, Nordic
/// with 3, the Card Game with 2), each with fixed opponents of known rating, fixed deals and a fixed number
/// of games. Ratings of different agents, machines and authors on the same ladder are comparable. A rating
/// is Elo by wins: 0 is one-step on the boards, and in the Card Game a yard that does not foresee robberies.
/// Overall is the mean over the tables.
///
/// The run directory gets summary.json, ratings.csv and report.html, and an ordinary arena run per table in
/// tables/. Results depend only on version, agent and ladder.
#[derive(clap::Args)]
#[command(mut_arg("resume", |resume| resume.conflicts_with_all(["agent", "card_game", "only", "times", "calibrate"])))]
#[command(after_help = "\
Examples:
  ttr rate planner --card-game yard           one entry for boards and the Card Game
  ttr rate ismcts:iters=200                   an agent that plays every game
  ttr rate 'exec:python3 mybot.py'            your own bot
  ttr rate greedy --only usa-2,usa-4          some tables, without an overall rating
  ttr rate planner --times 10                 ten times the deals, for narrower intervals
  ttr rate --resume runs/rate-ladder-v1-1     resume after an interruption")]
pub(crate) struct Args {
    /// Agent to rate: NAME, NAME:key=value,... NAME@file.toml or exec:COMMAND
    #[arg(value_name = "AGENT", required_unless_present_any = ["resume", "calibrate"])]
    agent: Option<String>,
    /// Agent that plays the Card Game instead
    #[arg(long, value_name = "AGENT")]
    card_game: Option<String>,
    /// Play only these tables (comma-separated names)
    #[arg(long, value_name = "TABLES", value_delimiter = ',')]
    only: Vec<String>,
    /// Play N times the deals of the ladder, from 1 to 1000
    #[arg(long, value_name = "N", default_value = "1", value_parser = |text: &str| args::whole(text, 1..=1000),
        allow_hyphen_values = true)]
    times: u64,
    /// Measure the ratings of the ladder's own anchors, in the format of its file; the same --out resumes
    #[arg(long, hide_short_help = true, requires = "out", conflicts_with_all = ["agent", "card_game", "times", "json"])]
    calibrate: bool,
    #[command(flatten)]
    run: RunArgs,
}

pub(crate) fn run(args: &Args, roster: &Roster) -> anyhow::Result<()> {
    let ladder = Ladder::v1();
    if args.calibrate {
        return measure_anchors(args, &ladder, roster);
    }
    let show = args.run.show(roster);
    let dir = match &args.run.resume {
        Some(path) => RunDir::open(path)?,
        None => {
            let parse = |text: &str| agent_text::parse(roster, text);
            let entry = RateEntry {
                agent: parse(args.agent.as_deref().unwrap_or_default())?,
                card_game: args.card_game.as_deref().map(parse).transpose()?,
                only: args.only.clone(),
                times: args.times,
            };
            entry.check(&ladder, roster)?;
            entry.try_out(&ladder, roster, &show.processes)?;
            runs::directory(&args.run, &ladder.id(), entry.plan(&ladder), &show)?
        }
    };
    runs::check_study(&dir, &["rate"])?;
    let processes = args::planned_processes(dir.plan(), &show.processes)?;
    let rate = |plan: &RunPlan| Rate::from_plan(ladder, plan, roster.clone(), processes);
    runs::resume(KeptRun::open(dir, rate)?, &show, true)
}

/// Plays the anchors against each other and prints the lines for the ladder's file.
fn measure_anchors(args: &Args, ladder: &Ladder, roster: &Roster) -> anyhow::Result<()> {
    let (Some(out), show) = (&args.run.out, args.run.show(roster)) else {
        return Err(BadInput("give --out".into()).into());
    };
    let mut text = String::new();
    for table in ladder.tables(&args.only) {
        let progress = Progress::new(&table.name, table.calibration_games(), show.quiet);
        let add = |games| progress.add(games);
        let drive = Drive::new(show.threads, interruption(), &add);
        let measured = calibrate(ladder, table, &out.join(&table.name), &drive);
        progress.finish();
        let Some(measured) = measured? else {
            return Err(Interrupted("stopped; run the same command again to resume".into()).into());
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
