//! The results of an experiment, next to those of others.

use std::path::Path;

use csv::StringRecord;
use serde::Serialize;
use ttr_engine::input_file;

use super::compare::{Agreement, Comparison, NORMAL};
use super::spec::{ExperimentError, MAX_FILE_BYTES, Published, RunSpec};
use crate::arena::Summary;
use crate::rate::Rating;
use crate::run::csv_text;
use crate::stats::{Figure, binomial};
use crate::table::schedule::Schedule;
use crate::tickets::{ForcedSummary, OWN_CHOICE, TicketSummary};

/// The result of a run.
#[derive(Clone, PartialEq, Debug)]
#[expect(clippy::large_enum_variant, reason = "an experiment has a handful of them")]
pub enum Measured {
    /// Strength of agents.
    Arena(Summary),
    /// Value of tickets and routes.
    Tickets(TicketSummary),
    /// The rating of an agent on a ladder.
    Rate(Rating),
}

/// The subject of the mean over the tables of a ladder.
pub const OVERALL: &str = "overall";

/// A row of `results.csv`: the names of a figure, its measured and its published value.
#[derive(Serialize)]
struct ResultRow<'r> {
    run: &'r str,
    subject: &'r str,
    figure: &'r str,
    measured: String,
    low: String,
    high: String,
    games: Option<u64>,
    kind: &'r str,
    published: Option<String>,
    published_error: Option<String>,
    estimated_error: Option<String>,
    agrees: &'r str,
    source: &'r str,
}

/// The columns that are read back.
const MEASURED: [&str; 6] = ["run", "subject", "figure", "measured", "low", "high"];

/// All results.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Answer {
    /// The result of each run.
    pub runs: Vec<(String, Measured)>,
    /// All figures, those with published ones first.
    pub figures: Vec<Comparison>,
}

impl Answer {
    pub(super) fn add(&mut self, run: &RunSpec, measured: Measured) {
        figures(&measured, &mut |subject, figure, value| {
            self.add_figure(&run.name, subject, figure, value, games_of(&measured, subject, figure));
        });
        self.runs.push((run.name.clone(), measured));
    }

    /// Adds a figure, and the number of games behind it if each counts the same. Your own program can
    /// measure anything, as `examples/my_game.rs` does.
    pub fn add_figure(
        &mut self,
        run: &str,
        subject: &str,
        figure: &str,
        measured: Figure,
        games: Option<u64>,
    ) {
        // Rounded as in the table: figures that are read back from there agree with the same published
        // ones.
        let rounded = |figure: f64| (figure * 1e6).round() / 1e6;
        let Figure { value, low, high, .. } = measured;
        self.figures.push(Comparison {
            run: run.to_owned(),
            subject: subject.to_owned(),
            figure: figure.to_owned(),
            measured: Figure::new(rounded(value), rounded(low), rounded(high)),
            games,
            published: None,
        });
    }

    /// Keeps the known figures of a run that is not played.
    pub(super) fn keep(&mut self, run: &RunSpec, known: &[Comparison]) {
        self.figures.extend(known.iter().filter(|figure| figure.run == run.name).cloned());
    }

    /// Joins published figures to the measured ones, and sorts these first. Figures of runs that were not
    /// played are skipped.
    ///
    /// # Errors
    /// If a run was played and does not have the figure; the error names `folder`.
    pub fn compare(&mut self, published: &[Published], folder: &Path) -> Result<(), ExperimentError> {
        for other in published {
            if !self.figures.iter().any(|own| own.run == other.run) {
                continue; // it was not played yet
            }
            let same = |own: &&mut Comparison| {
                own.run == other.run && own.figure == other.figure && own.subject == other.subject
            };
            let Some(found) = self.figures.iter_mut().find(same) else {
                let Published { run, figure, subject, .. } = other;
                let message = format!("the run {run:?} has no figure {figure:?} of {subject:?}");
                return Err(ExperimentError::new(folder, None, message, "it is said to be published"));
            };
            found.published = Some(other.clone());
        }
        self.figures.sort_by_key(|figure| figure.published.is_none());
        Ok(())
    }

    /// Writes the table as CSV: one row per figure.
    pub fn csv(&self) -> String {
        csv_text::write(self.figures.iter().map(ResultRow::new))
    }
}

impl<'r> ResultRow<'r> {
    fn new(row: &'r Comparison) -> Self {
        let decimal = |figure: f64| format!("{figure:.6}");
        let published = row.published.as_ref();
        Self {
            run: &row.run,
            subject: &row.subject,
            figure: &row.figure,
            measured: decimal(row.measured.value),
            low: decimal(row.measured.low),
            high: decimal(row.measured.high),
            games: row.games,
            kind: published.map_or("", |other| other.kind.word()),
            published: published.map(|other| other.value.to_string()),
            published_error: published.and_then(|other| other.error).map(|error| error.to_string()),
            estimated_error: row.estimated_error().map(decimal),
            agrees: row.agreement().map_or("", Agreement::word),
            source: published.map_or("", |other| &other.source),
        }
    }
}

/// Reads the figures of a file that [`Answer::csv`] wrote, without published ones; empty if there is no
/// such file.
pub(super) fn read(path: &Path) -> Result<Vec<Comparison>, ExperimentError> {
    let refuse = |line, message: &str| ExperimentError::new(path, line, message.to_owned(), REPAIR);
    let text = match input_file::read_text(path, MAX_FILE_BYTES) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text.map_err(|error| refuse(None, &error.to_string()))?,
    };
    let mut records = csv_text::read(&text).into_iter();
    let (_, columns) = records.next().unwrap_or_default();
    // Older versions wrote fewer columns.
    let place = |name: &str| columns.iter().position(|column| column == name);
    let Some(places) = MEASURED.iter().map(|name| place(name)).collect::<Option<Vec<usize>>>() else {
        return Err(refuse(Some(1), &format!("the columns {} are expected", MEASURED.join(","))));
    };
    let row = |(line, record): (usize, StringRecord)| {
        let cell = |measured: usize| &record[places[measured]];
        let number = |measured: usize| cell(measured).parse::<f64>().ok();
        let is_complete = record.len() == columns.len();
        let measured = is_complete.then(|| Some((number(3)?, number(4)?, number(5)?))).flatten();
        let Some((value, low, high)) = measured else {
            return Err(refuse(Some(line), "it is damaged"));
        };
        Ok(Comparison {
            run: cell(0).to_owned(),
            subject: cell(1).to_owned(),
            figure: cell(2).to_owned(),
            measured: Figure::new(value, low, high),
            games: place("games").and_then(|games| record[games].parse().ok()),
            published: None,
        })
    };
    records.map(row).collect()
}

/// The hint for a damaged table.
const REPAIR: &str = "restore the file, or delete it and play all runs again";

/// Number of games of a figure, for figures of agents and positions in which each game counts the same.
fn games_of(measured: &Measured, subject: &str, figure: &str) -> Option<u64> {
    match measured {
        Measured::Arena(summary) if subject.starts_with("place ") => Some(summary.games),
        // Winning points are excluded, since they cover only some of the games.
        Measured::Arena(summary) if !["winning_points", "elo", "ahead"].contains(&figure) => {
            let agent = summary.agents.iter().find(|agent| agent.label == subject)?;
            // Of an agent with several seats, a game counts once.
            let largest = Schedule::new(summary.line_ups.clone()).largest_share(agent.index);
            Some((agent.games as f64 * largest).round() as u64)
        }
        _ => None,
    }
}

/// Adds all figures of a run: subject, name, value.
pub(super) fn figures(measured: &Measured, add: &mut impl FnMut(&str, &str, Figure)) {
    match measured {
        Measured::Arena(summary) => arena_figures(summary, add),
        Measured::Tickets(summary) => ticket_figures(summary, add),
        Measured::Rate(rating) => {
            for table in &rating.tables {
                add(&table.table, "win_share", table.win_share);
                add(&table.table, "elo", table.rating);
            }
            add(OVERALL, "elo", rating.overall);
        }
    }
}

fn arena_figures(summary: &Summary, add: &mut impl FnMut(&str, &str, Figure)) {
    for agent in &summary.agents {
        add(&agent.label, "win_share", agent.win_share);
        add(&agent.label, "elo", agent.rating);
        add(&agent.label, "points", agent.points);
        add(&agent.label, "winning_points", agent.winning_points);
        for (source, figure) in &agent.sources {
            add(&agent.label, &format!("points_{}", source.name()), *figure);
        }
        add(&agent.label, "tickets_completed", agent.tickets_completed);
        add(&agent.label, "tickets_failed", agent.tickets_failed);
        add(&agent.label, "left", agent.left);
        add(&agent.label, "turns", agent.turns);
    }
    for pair in &summary.head_to_head {
        let subject = format!("{} / {}", summary.label(pair.agent), summary.label(pair.other));
        add(&subject, "ahead", pair.all);
    }
    for seat in &summary.seat_advantage {
        add(&format!("place {}", seat.place), "win_share", seat.win_share);
    }
}

fn ticket_figures(summary: &TicketSummary, add: &mut impl FnMut(&str, &str, Figure)) {
    for row in &summary.tickets {
        add(&row.ticket, "win_share", row.win_share);
        add(&row.ticket, "completed", row.completed);
        add(&row.ticket, "worth_wins", row.worth_wins);
        add(&row.ticket, "worth_points", row.worth_points);
        add(&row.ticket, "kept_opening", row.kept_opening);
        add(&row.ticket, "offer_wins", row.offer.wins);
        add(&row.ticket, "offer_points", row.offer.points);
    }
    if let Some(forced) = &summary.forced {
        forced_figures(forced, add);
    }
    // Two tracks are one pair of cities: published counts of claims add them up.
    let mut pairs: Vec<(&str, f64, f64)> = Vec::new();
    for row in &summary.routes {
        let cities = row.route.split('/').next().unwrap_or(&row.route);
        let margin = if row.claims.has_interval() { row.claims.margin() } else { 0.0 };
        match pairs.iter_mut().find(|(name, ..)| *name == cities) {
            Some((_, claims, error)) => {
                *claims += row.claims.value;
                *error += margin;
            }
            None => pairs.push((cities, row.claims.value, margin)),
        }
    }
    for (cities, claims, margin) in pairs {
        // Claims of two tracks are correlated: in the worst case, their errors add up.
        add(cities, "claims", Figure::new(claims, claims - margin, claims + margin));
    }
    add("game", "stalemates_per_million", per_million(summary.rare.stalemate, summary.games));
    add("game", "flush_guards_per_million", per_million(summary.rare.flush_guard, summary.games));
    add("game", "deck_empty_per_million", per_million(summary.rare.deck_empty, summary.games));
}

fn forced_figures(summary: &ForcedSummary, add: &mut impl FnMut(&str, &str, Figure)) {
    for row in &summary.tickets {
        add(&row.ticket, "add_wins", row.add.wins);
        add(&row.ticket, "add_points", row.add.points);
        add(&row.ticket, "swap_wins", row.swap.wins);
        add(&row.ticket, "swap_points", row.swap.points);
    }
    for row in &summary.choices {
        let subject = format!("{} / {}", row.agent, row.rule);
        add(&subject, "tickets_kept", Figure::alone(row.kept));
        add(&subject, "win_share", row.win_share);
        add(&subject, "points", row.points);
        if row.rule != OWN_CHOICE {
            add(&subject, "regret_wins", row.regret_wins);
            add(&subject, "regret_points", row.regret_points);
        }
    }
}

/// Frequency of an event per million games; the games of a deal are assumed to be independent.
fn per_million(rate: f64, games: u64) -> Figure {
    binomial(rate / 1e6, games as f64, NORMAL).times(1e6)
}
