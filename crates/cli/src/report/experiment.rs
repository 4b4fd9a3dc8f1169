//! The report of an experiment.

use super::forced;
use super::format::Format;
use super::page::{Page, Section};
use super::rate;
use super::rows_chart::DotWhisker;
use super::table::{Cell, Table};
use ttr_show::text::Align::{Left, Right};
use ttr_show::text::thousands;
use ttr_sim::arena::ordinal;
use ttr_sim::experiment::{Answer, Comparison, ExperimentSpec, Measured, Published, RunSpec, Verb};
use ttr_sim::stats::binomial;
use ttr_sim::tickets::TicketSummary;

/// The report of an experiment: the same answer gives the same bytes.
pub fn experiment(spec: &ExperimentSpec, answer: &Answer) -> String {
    let mut page = Page::new(&spec.title, &spec.question).footer(format!(
        "ttr {}; intervals are 95 %, from the spread among deals",
        env!("CARGO_PKG_VERSION")
    ));
    let compared: Vec<_> = answer.figures.iter().filter(|row| row.published.is_some()).collect();
    let agreeing = compared.iter().filter(|row| row.agrees() == Some(true)).count();
    if !compared.is_empty() {
        page = page.tile(
            "Published figures",
            compared.len().to_string(),
            format!("{agreeing} of them agree with ours"),
        );
        page = page.section(comparison(&compared));
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
                    ("failed", Right),
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
                .with(rate::table(rating)),
            Measured::Seats(wins, games) => {
                let fair = 1.0 / wins.len() as f64;
                let chart = wins.iter().enumerate().fold(
                    DotWhisker::new("Wins by order of play", Format::PERCENT).reference(fair, "fair share"),
                    |chart, (place, &wins)| {
                        chart.row(
                            ordinal(place + 1),
                            binomial(wins as f64 / *games as f64, *games as f64, 1.96),
                        )
                    },
                );
                Section::new(format!("Run {name}")).text(format!("{} games.", thousands(*games))).with(chart)
            }
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
    page.html()
}

fn ticket_table(summary: &TicketSummary) -> Table {
    let mut table = Table::new([
        ("ticket", Left),
        ("value", Right),
        ("completed", Right),
        ("wins of holders", Right),
        ("association: wins", Right),
        ("offer: wins", Right),
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

/// The best agent of each run, also of runs that were played before; none if there are not several to be compared.
fn winners(spec: &ExperimentSpec, answer: &Answer) -> Option<Section> {
    let best = |run: &RunSpec| {
        let wins = |row: &&Comparison| row.figure == "win_share" && !row.subject.starts_with("place ");
        let rows = answer.figures.iter().filter(|row| row.run == run.name).filter(wins);
        let rows: Vec<_> = rows.collect();
        // An agent among its like has a fair share.
        let best = rows.iter().copied().max_by(|a, b| a.measured.value.total_cmp(&b.measured.value));
        best.filter(|_| rows.len() > 1)
    };
    let rows: Vec<_> = spec.runs.iter().filter(|run| run.verb == Verb::Arena).filter_map(best).collect();
    if rows.len() < 2 {
        return None;
    }
    let chart = rows.iter().fold(DotWhisker::new("Share of wins", Format::PERCENT), |chart, row| {
        chart.row(format!("{}: {}", row.run, row.subject), row.measured)
    });
    let seats = spec.runs[0].seats.filter(|_| spec.runs.iter().all(|run| run.seats == spec.runs[0].seats));
    let chart = match seats {
        Some(seats) => chart.reference(1.0 / seats as f64, "fair share"),
        None => chart,
    };
    Some(Section::new("Who wins").text("The best agent of each run.").with(chart))
}

fn comparison(rows: &[&Comparison]) -> Section {
    let mut table = Table::new([
        ("run", Left),
        ("of", Left),
        ("figure", Left),
        ("published", Right),
        ("measured", Right),
        ("95 % interval", Right),
        ("agrees", Left),
        ("source", Left),
    ]);
    for row in rows {
        let Some(Published { value, error, source, .. }) = &row.published else { continue };
        let format = Format::decimals(if value.abs() < 2.0 { 3 } else { 1 });
        table.row([
            Cell::text(&row.run),
            Cell::text(&row.subject),
            Cell::text(row.figure.replace('_', " ")),
            Cell::text(match *error {
                0.0 => format.value(*value),
                error => format!("{} ±{}", format.value(*value), format.value(1.96 * error)),
            }),
            Cell::number(row.measured.value, format),
            Cell::text(format!("{} to {}", format.value(row.measured.low), format.value(row.measured.high))),
            Cell::text(if row.agrees() == Some(true) { "yes" } else { "no" }),
            Cell::text(source),
        ]);
    }
    Section::new("Published and measured")
        .text("Figures agree if they differ by no more than the errors of both explain, at 95 %. Where no error was published, only ours counts.")
        .with(table)
}
