//! Answers of a process.

use serde_json::Value as Json;
use ttr_engine::plain_text::printable;

/// Maximum length of a line that a process may write, in bytes.
pub const MAX_LINE: usize = 1 << 20;

/// Maximum length of a quotation from a process, in characters.
const QUOTED: usize = 120;

/// A decision as a process gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The index of a listed action, counted from 0.
    Index(usize),
    /// An action in notation, which may be invalid or illegal.
    Action(String),
}

/// The reason why a line is not an answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// It is not a JSON object.
    #[error("it answered {line}, which is not a JSON object: {why}")]
    Form {
        /// The line.
        line: String,
        /// The problem.
        why: String,
    },
    /// It has neither an index nor an action, or both.
    #[error("it answered {0}; an answer has either \"index\" or \"action\"")]
    NotOne(String),
    /// It answers another question.
    #[error("it answered question {answered}, but this is question {asked}")]
    OtherQuestion {
        /// The number in the answer.
        answered: String,
        /// The number of the question.
        asked: u64,
    },
    /// The index is out of range.
    #[error("it answered the index {index}, but the {actions} legal actions are 0 to {}", actions.saturating_sub(1))]
    Index {
        /// The index in the answer.
        index: String,
        /// Number of actions.
        actions: usize,
    },
    /// The action is not a string.
    #[error("it answered the action {0}, which is not a string")]
    Action(String),
}

/// Reads a line as the answer to the question `id`: the decision for one of `actions` actions, of which
/// there is at least one. The number of the question is optional in an answer.
///
/// ```
/// use ttr_sim::exec::{Answer, parse_answer};
/// assert_eq!(parse_answer(br#"{"id": 7, "index": 2}"#, 7, 3), Ok(Answer::Index(2)));
/// assert_eq!(parse_answer(br#"{"action": "take red"}"#, 7, 3), Ok(Answer::Action("take red".into())));
/// let error = parse_answer(br#"{"index": 3}"#, 7, 3).unwrap_err();
/// assert_eq!(error.to_string(), "it answered the index 3, but the 3 legal actions are 0 to 2");
/// ```
///
/// # Errors
/// If the line is invalid, or there is no such action.
pub fn parse_answer(line: &[u8], id: u64, actions: usize) -> Result<Answer, AnswerError> {
    let form = |why: String| AnswerError::Form { line: quoted(line), why };
    let answer = match serde_json::from_slice(line) {
        Ok(Json::Object(answer)) => answer,
        Ok(_) => return Err(form("it is another type of value".to_owned())),
        Err(error) => return Err(form(error.to_string())),
    };
    if let Some(answered) = answer.get("id").filter(|answered| answered.as_u64() != Some(id)) {
        return Err(AnswerError::OtherQuestion { answered: shortened(&answered.to_string()), asked: id });
    }
    match (answer.get("index"), answer.get("action")) {
        (Some(index), None) => match index.as_u64().and_then(|index| usize::try_from(index).ok()) {
            Some(index) if index < actions => Ok(Answer::Index(index)),
            _ => Err(AnswerError::Index { index: shortened(&index.to_string()), actions }),
        },
        (None, Some(Json::String(action))) => Ok(Answer::Action(action.clone())),
        (None, Some(other)) => Err(AnswerError::Action(shortened(&other.to_string()))),
        _ => Err(AnswerError::NotOne(quoted(line))),
    }
}

/// A text of a process in quotation marks: on one line, printable, and shortened.
pub(super) fn quoted(bytes: &[u8]) -> String {
    // Enough bytes for all characters that are shown.
    let start = &bytes[..bytes.len().min(QUOTED * 4 + 4)];
    format!("\"{}\"", shortened(String::from_utf8_lossy(start).trim_ascii_end()))
}

/// The start of a text, printable.
fn shortened(text: &str) -> String {
    printable(text, QUOTED)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(line: &[u8]) -> String {
        parse_answer(line, 7, 10).unwrap_err().to_string()
    }

    #[test]
    fn answers() {
        assert_eq!(parse_answer(b" {\"index\":9,\"why\":\"it is the last\"} ", 7, 10), Ok(Answer::Index(9)));
        assert_eq!(
            parse_answer("{\"action\":\"Zürich\"}".as_bytes(), 7, 1),
            Ok(Answer::Action("Zürich".into()))
        );
    }

    #[test]
    fn anything_else_is_refused() {
        for index in ["10", "-1", "1.0", "1e3", "\"1\"", "null", "true", "18446744073709551616", "[0]"] {
            let error = refused(format!("{{\"index\": {index}}}").as_bytes());
            assert!(error.contains("the 10 legal actions are 0 to 9"), "{index}: {error}");
        }
        for line in ["{}", "{\"idx\":1}", "{\"index\":1,\"action\":\"pass\"}"] {
            assert!(refused(line.as_bytes()).contains("either \"index\" or \"action\""), "{line}");
        }
        for line in [&b""[..], b"hello", b"3", b"\"pass\"", b"[1]", b"null", b"{\"index\":1", b"\xff\xfe\x00"]
        {
            assert!(refused(line).contains("not a JSON object"), "{line:?}");
        }
        assert!(refused(b"{\"action\":[\"pass\"]}").contains("which is not a string"));
        assert!(refused(&b"[".repeat(100_000)).len() < 500);
    }

    #[test]
    fn an_answer_is_to_its_question() {
        assert_eq!(parse_answer(b"{\"id\":7,\"index\":1}", 7, 10), Ok(Answer::Index(1)));
        for id in ["6", "8", "-7", "7.5", "\"7\"", "null", "[]", "99999999999999999999"] {
            let error = refused(format!("{{\"id\":{id},\"index\":1}}").as_bytes());
            assert!(
                error.starts_with("it answered question ") && error.ends_with("this is question 7"),
                "{error}"
            );
        }
    }

    #[test]
    fn what_is_quoted_is_short_and_printable() {
        assert_eq!(quoted(b"a\tb\x1b[31m\n"), "\"a\\tb\\u{1b}[31m\"");
        assert!(quoted(&b"x".repeat(1000)).ends_with("xxx...\""));
        assert!(quoted("ü".repeat(1000).as_bytes()).ends_with("üüü...\""));
    }
}
