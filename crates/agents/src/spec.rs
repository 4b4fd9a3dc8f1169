//! Agents as text: `ismcts:iters=1000,rollout=planner`, `planner@tuned.toml`, `exec:python3 bot.py`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};
use ttr_engine::spec::{nearest, suggest};
use ttr_engine::{input_file, plain_text};

use crate::roster::AGENTS;

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

    /// Reads `name`, `name:key=value,key=value`, `name@file.toml` or `name@file.toml:key=value`, and the file.
    ///
    /// # Errors
    /// If there is no such agent or parameter, or a value is not allowed.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let text = text.trim();
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

    /// Reads several, with commas between them: what has a `=` but no name before it belongs to the agent before it.
    /// A comma inside a command or a path is written `\,`.
    ///
    /// # Errors
    /// As [`AgentSpec::parse`], and if there is none.
    ///
    /// ```
    /// use ttr_agents::AgentSpec;
    /// let agents = AgentSpec::list(r"random,exec:python3 bot.py --weights 1\,2,random")?;
    /// assert_eq!(agents[1].settings["command"], "python3 bot.py --weights 1,2");
    /// assert_eq!(agents.len(), 3);
    /// # Ok::<(), ttr_agents::SpecError>(())
    /// ```
    pub fn list(text: &str) -> Result<Vec<Self>, SpecError> {
        let mut texts: Vec<String> = Vec::new();
        for piece in pieces(text) {
            let piece = piece.trim();
            let continues = piece.split_once('=').is_some_and(|(key, _)| {
                key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
            });
            match texts.last_mut() {
                Some(last) if continues && last.contains(':') => {
                    last.push(',');
                    last.push_str(piece);
                }
                _ if piece.is_empty() => {}
                _ => texts.push(piece.to_owned()),
            }
        }
        if texts.is_empty() {
            let why = format!("name at least one agent; known agents: {}", known_agents());
            return Err(SpecError::Form { text: text.to_owned(), why });
        }
        texts.iter().map(|text| Self::parse(text)).collect()
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

/// Splits at commas, but not at `\,`.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let last = pieces.last_mut().expect("there is one from the start");
        match c {
            '\\' if chars.peek() == Some(&',') => last.extend(chars.next()),
            ',' => pieces.push(String::new()),
            c => last.push(c),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_agent_is_described() {
        for info in AGENTS {
            assert!(!info.about.is_empty(), "{}", info.name);
            for param in info.params {
                assert!(param.range.allows(param.default), "{}: {}", info.name, param.name);
                assert!(!info.tuned || param.default.parse::<f64>().is_ok(), "{}: {}", info.name, param.name);
                assert!(!param.about.is_empty(), "{}: {}", info.name, param.name);
            }
        }
    }

    #[test]
    fn a_setting_may_not_be_unknown() {
        let error = AgentSpec::parse("random:iters=3").unwrap_err().to_string();
        assert_eq!(error, "random has no parameter \"iters\"; it has none");
        let error = AgentSpec::parse("random:fast").unwrap_err().to_string();
        assert!(error.contains("should be key=value"), "{error}");
    }

    #[test]
    fn a_label_in_the_file_is_respected() {
        let folder = std::env::temp_dir().join(format!("ttr-label-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("mine.toml");
        std::fs::write(&file, "name = \"random\"\nlabel = \"my bot\"\n").unwrap();
        let text = format!("random@{}", file.display());
        assert_eq!(AgentSpec::parse(&text).unwrap().label(), "my bot");
        std::fs::write(&file, "name = \"random\"\n").unwrap();
        assert_eq!(AgentSpec::parse(&text).unwrap().label(), text);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = AgentSpec::parse("random@nowhere.toml").unwrap_err().to_string();
        assert!(error.contains("nowhere.toml"), "{error}");
    }

    #[test]
    fn commands_are_taken_as_they_are() {
        let agent = AgentSpec::parse("exec:python3 bot.py:x --a=b").unwrap();
        assert_eq!(agent.settings[EXEC_COMMAND], "python3 bot.py:x --a=b");
        assert_eq!(agent.to_string(), "exec:python3 bot.py:x --a=b");
        assert!(AgentSpec::parse("exec: ").is_err());
    }

    #[test]
    fn numbers_are_checked_as_they_are_read() {
        for odd in [
            "ms=-0",
            "cutoff=-0",
            "iters=0",
            "iters=1e3",
            "iters=",
            "margin=NaN",
            "margin=-0.1",
            "margin=inf",
        ] {
            let error = AgentSpec::parse(&format!("ismcts:{odd}")).unwrap_err().to_string();
            assert!(error.contains(odd.split_once('=').unwrap().0), "{error}");
        }
        let error = AgentSpec::parse("ismcts:iters=1, iters=2").unwrap_err().to_string();
        assert!(error.contains("iters is set twice"), "{error}");
    }

    /// Text and TOML say the same, whatever is set.
    #[test]
    fn texts_and_toml_round_trip() {
        for text in [
            "random",
            "yard:hold=0.25",
            "yard:hold=1.0",
            "yard:hold=1",
            "yard:hold=1e-1",
            "yard:hold=0.3000000000000000001",
            "hungry:ties=mixed,variant=coded",
            "ismcts:belief=8,iters=500,margin=0.5,rollout=light",
            r#"exec:python3 "my bot.py" --a=b,c \d"#,
        ] {
            let spec = AgentSpec::parse(text).unwrap();
            assert_eq!(spec.to_string(), text);
            let labelled = AgentSpec { label: Some("mine, \"the\" best".to_owned()), ..spec.clone() };
            for spec in [spec, labelled] {
                assert_eq!(AgentSpec::from_toml(&spec.to_toml()).unwrap(), spec, "{}", spec.to_toml());
            }
        }
    }

    /// Numbers may stand in TOML without quotes.
    #[test]
    fn toml_takes_numbers() {
        let spec =
            AgentSpec::from_toml("name = \"ismcts\"\n[settings]\niters = 500\nmargin = 0.25\n").unwrap();
        assert_eq!(spec.to_string(), "ismcts:iters=500,margin=0.25");
    }

    #[test]
    fn lists_need_an_agent() {
        assert!(AgentSpec::list(" ,").is_err());
        assert_eq!(AgentSpec::list("random,").unwrap().len(), 1);
    }
}
