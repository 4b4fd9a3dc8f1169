//! An arena with a directory: played in parts, resumed, merged, written out.

use std::ops::Range;

use ttr_agents::AgentSpec;

use super::record::{GameRecord, SHARE};
use super::tables::Tables;
use super::{Arena, ArenaPart, SprtSummary, Summary, courses};
use crate::game::Playable;
use crate::run::dir::{PLAN, RunDir, RunPlan, SUMMARY, WrongDirectory};
use crate::run::kept::{self, KeptRun, Page, REPORT, play_missing};
use crate::run::provenance;
use crate::stats::{Course, Decision, Encounter, Sprt};
use crate::table::entrant::Entrant;
use crate::table::runner::{Drive, Go, Outcome};
use crate::table::schedule::Schedule;

/// What else an arena depends on, besides map, agents, games and seed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ArenaOptions {
    /// How many games are kept as replays.
    pub replays: u64,
    /// Whether every decision is kept.
    pub decisions: bool,
    /// Whether the tickets and routes of every seat are kept.
    pub seat_tables: bool,
    /// Whether a forfeit stops the run.
    pub stop_on_forfeit: bool,
    /// A sequential test that may end the run.
    pub sprt: Option<SprtPlan>,
    /// Index of the agent whose rating is 0.
    pub anchor: Option<usize>,
    /// Ratings of all agents but the first, if they are known: the first is rated among them.
    pub known_ratings: Option<Vec<f64>>,
}

/// Which agents a sequential test compares.
#[derive(Clone, PartialEq, Debug)]
pub struct SprtPlan {
    /// Index of the agent that may be stronger.
    pub agent: usize,
    /// Index of the other.
    pub other: usize,
    /// H0: the agent is at most this much stronger.
    pub elo0: f64,
    /// H1: it is at least this much stronger.
    pub elo1: f64,
}

/// The file with the time that decisions took; not a result, since it differs from run to run.
const TIMING: &str = "timing.json";

/// The error that a sequential test may make, either way.
const ERROR: f64 = 0.05;

impl ArenaOptions {
    /// As text, for the plan of a run.
    fn to_texts(&self) -> std::collections::BTreeMap<String, String> {
        let mut texts = std::collections::BTreeMap::new();
        texts.insert("replays".into(), self.replays.to_string());
        texts.insert("decisions".into(), self.decisions.to_string());
        texts.insert("seat_tables".into(), self.seat_tables.to_string());
        texts.insert("stop_on_forfeit".into(), self.stop_on_forfeit.to_string());
        if let Some(SprtPlan { agent, other, elo0, elo1 }) = &self.sprt {
            texts.insert("sprt".into(), format!("{agent} {other} {elo0} {elo1}"));
        }
        if let Some(anchor) = self.anchor {
            texts.insert("anchor".into(), anchor.to_string());
        }
        if let Some(known) = &self.known_ratings {
            let ratings: Vec<_> = known.iter().map(f64::to_string).collect();
            texts.insert("known_ratings".into(), ratings.join(" "));
        }
        texts
    }

    /// The options of a plan for this many agents.
    fn from_texts(texts: &std::collections::BTreeMap<String, String>, agents: usize) -> Result<Self, String> {
        fn value<T: std::str::FromStr>(
            texts: &std::collections::BTreeMap<String, String>,
            key: &str,
        ) -> Result<T, String> {
            let text = texts.get(key).ok_or_else(|| format!("the option {key} is missing"))?;
            text.parse().map_err(|_| format!("the option {key} can't be {text:?}"))
        }
        let sprt: Option<SprtPlan> = texts.get("sprt").map(|_| value(texts, "sprt")).transpose()?;
        if sprt.as_ref().is_some_and(|test| test.agent.max(test.other) >= agents) {
            return Err(format!(
                "the option sprt has an agent that does not exist: there are {agents} from 0 on"
            ));
        }
        let anchor: Option<usize> = texts.get("anchor").map(|_| value(texts, "anchor")).transpose()?;
        if anchor.is_some_and(|anchor| anchor >= agents) {
            return Err(format!(
                "the option anchor has an agent that does not exist: there are {agents} from 0 on"
            ));
        }
        let number = |text: &str| text.parse().ok().filter(|elo: &f64| elo.is_finite());
        let known_ratings = texts.get("known_ratings").map(|text| {
            let ratings: Option<Vec<f64>> = text.split(' ').map(number).collect();
            let ratings = ratings.filter(|ratings| ratings.len() + 1 == agents);
            ratings.ok_or_else(|| format!("the option known_ratings can't be {text:?} with {agents} agents"))
        });
        Ok(Self {
            replays: value(texts, "replays")?,
            decisions: value(texts, "decisions")?,
            seat_tables: value(texts, "seat_tables")?,
            stop_on_forfeit: value(texts, "stop_on_forfeit")?,
            sprt,
            anchor,
            known_ratings: known_ratings.transpose()?,
        })
    }
}

impl std::str::FromStr for SprtPlan {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let [agent, other, elo0, elo1] = text.split(' ').collect::<Vec<_>>()[..] else { return Err(()) };
        let index = |text: &str| text.parse().map_err(|_| ());
        let elo = |text: &str| text.parse::<f64>().ok().filter(|elo| elo.is_finite()).ok_or(());
        let plan = Self { agent: index(agent)?, other: index(other)?, elo0: elo(elo0)?, elo1: elo(elo1)? };
        if plan.agent != plan.other && plan.elo0 < plan.elo1 { Ok(plan) } else { Err(()) }
    }
}

/// A sequential test and its LLR over deals.
struct Test {
    sprt: Sprt,
    path: Course<f64>,
}

impl Test {
    fn add(&mut self, wins: f64, encounters: &[Encounter]) -> Option<Decision> {
        let decision = self.sprt.add(wins, encounters);
        self.path.add(|| self.sprt.llr());
        decision
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

    /// The game that is played.
    pub fn game(&self) -> &G {
        &self.arena.game
    }

    /// The arena of a directory. `entrants` are the agents of its plan.
    ///
    /// # Errors
    /// If the directory is of something else.
    pub fn new(game: G, entrants: Vec<Entrant<G>>, dir: RunDir) -> anyhow::Result<Self> {
        let plan = dir.plan();
        if plan.verb != Self::VERB {
            anyhow::bail!(WrongDirectory(format!(
                "{} is not the directory of an arena",
                dir.path().display()
            )));
        }
        let checked =
            plan.check_games().and_then(|()| ArenaOptions::from_texts(&plan.options, entrants.len()));
        let options = checked.map_err(|why| dir.refuse(PLAN, &why))?;
        let arena = Arena {
            game,
            entrants,
            schedule: Schedule::new(plan.line_ups.clone()),
            seed: plan.seed,
            replays: options.replays,
            decisions: options.decisions,
            seat_tables: options.seat_tables,
            stop_on_forfeit: options.stop_on_forfeit,
            anchor: options.anchor,
            known_ratings: options.known_ratings,
        };
        Ok(Self { arena, dir, sprt: options.sprt })
    }

    fn sum_up(&self, tally: &super::Tally, test: Option<Test>) -> Summary {
        let mut summary = self.arena.summary(tally);
        summary.command = Some(provenance::command(self.dir.plan()));
        if let (Some(plan), Some(test)) = (&self.sprt, test) {
            let label = |agent: usize| self.arena.entrants[agent].label().to_owned();
            let Test { sprt, path } = test;
            summary.stopped_early = sprt.decision().is_some();
            let told = SprtSummary::new(&sprt, &label(plan.agent), &label(plan.other));
            summary.sprt = Some(SprtSummary { path: path.finish(|| sprt.llr()), ..told });
        }
        summary
    }

    /// Shows a test the games of a part; gives the deal that decides.
    fn feed(&self, test: &mut Test, part: &ArenaPart) -> Option<u64> {
        let plan = self.sprt.as_ref()?;
        let deals = part.games.chunk_by(|a, b| a.deal == b.deal);
        for games in deals {
            let (wins, encounters) = encounters(games, plan.agent, plan.other);
            if !encounters.is_empty() && test.add(wins, &encounters).is_some() {
                return games.first().map(|game| game.deal);
            }
        }
        None
    }

    /// The sequential test before the first deal, if there is one.
    fn new_test(&self) -> Option<Test> {
        let sprt = |plan: &SprtPlan| Sprt::new(plan.elo0, plan.elo1, ERROR, ERROR);
        self.sprt.as_ref().map(|plan| Test { sprt: sprt(plan), path: Course::default() })
    }

    /// Shows the parts that are kept, in order, and returns the sequential test after them. A test takes deals in order: parts after
    /// a gap wait for it, and deals after its decision do not count.
    fn for_each_part(
        &self,
        mut show: impl FnMut(ArenaPart) -> anyhow::Result<()>,
    ) -> anyhow::Result<Option<Test>> {
        let mut test = self.new_test();
        let mut at = self.dir.plan().first_deal;
        for deals in self.dir.parts()? {
            let mut decided = None;
            let mut part = kept::read(&self.dir, &self.arena, &deals)?;
            if let Some(test) = &mut test {
                if deals.start > at {
                    break;
                }
                decided = self.feed(test, &part);
            }
            at = deals.end;
            if let Some(deal) = decided {
                self.shorten(&mut part, deal + 1);
            }
            show(part)?;
            if decided.is_some() {
                break;
            }
        }
        Ok(test)
    }

    /// Drops the games of a part from a deal on.
    fn shorten(&self, part: &mut ArenaPart, end: u64) {
        let index = end * self.arena.schedule.games_per_deal();
        part.games.retain(|game| game.deal < end);
        part.replays.retain(|(game, _)| *game < index);
        part.decisions.retain(|row| row.game < index);
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
        let mut test = self.new_test();
        let mut decided = false;
        let look = |deals: &mut Range<u64>, part: &mut ArenaPart| {
            let Some(test) = &mut test else { return Go::On };
            match self.feed(test, part) {
                Some(deal) => {
                    self.shorten(part, deal + 1);
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
        let test = self.for_each_part(|part| {
            tally.add_part(&part);
            Ok(())
        })?;
        Ok(self.sum_up(&tally, test))
    }

    /// With the times of the process that finished it, if they can be read.
    fn recorded(&self) -> anyhow::Result<Summary> {
        let mut summary: Summary = self.dir.summary()?;
        let bytes = std::fs::read(self.dir.path().join(TIMING)).unwrap_or_default();
        let times: Vec<serde_json::Value> = serde_json::from_slice(&bytes).unwrap_or_default();
        for agent in &mut summary.agents {
            if let Some(time) = times.iter().find(|time| time["agent"] == agent.label.as_str()) {
                let number = |key: &str| time[key].as_u64().unwrap_or_default();
                let (decisions, nanoseconds) = (number("timed_decisions"), number("nanoseconds"));
                agent.time = super::Timed { decisions, nanoseconds };
            }
        }
        Ok(summary)
    }

    fn silent(summary: &Summary) -> Vec<String> {
        summary.silent()
    }

    fn finish(&self, page: Option<&Page<'_, Summary>>) -> anyhow::Result<Summary> {
        let mut tables = Tables::create(&self.dir, &self.arena)?;
        let mut tally = self.arena.tally();
        let test = self.for_each_part(|part| {
            tables.add(&part)?;
            for (game, bytes) in &part.replays {
                self.dir.write_replay(*game, bytes)?;
            }
            tally.add_part(&part);
            Ok(())
        })?;
        tables.finish()?;
        self.dir.sync_replays()?;
        let summary = self.sum_up(&tally, test);
        courses::write(&self.dir, &summary)?;
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
        self.dir.write_file(TIMING, &pretty(&timing)?)?;
        if let Some(page) = page {
            self.dir.write_file(REPORT, page(&summary).as_bytes())?;
        }
        // Last: it says that the run is complete.
        self.dir.write_json(SUMMARY, &summary)?;
        self.dir.discard_parts()?;
        Ok(summary)
    }
}

/// The wins of an agent in games of a deal that it played with another, and how many of them either of the two won.
pub(crate) fn encounters(games: &[GameRecord], agent: usize, other: usize) -> (f64, Vec<Encounter>) {
    let mut wins = 0.0;
    let mut encounters: Vec<Encounter> = Vec::new();
    for game in games {
        let of = |agent: usize| {
            let seats = game.seats.iter().filter(|seat| seat.agent == agent);
            seats.fold((0.0, 0.0), |sum, seat| (sum.0 + 1.0, sum.1 + f64::from(seat.share) / SHARE as f64))
        };
        let ((seats, own), (others, lost)) = (of(agent), of(other));
        if seats == 0.0 || others == 0.0 || own + lost == 0.0 {
            continue;
        }
        wins += own;
        match encounters.iter_mut().find(|known| known.seats == seats / others) {
            Some(known) => known.games += own + lost,
            None => encounters.push(Encounter { seats: seats / others, games: own + lost }),
        }
    }
    (wins, encounters)
}

fn pretty(value: &impl serde::Serialize) -> anyhow::Result<Vec<u8>> {
    let mut text = serde_json::to_vec_pretty(value)?;
    text.push(b'\n');
    Ok(text)
}
