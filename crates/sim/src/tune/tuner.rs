//! The search: generations of candidates, then a test on fresh deals.

use ttr_agents::AgentSpec;

use super::cma_es::CmaEs;
use super::dial::{Dial, dials, reflected};
use super::scores::{Moments, Scores};
use super::{Confirmation, Generation, TuneError, TunePlan, Tuned, TunedParam};
use crate::arena::{Arena, ArenaOptions, encounters};
use crate::game::Playable;
use crate::stats::{Figure, Sprt};
use crate::table::entrant::{Entrant, EntrantError};
use crate::table::runner::{self, Drive, Go, Outcome, PlayError};
use crate::table::schedule::Schedule;

/// First deal of the final test, beyond all deals of the search.
const FRESH: u64 = 1 << 40;
/// Number of deals between two looks at the sequential test.
const BATCH: u64 = 64;
/// Target correlation between the costs in two halves of the deals. If it is lower, the next generation has
/// more deals.
const AGREEMENT: f64 = 0.4;
/// Maximum number of deals of a generation, as a multiple of those of the first.
const MOST_DEALS: u64 = 8;
/// The result is the average of the means of this fraction of the generations, the last ones.
const AVERAGED: usize = 3;

/// A tuner between two generations.
///
/// ```
/// use ttr_agents::AgentSpec;
/// use ttr_engine::{board::BoardGame, maps};
/// use ttr_sim::table::Drive;
/// use ttr_sim::tune::{TuneOptions, TunePlan, Tuner};
/// let mut options = TuneOptions::default();
/// options.params = vec!["locomotive".to_owned()];
/// (options.budget, options.deals, options.candidates) = (100, 4, 4);
/// let plan = TunePlan {
///     agent: AgentSpec::parse("planner")?,
///     against: AgentSpec::list("greedy")?,
///     options,
///     seed: 1,
///     roster: Default::default(),
///     processes: Default::default(),
/// };
/// let mut tuner = Tuner::new(BoardGame::new(&maps::load("first-journey-usa")?, 2)?, plan)?;
/// tuner.step(&Drive::threads(2))?;
/// assert_eq!((tuner.curve().len(), tuner.games()), (1, tuner.games_per_generation()));
/// assert!(tuner.best().given("locomotive").is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tuner<G> {
    game: G,
    pub(super) plan: TunePlan,
    dials: Vec<Dial>,
    search: CmaEs,
    curve: Vec<Generation>,
    /// The mean of the search after each generation, in 0 to 1.
    means: Vec<Vec<f64>>,
    /// The result, once it is tested.
    pub(super) tuned: Option<Tuned>,
}

impl<G: Playable + Clone> Tuner<G> {
    /// Starts a search.
    ///
    /// # Errors
    /// If the agent has no such parameter, or no numeric one.
    pub fn new(game: G, mut plan: TunePlan) -> Result<Self, TuneError> {
        plan.roster.build(&game, &plan.agent)?;
        if plan.against.is_empty() {
            plan.against = vec![plan.agent.clone()];
        }
        let dials = dials(&game, &plan)?;
        let start = dials.iter().map(Dial::start).collect();
        let search = CmaEs::new(start, plan.options.step, plan.options.candidates, plan.seed);
        Ok(Self { game, plan, dials, search, curve: Vec::new(), means: Vec::new(), tuned: None })
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The generations so far.
    pub fn curve(&self) -> &[Generation] {
        &self.curve
    }

    /// Number of games so far.
    pub fn games(&self) -> u64 {
        games_of(&self.curve)
    }

    /// Number of games of the first generation; no generation has fewer.
    pub fn games_per_generation(&self) -> u64 {
        self.plan.options.deals * self.games_per_deal()
    }

    fn games_per_deal(&self) -> u64 {
        Schedule::new(self.line_ups(self.plan.options.candidates)).games_per_deal()
    }

    /// Maximum number of games of the final test.
    pub fn most_test_games(&self) -> u64 {
        self.plan.options.confirm
    }

    /// Returns `true` if the rest of the budget is too small for another generation.
    pub fn is_done(&self) -> bool {
        self.next_deals(&self.curve) < self.plan.options.deals
    }

    /// Number of deals of the next generation: enough for a constant correlation between the costs of two
    /// halves of them, as far as the budget allows.
    ///
    /// Near the optimum candidates differ by less, and it takes more deals to rank them.
    fn next_deals(&self, curve: &[Generation]) -> u64 {
        let wanted = curve.last().map_or(self.plan.options.deals, |last| {
            deals_after(last.deals, last.agreement, self.plan.options.deals)
        });
        let rest = self.plan.options.budget.saturating_sub(games_of(curve));
        wanted.min(rest / self.games_per_deal())
    }

    /// Restores generations that were played before, as [`Tuner::curve`] returned them.
    ///
    /// # Errors
    /// If they do not belong to this search; then it is unchanged.
    pub(super) fn recall(&mut self, curve: Vec<Generation>) -> Result<(), String> {
        let (mut search, mut means) = (self.search.clone(), self.means.clone());
        let mut known = self.curve.clone();
        for (index, generation) in curve.into_iter().enumerate() {
            let wrong = |what: &str| Err(format!("generation {}: {what}", index + 1));
            let candidates = search.ask();
            let deals = self.next_deals(&known);
            if deals < self.plan.options.deals {
                return wrong("the budget was spent before it");
            }
            let games = games_of(&known) + deals * self.games_per_deal();
            if (generation.games, generation.deals) != (games, deals) {
                return wrong(&format!(
                    "it ends after {} games and has {} deals, not {games} and {deals}",
                    generation.games, generation.deals
                ));
            }
            if generation.costs.len() != candidates.len() {
                return wrong(&format!(
                    "it has {} costs of {} candidates",
                    generation.costs.len(),
                    candidates.len()
                ));
            }
            let Generation { share, best, margin, step, agreement, margin_weight, moments, .. } = &generation;
            let figures = [share.value, *best, margin.value, *step, *agreement, *margin_weight];
            let finite = generation.costs.iter().chain(&figures).all(|figure| figure.is_finite());
            if !finite || !moments.is_finite() {
                return wrong("a figure is missing");
            }
            search.tell(&candidates, &generation.costs);
            means.push(within(search.mean()));
            known.push(generation);
        }
        (self.search, self.means, self.curve) = (search, means, known);
        Ok(())
    }

    /// The line-ups of a generation: each candidate, in turn, alone against each opponent. Opponents come
    /// after the candidates.
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

    /// The candidates of the next generation.
    #[cfg(test)]
    pub(super) fn candidates(&self) -> Vec<Vec<f64>> {
        self.search.clone().ask()
    }

    /// Plays the next generation; returns `false` if the run was stopped, and then the generation does not
    /// count.
    ///
    /// # Errors
    /// If an agent can't be made.
    pub fn step(&mut self, drive: &Drive<'_>) -> Result<bool, PlayError> {
        let mut search = self.search.clone();
        let candidates = search.ask();
        let deals = self.next_deals(&self.curve);
        let mut scores = Scores::new(candidates.len());
        if !self.play(&candidates, deals, &mut scores, drive)? {
            return Ok(false);
        }
        let moments = scores.moments();
        let known = self.curve.iter().fold(Moments::default(), |known, next| known.then(&next.moments));
        let margin_weight = known.then(&moments).margin_weight();
        let costs = scores.costs(margin_weight);
        search.tell(&candidates, &costs);
        self.means.push(within(search.mean()));
        self.curve.push(Generation {
            games: self.games() + deals * self.games_per_deal(),
            deals,
            share: scores.share(),
            best: scores.best(),
            margin: scores.margin(),
            step: search.step(),
            agreement: scores.agreement(margin_weight),
            margin_weight,
            moments,
            costs,
        });
        self.search = search;
        Ok(true)
    }

    /// Plays deals with all candidates; returns `false` if the run was stopped.
    pub(super) fn play(
        &self,
        candidates: &[Vec<f64>],
        deals: u64,
        scores: &mut Scores,
        drive: &Drive<'_>,
    ) -> Result<bool, PlayError> {
        let mut entrants = Vec::new();
        for candidate in candidates {
            entrants.push(self.entrant(&self.spec(candidate))?);
        }
        for spec in &self.plan.against {
            entrants.push(self.entrant(spec)?);
        }
        let arena = self.arena(entrants, self.line_ups(candidates.len()));
        let first: u64 = self.curve.iter().map(|generation| generation.deals).sum();
        let outcome = runner::run(&arena, first..first + deals, drive, |_, part| {
            scores.add(&part.games);
            Ok::<_, PlayError>(Go::On)
        })?;
        Ok(outcome != Outcome::Stopped)
    }

    /// The average of the means of the last generations.
    fn center(&self) -> Vec<f64> {
        average(&self.means).unwrap_or_else(|| within(self.search.mean()))
    }

    /// The current result of the search.
    pub fn best(&self) -> AgentSpec {
        self.spec(&self.center())
    }

    /// Tests the result of the search against the original agent; `None` if the run was stopped.
    ///
    /// # Errors
    /// If an agent can't be made.
    pub fn test(&self, drive: &Drive<'_>) -> Result<Option<Tuned>, PlayError> {
        let after = self.best();
        let mut confirmed = None;
        if after != self.plan.agent {
            confirmed = self.confirm(&after, drive)?;
            if confirmed.is_none() {
                return Ok(None);
            }
        }
        let param = |(dial, x): (&Dial, f64)| TunedParam {
            name: dial.param.name.to_owned(),
            about: dial.param.about.to_owned(),
            least: dial.low,
            most: dial.high,
            before: dial.start,
            after: dial.value(x),
        };
        Ok(Some(Tuned {
            before: self.plan.agent.clone(),
            after,
            params: self.dials.iter().zip(self.center()).map(param).collect(),
            par: 1.0 / self.game.seats() as f64,
            curve: self.curve.clone(),
            confirmed,
        }))
    }

    fn confirm(&self, after: &AgentSpec, drive: &Drive<'_>) -> Result<Option<Confirmation>, PlayError> {
        let entrants = vec![self.entrant(after)?, self.entrant(&self.plan.agent)?];
        let line_ups = Schedule::round_robin(2, self.game.seats()).line_ups().to_vec();
        let arena = self.arena(entrants, line_ups);
        let mut test = Sprt::new(0.0, 10.0, 0.05, 0.05);
        let mut tally = arena.tally();
        let mut at = FRESH;
        let most = FRESH + arena.schedule.deals(self.plan.options.confirm);
        while at < most && test.decision().is_none() {
            let end = (at + BATCH).min(most);
            let outcome = runner::run(&arena, at..end, drive, |_, part| {
                tally.add_part(&part);
                for games in part.games.chunk_by(|a, b| a.deal == b.deal) {
                    let (wins, encounters) = encounters(games, 0, 1);
                    test.add(wins, &encounters);
                }
                Ok::<_, PlayError>(Go::On)
            })?;
            if outcome == Outcome::Stopped {
                return Ok(None);
            }
            at = end;
        }
        let summary = arena.summary(&tally);
        let own = summary.agents.iter().find(|agent| agent.index == 0);
        let (lower_bound, upper_bound) = test.bounds();
        Ok(Some(Confirmation {
            share: own.map_or(Figure::NONE, |agent| agent.win_share),
            elo: test.estimate(),
            games: summary.games,
            deals: test.deals,
            llr: test.llr(),
            lower_bound,
            upper_bound,
            elo0: test.elo0,
            elo1: test.elo1,
            decision: test.decision(),
        }))
    }

    fn entrant(&self, spec: &AgentSpec) -> Result<Entrant<G>, EntrantError> {
        Entrant::from_spec_with(&self.game, spec, &self.plan.roster, &self.plan.processes)
    }

    fn arena(&self, entrants: Vec<Entrant<G>>, line_ups: Vec<Vec<usize>>) -> Arena<G> {
        Arena {
            game: self.game.clone(),
            entrants,
            schedule: Schedule::new(line_ups),
            seed: self.plan.seed,
            options: ArenaOptions { stop_on_forfeit: true, ..ArenaOptions::default() },
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

/// Deals after a generation whose halves agreed this well, if the first generation had `first` deals.
fn deals_after(deals: u64, agreement: f64, first: u64) -> u64 {
    let factor = ((AGREEMENT - agreement) / 2.0).exp2();
    ((deals as f64 * factor).round() as u64).clamp(first, first.saturating_mul(MOST_DEALS))
}

/// The average of the last of these points, if there are any.
fn average(means: &[Vec<f64>]) -> Option<Vec<f64>> {
    let last = &means[means.len() - means.len().div_ceil(AVERAGED)..];
    let average = |dial: usize| last.iter().map(|mean| mean[dial]).sum::<f64>() / last.len() as f64;
    Some((0..last.first()?.len()).map(average).collect())
}

/// Number of games up to the end of these generations.
fn games_of(curve: &[Generation]) -> u64 {
    curve.last().map_or(0, |generation| generation.games)
}

/// A point of the search as coordinates from 0 to 1, which can be averaged.
fn within(point: &[f64]) -> Vec<f64> {
    point.iter().map(|&x| reflected(x)).collect()
}

#[cfg(test)]
mod tests {
    use ttr_engine::Dice;

    use super::super::scores::correlation;
    use super::*;

    const BEST: f64 = 0.6;

    /// About normal.
    fn noise(dice: &mut Dice) -> f64 {
        (0..12).map(|_| f64::from(dice.next_u64() as u32) / 4_294_967_296.0).sum::<f64>() - 6.0
    }

    fn distance(point: &[f64]) -> f64 {
        point.iter().map(|x| (x - BEST).powi(2)).sum::<f64>().sqrt()
    }

    /// A search of the minimum of a quadratic function in ten dimensions: the deals of each generation and its mean. A
    /// deal measures a cost with this noise.
    fn search(seed: u64, noisy: f64, generations: usize) -> (Vec<u64>, Vec<Vec<f64>>) {
        let mut search = CmaEs::new(vec![0.3; 10], 0.1, 12, seed);
        let mut dice = Dice::from_parts(&[seed, 77]);
        let (mut all, mut means, mut deals) = (Vec::new(), Vec::new(), 20);
        for _ in 0..generations {
            let candidates = search.ask();
            let mut half = || -> Vec<f64> {
                let error = noisy / (deals as f64 / 2.0).sqrt();
                candidates.iter().map(|x| distance(x).powi(2) + error * noise(&mut dice)).collect()
            };
            let (one, other) = (half(), half());
            let costs: Vec<f64> = one.iter().zip(&other).map(|(one, other)| (one + other) / 2.0).collect();
            search.tell(&candidates, &costs);
            all.push(deals);
            means.push(search.mean().to_vec());
            deals = deals_after(deals, correlation(&one, &other), 20);
        }
        (all, means)
    }

    /// As the search comes near the minimum, costs differ less, and generations get more deals; without noise they do not.
    #[test]
    fn deals_grow_as_the_search_narrows() {
        let (mut early, mut late) = (0, 0);
        for seed in 0..10 {
            let (deals, _) = search(seed, 0.3, 90);
            assert!(deals.iter().all(|deals| (20..=160).contains(deals)), "{deals:?}");
            early += deals[..10].iter().sum::<u64>();
            late += deals[80..].iter().sum::<u64>();
            let (deals, _) = search(seed, 0.0, 40);
            assert!(deals.iter().all(|&deals| deals == 20), "{deals:?}");
        }
        assert!(late > 2 * early, "{early} deals in the first ten generations, {late} in the last ten");
    }

    /// The mean of a noisy search wanders around the minimum: its average is nearer.
    #[test]
    fn the_average_of_the_last_means_is_nearer_than_the_last() {
        let (mut last, mut averaged) = (0.0, 0.0);
        for noisy in [0.3, 0.6, 1.0, 2.0] {
            for seed in 0..20 {
                let (_, means) = search(seed, noisy, 120);
                last += distance(&means[means.len() - 1]);
                averaged += distance(&average(&means).unwrap());
            }
        }
        // 8 % nearer.
        assert!(averaged < 0.95 * last, "{averaged} against {last}");
    }

    /// A third of the generations, rounded up.
    #[test]
    fn the_last_third_is_averaged() {
        let means: Vec<Vec<f64>> = (1..=7).map(|x| vec![f64::from(x), 0.5]).collect();
        assert_eq!(average(&means), Some(vec![6.0, 0.5]));
        assert_eq!(average(&means[..1]), Some(vec![1.0, 0.5]));
        assert_eq!(average(&[]), None);
    }
}
