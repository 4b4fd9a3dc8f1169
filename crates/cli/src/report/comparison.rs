//! The part of an experiment's report that compares measured figures with published ones.

use super::forest::Forest;
use super::format::Format;
use super::page::{Page, Section};
use super::table::{Cell, Table};
use ttr_show::text::Align::{Left, Right};
use ttr_sim::experiment::{Agreement, Comparison, SourceKind, decimals};

/// Maximum number of rows of a chart that is visible at once; longer ones appear after a click.
const MOST_ROWS: usize = 40;

/// Number of figures that agree.
pub(super) fn tile(page: Page, rows: &[&Comparison]) -> Page {
    let of = |agreement: Agreement| rows.iter().filter(|row| row.agreement() == Some(agreement)).count();
    let mut text = format!("{} agree, {} disagree", of(Agreement::Yes), of(Agreement::No));
    if of(Agreement::Unknown) > 0 {
        text += &format!(", {} unknown", of(Agreement::Unknown));
    }
    page.tile("Figures compared", rows.len().to_string(), text)
}

/// Forest plots by figure, and the table of all figures.
pub(super) fn section(rows: &[&Comparison]) -> Section {
    let reruns = rows.iter().filter(|row| kind(row) == SourceKind::Rerun).count();
    let theirs = match reruns {
        0 => "published",
        reruns if reruns == rows.len() => "rerun of released code",
        _ => "published or rerun",
    };
    let title = match reruns {
        0 => "Published and measured",
        reruns if reruns == rows.len() => "Released code run again, and measured",
        _ => "Published, run again, and measured",
    };
    let mut section = Section::new(title).text(
        "Two figures agree if they differ by no more than their errors explain (95 %). If a source gives its number of games but no \
         error, the error is estimated from the spread of our own games; if it gives neither, agreement is unknown.",
    );
    let mut figures: Vec<&str> = Vec::new();
    for row in rows {
        if !figures.contains(&row.figure.as_str()) {
            figures.push(&row.figure);
        }
    }
    for figure in &figures {
        let of_figure: Vec<&&Comparison> = rows.iter().filter(|row| row.figure == *figure).collect();
        let format = format(figure, rows);
        let chart =
            of_figure.iter().fold(Forest::new(capital(&name(figure)), theirs, format), |chart, row| {
                let (Some(published), Some(agreement)) = (row.published_figure(), row.agreement()) else {
                    return chart;
                };
                chart.row(format!("{}: {}", row.run, row.subject), published, row.measured, agreement)
            });
        section = match of_figure.len() {
            ..=MOST_ROWS => section.with(chart),
            many => section.details(format!("{many} rows: {}", name(figure)), chart),
        };
    }
    let mut sources: Vec<&str> = Vec::new();
    let mut table = Table::new([
        ("run", Left),
        ("of", Left),
        ("figure", Left),
        (theirs, Right),
        ("measured", Right),
        ("z", Right),
        ("agrees", Left),
        ("source", Right),
    ]);
    for row in rows {
        let (Some(other), Some(published), Some(agreement)) =
            (&row.published, row.published_figure(), row.agreement())
        else {
            continue;
        };
        let source = sources.iter().position(|known| *known == other.source).unwrap_or_else(|| {
            sources.push(&other.source);
            sources.len() - 1
        });
        let format = format(&row.figure, rows);
        let verdict = match agreement {
            Agreement::No => Cell::strong("no"),
            other => Cell::text(other.word()),
        };
        table.row([
            Cell::text(&row.run),
            Cell::prose_name(&row.subject),
            Cell::text(name(&row.figure)),
            Cell::figure(&published, format),
            Cell::figure(&row.measured, format),
            row.z().map_or_else(Cell::missing, |z| Cell::number(z, Format::POINTS.signed())),
            verdict,
            Cell::count(source as u64 + 1),
        ]);
    }
    let section = section.heading("All compared figures").with(table).note(
        "z: difference in units of its standard error. A figure without ± has an unknown error. Source: see below.",
    );
    sources
        .iter()
        .enumerate()
        .fold(section, |section, (index, source)| section.note(format!("Source {}: {source}", index + 1)))
}

fn kind(row: &Comparison) -> SourceKind {
    row.published.as_ref().map(|published| published.kind).unwrap_or_default()
}

/// Shares are written in per cent, and all rows of a figure have the same decimals.
fn format(figure: &str, rows: &[&Comparison]) -> Format {
    let is_share =
        figure.ends_with("wins") || ["win_share", "completed", "ahead", "kept_opening"].contains(&figure);
    match is_share {
        true => Format::percent(decimals(figure, rows, 100.0)),
        false => Format::decimals(decimals(figure, rows, 1.0)),
    }
}

/// A figure in words.
fn name(figure: &str) -> String {
    match figure {
        "left" => "trains or cards left".to_owned(),
        "completed" => "share of holders who complete it".to_owned(),
        "claims" => "claims per game".to_owned(),
        "win_share" => "share of wins".to_owned(),
        "tickets_failed" => "tickets not completed".to_owned(),
        other => other.replace('_', " "),
    }
}

/// A text that begins with a capital letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
