//! `ttr experiment`: a question, answered by playing.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Subcommand;
use ttr_sim::experiment::Experiment;
use ttr_sim::runner::Drive;
use ttr_sim::text::{Align, Table, thousands};

use super::{args, print, terminal};

/// Run an experiment: agents, maps, seats, games and seeds from a file.
///
/// The directory has an experiment.toml; running it writes results.csv and report.html beside it. Running it again gives the same
/// bytes. An interrupted experiment goes on where it was.
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
    /// Play it and write the results
    #[command(after_help = "\
Examples:
  ttr experiment run experiments/0010-planner
  ttr experiment run experiments/0014-search-iterations --only 250,500")]
    Run {
        /// The directory of an experiment.toml, or the file
        path: PathBuf,
        /// Play these runs only, with commas between their names; the others keep the figures that results.csv has of them,
        /// and have no section of their own in report.html
        #[arg(long, value_name = "RUNS", value_delimiter = ',')]
        only: Vec<String>,
        /// How many threads; 0 = one for each core
        #[arg(long, value_name = "N", default_value = "0", value_parser = args::threads, allow_hyphen_values = true)]
        threads: NonZeroUsize,
        /// No progress bar
        #[arg(long, short)]
        quiet: bool,
    },
    /// Only say what would be played
    #[command(after_help = "\
Example:
  ttr experiment check experiments/0010-planner")]
    Check {
        /// The directory of an experiment.toml, or the file
        path: PathBuf,
    },
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.what {
        What::Check { path } => {
            let experiment = Experiment::open(path)?;
            let mut table = Table::new([("run", Align::Left), ("map", Align::Left), ("games", Align::Right)]);
            for run in &experiment.spec().runs {
                let (games, _) = run.schedule(experiment.folder())?;
                table.row([run.name.clone(), run.map.clone(), thousands(games)]);
            }
            Ok(print(&format!("{}\n{}\n\n{table}", experiment.spec().title, experiment.spec().question))?)
        }
        What::Run { path, only, threads, quiet } => {
            let experiment = Experiment::open(path)?.only(only.clone())?;
            let bar = args::bar(experiment.games()?, *quiet);
            let progress = |games| bar.inc(games);
            let drive = Drive { threads: threads.get(), stop: args::interruption(), progress: &progress };
            let answer = experiment.run(&drive, |run| bar.set_message(run.name.clone()))?;
            bar.finish_and_clear();
            let Some(answer) = answer else {
                let only =
                    if only.is_empty() { String::new() } else { format!(" --only {}", only.join(",")) };
                terminal::tell(&format!(
                    "stopped; the same command goes on: ttr experiment run {}{only}",
                    path.display()
                ));
                return Ok(());
            };
            let mut table = Table::new([
                ("run", Align::Left),
                ("of", Align::Left),
                ("figure", Align::Left),
                ("measured", Align::Right),
                ("published", Align::Right),
                ("agrees", Align::Left),
            ]);
            let compared = answer.figures.iter().any(|row| row.published.is_some());
            let told = |row: &&ttr_sim::experiment::Comparison| {
                if compared {
                    row.published.is_some()
                } else {
                    row.figure == "win_share" || row.figure == "points"
                }
            };
            for row in answer.figures.iter().filter(told) {
                let published =
                    row.published.as_ref().map_or(String::new(), |figure| format!("{:.3}", figure.value));
                let agrees = row.agrees().map_or("", |agrees| if agrees { "yes" } else { "no" });
                table.row([
                    row.run.clone(),
                    row.subject.clone(),
                    row.figure.clone(),
                    format!("{:.3} ±{:.3}", row.measured.value, row.measured.margin()),
                    published,
                    agrees.to_owned(),
                ]);
            }
            print(&format!("{}\n\n{table}", experiment.spec().title))?;
            terminal::tell(&format!("\nreport: {}", experiment.folder().join("report.html").display()));
            Ok(())
        }
    }
}
