//! Experiments: a question, what is played to answer it, and figures to compare the answer with.
//!
//! `experiment.toml` says it all; running it writes `results.csv` and `report.html` beside it, and running it again writes the same
//! bytes.

mod results;
mod spec;

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::de::DeserializeOwned;
use ttr_agents::AgentSpec;
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::maps::AnySpec;

pub use results::{Answer, Comparison, Measured};
pub use spec::{ExperimentError, ExperimentSpec, Published, RunSpec, Verb};

use crate::arena::{ArenaOptions, ArenaRun};
use crate::entrant::Entrant;
use crate::kept_run::KeptRun;
use crate::playable::Playable;
use crate::report;
use crate::run_dir::{RunDir, RunPlan};
use crate::runner::{Drive, Outcome};
use crate::schedule::Schedule;
use crate::seat_advantage;
use crate::tickets::TicketRun;

/// Where the runs of an experiment are kept while it is not complete.
const WORK: &str = ".work";

const RESULTS: &str = "results.csv";

/// An experiment in its directory.
#[derive(Debug)]
pub struct Experiment {
    folder: PathBuf,
    spec: ExperimentSpec,
    /// Names of the runs that are played; all if there are none.
    only: Vec<String>,
}

impl Experiment {
    /// Reads `experiment.toml` in a directory, or a file of that form.
    ///
    /// # Errors
    /// With the line and what is wrong there.
    pub fn open(path: &Path) -> Result<Self, ExperimentError> {
        let file = if path.is_dir() { path.join("experiment.toml") } else { path.to_owned() };
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Ok(Self { folder: folder.to_owned(), spec: ExperimentSpec::read(&file)?, only: Vec::new() })
    }

    /// Plays some of the runs only; what `results.csv` says of the others stays as it is, even if the file asks for something
    /// else of them by now.
    ///
    /// # Errors
    /// If there is no such run.
    pub fn only(mut self, runs: Vec<String>) -> Result<Self, ExperimentError> {
        let names: Vec<&str> = self.spec.runs.iter().map(|run| run.name.as_str()).collect();
        if let Some(unknown) = runs.iter().find(|name| !names.contains(&name.as_str())) {
            let why = format!("there is no run \"{unknown}\"; there are {}", names.join(", "));
            return Err(ExperimentError { file: self.folder.display().to_string(), why });
        }
        self.only = runs;
        Ok(self)
    }

    fn is_played(&self, run: &RunSpec) -> bool {
        self.only.is_empty() || self.only.contains(&run.name)
    }

    /// What is asked and played.
    pub fn spec(&self) -> &ExperimentSpec {
        &self.spec
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Games that it takes, those that are played already included.
    ///
    /// # Errors
    /// If a map or an agent does not exist.
    pub fn games(&self) -> anyhow::Result<u64> {
        let played = self.spec.runs.iter().filter(|run| self.is_played(run));
        played.map(|run| Ok(run.schedule(&self.folder)?.0)).sum()
    }

    /// Plays the runs, or goes on with them; `begin` is told of each. Nothing if it was stopped.
    ///
    /// # Errors
    /// If a game can't be played or something can't be written.
    pub fn run(&self, drive: &Drive<'_>, begin: impl Fn(&RunSpec)) -> anyhow::Result<Option<Answer>> {
        self.known_figures()?; // better refused now than after hours of play
        let mut played = Vec::new();
        for run in self.spec.runs.iter().filter(|run| self.is_played(run)) {
            begin(run);
            let Some(measured) = self.play(run, drive)? else { return Ok(None) };
            played.push(measured);
        }
        // Read again: other runs may have been played meanwhile.
        let known = self.known_figures()?;
        let (mut answer, mut played) = (Answer::default(), played.into_iter().peekable());
        for run in &self.spec.runs {
            match played.next_if(|_| self.is_played(run)) {
                Some(measured) => answer.add(run, measured),
                None => answer.keep(run, &known),
            }
        }
        answer.compare(&self.spec.published(&self.folder)?)?;
        let write = |name: &str, text: String| {
            let path = self.folder.join(name);
            crate::output_file::write(&path, text.as_bytes())
                .map(|_| ())
                .with_context(|| format!("{} can't be written", path.display()))
        };
        write(RESULTS, answer.csv())?;
        write("report.html", report::experiment(&self.spec, &answer))?;
        let work = self.folder.join(WORK);
        let done = match &self.only[..] {
            [] => vec![work],
            only => only.iter().map(|name| work.join(name)).collect(),
        };
        for path in done.iter().filter(|path| path.exists()) {
            std::fs::remove_dir_all(path).with_context(|| format!("{} can't be deleted", path.display()))?;
        }
        Ok(Some(answer))
    }

    /// What `results.csv` says of runs that are not played.
    fn known_figures(&self) -> Result<Vec<Comparison>, ExperimentError> {
        if self.only.is_empty() { Ok(Vec::new()) } else { results::read(&self.folder.join(RESULTS)) }
    }

    fn play(&self, run: &RunSpec, drive: &Drive<'_>) -> anyhow::Result<Option<Measured>> {
        if run.verb == Verb::SeatAdvantage {
            let wins = seat_advantage::random_wins(run.seats_of(2), run.games, run.seed);
            (drive.progress)(run.games);
            return Ok(Some(Measured::Seats(wins, run.games)));
        }
        match run.find_map(&self.folder)? {
            AnySpec::Board(map) => {
                self.run_game(BoardGame::new(&map, run.seats_of(map.seats.min))?, run, drive)
            }
            AnySpec::CardGame(spec) => {
                self.run_game(CardGame::new(&spec, run.seats_of(spec.seats.min))?, run, drive)
            }
        }
    }

    fn run_game<G: Playable>(
        &self,
        game: G,
        run: &RunSpec,
        drive: &Drive<'_>,
    ) -> anyhow::Result<Option<Measured>> {
        let agents = run.agents()?;
        let entrants =
            agents.iter().map(|agent| Entrant::from_spec(&game, agent)).collect::<Result<Vec<_>, _>>()?;
        let (_, schedule) = run.schedule(&self.folder)?;
        let deals = schedule.deals(run.games);
        let path = self.folder.join(WORK).join(&run.name);
        match run.verb {
            Verb::Arena => {
                let options = ArenaOptions::default();
                let plan = ArenaRun::plan(&game, &run.map, agents, &schedule, run.seed, deals, &options);
                let run = ArenaRun::new(game, entrants, self.directory(&path, plan)?)?;
                Ok(finish(&run, drive)?.map(Measured::Arena))
            }
            Verb::Tickets => {
                let plan = TicketRun::plan(&game, &run.map, agents, &schedule, run.seed, deals);
                let run = TicketRun::new(game, entrants, self.directory(&path, plan)?)?;
                Ok(finish(&run, drive)?.map(Measured::Tickets))
            }
            Verb::SeatAdvantage => Ok(None),
        }
    }

    /// The directory of a run: what is there of it, or a new one.
    fn directory(&self, path: &Path, plan: RunPlan) -> anyhow::Result<RunDir> {
        if let Ok(dir) = RunDir::open(path) {
            if dir.plan() == &plan {
                return Ok(dir);
            }
            // The experiment was changed since: what was played answers another question.
            drop(dir);
            std::fs::remove_dir_all(path).with_context(|| path.display().to_string())?;
        }
        RunDir::create(path, plan)
    }
}

/// Plays a run to its end; nothing if it was stopped.
fn finish<R: KeptRun>(run: &R, drive: &Drive<'_>) -> anyhow::Result<Option<R::Summary>>
where
    R::Summary: DeserializeOwned,
{
    if run.dir().is_complete() {
        (drive.progress)(run.games_planned());
        return Ok(Some(run.dir().summary()?));
    }
    (drive.progress)(run.games_played()?);
    match run.play(drive)? {
        Outcome::Finished => Ok(Some(run.finish()?)),
        Outcome::Stopped => Ok(None),
    }
}

/// The agents of texts.
fn parse_agents(texts: &[String]) -> Result<Vec<AgentSpec>, ttr_agents::SpecError> {
    texts.iter().map(|text| AgentSpec::parse(text)).collect()
}

/// Who plays whom: one line-up, or everybody against everybody.
fn schedule_of(line_up: &[String], agents: &[AgentSpec], seats: usize) -> Option<Schedule> {
    if line_up.is_empty() {
        return Some(Schedule::round_robin(agents.len(), seats));
    }
    let index = |text: &String| {
        let agent = AgentSpec::parse(text).ok()?;
        agents.iter().position(|known| *known == agent)
    };
    line_up.iter().map(index).collect::<Option<Vec<_>>>().map(Schedule::table)
}
