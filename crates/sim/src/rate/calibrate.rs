//! The ratings of a ladder's anchors: every anchor plays every field, and all games are fitted together.

use std::path::Path;

use ttr_agents::AgentSpec;
use ttr_engine::codec;

use super::ladder::{Ladder, LadderTable};
use crate::arena::{Arena, ArenaOptions, GameRecord};
use crate::game::Playable;
use crate::run::dir::RunDir;
use crate::run::error::RunError;
use crate::run::kept::KeptRun;
use crate::run::options::StudyPlan;
use crate::run::plan::RunPlan;
use crate::stats::Figure;
use crate::table::entrant::{Crew, Entrant};
use crate::table::runner::{Drive, PlayError, Study};
use crate::table::schedule::Schedule;
use crate::with_game;

/// The measured anchors of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct Calibration {
    /// Their ratings, by name.
    pub ratings: Vec<(String, Figure)>,
    /// Number of games.
    pub games: u64,
    /// Checksum of the games of the first deal.
    pub anchor_games: u64,
}

/// Plays the anchors of a table against each other in a directory, or resumes it. Returns `None` if it was
/// stopped.
///
/// # Errors
/// If a game can't be played or something can't be written.
pub fn calibrate(
    ladder: &Ladder,
    table: &LadderTable,
    dir: &Path,
    drive: &Drive<'_>,
) -> Result<Option<Calibration>, RunError> {
    with_game!(table.game()?, game => calibrate_game(ladder, table, game, dir, drive))
}

/// Every anchor in the position of the rated agent, in every field.
pub(super) fn schedule(table: &LadderTable) -> Schedule {
    let (anchors, fields) = (table.anchor_names().len(), table.fields());
    let line_ups =
        (0..anchors).flat_map(|anchor| fields.iter().map(move |field| [&[anchor], &field[..]].concat()));
    Schedule::new(line_ups.collect())
}

fn agents(ladder: &Ladder, table: &LadderTable) -> Vec<AgentSpec> {
    table.anchor_names().iter().map(|name| ladder.anchor(table, name)).collect()
}

fn entrants<G: Playable>(game: &G, agents: &[AgentSpec]) -> Result<Vec<Entrant<G>>, PlayError> {
    Ok(agents.iter().map(|agent| Entrant::from_spec(game, agent)).collect::<Result<_, _>>()?)
}

fn calibrate_game<G: Playable>(
    ladder: &Ladder,
    table: &LadderTable,
    game: G,
    dir: &Path,
    drive: &Drive<'_>,
) -> Result<Option<Calibration>, RunError> {
    let agents = agents(ladder, table);
    let entrants = entrants(&game, &agents)?;
    let arena =
        Arena { schedule: schedule(table), ..Arena::round_robin(game, entrants, table.calibration_seed) };
    let anchor_games = first_deal(&arena)?;
    let zero = table.anchor_names().iter().position(|&name| name == table.zero);
    let options = ArenaOptions { anchor: zero, ..ArenaOptions::default() };
    let Arena { game, entrants, schedule, seed, .. } = arena;
    let plan = RunPlan::new(StudyPlan::Arena(options), &game, &table.map, seed, agents)
        .with_deals(&schedule, table.calibration_deals);
    let dir = RunDir::open_or_create(dir, plan)?;
    let mut run = KeptRun::open(dir, |plan| Arena::from_plan(game, entrants, plan))?;
    let Some(summary) = run.play_to_end(drive)? else { return Ok(None) };
    let names = table.anchor_names().into_iter().enumerate();
    let rating = |index: usize| {
        let agent = summary.agents.iter().find(|agent| agent.index == index);
        agent.map_or(Figure::NONE, |agent| agent.rating)
    };
    let ratings = names.map(|(index, name)| (name.to_owned(), rating(index))).collect();
    Ok(Some(Calibration { ratings, games: summary.games, anchor_games }))
}

/// A checksum of how the anchors play: decisions, points and forfeits of all games of the first deal.
fn first_deal<G: Playable>(arena: &Arena<G>) -> Result<u64, PlayError> {
    let mut part = arena.empty();
    arena.play(&mut Crew::new(&arena.game, &arena.entrants), 0, &mut part)?;
    let game = |game: &GameRecord| {
        let points: Vec<i64> = game.seats.iter().map(|seat| i64::from(seat.result.points)).collect();
        (game.plies, game.forfeit.is_some(), points)
    };
    Ok(codec::checksum(&codec::encode(&part.games.iter().map(game).collect::<Vec<_>>())))
}

#[cfg(test)]
pub(super) fn anchor_games(ladder: &Ladder, table: &LadderTable) -> Result<u64, RunError> {
    with_game!(table.game()?, game => {
        let entrants = entrants(&game, &agents(ladder, table))?;
        let arena = Arena::round_robin(game, entrants, table.calibration_seed);
        Ok(first_deal(&Arena { schedule: schedule(table), ..arena })?)
    })
}
