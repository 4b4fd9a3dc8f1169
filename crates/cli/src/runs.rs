//! Steps shared by all commands that play into a run directory: start, resume, stop, finish, report.

use std::path::Path;

use ttr_agents::Roster;
use ttr_show::text::thousands;
use ttr_sim::arena::Arena;
use ttr_sim::exec::ExecOptions;
use ttr_sim::game::{AnyGame, Playable};
use ttr_sim::run::dir::SUMMARY;
use ttr_sim::run::{DirectoryError, KeptRun, RunDir, RunError, RunPlan, StudyPlan};
use ttr_sim::table::runner::{Drive, Outcome};
use ttr_sim::tickets::Tickets;
use ttr_sim::with_game;

use crate::args::RunArgs;
use crate::interruption::interruption;
use crate::progress::Progress;
use crate::report::Reported;
use crate::{Interrupted, Warning, args, print, print_json, report, terminal};

/// Default parent directory of runs.
const RUNS: &str = "runs";

/// Settings for playing and reporting a run.
pub(crate) struct Show {
    pub(crate) threads: usize,
    pub(crate) json: bool,
    pub(crate) quiet: bool,
    pub(crate) roster: Roster,
    pub(crate) processes: ExecOptions,
}

/// Creates the directory of a new run on a map or ladder.
pub(crate) fn directory(args: &RunArgs, map: &str, plan: RunPlan, show: &Show) -> anyhow::Result<RunDir> {
    args.processes.check_shard(&plan)?;
    let plan = plan.with_exec_secret(show.processes.secret);
    Ok(match &args.out {
        Some(path) if args.or_resume => RunDir::open_or_create(path, plan)?,
        Some(path) => RunDir::create(path, plan)?,
        None => {
            let name = format!("{}-{map}", plan.command());
            RunDir::create_numbered(Path::new(RUNS), &name, plan).map_err(|error| match error {
                RunError::File(error) => anyhow::anyhow!("{error}: {}; give --out", error.source),
                error => error.into(),
            })?
        }
    })
}

/// Checks that a directory belongs to one of these commands.
pub(crate) fn check_study(dir: &RunDir, expected: &[&'static str]) -> Result<(), DirectoryError> {
    let found = dir.plan().command();
    if expected.contains(&found) {
        return Ok(());
    }
    Err(DirectoryError::OtherStudy { path: dir.path().to_owned(), expected: expected[0], found })
}

/// Resumes the arena or ticket study of a directory, or only summarizes it.
pub(crate) fn reopen(dir: RunDir, show: &Show, go_on: bool) -> anyhow::Result<()> {
    check_study(&dir, &["arena", "tickets"])?;
    let plan = dir.plan();
    with_game!(AnyGame::find(&plan.map, plan.seats)?, game => reopen_game(game, dir, show, go_on))
}

fn reopen_game<G: Playable>(game: G, dir: RunDir, show: &Show, go_on: bool) -> anyhow::Result<()> {
    let processes = args::planned_processes(dir.plan(), &show.processes)?;
    dir.check_game(&game)?;
    let entrants = args::entrants(&game, &dir.plan().agents, &show.roster, &processes)?;
    match &dir.plan().study {
        StudyPlan::Tickets(_) => {
            resume(KeptRun::open(dir, |plan| Tickets::from_plan(game, entrants, plan))?, show, go_on)
        }
        _ => resume(KeptRun::open(dir, |plan| Arena::from_plan(game, entrants, plan))?, show, go_on),
    }
}

/// Resumes a run, or only summarizes it.
pub(crate) fn resume<S: Reported>(run: KeptRun<S>, show: &Show, go_on: bool) -> anyhow::Result<()> {
    if run.is_complete() {
        return print_results(&run, &run.recorded()?, show);
    }
    if go_on { play(run, show) } else { finish(&run, show) }
}

/// Writes and prints the results.
pub(crate) fn finish<S: Reported>(run: &KeptRun<S>, show: &Show) -> anyhow::Result<()> {
    let summary = report::finish(run, &show.roster)?;
    print_results(run, &summary, show)
}

/// Plays the missing games, then finishes the run or prints how to resume it.
pub(crate) fn play<S: Reported>(mut run: KeptRun<S>, show: &Show) -> anyhow::Result<()> {
    let plan = run.dir().plan().clone();
    let progress =
        Progress::new(&format!("{} {}", plan.command(), plan.map), run.games_planned(), show.quiet);
    progress.resume(run.games_played()?);
    let add = |games| progress.add(games);
    let outcome = run.play(&Drive::new(show.threads, interruption(), &add));
    progress.finish();
    match outcome? {
        Outcome::Finished if plan.is_whole() => finish(&run, show),
        Outcome::Finished => {
            terminal::print_line(&format!(
                "deals {} to {} of {} are done, in {}; when all shards are done: ttr merge DIR... --out DIR",
                plan.first_deal,
                plan.end_deal.saturating_sub(1),
                plan.deals,
                run.dir().path().display()
            ));
            Ok(())
        }
        Outcome::Stopped => {
            if let Some(summary) = run.so_far()? {
                if show.json { print_json(&summary)? } else { print(&summary.to_string())? }
            }
            let (played, planned) = (thousands(run.games_played()?), thousands(run.games_planned()));
            Err(stopped(run.dir(), &format!("after {played} of {planned} games")))
        }
    }
}

/// The end of a run that is stopped, with how to resume it.
pub(crate) fn stopped(dir: &RunDir, when: &str) -> anyhow::Error {
    let (command, path) = (dir.plan().command(), dir.path().display());
    Interrupted(format!("stopped {when}; resume with: ttr {command} --resume {path}")).into()
}

/// Prints the results of a complete run.
pub(crate) fn print_results<S: Reported>(
    run: &KeptRun<S>,
    summary: &S::Summary,
    show: &Show,
) -> anyhow::Result<()> {
    print(&if show.json { run.dir().read_text(SUMMARY)? } else { summary.to_string() })?;
    for (index, (what, name)) in S::FILES.iter().enumerate() {
        let line = format!("{what}: {}", run.dir().path().join(name).display());
        terminal::print_line(&if index == 0 { format!("\n{line}") } else { line });
    }
    check_finished(S::silent(summary))
}

/// Checks that every agent has finished a game.
pub(crate) fn check_finished(silent: Vec<String>) -> anyhow::Result<()> {
    if silent.is_empty() { Ok(()) } else { Err(Warning(silent.join("\nwarning: ")).into()) }
}
