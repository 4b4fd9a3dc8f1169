//! The result of a rating.

use std::fmt;

use serde::{Deserialize, Serialize};
use ttr_agents::AgentSpec;

use super::entry::RateEntry;
use super::ladder::{Ladder, LadderTable};
use crate::arena::Summary;
use crate::run::csv_text::{self, Decimal};
use crate::stats::{Figure, IntervalMethods};
use ttr_show::text::{Align, Table, thousands};

/// The rating of an agent on a ladder.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rating {
    /// Version of the program.
    pub version: String,
    /// The ladder, such as `ladder-v1`.
    pub ladder: String,
    /// Checksum of the ladder's file.
    pub ladder_hash: String,
    /// Number of times the deals of the ladder were played.
    pub times: u64,
    /// The name of the entry.
    pub label: String,
    /// Number of games.
    pub games: u64,
    /// Mean of the ratings at all tables; unknown unless all of them were played.
    pub overall: Figure,
    /// The methods behind the intervals.
    pub intervals: IntervalMethods,
    /// One per table.
    pub tables: Vec<TableRating>,
}

/// The rating of an agent at a table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TableRating {
    /// Name of the table.
    pub table: String,
    /// The map.
    pub map: String,
    /// Number of seats.
    pub seats: usize,
    /// The master seed.
    pub seed: u64,
    /// The anchor whose rating is 0.
    pub zero: String,
    /// Label of the agent that played.
    pub label: String,
    /// The agent in full.
    pub agent: String,
    /// Number of deals.
    pub deals: u64,
    /// Number of games.
    pub games: u64,
    /// Elo; that of `zero` is 0.
    pub rating: Figure,
    /// Share of games won, against all fields together.
    pub win_share: Figure,
    /// Number of games that the agent forfeited.
    pub forfeits: u64,
    /// The reason of the first of them.
    pub first_forfeit: Option<String>,
    /// The reason why the table was not played, if it was not.
    pub missing: Option<String>,
}

impl TableRating {
    pub(super) fn new(
        table: &LadderTable,
        agent: &AgentSpec,
        played: Option<&Summary>,
        missing: Option<&str>,
    ) -> Self {
        let own = played.and_then(|summary| summary.agents.iter().find(|agent| agent.index == 0));
        let not_yet = || missing.unwrap_or("not played yet").to_owned();
        let first =
            played.and_then(|summary| summary.forfeits.iter().find(|(.., who, _)| who == summary.label(0)));
        Self {
            table: table.name.clone(),
            map: table.map.clone(),
            seats: table.seats,
            seed: table.seed,
            zero: table.zero.clone(),
            label: agent.label(),
            agent: agent.to_string(),
            deals: played.map_or(0, |summary| summary.deals),
            games: played.map_or(0, |summary| summary.games),
            rating: own.map_or(Figure::NONE, |own| own.rating),
            win_share: own.map_or(Figure::NONE, |own| own.win_share),
            forfeits: own.map_or(0, |own| own.forfeits),
            first_forfeit: first.map(|(.., why)| why.clone()),
            missing: played.is_none().then(not_yet),
        }
    }
}

impl Rating {
    pub(super) fn new(ladder: &Ladder, entry: &RateEntry, tables: Vec<TableRating>) -> Self {
        let ratings: Vec<Figure> = tables.iter().map(|table| table.rating).collect();
        let whole = tables.len() == ladder.tables.len() && tables.iter().all(|table| table.missing.is_none());
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            ladder: ladder.id(),
            ladder_hash: format!("{:016x}", ladder.hash),
            times: entry.times,
            label: entry.label(),
            games: tables.iter().map(|table| table.games).sum(),
            overall: if whole { mean_of_independent(&ratings) } else { Figure::NONE },
            intervals: IntervalMethods::current(),
            tables,
        }
    }

    /// Name and version of the ladder for citations, with the number of times if its deals were played more
    /// than once.
    pub fn cited(&self) -> String {
        let name = self.ladder.replace("-v", " v");
        if self.times == 1 { name } else { format!("{name} x{}", self.times) }
    }

    /// Tables at which the agent finished no game, with the reason.
    pub fn silent(&self) -> Vec<String> {
        let silent = self.tables.iter().filter(|table| table.games > 0 && table.forfeits == table.games);
        let line = |table: &TableRating| {
            let why = table.first_forfeit.as_deref().unwrap_or("forfeited");
            format!(
                "{} finished none of its {} games on {}: {why}",
                table.label,
                thousands(table.games),
                table.table
            )
        };
        silent.map(line).collect()
    }

    /// The reasons why there is no overall rating, if there is none.
    pub fn incomplete(&self) -> Vec<String> {
        let missing = |table: &TableRating| {
            let why = table.missing.as_ref()?;
            Some(format!("{} was not played: {why}", table.table))
        };
        self.tables.iter().filter_map(missing).collect()
    }

    /// Writes one row per table, and one for the mean.
    pub fn csv(&self) -> String {
        let table = |table| RatingRow::new(self, Some(table));
        csv_text::write(self.tables.iter().map(table).chain([RatingRow::new(self, None)]))
    }
}

/// A row of `ratings.csv`.
#[derive(Serialize)]
struct RatingRow<'r> {
    ladder: &'r str,
    times: u64,
    entry: &'r str,
    table: &'r str,
    map: &'r str,
    seats: Option<usize>,
    agent: &'r str,
    deals: Option<u64>,
    games: u64,
    forfeits: u64,
    win_share: Decimal,
    win_share_low: Decimal,
    win_share_high: Decimal,
    rating: Decimal,
    rating_low: Decimal,
    rating_high: Decimal,
}

impl<'r> RatingRow<'r> {
    /// The row of a table, or of all of them together.
    fn new(all: &'r Rating, table: Option<&'r TableRating>) -> Self {
        let forfeits = || all.tables.iter().map(|table| table.forfeits).sum();
        let win_share = table.map_or(Figure::NONE, |table| table.win_share);
        let rating = table.map_or(all.overall, |table| table.rating);
        Self {
            ladder: &all.ladder,
            times: all.times,
            entry: &all.label,
            table: table.map_or("overall", |table| &table.table),
            map: table.map_or("", |table| &table.map),
            seats: table.map(|table| table.seats),
            agent: table.map_or("", |table| &table.agent),
            deals: table.map(|table| table.deals),
            games: table.map_or(all.games, |table| table.games),
            forfeits: table.map_or_else(forfeits, |table| table.forfeits),
            win_share: Decimal(win_share.value),
            win_share_low: Decimal(win_share.low),
            win_share_high: Decimal(win_share.high),
            rating: Decimal(rating.value),
            rating_low: Decimal(rating.low),
            rating_high: Decimal(rating.high),
        }
    }
}

/// The mean of independent figures.
///
/// The ends of its interval are as far from it as the ends of the figures from theirs, added as squares
/// (MOVER, the method of variance estimates recovery), so intervals need not be symmetric. If only one end
/// of the figures is known (`≥`), the same is true of the mean, and with figures of both kinds nothing is
/// known.
///
/// ```
/// use ttr_sim::rate::mean_of_independent;
/// use ttr_sim::stats::Figure;
/// let mean = mean_of_independent(&[Figure::new(10.0, 7.0, 13.0), Figure::new(20.0, 16.0, 28.0)]);
/// assert_eq!((mean.value, mean.low), (15.0, 12.5));
/// let bound = mean_of_independent(&[Figure::new(10.0, 7.0, 13.0), Figure { low: 40.0, ..Figure::NONE }]);
/// assert!(bound.value.is_nan() && bound.high.is_nan() && bound.low == 23.5);
/// ```
pub fn mean_of_independent(figures: &[Figure]) -> Figure {
    let count = figures.len() as f64;
    // A bound stands in for the unknown value: it adds no error of its own.
    let end = |end: fn(&Figure) -> f64| {
        let middle = |figure: &Figure| if figure.value.is_nan() { end(figure) } else { figure.value };
        let sum: f64 = figures.iter().map(middle).sum();
        let squares: f64 = figures.iter().map(|figure| (end(figure) - middle(figure)).powi(2)).sum();
        (sum / count, squares.sqrt() / count)
    };
    let ((low, below), (high, above)) = (end(|figure| figure.low), end(|figure| figure.high));
    let value: f64 = figures.iter().map(|figure| figure.value).sum::<f64>() / count;
    let errors: f64 = figures.iter().map(|figure| figure.standard_error.powi(2)).sum();
    let blocks = figures.iter().map(|figure| figure.blocks).sum();
    Figure { standard_error: errors.sqrt() / count, blocks, ..Figure::new(value, low - below, high + above) }
}

impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Align::{Left, Right};
        writeln!(f, "{} on {}: {} games", self.label, self.cited(), thousands(self.games))?;
        writeln!(f, "Elo: by wins against anchors of fixed rating; that of the anchor under \"zero\" is 0")?;
        writeln!(
            f,
            "±: half of a 95 % interval; ≥ and ≤: bounds of an agent that won all or none of its games\n"
        )?;
        let mut table = Table::new([
            ("table", Left),
            ("seats", Right),
            ("agent", Left),
            ("games", Right),
            ("wins %", Right),
            ("Elo", Right),
            ("zero", Left),
        ]);
        for row in &self.tables {
            table.row([
                row.table.clone(),
                row.seats.to_string(),
                row.label.clone(),
                thousands(row.games),
                row.win_share.times(100.0).plus_minus(1),
                row.rating.signed_plus_minus(0),
                row.zero.clone(),
            ]);
        }
        let count = self.tables.len();
        let overall = self.overall.signed_plus_minus(0);
        table.row(["overall", "", "", &thousands(self.games), "", &overall, ""].map(str::to_owned));
        write!(f, "{table}")?;
        let incomplete = self.incomplete();
        let known = |end: f64| end.is_finite();
        if known(self.overall.value) || known(self.overall.low) || known(self.overall.high) {
            writeln!(f, "\noverall is the mean over the {count} tables")?;
        } else {
            writeln!(f, "\nthere is no overall rating unless all tables of the ladder are played")?;
        }
        for line in incomplete {
            writeln!(f, "{line}")?;
        }
        for row in self.tables.iter().filter(|row| row.forfeits > 0) {
            let why = row.first_forfeit.as_deref().unwrap_or("no reason given");
            let (forfeits, games) = (thousands(row.forfeits), thousands(row.games));
            writeln!(f, "forfeits: {forfeits} of {games} games on {}, the first: {why}", row.table)?;
        }
        Ok(())
    }
}
