//! The report of a rating.

use super::format::Format;
use super::page::{Page, Section};
use super::rows_chart::DotWhisker;
use super::table::{Cell, Table};
use crate::rate::{Rating, TableRating};
use crate::text::Align::{Left, Right};
use crate::text::thousands;

/// The report of a rating: the same rating gives the same bytes.
pub fn rate(rating: &Rating) -> String {
    let mut table = Table::new([
        ("table", Left),
        ("seats", Right),
        ("agent", Left),
        ("games", Right),
        ("wins", Left),
        ("Elo", Right),
        ("forfeits", Right),
    ]);
    let mut chart = DotWhisker::new("Elo by table", Format::ELO).reference(0.0, &rating.zero);
    for row in &rating.tables {
        let TableRating { table: name, seats, label, games, win_share, rating, forfeits, .. } = row;
        table.row([
            Cell::text(name),
            Cell::count(*seats as u64),
            Cell::code(label),
            Cell::count(*games),
            Cell::bar(win_share, 1.0, Format::PERCENT),
            Cell::figure(rating, Format::ELO),
            Cell::count(*forfeits),
        ]);
        if rating.value.is_finite() {
            chart = chart.row(name, *rating);
        }
    }
    if rating.overall.value.is_finite() {
        chart = chart.row("overall", rating.overall);
    }
    let mut section = Section::new("Ratings")
        .text(format!(
            "Elo by wins against anchors of fixed rating; that of {} is 0 at every table. Intervals are 95 %, from the \
             spread among deals; ≥ and ≤ are bounds of an agent that won all or none of its games. Overall is the mean \
             over all tables, each counting the same.",
            rating.zero
        ))
        .with(table)
        .with(chart);
    for line in rating.incomplete() {
        section = section.note(format!("{line}."));
    }
    for row in rating.tables.iter().filter(|row| row.forfeits > 0) {
        let why = row.first_forfeit.as_deref().unwrap_or("no reason given");
        section =
            section.note(format!("{} forfeits on {}, the first: {why}.", thousands(row.forfeits), row.table));
    }
    section = section.note("The report of each table is in tables/NAME/report.html.");
    Page::new(format!("{} on {}", rating.label, rating.cited()), "ratings against fixed anchors")
        .tile("Overall", Format::ELO.figure(&rating.overall), "Elo, mean over the tables")
        .tile("Games", thousands(rating.games), format!("at {} tables", rating.tables.len()))
        .section(section)
        .html()
}
