//! Messages to a process.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value as Json;
use ttr_engine::{Seat, TicketSet};
use ttr_show::{Event, Move, SeatView};

use crate::game::{Playable, SeatResult, Source};

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;

/// A message to a process.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(super) enum Message<'a> {
    /// The first message: the game.
    Hello {
        protocol: u32,
        /// Time limit per decision, in seconds.
        time_limit: f64,
        #[serde(flatten)]
        description: Json,
    },
    /// A new game.
    Begin {
        /// The seat of the process, counted from 0.
        seat: Seat,
        /// A seed for its random numbers, of 53 bits, which every JSON parser preserves.
        random: u64,
    },
    /// A request to decide: the only message that is answered.
    Decide {
        /// The number of the question, which an answer may repeat. Each question to a process has a
        /// different one.
        id: u64,
        /// The events that its seat saw since its last decision.
        events: &'a [Event],
        /// The view of its seat.
        view: Box<SeatView>,
        /// The legal actions, in notation.
        actions: Vec<String>,
        /// The same as objects.
        moves: Vec<Move>,
    },
    /// The game is over.
    End {
        /// The seat that forfeited it, if one did.
        forfeit: Option<Seat>,
        /// The events that its seat saw since its last decision.
        events: &'a [Event],
        /// The result by seat.
        seats: Vec<SeatEnd>,
    },
}

/// The result of a seat.
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
        let named =
            |tickets: TicketSet| tickets.into_iter().map(|ticket| names[ticket.index()].clone()).collect();
        Self {
            points: result.points,
            rank: result.rank,
            points_by_source: Source::ALL
                .into_iter()
                .filter(|&source| game.has_source(source))
                .map(|source| (source.name(), result.sources[source]))
                .collect(),
            completed: named(result.completed_tickets),
            failed: named(result.failed_tickets),
        }
    }
}

impl Message<'_> {
    /// The message as a line, without the line break.
    pub(super) fn line(&self) -> String {
        serde_json::to_string(self).expect("messages are plain data")
    }
}
