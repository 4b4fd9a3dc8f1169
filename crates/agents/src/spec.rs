//! Agents as data: `ismcts:iters=1000,rollout=planner`, `tuned=planner@tuned.toml`, `exec:python3 bot.py`.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};
use ttr_engine::plain_text;

/// The name of agents that are processes: the rest of the text is a command line.
const PROCESS: &str = "exec";
/// The setting that holds this command line.
const COMMAND: &str = "command";

/// Maximum length of a label, in characters.
const MAX_LABEL: usize = 200;
/// Maximum length of a label in front of an agent, in characters.
pub(crate) const MAX_GIVEN_LABEL: usize = 40;

/// The games that an agent plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
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

/// A parameter of an agent.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Param {
    /// Its name, the key of a setting.
    pub name: &'static str,
    /// Its description, in one line.
    pub about: &'static str,
    /// Its default; for a tuned agent, the one in games for which it was not tuned.
    pub default: &'static str,
    /// Its possible values.
    pub range: Range,
}

impl Param {
    /// A parameter.
    pub const fn new(name: &'static str, about: &'static str, default: &'static str, range: Range) -> Self {
        Self { name, about, default, range }
    }
}

/// The possible values of a parameter.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Range {
    /// An integer in this range, bounds included.
    Whole(i64, i64),
    /// A number in this range, bounds included.
    Real(f64, f64),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// Any text.
    Text,
}

impl Range {
    /// Returns `true` if a value is allowed.
    pub fn allows(&self, value: &str) -> bool {
        match *self {
            // Parsers of unsigned numbers accept no sign, not even that of -0.
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
    /// The agent's name.
    pub name: String,
    /// The settings, as text by key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
    /// The name in tables; `None` for the text form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// The reason why a spec names no agent.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// No agent has this name.
    #[error("there is no agent \"{name}\"; {hint}")]
    UnknownAgent {
        /// The requested name.
        name: String,
        /// The nearest agent, and all agents.
        hint: String,
    },
    /// The agent has no such parameter.
    #[error("{agent} has no parameter \"{key}\"; {}", param_hint(*nearest, known))]
    UnknownKey {
        /// The agent.
        agent: String,
        /// The requested parameter.
        key: String,
        /// The parameter that was most likely meant.
        nearest: Option<&'static str>,
        /// All parameters of the agent.
        known: Vec<&'static str>,
    },
    /// The value is not allowed.
    #[error("{agent}: {key} is {range}, not \"{value}\"")]
    WrongValue {
        /// The agent.
        agent: String,
        /// The parameter.
        key: String,
        /// The allowed values.
        range: String,
        /// The given value.
        value: String,
    },
    /// The text is malformed.
    #[error("\"{text}\" is not a valid agent: {why}")]
    Form {
        /// The text.
        text: String,
        /// The problem.
        why: String,
    },
    /// Two agents have the same name in tables.
    #[error("two agents are called \"{label}\"; give one of them another label, as in other={text}")]
    SameLabel {
        /// The label of both.
        label: String,
        /// The text form of one of them.
        text: String,
    },
    /// A file of settings is invalid or unreadable.
    #[error("the agent file {file} can't be used: {why}")]
    File {
        /// The file.
        file: String,
        /// The reason.
        why: String,
    },
    /// A TOML text is not an agent.
    #[error("{0}")]
    Toml(String),
    /// The agent does not play this game.
    #[error("{agent} plays {plays}, not {map}")]
    WrongGame {
        /// The agent.
        agent: String,
        /// The games that it plays.
        plays: String,
        /// The requested map.
        map: String,
    },
    /// The agent can't be built.
    #[error("{agent} can't be built: {why}")]
    NotBuilt {
        /// The agent.
        agent: String,
        /// The reason.
        why: String,
    },
}

/// A hint at the parameter that was meant, or the list of all parameters.
pub(crate) fn param_hint(nearest: Option<&str>, known: &[&str]) -> String {
    /// Number of names from which on an error does not list them all.
    const MANY: usize = 12;
    match (nearest, known.len()) {
        (_, 0) => "it has none".to_owned(),
        (Some(near), _) => format!("did you mean \"{near}\"?"),
        (None, MANY..) => format!("it has {} others", known.len()),
        (None, _) => format!("it has {}", known.join(", ")),
    }
}

impl AgentSpec {
    /// Creates an agent without settings. Its name is not checked.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), settings: BTreeMap::new(), label: None }
    }

    /// Adds a setting.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl ToString) -> Self {
        self.settings.insert(key.to_owned(), value.to_string());
        self
    }

    /// Creates an agent that is a process with this command line.
    ///
    /// ```
    /// use ttr_agents::AgentSpec;
    /// assert_eq!(AgentSpec::process("python3 bot.py"), AgentSpec::parse("exec:python3 bot.py")?);
    /// # Ok::<(), ttr_agents::SpecError>(())
    /// ```
    pub fn process(command: &str) -> Self {
        Self::new(PROCESS).with(COMMAND, command)
    }

    /// The command line of an agent that is a process; `None` for all others.
    pub fn command(&self) -> Option<&str> {
        (self.name == PROCESS).then(|| self.given(COMMAND).unwrap_or_default())
    }

    /// Returns `true` if a name stands for processes.
    pub(crate) fn is_process_name(name: &str) -> bool {
        name == PROCESS
    }

    /// The command line in the text of a process.
    pub(crate) fn command_in(text: &str) -> Option<&str> {
        text.strip_prefix(PROCESS).and_then(|rest| rest.strip_prefix(':'))
    }

    /// Reads the TOML form. Does not check that the agent exists.
    ///
    /// # Errors
    /// If the text is invalid, with the line and the problem.
    pub fn from_toml(text: &str) -> Result<Self, SpecError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            name: String,
            #[serde(default)]
            settings: BTreeMap<String, toml::Value>,
            label: Option<String>,
        }
        let wrong = |error: toml::de::Error| SpecError::Toml(error.to_string().trim_end().to_owned());
        let file: File = toml::from_str(text).map_err(wrong)?;
        let word = |value: toml::Value| match value {
            toml::Value::String(word) => word,
            other => other.to_string(),
        };
        let settings = file.settings.into_iter().map(|(key, value)| (key, word(value))).collect();
        Ok(Self { name: file.name, settings, label: file.label })
    }

    /// Writes the TOML form. Numbers are written as numbers, and read back as the same text.
    ///
    /// ```
    /// use ttr_agents::AgentSpec;
    /// let agent = AgentSpec::parse("ismcts:iters=500,rollout=light")?;
    /// assert!(agent.to_toml().contains("iters = 500\n"));
    /// assert_eq!(AgentSpec::from_toml(&agent.to_toml())?, agent);
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
        if let (Some(toml::Value::Table(settings)), true) = (table.get_mut("settings"), self.name != PROCESS)
        {
            for value in settings.iter_mut().map(|(_, value)| value) {
                if let Some(number) = value.as_str().and_then(number) {
                    *value = number;
                }
            }
        }
        toml::to_string(&table).expect("a table can be written")
    }

    /// The name in tables: the label, or else the text form, printable and not too long.
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
        // A spreadsheet would interpret a cell that starts with such a character as a formula.
        match plain_text::check_name(&label, usize::MAX) {
            Ok(()) => label,
            Err(_) => format!("{}: {label}", plain_text::printable(&self.name, MAX_LABEL)),
        }
    }

    /// The value of a parameter, if it is set.
    pub fn given(&self, key: &str) -> Option<&str> {
        self.settings.get(key).map(String::as_str)
    }

    /// The value of a numeric setting that has been checked.
    pub(crate) fn number<N: std::str::FromStr>(&self, key: &str) -> N {
        let value = self.given(key).unwrap_or_default();
        value.parse().ok().unwrap_or_else(|| panic!("{}: {key} was checked to be a number", self.name))
    }

    /// The agent as an item of a list, with its label: [`AgentSpec::list`] reads it as the same agent. The
    /// settings of a file are written out, and a label that a list can't have is dropped.
    ///
    /// ```
    /// use ttr_agents::AgentSpec;
    /// let text = r"a=random,exec:bot 1\,2,ismcts:iters=5";
    /// let items: Vec<String> = AgentSpec::list(text)?.iter().map(AgentSpec::listed).collect();
    /// assert_eq!(items.join(","), text);
    /// # Ok::<(), ttr_agents::SpecError>(())
    /// ```
    pub fn listed(&self) -> String {
        let text = match self.command() {
            Some(_) => self.to_string().replace(',', "\\,"),
            None => self.to_string(),
        };
        match self.label.as_deref().filter(|label| is_label(label)) {
            Some(label) => format!("{label}={text}"),
            None => text,
        }
    }

    /// Checks that all agents have different labels.
    ///
    /// # Errors
    /// If two have the same label.
    pub fn check_labels(agents: &[Self]) -> Result<(), SpecError> {
        // Compares whole texts: a long one is cut in tables, and may look like another there.
        let mut names = BTreeSet::new();
        let name = |agent: &Self| agent.label.clone().unwrap_or_else(|| agent.to_string());
        match agents.iter().find(|agent| !names.insert(name(agent))) {
            Some(agent) => {
                let (label, text) = (agent.label(), plain_text::printable(&agent.to_string(), MAX_LABEL));
                Err(SpecError::SameLabel { label, text })
            }
            None => Ok(()),
        }
    }
}

/// Returns `true` if a text can stand in front of an agent as its label.
pub(crate) fn is_label(text: &str) -> bool {
    text.starts_with(char::is_alphabetic)
        && !text.contains(['=', ':', '@', ',', '\\'])
        && plain_text::check_name(text, MAX_GIVEN_LABEL).is_ok()
}

/// The text form: the settings and nothing else.
impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(command) = self.command() {
            return write!(f, "{PROCESS}:{command}");
        }
        f.write_str(&self.name)?;
        for (i, (key, value)) in self.settings.iter().enumerate() {
            write!(f, "{}{key}={value}", if i == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}
