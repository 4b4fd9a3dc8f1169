//! Records the requested data of a game while it is played.

use std::time::Duration;

use ttr_agents::Estimate;
use ttr_engine::{Seat, View};

use super::game_log::GameLog;
use super::record::DecisionRow;
use super::{Arena, Timed};
use crate::game::Playable;
use crate::table::one_game::Watch;

/// Decisions are timed in every eighth deal: reading the clock has a small cost.
const TIMED: u64 = 8;

/// Observes one game.
pub(super) struct Watcher<A> {
    /// Index of the game in the run.
    game: u64,
    timed: bool,
    /// The actions, for a replay.
    pub(super) actions: Option<Vec<A>>,
    /// The decisions, for their table.
    pub(super) rows: Option<Vec<DecisionRow>>,
    pub(super) log: Option<GameLog>,
    /// By seat, the number of decisions.
    pub(super) decisions: Vec<u32>,
    /// One per seat.
    pub(super) times: Vec<Timed>,
    /// Estimate for the next decision.
    estimate: Option<Estimate>,
    time: Duration,
}

impl<A> Watcher<A> {
    pub(super) fn new<G: Playable<Action = A>>(arena: &Arena<G>, deal: u64, game: u64) -> Self {
        let seats = arena.game.seats();
        Self {
            game,
            timed: arena.options.decisions || deal.is_multiple_of(TIMED),
            actions: (game < arena.options.replays).then(Vec::new),
            rows: arena.options.decisions.then(Vec::new),
            log: arena.options.seat_tables.then(|| GameLog::new(seats)),
            decisions: vec![0; seats],
            times: vec![Timed::default(); seats],
            estimate: None,
            time: Duration::ZERO,
        }
    }
}

impl<G: Playable> Watch<G> for Watcher<G::Action> {
    fn decision(&mut self, game: &G, state: &G::State, seat: Seat, action: G::Action) {
        if let Some(rows) = &mut self.rows {
            rows.push(DecisionRow {
                game: self.game,
                ply: self.decisions.iter().sum(),
                turn: game.turn_of_decision(state),
                seat: seat.into(),
                choices: game.observe(state, seat).count_actions() as u32,
                action: game.write_action(state, action),
                route: game.claim(action).map(|claim| claim.route),
                visits: self.estimate.map(|estimate| estimate.visits),
                value: self.estimate.map(|estimate| estimate.value),
                nanoseconds: nanoseconds(self.time),
            });
        }
        if let Some(log) = &mut self.log {
            log.decision(game, state, seat, action);
        }
        if let Some(actions) = &mut self.actions {
            actions.push(action);
        }
        self.decisions[seat] += 1;
    }

    fn timed(&self) -> bool {
        self.timed
    }

    fn took(&mut self, seat: Seat, time: Duration) {
        self.time = time;
        self.times[seat].add(Timed { decisions: 1, nanoseconds: nanoseconds(time) });
    }

    fn wants_estimates(&self) -> bool {
        self.rows.is_some()
    }

    fn estimated(&mut self, estimate: Option<Estimate>) {
        self.estimate = estimate;
    }
}

fn nanoseconds(time: Duration) -> u64 {
    time.as_nanos().try_into().unwrap_or(u64::MAX)
}
