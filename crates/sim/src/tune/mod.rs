//! Tuning: the weights of an agent are improved by self-play.
//!
//! Every candidate of a generation plays the same deals against the same opponents, in all rotations. The centre of the last
//! generation is then tested against the agent as it was, on fresh deals, until a sequential test decides.

mod cma_es;

use serde::{Deserialize, Serialize};
use ttr_agents::{AgentInfo, AgentSpec, Param, Range, SpecError};

pub use cma_es::CmaEs;

use crate::arena::{Arena, encounters};
use crate::entrant::Entrant;
use crate::exec::ExecOptions;
use crate::playable::Playable;
use crate::runner::{self, Drive, Go, Outcome};
use crate::schedule::Schedule;
use crate::stats::{Decision, Figure, Sprt};

/// Deals of the confirmation start here: none of the search is among them.
const FRESH: u64 = 1 << 40;
/// Points of margin that are worth as much as all wins: a little slope where wins are too coarse.
const MARGIN: f64 = 400.0;
/// Deals that are played between two looks at the sequential test.
const BATCH: u64 = 64;

/// What to tune, against whom, and how long.
#[derive(Clone, Debug)]
pub struct TunePlan {
    /// The agent, with what shall stay as it is set.
    pub agent: AgentSpec,
    /// The parameters to tune; all numbers of the agent if empty.
    pub params: Vec<String>,
    /// The opponents; the agent as it was, if empty.
    pub against: Vec<AgentSpec>,
    /// How many games, those of the confirmation not counted.
    pub budget: u64,
    /// Deals that each candidate plays in a generation.
    pub deals: u64,
    /// Candidates of a generation.
    pub candidates: usize,
    /// The first steps, as a share of each parameter's range.
    pub step: f64,
    /// The master seed.
    pub seed: u64,
    /// Most games of the confirmation.
    pub confirm: u64,
    /// How opponents that are processes are treated.
    pub processes: ExecOptions,
}

/// How a generation went.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Generation {
    /// Games so far.
    pub games: u64,
    /// Share of wins of all its candidates together.
    pub mean: Figure,
    /// Share of wins of the best of them.
    pub best: f64,
    /// Mean margin in points.
    pub margin: f64,
    /// How far candidates spread, as a share of the ranges.
    pub spread: f64,
    /// What each candidate cost, for going on after an interruption.
    pub costs: Vec<f64>,
}

/// The generations of a search that is not complete.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Generations {
    /// In order.
    pub generations: Vec<Generation>,
}

/// What tuning came to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tuned {
    /// The agent as it was.
    pub before: AgentSpec,
    /// The agent with its new weights.
    pub after: AgentSpec,
    /// By parameter: its name, what it was, what it is.
    pub params: Vec<(String, f64, f64)>,
    /// The generations.
    pub curve: Vec<Generation>,
    /// How the new one did against the old one on fresh deals: share of wins and games.
    pub confirmed: Option<Confirmation>,
}

/// A test on fresh deals.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Confirmation {
    /// Share of wins per seat of the new one. If the test has decided it is biased away from the fair share.
    pub share: Figure,
    /// Difference in Elo between the two, corrected for the stop (median-unbiased).
    pub elo: Figure,
    /// Games played.
    pub games: u64,
    /// Logarithm of the likelihood ratio.
    pub llr: f64,
    /// What the test decided; nothing if it ran out of games.
    pub decision: Option<Decision>,
}

/// A parameter that is tuned, with what it was.
#[derive(Clone, Copy, Debug)]
struct Dial {
    param: &'static Param,
    low: f64,
    high: f64,
    start: f64,
}

impl Dial {
    fn value(&self, x: f64) -> f64 {
        let range = self.high - self.low;
        let value = self.low + reflected(x) * range;
        // A ten-thousandth of the range is finer than anybody can tell apart. Rounded as a decimal, so that it is written as one.
        let unit = 10f64.powf((4.0 - range.log10()).ceil());
        ((value * unit).round() / unit).clamp(self.low, self.high)
    }
}

/// A number mirrored at 0 and 1 until it is between them.
fn reflected(x: f64) -> f64 {
    let x = x.rem_euclid(2.0);
    if x > 1.0 { 2.0 - x } else { x }
}

/// A tuner between two generations.
pub struct Tuner<'g, G> {
    game: &'g G,
    plan: TunePlan,
    dials: Vec<Dial>,
    search: CmaEs,
    curve: Vec<Generation>,
}

impl<'g, G: Playable + Clone> Tuner<'g, G> {
    /// Begins.
    ///
    /// # Errors
    /// If the agent has no such parameter, or none that is a number.
    pub fn new(game: &'g G, mut plan: TunePlan) -> Result<Self, SpecError> {
        game.agent(&plan.agent)?;
        if plan.against.is_empty() {
            plan.against = vec![plan.agent.clone()];
        }
        let dials = dials(game, &plan)?;
        let start = dials.iter().map(|dial| (dial.start - dial.low) / (dial.high - dial.low)).collect();
        let search = CmaEs::new(start, plan.step, plan.candidates, plan.seed);
        Ok(Self { game, plan, dials, search, curve: Vec::new() })
    }

    /// The generations so far.
    pub fn curve(&self) -> &[Generation] {
        &self.curve
    }

    /// Games so far.
    pub fn games(&self) -> u64 {
        self.curve.last().map_or(0, |generation| generation.games)
    }

    /// Games of a generation.
    pub fn games_per_generation(&self) -> u64 {
        let line_ups = self.plan.candidates * self.plan.against.len();
        self.plan.deals * (line_ups * self.game.seats()) as u64
    }

    /// Whether the budget is used up.
    pub fn is_done(&self) -> bool {
        self.games() >= self.plan.budget
    }

    /// Takes generations that were played before, as [`Tuner::curve`] gave them.
    ///
    /// # Errors
    /// If they are not those of this search; then it is as it was.
    pub fn recall(&mut self, curve: Vec<Generation>) -> Result<(), String> {
        let (mut search, mut games) = (self.search.clone(), self.games());
        for (index, generation) in curve.iter().enumerate() {
            let wrong = |what: &str| Err(format!("generation {}: {what}", index + 1));
            let candidates = search.ask();
            if games >= self.plan.budget {
                return wrong("the budget was spent before it");
            }
            games += self.games_of_generation(candidates.len());
            if generation.games != games {
                return wrong(&format!("it ends after {} games, not {games}", generation.games));
            }
            let Figure { value, low, high, .. } = generation.mean;
            let figures = [value, low, high, generation.best, generation.margin, generation.spread];
            if generation.costs.len() != candidates.len() {
                return wrong(&format!(
                    "it has {} costs of {} candidates",
                    generation.costs.len(),
                    candidates.len()
                ));
            }
            if !generation.costs.iter().chain(&figures).all(|figure| figure.is_finite()) {
                return wrong("a figure is missing");
            }
            search.tell(&candidates, &generation.costs);
        }
        self.search = search;
        self.curve.extend(curve);
        Ok(())
    }

    /// The line-ups of a generation: each candidate, in turn, alone against each opponent. Opponents come after the candidates.
    fn line_ups(&self, candidates: usize) -> Vec<Vec<usize>> {
        let mut line_ups = Vec::new();
        for candidate in 0..candidates {
            for other in candidates..candidates + self.plan.against.len() {
                let mut line_up = vec![other; self.game.seats()];
                line_up[0] = candidate;
                line_ups.push(line_up);
            }
        }
        line_ups
    }

    fn games_of_generation(&self, candidates: usize) -> u64 {
        self.plan.deals * Schedule::new(self.line_ups(candidates)).games_per_deal()
    }

    /// Plays the next generation.
    ///
    /// # Errors
    /// If an agent can't be made, or the run was stopped: then the generation does not count.
    pub fn step(&mut self, drive: &Drive<'_>) -> anyhow::Result<bool> {
        let candidates = self.search.clone().ask();
        let generation = self.curve.len() as u64;
        let first = generation * self.plan.deals;
        let mut entrants = Vec::new();
        for candidate in &candidates {
            entrants.push(Entrant::from_spec(self.game, &self.spec(candidate))?);
        }
        for spec in &self.plan.against {
            entrants.push(Entrant::from_spec_with(self.game, spec, &self.plan.processes)?);
        }
        let arena = self.arena(entrants, self.line_ups(candidates.len()));
        let mut worth = vec![Worth::default(); candidates.len()];
        let end = first + self.plan.deals;
        let mut played = first;
        runner::run(self.game, &arena.entrants, &arena, first..end, drive, |deals, part| {
            played = deals.end;
            for game in &part.games {
                for seat in game.seats.iter().filter(|seat| seat.agent < candidates.len()) {
                    let others = game.seats.iter().filter(|other| other.agent >= candidates.len());
                    let best = others.map(|other| other.result.points).max().unwrap_or(0);
                    worth[seat.agent].add(seat.share, seat.result.points - best);
                }
            }
            Ok(Go::On)
        })?;
        if played < end {
            return Ok(false);
        }
        let costs: Vec<f64> = worth.iter().map(Worth::cost).collect();
        let candidates = self.search.ask();
        self.search.tell(&candidates, &costs);
        let shares: Vec<f64> = worth.iter().map(Worth::share).collect();
        let count = shares.len() as f64;
        let mean = shares.iter().sum::<f64>() / count;
        let deviation = (shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / count).sqrt();
        let games = self.games() + self.games_of_generation(candidates.len());
        self.curve.push(Generation {
            games,
            mean: Figure::new(mean, mean - deviation, mean + deviation),
            best: shares.iter().copied().fold(0.0, f64::max),
            margin: worth.iter().map(Worth::margin).sum::<f64>() / count,
            spread: self.search.spread(),
            costs,
        });
        Ok(true)
    }

    /// The agent at the centre of the search.
    pub fn best(&self) -> AgentSpec {
        self.spec(self.search.mean())
    }

    /// Tests the centre of the search against the agent as it was, and gives the result; nothing if it was stopped.
    ///
    /// # Errors
    /// If an agent can't be made.
    pub fn finish(&self, drive: &Drive<'_>) -> anyhow::Result<Option<Tuned>> {
        let after = self.best();
        let mut confirmed = None;
        if after != self.plan.agent {
            confirmed = self.confirm(&after, drive)?;
            if confirmed.is_none() {
                return Ok(None);
            }
        }
        let center = self.search.mean();
        let params = self
            .dials
            .iter()
            .zip(center)
            .map(|(dial, &x)| (dial.param.name.to_owned(), dial.start, dial.value(x)))
            .collect();
        let (before, curve) = (self.plan.agent.clone(), self.curve.clone());
        Ok(Some(Tuned { before, after, params, curve, confirmed }))
    }

    fn confirm(&self, after: &AgentSpec, drive: &Drive<'_>) -> anyhow::Result<Option<Confirmation>> {
        let entrants =
            vec![Entrant::from_spec(self.game, after)?, Entrant::from_spec(self.game, &self.plan.agent)?];
        let line_ups = Schedule::round_robin(2, self.game.seats()).line_ups().to_vec();
        let arena = self.arena(entrants, line_ups);
        let mut test = Sprt::new(0.0, 10.0, 0.05, 0.05);
        let mut tally = arena.tally();
        let mut at = FRESH;
        let most = FRESH + arena.schedule.deals(self.plan.confirm);
        while at < most && test.decision().is_none() {
            let end = (at + BATCH).min(most);
            let outcome = runner::run(self.game, &arena.entrants, &arena, at..end, drive, |_, part| {
                tally.add_part(&part);
                for games in part.games.chunk_by(|a, b| a.deal == b.deal) {
                    let (wins, encounters) = encounters(games, 0, 1);
                    test.add(wins, &encounters);
                }
                Ok(Go::On)
            })?;
            if outcome == Outcome::Stopped {
                return Ok(None);
            }
            at = end;
        }
        let summary = arena.summary(&tally);
        let own = summary.agents.iter().find(|agent| agent.index == 0);
        Ok(Some(Confirmation {
            share: own.map_or(Figure::NONE, |agent| agent.win_share),
            elo: test.estimate(),
            games: summary.games,
            llr: test.llr(),
            decision: test.decision(),
        }))
    }

    fn arena(&self, entrants: Vec<Entrant<G>>, line_ups: Vec<Vec<usize>>) -> Arena<G> {
        Arena {
            game: self.game.clone(),
            entrants,
            schedule: Schedule::new(line_ups),
            seed: self.plan.seed,
            replays: 0,
            decisions: false,
            seat_tables: false,
            stop_on_forfeit: true,
            anchor: None,
        }
    }

    fn spec(&self, candidate: &[f64]) -> AgentSpec {
        let mut spec = self.plan.agent.clone();
        spec.label = None;
        for (dial, &x) in self.dials.iter().zip(candidate) {
            spec = spec.with(dial.param.name, dial.value(x));
        }
        spec
    }
}

/// What a candidate has won.
#[derive(Clone, Copy, Debug, Default)]
struct Worth {
    games: u64,
    shares: u64,
    margins: i64,
}

impl Worth {
    fn add(&mut self, share: u8, margin: i16) {
        self.games += 1;
        self.shares += u64::from(share);
        self.margins += i64::from(margin);
    }

    fn share(&self) -> f64 {
        self.shares as f64 / self.games as f64 / crate::arena::SHARE as f64
    }

    fn margin(&self) -> f64 {
        self.margins as f64 / self.games as f64
    }

    fn cost(&self) -> f64 {
        -self.share() - self.margin() / MARGIN
    }
}

fn dials<G: Playable>(game: &G, plan: &TunePlan) -> Result<Vec<Dial>, SpecError> {
    let info: &AgentInfo = ttr_agents::info(&plan.agent.name)?;
    for name in &plan.params {
        match info.param(name) {
            Some(Param { range: Range::Real(..), .. }) => {}
            Some(Param { range, .. }) => {
                let (agent, key, range) = (info.name.to_owned(), name.clone(), range.to_string());
                return Err(SpecError::NotTunable { agent, key, range });
            }
            None => return Err(ttr_agents::unknown_key(info, name)),
        }
    }
    let wanted = |param: &&'static Param| {
        plan.params.is_empty() && plan.agent.given(param.name).is_none()
            || plan.params.iter().any(|name| name == param.name)
    };
    let dials: Vec<Dial> = info
        .params
        .iter()
        .filter(wanted)
        .filter_map(|param| {
            let Range::Real(low, high) = param.range else { return None };
            let start = match plan.agent.given(param.name) {
                Some(value) => value.to_owned(),
                None => game.default_of(info, param),
            };
            Some(Dial { param, low, high, start: start.parse().unwrap_or(low).clamp(low, high) })
        })
        .collect();
    if dials.is_empty() {
        let agent = info.name.to_owned();
        let numbers = info.params.iter().any(|param| matches!(param.range, Range::Real(..)));
        return Err(if numbers { SpecError::AllSet { agent } } else { SpecError::NothingToTune { agent } });
    }
    Ok(dials)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_in_range() {
        for (x, within) in [(0.25, 0.25), (1.25, 0.75), (-0.25, 0.25), (2.5, 0.5), (-1.75, 0.25)] {
            assert!((reflected(x) - within).abs() < 1e-12, "{x}");
        }
    }

    /// Whatever the range, a value has few digits: 3.3456 and not 3.3455999999999997.
    #[test]
    fn values_are_short() {
        let info = ttr_agents::info("planner").unwrap();
        for range in [1.0, 3.0, 7.0, 10.0, 17.5, 40.0, 1000.0] {
            let dial = Dial { param: &info.params[0], low: -range / 2.0, high: range / 2.0, start: 0.0 };
            for step in 0..1000 {
                let value = dial.value(f64::from(step) * 0.00107);
                assert!(value.to_string().len() <= 8, "{value} in a range of {range}");
            }
        }
    }
}
