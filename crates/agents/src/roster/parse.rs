//! Agents as text: one, or a list of them.

use std::collections::BTreeSet;
use std::path::Path;

use ttr_engine::spec::nearest;

use super::{AgentEntry, Roster};
use crate::spec::{AgentSpec, MAX_GIVEN_LABEL, SpecError, is_label, param_hint};

/// Reads the text of an agent file, or returns the reason why it can't.
type ReadFile<'a> = &'a dyn Fn(&Path) -> Result<String, String>;

/// For callers that read no files.
fn no_files(_: &Path) -> Result<String, String> {
    Err("files are not read here".to_owned())
}

impl AgentSpec {
    /// Reads the text form of an agent of this crate: [`Roster::parse`] of the built-in agents.
    ///
    /// # Errors
    /// If there is no such agent or parameter, or a label or a value is not allowed.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        Roster::built_in().parse(text)
    }

    /// Reads a list of agents of this crate: [`Roster::list`] of the built-in agents.
    ///
    /// # Errors
    /// As [`AgentSpec::parse`], and if there is none.
    pub fn list(text: &str) -> Result<Vec<Self>, SpecError> {
        Roster::built_in().list(text)
    }
}

impl std::str::FromStr for AgentSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        Self::parse(text)
    }
}

impl Roster {
    /// Reads `name` or `name:key=value,key=value`. `label=` may stand before either.
    ///
    /// # Errors
    /// If there is no such agent or parameter, or a label or a value is not allowed. Agents in files
    /// (`name@file.toml`) need [`Roster::parse_with`].
    ///
    /// ```
    /// use ttr_agents::Roster;
    /// let agent = Roster::default().parse("slow=ismcts:iters=5000")?;
    /// assert_eq!((agent.label(), agent.to_string()), ("slow".to_owned(), "ismcts:iters=5000".to_owned()));
    /// # Ok::<(), ttr_agents::SpecError>(())
    /// ```
    pub fn parse(&self, text: &str) -> Result<AgentSpec, SpecError> {
        self.parse_with(text, &no_files)
    }

    /// Like [`Roster::parse`], and also reads `name@file.toml` and `name@file.toml:key=value`; `read`
    /// returns the text of a file.
    ///
    /// # Errors
    /// As [`Roster::parse`], and if a file can't be read or is not of such an agent.
    ///
    /// ```
    /// use ttr_agents::Roster;
    /// let read = |_: &std::path::Path| Ok("name = \"ismcts\"\nsettings.iters = 500".to_owned());
    /// let agent = Roster::default().parse_with("ismcts@mine.toml:threads=2", &read)?;
    /// assert_eq!(agent.to_string(), "ismcts:iters=500,threads=2");
    /// assert_eq!(agent.label(), "ismcts@mine.toml:threads=2");
    /// # Ok::<(), ttr_agents::SpecError>(())
    /// ```
    pub fn parse_with(&self, text: &str, read: ReadFile<'_>) -> Result<AgentSpec, SpecError> {
        let text = text.trim();
        let Some((label, rest)) = labelled(text) else { return self.parse_unlabelled(text, read) };
        if !is_label(label) {
            let why = format!(
                "a label is plain text of at most {MAX_GIVEN_LABEL} characters and begins with a letter"
            );
            return Err(SpecError::Form { text: text.to_owned(), why });
        }
        Ok(AgentSpec { label: Some(label.to_owned()), ..self.parse_unlabelled(rest, read)? })
    }

    fn parse_unlabelled(&self, text: &str, read: ReadFile<'_>) -> Result<AgentSpec, SpecError> {
        if let Some(command) = AgentSpec::command_in(text) {
            if command.trim().is_empty() {
                let why = "write the command after it, as in exec:python3 bot.py".to_owned();
                return Err(SpecError::Form { text: text.to_owned(), why });
            }
            return Ok(AgentSpec::process(command.trim()));
        }
        let (head, settings) = text.split_once(':').unwrap_or((text, ""));
        let (name, file) = match head.split_once('@') {
            Some((name, file)) => (name, Some(file)),
            None => (head, None),
        };
        let entry = self.entry(name)?;
        let mut spec = match file {
            Some(file) => {
                let loaded = self.load(name, file, read)?;
                // The label belongs to the file as it is, not to what is set on top of it.
                let label = loaded.label.clone().filter(|_| settings.is_empty());
                AgentSpec { label: Some(label.unwrap_or_else(|| text.to_owned())), ..loaded }
            }
            None => AgentSpec::new(name),
        };
        let mut set = BTreeSet::new();
        for setting in settings.split(',').map(str::trim).filter(|setting| !setting.is_empty()) {
            let Some((key, value)) = setting.split_once('=') else {
                let (nearest, known) = entry.near(setting);
                let why = format!("\"{setting}\" should be key=value; {}", param_hint(nearest, &known));
                return Err(SpecError::Form { text: text.to_owned(), why });
            };
            if !set.insert(key.trim()) {
                let why = format!("{} is set twice; give it once", key.trim());
                return Err(SpecError::Form { text: text.to_owned(), why });
            }
            spec = spec.with(key.trim(), value.trim());
        }
        self.check(&spec)?;
        Ok(spec)
    }

    fn load(&self, name: &str, file: &str, read: ReadFile<'_>) -> Result<AgentSpec, SpecError> {
        let refuse = |why: String| SpecError::File { file: file.to_owned(), why };
        let text = read(Path::new(file)).map_err(refuse)?;
        let spec = AgentSpec::from_toml(&text).map_err(|error| refuse(error.to_string()))?;
        self.check(&spec).map_err(|error| refuse(error.to_string()))?;
        if spec.name != name {
            return Err(refuse(format!("it is for the agent {}, not for {name}", spec.name)));
        }
        Ok(spec)
    }

    /// Reads several agents, separated by commas. `key=value` belongs to the agent before it if that has
    /// settings, unless the value is an agent and the key is none of its parameters: then it is a label and
    /// the agent with that label. A comma inside a command or a path is written `\,`.
    ///
    /// # Errors
    /// As [`Roster::parse`], if the list is empty, and if a label could be meant as a parameter of the
    /// agent before it.
    ///
    /// ```
    /// use ttr_agents::Roster;
    /// let agents = Roster::default().list(r"random,exec:python3 bot.py --weights 1\,2,random")?;
    /// assert_eq!(agents[1].command(), Some("python3 bot.py --weights 1,2"));
    /// assert_eq!(agents.len(), 3);
    /// # Ok::<(), ttr_agents::SpecError>(())
    /// ```
    pub fn list(&self, text: &str) -> Result<Vec<AgentSpec>, SpecError> {
        self.list_with(text, &no_files)
    }

    /// Like [`Roster::list`], with agents in files as [`Roster::parse_with`] reads them.
    ///
    /// # Errors
    /// As [`Roster::list`] and [`Roster::parse_with`].
    pub fn list_with(&self, text: &str, read: ReadFile<'_>) -> Result<Vec<AgentSpec>, SpecError> {
        let mut texts: Vec<String> = Vec::new();
        for piece in pieces(text) {
            let piece = piece.trim();
            match texts.last_mut() {
                Some(last) if self.continues(last, piece)? => {
                    last.push(',');
                    last.push_str(piece);
                }
                _ if piece.is_empty() => {}
                _ => texts.push(piece.to_owned()),
            }
        }
        if texts.is_empty() {
            let known: Vec<&str> = self.entries().map(AgentEntry::name).chain(["exec:COMMAND"]).collect();
            let why = format!("name at least one agent; known agents: {}", known.join(", "));
            return Err(SpecError::Form { text: text.to_owned(), why });
        }
        texts.iter().map(|text| self.parse_with(text, read)).collect()
    }

    /// Returns `true` if a piece of a list is a setting of the agent before it.
    fn continues(&self, last: &str, piece: &str) -> Result<bool, SpecError> {
        let plain = |key: &str| key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        let Some((key, value)) = piece.split_once('=').filter(|(key, _)| plain(key)) else {
            return Ok(false);
        };
        let agent = labelled(last).map_or(last, |(_, agent)| agent);
        let has_settings = agent.contains(':');
        let value = value.trim();
        let name = name_of(value);
        let params = self.entry(name_of(agent)).map_or(&[][..], AgentEntry::params);
        let is_param = params.iter().any(|param| param.name == key);
        let wrong = |why: String| SpecError::Form { text: format!("{last},{piece}"), why };
        if is_param && !has_settings {
            let why = format!(
                "{key} is a parameter of {agent}: write {agent}:{piece}; if it is a label, choose another one"
            );
            return Err(wrong(why));
        }
        if is_param {
            return Ok(true);
        }
        if value.contains('@') || AgentSpec::command_in(value).is_some() || self.entry(name).is_ok() {
            // A misspelt parameter must not become a label.
            let meant = params.iter().filter(|param| param.range.allows(value)).map(|param| param.name);
            return match nearest(key, meant) {
                Some(near) => Err(wrong(format!(
                    "did you mean the parameter \"{near}\" of {}? If {key} is a label, choose another one",
                    name_of(agent)
                ))),
                None => Ok(false),
            };
        }
        // A misspelt agent after a label is none of the settings either.
        let is_process = AgentSpec::is_process_name(name_of(agent));
        let misspelt = !is_process && nearest(name, self.entries().map(AgentEntry::name)).is_some();
        Ok(has_settings && !misspelt)
    }
}

/// The label in front of an agent, and the agent; `None` if a name, a file or a setting comes first.
fn labelled(text: &str) -> Option<(&str, &str)> {
    let (label, rest) = text.split_at(text.find(['=', ':', '@'])?);
    Some((label.trim(), rest.strip_prefix('=')?.trim()))
}

/// The name in front of settings or a file.
fn name_of(agent: &str) -> &str {
    agent.split([':', '@']).next().unwrap_or_default()
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
