//! Agents against each other on equal deals.
//!
//! [`Arena::play_deals`] plays in memory; a [`KeptRun`](crate::run::KeptRun) of an arena plays into a
//! directory, so that nothing is lost, and writes tables. Both end in a [`Summary`].
//!
//! | module | contents |
//! |---|---|
//! | `record`, `game_log`, `watcher` | records of a game, made while it is played |
//! | `tally`, `convergence` | sums over games, by deal |
//! | `sequential` | a test that ends the run |
//! | `summary` | figures, and their tables for the terminal |
//! | `kept`, `tables`, `courses` | an arena in a directory |

mod convergence;
mod courses;
mod game_log;
mod kept;
mod record;
mod sequential;
mod summary;
mod tables;
mod tally;
mod watcher;

pub(crate) use sequential::encounters;
pub use summary::ordinal;

use std::ops::Range;

use serde::{Deserialize, Serialize};
use ttr_engine::{Dice, Replay, ReplayHeader, Seat};

pub use convergence::ConvergencePoint;
pub use game_log::{RouteRecord, SeatLog, TicketRecord};
pub use record::{DecisionRow, GameRecord, SHARE, SeatRecord};
pub use summary::{
    AgentSummary, EndingSummary, HeadToHead, RouteUse, SeatSummary, SetsSummary, SprtSummary, Summary,
    TicketUse,
};
pub(crate) use tally::Tally;

pub use crate::run::options::{ArenaOptions, SprtPlan};

use crate::game::Playable;
use crate::run::kept::StopRule;
use crate::table::entrant::{Crew, Entrant};
use crate::table::one_game::{self, deal_seed};
use crate::table::runner::{self, Drive, Go, PlayError, Study};
use crate::table::schedule::{Schedule, Slot};
use sequential::Sequential;
use watcher::Watcher;

/// The games to play, and the records to keep.
///
/// ```
/// use ttr_agents::{Agent, AgentSpec, Forfeit};
/// use ttr_engine::board::{Action, BoardGame, Observation};
/// use ttr_engine::{Dice, View, maps};
/// use ttr_sim::arena::Arena;
/// use ttr_sim::table::entrant::Entrant;
/// use ttr_sim::table::runner::Drive;
/// use std::ops::ControlFlow;
///
/// /// Claims whenever it can, and otherwise does anything.
/// struct Claimer;
///
/// impl Agent<BoardGame> for Claimer {
///     fn choose(&mut self, view: &Observation<'_>, dice: &mut Dice) -> Result<Action, Forfeit> {
///         let claim = view.legal_actions(|action| match action {
///             Action::Claim { .. } => ControlFlow::Break(action),
///             _ => ControlFlow::Continue(()),
///         });
///         Ok(claim.break_value().unwrap_or_else(|| view.random_action(dice)))
///     }
/// }
///
/// let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let entrants = vec![
///     Entrant::new("claimer", |_: &BoardGame| Claimer),
///     Entrant::from_spec(&game, &AgentSpec::parse("random")?)?,
/// ];
/// let arena = Arena::round_robin(game, entrants, 1);
/// let summary = arena.play_deals(0..50, &Drive::threads(2))?;      // 100 games
/// assert!(summary.agents[0].win_share.value > 0.5);
/// println!("{summary}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Arena<G> {
    /// The rules.
    pub game: G,
    /// The agents that take part.
    pub entrants: Vec<Entrant<G>>,
    /// The schedule of line-ups.
    pub schedule: Schedule,
    /// The master seed.
    pub seed: u64,
    /// Options: records to keep, and the evaluation.
    pub options: ArenaOptions,
}

/// The results of some deals.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ArenaPart {
    /// Every game, in order.
    pub games: Vec<GameRecord>,
    /// Recorded games: index of the game in the run, and its bytes.
    pub replays: Vec<(u64, Vec<u8>)>,
    /// Every decision, if they are kept.
    pub decisions: Vec<DecisionRow>,
    /// Duration of the timed decisions, by agent.
    pub times: Vec<Timed>,
    /// Estimated size on disk, in bytes.
    #[serde(skip)]
    bytes: usize,
}

/// Decisions that were timed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Timed {
    /// Their number.
    pub decisions: u64,
    /// Their total duration in nanoseconds.
    pub nanoseconds: u64,
}

impl Timed {
    /// Decisions per second; 0 if none was timed.
    pub fn per_second(&self) -> f64 {
        if self.nanoseconds == 0 { 0.0 } else { self.decisions as f64 * 1e9 / self.nanoseconds as f64 }
    }

    /// Adds other timed decisions.
    pub fn add(&mut self, other: Self) {
        self.decisions = self.decisions.saturating_add(other.decisions);
        self.nanoseconds = self.nanoseconds.saturating_add(other.nanoseconds);
    }
}

impl<G: Playable> Arena<G> {
    /// Creates an arena in which all agents play each other.
    pub fn round_robin(game: G, entrants: Vec<Entrant<G>>, seed: u64) -> Self {
        let schedule = Schedule::round_robin(entrants.len(), game.seats());
        Self { game, entrants, schedule, seed, options: ArenaOptions::default() }
    }

    /// Plays deals in memory, and sums up.
    ///
    /// # Errors
    /// If an agent can't be made, or forfeits in an arena that stops then.
    pub fn play_deals(&self, deals: Range<u64>, drive: &Drive<'_>) -> Result<Summary, PlayError> {
        let mut tally = self.tally();
        let mut test = Sequential::new(self);
        runner::run(self, deals, drive, |mut deals, mut part| {
            let go = test.as_mut().map_or(Go::On, |test| test.look(&mut deals, &mut part));
            tally.add_part(&part);
            Ok::<_, PlayError>(go)
        })?;
        Ok(self.tested(&tally, test))
    }

    /// Creates a tally without games.
    pub(crate) fn tally(&self) -> Tally {
        let agents = 0..self.entrants.len();
        Tally::new(
            agents.map(|agent| self.schedule.largest_share(agent)).collect(),
            self.game.seats(),
            self.game.route_names().len(),
            self.game.ticket_names().len(),
        )
    }

    /// The summary of a tally.
    pub(crate) fn summary(&self, tally: &Tally) -> Summary {
        Summary::new(self, tally)
    }

    /// The same with the test that may have ended the run.
    fn tested(&self, tally: &Tally, test: Option<Sequential<'_, G>>) -> Summary {
        Summary {
            stopped_early: test.as_ref().is_some_and(Sequential::is_decided),
            sprt: test.map(Sequential::summary),
            ..self.summary(tally)
        }
    }

    /// Checks the tickets and routes of a game that was read.
    fn check_logs(&self, sizes: (usize, usize), record: &GameRecord) -> Result<(), String> {
        let mut seats = record.seats.iter();
        if self.options.seat_tables {
            seats.try_for_each(|seat| seat.log.check(sizes, record.turns, &seat.result))
        } else if seats.all(|seat| seat.log == SeatLog::default()) {
            Ok(())
        } else {
            Err("it has tickets and routes that were not requested".into())
        }
    }

    /// Plays one game of a deal.
    fn play_game(
        &self,
        crew: &mut Crew<'_, G>,
        deal: u64,
        slot: &Slot,
        part: &mut ArenaPart,
    ) -> Result<(), PlayError> {
        let seed = deal_seed(self.seed, deal);
        let index = deal * self.schedule.games_per_deal() + slot.game as u64;
        let entrant = |seat: Seat| &self.entrants[slot.agents[seat]];
        let mut dice: Vec<Dice> = Seat::all(self.game.seats())
            .map(|seat| entrant(seat).dice(self.seed, deal, slot.game as u64, seat))
            .collect();
        let mut watch = Watcher::new(self, deal, index);
        let mut agents = crew.take_seats(slot)?;
        let played = one_game::play(&self.game, seed, &mut agents, &mut dice, &mut watch);
        let Watcher { actions, rows, log, decisions, times, .. } = watch;
        if let Some((seat, why)) = &played.forfeit
            && self.options.stop_on_forfeit
        {
            let (agent, reason) = (entrant(*seat).label().to_owned(), why.to_string());
            return Err(PlayError::Forfeit { deal, game: slot.game, agent, seat: *seat, reason });
        }
        for row in rows.into_iter().flatten() {
            part.bytes += row.bytes();
            part.decisions.push(row);
        }
        for (&agent, time) in slot.agents.iter().zip(times) {
            part.times[agent].add(time);
        }
        let record = GameRecord::new(&self.game, deal, slot, &played, &decisions, log);
        if let (Some(actions), None) = (actions, &played.forfeit) {
            let header = ReplayHeader {
                map: self.game.map_id().to_owned(),
                rules_hash: self.game.rules_hash(),
                seats: self.game.seats() as u8,
                seed,
                agents: slot.agents.iter().map(|&agent| self.entrants[agent].label().to_owned()).collect(),
            };
            let points = record.seats.iter().map(|seat| seat.result.points).collect();
            let replay = Replay { header, actions, points }.to_bytes();
            part.bytes += replay.len();
            part.replays.push((index, replay));
        }
        part.bytes += record.bytes();
        part.games.push(record);
        Ok(())
    }
}

impl ArenaPart {
    /// Removes the games from a deal on.
    fn shorten(&mut self, end: u64, games_per_deal: u64) {
        let index = end * games_per_deal;
        self.games.retain(|game| game.deal < end);
        self.replays.retain(|(game, _)| *game < index);
        self.decisions.retain(|row| row.game < index);
    }
}

impl<G: Playable> Study for Arena<G> {
    type Game = G;
    type Part = ArenaPart;

    fn game(&self) -> &G {
        &self.game
    }

    fn entrants(&self) -> &[Entrant<G>] {
        &self.entrants
    }

    fn empty(&self) -> ArenaPart {
        ArenaPart { times: vec![Timed::default(); self.entrants.len()], ..ArenaPart::default() }
    }

    fn play(&self, crew: &mut Crew<'_, G>, deal: u64, part: &mut ArenaPart) -> Result<(), PlayError> {
        self.schedule.games(deal).try_for_each(|slot| self.play_game(crew, deal, &slot, part))
    }

    fn join(&self, part: &mut ArenaPart, next: ArenaPart) {
        part.games.extend(next.games);
        part.replays.extend(next.replays);
        part.decisions.extend(next.decisions);
        for (time, next) in part.times.iter_mut().zip(next.times) {
            time.add(next);
        }
        part.bytes += next.bytes;
    }

    fn bytes(&self, part: &ArenaPart) -> usize {
        part.bytes
    }

    fn games_per_deal(&self) -> u64 {
        self.schedule.games_per_deal()
    }
}
