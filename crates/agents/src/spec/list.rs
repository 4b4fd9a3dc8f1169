//! Lists of agents, and the labels that tell them apart.

use std::collections::BTreeSet;

use ttr_engine::plain_text;
use ttr_engine::spec::nearest;

use super::{AgentSpec, EXEC, MAX_LABEL, SpecError, info, known_agents};

impl AgentSpec {
    /// Reads several, with commas between them. `key=value` belongs to the agent before it if that has settings, unless the
    /// value is an agent and the key none of its parameters: then it is a label and the agent of that label. A comma inside
    /// a command or a path is written `\,`.
    ///
    /// # Errors
    /// As [`AgentSpec::parse`], if there is none, and if a label could be meant as a parameter of the agent before it.
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
            match texts.last_mut() {
                Some(last) if continues(last, piece)? => {
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

    /// The text of a list: what [`AgentSpec::list`] reads as the same agents. One that was read from a file, and has no label
    /// of its own, is written as that file; a label that can't be written in a list is left out.
    ///
    /// ```
    /// use ttr_agents::AgentSpec;
    /// let text = r"a=random,exec:bot 1\,2,ismcts:iters=5";
    /// assert_eq!(AgentSpec::list_text(&AgentSpec::list(text)?), text);
    /// # Ok::<(), ttr_agents::SpecError>(())
    /// ```
    pub fn list_text(agents: &[Self]) -> String {
        let text = |agent: &Self| {
            let text = match agent.name.as_str() {
                EXEC => agent.to_string().replace(',', "\\,"),
                _ => agent.to_string(),
            };
            match &agent.label {
                None => text,
                Some(file) if file.starts_with(&format!("{}@", agent.name)) => file.replace(',', "\\,"),
                Some(label) if is_label(label) => format!("{label}={text}"),
                Some(_) => text,
            }
        };
        agents.iter().map(text).collect::<Vec<_>>().join(",")
    }

    /// Checks that agents can be told apart by their labels.
    ///
    /// # Errors
    /// If two have the same label.
    pub fn check_labels(agents: &[Self]) -> Result<(), SpecError> {
        let mut labels = BTreeSet::new();
        match agents.iter().find(|agent| !labels.insert(agent.label())) {
            Some(agent) => {
                let (label, text) = (agent.label(), plain_text::printable(&agent.to_string(), MAX_LABEL));
                Err(SpecError::SameLabel { label, text })
            }
            None => Ok(()),
        }
    }
}

/// The label in front of an agent, and the agent; none if a name, a file or a setting comes first.
pub(super) fn labelled(text: &str) -> Option<(&str, &str)> {
    let (label, rest) = text.split_at(text.find(['=', ':', '@'])?);
    Some((label.trim(), rest.strip_prefix('=')?.trim()))
}

/// Longest label in front of an agent, in characters: it is there to be short.
pub(super) const MAX_GIVEN_LABEL: usize = 40;

/// Whether a text can stand in front of an agent as its label.
pub(super) fn is_label(text: &str) -> bool {
    text.starts_with(char::is_alphabetic)
        && !text.contains(['=', ':', '@', ',', '\\'])
        && plain_text::check_name(text, MAX_GIVEN_LABEL).is_ok()
}

/// Whether a piece of a list is a setting of the agent before it.
fn continues(last: &str, piece: &str) -> Result<bool, SpecError> {
    let plain = |key: &str| key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    let Some((key, value)) = piece.split_once('=').filter(|(key, _)| plain(key)) else { return Ok(false) };
    let agent = labelled(last).map_or(last, |(_, agent)| agent);
    let has_settings = agent.contains(':');
    let is_agent = |value: &str| {
        let name = value.split([':', '@']).next().unwrap_or_default();
        value.contains('@') || value.starts_with("exec:") || info(name).is_ok()
    };
    if !is_agent(value.trim()) {
        return Ok(has_settings);
    }
    let params = info(agent.split([':', '@']).next().unwrap_or_default()).map_or(&[][..], |info| info.params);
    if has_settings && params.iter().any(|param| param.name == key) {
        return Ok(true);
    }
    // Forgotten colons and misspelt parameters must not become labels.
    let meant = params.iter().filter(|param| param.name == key || param.range.allows(value));
    match nearest(key, meant.map(|param| param.name)) {
        Some(near) => {
            let why = format!("\"{near}\" is a parameter of {agent}; if {key} is a label, choose another");
            Err(SpecError::Form { text: format!("{last},{piece}"), why })
        }
        None => Ok(false),
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
