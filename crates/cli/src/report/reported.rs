//! The runs that have a report, and finishing them with it.

use ttr_agents::Roster;
use ttr_sim::arena::Arena;
use ttr_sim::game::Playable;
use ttr_sim::rate::Rate;
use ttr_sim::run::dir::SUMMARY;
use ttr_sim::run::kept::REPORT;
use ttr_sim::run::{Kept, KeptRun, RunError, provenance};
use ttr_sim::tickets::Tickets;
use ttr_sim::tune::{Tuner, WEIGHTS};

use super::Provenance;

/// A run with a report.
pub trait Reported: Kept + Sized {
    /// Files of a complete run that users look at: descriptions and names.
    const FILES: &[(&str, &str)] = &[("report", REPORT)];

    /// The HTML page of a summary. The roster describes the agents.
    fn page(run: &KeptRun<Self>, summary: &Self::Summary, roster: &Roster) -> String;
}

impl<G: Playable> Reported for Arena<G> {
    fn page(run: &KeptRun<Self>, summary: &Self::Summary, roster: &Roster) -> String {
        super::arena(summary, &run.study().game, roster, &sources(run))
    }
}

impl<G: Playable> Reported for Tickets<G> {
    fn page(run: &KeptRun<Self>, summary: &Self::Summary, roster: &Roster) -> String {
        super::tickets(summary, &run.study().game, &run.dir().plan().agents, roster, &sources(run))
    }
}

impl<G: Playable + Clone> Reported for Tuner<G> {
    const FILES: &[(&str, &str)] = &[("weights", WEIGHTS), ("report", REPORT)];

    fn page(run: &KeptRun<Self>, summary: &Self::Summary, roster: &Roster) -> String {
        super::tune(summary, run.study().game(), run.dir().plan(), roster, &sources(run))
    }
}

impl Reported for Rate {
    fn page(run: &KeptRun<Self>, summary: &Self::Summary, roster: &Roster) -> String {
        super::rate(summary, &run.dir().plan().agents, roster, &sources(run))
    }
}

/// The command of a run, and the files its report links to.
fn sources<S: Reported>(run: &KeptRun<S>) -> Provenance {
    let dir = run.dir();
    let is_table = |name: &String| name.ends_with(".csv") || name.ends_with(".parquet");
    let entries = std::fs::read_dir(dir.path()).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut files: Vec<String> = names.filter(is_table).collect();
    files.sort_unstable();
    // The summary does not exist yet: it is written last, after the report.
    files.push(SUMMARY.to_owned());
    files.extend(S::FILES.iter().map(|(_, name)| *name).filter(|name| *name != REPORT).map(str::to_owned));
    Provenance { command: Some(provenance::command_of_games(dir.plan(), run.games_planned())), files }
}

/// Writes everything that a complete run leaves, with its report, and returns the summary.
///
/// # Errors
/// If something can't be written.
pub fn finish<S: Reported>(run: &KeptRun<S>, roster: &Roster) -> Result<S::Summary, RunError> {
    run.finish(Some(&|summary| S::page(run, summary, roster)))
}
