//! What all verbs that play into a directory do alike: begin, go on, stop, finish, tell.

use std::path::Path;

use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::maps::AnySpec;
use ttr_show::text::thousands;
use ttr_sim::arena::ArenaRun;
use ttr_sim::exec::ExecOptions;
use ttr_sim::game::Playable;
use ttr_sim::rate::RateRun;
use ttr_sim::run::dir::{RunDir, RunPlan, SUMMARY, WrongDirectory};
use ttr_sim::run::kept::KeptRun;
use ttr_sim::table::runner::{Drive, Outcome};
use ttr_sim::tickets::TicketRun;

use crate::progress::Progress;
use crate::{Warning, args, print, print_json, report, terminal};

/// Where runs go if nobody says where.
const RUNS: &str = "runs";

/// How a run is played and told of.
pub(crate) struct Show {
    pub(crate) threads: usize,
    pub(crate) json: bool,
    pub(crate) quiet: bool,
    pub(crate) processes: ExecOptions,
}

/// The directory of a new run.
pub(crate) fn directory(out: Option<&Path>, map: &str, plan: RunPlan) -> anyhow::Result<RunDir> {
    match out {
        Some(path) => RunDir::create(path, plan),
        None => {
            let name = format!("{}-{map}", plan.verb);
            RunDir::create_numbered(Path::new(RUNS), &name, plan)
        }
    }
}

/// Goes on with the run of a directory, or only sums it up.
pub(crate) fn reopen(dir: RunDir, show: &Show, go_on: bool) -> anyhow::Result<()> {
    let plan = dir.plan();
    if plan.verb == RateRun::VERB {
        let (path, id) = (dir.path().display(), &plan.map);
        return Err(WrongDirectory(format!(
            "{path} is a rating on {id}; resume it with: ttr rate --resume {path}"
        ))
        .into());
    }
    match args::find_planned_game(plan)? {
        AnySpec::Board(map) => reopen_game(BoardGame::new(&map, plan.seats)?, dir, show, go_on),
        AnySpec::CardGame(spec) => reopen_game(CardGame::new(&spec, plan.seats)?, dir, show, go_on),
    }
}

fn reopen_game<G: Playable>(game: G, dir: RunDir, show: &Show, go_on: bool) -> anyhow::Result<()> {
    args::check_map(&game, dir.plan())?;
    let processes = args::planned_processes(dir.plan(), &show.processes)?;
    let entrants = args::entrants(&game, &dir.plan().agents, &processes)?;
    let verb = dir.plan().verb.clone();
    if verb == ArenaRun::<G>::VERB {
        reopen_run(&ArenaRun::new(game, entrants, dir)?, show, go_on)
    } else if verb == TicketRun::<G>::VERB {
        reopen_run(&TicketRun::new(game, entrants, dir)?, show, go_on)
    } else {
        Err(WrongDirectory(format!(
            "{} is of a run of \"{verb}\", which can't be resumed here",
            dir.path().display()
        ))
        .into())
    }
}

pub(crate) fn reopen_run<R: Reported>(run: &R, show: &Show, go_on: bool) -> anyhow::Result<()> {
    if run.dir().is_complete() {
        return tell::<R>(&run.recorded()?, run.dir(), show);
    }
    if go_on { play(run, show) } else { tell::<R>(&finish(run)?, run.dir(), show) }
}

/// A run with a report.
pub(crate) trait Reported: KeptRun {
    /// The page of a summary.
    fn page(&self, summary: &Self::Summary) -> String;
}

impl<G: Playable> Reported for ArenaRun<G> {
    fn page(&self, summary: &Self::Summary) -> String {
        report::arena(summary, self.game())
    }
}

impl<G: Playable> Reported for TicketRun<G> {
    fn page(&self, summary: &Self::Summary) -> String {
        report::tickets(summary, self.game())
    }
}

impl Reported for RateRun {
    fn page(&self, summary: &Self::Summary) -> String {
        report::rate(summary)
    }
}

fn finish<R: Reported>(run: &R) -> anyhow::Result<R::Summary> {
    run.finish(Some(&|summary| run.page(summary)))
}

/// Plays what is missing; finishes the run, or says how to go on.
pub(crate) fn play<R: Reported>(run: &R, show: &Show) -> anyhow::Result<()> {
    let (path, plan) = (run.dir().path(), run.dir().plan());
    let progress = Progress::new(&format!("{} {}", plan.verb, plan.map), run.games_planned(), show.quiet);
    progress.resume(run.games_played()?);
    let add = |games| progress.add(games);
    let outcome = run.play(&Drive { threads: show.threads, stop: args::interruption(), progress: &add });
    progress.finish();
    match outcome? {
        Outcome::Finished if plan.is_whole() => tell::<R>(&finish(run)?, run.dir(), show),
        Outcome::Finished => {
            terminal::tell(&format!(
                "deals {} to {} of {} are played and kept in {}; when all shards are: ttr merge DIR... --out DIR",
                plan.first_deal,
                plan.end_deal.saturating_sub(1),
                plan.deals,
                path.display()
            ));
            Ok(())
        }
        Outcome::Stopped => {
            if run.games_played()? > 0 {
                let summary = run.so_far()?;
                if show.json { print_json(&summary)? } else { print(&summary.to_string())? }
            }
            terminal::tell(&format!(
                "stopped after {} of {} games; go on with: ttr {} --resume {}",
                thousands(run.games_played()?),
                thousands(run.games_planned()),
                plan.verb,
                path.display()
            ));
            Ok(())
        }
    }
}

fn tell<R: KeptRun>(summary: &R::Summary, dir: &RunDir, show: &Show) -> anyhow::Result<()> {
    print(&if show.json { dir.read_text(SUMMARY)? } else { summary.to_string() })?;
    terminal::tell(&format!("\nreport: {}", dir.path().join("report.html").display()));
    heard(R::silent(summary))
}

/// Checks that every agent has finished a game.
pub(crate) fn heard(silent: Vec<String>) -> anyhow::Result<()> {
    if silent.is_empty() { Ok(()) } else { Err(Warning(silent.join("\nwarning: ")).into()) }
}
