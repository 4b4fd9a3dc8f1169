//! What came out of an experiment, beside what others found.

use std::fmt::Write;
use std::path::Path;

use ttr_engine::input_file;

use super::compare::{Comparison, NORMAL};
use super::spec::{ExperimentError, MAX_FILE_BYTES, Published, RunSpec, fields};
use crate::arena::Summary;
use crate::rate::Rating;
use crate::run::rows::quoted;
use crate::stats::{Figure, binomial};
use crate::tickets::{ForcedSummary, OWN_CHOICE, TicketSummary};

/// What a run measured.
#[derive(Clone, PartialEq, Debug)]
#[expect(clippy::large_enum_variant, reason = "an experiment has a handful of them")]
pub enum Measured {
    /// Who wins.
    Arena(Summary),
    /// What tickets and routes are worth.
    Tickets(TicketSummary),
    /// How often each seat of the toy game won, of so many games.
    Seats(Vec<u64>, u64),
    /// The rating of an agent on a ladder.
    Rate(Rating),
}

/// The subject of the mean over the tables of a ladder.
pub const OVERALL: &str = "overall";

/// Columns of `results.csv`: the names of a figure, as measured, and as found by others.
const HEADER: &str =
    "run,subject,figure,measured,low,high,games,kind,published,published_error,estimated_error,agrees,source";
/// Those that are read again.
const MEASURED: [&str; 6] = ["run", "subject", "figure", "measured", "low", "high"];

/// All that came out.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Answer {
    /// What each run measured.
    pub runs: Vec<(String, Measured)>,
    /// All figures, those with published ones first.
    pub figures: Vec<Comparison>,
}

impl Answer {
    pub(super) fn add(&mut self, run: &RunSpec, measured: Measured) {
        let name = &run.name;
        // As the table has it: figures that are read back from there agree with the same others.
        let rounded = |figure: f64| (figure * 1e6).round() / 1e6;
        let games = |subject: &str, figure: &str| games_of(&measured, subject, figure);
        let mut add = |subject: &str, figure: &str, measured: Figure| {
            let Figure { value, low, high, .. } = measured;
            let measured = Figure::new(rounded(value), rounded(low), rounded(high));
            self.figures.push(Comparison {
                run: name.clone(),
                subject: subject.to_owned(),
                figure: figure.to_owned(),
                measured,
                games: games(subject, figure),
                published: None,
            });
        };
        figures(&measured, &mut add);
        self.runs.push((name.clone(), measured));
    }

    /// Takes over what is known of a run that is not played.
    pub(super) fn keep(&mut self, run: &RunSpec, known: &[Comparison]) {
        self.figures.extend(known.iter().filter(|figure| figure.run == run.name).cloned());
    }

    /// Puts published figures beside the measured ones.
    pub(super) fn compare(&mut self, published: &[Published]) -> anyhow::Result<()> {
        for other in published {
            if !self.figures.iter().any(|own| own.run == other.run) {
                continue; // it was not played yet
            }
            let same = |own: &&mut Comparison| {
                own.run == other.run && own.figure == other.figure && own.subject == other.subject
            };
            let Some(found) = self.figures.iter_mut().find(same) else {
                anyhow::bail!(
                    "the run \"{}\" has no figure \"{}\" of \"{}\", which is said to be published",
                    other.run,
                    other.figure,
                    other.subject
                );
            };
            found.published = Some(other.clone());
        }
        self.figures.sort_by_key(|figure| figure.published.is_none());
        Ok(())
    }

    /// As CSV: one line per figure.
    pub fn csv(&self) -> String {
        let mut text = format!("{HEADER}\n");
        for row in &self.figures {
            let Figure { value, low, high, .. } = row.measured;
            // Writing to a string can't fail.
            let _ = write!(
                text,
                "{},{},{},{value:.6},{low:.6},{high:.6},{},",
                row.run,
                quoted(&row.subject),
                row.figure,
                row.games.map(|games| games.to_string()).unwrap_or_default()
            );
            let _ = match (&row.published, row.agreement()) {
                (Some(Published { value, error, kind, source, .. }), Some(agreement)) => {
                    let error = error.map(|error| error.to_string()).unwrap_or_default();
                    let estimated =
                        row.estimated_error().map(|error| format!("{error:.6}")).unwrap_or_default();
                    let (kind, agrees, source) = (kind.word(), agreement.word(), quoted(source));
                    writeln!(text, "{kind},{value},{error},{estimated},{agrees},{source}")
                }
                _ => writeln!(text, ",,,,,"),
            };
        }
        text
    }
}

/// The figures of a file that [`Answer::csv`] wrote, without published ones; none if there is no such file.
pub(super) fn read(path: &Path) -> Result<Vec<Comparison>, ExperimentError> {
    let refuse = |line, message: &str| ExperimentError::new(path, line, message.to_owned(), REPAIR);
    let text = match input_file::read_text(path, MAX_FILE_BYTES) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text.map_err(|error| refuse(None, &error.to_string()))?,
    };
    let mut lines = text.lines().enumerate();
    // Older versions wrote fewer columns.
    let columns = fields(lines.next().map_or("", |(_, first)| first));
    let place = |name: &str| columns.iter().position(|column| column == name);
    let Some(places) = MEASURED.iter().map(|name| place(name)).collect::<Option<Vec<usize>>>() else {
        return Err(refuse(Some(1), &format!("{HEADER} is expected")));
    };
    let row = |(index, line): (usize, &str)| {
        let cells = fields(line);
        let number = |measured: usize| cells[places[measured]].parse::<f64>().ok();
        let complete = cells.len() == columns.len();
        let measured = complete.then(|| Some((number(3)?, number(4)?, number(5)?))).flatten();
        let Some((value, low, high)) = measured else {
            return Err(refuse(Some(index + 1), "it is damaged"));
        };
        Ok(Comparison {
            run: cells[places[0]].clone(),
            subject: cells[places[1]].clone(),
            figure: cells[places[2]].clone(),
            measured: Figure::new(value, low, high),
            games: place("games").and_then(|games| cells[games].parse().ok()),
            published: None,
        })
    };
    lines.filter(|(_, line)| !line.is_empty()).map(row).collect()
}

/// What to do about a damaged table.
const REPAIR: &str = "restore the file, or delete it and play all runs again";

/// The number of games of a figure, for figures of agents and places in which each game counts the same.
fn games_of(measured: &Measured, subject: &str, figure: &str) -> Option<u64> {
    match measured {
        Measured::Arena(summary) if subject.starts_with("place ") => Some(summary.games),
        // Not of winning points, which are of some of the games.
        Measured::Arena(summary) if !["winning_points", "elo", "ahead"].contains(&figure) => {
            summary.agents.iter().find(|agent| agent.label == subject).map(|agent| agent.games)
        }
        Measured::Seats(_, games) => Some(*games),
        _ => None,
    }
}

/// Shows all figures of a run: subject, name, value.
pub(super) fn figures(measured: &Measured, add: &mut impl FnMut(&str, &str, Figure)) {
    match measured {
        Measured::Arena(summary) => arena_figures(summary, add),
        Measured::Tickets(summary) => ticket_figures(summary, add),
        Measured::Seats(wins, games) => {
            for (place, &wins) in wins.iter().enumerate() {
                let share = binomial(wins as f64 / *games as f64, *games as f64, NORMAL);
                add(&format!("place {}", place + 1), "win_share", share);
            }
        }
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
            add(&agent.label, &format!("points_{source}"), *figure);
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
    // Two tracks are one pair of cities: those who count claims count them together.
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
        // Claims of two tracks go together: at worst their errors add up.
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

/// How often something happened in a million games; games of a deal are taken for independent.
fn per_million(rate: f64, games: u64) -> Figure {
    binomial(rate / 1e6, games as f64, NORMAL).times(1e6)
}
