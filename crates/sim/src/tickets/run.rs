//! Ticket statistics with a directory: played in parts, resumed, merged, written out.

use anyhow::Context;
use ttr_agents::AgentSpec;
use ttr_engine::CardKind;

use super::{TicketSummary, TicketTally, Tickets};
use crate::entrant::Entrant;
use crate::kept_run::{KeptRun, for_each_part, play_missing};
use crate::playable::Playable;
use crate::report;
use crate::rows::{Cell, Kind, RowWriter};
use crate::run_dir::{RunDir, RunPlan, SUMMARY};
use crate::runner::{Drive, Go, Outcome};
use crate::schedule::Schedule;

/// Ticket statistics in a directory.
pub struct TicketRun<G> {
    study: Tickets<G>,
    dir: RunDir,
}

impl<G: Playable> TicketRun<G> {
    /// The verb of its plans.
    pub const VERB: &'static str = "tickets";

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

    /// The statistics of a directory. `entrants` are the agents of its plan.
    ///
    /// # Errors
    /// If the directory is of something else.
    pub fn new(game: G, entrants: Vec<Entrant<G>>, dir: RunDir) -> anyhow::Result<Self> {
        let plan = dir.plan();
        anyhow::ensure!(
            plan.verb == Self::VERB,
            "{} is not the directory of ticket statistics",
            dir.path().display()
        );
        let schedule = Schedule::new(plan.line_ups.clone());
        let study = Tickets { game, entrants, schedule, seed: plan.seed };
        Ok(Self { study, dir })
    }
}

impl<G: Playable> KeptRun for TicketRun<G> {
    type Summary = TicketSummary;

    fn dir(&self) -> &RunDir {
        &self.dir
    }

    fn games_per_deal(&self) -> u64 {
        self.study.schedule.games_per_deal()
    }

    fn play(&self, drive: &Drive<'_>) -> anyhow::Result<Outcome> {
        let study = &self.study;
        play_missing(&self.dir, &study.game, &study.entrants, study, drive, |_, _| Go::On)
    }

    fn so_far(&self) -> anyhow::Result<TicketSummary> {
        let mut tally = self.study.tally();
        for_each_part(&self.dir, |part: TicketTally| {
            tally.merge(&part);
            Ok(())
        })?;
        Ok(TicketSummary::new(&self.study, &tally))
    }

    fn finish(&self) -> anyhow::Result<TicketSummary> {
        let summary = self.so_far()?;
        write_tickets(&self.dir, &summary)?;
        write_pairs(&self.dir, &summary)?;
        if self.study.game.board().is_some() {
            write_routes(&self.dir, &summary)?;
            write_cities(&self.dir, &summary)?;
        }
        self.dir.write_file("report.html", report::tickets(&summary, &self.study.game).as_bytes())?;
        let mut text = serde_json::to_vec_pretty(&summary).context("the summary can't be written")?;
        text.push(b'\n');
        self.dir.write_file(SUMMARY, &text)?;
        self.dir.discard_parts()?;
        Ok(summary)
    }
}

fn write_tickets(dir: &RunDir, summary: &TicketSummary) -> anyhow::Result<()> {
    let mut columns = vec![("ticket", Kind::Text), ("value", Kind::Whole), ("held", Kind::Whole)];
    columns.extend(
        [
            "dealt_per_1000_games",
            "kept_opening",
            "kept_later",
            "completed",
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
            "trains",
            "turn",
        ]
        .map(|name| (name, Kind::Real)),
    );
    let mut rows = RowWriter::create(dir.path(), "tickets", &columns)?;
    for row in &summary.tickets {
        let mut cells: Vec<Cell> =
            vec![row.ticket.as_str().into(), i64::from(row.value).into(), (row.held as i64).into()];
        let mut add = |values: &[f64]| cells.extend(values.iter().map(|&value| Cell::from(value)));
        add(&[row.dealt, row.kept_opening, row.kept_later, row.completed]);
        for figure in [row.win_share, row.points, row.worth_wins, row.worth_points] {
            add(&[figure.value, figure.low, figure.high]);
        }
        add(&[row.trains, row.turn]);
        rows.row(cells)?;
    }
    rows.finish()
}

fn write_pairs(dir: &RunDir, summary: &TicketSummary) -> anyhow::Result<()> {
    use Kind::{Real, Text, Whole};
    let columns = [("one", Text), ("other", Text), ("held", Whole), ("completed", Real), ("win_share", Real)];
    let mut rows = RowWriter::create(dir.path(), "pairs", &columns)?;
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
    let mut columns = vec![("route", Kind::Text)];
    columns.extend(
        ["claims_per_game", "win_share", "in_winning", "turn", "locomotives"].map(|name| (name, Kind::Real)),
    );
    columns.extend(by_kind.iter().map(|name| (name.as_str(), Kind::Real)));
    let mut rows = RowWriter::create(dir.path(), "routes", &columns)?;
    for row in &summary.routes {
        let share = |kind: &String| {
            row.colours.iter().find(|(name, _)| name == kind).map_or(0.0, |&(_, share)| share)
        };
        let figures = [row.claims, row.win_share, row.in_winning, row.turn, row.locomotives];
        let figures = figures.into_iter().chain(kinds.iter().map(share)).map(Cell::from);
        rows.row(std::iter::once(row.route.as_str().into()).chain(figures))?;
    }
    rows.finish()
}

fn write_cities(dir: &RunDir, summary: &TicketSummary) -> anyhow::Result<()> {
    let columns = [("city", Kind::Text), ("reached", Kind::Real), ("in_winning", Kind::Real)];
    let mut rows = RowWriter::create(dir.path(), "cities", &columns)?;
    for row in &summary.cities {
        rows.row([row.city.as_str().into(), row.reached.into(), row.in_winning.into()])?;
    }
    rows.finish()
}
