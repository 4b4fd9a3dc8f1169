//! Ticket statistics in a directory: validation when they are read back, and the files written when they
//! are complete.

use std::ops::Range;

use super::forced::{ForcedSums, OpeningRows, write_choices, write_effects};
use super::tables::{write_cities, write_pairs, write_routes, write_tickets};
use super::{TicketOptions, TicketPart, TicketSummary, Tickets, check_choice};
use crate::game::Playable;
use crate::run::error::RunError;
use crate::run::kept::{KeptStudy, Parts};
use crate::run::options::StudyPlan;
use crate::run::plan::{PlanError, RunPlan};
use crate::table::entrant::Entrant;
use crate::table::runner::{Go, Study};

impl<G: Playable> Tickets<G> {
    /// Creates the statistics of a plan. `entrants` are its agents.
    ///
    /// # Errors
    /// If it is the plan of another study, or can't be played.
    pub fn from_plan(game: G, entrants: Vec<Entrant<G>>, plan: &RunPlan) -> Result<Self, PlanError> {
        let StudyPlan::Tickets(TicketOptions { forced }) = plan.study else {
            return Err(plan.is_not_of("tickets"));
        };
        plan.check_game(&game)?;
        plan.check_games()?;
        if forced {
            check_choice(&game).map_err(|why| PlanError::Other(why.to_string()))?;
        }
        let study = Self { schedule: plan.schedule(), forced, ..Self::new(game, entrants, plan.seed) };
        if study.games_per_deal().checked_mul(plan.deals).is_none() {
            return Err(PlanError::TooManyGames(plan.deals));
        }
        Ok(study)
    }
}

impl<G: Playable> KeptStudy for Tickets<G> {
    type Summary = TicketSummary;

    fn check(&self, part: &TicketPart, deals: &Range<u64>) -> Result<(), String> {
        let (games, seats) = (self.schedule.games_per_deal(), self.game.seats() as u64);
        part.tally.check(&self.tally(), deals, games, seats)?;
        if self.forced {
            self.check_openings(&part.openings, deals)
        } else if part.openings.is_empty() {
            Ok(())
        } else {
            Err("it is of another run".into())
        }
    }

    fn sum_up(&self, parts: &Parts<'_, Self>, write: bool) -> Result<TicketSummary, RunError> {
        let dir = parts.dir();
        let mut tally = self.tally();
        let mut sums = self.forced.then(|| ForcedSums::new(self));
        let mut rows = if self.forced && write { Some(OpeningRows::create(dir, self)?) } else { None };
        parts.each(|_, part| {
            tally.merge(&part.tally);
            if let Some(sums) = &mut sums {
                part.openings.iter().for_each(|opening| sums.add(opening));
            }
            if let Some(rows) = &mut rows {
                part.openings.iter().try_for_each(|opening| rows.add(opening))?;
            }
            Ok(Go::On)
        })?;
        // Rules that choose by values fitted to other deals need all deals first, so the openings are read
        // again.
        let mut forced = None;
        if let Some(sums) = sums {
            let mut choices = sums.choices(self);
            parts.each(|_, part| {
                part.openings.iter().for_each(|opening| choices.add(opening));
                Ok(Go::On)
            })?;
            forced = Some(sums.summary(self, &choices));
        }
        let summary = TicketSummary::new(self, &tally, forced);
        if write {
            write_tickets(dir, &summary)?;
            write_pairs(dir, &summary)?;
            if self.game.board().is_some() {
                write_routes(dir, &summary)?;
                write_cities(dir, &summary)?;
            }
        }
        if let (Some(rows), Some(forced)) = (rows, &summary.forced) {
            write_effects(dir, &summary, forced)?;
            write_choices(dir, forced)?;
            rows.finish()?;
        }
        Ok(summary)
    }
}
