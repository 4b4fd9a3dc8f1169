//! The plan of a run: everything that its results depend on.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use ttr_agents::AgentSpec;
use ttr_engine::{Notation, codec};

use super::options::StudyPlan;
use crate::table::schedule::Schedule;

/// Version of `run.toml` and of the parts of a run.
pub const FORMAT: u32 = 4;

/// Everything that a run's results depend on, and the share of it that is played here: the content of
/// `run.toml`.
///
/// ```
/// use ttr_agents::AgentSpec;
/// use ttr_engine::{board::BoardGame, maps};
/// use ttr_sim::run::{ArenaOptions, RunPlan, StudyPlan};
/// use ttr_sim::table::Schedule;
/// let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let study = StudyPlan::Arena(ArenaOptions::default());
/// let plan = RunPlan::new(study, &game, "usa", 1, AgentSpec::list("greedy,random")?)
///     .with_deals(&Schedule::round_robin(2, 2), 1000);
/// let second = plan.shard(2, 4);
/// assert_eq!((second.range(), second.hash() == plan.hash()), (250..500, true));
/// assert!(plan.check_game(&BoardGame::new(&maps::load("usa")?, 3)?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RunPlan {
    /// [`FORMAT`].
    pub format: u32,
    /// Version of this program.
    pub version: String,
    /// The map as it was requested, with modules, such as `europe+depots`; of a rating, the ladder.
    pub map: String,
    /// Hash of the map and its rules, or of the ladder.
    pub map_hash: String,
    /// Number of seats; 0 if tables have their own.
    pub seats: usize,
    /// The master seed; 0 if tables have their own.
    pub seed: u64,
    /// Number of deals; 0 of a study that is not planned by deals.
    pub deals: u64,
    /// The first deal that is played here.
    pub first_deal: u64,
    /// The deal after the last that is played here.
    pub end_deal: u64,
    /// The line-ups, as indices of agents.
    pub line_ups: Vec<Vec<usize>>,
    /// The secret from which processes get their random numbers; only a run with processes has one.
    #[serde(default, with = "hex_digits")]
    pub exec_secret: Option<u64>,
    /// The study.
    pub study: StudyPlan,
    /// The agents.
    pub agents: Vec<AgentSpec>,
}

/// A problem of a plan.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// There is no line-up.
    #[error("line_ups is empty")]
    NoLineUps,
    /// A line-up has too few or too many agents.
    #[error("the line-up {line_up:?} does not have {seats} seats")]
    WrongLineUp {
        /// The line-up.
        line_up: Vec<usize>,
        /// Number of seats.
        seats: usize,
    },
    /// An agent does not exist.
    #[error("{option} has agent {agent}, and there are {agents} from 0 on")]
    UnknownAgent {
        /// The option that names it.
        option: &'static str,
        /// Its index.
        agent: usize,
        /// Number of agents.
        agents: usize,
    },
    /// The deals of a shard are not in order.
    #[error("first_deal {first}, end_deal {end} and deals {deals} are not in order")]
    WrongDeals {
        /// The first deal.
        first: u64,
        /// The one after the last.
        end: u64,
        /// Number of deals.
        deals: u64,
    },
    /// There are more games than tables can number.
    #[error("{0} deals are more games than can be counted")]
    TooManyGames(u64),
    /// The value of an option is invalid.
    #[error("the option {option} must be {expected}")]
    Option {
        /// Its name.
        option: &'static str,
        /// The valid values.
        expected: String,
    },
    /// It is the plan of another study.
    #[error("it is the plan of a run of {found}, not of {expected}")]
    OtherStudy {
        /// The requested study.
        expected: &'static str,
        /// The study of the plan.
        found: &'static str,
    },
    /// The map or ladder is not the one of the plan.
    #[error("{0} has changed")]
    OtherMap(String),
    /// Something else, such as an agent that does not play the game.
    #[error("{0}")]
    Other(String),
}

/// The first difference between two plans.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanDifference {
    /// The key, with dots between those of nested tables.
    pub key: String,
    /// Its values in both, as text.
    pub values: [String; 2],
}

impl std::fmt::Display for PlanDifference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { key, values: [one, other] } = self;
        if key == RunPlan::EXEC_SECRET {
            write!(f, "{key} differs")
        } else {
            write!(f, "{key} is {one} in one and {other} in the other")
        }
    }
}

impl RunPlan {
    /// The key of the secret of processes.
    pub const EXEC_SECRET: &'static str = "exec_secret";

    /// Creates the plan of a whole run of this version, without deals.
    pub fn new<G: Notation>(
        study: StudyPlan,
        game: &G,
        map: &str,
        seed: u64,
        agents: Vec<AgentSpec>,
    ) -> Self {
        Self {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            map: map.to_owned(),
            map_hash: format!("{:016x}", game.rules_hash()),
            seats: game.seats(),
            seed,
            deals: 0,
            first_deal: 0,
            end_deal: 0,
            line_ups: Vec::new(),
            exec_secret: None,
            study,
            agents,
        }
    }

    /// Sets the schedule and the number of deals.
    #[must_use]
    pub fn with_deals(self, schedule: &Schedule, deals: u64) -> Self {
        Self { deals, end_deal: deals, line_ups: schedule.line_ups().to_vec(), ..self }
    }

    /// Sets the secret of the run, from which processes get their random numbers; without processes it
    /// needs none.
    #[must_use]
    pub fn with_exec_secret(self, secret: u64) -> Self {
        Self { exec_secret: self.has_processes().then_some(secret), ..self }
    }

    /// Returns `true` if an agent is a process.
    pub fn has_processes(&self) -> bool {
        self.agents.iter().any(|agent| agent.command().is_some())
    }

    /// The command that plays it, such as `arena`.
    pub const fn command(&self) -> &'static str {
        self.study.command()
    }

    /// The deals to play here.
    pub fn range(&self) -> Range<u64> {
        self.first_deal..self.end_deal
    }

    /// Returns `true` if this is the whole run, not a shard.
    pub fn is_whole(&self) -> bool {
        self.range() == (0..self.deals)
    }

    /// The plan of the `index`-th of `count` shards, counted from 1.
    #[must_use]
    pub fn shard(&self, index: u64, count: u64) -> Self {
        let Range { start, end } = self.shard_range(index, count);
        Self { first_deal: start, end_deal: end, ..self.clone() }
    }

    /// The deals of the `index`-th of `count` shards, counted from 1.
    pub fn shard_range(&self, index: u64, count: u64) -> Range<u64> {
        let cut = |part: u64| (u128::from(self.deals) * u128::from(part) / u128::from(count)) as u64;
        cut(index - 1)..cut(index)
    }

    /// The number of shards into which the run was divided, if these are the deals of some of them.
    ///
    /// ```
    /// # use ttr_engine::{board::BoardGame, maps};
    /// # use ttr_sim::run::{ArenaOptions, RunPlan, StudyPlan};
    /// # let game = BoardGame::new(&maps::load("usa")?, 2)?;
    /// # let plan = RunPlan::new(StudyPlan::Arena(ArenaOptions::default()), &game, "usa", 1, Vec::new());
    /// # use ttr_sim::table::Schedule;
    /// let plan = plan.with_deals(&Schedule::round_robin(2, 2), 1000);
    /// let some = [2, 5, 7].map(|index| plan.shard(index, 7).range());
    /// assert_eq!(plan.shards_with(&some), Some(7));
    /// assert_eq!(plan.shards_with(&[0..10, 20..900]), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shards_with(&self, ranges: &[Range<u64>]) -> Option<u64> {
        let least = ranges.iter().map(|range| range.end - range.start).filter(|&deals| deals > 0).min()?;
        // The deals of a shard are a fraction of all, rounded up or down.
        let most = if least == 1 { self.deals } else { self.deals.div_ceil(least - 1) };
        let is_shard = |range: &Range<u64>, count: u64| {
            let near = (u128::from(range.start) * u128::from(count) / u128::from(self.deals)) as u64 + 1;
            (near..=near + 1).any(|index| index <= count && self.shard_range(index, count) == *range)
        };
        (self.deals / (least + 1)..=most)
            .filter(|&count| count > 0)
            .find(|&count| ranges.iter().all(|range| range.is_empty() || is_shard(range, count)))
    }

    /// The shards of this many, counted from 1, that have deals in some ranges, which are in order.
    pub fn shards_of(&self, ranges: &[Range<u64>], count: u64) -> impl Iterator<Item = u64> {
        (1..=count).filter(move |&index| {
            let shard = self.shard_range(index, count);
            let next = ranges.partition_point(|range| range.end <= shard.start);
            ranges.get(next).is_some_and(|range| range.start < shard.end)
        })
    }

    /// The plan of all deals.
    #[must_use]
    pub fn whole(&self) -> Self {
        Self { first_deal: 0, end_deal: self.deals, ..self.clone() }
    }

    /// A hash of everything that results depend on: equal for the shards of a run.
    pub fn hash(&self) -> u64 {
        codec::checksum(&codec::encode(&self.whole()))
    }

    /// The schedule of line-ups.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.line_ups.clone())
    }

    /// Checks that this is the game of the plan.
    ///
    /// # Errors
    /// If the rules have changed.
    pub fn check_game<G: Notation>(&self, game: &G) -> Result<(), PlanError> {
        let is_same = self.map_hash == format!("{:016x}", game.rules_hash()) && self.seats == game.seats();
        if is_same { Ok(()) } else { Err(PlanError::OtherMap(self.map.clone())) }
    }

    /// The error of a plan of another study.
    pub(crate) fn is_not_of(&self, expected: &'static str) -> PlanError {
        PlanError::OtherStudy { expected, found: self.command() }
    }

    /// Checks that the games of the plan can be played and counted.
    ///
    /// # Errors
    /// A problem, such as a line-up with an agent that does not exist.
    pub fn check_games(&self) -> Result<(), PlanError> {
        let (seats, agents) = (self.seats, self.agents.len());
        if self.line_ups.is_empty() {
            return Err(PlanError::NoLineUps);
        }
        for line_up in &self.line_ups {
            if line_up.len() != seats {
                return Err(PlanError::WrongLineUp { line_up: line_up.clone(), seats });
            }
            if let Some(&agent) = line_up.iter().find(|&&agent| agent >= agents) {
                return Err(PlanError::UnknownAgent { option: "line_ups", agent, agents });
            }
        }
        let (first, end, deals) = (self.first_deal, self.end_deal, self.deals);
        if first > end || end > deals {
            return Err(PlanError::WrongDeals { first, end, deals });
        }
        // Tables number the games with signed integers.
        let games = self.schedule().games_per_deal().checked_mul(deals);
        if games.is_none_or(|games| games > i64::MAX as u64) {
            return Err(PlanError::TooManyGames(deals));
        }
        Ok(())
    }

    /// The first difference from another plan, ignoring the deals of a shard.
    pub fn difference(&self, other: &Self) -> Option<PlanDifference> {
        let values = |plan: &Self| {
            let mut all = Vec::new();
            flatten("", toml::Table::try_from(plan.whole()).unwrap_or_default().into(), &mut all);
            all
        };
        let (mine, theirs) = (values(self), values(other));
        let differs = |key: &&String| find(&mine, key) != find(&theirs, key);
        // It is random, and differs unless it was given.
        let secret = Self::EXEC_SECRET.to_owned();
        let mut keys: Vec<&String> = mine.iter().chain(&theirs).map(|(key, _)| key).collect();
        keys.sort_by_key(|key| (**key != secret, *key));
        let key = keys.into_iter().find(differs)?;
        let text = |all| find(all, key).map_or("nothing".to_owned(), ToString::to_string);
        Some(PlanDifference { key: key.clone(), values: [text(&mine), text(&theirs)] })
    }
}

/// The values of nested tables by their keys, with dots between them.
fn flatten(key: &str, value: toml::Value, all: &mut Vec<(String, toml::Value)>) {
    match value {
        toml::Value::Table(table) => {
            for (name, value) in table {
                let key = if key.is_empty() { name } else { format!("{key}.{name}") };
                flatten(&key, value, all);
            }
        }
        value => all.push((key.to_owned(), value)),
    }
}

fn find<'v>(all: &'v [(String, toml::Value)], key: &str) -> Option<&'v toml::Value> {
    all.iter().find(|(known, _)| known == key).map(|(_, value)| value)
}

/// A number of 64 bits as 16 hexadecimal digits: TOML integers have only 63 bits.
mod hex_digits {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(number: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
        number.map(|number| format!("{number:016x}")).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        let number = |text: String| {
            let number =
                u64::from_str_radix(&text, 16).ok().filter(|number| format!("{number:016x}") == text);
            number.ok_or_else(|| D::Error::custom("expected 16 hexadecimal digits"))
        };
        text.map(number).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::super::options::{ArenaOptions, RateOptions, SprtPlan, TicketOptions, TuneOptions};
    use super::*;

    fn plan() -> RunPlan {
        let map = ttr_engine::maps::load("usa").unwrap();
        let game = ttr_engine::board::BoardGame::new(&map, 2).unwrap();
        let agents = vec![AgentSpec::new("random"); 2];
        let plan = RunPlan::new(StudyPlan::Arena(ArenaOptions::default()), &game, "usa", 1, agents);
        plan.with_deals(&Schedule::round_robin(2, 2), 10)
    }

    #[test]
    fn shards_cover_the_run() {
        for count in [1, 3, 7, 10, 13] {
            let shards: Vec<_> = (1..=count).map(|index| plan().shard(index, count)).collect();
            assert_eq!((shards[0].first_deal, shards[count as usize - 1].end_deal), (0, 10));
            assert!(shards.windows(2).all(|pair| pair[0].end_deal == pair[1].first_deal));
            assert!(shards.iter().all(|shard| shard.hash() == plan().hash()));
        }
    }

    #[test]
    fn differences_are_named() {
        let difference = |other: &RunPlan| plan().difference(other).map(|difference| difference.to_string());
        let other = RunPlan { seed: 2, ..plan() };
        assert_eq!(difference(&other).unwrap(), "seed is 1 in one and 2 in the other");
        assert_eq!(difference(&plan().shard(1, 2)), None);
        let study = StudyPlan::Arena(ArenaOptions { decisions: true, ..ArenaOptions::default() });
        assert_eq!(
            difference(&RunPlan { study, ..plan() }).unwrap(),
            "study.arena.decisions is false in one and true in the other"
        );
        let secret = RunPlan { exec_secret: Some(1), seed: 2, ..plan() };
        assert_eq!(difference(&secret).unwrap(), "exec_secret differs");
    }

    /// All options of a study are the same in `run.toml`, to the last bit.
    #[test]
    fn plans_come_back_from_toml() {
        let sprt = SprtPlan { agent: 1, other: 0, elo0: -0.1, elo1: 1e-7 };
        let all = ArenaOptions {
            replays: 3,
            decisions: true,
            seat_tables: true,
            stop_on_forfeit: true,
            anchor: Some(1),
            known_ratings: Some(vec![0.1 + 0.2]),
            sprt: Some(sprt),
        };
        let params = vec!["wild".to_owned(), "draw".to_owned()];
        let tune = TuneOptions { params, budget: 10, deals: 2, candidates: 4, step: 0.1, confirm: 7 };
        let studies = [
            StudyPlan::Arena(ArenaOptions::default()),
            StudyPlan::Arena(all),
            StudyPlan::Tickets(TicketOptions { forced: true }),
            StudyPlan::Tune(tune),
            StudyPlan::Rate(RateOptions { tables: vec!["usa-2".into()], times: 2 }),
        ];
        for study in studies {
            for exec_secret in [None, Some(0x1f), Some(u64::MAX)] {
                let plan = RunPlan { study: study.clone(), exec_secret, ..plan() };
                let text = toml::to_string(&plan).unwrap();
                assert_eq!(toml::from_str::<RunPlan>(&text).unwrap(), plan, "{text}");
                let more = text.replacen("\n\n[study.", "\nmore = 1\n\n[study.", 1);
                assert!(more != text && toml::from_str::<RunPlan>(&more).is_err(), "{more}");
            }
        }
    }
}
