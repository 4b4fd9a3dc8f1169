//! The tables of ticket statistics. docs/FORMATS.md defines the columns.

use ttr_engine::CardKind;

use super::TicketSummary;
use super::forced::{effect_cells, effect_columns};
use crate::run::dir::RunDir;
use crate::run::error::FileError;
use crate::run::rows::{Cell, ColumnType};

pub(super) fn write_tickets(dir: &RunDir, summary: &TicketSummary) -> Result<(), FileError> {
    let mut columns =
        vec![("ticket", ColumnType::Text), ("value", ColumnType::Whole), ("held", ColumnType::Whole)];
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
        .map(|name| (name, ColumnType::Real)),
    );
    let offer = effect_columns("offer");
    columns.extend(offer.iter().map(|name| (name.as_str(), ColumnType::Real)));
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

pub(super) fn write_pairs(dir: &RunDir, summary: &TicketSummary) -> Result<(), FileError> {
    use ColumnType::{Real, Text, Whole};
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

pub(super) fn write_routes(dir: &RunDir, summary: &TicketSummary) -> Result<(), FileError> {
    let kinds: Vec<String> =
        CardKind::ALL.iter().map(ToString::to_string).chain(["none".to_owned()]).collect();
    let by_kind: Vec<String> = kinds.iter().map(|kind| format!("paid_{kind}")).collect();
    let names = with_ends(&["claims_per_game", "win_share", "in_winning", "turn", "locomotives"]);
    let mut columns = vec![("route", ColumnType::Text), ("tracks", ColumnType::Whole)];
    columns.extend(names.iter().map(|name| (name.as_str(), ColumnType::Real)));
    columns.extend(by_kind.iter().map(|name| (name.as_str(), ColumnType::Real)));
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

pub(super) fn write_cities(dir: &RunDir, summary: &TicketSummary) -> Result<(), FileError> {
    let names = with_ends(&["reached", "in_winning"]);
    let mut columns = vec![("city", ColumnType::Text)];
    columns.extend(names.iter().map(|name| (name.as_str(), ColumnType::Real)));
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
