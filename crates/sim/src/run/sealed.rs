//! Text files that are read back: a checksum at their end shows whether they are unchanged.
//!
//! The checksum also covers the identity of the run, so that a file of another run does not pass either. It
//! detects accidents, not attacks: the content is validated as well.

use serde::Serialize;
use serde::de::DeserializeOwned;
use ttr_engine::codec;

/// The text around the checksum of a TOML file.
const TOML: [&str; 2] = ["# checksum: ", "\n"];
/// The text around that of a JSON object: it is the last member.
const JSON: [&str; 2] = [",\n  \"checksum\": \"", "\"\n}\n"];

/// The reason why a file is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Broken {
    /// It has no checksum, or a wrong one.
    Changed,
    /// The checksum is right, but the content is invalid.
    Content(String),
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Changed => f.write_str("it was changed or damaged since it was written"),
            Self::Content(why) => f.write_str(why.trim_end()),
        }
    }
}

/// A value as TOML.
pub(crate) fn to_toml(value: &impl Serialize, owner: &str) -> Result<String, toml::ser::Error> {
    Ok(seal(toml::to_string(value)?, owner, TOML))
}

/// The value of such a text.
pub(crate) fn from_toml<T: DeserializeOwned>(text: &str, owner: &str) -> Result<T, Broken> {
    let body = unseal(text, owner, TOML)?;
    toml::from_str(body).map_err(|error: toml::de::Error| Broken::Content(error.message().to_owned()))
}

/// An object as JSON.
pub(crate) fn to_json(object: &impl Serialize, owner: &str) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(object)?;
    text.truncate(text.trim_end_matches('}').trim_end().len());
    Ok(seal(text, owner, JSON))
}

/// The object of such a text.
pub(crate) fn from_json<T: DeserializeOwned>(text: &str, owner: &str) -> Result<T, Broken> {
    let object = unseal(text, owner, JSON)?.to_owned() + "}";
    serde_json::from_str(&object).map_err(|error| Broken::Content(error.to_string()))
}

fn seal(body: String, owner: &str, [before, after]: [&str; 2]) -> String {
    let checksum = checksum(&body, owner);
    format!("{body}{before}{checksum}{after}")
}

fn unseal<'t>(text: &'t str, owner: &str, [before, after]: [&str; 2]) -> Result<&'t str, Broken> {
    let rest = text.strip_suffix(after).ok_or(Broken::Changed)?;
    let (body, found) = rest.rsplit_once(before).ok_or(Broken::Changed)?;
    if found == checksum(body, owner) { Ok(body) } else { Err(Broken::Changed) }
}

fn checksum(body: &str, owner: &str) -> String {
    format!("{:016x}", codec::checksum(format!("{owner}\n{body}").as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn every_change_is_found() {
        let value = BTreeMap::from([("one", 0.1 + 0.2), ("two", 0.09216206109528587)]);
        let back = |text: &str| from_json::<BTreeMap<String, f64>>(text, "run 1");
        let text = to_json(&value, "run 1").unwrap();
        assert!(back(&text).unwrap().values().eq(value.values()), "to the last bit");
        let plain: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(plain.as_object().unwrap().len(), 3, "it is JSON for everybody else: {text}");
        assert_eq!(from_json::<BTreeMap<String, f64>>(&text, "run 2"), Err(Broken::Changed));
        for at in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            assert!(back(&String::from_utf8(bytes).unwrap()).is_err(), "byte {at}");
            assert!(back(&text[..at]).is_err(), "{at} bytes");
        }
        let text = to_toml(&value, "run 1").unwrap();
        assert!(from_toml::<BTreeMap<String, f64>>(&text, "run 1").unwrap().values().eq(value.values()));
        assert!(from_toml::<BTreeMap<String, f64>>(&text.replace("two", "ten"), "run 1").is_err());
    }
}
