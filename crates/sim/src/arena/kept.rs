//! An arena in a directory: validation when it is read back, and the files written when it is complete.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::record::DecisionRow;
use super::sequential::Sequential;
use super::tables::Tables;
use super::{AgentSummary, Arena, ArenaPart, Summary, Timed, courses};
use crate::game::Playable;
use crate::run::dir::RunDir;
use crate::run::error::{DirectoryError, RunError};
use crate::run::kept::{KeptStudy, Parts, StopRule};
use crate::run::options::StudyPlan;
use crate::run::plan::{PlanError, RunPlan};
use crate::run::provenance;
use crate::table::entrant::Entrant;
use crate::table::runner::Go;

/// The file with the decision times; not a result, since it differs from run to run.
const TIMING: &str = "timing.json";
/// Longest [`TIMING`] that is read, in bytes.
const MAX_TIMING_BYTES: u64 = 1 << 20;

/// The content of [`TIMING`].
#[derive(Serialize, Deserialize)]
struct Timings {
    agents: Vec<Timing>,
}

/// The time of an agent, as stored in [`TIMING`].
#[derive(Serialize, Deserialize)]
struct Timing {
    agent: String,
    decisions_per_second: f64,
    nanoseconds: u64,
    timed_decisions: u64,
}

impl<G: Playable> Arena<G> {
    /// Creates the arena of a plan. `entrants` are its agents.
    ///
    /// # Errors
    /// If it is the plan of another study, or can't be played.
    pub fn from_plan(game: G, entrants: Vec<Entrant<G>>, plan: &RunPlan) -> Result<Self, PlanError> {
        let StudyPlan::Arena(options) = &plan.study else { return Err(plan.is_not_of("arena")) };
        plan.check_game(&game)?;
        plan.check_games()?;
        options.check(plan.agents.len())?;
        Ok(Self { game, entrants, schedule: plan.schedule(), seed: plan.seed, options: options.clone() })
    }
}

impl<G: Playable> KeptStudy for Arena<G> {
    type Summary = Summary;

    fn check(&self, part: &ArenaPart, deals: &Range<u64>) -> Result<(), String> {
        let games_per_deal = self.schedule.games_per_deal();
        let count = (deals.end - deals.start) * games_per_deal;
        if part.games.len() as u64 != count || part.times.len() != self.entrants.len() {
            return Err(format!("it has {} games instead of {count}", part.games.len()));
        }
        let slots = deals.clone().flat_map(|deal| self.schedule.games(deal));
        let mut replays = part.replays.iter();
        let mut rows = part.decisions.iter();
        let sizes = (self.game.route_names().len(), self.game.ticket_names().len());
        for ((record, slot), index) in part.games.iter().zip(slots).zip(deals.start * games_per_deal..) {
            let wrong = |why: &str| Err(format!("game {index}: {why}"));
            record.check(index / games_per_deal, &slot, sizes).or_else(|why| wrong(&why))?;
            self.check_logs(sizes, record).or_else(|why| wrong(&why))?;
            if index < self.options.replays
                && record.forfeit.is_none()
                && replays.next().is_none_or(|(game, _)| *game != index)
            {
                return wrong("its replay is missing");
            }
            for ply in 0..if self.options.decisions { record.plies } else { 0 } {
                let fits = |row: &DecisionRow| {
                    (row.game, row.ply) == (index, ply)
                        && usize::from(row.seat) < slot.agents.len()
                        && row.route.is_none_or(|route| route.index() < sizes.0)
                        && row.value.is_none_or(f64::is_finite)
                };
                if !rows.next().is_some_and(fits) {
                    return wrong("its decisions are not those of the game");
                }
            }
        }
        if replays.next().is_some() || rows.next().is_some() {
            return Err("it has replays or decisions of other games".into());
        }
        Ok(())
    }

    fn stop_rule(&self) -> Option<Box<dyn StopRule<ArenaPart> + '_>> {
        Some(Box::new(Sequential::new(self)?))
    }

    fn sum_up(&self, parts: &Parts<'_, Self>, write: bool) -> Result<Summary, RunError> {
        let dir = parts.dir();
        let mut tables = if write { Some(Tables::create(dir, self)?) } else { None };
        let mut tally = self.tally();
        let mut test = Sequential::new(self);
        let mut at = dir.plan().first_deal;
        parts.each(|mut deals, mut part| {
            let mut go = Go::On;
            if let Some(test) = &mut test {
                // Deals after a gap wait for it, and deals after the decision do not count.
                if deals.start > at {
                    return Ok(Go::Stop);
                }
                go = test.look(&mut deals, &mut part);
            }
            at = deals.end;
            if let Some(tables) = &mut tables {
                tables.add(&part)?;
                part.replays.iter().try_for_each(|(game, bytes)| dir.write_replay(*game, bytes))?;
            }
            tally.add_part(&part);
            Ok(go)
        })?;
        let command = Some(provenance::command(dir.plan()));
        let summary = Summary { command, ..self.tested(&tally, test) };
        if let Some(tables) = tables {
            tables.finish()?;
            dir.sync_replays()?;
            courses::write(dir, &summary)?;
            write_timing(dir, &summary.agents)?;
        }
        Ok(summary)
    }

    /// Adds the times of the process that finished it, if they are there.
    fn recorded(&self, dir: &RunDir) -> Result<Summary, RunError> {
        let mut summary: Summary = dir.summary()?;
        let times: Option<Timings> =
            dir.read_json_within(TIMING, MAX_TIMING_BYTES).map_err(|error| match error {
                RunError::Directory(DirectoryError::DamagedResult { file, why }) => {
                    DirectoryError::DamagedExtra { file, why }.into()
                }
                error => error,
            })?;
        for agent in &mut summary.agents {
            let mut times = times.iter().flat_map(|times| &times.agents);
            if let Some(time) = times.find(|time| time.agent == agent.label) {
                agent.time = Timed { decisions: time.timed_decisions, nanoseconds: time.nanoseconds };
            }
        }
        Ok(summary)
    }

    fn silent(summary: &Summary) -> Vec<String> {
        summary.silent()
    }
}

fn write_timing(dir: &RunDir, agents: &[AgentSummary]) -> Result<(), RunError> {
    let timing = |agent: &AgentSummary| Timing {
        agent: agent.label.clone(),
        decisions_per_second: agent.time.per_second(),
        nanoseconds: agent.time.nanoseconds,
        timed_decisions: agent.time.decisions,
    };
    Ok(dir.write_json(TIMING, &Timings { agents: agents.iter().map(timing).collect() })?)
}
