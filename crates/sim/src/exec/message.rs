//! What a process is told.

use serde::Serialize;
use serde_json::Value as Json;

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;

/// A message to a process.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(super) enum Message {
    /// The first: what is played.
    Hello {
        protocol: u32,
        /// Seconds for a decision.
        time_limit: f64,
        #[serde(flatten)]
        description: Json,
    },
    /// A game begins.
    Begin {
        /// Where the process sits, counted from 0.
        seat: u8,
        /// A seed for whatever it rolls, of 53 bits, which every reader of JSON keeps.
        random: u64,
    },
    /// It has to decide: the only message that is answered.
    Decide {
        /// The number of the question, which an answer may repeat. Each question to a process has its own.
        id: u64,
        /// What it may know.
        view: Json,
        /// What it may do, in notation.
        actions: Vec<String>,
    },
}

impl Message {
    /// As a line, without its end.
    pub(super) fn line(&self) -> String {
        serde_json::to_string(self).expect("messages are plain data")
    }
}
