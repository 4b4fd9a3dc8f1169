//! The report of a rating.

use super::format::Format;
use super::page::{Page, Section};
use super::rows_chart::DotWhisker;
use super::table::{Cell, Table};
use ttr_show::text::Align::{Left, Right};
use ttr_show::text::thousands;
use ttr_sim::experiment::{Answer, Comparison, ExperimentSpec, OVERALL, RunSpec, Verb};
use ttr_sim::rate::{Ladder, Rating};
use ttr_sim::stats::Figure;

/// The ratings of an entry, one row per table.
pub(super) fn table(rating: &Rating) -> Table {
    let mut table = Table::new([
        ("table", Left),
        ("seats", Right),
        ("agent", Left),
        ("games", Right),
        ("wins", Left),
        ("Elo", Right),
        ("zero", Left),
        ("forfeits", Right),
    ]);
    for row in &rating.tables {
        table.row([
            Cell::text(&row.table),
            Cell::count(row.seats as u64),
            Cell::code(&row.label),
            Cell::count(row.games),
            Cell::bar(&row.win_share, 1.0, Format::PERCENT),
            Cell::figure(&row.rating, Format::ELO),
            Cell::text(&row.zero),
            Cell::count(row.forfeits),
        ]);
    }
    table
}

/// All entries that an experiment has rated, also in runs that were played before; the best overall first,
/// and entries without an overall rating in the end.
pub(super) fn leaderboard(spec: &ExperimentSpec, answer: &Answer) -> Option<Section> {
    let ladder = Ladder::v1();
    let of = |run: &RunSpec, subject: &str| {
        let same = |row: &&Comparison| row.run == run.name && row.subject == subject && row.figure == "elo";
        answer.figures.iter().find(same).map_or(Figure::NONE, |row| row.measured)
    };
    let mut runs: Vec<&RunSpec> = spec.runs.iter().filter(|run| run.verb == Verb::Rate).collect();
    let strength = |run: &RunSpec| {
        let overall = of(run, OVERALL);
        [overall.value, overall.low, overall.high]
            .into_iter()
            .find(|x| x.is_finite())
            .unwrap_or(f64::NEG_INFINITY)
    };
    runs.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
    if runs.is_empty() {
        return None;
    }
    let tables = ladder.tables.iter().map(|table| (table.name.as_str(), Right));
    let mut table = Table::new([("entry", Left), ("overall", Right)].into_iter().chain(tables));
    for run in runs {
        let subjects = std::iter::once(OVERALL).chain(ladder.tables.iter().map(|table| table.name.as_str()));
        let cells = subjects.map(|subject| Cell::figure(&of(run, subject), Format::ELO));
        table.row(std::iter::once(Cell::code(&run.name)).chain(cells));
    }
    let text = format!("Elo on {}; 0 is one fixed opponent of each table.", ladder.id().replace("-v", " v"));
    Some(Section::new("Leaderboard").text(text).with(table))
}

/// The report of a rating: the same rating gives the same bytes.
pub fn rate(rating: &Rating) -> String {
    let mut chart = DotWhisker::new("Elo by table", Format::ELO).reference(0.0, "zero");
    for row in rating.tables.iter().filter(|row| row.rating.value.is_finite()) {
        chart = chart.row(&row.table, row.rating);
    }
    if rating.overall.value.is_finite() {
        chart = chart.row("overall", rating.overall);
    }
    let mut section = Section::new("Ratings")
        .text(
            "Elo by wins against anchors of fixed rating; that of the anchor under \"zero\" is 0. Intervals are 95 %, from the \
             spread among deals; ≥ and ≤ are bounds of an agent that won all or none of its games. Overall is the mean \
             over all tables, each counting the same.",
        )
        .with(table(rating))
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
