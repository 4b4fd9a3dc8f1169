//! Lists of agents, and the labels that tell them apart.

use std::collections::BTreeSet;

use ttr_engine::plain_text;
use ttr_engine::spec::nearest;

use super::{AgentSpec, EXEC, MAX_LABEL, SpecError, info, known_agents};
use crate::roster::AGENTS;

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

    /// The agent as an item of a list, with its label: what [`AgentSpec::list`] reads as the same agent. The settings of a file
    /// are written out, and a label that a list can't have is dropped.
    ///
    /// ```
    /// use ttr_agents::AgentSpec;
    /// let text = r"a=random,exec:bot 1\,2,ismcts:iters=5";
    /// let items: Vec<String> = AgentSpec::list(text)?.iter().map(AgentSpec::listed).collect();
    /// assert_eq!(items.join(","), text);
    /// # Ok::<(), ttr_agents::SpecError>(())
    /// ```
    pub fn listed(&self) -> String {
        let text = match self.name.as_str() {
            EXEC => self.to_string().replace(',', "\\,"),
            _ => self.to_string(),
        };
        match self.label.as_deref().filter(|label| is_label(label)) {
            Some(label) => format!("{label}={text}"),
            None => text,
        }
    }

    /// Checks that agents can be told apart by their labels.
    ///
    /// # Errors
    /// If two have the same label.
    pub fn check_labels(agents: &[Self]) -> Result<(), SpecError> {
        // Whole texts: a long one is cut where it is shown, and may look like another there.
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
    let value = value.trim();
    let name = name_of(value);
    let params = info(name_of(agent)).map_or(&[][..], |info| info.params);
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
    if value.contains('@') || value.starts_with("exec:") || info(name).is_ok() {
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
    // A misspelt agent behind a label is none of the settings either.
    let is_process = name_of(agent) == EXEC;
    let misspelt = !is_process && nearest(name, AGENTS.iter().map(|info| info.name)).is_some();
    Ok(has_settings && !misspelt)
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
