//! `ttr experiment`: runs an experiment and compares its figures with published ones.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Subcommand;
use ttr_agents::Roster;
use ttr_show::text::{Align, Table, thousands};
use ttr_sim::experiment::{
    Agreement, Answer, Comparison, Experiment, Measured, RunCommand, RunSpec, decimals,
};
use ttr_sim::table::runner::Drive;

use crate::interruption::interruption;
use crate::progress::Progress;
use crate::{Interrupted, args, print, report, runs, terminal};

/// Runs or validates an experiment: agents, maps, seats, games and seeds from a file.
///
/// The directory contains experiment.toml; a run writes results.csv and report.html next to it. Running it
/// again gives the same bytes. An interrupted experiment resumes where it stopped. Everything is validated
/// before the first game is played.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ttr experiment run experiments/0002-de-mesentier-silva-2017
  ttr experiment run experiments/0012-search-boards --only nordic
  ttr experiment check my-experiment/experiment.toml")]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Plays the experiment and writes its results
    #[command(after_help = "\
Examples:
  ttr experiment run experiments/0010-planner
  ttr experiment run experiments/0014-search-iterations --only 250,500")]
    Run {
        /// Directory that contains experiment.toml, or the file itself
        path: PathBuf,
        /// Play only these runs (comma-separated names); the others keep their figures in results.csv but
        /// get no section in report.html
        #[arg(long, value_name = "RUNS", value_delimiter = ',')]
        only: Vec<String>,
        /// Number of threads; 0 uses all cores
        #[arg(long, value_name = "N", default_value = "0", value_parser = args::threads, allow_hyphen_values = true)]
        threads: NonZeroUsize,
        /// Do not show progress
        #[arg(long, short)]
        quiet: bool,
    },
    /// Validates an experiment and lists its runs without playing
    ///
    /// All problems are reported at once, each with its line: unknown keys, maps and agents, and published
    /// figures that no run measures.
    #[command(after_help = "\
Example:
  ttr experiment check experiments/0010-planner")]
    Check {
        /// Directory that contains experiment.toml, or the file itself
        path: PathBuf,
    },
}

pub(crate) fn run(args: &Args, roster: &Roster) -> anyhow::Result<()> {
    match &args.what {
        What::Check { path } => check(&Experiment::open(path, roster)?),
        What::Run { path, only, threads, quiet } => {
            let experiment = Experiment::open(path, roster)?.only(only.clone())?;
            match play(&experiment, threads.get(), *quiet)? {
                Some(answer) => show(&experiment, &answer),
                None => {
                    let only =
                        if only.is_empty() { String::new() } else { format!(" --only {}", only.join(",")) };
                    Err(Interrupted(format!(
                        "stopped; resume with the same command: ttr experiment run {}{only}",
                        path.display()
                    ))
                    .into())
                }
            }
        }
    }
}

fn check(experiment: &Experiment) -> anyhow::Result<()> {
    let mut table = Table::new([("run", Align::Left), ("map", Align::Left), ("games", Align::Right)]);
    for run in &experiment.spec().runs {
        let games = experiment.games_of(run)?;
        table.row([run.name.clone(), run.map.clone(), thousands(games)]);
    }
    Ok(print(&format!("{}\n{}\n\n{table}", experiment.spec().title, experiment.spec().question))?)
}

/// Plays it; none if it was stopped.
fn play(experiment: &Experiment, threads: usize, quiet: bool) -> anyhow::Result<Option<Answer>> {
    let progress = Progress::new("experiment", experiment.games()?, quiet);
    let add = |games| progress.add(games);
    let drive = Drive::new(threads, interruption(), &add);
    let begin = |run: &RunSpec, resumed| {
        progress.set_title(&run.name);
        progress.resume(resumed);
    };
    let answer = experiment.run(&drive, begin, &report::experiment);
    progress.finish();
    Ok(answer?)
}

fn show(experiment: &Experiment, answer: &Answer) -> anyhow::Result<()> {
    print(&format!("{}\n\n{}", experiment.spec().title, figures(experiment, answer)))?;
    terminal::print_line(&format!("\nreport: {}", experiment.folder().join("report.html").display()));
    let silent = answer.runs.iter().flat_map(|(run, measured)| {
        let agents = match measured {
            Measured::Arena(summary) => summary.silent(),
            Measured::Rate(rating) => rating.silent(),
            _ => Vec::new(),
        };
        agents.into_iter().map(move |agent| format!("run {run}: {agent}"))
    });
    runs::check_finished(silent.collect())
}

/// The figures that are compared with published ones; if there are none, the main figures.
fn figures(experiment: &Experiment, answer: &Answer) -> Table {
    let compared = answer.figures.iter().any(|row| row.published.is_some());
    let is_shown = |row: &&Comparison| {
        if compared {
            return row.published.is_some();
        }
        let rated = |run: &RunSpec| run.name == row.run && run.command == RunCommand::Rate;
        match experiment.spec().runs.iter().any(rated) {
            true => row.figure == "elo",
            false => row.figure == "win_share" || row.figure == "points",
        }
    };
    let rows: Vec<&Comparison> = answer.figures.iter().filter(is_shown).collect();
    let mut table = Table::new([
        ("run", Align::Left),
        ("of", Align::Left),
        ("figure", Align::Left),
        ("measured", Align::Right),
        ("compared with", Align::Left),
        ("value", Align::Right),
        ("z", Align::Right),
        ("agrees", Align::Left),
    ]);
    for row in &rows {
        let decimals = decimals(&row.figure, &rows, 1.0);
        let kind = row.published.as_ref().map_or("", |published| published.kind.word());
        let published = row.published_figure().map(|figure| figure.plus_minus(decimals));
        table.row([
            row.run.clone(),
            row.subject.clone(),
            row.figure.clone(),
            row.measured.plus_minus(decimals),
            kind.to_owned(),
            published.unwrap_or_default(),
            row.z().map(|z| format!("{z:+.1}")).unwrap_or_default(),
            row.agreement().map_or("", Agreement::word).to_owned(),
        ]);
    }
    table
}
