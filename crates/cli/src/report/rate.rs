//! The report of a rating.

use super::format::Format;
use super::html::{Html, element};
use super::page::{Page, Section};
use super::provenance::Provenance;
use super::rows_chart::DotWhisker;
use super::table::{Cell, Table};
use ttr_agents::{AgentSpec, Roster};
use ttr_show::text::Align::{Left, Right};
use ttr_show::text::thousands;
use ttr_sim::experiment::{Answer, Comparison, ExperimentSpec, OVERALL, RunCommand, RunSpec};
use ttr_sim::game::AnyGame;
use ttr_sim::rate::{Ladder, Rating};
use ttr_sim::stats::Figure;
use ttr_sim::with_game;

/// The ratings of an entry, one row per table.
///
/// `linked`: the tables have directories next to the report.
pub(super) fn table(rating: &Rating, linked: bool) -> Table {
    let mut table = Table::new([
        ("table", Left),
        ("seats", Right),
        ("agent", Left),
        ("games", Right),
        ("wins", Left),
        ("Elo", Right),
        ("anchor at 0", Left),
        ("forfeits", Right),
    ])
    .explain([
        ("table", "a map with a number of seats"),
        ("wins", "share of games won against the anchors of the table"),
        ("Elo", "rating by wins; ≥ and ≤ are bounds for an agent that won or lost all its games"),
        ("anchor at 0", "the opponent whose rating is 0"),
        ("forfeits", "games that the agent lost because it failed or broke the rules"),
    ]);
    for row in &rating.tables {
        table.row([
            match linked && row.missing.is_none() {
                true => Cell::link(&row.table, format_args!("tables/{}/summary.json", row.table)),
                false => Cell::text(&row.table),
            },
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
/// and entries without an overall rating last.
pub(super) fn leaderboard(spec: &ExperimentSpec, answer: &Answer) -> Option<Section> {
    let ladder = Ladder::v1();
    let of = |run: &RunSpec, subject: &str| {
        let same = |row: &&Comparison| row.run == run.name && row.subject == subject && row.figure == "elo";
        answer.figures.iter().find(same).map_or(Figure::NONE, |row| row.measured)
    };
    let mut runs: Vec<&RunSpec> = spec.runs.iter().filter(|run| run.command == RunCommand::Rate).collect();
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

/// The report of a rating: the same rating gives the same bytes. The roster describes the agents.
pub fn rate(rating: &Rating, agents: &[AgentSpec], roster: &Roster, provenance: &Provenance) -> String {
    let mut chart = DotWhisker::new("Elo by table", Format::ELO).reference(0.0, "anchor");
    for row in rating.tables.iter().filter(|row| row.missing.is_none()) {
        chart = chart.row(&row.table, row.rating);
    }
    if rating.overall.value.is_finite() {
        chart = chart.row("overall", rating.overall);
    }
    let mut section = Section::new("Ratings")
        .text(
            "Rating by wins on the Elo scale, against anchors of fixed rating. Overall is the mean over all tables with equal weights. \
             95 % confidence intervals come from the spread among deals.",
        )
        .with(table(rating, true))
        .with(chart);
    for line in rating.incomplete() {
        section = section.note(format!("{line}."));
    }
    for row in rating.tables.iter().filter(|row| row.forfeits > 0) {
        let why = row.first_forfeit.as_deref().unwrap_or("no reason given");
        section =
            section.note(format!("{} forfeits on {}, the first: {why}.", thousands(row.forfeits), row.table));
    }
    section = section.note("Each table has a directory with its games and figures: tables/NAME.");
    let facts = [
        ("Ladder", Html::text(format_args!("{}, file hash {}", rating.cited(), rating.ladder_hash))),
        ("Entry", Html::from(element("code").text(&rating.label))),
        ("Version", Html::text(format_args!("ttr {}", rating.version))),
    ];
    let mut played = Section::new("What was played").facts(facts.into_iter().chain(provenance.facts()));
    // Defaults are those of each table.
    for row in rating.tables.iter().filter(|row| row.missing.is_none()) {
        let seated = agents.iter().filter(|agent| agent.label() == row.label).take(1);
        if let Ok(game) = AnyGame::find(&row.map, row.seats) {
            let specs = seated.map(|agent| (format!("{} at {}", row.label, row.table), agent));
            played = with_game!(&game, game => played.settings(specs, game, roster));
        }
    }
    Page::new(format!("{} on {}", rating.label, rating.cited()), "ratings against fixed anchors")
        .tile("Overall", Format::ELO.figure(&rating.overall), "Elo, mean over the tables")
        .tile("Games", thousands(rating.games), format!("at {} tables", rating.tables.len()))
        .section(section)
        .section(played)
        .html()
}
