//! Ticket statistics with a directory: played in parts, resumed, merged, written out.

use ttr_agents::AgentSpec;
use ttr_engine::CardKind;

use super::forced::{effect_cells, effect_columns, write_tables};
use super::{Opening, TicketSummary, Tickets, check_choice};
use crate::game::Playable;
use crate::run::dir::{PLAN, RunDir, RunPlan, SUMMARY, WrongDirectory};
use crate::run::kept::{self, KeptRun, Page, REPORT, play_missing};
use crate::run::rows::{Cell, Kind};
use crate::table::entrant::Entrant;
use crate::table::runner::{Drive, Go, Outcome, Study};
use crate::table::schedule::Schedule;

/// Ticket statistics in a directory.
pub struct TicketRun<G> {
    study: Tickets<G>,
    dir: RunDir,
}

impl<G: Playable> TicketRun<G> {
    /// The verb of its plans.
    pub const VERB: &'static str = "tickets";

    /// The option of plans in which every legal opening choice is played.
    const FORCED: &'static str = "forced";

    /// What a run depends on.
    pub fn plan(
        game: &G,
        map: &str,
        agents: Vec<AgentSpec>,
        schedule: &Schedule,
        seed: u64,
        deals: u64,
    ) -> RunPlan {
        RunPlan::new(Self::VERB, game, map, seed, agents).with_deals(schedule, deals)
    }

    /// The same with every legal opening choice of every seat.
    #[must_use]
    pub fn forced(mut plan: RunPlan) -> RunPlan {
        plan.options.insert(Self::FORCED.to_owned(), true.to_string());
        plan
    }

    /// The game that is played.
    pub fn game(&self) -> &G {
        &self.study.game
    }

    /// The statistics of a directory. `entrants` are the agents of its plan.
    ///
    /// # Errors
    /// If the directory is of something else.
    pub fn new(game: G, entrants: Vec<Entrant<G>>, dir: RunDir) -> anyhow::Result<Self> {
        let plan = dir.plan();
        if plan.verb != Self::VERB {
            let message = format!("{} is not the directory of ticket statistics", dir.path().display());
            anyhow::bail!(WrongDirectory(message));
        }
        plan.check_games().map_err(|why| dir.refuse(PLAN, &why))?;
        let schedule = Schedule::new(plan.line_ups.clone());
        let forced = plan.options.contains_key(Self::FORCED);
        if forced {
            check_choice(&game).map_err(|why| dir.refuse(PLAN, &why.to_string()))?;
        }
        let study = Tickets { game, entrants, schedule, seed: plan.seed, forced };
        if study.games_per_deal().checked_mul(plan.deals).is_none() {
            let why = format!("{} deals are more games than can be counted", plan.deals);
            anyhow::bail!(dir.refuse(PLAN, &why));
        }
        Ok(Self { study, dir })
    }

    /// Shows the openings of all parts, in order.
    fn each_opening(&self, see: &mut dyn FnMut(&Opening)) -> anyhow::Result<()> {
        for deals in self.dir.parts()? {
            kept::read(&self.dir, &self.study, &deals)?.openings.iter().for_each(&mut *see);
        }
        Ok(())
    }
}

impl<G: Playable> KeptRun for TicketRun<G> {
    type Summary = TicketSummary;

    fn dir(&self) -> &RunDir {
        &self.dir
    }

    fn games_per_deal(&self) -> u64 {
        self.study.games_per_deal()
    }

    fn play(&self, drive: &Drive<'_>) -> anyhow::Result<Outcome> {
        let study = &self.study;
        play_missing(&self.dir, &study.game, &study.entrants, study, drive, |_, _| Go::On)
    }

    fn so_far(&self) -> anyhow::Result<TicketSummary> {
        let mut tally = self.study.tally();
        for deals in self.dir.parts()? {
            tally.merge(&kept::read(&self.dir, &self.study, &deals)?.tally);
        }
        self.study.summary(&tally, |see| self.each_opening(see))
    }

    fn finish(&self, page: Option<&Page<'_, TicketSummary>>) -> anyhow::Result<TicketSummary> {
        let summary = self.so_far()?;
        write_tickets(&self.dir, &summary)?;
        write_pairs(&self.dir, &summary)?;
        if self.study.game.board().is_some() {
            write_routes(&self.dir, &summary)?;
            write_cities(&self.dir, &summary)?;
        }
        if let Some(forced) = &summary.forced {
            write_tables(&self.dir, &self.study, &summary, forced, |see| self.each_opening(see))?;
        }
        if let Some(page) = page {
            self.dir.write_file(REPORT, page(&summary).as_bytes())?;
        }
        self.dir.write_json(SUMMARY, &summary)?;
        self.dir.discard_parts()?;
        Ok(summary)
    }
}

fn write_tickets(dir: &RunDir, summary: &TicketSummary) -> anyhow::Result<()> {
    let mut columns = vec![("ticket", Kind::Text), ("value", Kind::Whole), ("held", Kind::Whole)];
    columns.extend(
        [
            "dealt_per_1000_games",
            "kept_later",
            "kept_opening",
            "kept_opening_low",
            "kept_opening_high",
            "completed",
            "completed_low",
            "completed_high",
            "win_share",
            "win_share_low",
            "win_share_high",
            "points",
            "points_low",
            "points_high",
            "worth_wins",
            "worth_wins_low",
            "worth_wins_high",
            "worth_points",
            "worth_points_low",
            "worth_points_high",
            "worth_wins_low_of_all",
            "worth_wins_high_of_all",
            "worth_points_low_of_all",
            "worth_points_high_of_all",
            "trains",
            "turn",
        ]
        .map(|name| (name, Kind::Real)),
    );
    let offer = effect_columns("offer");
    columns.extend(offer.iter().map(|name| (name.as_str(), Kind::Real)));
    let mut rows = dir.table("tickets", &columns)?;
    for row in &summary.tickets {
        let mut cells: Vec<Cell> =
            vec![row.ticket.as_str().into(), i64::from(row.value).into(), (row.held as i64).into()];
        let mut add = |values: &[f64]| cells.extend(values.iter().map(|&value| Cell::from(value)));
        add(&[row.dealt, row.kept_later]);
        for figure in
            [row.kept_opening, row.completed, row.win_share, row.points, row.worth_wins, row.worth_points]
        {
            add(&[figure.value, figure.low, figure.high]);
        }
        for figure in [row.worth_wins_of_all, row.worth_points_of_all] {
            add(&[figure.low, figure.high]);
        }
        add(&[row.trains, row.turn]);
        rows.row(cells.into_iter().chain(effect_cells(row.offer)))?;
    }
    rows.finish()
}

fn write_pairs(dir: &RunDir, summary: &TicketSummary) -> anyhow::Result<()> {
    use Kind::{Real, Text, Whole};
    let columns = [("one", Text), ("other", Text), ("held", Whole), ("completed", Real), ("win_share", Real)];
    let mut rows = dir.table("pairs", &columns)?;
    for row in &summary.pairs {
        rows.row([
            row.one.as_str().into(),
            row.other.as_str().into(),
            (row.held as i64).into(),
            row.completed.into(),
            row.win_share.into(),
        ])?;
    }
    rows.finish()
}

fn write_routes(dir: &RunDir, summary: &TicketSummary) -> anyhow::Result<()> {
    let kinds: Vec<String> =
        CardKind::ALL.iter().map(ToString::to_string).chain(["none".to_owned()]).collect();
    let by_kind: Vec<String> = kinds.iter().map(|kind| format!("paid_{kind}")).collect();
    let names = with_ends(&["claims_per_game", "win_share", "in_winning", "turn", "locomotives"]);
    let mut columns = vec![("route", Kind::Text), ("tracks", Kind::Whole)];
    columns.extend(names.iter().map(|name| (name.as_str(), Kind::Real)));
    columns.extend(by_kind.iter().map(|name| (name.as_str(), Kind::Real)));
    let mut rows = dir.table("routes", &columns)?;
    for row in &summary.routes {
        let share = |kind: &String| {
            row.colours.iter().find(|(name, _)| name == kind).map_or(0.0, |&(_, share)| share)
        };
        let figures = [row.claims, row.win_share, row.in_winning, row.turn, row.locomotives];
        let figures = figures.into_iter().flat_map(|figure| [figure.value, figure.low, figure.high]);
        let figures = figures.chain(kinds.iter().map(share)).map(Cell::from);
        rows.row([row.route.as_str().into(), (row.tracks as i64).into()].into_iter().chain(figures))?;
    }
    rows.finish()
}

fn write_cities(dir: &RunDir, summary: &TicketSummary) -> anyhow::Result<()> {
    let names = with_ends(&["reached", "in_winning"]);
    let mut columns = vec![("city", Kind::Text)];
    columns.extend(names.iter().map(|name| (name.as_str(), Kind::Real)));
    let mut rows = dir.table("cities", &columns)?;
    for row in &summary.cities {
        let figures = [row.reached, row.in_winning];
        let figures = figures.into_iter().flat_map(|figure| [figure.value, figure.low, figure.high]);
        rows.row(std::iter::once(row.city.as_str().into()).chain(figures.map(Cell::from)))?;
    }
    rows.finish()
}

/// Columns of figures, each with those of its interval.
pub(super) fn with_ends(names: &[&str]) -> Vec<String> {
    names.iter().flat_map(|name| ["", "_low", "_high"].map(|end| format!("{name}{end}"))).collect()
}
