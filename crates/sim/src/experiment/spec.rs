//! The file form of an experiment.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ttr_agents::{AgentSpec, SpecError};
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::input_file;
use ttr_engine::maps::{self, AnySpec};
use ttr_engine::spec::Problem;

use super::{check, parse_agents, schedule_of};
use crate::rate::{Ladder, RateEntry};
use crate::table::schedule::Schedule;
use crate::tickets::Tickets;

/// Longest file of an experiment that is read, in bytes.
pub(super) const MAX_FILE_BYTES: u64 = 1 << 24;
/// Most games of a run.
const MAX_GAMES: u64 = 1_000_000_000_000;
/// Longest title, name, subject or source, in characters.
pub(super) const MAX_NAME: usize = 200;
/// Longest line of a question.
pub(super) const MAX_LINE: usize = 2000;

/// A question and what is played to answer it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExperimentSpec {
    /// What it is about, in a few words.
    pub title: String,
    /// What it asks.
    pub question: String,
    /// What is played.
    #[serde(rename = "run")]
    pub runs: Vec<RunSpec>,
    /// Figures of others to compare with.
    #[serde(default, rename = "published")]
    pub published: Vec<Published>,
    /// A CSV file with more of them: columns run, subject, figure, value and source, and if wanted error, games and kind.
    #[serde(default)]
    pub published_file: Option<String>,
}

/// Games of some agents on a map.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunSpec {
    /// What it is called; also the name of a directory.
    pub name: String,
    /// What is measured.
    #[serde(default)]
    pub verb: Verb,
    /// Whether every legal opening choice of tickets of every seat is played; only with `verb = "tickets"`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub forced: bool,
    /// The id of a map, or the path of a map file, from the experiment's directory; with `verb = "rate"`, the ladder.
    pub map: String,
    /// Rules that differ from the map's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub rules: Option<toml::Table>,
    /// How many seats; left out, the fewest that the map allows, or those of the line-up.
    #[serde(default)]
    pub seats: Option<usize>,
    /// Who takes part: everybody against everybody; with `verb = "rate"`, the one agent that is rated.
    #[serde(default)]
    pub agents: Vec<String>,
    /// The agent that plays the Card Game instead; only with `verb = "rate"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card_game: Option<String>,
    /// Names of the ladder's tables that are played; all by default. Only with `verb = "rate"`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<String>,
    /// One line-up, by seat, instead.
    #[serde(default)]
    pub line_up: Vec<String>,
    /// Number of games, rounded up to whole deals; with `verb = "rate"`, to a multiple of the ladder's.
    #[schemars(extend("minimum" = 1, "maximum" = MAX_GAMES))]
    pub games: u64,
    /// The master seed.
    #[serde(default = "one")]
    pub seed: u64,
}

fn one() -> u64 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verb {
    /// Who wins.
    #[default]
    Arena,
    /// What tickets and routes are worth.
    Tickets,
    /// How often each seat wins the toy game of [`crate::seat_advantage`], which is played on a part of the map.
    SeatAdvantage,
    /// The rating of an agent on a ladder ([`crate::rate`]).
    Rate,
}

/// A figure of somebody else.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The run that measures it again.
    pub run: String,
    /// What it is about: an agent, `place 1` (who plays first), a ticket, a route or a pair of cities.
    pub subject: String,
    /// Which figure, as in `results.csv`.
    pub figure: String,
    /// Its value.
    pub value: f64,
    /// Its standard error, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// Number of games behind it, if it is known: its error is estimated from that where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// Where it is from.
    #[serde(default)]
    pub kind: Kind,
    /// Where it was published, or what was run.
    pub source: String,
}

/// Where a figure of others is from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// It was published.
    #[default]
    Published,
    /// Their released code was run again.
    Rerun,
}

impl Kind {
    /// As a word for tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Rerun => "rerun",
        }
    }
}

/// An experiment that can't be run, with everything that is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", .problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n"))]
pub struct ExperimentError {
    /// All problems, file by file and line by line.
    pub problems: Vec<Problem>,
}

impl ExperimentError {
    /// The error of one problem.
    pub(super) fn new(file: &Path, line: Option<usize>, message: String, hint: &str) -> Self {
        let (file, hint) = (file.display().to_string(), hint.to_owned());
        Self { problems: vec![Problem { file, line, message, hint }] }
    }
}

impl ExperimentSpec {
    /// Reads a file.
    ///
    /// # Errors
    /// With everything that is wrong with it, each problem with its line.
    pub fn read(file: &Path) -> Result<Self, ExperimentError> {
        let text = input_file::read_text(file, MAX_FILE_BYTES).map_err(|error| {
            let message = format!("it can't be read: {error}");
            ExperimentError::new(file, None, message, "give the directory of an experiment.toml")
        })?;
        check::read(file, &text).map_err(|problems| ExperimentError { problems })
    }

    /// All figures of others.
    ///
    /// # Errors
    /// If their file can't be read.
    pub fn published(&self, folder: &Path) -> Result<Vec<Published>, ExperimentError> {
        let mut all = self.published.clone();
        if let Some(name) = &self.published_file {
            let (figures, problems) = read_published(&folder.join(name));
            if !problems.is_empty() {
                return Err(ExperimentError { problems });
            }
            all.extend(figures.into_iter().map(|(_, figure)| figure));
        }
        Ok(all)
    }
}

/// Reads published figures from CSV, each with its line.
pub(super) fn read_published(path: &Path) -> (Vec<(usize, Published)>, Vec<Problem>) {
    let problem = |line: Option<usize>, message: String, hint: &str| Problem {
        file: path.display().to_string(),
        line,
        message,
        hint: hint.to_owned(),
    };
    let text = match input_file::read_text(path, MAX_FILE_BYTES) {
        Ok(text) => text,
        Err(error) => {
            return (
                Vec::new(),
                vec![problem(None, format!("it can't be read: {error}"), "correct published_file")],
            );
        }
    };
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty());
    let columns = fields(lines.next().map_or("", |(_, header)| header));
    let unknown =
        columns.iter().find(|name| !REQUIRED.contains(&name.as_str()) && !OPTIONAL.contains(&name.as_str()));
    let missing = REQUIRED.iter().find(|name| !columns.iter().any(|column| column == *name));
    if let Some(wrong) = unknown
        .map(|name| format!("there is no column {name:?}"))
        .or_else(|| missing.map(|name| format!("the column {name} is missing")))
    {
        let hint = format!("write {}, and if wanted {}", REQUIRED.join(","), OPTIONAL.join(","));
        return (Vec::new(), vec![problem(Some(1), wrong, &hint)]);
    }
    let (mut all, mut problems) = (Vec::new(), Vec::new());
    for (index, line) in lines {
        let line_number = Some(index + 1);
        let cells = fields(line);
        if cells.len() != columns.len() {
            let message = format!("the line has {} fields", cells.len());
            problems.push(problem(line_number, message, &format!("write {}", columns.join(","))));
            continue;
        }
        let cell =
            |name: &str| columns.iter().position(|column| column == name).map_or("", |at| cells[at].as_str());
        let mut wrong = |message: String, hint: &str| problems.push(problem(line_number, message, hint));
        let value = match number(cell("value")) {
            Some(value) => value,
            None => {
                wrong(format!("{:?} is no number", cell("value")), "write it as 0.5");
                0.0
            }
        };
        let error = Some(cell("error")).filter(|text| !text.is_empty()).and_then(|text| {
            let error = number(text).filter(|error| *error > 0.0);
            if error.is_none() {
                wrong(format!("the error {text:?} is no number above 0"), "leave it empty if it is unknown");
            }
            error
        });
        let games = Some(cell("games")).filter(|text| !text.is_empty()).and_then(|text| {
            let games = text.parse().ok().filter(|games: &u64| *games > 0);
            if games.is_none() {
                wrong(format!("{text:?} is no number of games"), "leave it empty if it is unknown");
            }
            games
        });
        let kind = match cell("kind") {
            "" | "published" => Kind::Published,
            "rerun" => Kind::Rerun,
            other => {
                wrong(format!("there is no kind {other:?}"), "write published or rerun");
                Kind::Published
            }
        };
        let [run, subject, figure, source] =
            ["run", "subject", "figure", "source"].map(|name| cell(name).to_owned());
        all.push((index + 1, Published { run, subject, figure, value, error, games, kind, source }));
    }
    (all, problems)
}

/// Columns of a file of published figures.
const REQUIRED: [&str; 5] = ["run", "subject", "figure", "value", "source"];
/// Columns that it may have as well.
const OPTIONAL: [&str; 3] = ["error", "games", "kind"];

fn number(text: &str) -> Option<f64> {
    text.parse::<f64>().ok().filter(|number| number.is_finite())
}

impl RunSpec {
    /// The map.
    ///
    /// # Errors
    /// If there is no such map, or something is wrong with its rules.
    pub fn find_map(&self, folder: &Path) -> anyhow::Result<AnySpec> {
        let (base, depots) = match self.map.strip_suffix(maps::WITH_DEPOTS) {
            Some(base) => (base, true),
            None => (self.map.as_str(), false),
        };
        let found = match &self.rules {
            Some(rules) => {
                let is_file = base.ends_with(".toml");
                let name = if is_file { stem(base) } else { base };
                let mut variant = toml::Table::new();
                variant.insert("format".into(), 1.into());
                variant.insert("name".into(), format!("{name}, {}", self.name).into());
                variant.insert("base".into(), base.into());
                variant.insert("rules".into(), rules.clone().into());
                let file = format!("{name}-{}.toml", self.name);
                // A base that is a file is seen from the experiment.
                let file = if is_file { folder.join(file) } else { file.into() };
                AnySpec::Board(maps::parse_at(file, &toml::to_string(&variant)?)?)
            }
            None if base.ends_with(".toml") => maps::load_any_path(folder.join(base))?,
            None => maps::find_any(base)?,
        };
        Ok(match found {
            AnySpec::Board(map) if depots => AnySpec::Board(maps::with_depots(map)?),
            AnySpec::CardGame(_) if depots => {
                anyhow::bail!("depots stand on a board, and the Card Game has none; leave out +depots")
            }
            other => other,
        })
    }

    /// The agents, each once.
    ///
    /// # Errors
    /// If there is no such agent, or two have the same label.
    pub fn agents(&self) -> Result<Vec<AgentSpec>, SpecError> {
        let mut agents: Vec<AgentSpec> = Vec::new();
        for agent in parse_agents(if self.line_up.is_empty() { &self.agents } else { &self.line_up })? {
            if !agents.contains(&agent) {
                agents.push(agent);
            }
        }
        AgentSpec::check_labels(&agents)?;
        Ok(agents)
    }

    /// How many seats, if the map allows `fewest` at least.
    pub fn seats_of(&self, fewest: u8) -> usize {
        let by_line_up = (!self.line_up.is_empty()).then_some(self.line_up.len());
        self.seats.or(by_line_up).unwrap_or(fewest.into())
    }

    /// What is rated, and at which tables: of a run with [`Verb::Rate`].
    ///
    /// # Errors
    /// If there is no such agent.
    pub(super) fn rate_entry(&self, ladder: &Ladder) -> Result<RateEntry, SpecError> {
        let card_game = self.card_game.as_deref().map(AgentSpec::parse).transpose()?;
        let agent = AgentSpec::parse(self.agents.first().map_or("", String::as_str))?;
        let once = ladder.games(&self.tables).max(1);
        Ok(RateEntry { agent, card_game, only: self.tables.clone(), times: self.games.div_ceil(once).max(1) })
    }

    /// How many games are played in the end.
    ///
    /// # Errors
    /// If there is no such map or agent.
    pub fn games_in_all(&self, folder: &Path) -> anyhow::Result<u64> {
        if self.verb == Verb::Rate {
            let ladder = Ladder::v1();
            return self.rate_entry(&ladder)?.games(&ladder);
        }
        Ok(self.schedule(folder)?.0)
    }

    /// How many games are played in the end, and who plays whom.
    ///
    /// # Errors
    /// If there is no such map or agent.
    pub fn schedule(&self, folder: &Path) -> anyhow::Result<(u64, Schedule)> {
        let spec = self.find_map(folder)?;
        let seats = self.seats_of(spec.seats().min);
        spec.check_seats(seats)?;
        if !self.line_up.is_empty() && self.line_up.len() != seats {
            anyhow::bail!("line_up has {} agents for {seats} seats", self.line_up.len());
        }
        let schedule = schedule_of(&self.line_up, &self.agents()?, seats)?;
        let most_games = match &spec {
            AnySpec::Board(map) => {
                Tickets::most_games_per_deal(&BoardGame::new(map, seats)?, &schedule, self.forced)
            }
            AnySpec::CardGame(spec) => {
                Tickets::most_games_per_deal(&CardGame::new(spec, seats)?, &schedule, self.forced)
            }
        };
        Ok((self.games.div_ceil(most_games) * most_games, schedule))
    }
}

/// The name of a file without folders and `.toml`.
fn stem(path: &str) -> &str {
    Path::new(path).file_stem().and_then(|name| name.to_str()).unwrap_or(path)
}

/// The fields of a line of CSV; those in quotes may have commas.
pub(super) fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let last = fields.last_mut().expect("there is one from the start");
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => last.extend(chars.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => last.push(c),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_fields() {
        assert_eq!(fields("a,\"b, \"\"c\"\"\",,d"), ["a", "b, \"c\"", "", "d"]);
    }
}
