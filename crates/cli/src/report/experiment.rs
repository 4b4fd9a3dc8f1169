//! The report of an experiment.

use super::comparison;
use super::forced;
use super::format::Format;
use super::page::{Page, Section};
use super::provenance::Provenance;
use super::rate;
use super::rows_chart::DotWhisker;
use super::table::{Cell, Table};
use ttr_show::text::Align::{Left, Right};
use ttr_show::text::thousands;
use ttr_sim::arena::ordinal;
use ttr_sim::experiment::{Answer, Comparison, ExperimentSpec, Measured, RunCommand, RunSpec};
use ttr_sim::tickets::TicketSummary;

/// The report of an experiment: the same answer gives the same bytes.
pub fn experiment(spec: &ExperimentSpec, answer: &Answer) -> String {
    let mut page = Page::new(&spec.title, &spec.question).footer(format!(
        "ttr {}; 95 % confidence intervals from the spread among deals",
        env!("CARGO_PKG_VERSION")
    ));
    let compared: Vec<_> = answer.figures.iter().filter(|row| row.published.is_some()).collect();
    if !compared.is_empty() {
        page = comparison::tile(page, &compared).section(comparison::section(&compared));
    }
    if let Some(section) = rate::leaderboard(spec, answer) {
        page = page.section(section);
    }
    if let Some(section) = winners(spec, answer) {
        page = page.section(section);
    }
    for (name, measured) in &answer.runs {
        page = page.section(match measured {
            Measured::Arena(summary) => {
                let mut table = Table::new([
                    ("agent", Left),
                    ("wins", Left),
                    ("Elo", Right),
                    ("points", Right),
                    ("tickets completed", Right),
                    ("not completed", Right),
                ])
                .explain([
                    ("wins", "share of games won, a tie shared among the winners"),
                    ("Elo", "rating by wins; that of the anchor is 0"),
                    ("points", "mean points"),
                    ("tickets", "mean number per game"),
                ]);
                for agent in &summary.agents {
                    table.row([
                        Cell::code(&agent.label),
                        Cell::bar(&agent.win_share, 1.0, Format::PERCENT),
                        Cell::figure(&agent.rating, Format::ELO),
                        Cell::figure(&agent.points, Format::POINTS),
                        Cell::figure(&agent.tickets_completed, Format::decimals(2)),
                        Cell::figure(&agent.tickets_failed, Format::decimals(2)),
                    ]);
                }
                let fair = 1.0 / summary.seats as f64;
                let seats = summary.seat_advantage.iter().fold(
                    DotWhisker::new("Wins by order of play", Format::PERCENT).reference(fair, "fair share"),
                    |chart, seat| chart.row(ordinal(seat.place), seat.win_share),
                );
                Section::new(format!("Run {name}"))
                    .text(format!(
                        "{}, {} seats, {} games, seed {}.",
                        summary.map,
                        summary.seats,
                        thousands(summary.games),
                        summary.seed
                    ))
                    .with(table)
                    .with(seats)
            }
            Measured::Rate(rating) => Section::new(format!("Run {name}"))
                .text(format!("{} on {}, {} games.", rating.label, rating.cited(), thousands(rating.games)))
                .with(rate::table(rating, false)),
            Measured::Tickets(summary) => {
                let games = summary.forced.as_ref().map_or(summary.games, |forced| forced.games);
                let section = Section::new(format!("Run {name}")).text(format!(
                    "{}, {} seats, {}, {} games, seed {}.",
                    summary.map,
                    summary.seats,
                    summary.agents.join(" / "),
                    thousands(games),
                    summary.seed
                ));
                match &summary.forced {
                    Some(forced) => {
                        section.with(forced::choice_table(forced)).with(forced::effect_table(summary, forced))
                    }
                    None => section.with(ticket_table(summary)),
                }
            }
        });
    }
    page.section(files(spec)).html()
}

/// The files of the experiment, in the directory of the report.
fn files(spec: &ExperimentSpec) -> Section {
    let mut files = vec!["experiment.toml".to_owned(), "results.csv".to_owned()];
    files.extend(spec.published_file.clone());
    Section::new("Files")
        .text("results.csv has all figures of this page with their intervals; experiment.toml has everything needed to run it again.")
        .facts(Provenance { command: None, files }.facts())
}

fn ticket_table(summary: &TicketSummary) -> Table {
    let mut table = Table::new([
        ("ticket", Left),
        ("value", Right),
        ("completed", Right),
        ("wins of holders", Right),
        ("association: wins", Right),
        ("offer: wins", Right),
    ])
    .explain([
        ("value", "points printed on the ticket"),
        ("completed", "share of its holders who completed it"),
        ("association", "share of wins of its holders, less that of all others; not a causal effect"),
        ("offer", "players who were offered it at the opening, less those who were not: a causal effect"),
    ]);
    for row in &summary.tickets {
        table.row([
            Cell::text(&row.ticket),
            Cell::count(row.value.into()),
            Cell::figure(&row.completed, Format::PERCENT),
            Cell::figure(&row.win_share, Format::PERCENT),
            Cell::figure(&row.worth_wins_of_all, Format::PERCENT_MORE),
            Cell::figure(&row.offer.wins_of_all, Format::PERCENT_MORE),
        ]);
    }
    table
}

/// The best agent of each run, also of runs that were played before; `None` unless there are several to
/// compare.
fn winners(spec: &ExperimentSpec, answer: &Answer) -> Option<Section> {
    let best = |run: &RunSpec| {
        let wins = |row: &&Comparison| row.figure == "win_share" && !row.subject.starts_with("place ");
        let rows = answer.figures.iter().filter(|row| row.run == run.name).filter(wins);
        let rows: Vec<_> = rows.collect();
        // A single agent has a fair share.
        let best = rows.iter().copied().max_by(|a, b| a.measured.value.total_cmp(&b.measured.value));
        best.filter(|_| rows.len() > 1)
    };
    let rows: Vec<_> =
        spec.runs.iter().filter(|run| run.command == RunCommand::Arena).filter_map(best).collect();
    if rows.len() < 2 {
        return None;
    }
    // A share of wins is only meaningful next to the fair one, which depends on the number of seats.
    let seats_of = |name: &str| {
        let measured = answer.runs.iter().find_map(|(run, measured)| match measured {
            Measured::Arena(summary) if run == name => Some(summary.seats),
            _ => None,
        });
        let run = spec.runs.iter().find(|run| run.name == name);
        let by_line_up = |run: &RunSpec| (!run.line_up.is_empty()).then_some(run.line_up.len());
        measured.or_else(|| run.and_then(|run| run.seats.or(by_line_up(run))))
    };
    let mut groups: Vec<(Option<usize>, DotWhisker)> = Vec::new();
    for row in rows {
        let seats = seats_of(&row.run);
        let title = seats.map_or("Share of wins".to_owned(), |seats| format!("Share of wins, {seats} seats"));
        let label = format!("{}: {}", row.run, row.subject);
        match groups.iter_mut().find(|(known, _)| *known == seats) {
            Some((_, chart)) => *chart = chart.clone().row(label, row.measured),
            None => {
                let chart = DotWhisker::new(title, Format::PERCENT).row(label, row.measured);
                groups.push((
                    seats,
                    match seats {
                        Some(seats) => chart.reference(1.0 / seats as f64, "fair share"),
                        None => chart,
                    },
                ));
            }
        }
    }
    groups.sort_by_key(|(seats, _)| *seats);
    let section = Section::new("Who wins").text("The best agent of each run.");
    Some(groups.into_iter().fold(section, |section, (_, chart)| section.with(chart)))
}
