//! The file form of an experiment.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ttr_agents::{AgentSpec, Roster, SpecError};
use ttr_engine::WrongSeats;
use ttr_engine::maps::{self, AnySpec};
use ttr_engine::spec::{MapError, Problem};
use ttr_engine::{Game, input_file};

use super::{Sources, check, schedule_of};
use crate::exec::ExecOptions;
use crate::game::{AnyGame, Playable};
use crate::rate::{Ladder, RateEntry, RateError};
use crate::run::csv_text;
use crate::table::entrant::{Entrant, EntrantError};
use crate::table::schedule::{Schedule, TooManyLineUps};
use crate::tickets::{NoChoice, Tickets};
use crate::with_game;

/// Maximum size of an experiment file, in bytes.
pub(super) const MAX_FILE_BYTES: u64 = 1 << 24;
/// Maximum number of games of a run.
const MAX_GAMES: u64 = 1_000_000_000_000;
/// Maximum length of a title, name, subject or source, in characters.
pub(super) const MAX_NAME: usize = 200;
/// Maximum length of a line of a question.
pub(super) const MAX_LINE: usize = 2000;

/// A question, and the runs that answer it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExperimentSpec {
    /// The topic, in a few words.
    pub title: String,
    /// The question.
    pub question: String,
    /// The runs.
    #[serde(rename = "run")]
    pub runs: Vec<RunSpec>,
    /// Figures of others to compare with.
    #[serde(default, rename = "published")]
    pub published: Vec<Published>,
    /// A CSV file with more of them: columns run, subject, figure, value and source, and optionally error,
    /// games and kind.
    #[serde(default)]
    pub published_file: Option<String>,
}

/// A run: games of some agents on a map.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunSpec {
    /// Its name; also the name of a directory.
    pub name: String,
    /// The kind of measurement.
    #[serde(default)]
    pub command: RunCommand,
    /// Play every legal opening choice of tickets of every seat; only with `command = "tickets"`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub forced: bool,
    /// The id of a map, or the path of a map file, relative to the experiment's directory; with `command =
    /// "rate"`, the ladder.
    pub map: String,
    /// Rules that differ from the map's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub rules: Option<toml::Table>,
    /// Number of seats [default: the map's minimum, or that of the line-up].
    #[serde(default)]
    pub seats: Option<usize>,
    /// The agents: all play each other; with `command = "rate"`, the one agent that is rated.
    #[serde(default)]
    pub agents: Vec<String>,
    /// The agent that plays the Card Game instead; only with `command = "rate"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card_game: Option<String>,
    /// Names of the ladder's tables to play [default: all]. Only with `command = "rate"`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<String>,
    /// One line-up, by seat, instead of `agents`.
    #[serde(default)]
    pub line_up: Vec<String>,
    /// Number of games, rounded up to whole deals; with `command = "rate"`, to a multiple of the ladder's.
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

/// The kind of measurement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum RunCommand {
    /// Strength of agents.
    #[default]
    Arena,
    /// Value of tickets and routes.
    Tickets,
    /// The rating of an agent on a ladder ([`crate::rate`]).
    Rate,
}

/// A published figure.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The run that measures the same figure.
    pub run: String,
    /// The subject: an agent, `place 1` (the first in the order of play), a ticket, a route or a pair of
    /// cities.
    pub subject: String,
    /// The name of the figure, as in `results.csv`.
    pub figure: String,
    /// Its value.
    pub value: f64,
    /// Its standard error, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// Number of games behind it, if known; if there is no error, it is estimated from this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// The kind of source.
    #[serde(default)]
    pub kind: SourceKind,
    /// The publication, or the program that was run.
    pub source: String,
}

/// The kind of source of a figure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SourceKind {
    /// It was published.
    #[default]
    Published,
    /// Their released code was run again.
    Rerun,
}

impl SourceKind {
    /// The word used in tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Rerun => "rerun",
        }
    }
}

/// An invalid experiment, with all its problems.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", .problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n"))]
pub struct ExperimentError {
    /// All problems, file by file and line by line.
    pub problems: Vec<Problem>,
}

impl ExperimentError {
    /// Creates an error with one problem.
    pub(super) fn new(file: &Path, line: Option<usize>, message: String, hint: &str) -> Self {
        let (file, hint) = (file.display().to_string(), hint.to_owned());
        Self { problems: vec![Problem { file, line, message, hint }] }
    }
}

impl From<SpecError> for RunSpecError {
    fn from(error: SpecError) -> Self {
        Self::Agent(error.into())
    }
}

/// The reason why a run of an experiment can't be planned.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunSpecError {
    /// There is no such map, or the map or its rules are invalid.
    #[error(transparent)]
    Map(#[from] MapError),
    /// Depots were requested in the Card Game.
    #[error("depots stand on a board, and the Card Game has none; leave out +depots")]
    NoBoard,
    /// The map is not played by this many seats.
    #[error(transparent)]
    Seats(#[from] WrongSeats),
    /// There is no such agent, or it can't be made.
    #[error(transparent)]
    Agent(#[from] EntrantError),
    /// The line-up has too few or too many agents.
    #[error("line_up has {agents} agents for {seats} seats")]
    WrongLineUp {
        /// Number of agents.
        agents: usize,
        /// Number of seats.
        seats: usize,
    },
    /// The line-up names agents that do not exist.
    #[error("line_up names agents that do not exist")]
    UnknownAgent,
    /// The agents can't all play each other.
    #[error(transparent)]
    LineUps(#[from] TooManyLineUps),
    /// The agent can't be rated.
    #[error(transparent)]
    Rate(#[from] RateError),
    /// Opening choices can't be forced.
    #[error(transparent)]
    Forced(#[from] NoChoice),
}

impl ExperimentSpec {
    /// Reads a file. Its agents are those of a roster.
    ///
    /// # Errors
    /// All problems of the file, each with its line.
    pub fn read(file: &Path, roster: &Roster) -> Result<Self, ExperimentError> {
        let text = input_file::read_text(file, MAX_FILE_BYTES).map_err(|error| {
            let message = format!("it can't be read: {error}");
            ExperimentError::new(file, None, message, "give the directory of an experiment.toml")
        })?;
        check::read(file, &text, roster).map_err(|problems| ExperimentError { problems })
    }

    /// All published figures.
    ///
    /// # Errors
    /// If their file can't be read.
    pub fn published(&self, folder: &Path) -> Result<Vec<Published>, ExperimentError> {
        let mut all = self.published.clone();
        if let Some(name) = &self.published_file {
            all.extend(Published::read(&folder.join(name))?);
        }
        Ok(all)
    }
}

impl Published {
    /// Reads figures from CSV.
    ///
    /// # Errors
    /// All problems of the file.
    pub fn read(file: &Path) -> Result<Vec<Self>, ExperimentError> {
        let (figures, problems) = read_published(file);
        match problems.is_empty() {
            true => Ok(figures.into_iter().map(|(_, figure)| figure).collect()),
            false => Err(ExperimentError { problems }),
        }
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
    let mut records = csv_text::read(&text).into_iter();
    let (_, columns) = records.next().unwrap_or_default();
    let columns: Vec<&str> = columns.iter().collect();
    let unknown = columns.iter().find(|name| !REQUIRED.contains(name) && !OPTIONAL.contains(name));
    let missing = REQUIRED.iter().find(|name| !columns.contains(name));
    if let Some(wrong) = unknown
        .map(|name| format!("there is no column {name:?}"))
        .or_else(|| missing.map(|name| format!("the column {name} is missing")))
    {
        let hint = format!("write {}, and optionally {}", REQUIRED.join(","), OPTIONAL.join(","));
        return (Vec::new(), vec![problem(Some(1), wrong, &hint)]);
    }
    let (mut all, mut problems) = (Vec::new(), Vec::new());
    for (line, cells) in records {
        if cells.len() != columns.len() {
            let message = format!("the line has {} fields", cells.len());
            problems.push(problem(Some(line), message, &format!("write {}", columns.join(","))));
            continue;
        }
        let cell = |name: &str| columns.iter().position(|column| *column == name).map_or("", |at| &cells[at]);
        let mut wrong = |message: String, hint: &str| problems.push(problem(Some(line), message, hint));
        let value = match number(cell("value")) {
            Some(value) => value,
            None => {
                wrong(format!("{:?} is not a number", cell("value")), "write it as 0.5");
                0.0
            }
        };
        let error = Some(cell("error")).filter(|text| !text.is_empty()).and_then(|text| {
            let error = number(text).filter(|error| *error > 0.0);
            if error.is_none() {
                wrong(
                    format!("the error {text:?} is not a number above 0"),
                    "leave it empty if it is unknown",
                );
            }
            error
        });
        let games = Some(cell("games")).filter(|text| !text.is_empty()).and_then(|text| {
            let games = text.parse().ok().filter(|games: &u64| *games > 0);
            if games.is_none() {
                wrong(format!("{text:?} is not a number of games"), "leave it empty if it is unknown");
            }
            games
        });
        let kind = match cell("kind") {
            "" | "published" => SourceKind::Published,
            "rerun" => SourceKind::Rerun,
            other => {
                wrong(format!("there is no kind {other:?}"), "write published or rerun");
                SourceKind::Published
            }
        };
        let [run, subject, figure, source] =
            ["run", "subject", "figure", "source"].map(|name| cell(name).to_owned());
        all.push((line, Published { run, subject, figure, value, error, games, kind, source }));
    }
    (all, problems)
}

/// Columns of a file of published figures.
const REQUIRED: [&str; 5] = ["run", "subject", "figure", "value", "source"];
/// Optional columns.
const OPTIONAL: [&str; 3] = ["error", "games", "kind"];

fn number(text: &str) -> Option<f64> {
    text.parse::<f64>().ok().filter(|number| number.is_finite())
}

impl RunSpec {
    /// The map.
    ///
    /// # Errors
    /// If there is no such map, or its rules are invalid.
    fn find_map(&self, folder: &Path) -> Result<AnySpec, RunSpecError> {
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
                // A base that is a file is relative to the experiment.
                let file = if is_file { folder.join(file) } else { file.into() };
                AnySpec::Board(maps::parse_at(file, &variant.to_string())?)
            }
            None if base.ends_with(".toml") => maps::load_any_path(folder.join(base))?,
            None => maps::find_any(base)?,
        };
        Ok(match found {
            AnySpec::Board(map) if depots => AnySpec::Board(maps::with_depots(map)?),
            AnySpec::CardGame(_) if depots => return Err(RunSpecError::NoBoard),
            other => other,
        })
    }

    /// The agents, each once; paths of their files are relative to the experiment's folder.
    ///
    /// # Errors
    /// If there is no such agent, or two have the same label.
    pub(super) fn agents(&self, from: Sources<'_>) -> Result<Vec<AgentSpec>, SpecError> {
        let mut agents: Vec<AgentSpec> = Vec::new();
        for agent in from.agents(if self.line_up.is_empty() { &self.agents } else { &self.line_up })? {
            if !agents.contains(&agent) {
                agents.push(agent);
            }
        }
        AgentSpec::check_labels(&agents)?;
        Ok(agents)
    }

    /// The agents as entrants.
    ///
    /// # Errors
    /// If there is no such agent, or it does not play this game.
    pub(super) fn entrants<G: Playable>(
        &self,
        game: &G,
        from: Sources<'_>,
        processes: &ExecOptions,
    ) -> Result<Vec<Entrant<G>>, RunSpecError> {
        let agents = self.agents(from)?;
        let entrants =
            agents.iter().map(|agent| Entrant::from_spec_with(game, agent, from.roster, processes));
        Ok(entrants.collect::<Result<_, _>>()?)
    }

    /// The game.
    ///
    /// # Errors
    /// If there is no such map, it is not played by this many seats, or the line-up has another number of
    /// agents.
    pub(super) fn game(&self, folder: &Path) -> Result<AnyGame, RunSpecError> {
        let spec = self.find_map(folder)?;
        let seats = self.seats_of(spec.seats().min);
        if !self.line_up.is_empty() && self.line_up.len() != seats {
            return Err(RunSpecError::WrongLineUp { agents: self.line_up.len(), seats });
        }
        Ok(AnyGame::new(&spec, seats)?)
    }

    /// Number of seats, if the map allows `fewest` at least.
    pub(super) fn seats_of(&self, fewest: u8) -> usize {
        let by_line_up = (!self.line_up.is_empty()).then_some(self.line_up.len());
        self.seats.or(by_line_up).unwrap_or(fewest.into())
    }

    /// The agent to rate and its tables, for a run with [`RunCommand::Rate`].
    ///
    /// # Errors
    /// If there is no such agent.
    pub(super) fn rate_entry(&self, ladder: &Ladder, from: Sources<'_>) -> Result<RateEntry, SpecError> {
        let card_game = self.card_game.as_deref().map(|text| from.agent(text)).transpose()?;
        let agent = from.agent(self.agents.first().map_or("", String::as_str))?;
        let once = ladder.games(&self.tables).max(1);
        Ok(RateEntry { agent, card_game, only: self.tables.clone(), times: self.games.div_ceil(once).max(1) })
    }

    /// Number of games in total.
    ///
    /// # Errors
    /// If there is no such map or agent.
    pub(super) fn games_in_all(&self, from: Sources<'_>) -> Result<u64, RunSpecError> {
        if self.command == RunCommand::Rate {
            let ladder = Ladder::v1();
            return Ok(self.rate_entry(&ladder, from)?.games(&ladder, from.roster)?);
        }
        Ok(self.schedule(from)?.0)
    }

    /// Number of games in total, and the schedule.
    ///
    /// # Errors
    /// If there is no such map or agent.
    pub(super) fn schedule(&self, from: Sources<'_>) -> Result<(u64, Schedule), RunSpecError> {
        with_game!(self.game(from.folder)?, game => {
            let schedule = schedule_of(&from.agents(&self.line_up)?, &self.agents(from)?, game.seats())?;
            let most_games = Tickets::most_games_per_deal(&game, &schedule, self.forced);
            Ok((self.games.div_ceil(most_games) * most_games, schedule))
        })
    }
}

/// The name of a file without folders and `.toml`.
fn stem(path: &str) -> &str {
    Path::new(path).file_stem().and_then(|name| name.to_str()).unwrap_or(path)
}
