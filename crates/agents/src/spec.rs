//! Agents as text: `ismcts:iters=1000,rollout=planner`, `tuned=planner@tuned.toml`, `exec:python3 bot.py`.

mod list;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};
use ttr_engine::spec::{nearest, suggest};
use ttr_engine::{input_file, plain_text};

use crate::roster::AGENTS;
use list::{MAX_GIVEN_LABEL, is_label, labelled};

/// The agent that is a process: all that follows its name is a command line.
pub const EXEC: &str = "exec";
/// The setting that holds this command line.
pub const EXEC_COMMAND: &str = "command";

/// Longest label, in characters.
const MAX_LABEL: usize = 200;
/// Longest agent file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// What there is to know about an agent before it is built.
#[derive(Clone, Copy, Debug)]
pub struct AgentInfo {
    /// How it is called.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Which games it plays.
    pub plays: Plays,
    /// Whether its defaults were tuned for some games and numbers of seats; [`crate::Roster::default_of`] tells them.
    pub tuned: bool,
    /// What can be set.
    pub params: &'static [Param],
}

impl AgentInfo {
    /// The parameter of a name.
    pub fn param(&self, name: &str) -> Option<&'static Param> {
        self.params.iter().find(|param| param.name == name)
    }
}

/// Which games an agent plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plays {
    /// All of them.
    Anything,
    /// Every board game.
    Boards,
    /// The Card Game.
    CardGame,
}

impl fmt::Display for Plays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Anything => "every game",
            Self::Boards => "boards",
            Self::CardGame => "the Card Game",
        })
    }
}

/// Something about an agent that can be set.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The key.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// What it is if nobody sets it; of a tuned agent, in a game that it was not tuned for.
    pub default: &'static str,
    /// What it may be.
    pub range: Range,
}

/// What a setting may be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Range {
    /// A whole number from the first to the second.
    Whole(i64, i64),
    /// A number from the first to the second.
    Real(f64, f64),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// Any text.
    Text,
}

impl Range {
    /// Whether a value is allowed.
    pub fn allows(&self, value: &str) -> bool {
        match *self {
            // Who reads it where nothing is below 0 knows no sign, not even that of -0.
            Self::Whole(min, max) => {
                let sign = min >= 0 && value.starts_with('-');
                !sign && value.parse().is_ok_and(|value: i64| (min..=max).contains(&value))
            }
            Self::Real(min, max) => value.parse().is_ok_and(|value: f64| (min..=max).contains(&value)),
            Self::OneOf(words) => words.contains(&value),
            Self::Text => true,
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(min, max) => write!(f, "a whole number from {min} to {max}"),
            Self::Real(min, max) => write!(f, "a number from {min} to {max}"),
            Self::OneOf(words) => write!(f, "one of {}", words.join(", ")),
            Self::Text => write!(f, "a text"),
        }
    }
}

/// An agent by name, with settings.
///
/// ```
/// use ttr_agents::AgentSpec;
/// let agents = AgentSpec::list("random, random")?;
/// assert_eq!(agents.len(), 2);
/// assert_eq!(agents[0].to_string(), "random");
/// assert!(AgentSpec::parse("randon").unwrap_err().to_string().contains("did you mean \"random\"?"));
/// # Ok::<(), ttr_agents::SpecError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentSpec {
    /// Which agent.
    pub name: String,
    /// What is set, as text, by key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
    /// What to call it in tables; its text, if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// Why a text is no agent.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpecError {
    /// No agent is called so.
    #[error("there is no agent \"{name}\"; {hint}")]
    UnknownAgent {
        /// What was asked for.
        name: String,
        /// The nearest agent, and all agents.
        hint: String,
    },
    /// The agent has no such parameter.
    #[error("{agent} has no parameter \"{key}\"; {hint}")]
    UnknownKey {
        /// The agent.
        agent: String,
        /// What was set.
        key: String,
        /// The nearest parameter, or all of them.
        hint: String,
    },
    /// The value is not allowed.
    #[error("{agent}: {key} is {range}, not \"{value}\"")]
    WrongValue {
        /// The agent.
        agent: String,
        /// The parameter.
        key: String,
        /// What it may be.
        range: String,
        /// What was given.
        value: String,
    },
    /// The text has another form.
    #[error("\"{text}\" is not understood: {why}")]
    Form {
        /// The text.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// Two agents could not be told apart in tables.
    #[error("two agents are called \"{label}\"; give one of them another label, as in other={text}")]
    SameLabel {
        /// What both are called.
        label: String,
        /// The text form of one of them.
        text: String,
    },
    /// A file of settings can't be used.
    #[error(
        "the agent file {file} can't be used: {why}; `ttr tune` writes such files as runs/tune-MAP-N/tuned.toml"
    )]
    File {
        /// The file.
        file: String,
        /// Why not.
        why: String,
    },
    /// The command of a process can't be run.
    #[error("the command \"{command}\" can't be started: {why}; try it in a shell, in this directory")]
    Command {
        /// The command line.
        command: String,
        /// Why not.
        why: String,
    },
    /// The agent has no numbers to be set.
    #[error("{agent} has no parameter that can be tuned; `ttr agents` lists the parameters of all agents")]
    NothingToTune {
        /// The agent.
        agent: String,
    },
    /// All numbers of the agent are set.
    #[error(
        "all parameters of {agent} that can be tuned are set; leave some out, or list those to tune with --params"
    )]
    AllSet {
        /// The agent.
        agent: String,
    },
    /// The parameter is no number.
    #[error("{agent}: {key} can't be tuned, it is {range}")]
    NotTunable {
        /// The agent.
        agent: String,
        /// The parameter.
        key: String,
        /// What it may be.
        range: String,
    },
    /// The agent does not play this game.
    #[error("{agent} plays {plays}, not {map}")]
    WrongGame {
        /// The agent.
        agent: String,
        /// What it plays.
        plays: String,
        /// What it was asked to play.
        map: String,
    },
}

impl AgentSpec {
    /// An agent with nothing set. Its name is not checked.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), settings: BTreeMap::new(), label: None }
    }

    /// The same with something set.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl ToString) -> Self {
        self.settings.insert(key.to_owned(), value.to_string());
        self
    }

    /// Reads `name`, `name:key=value,key=value`, `name@file.toml` or `name@file.toml:key=value`, and the file. `label=` may
    /// stand before any of them.
    ///
    /// # Errors
    /// If there is no such agent or parameter, or a label or a value is not allowed.
    ///
    /// ```
    /// use ttr_agents::AgentSpec;
    /// let agent = AgentSpec::parse("slow=ismcts:iters=5000")?;
    /// assert_eq!((agent.label(), agent.to_string()), ("slow".to_owned(), "ismcts:iters=5000".to_owned()));
    /// # Ok::<(), ttr_agents::SpecError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let text = text.trim();
        let Some((label, rest)) = labelled(text) else { return Self::parse_unlabelled(text) };
        if !is_label(label) {
            let why = format!(
                "a label is plain text of at most {MAX_GIVEN_LABEL} characters and begins with a letter"
            );
            return Err(SpecError::Form { text: text.to_owned(), why });
        }
        Ok(Self { label: Some(label.to_owned()), ..Self::parse_unlabelled(rest)? })
    }

    fn parse_unlabelled(text: &str) -> Result<Self, SpecError> {
        if let Some(command) = text.strip_prefix(EXEC).and_then(|rest| rest.strip_prefix(':')) {
            if command.trim().is_empty() {
                let why = "write the command behind it, as in exec:python3 bot.py".to_owned();
                return Err(SpecError::Form { text: text.to_owned(), why });
            }
            return Ok(Self::new(EXEC).with(EXEC_COMMAND, command.trim()));
        }
        let (head, settings) = text.split_once(':').unwrap_or((text, ""));
        let (name, file) = match head.split_once('@') {
            Some((name, file)) => (name, Some(file)),
            None => (head, None),
        };
        let info = info(name)?;
        let mut spec = match file {
            Some(file) => {
                let loaded = Self::load(name, Path::new(file))?;
                // A label of its own is that of the file as it is, not of what is set on top of it.
                let label = loaded.label.clone().filter(|_| settings.is_empty());
                Self { label: Some(label.unwrap_or_else(|| text.to_owned())), ..loaded }
            }
            None => Self::new(name),
        };
        let mut set = BTreeSet::new();
        for setting in settings.split(',').map(str::trim).filter(|setting| !setting.is_empty()) {
            let Some((key, value)) = setting.split_once('=') else {
                let why = format!("\"{setting}\" should be key=value; {}", hint_for_key(info, setting));
                return Err(SpecError::Form { text: text.to_owned(), why });
            };
            if !set.insert(key.trim()) {
                let why = format!("{} is set twice; give it once", key.trim());
                return Err(SpecError::Form { text: text.to_owned(), why });
            }
            spec = spec.with(key.trim(), value.trim());
        }
        spec.check()?;
        Ok(spec)
    }

    /// Reads the settings of an agent from a TOML file, as `ttr tune` writes it.
    fn load(name: &str, file: &Path) -> Result<Self, SpecError> {
        let refuse = |why: String| SpecError::File { file: file.display().to_string(), why };
        let text = input_file::read_text(file, MAX_FILE_BYTES).map_err(|error| refuse(error.to_string()))?;
        let spec = Self::from_toml(&text).map_err(refuse)?;
        if spec.name != name {
            return Err(refuse(format!("it is for the agent {}, not for {name}", spec.name)));
        }
        Ok(spec)
    }

    /// Reads the TOML form.
    ///
    /// # Errors
    /// With the line and what is wrong there.
    pub fn from_toml(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            name: String,
            #[serde(default)]
            settings: BTreeMap<String, toml::Value>,
            label: Option<String>,
        }
        let file: File = toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        let word = |value: toml::Value| match value {
            toml::Value::String(word) => word,
            other => other.to_string(),
        };
        let settings = file.settings.into_iter().map(|(key, value)| (key, word(value))).collect();
        let spec = Self { name: file.name, settings, label: file.label };
        spec.check().map_err(|error| error.to_string())?;
        Ok(spec)
    }

    /// The TOML form. Numbers are written as numbers, and read back as the same text.
    ///
    /// ```
    /// use ttr_agents::AgentSpec;
    /// let agent = AgentSpec::parse("ismcts:iters=500,rollout=light")?;
    /// assert!(agent.to_toml().contains("iters = 500\n"));
    /// assert_eq!(AgentSpec::from_toml(&agent.to_toml()).unwrap(), agent);
    /// # Ok::<(), ttr_agents::SpecError>(())
    /// ```
    pub fn to_toml(&self) -> String {
        let number = |text: &str| {
            let whole = text.parse().ok().map(toml::Value::Integer);
            whole
                .or_else(|| text.parse().ok().map(toml::Value::Float))
                .filter(|value| value.to_string() == text)
        };
        let mut table = toml::Table::try_from(self).expect("names and texts can be written");
        if let (Some(toml::Value::Table(settings)), true) = (table.get_mut("settings"), self.name != EXEC) {
            for value in settings.iter_mut().map(|(_, value)| value) {
                if let Some(number) = value.as_str().and_then(number) {
                    *value = number;
                }
            }
        }
        toml::to_string(&table).expect("a table can be written")
    }

    /// Whether there is such an agent with such parameters.
    ///
    /// # Errors
    /// If not.
    pub fn check(&self) -> Result<(), SpecError> {
        if self.name == EXEC {
            return Ok(());
        }
        let info = info(&self.name)?;
        for (key, value) in &self.settings {
            let Some(param) = info.param(key) else {
                return Err(unknown_key(info, key));
            };
            if !param.range.allows(value) {
                return Err(SpecError::WrongValue {
                    agent: self.name.clone(),
                    key: key.clone(),
                    range: param.range.to_string(),
                    value: value.clone(),
                });
            }
        }
        Ok(())
    }

    /// What to call it in tables: its label, or else its text form, printable and not too long.
    ///
    /// ```
    /// use ttr_agents::AgentSpec;
    /// let mut agent = AgentSpec::parse("random")?;
    /// agent.label = Some("\u{1b}[31mred".to_owned());
    /// assert_eq!(agent.label(), r"\u{1b}[31mred");
    /// agent.label = Some("=1+1".to_owned());
    /// assert_eq!(agent.label(), "random: =1+1");
    /// # Ok::<(), ttr_agents::SpecError>(())
    /// ```
    pub fn label(&self) -> String {
        let label = self.label.clone().unwrap_or_else(|| self.to_string());
        let label = plain_text::printable(label.trim(), MAX_LABEL);
        // A spreadsheet would take a cell that begins so for a formula.
        match plain_text::check_name(&label, usize::MAX) {
            Ok(()) => label,
            Err(_) => format!("{}: {label}", plain_text::printable(&self.name, MAX_LABEL)),
        }
    }

    /// The value of a parameter that somebody has set.
    pub fn given(&self, key: &str) -> Option<&str> {
        self.settings.get(key).map(String::as_str)
    }

    /// A number that is set, or the default.
    pub fn number<N: std::str::FromStr>(&self, key: &str) -> N {
        let value = self.word(key);
        value.parse().ok().unwrap_or_else(|| panic!("{}: {key} was checked to be a number", self.name))
    }

    /// A word that is set, or the default.
    pub fn word(&self, key: &str) -> &str {
        let default = || info(&self.name).ok().and_then(|info| info.param(key)).map(|param| param.default);
        self.given(key).or_else(default).unwrap_or_default()
    }
}

/// The text form: what is set and nothing else.
impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.name == EXEC {
            return write!(f, "{EXEC}:{}", self.word(EXEC_COMMAND));
        }
        f.write_str(&self.name)?;
        for (i, (key, value)) in self.settings.iter().enumerate() {
            write!(f, "{}{key}={value}", if i == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

impl std::str::FromStr for AgentSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        Self::parse(text)
    }
}

/// What there is to know about an agent.
///
/// # Errors
/// If there is none of that name.
pub fn info(name: &str) -> Result<&'static AgentInfo, SpecError> {
    AGENTS.iter().copied().find(|info| info.name == name).ok_or_else(|| {
        let hint = suggest(name, AGENTS.iter().map(|info| info.name), "known agents");
        SpecError::UnknownAgent { name: name.to_owned(), hint: hint + ", exec:COMMAND" }
    })
}

/// The error of a parameter that an agent does not have.
pub fn unknown_key(info: &AgentInfo, key: &str) -> SpecError {
    let (agent, hint) = (info.name.to_owned(), hint_for_key(info, key));
    SpecError::UnknownKey { agent, key: key.to_owned(), hint }
}

fn known_agents() -> String {
    let mut names: Vec<&str> = AGENTS.iter().map(|info| info.name).collect();
    names.push("exec:COMMAND");
    names.join(", ")
}

/// The parameter that is meant, or those there are.
fn hint_for_key(info: &AgentInfo, key: &str) -> String {
    /// More names than anybody reads in an error.
    const MANY: usize = 12;
    let names: Vec<&str> = info.params.iter().map(|param| param.name).collect();
    match (nearest(key, names.iter().copied()), names.len()) {
        (_, 0) => "it has none".to_owned(),
        (Some(near), _) => format!("did you mean \"{near}\"?"),
        (None, MANY..) => format!("`ttr agents {}` lists its {} parameters", info.name, names.len()),
        (None, _) => format!("it has {}", names.join(", ")),
    }
}
