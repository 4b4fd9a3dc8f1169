//! Records of games.

use serde::{Deserialize, Serialize};
use ttr_engine::{RouteId, RouteSet, TicketSet};

use super::game_log::{GameLog, SeatLog};
use crate::game::{Ending, Playable, SeatResult};
use crate::table::one_game::Played;
use crate::table::schedule::Slot;

/// A whole win, in units that up to 5 seats can share.
pub const SHARE: i64 = 60;

/// A game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Index of the deal.
    pub deal: u64,
    /// Index among the games of the deal.
    pub game: u32,
    /// Index of the line-up.
    pub line_up: u32,
    /// Number of seats by which it is rotated.
    pub rotation: u8,
    /// The seat that had the first turn.
    pub first: u8,
    /// Number of decisions.
    pub plies: u32,
    /// Number of turns.
    pub turns: u16,
    /// The reason why it ended.
    pub ending: Ending,
    /// The seat that forfeited, and its reason.
    pub forfeit: Option<(u8, String)>,
    /// The seats.
    pub seats: Vec<SeatRecord>,
}

/// A seat of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SeatRecord {
    /// Index of the agent.
    pub agent: usize,
    /// Share of the win, out of [`SHARE`].
    pub share: u8,
    /// Number of decisions.
    pub decisions: u32,
    /// The seat's result.
    pub result: SeatResult,
    /// Its tickets and routes, if they are kept.
    pub log: SeatLog,
}

/// A decision.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DecisionRow {
    /// Index of the game in the run.
    pub game: u64,
    /// Index of the decision in the game.
    pub ply: u32,
    /// Turn of the game, counted over all seats from 1; 0 before the first turn.
    pub turn: u16,
    /// Seat that decided.
    pub seat: u8,
    /// Number of legal actions.
    pub choices: u32,
    /// The action, in notation.
    pub action: String,
    /// The route that the action claims, or tries to.
    pub route: Option<RouteId>,
    /// Number of playouts of a search that started with the action.
    pub visits: Option<u32>,
    /// Their mean value to the seat.
    pub value: Option<f64>,
    /// Duration of the decision. It differs from run to run.
    pub nanoseconds: u64,
}

impl DecisionRow {
    /// Estimated size on disk, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() - size_of::<String>() + self.action.len()
    }
}

impl GameRecord {
    /// Estimated size on disk, in bytes.
    pub(super) fn bytes(&self) -> usize {
        /// The numbers of a game, and those of a seat.
        const NUMBERS: usize = 16;
        const OF_SEAT: usize = 64;
        let reason = self.forfeit.as_ref().map_or(0, |(_, why)| why.len());
        NUMBERS + reason + self.seats.iter().map(|seat| OF_SEAT + seat.log.bytes()).sum::<usize>()
    }

    /// Index of the game in a run with this many games per deal.
    pub fn index(&self, games_per_deal: u64) -> u64 {
        self.deal * games_per_deal + u64::from(self.game)
    }

    /// The seats in the order in which they play, the first one first.
    pub fn in_order(&self) -> impl Iterator<Item = &SeatRecord> {
        let (before, from) = self.seats.split_at(usize::from(self.first).min(self.seats.len()));
        from.iter().chain(before)
    }

    /// The position of a seat in that order, from 0.
    pub fn place(&self, seat: usize) -> usize {
        (seat + self.seats.len() - usize::from(self.first)) % self.seats.len()
    }

    /// Checks that a record that was read is consistent, and belongs to this game on a map with this many
    /// routes and tickets.
    pub(super) fn check(
        &self,
        deal: u64,
        slot: &Slot,
        (routes, tickets): (usize, usize),
    ) -> Result<(), String> {
        let wrong = |what: &str| Err(what.to_owned());
        let of_slot = (self.game as usize, self.line_up as usize, usize::from(self.rotation));
        if self.deal != deal || of_slot != (slot.game, slot.line_up, slot.rotation) {
            return wrong("it is another game");
        }
        if !self.seats.iter().map(|seat| &seat.agent).eq(&slot.agents) {
            return wrong("other agents play it");
        }
        let seats = self.seats.len();
        let winners = self.seats.iter().filter(|seat| seat.result.rank == 0).count() as i64;
        let right_share = |seat: &SeatRecord| {
            let share = if seat.result.rank == 0 { SHARE / winners } else { 0 };
            usize::from(seat.result.rank) < seats && i64::from(seat.share) == share
        };
        if winners == 0 || !self.seats.iter().all(right_share) {
            return wrong("its ranks and shares do not fit");
        }
        let forfeit = self.forfeit.as_ref().map(|(seat, _)| usize::from(*seat));
        if (self.ending == Ending::Forfeit) != forfeit.is_some() {
            return wrong("its ending does not fit");
        }
        let known = |seat: &SeatRecord| {
            let held = seat.result.completed_tickets | seat.result.failed_tickets;
            seat.result.routes.is_subset(RouteSet::first(routes)) && held.is_subset(TicketSet::first(tickets))
        };
        if !self.seats.iter().all(known) {
            return wrong("it has routes or tickets that do not exist");
        }
        if usize::from(self.first) >= seats || forfeit.is_some_and(|seat| seat >= seats) {
            return wrong("a seat does not exist");
        }
        if self.seats.iter().map(|seat| u64::from(seat.decisions)).sum::<u64>() != u64::from(self.plies) {
            return wrong("its decisions do not add up");
        }
        Ok(())
    }

    pub(super) fn new<G: Playable>(
        game: &G,
        deal: u64,
        slot: &Slot,
        played: &Played<G::State>,
        decisions: &[u32],
        log: Option<GameLog>,
    ) -> Self {
        let results = played.results(game);
        let winners = results.iter().filter(|result| result.rank == 0).count() as i64;
        let logs = match log {
            Some(log) => log.finish(game, &played.state, &results),
            None => vec![SeatLog::default(); results.len()],
        };
        let seats = results.into_iter().zip(logs).zip(&slot.agents).zip(decisions);
        let seats = seats.map(|(((result, log), &agent), &decisions)| SeatRecord {
            agent,
            share: if result.rank == 0 { (SHARE / winners) as u8 } else { 0 },
            decisions,
            result,
            log,
        });
        Self {
            deal,
            game: slot.game as u32,
            line_up: slot.line_up as u32,
            rotation: slot.rotation as u8,
            first: played.first.into(),
            plies: played.plies,
            turns: game.turns(&played.state),
            ending: played.ending(game),
            forfeit: played.forfeit.as_ref().map(|(seat, why)| (u8::from(*seat), why.to_string())),
            seats: seats.collect(),
        }
    }
}
