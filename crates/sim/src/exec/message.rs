//! What a process is told.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value as Json;

use crate::game::{Playable, SOURCES, SeatResult, members};

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
        /// The same as objects.
        moves: Vec<Json>,
    },
    /// The game is over.
    End {
        /// The seat that forfeited it, if one did.
        forfeit: Option<u8>,
        /// By seat: how it ended.
        seats: Vec<SeatEnd>,
    },
}

/// How a seat ended a game.
#[derive(Serialize)]
pub(super) struct SeatEnd {
    points: i16,
    rank: u8,
    points_by_source: BTreeMap<&'static str, i16>,
    completed: Vec<String>,
    failed: Vec<String>,
}

impl SeatEnd {
    pub(super) fn new<G: Playable>(game: &G, result: &SeatResult) -> Self {
        let names = game.ticket_names();
        let named = |tickets: u128| members(tickets).map(|ticket| names[ticket].clone()).collect();
        let sources = SOURCES.into_iter().zip(result.sources).enumerate();
        Self {
            points: result.points,
            rank: result.rank,
            points_by_source: sources
                .filter(|&(source, _)| game.has_source(source))
                .map(|(_, points)| points)
                .collect(),
            completed: named(result.completed_tickets),
            failed: named(result.failed_tickets),
        }
    }
}

impl Message {
    /// As a line, without its end.
    pub(super) fn line(&self) -> String {
        serde_json::to_string(self).expect("messages are plain data")
    }
}
