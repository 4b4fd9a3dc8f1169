//! An arena with a directory: played in parts, resumed, merged, written out.

use std::ops::Range;

use anyhow::Context;
use ttr_agents::AgentSpec;

use super::record::{ENDINGS, GameRecord, SHARE};
use super::{Arena, ArenaPart, SprtSummary, Summary};
use crate::entrant::Entrant;
use crate::game_play::deal_seed;
use crate::kept_run::{KeptRun, for_each_part, play_missing};
use crate::playable::{Playable, SOURCES};
use crate::report;
use crate::rows::{Cell, Kind, RowWriter};
use crate::run_dir::{RunDir, RunPlan, SUMMARY};
use crate::runner::{Drive, Go, Outcome};
use crate::schedule::Schedule;
use crate::stats::Sprt;

/// What else an arena depends on, besides map, agents, games and seed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ArenaOptions {
    /// How many games are kept as replays.
    pub replays: u64,
    /// Whether every decision is kept.
    pub decisions: bool,
    /// Whether a forfeit stops the run.
    pub stop_on_forfeit: bool,
    /// A sequential test that may end the run.
    pub sprt: Option<SprtPlan>,
}

/// Which agents a sequential test compares.
#[derive(Clone, PartialEq, Debug)]
pub struct SprtPlan {
    /// Index of the agent that may be stronger.
    pub agent: usize,
    /// Index of the other.
    pub other: usize,
    /// The weaker claim.
    pub elo0: f64,
    /// The stronger claim.
    pub elo1: f64,
}

/// The error that a sequential test may make, either way.
const ERROR: f64 = 0.05;

impl ArenaOptions {
    /// As text, for the plan of a run.
    fn to_texts(&self) -> std::collections::BTreeMap<String, String> {
        let mut texts = std::collections::BTreeMap::new();
        texts.insert("replays".into(), self.replays.to_string());
        texts.insert("decisions".into(), self.decisions.to_string());
        texts.insert("stop_on_forfeit".into(), self.stop_on_forfeit.to_string());
        if let Some(SprtPlan { agent, other, elo0, elo1 }) = &self.sprt {
            texts.insert("sprt".into(), format!("{agent} {other} {elo0} {elo1}"));
        }
        texts
    }

    fn from_texts(texts: &std::collections::BTreeMap<String, String>) -> Option<Self> {
        let text = |key: &str| texts.get(key).map(String::as_str);
        let sprt = match text("sprt") {
            Some(test) => {
                let mut words = test.split(' ');
                Some(SprtPlan {
                    agent: words.next()?.parse().ok()?,
                    other: words.next()?.parse().ok()?,
                    elo0: words.next()?.parse().ok()?,
                    elo1: words.next()?.parse().ok()?,
                })
            }
            None => None,
        };
        Some(Self {
            replays: text("replays")?.parse().ok()?,
            decisions: text("decisions")?.parse().ok()?,
            stop_on_forfeit: text("stop_on_forfeit")?.parse().ok()?,
            sprt,
        })
    }
}

/// An arena in a directory.
pub struct ArenaRun<G> {
    arena: Arena<G>,
    dir: RunDir,
    sprt: Option<SprtPlan>,
}

impl<G: Playable> ArenaRun<G> {
    /// The verb of its plans.
    pub const VERB: &'static str = "arena";

    /// What a run depends on.
    pub fn plan(
        game: &G,
        map: &str,
        agents: Vec<AgentSpec>,
        schedule: &Schedule,
        seed: u64,
        deals: u64,
        options: &ArenaOptions,
    ) -> RunPlan {
        let plan = RunPlan::new(Self::VERB, game, map, seed, agents).with_deals(schedule, deals);
        RunPlan { options: options.to_texts(), ..plan }
    }

    /// The arena of a directory. `entrants` are the agents of its plan.
    ///
    /// # Errors
    /// If the directory is of something else.
    pub fn new(game: G, entrants: Vec<Entrant<G>>, dir: RunDir) -> anyhow::Result<Self> {
        let plan = dir.plan();
        let options = ArenaOptions::from_texts(&plan.options)
            .filter(|_| plan.verb == Self::VERB)
            .with_context(|| format!("{} is not the directory of an arena", dir.path().display()))?;
        let arena = Arena {
            game,
            entrants,
            schedule: Schedule::new(plan.line_ups.clone()),
            seed: plan.seed,
            replays: options.replays,
            decisions: options.decisions,
            stop_on_forfeit: options.stop_on_forfeit,
        };
        Ok(Self { arena, dir, sprt: options.sprt })
    }

    fn sum_up(&self, tally: &super::Tally) -> anyhow::Result<Summary> {
        let mut summary = self.arena.summary(tally);
        if let (Some(plan), Some(test)) = (&self.sprt, self.test_so_far()?) {
            let label = |agent: usize| self.arena.entrants[agent].label().to_owned();
            summary.sprt = Some(SprtSummary {
                agent: label(plan.agent),
                other: label(plan.other),
                elo0: plan.elo0,
                elo1: plan.elo1,
                llr: test.llr(),
                bounds: test.bounds(),
                deals: test.deals,
                decision: test.decision(),
            });
        }
        Ok(summary)
    }

    /// Shows a test the games of a part; gives the deal that decides.
    fn feed(&self, test: &mut Sprt, part: &ArenaPart) -> Option<u64> {
        let plan = self.sprt.as_ref()?;
        let deals = part.games.chunk_by(|a, b| a.deal == b.deal);
        for games in deals {
            let (mut points, mut compared) = (0.0, 0.0);
            for game in games {
                let of = |agent: usize| game.seats.iter().filter(move |seat| seat.agent == agent);
                for (seat, other) in
                    of(plan.agent).flat_map(|seat| of(plan.other).map(move |other| (seat, other)))
                {
                    compared += 1.0;
                    points += match seat.result.rank.cmp(&other.result.rank) {
                        std::cmp::Ordering::Less => 1.0,
                        std::cmp::Ordering::Equal => 0.5,
                        std::cmp::Ordering::Greater => 0.0,
                    };
                }
            }
            if compared > 0.0 && test.add(points / compared).is_some() {
                return games.first().map(|game| game.deal);
            }
        }
        None
    }

    /// The test after the deals that are kept.
    fn test_so_far(&self) -> anyhow::Result<Option<Sprt>> {
        let Some(plan) = &self.sprt else { return Ok(None) };
        let mut test = Sprt::new(plan.elo0, plan.elo1, ERROR, ERROR);
        for_each_part(&self.dir, |part: ArenaPart| {
            self.feed(&mut test, &part);
            Ok(())
        })?;
        Ok(Some(test))
    }

    fn game_index(&self, game: &GameRecord) -> i64 {
        (game.deal * self.arena.schedule.games_per_deal()) as i64 + i64::from(game.game)
    }

    fn game_row(&self, game: &GameRecord) -> Vec<Cell> {
        let (forfeited, why) = match &game.forfeit {
            Some((seat, why)) => (i64::from(seat + 1), why.as_str()),
            None => (0, ""),
        };
        vec![
            self.game_index(game).into(),
            (game.deal as i64).into(),
            deal_seed(self.arena.seed, game.deal).to_string().into(),
            i64::from(game.line_up).into(),
            i64::from(game.rotation).into(),
            i64::from(game.plies).into(),
            i64::from(game.turns).into(),
            ENDINGS[usize::from(game.ending)].into(),
            forfeited.into(),
            why.into(),
        ]
    }

    fn seat_row(&self, game: &GameRecord, index: usize) -> Vec<Cell> {
        let seat = &game.seats[index];
        let result = &seat.result;
        let mut row = vec![
            self.game_index(game).into(),
            (index as i64 + 1).into(),
            (game.place(index) as i64 + 1).into(),
            self.arena.entrants[seat.agent].label().into(),
            i64::from(result.rank + 1).into(),
            (f64::from(seat.share) / SHARE as f64).into(),
            i64::from(result.points).into(),
        ];
        row.extend(result.sources.map(|points| Cell::from(i64::from(points))));
        row.extend(
            [u32::from(result.completed), result.failed.into(), result.left.into(), seat.decisions]
                .map(|value| Cell::from(i64::from(value))),
        );
        row
    }
}

impl<G: Playable> KeptRun for ArenaRun<G> {
    type Summary = Summary;

    fn dir(&self) -> &RunDir {
        &self.dir
    }

    fn games_per_deal(&self) -> u64 {
        self.arena.schedule.games_per_deal()
    }

    fn play(&self, drive: &Drive<'_>) -> anyhow::Result<Outcome> {
        let mut test = self.test_so_far()?;
        if test.as_ref().is_some_and(|test| test.decision().is_some()) {
            return Ok(Outcome::Finished);
        }
        let mut decided = false;
        let look = |deals: &mut Range<u64>, part: &mut ArenaPart| {
            let Some(test) = &mut test else { return Go::On };
            match self.feed(test, part) {
                Some(deal) => {
                    let index = |deal: u64| deal * self.arena.schedule.games_per_deal();
                    part.games.retain(|game| game.deal <= deal);
                    part.replays.retain(|(game, _)| *game < index(deal + 1));
                    part.decisions.retain(|row| row.game < index(deal + 1));
                    deals.end = deal + 1;
                    decided = true;
                    Go::Stop
                }
                None => Go::On,
            }
        };
        let outcome =
            play_missing(&self.dir, &self.arena.game, &self.arena.entrants, &self.arena, drive, look)?;
        Ok(if decided { Outcome::Finished } else { outcome })
    }

    fn so_far(&self) -> anyhow::Result<Summary> {
        let mut tally = self.arena.tally();
        for_each_part(&self.dir, |part: ArenaPart| {
            tally.add_part(&part);
            Ok(())
        })?;
        self.sum_up(&tally)
    }

    fn finish(&self) -> anyhow::Result<Summary> {
        let folder = self.dir.path();
        let mut games = RowWriter::create(folder, "games", &game_columns())?;
        let mut seats = RowWriter::create(folder, "seats", &seat_columns())?;
        let mut decisions = match self.arena.decisions {
            true => Some(RowWriter::create(folder, "decisions", &DECISION_COLUMNS)?),
            false => None,
        };
        let mut tally = self.arena.tally();
        for_each_part(&self.dir, |part: ArenaPart| {
            for game in &part.games {
                games.row(self.game_row(game))?;
                for seat in 0..game.seats.len() {
                    seats.row(self.seat_row(game, seat))?;
                }
            }
            if let Some(rows) = &mut decisions {
                for row in &part.decisions {
                    rows.row([
                        (row.game as i64).into(),
                        i64::from(row.ply).into(),
                        i64::from(row.seat + 1).into(),
                        i64::from(row.choices).into(),
                        row.action.as_str().into(),
                    ])?;
                }
            }
            for (game, bytes) in &part.replays {
                self.dir.write_file(&format!("replays/{game:06}.ttr"), bytes)?;
            }
            tally.add_part(&part);
            Ok(())
        })?;
        games.finish()?;
        seats.finish()?;
        if let Some(rows) = decisions {
            rows.finish()?;
        }
        let summary = self.sum_up(&tally)?;
        let timing: Vec<_> = summary
            .agents
            .iter()
            .map(|agent| {
                serde_json::json!({
                    "agent": agent.label,
                    "timed_decisions": agent.time.decisions,
                    "nanoseconds": agent.time.nanoseconds,
                    "decisions_per_second": agent.time.per_second(),
                })
            })
            .collect();
        self.dir.write_file("timing.json", &pretty(&timing)?)?;
        self.dir.write_file("report.html", report::arena(&summary, &self.arena.game).as_bytes())?;
        // Last: it says that the run is complete.
        self.dir.write_file(SUMMARY, &pretty(&summary)?)?;
        self.dir.discard_parts()?;
        Ok(summary)
    }
}

fn game_columns() -> Vec<(&'static str, Kind)> {
    use Kind::{Text, Whole};
    vec![
        ("game", Whole),
        ("deal", Whole),
        ("deal_seed", Text),
        ("line_up", Whole),
        ("rotation", Whole),
        ("plies", Whole),
        ("turns", Whole),
        ("ending", Text),
        ("forfeited_seat", Whole),
        ("forfeit_reason", Text),
    ]
}

fn seat_columns() -> Vec<(&'static str, Kind)> {
    use Kind::{Real, Text, Whole};
    let mut columns = vec![
        ("game", Whole),
        ("seat", Whole),
        ("order", Whole),
        ("agent", Text),
        ("rank", Whole),
        ("win_share", Real),
        ("points", Whole),
    ];
    columns.extend(SOURCES.map(|source| (source, Whole)));
    columns.extend([
        ("tickets_completed", Whole),
        ("tickets_failed", Whole),
        ("trains_or_cards_left", Whole),
        ("decisions", Whole),
    ]);
    columns
}

const DECISION_COLUMNS: [(&str, Kind); 5] = [
    ("game", Kind::Whole),
    ("ply", Kind::Whole),
    ("seat", Kind::Whole),
    ("choices", Kind::Whole),
    ("action", Kind::Text),
];

fn pretty(value: &impl serde::Serialize) -> anyhow::Result<Vec<u8>> {
    let mut text = serde_json::to_vec_pretty(value)?;
    text.push(b'\n');
    Ok(text)
}
