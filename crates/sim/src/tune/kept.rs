//! A search in a directory: generation by generation, then the final test.

use serde::Serialize;
use ttr_agents::Roster;

use super::{Generation, Generations, TuneError, TuneOptions, TunePlan, Tuned, Tuner};
use crate::exec::ExecOptions;
use crate::game::Playable;
use crate::run::csv_text::{self, Decimal};
use crate::run::dir::RunDir;
use crate::run::error::{FileError, RunError};
use crate::run::kept::{Kept, KeptRun};
use crate::run::options::StudyPlan;
use crate::run::plan::{PlanError, RunPlan};
use crate::table::runner::{Drive, Outcome};

/// The generations so far, written after each.
const GENERATIONS: &str = "generations.json";
/// The weights, in a file that agents can be loaded from.
pub const WEIGHTS: &str = "tuned.toml";

/// A step of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TuneStep {
    /// A generation was played.
    Generation,
    /// The result was tested: the search is over.
    Tested,
    /// The run was stopped before the step was complete; it is played again when the run is resumed.
    Stopped,
}

impl<G: Playable + Clone> Tuner<G> {
    /// Creates the search of a plan, with agents of a roster; `processes` are the options for opponents
    /// that are processes.
    ///
    /// # Errors
    /// If it is the plan of another study, or can't be played.
    pub fn from_plan(
        game: G,
        plan: &RunPlan,
        roster: Roster,
        processes: ExecOptions,
    ) -> Result<Self, PlanError> {
        let StudyPlan::Tune(options) = &plan.study else { return Err(plan.is_not_of("tune")) };
        plan.check_game(&game)?;
        options.check()?;
        let no_agent = || PlanError::Other("there is no agent".to_owned());
        let (agent, against) = plan.agents.split_first().ok_or_else(no_agent)?;
        let plan = TunePlan {
            agent: agent.clone(),
            against: against.to_vec(),
            options: options.clone(),
            seed: plan.seed,
            roster,
            processes,
        };
        Self::new(game, plan).map_err(|error| PlanError::Other(error.to_string()))
    }

    /// The plan of a run that keeps such a search.
    ///
    /// # Errors
    /// As [`Tuner::new`], and if the budget does not suffice for one generation.
    pub fn plan(game: &G, map: &str, search: &TunePlan) -> Result<RunPlan, TuneError> {
        let TuneOptions { budget, candidates, deals, .. } = search.options;
        let least = Self::new(game.clone(), search.clone())?.games_per_generation();
        if budget < least {
            return Err(TuneError::SmallBudget { budget, least, candidates, deals });
        }
        let agents = std::iter::once(&search.agent).chain(&search.against).cloned().collect();
        Ok(RunPlan::new(StudyPlan::Tune(search.options.clone()), game, map, search.seed, agents))
    }

    /// Plays the next generation or, after the last, the test.
    fn keep_step(&mut self, dir: &RunDir, drive: &Drive<'_>) -> Result<TuneStep, RunError> {
        if self.is_done() {
            self.tuned = self.test(drive)?;
            return Ok(if self.tuned.is_some() { TuneStep::Tested } else { self.keep_best(dir)? });
        }
        if !self.step(drive)? {
            return Ok(self.keep_best(dir)?);
        }
        dir.write_json(GENERATIONS, &Generations { generations: self.curve().to_vec() })?;
        Ok(TuneStep::Generation)
    }

    /// Writes the current result of a search that is stopped.
    fn keep_best(&self, dir: &RunDir) -> Result<TuneStep, FileError> {
        dir.write_file(WEIGHTS, self.best().to_toml().as_bytes())?;
        Ok(TuneStep::Stopped)
    }
}

impl<G: Playable + Clone> KeptRun<Tuner<G>> {
    /// Plays one step of the search, and stores it.
    ///
    /// # Errors
    /// If a game can't be played or a file can't be written.
    pub fn step(&mut self, drive: &Drive<'_>) -> Result<TuneStep, RunError> {
        let (tuner, dir) = self.split();
        tuner.keep_step(dir, drive)
    }
}

impl<G: Playable + Clone> Kept for Tuner<G> {
    type Summary = Tuned;

    fn resume(&mut self, dir: &RunDir) -> Result<(), RunError> {
        if let Some(Generations { generations }) = dir.read_json(GENERATIONS)? {
            self.recall(generations).map_err(|why| dir.damaged(GENERATIONS, &why))?;
        }
        Ok(())
    }

    /// Number of games without those of the test.
    fn games_planned(&self, _: &RunPlan) -> u64 {
        self.plan.options.budget
    }

    fn games_played(&self, _: &RunDir) -> Result<u64, RunError> {
        Ok(self.games())
    }

    fn play(&mut self, dir: &RunDir, drive: &Drive<'_>) -> Result<Outcome, RunError> {
        loop {
            match self.keep_step(dir, drive)? {
                TuneStep::Generation => {}
                TuneStep::Tested => return Ok(Outcome::Finished),
                TuneStep::Stopped => return Ok(Outcome::Stopped),
            }
        }
    }

    /// A search without a test has no result.
    fn so_far(&self, _: &RunDir) -> Result<Option<Tuned>, RunError> {
        Ok(None)
    }

    fn write_results(&self, dir: &RunDir) -> Result<Tuned, RunError> {
        let tuned = self.tuned.clone().ok_or_else(|| RunError::Unfinished(dir.path().to_owned()))?;
        dir.write_file(WEIGHTS, tuned.after.to_toml().as_bytes())?;
        dir.write_file("curve.csv", curve_csv(&tuned).as_bytes())?;
        Ok(tuned)
    }
}

/// A row of `curve.csv`.
#[derive(Serialize)]
struct CurveRow {
    generation: usize,
    games: u64,
    deals: u64,
    par: Decimal,
    win_share: Decimal,
    win_share_low: Decimal,
    win_share_high: Decimal,
    best_win_share: Decimal,
    margin: Decimal,
    margin_low: Decimal,
    margin_high: Decimal,
    margin_weight: Decimal,
    step: Decimal,
    agreement: Decimal,
}

/// One row per generation.
fn curve_csv(tuned: &Tuned) -> String {
    let row = |(index, generation): (usize, &Generation)| CurveRow {
        generation: index + 1,
        games: generation.games,
        deals: generation.deals,
        par: Decimal(tuned.par),
        win_share: Decimal(generation.share.value),
        win_share_low: Decimal(generation.share.low),
        win_share_high: Decimal(generation.share.high),
        best_win_share: Decimal(generation.best),
        margin: Decimal(generation.margin.value),
        margin_low: Decimal(generation.margin.low),
        margin_high: Decimal(generation.margin.high),
        margin_weight: Decimal(generation.margin_weight),
        step: Decimal(generation.step),
        agreement: Decimal(generation.agreement),
    };
    csv_text::write(tuned.curve.iter().enumerate().map(row))
}
