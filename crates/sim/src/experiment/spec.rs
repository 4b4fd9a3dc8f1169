//! The file form of an experiment.

use std::path::Path;

use serde::{Deserialize, Serialize};
use ttr_agents::{AgentSpec, SpecError};
use ttr_engine::maps::{self, AnySpec};

use super::{parse_agents, schedule_of};
use crate::schedule::Schedule;

/// A question and what is played to answer it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
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
    /// A CSV file with more of them: run, subject, figure, value, error, source.
    #[serde(default)]
    pub published_file: Option<String>,
}

/// Games of some agents on a map.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSpec {
    /// What it is called; also the name of a directory.
    pub name: String,
    /// What is measured.
    #[serde(default)]
    pub verb: Verb,
    /// The id of a map, or the path of a map file, from the experiment's directory.
    pub map: String,
    /// Rules that differ from the map's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<toml::Table>,
    /// How many seats; left out, the fewest that the map allows, or those of the line-up.
    #[serde(default)]
    pub seats: Option<usize>,
    /// Who takes part: everybody against everybody.
    #[serde(default)]
    pub agents: Vec<String>,
    /// One line-up, by seat, instead.
    #[serde(default)]
    pub line_up: Vec<String>,
    /// How many games, rounded up to whole deals.
    pub games: u64,
    /// The master seed.
    #[serde(default = "one")]
    pub seed: u64,
}

fn one() -> u64 {
    1
}

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verb {
    /// Who wins.
    #[default]
    Arena,
    /// What tickets and routes are worth.
    Tickets,
    /// How often each seat wins the toy game of [`crate::seat_advantage`], which is played on a part of the map.
    SeatAdvantage,
}

/// A figure of somebody else.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
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
    #[serde(default)]
    pub error: f64,
    /// Where it was published.
    pub source: String,
}

/// Why an experiment can't be run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}: {why}")]
pub struct ExperimentError {
    /// The file.
    pub file: String,
    /// What is wrong with it.
    pub why: String,
}

impl ExperimentSpec {
    /// Reads a file.
    ///
    /// # Errors
    /// With the line and what is wrong there.
    pub fn read(file: &Path) -> Result<Self, ExperimentError> {
        let refuse = |why: String| ExperimentError { file: file.display().to_string(), why };
        let text = std::fs::read_to_string(file).map_err(|error| {
            refuse(format!("it can't be read: {error}; give the directory of an experiment.toml"))
        })?;
        let spec: Self = toml::from_str(&text).map_err(|error| refuse(error.to_string()))?;
        spec.check(file.parent().unwrap_or(Path::new(""))).map_err(refuse)?;
        Ok(spec)
    }

    fn check(&self, folder: &Path) -> Result<(), String> {
        if self.runs.is_empty() {
            return Err("it has no [[run]]: nothing would be played".into());
        }
        for (index, run) in self.runs.iter().enumerate() {
            let at = |why: String| format!("run \"{}\": {why}", run.name);
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            if run.name.is_empty() || !run.name.chars().all(plain) {
                return Err(at("its name may have letters, digits, - and _ only".into()));
            }
            if self.runs[..index].iter().any(|other| other.name == run.name) {
                return Err(at("another run has the same name".into()));
            }
            if run.games == 0 {
                return Err(at("games is 0; play at least one".into()));
            }
            if run.agents.is_empty() == run.line_up.is_empty() {
                return Err(at("give either agents or line_up".into()));
            }
            run.schedule(folder).map_err(|error| at(format!("{error:#}")))?;
            if run.verb == Verb::SeatAdvantage && (run.map != "europe" || run.agents != ["random"]) {
                let why = "seat-advantage is a toy game on a part of Europe, played at random; write map = \"europe\" and \
                           agents = [\"random\"], and use verb = \"arena\" for all other games";
                return Err(at(why.into()));
            }
        }
        for figure in self.published(folder).map_err(|error| error.to_string())? {
            if !self.runs.iter().any(|run| run.name == figure.run) {
                return Err(format!(
                    "a published figure is of the run \"{}\", which there is not",
                    figure.run
                ));
            }
        }
        Ok(())
    }

    /// All figures of others.
    ///
    /// # Errors
    /// If their file can't be read.
    pub fn published(&self, folder: &Path) -> Result<Vec<Published>, ExperimentError> {
        let mut all = self.published.clone();
        if let Some(name) = &self.published_file {
            let path = folder.join(name);
            let refuse = |why: String| ExperimentError { file: path.display().to_string(), why };
            let text = std::fs::read_to_string(&path).map_err(|error| refuse(error.to_string()))?;
            for (index, line) in text.lines().enumerate().skip(1).filter(|(_, line)| !line.is_empty()) {
                let at = |why: &str| refuse(format!("line {}: {why}", index + 1));
                let cells = fields(line);
                let [run, subject, figure, value, error, source] = &cells[..] else {
                    return Err(at("run,subject,figure,value,error,source is expected"));
                };
                let number =
                    |text: &str| text.parse::<f64>().map_err(|_| at(&format!("{text} is no number")));
                let error = if error.is_empty() { 0.0 } else { number(error)? };
                let value = number(value)?;
                all.push(Published {
                    run: run.clone(),
                    subject: subject.clone(),
                    figure: figure.clone(),
                    value,
                    error,
                    source: source.clone(),
                });
            }
        }
        Ok(all)
    }
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
    /// If there is no such agent.
    pub fn agents(&self) -> Result<Vec<AgentSpec>, SpecError> {
        let mut agents: Vec<AgentSpec> = Vec::new();
        for agent in parse_agents(if self.line_up.is_empty() { &self.agents } else { &self.line_up })? {
            if !agents.contains(&agent) {
                agents.push(agent);
            }
        }
        Ok(agents)
    }

    /// How many seats, if the map allows `fewest` at least.
    pub fn seats_of(&self, fewest: u8) -> usize {
        let by_line_up = (!self.line_up.is_empty()).then_some(self.line_up.len());
        self.seats.or(by_line_up).unwrap_or(fewest.into())
    }

    /// How many games are played in the end, and who plays whom.
    ///
    /// # Errors
    /// If there is no such map or agent.
    pub fn schedule(&self, folder: &Path) -> anyhow::Result<(u64, Schedule)> {
        let fewest = match self.find_map(folder)? {
            AnySpec::Board(map) => map.seats.min,
            AnySpec::CardGame(spec) => spec.seats.min,
        };
        let seats = self.seats_of(fewest);
        if !self.line_up.is_empty() && self.line_up.len() != seats {
            anyhow::bail!("line_up has {} agents for {seats} seats", self.line_up.len());
        }
        let schedule = schedule_of(&self.line_up, &self.agents()?, seats)
            .ok_or_else(|| anyhow::anyhow!("line_up names agents that do not exist"))?;
        Ok((schedule.deals(self.games) * schedule.games_per_deal(), schedule))
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
