//! The tables of forced opening choices.

use super::{ForcedSummary, Opening};
use crate::arena::SHARE;
use crate::game::Playable;
use crate::run::dir::RunDir;
use crate::run::error::FileError;
use crate::run::rows::{Cell, ColumnType, RowWriter};
use crate::table::entrant::Entrant;
use crate::tickets::effect::Effect;
use crate::tickets::tables::with_ends;
use crate::tickets::{TicketSummary, Tickets};

/// The columns of an effect.
pub(in crate::tickets) fn effect_columns(name: &str) -> Vec<String> {
    ["wins", "points"]
        .iter()
        .flat_map(|of| {
            ["", "_low", "_high", "_low_of_all", "_high_of_all"].map(|end| format!("{name}_{of}{end}"))
        })
        .collect()
}

/// The cells of an effect.
pub(in crate::tickets) fn effect_cells(effect: Effect) -> impl Iterator<Item = Cell> {
    let Effect { wins, points, wins_of_all, points_of_all } = effect;
    [(wins, wins_of_all), (points, points_of_all)]
        .into_iter()
        .flat_map(|(one, all)| [one.value, one.low, one.high, all.low, all.high])
        .map(Cell::from)
}

/// Writes the table of the effects of tickets.
pub(in crate::tickets) fn write_effects(
    dir: &RunDir,
    summary: &TicketSummary,
    forced: &ForcedSummary,
) -> Result<(), FileError> {
    let names: Vec<_> =
        ["add", "swap", "offer", "worth"].iter().flat_map(|name| effect_columns(name)).collect();
    let mut columns =
        vec![("ticket", ColumnType::Text), ("value", ColumnType::Whole), ("offered", ColumnType::Whole)];
    columns.extend(names.iter().map(|name| (name.as_str(), ColumnType::Real)));
    let mut rows = dir.table("effects", &columns)?;
    for (row, effects) in summary.tickets.iter().zip(&forced.tickets) {
        let cells =
            [row.ticket.as_str().into(), i64::from(row.value).into(), (effects.offered as i64).into()];
        let effects = [effects.add, effects.swap, row.offer, row.worth()];
        rows.row(cells.into_iter().chain(effects.into_iter().flat_map(effect_cells)))?;
    }
    rows.finish()
}

/// Writes the table of rules that choose opening tickets.
pub(in crate::tickets) fn write_choices(dir: &RunDir, forced: &ForcedSummary) -> Result<(), FileError> {
    let names = with_ends(&["win_share", "points", "regret_wins", "regret_points"]);
    let mut columns = vec![
        ("agent", ColumnType::Text),
        ("rule", ColumnType::Text),
        ("kept", ColumnType::Real),
        ("same", ColumnType::Real),
    ];
    columns.extend(names.iter().map(|name| (name.as_str(), ColumnType::Real)));
    let mut rows = dir.table("choices", &columns)?;
    for row in &forced.choices {
        let cells = [row.agent.as_str().into(), row.rule.as_str().into(), row.kept.into(), row.same.into()];
        let figures = [row.win_share, row.points, row.regret_wins, row.regret_points];
        let figures = figures.into_iter().flat_map(|figure| [figure.value, figure.low, figure.high]);
        rows.row(cells.into_iter().chain(figures.map(Cell::from)))?;
    }
    rows.finish()
}

/// The table with one row per opening choice and legal set.
pub(in crate::tickets) struct OpeningRows<'s> {
    tickets: Vec<String>,
    agents: Vec<&'s str>,
    rows: RowWriter,
}

impl<'s> OpeningRows<'s> {
    pub(in crate::tickets) fn create<G: Playable>(
        dir: &RunDir,
        study: &'s Tickets<G>,
    ) -> Result<Self, FileError> {
        use ColumnType::{Real, Text, Whole};
        let columns = [
            ("deal", Whole),
            ("game", Whole),
            ("seat", Whole),
            ("agent", Text),
            ("offered", Text),
            ("kept", Text),
            ("own", Whole),
            ("win_share", Real),
            ("points", Whole),
        ];
        let agents = study.entrants.iter().map(Entrant::label).collect();
        Ok(Self { tickets: study.game.ticket_names(), agents, rows: dir.table("openings", &columns)? })
    }

    /// Adds the rows of an opening.
    pub(in crate::tickets) fn add(&mut self, opening: &Opening) -> Result<(), FileError> {
        let list = |kept: u8| {
            let names = opening.tickets(kept).map(|ticket| self.tickets[ticket.index()].as_str());
            names.collect::<Vec<_>>().join("; ")
        };
        for (index, arm) in opening.arms.iter().enumerate() {
            self.rows.row([
                (opening.deal as i64).into(),
                i64::from(opening.game).into(),
                i64::from(opening.seat + 1).into(),
                self.agents[opening.agent as usize].into(),
                list(u8::MAX).into(),
                list(arm.kept).into(),
                i64::from(index == usize::from(opening.own)).into(),
                (f64::from(arm.share) / SHARE as f64).into(),
                i64::from(arm.points).into(),
            ])?;
        }
        Ok(())
    }

    /// Renames the files to their final names.
    pub(in crate::tickets) fn finish(self) -> Result<(), FileError> {
        self.rows.finish()
    }
}
