//! Ratings: strengths on the Elo scale, computed from wins.
//!
//! The model is that of Bradley and Terry for any number of seats (the choice model of Luce, the first
//! choice of Plackett and Luce): each seat wins in proportion to the strength of its agent. It makes no
//! statement about second place. The likelihood depends only on the number of wins of each agent, and at
//! its maximum the expected number of wins of every agent equals the observed one.

use super::distribution::{normal_tail, student};
use super::interval::{FEWEST_DEALS, Residuals};
use super::{Blocks, Figure};

/// Elo points per unit of log-strength.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;
/// Bound of log-strengths: 8,700 points of Elo apart, more than any number of games can resolve.
const BOUND: f64 = 25.0;

/// Wins of all agents against each other.
///
/// ```
/// use ttr_sim::stats::{Blocks, Contest};
/// let mut wins = Blocks::new(3);
/// for deal in 0..1000 {
///     wins.add(deal, 0, 1);                                           // a deal of one game
///     wins.add(deal, if deal % 100 < 64 { 1 } else { 2 }, 1);         // and its winner
/// }
/// let contest = Contest::new(vec![(vec![0, 1], 1)], &wins, 0, |agent| agent + 1, 1);
/// let elo = contest.ratings(Some(1));
/// assert!((elo[0].value - 100.0).abs() < 0.1 && elo[0].low > 75.0 && elo[0].high < 125.0, "{elo:?}");
/// assert_eq!(elo[1].value, 0.0);
/// ```
pub struct Contest {
    /// By line-up: its agents with the number of their seats, and games per deal.
    line_ups: Vec<(Vec<(usize, f64)>, f64)>,
    agents: usize,
    /// By block: deals, and wins by agent.
    blocks: Vec<(f64, Vec<f64>)>,
    deals: f64,
    /// Wins by agent.
    wins: Vec<f64>,
    /// By agent: the group of agents with which it is comparable; each group has won all games against
    /// those behind it.
    groups: Vec<usize>,
}

impl Contest {
    /// Creates a contest from line-ups with their games per deal; `deals` is the index of the number of
    /// deals in the blocks, `wins` that of an agent's wins, each of which counts `whole`.
    pub fn new(
        line_ups: Vec<(Vec<usize>, u64)>,
        blocks: &Blocks,
        deals: usize,
        wins: impl Fn(usize) -> usize,
        whole: i64,
    ) -> Self {
        let agents = line_ups.iter().flat_map(|(agents, _)| agents).max().map_or(0, |&last| last + 1);
        let seated = |line_up: Vec<usize>| -> Vec<(usize, f64)> {
            let seats = |agent: usize| line_up.iter().filter(|&&other| other == agent).count() as f64;
            (0..agents).map(|agent| (agent, seats(agent))).filter(|&(_, seats)| seats > 0.0).collect()
        };
        let line_ups: Vec<_> =
            line_ups.into_iter().map(|(line_up, games)| (seated(line_up), games as f64)).collect();
        let blocks: Vec<(f64, Vec<f64>)> = blocks
            .rows()
            .filter(|sums| sums[deals] > 0)
            .map(|sums| {
                let wins = (0..agents).map(|agent| sums[wins(agent)] as f64 / whole as f64).collect();
                (sums[deals] as f64, wins)
            })
            .collect();
        let totals = |agent: usize| blocks.iter().map(|(_, wins)| wins[agent]).sum();
        let mut contest = Self {
            line_ups,
            agents,
            deals: blocks.iter().map(|(deals, _)| deals).sum(),
            wins: (0..agents).map(totals).collect(),
            blocks,
            groups: vec![0; agents],
        };
        contest.groups = contest.find_groups();
        contest
    }

    /// The default anchor, from which ratings are measured: the agent with the most wins among those that
    /// can be compared with most others.
    pub fn default_anchor(&self) -> Option<usize> {
        let size = |agent: usize| self.groups.iter().filter(|&&group| group == self.groups[agent]).count();
        (0..self.agents).max_by(|&a, &b| {
            size(a).cmp(&size(b)).then(self.wins[a].total_cmp(&self.wins[b])).then(b.cmp(&a))
        })
    }

    /// The ratings of all agents, that of the anchor being 0.
    pub fn ratings(&self, anchor: Option<usize>) -> Vec<Figure> {
        let Some(anchor) = anchor.or_else(|| self.default_anchor()).filter(|_| self.agents > 1) else {
            return vec![Figure::NONE; self.agents];
        };
        let same = |agent: usize| self.groups[agent] == self.groups[anchor];
        let alike: Vec<usize> = (0..self.agents).filter(|&agent| same(agent)).collect();
        let group = Fit::new(self, &alike);
        let given = [(anchor, 0.0)];
        let best = group.fit(&given, None);
        let blocks = self.blocks.len() as u32;
        let bound = |agent: usize| {
            let games = self.games_of(agent).min(self.games_of(anchor));
            self.bound(&given, agent, self.groups[agent] < self.groups[anchor], games)
        };
        (0..self.agents)
            .map(|agent| match agent {
                _ if agent == anchor => Figure::exactly(0.0),
                _ if same(agent) => Figure { blocks, ..self.rating(&group, &best, &given, &[agent, anchor]) },
                _ => Figure { blocks, ..bound(agent) },
            })
            .collect()
    }

    /// The ratings of all agents if those of all but the first are known.
    ///
    /// The rating of the first is the one at which its expected number of wins equals the observed one;
    /// it is only a bound if it won none or all of its games. Its interval is that of its games: the known
    /// ratings are assumed to be exact.
    pub fn ratings_given(&self, known: &[f64]) -> Vec<Figure> {
        let given: Vec<(usize, f64)> =
            known.iter().enumerate().map(|(index, elo)| (index + 1, elo / SCALE)).collect();
        let everybody: Vec<usize> = (0..self.agents).collect();
        let all = Fit::new(self, &everybody);
        let games = self.games_of(0);
        let blocks = self.blocks.len() as u32;
        let first = match self.wins.first() {
            None => Figure::NONE,
            Some(_) if self.deals == 0.0 => Figure::NONE,
            // A win shared by three or more seats is inexact in floating point.
            Some(&wins) if wins < 1e-6 => Figure { blocks, ..self.bound(&given, 0, false, games) },
            Some(&wins) if wins > games - 1e-6 => Figure { blocks, ..self.bound(&given, 0, true, games) },
            Some(_) => Figure { blocks, ..self.rating(&all, &all.fit(&given, None), &given, &[0]) },
        };
        std::iter::once(first).chain(known.iter().map(|&elo| Figure::exactly(elo))).collect()
    }

    /// The rating of an agent that both won and lost: the first of those whose strength is uncertain, of which the other
    /// is the anchor.
    ///
    /// The interval is that of the signed root of the profile likelihood with the correction of
    /// Barndorff-Nielsen, with the likelihood divided by the design effect. With two agents this is the
    /// interval of their win shares.
    fn rating(&self, group: &Fit<'_>, best: &[f64], given: &[(usize, f64)], uncertain: &[usize]) -> Figure {
        let agent = uncertain[0];
        let value = best[agent];
        if self.blocks.len() < FEWEST_DEALS {
            return Figure::alone(value * SCALE);
        }
        let is_free = |other: &usize| given.iter().all(|(known, _)| known != other);
        let free: Vec<usize> = group.agents.iter().copied().filter(is_free).collect();
        let others: Vec<usize> = free.iter().copied().filter(|&other| other != agent).collect();
        let information = group.information(best, &free);
        let column = free.iter().position(|&other| other == agent).unwrap_or(0);
        let Some(inverse) = solve(&information, column) else { return Figure::alone(value * SCALE) };
        let expected = group.expected(best);
        let influence = self.blocks.iter().map(|(deals, wins)| {
            let score = |&other: &usize| wins[other] - expected[other] * deals / self.deals;
            free.iter().map(score).zip(&inverse).map(|(score, weight)| score * weight).sum()
        });
        let residuals = Residuals::new(influence, 1.0);
        let freedom = |&agent: &usize| {
            let games = self.games_of(agent);
            residuals.freedom_of_games(self.wins[agent] / games, games)
        };
        let freedom = uncertain.iter().map(freedom).fold(f64::INFINITY, f64::min);
        let effect = residuals.design_effect(inverse[column], self.games_of(agent) / self.deals, freedom);
        let z = student(self.blocks.len() as f64 - 1.0);
        let top = group.likelihood(best);
        let all = log_determinant(&information);
        let root = |x: f64, near: &mut Vec<f64>| {
            let fitted = group.fit(&with(given, agent, x), Some(near));
            let sign = (value - x).signum();
            let r = sign * (2.0 * (top - group.likelihood(&fitted)) / effect).max(0.0).sqrt();
            let nuisance = log_determinant(&group.information(&fitted, &others));
            let u = (value - x) * ((all - nuisance) / 2.0).exp() / effect.sqrt();
            *near = fitted;
            if r.abs() < 1e-4 || u / r <= 0.0 { r } else { r + (u / r).ln() / r }
        };
        let end = |target: f64| {
            let mut near = best.to_vec();
            let (mut inside, mut outside) = (value, value - target.signum());
            while root(outside, &mut near).abs() < z && outside.abs() < 2.0 * BOUND {
                inside = outside;
                outside = value + 2.0 * (outside - value);
            }
            for _ in 0..40 {
                let middle = (inside + outside) / 2.0;
                if root(middle, &mut near).abs() < z { inside = middle } else { outside = middle }
            }
            inside
        };
        Figure {
            low: end(1.0) * SCALE,
            high: end(-1.0) * SCALE,
            ..residuals.figure(value * SCALE, residuals.standard_error() * SCALE)
        }
    }

    /// The bound on the strength of an agent that won all its games, or none, against the anchor's group.
    ///
    /// It is the strength at which winning this many games out of this many has half the probability of
    /// one tail of an interval.
    fn bound(&self, given: &[(usize, f64)], agent: usize, above: bool, games: f64) -> Figure {
        if self.blocks.len() < FEWEST_DEALS {
            return Figure::NONE;
        }
        let everybody: Vec<usize> = (0..self.agents).collect();
        let all = Fit::new(self, &everybody);
        let effect = Residuals { deals: self.blocks.len() as f64, variance: 0.0, freedom: 0.0 }
            .design_effect(0.0, games / self.deals, 0.0);
        let limit = (2.0 * normal_tail(student(self.blocks.len() as f64 - 1.0))).ln();
        let outer = if above { BOUND } else { -BOUND };
        let best = all.fit(&with(given, agent, outer), None);
        let top = all.likelihood(&best);
        let mut near = best;
        let mut loss = |x: f64| {
            near = all.fit(&with(given, agent, x), Some(&near));
            (all.likelihood(&near) - top) / effect
        };
        let (mut outside, mut inside) = (-outer, outer);
        if loss(outside) > limit {
            return Figure::NONE;
        }
        for _ in 0..40 {
            let middle = (inside + outside) / 2.0;
            if loss(middle) > limit { inside = middle } else { outside = middle }
        }
        let end = inside * SCALE;
        if above { Figure { low: end, ..Figure::NONE } } else { Figure { high: end, ..Figure::NONE } }
    }

    fn games_of(&self, agent: usize) -> f64 {
        let plays = |line_up: &&(Vec<(usize, f64)>, f64)| line_up.0.iter().any(|&(other, _)| other == agent);
        self.deals * self.line_ups.iter().filter(plays).map(|(_, games)| games).sum::<f64>()
    }

    /// Finds the groups: a group has won every game that one of its agents played against those behind it.
    /// Groups follow each other in the order of fitted strength.
    fn find_groups(&self) -> Vec<usize> {
        let everybody: Vec<usize> = (0..self.agents).collect();
        let fitted = Fit::new(self, &everybody).fit(&[], None);
        let mut order = everybody;
        order.sort_by(|&a, &b| fitted[b].total_cmp(&fitted[a]));
        let mut groups = vec![0; self.agents];
        let mut group = 0;
        for (index, &agent) in order.iter().enumerate() {
            groups[agent] = group;
            let front = &order[..=index];
            let played = |(agents, _): &&(Vec<(usize, f64)>, f64)| {
                agents.iter().any(|(agent, _)| front.contains(agent))
            };
            let games = self.deals * self.line_ups.iter().filter(played).map(|(_, games)| games).sum::<f64>();
            let wins: f64 = front.iter().map(|&agent| self.wins[agent]).sum();
            // A win shared by three or more seats is inexact in floating point.
            group += usize::from(wins >= games - 1e-6);
        }
        groups
    }
}

/// The given log-strengths and one more.
fn with(given: &[(usize, f64)], agent: usize, x: f64) -> Vec<(usize, f64)> {
    given.iter().copied().chain(std::iter::once((agent, x))).collect()
}

/// The likelihood of some of the agents, as if the others did not play: those in front have certainly won
/// their games, and those behind have lost.
struct Fit<'a> {
    agents: Vec<usize>,
    line_ups: Vec<(Vec<(usize, f64)>, f64)>,
    wins: &'a [f64],
}

impl<'a> Fit<'a> {
    fn new(contest: &'a Contest, agents: &[usize]) -> Self {
        let front = agents.iter().map(|&agent| contest.groups[agent]).min().unwrap_or(0);
        let line_ups = contest
            .line_ups
            .iter()
            .filter(|(members, _)| members.iter().all(|&(agent, _)| contest.groups[agent] >= front))
            .map(|(members, games)| {
                let kept = members.iter().copied().filter(|(agent, _)| agents.contains(agent)).collect();
                (kept, games * contest.deals)
            })
            .collect();
        Self { agents: agents.to_vec(), line_ups, wins: &contest.wins }
    }

    fn likelihood(&self, log: &[f64]) -> f64 {
        let won: f64 = self.agents.iter().map(|&agent| self.wins[agent] * log[agent]).sum();
        let played =
            self.line_ups.iter().filter(|(members, _)| !members.is_empty()).map(|(members, games)| {
                games * members.iter().map(|&(agent, seats)| seats * log[agent].exp()).sum::<f64>().ln()
            });
        won - played.sum::<f64>()
    }

    /// Expected wins, by agent.
    fn expected(&self, log: &[f64]) -> Vec<f64> {
        let mut expected = vec![0.0; log.len()];
        self.chances(log, |members, games| {
            members.iter().for_each(|&(agent, chance)| expected[agent] += games * chance);
        });
        expected
    }

    fn chances(&self, log: &[f64], mut with: impl FnMut(&[(usize, f64)], f64)) {
        for (members, games) in &self.line_ups {
            let all: f64 = members.iter().map(|&(agent, seats)| seats * log[agent].exp()).sum();
            let chance = |&(agent, seats): &(usize, f64)| (agent, seats * log[agent].exp() / all);
            with(&members.iter().map(chance).collect::<Vec<_>>(), *games);
        }
    }

    /// The Fisher information of the strengths of some agents.
    fn information(&self, log: &[f64], of: &[usize]) -> Vec<Vec<f64>> {
        let mut at = vec![usize::MAX; log.len()];
        of.iter().enumerate().for_each(|(index, &agent)| at[agent] = index);
        let mut matrix = vec![vec![0.0; of.len()]; of.len()];
        self.chances(log, |members, games| {
            for &(a, chance) in members.iter().filter(|(agent, _)| at[*agent] != usize::MAX) {
                matrix[at[a]][at[a]] += games * chance;
                for &(b, other) in members.iter().filter(|(agent, _)| at[*agent] != usize::MAX) {
                    matrix[at[a]][at[b]] -= games * chance * other;
                }
            }
        });
        matrix
    }

    /// The maximum likelihood log-strengths if some are given, by Newton's method: the likelihood is
    /// concave.
    fn fit(&self, given: &[(usize, f64)], near: Option<&[f64]>) -> Vec<f64> {
        let mut log = near.map_or_else(|| vec![0.0; self.wins.len()], <[f64]>::to_vec);
        given.iter().for_each(|&(agent, value)| log[agent] = value);
        let is_free = |agent: &usize| given.iter().all(|(other, _)| other != agent);
        let free: Vec<usize> = self.agents.iter().copied().filter(is_free).collect();
        for _ in 0..200 {
            let expected = self.expected(&log);
            let mut matrix = self.information(&log, &free);
            // Slightly above 0, for strengths that no game depends on.
            matrix.iter_mut().enumerate().for_each(|(i, row)| row[i] += 1e-9);
            let slope: Vec<f64> = free.iter().map(|&agent| self.wins[agent] - expected[agent]).collect();
            let Some(step) = solve_for(&matrix, slope) else { break };
            // A long step would leave the region in which the quadratic approximation is valid.
            let largest = step.iter().fold(0.0f64, |most, step| most.max(step.abs()));
            let scale = if largest > 1.0 { 1.0 / largest } else { 1.0 };
            let mut moved = 0.0f64;
            for (&agent, step) in free.iter().zip(step) {
                let next = (log[agent] + scale * step).clamp(-BOUND, BOUND);
                moved = moved.max((next - log[agent]).abs());
                log[agent] = next;
            }
            if moved < 1e-10 {
                break;
            }
        }
        log
    }
}

/// A column of the inverse.
fn solve(matrix: &[Vec<f64>], column: usize) -> Option<Vec<f64>> {
    let mut unit = vec![0.0; matrix.len()];
    *unit.get_mut(column)? = 1.0;
    solve_for(matrix, unit)
}

/// The solution of a symmetric positive definite system, by Cholesky's decomposition.
pub(crate) fn solve_for(matrix: &[Vec<f64>], mut right: Vec<f64>) -> Option<Vec<f64>> {
    let lower = cholesky(matrix)?;
    let n = right.len();
    for i in 0..n {
        let known: f64 = (0..i).map(|k| lower[i][k] * right[k]).sum();
        right[i] = (right[i] - known) / lower[i][i];
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|k| lower[k][i] * right[k]).sum();
        right[i] = (right[i] - known) / lower[i][i];
    }
    Some(right)
}

fn cholesky(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    let mut lower = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| lower[i][k] * lower[j][k]).sum();
            let rest = matrix[i][j] - known;
            lower[i][j] = match i == j {
                true if rest <= 0.0 => return None,
                true => rest.sqrt(),
                false => rest / lower[j][j],
            };
        }
    }
    Some(lower)
}

fn log_determinant(matrix: &[Vec<f64>]) -> f64 {
    let diagonal = |lower: Vec<Vec<f64>>| (0..lower.len()).map(|i| 2.0 * lower[i][i].ln()).sum();
    cholesky(matrix).map_or(f64::NAN, diagonal)
}

/// The share of wins between two agents for a difference in Elo.
pub fn share_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / SCALE).exp())
}

/// The difference in Elo for a share of wins between two agents.
///
/// ```
/// use ttr_sim::stats::{elo_of_share, share_of_elo};
/// assert!((elo_of_share(0.75) - 190.85).abs() < 0.01);
/// assert!((elo_of_share(share_of_elo(-37.0)) + 37.0).abs() < 1e-9);
/// ```
pub fn elo_of_share(share: f64) -> f64 {
    (share / (1.0 - share)).ln() * SCALE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::schedule::Schedule;
    use ttr_engine::Dice;

    /// Deals of a round robin between agents of these strengths; each plays every line-up once in each
    /// rotation.
    fn played(elo: &[f64], seats: usize, deals: u64, seed: u64) -> Contest {
        let schedule = Schedule::round_robin(elo.len(), seats);
        let mut blocks = Blocks::new(1 + elo.len());
        let strength = |agent: usize| if elo[agent].is_finite() { (elo[agent] / SCALE).exp() } else { 0.0 };
        for deal in 0..deals {
            let mut dice = Dice::from_parts(&[seed, deal]);
            blocks.add(deal, 0, 1);
            for slot in schedule.games(deal) {
                let all: f64 = slot.agents.iter().map(|&agent| strength(agent)).sum();
                let mut left = all * f64::from(dice.next_u64() as u32) / 4294967296.0;
                let winner = slot.agents.iter().find(|&&agent| {
                    left -= strength(agent);
                    left < 0.0
                });
                blocks.add(deal, 1 + winner.unwrap(), 1);
            }
        }
        contest(&schedule, &blocks)
    }

    fn contest(schedule: &Schedule, blocks: &Blocks) -> Contest {
        let line_ups = schedule.line_ups().iter();
        let line_ups =
            line_ups.map(|line_up| (line_up.clone(), crate::table::schedule::rotations(line_up) as u64));
        Contest::new(line_ups.collect(), blocks, 0, |agent| agent + 1, 1)
    }

    /// The strengths behind the results are recovered, at any number of seats.
    #[test]
    fn known_strengths_are_found() {
        for (elo, seats) in [
            (&[0.0, -200.0, -50.0, 250.0][..], 2),
            (&[0.0, -200.0, -50.0, 250.0], 4),
            (&[0.0, -100.0], 4),
            (&[0.0, 60.0, -150.0, 90.0, -20.0, 10.0], 5),
            (&[0.0, 120.0, -30.0], 4),
        ] {
            let ratings = played(elo, seats, 3000, 1).ratings(Some(0));
            assert_eq!(ratings[0], Figure::exactly(0.0));
            for (found, truth) in ratings.iter().zip(elo).skip(1) {
                let half = found.margin();
                assert!(
                    (found.value - truth).abs() < 1.5 * half && half < 25.0,
                    "{seats}: {found:?} {truth}"
                );
            }
        }
    }

    /// At the maximum of the likelihood the expected number of wins of every agent equals the observed one.
    #[test]
    fn the_fit_has_the_observed_win_shares() {
        let contest = played(&[0.0, 100.0, -80.0, 30.0, -200.0], 4, 50, 3);
        let everybody: Vec<usize> = (0..5).collect();
        let fit = Fit::new(&contest, &everybody);
        let expected = fit.expected(&fit.fit(&[(0, 0.0)], None));
        for (expected, wins) in expected.iter().zip(&contest.wins) {
            assert!((expected - wins).abs() < 1e-6, "{expected} {wins}");
        }
    }

    /// An agent that never wins, however many games it plays, does not change the ratings of the others.
    #[test]
    fn a_clean_sheet_shifts_nobody() {
        let strong = [0.0, -120.0, 80.0];
        for seats in [2, 3] {
            let with = played(&[0.0, -120.0, 80.0, f64::NEG_INFINITY], seats, 400, 5).ratings(Some(0));
            let alone = |deals: u64| {
                // The same results without the games of the loser.
                let schedule = Schedule::round_robin(4, seats);
                let mut blocks = Blocks::new(5);
                for deal in 0..deals {
                    blocks.add(deal, 0, 1);
                    for slot in schedule.games(deal) {
                        let best = *slot.agents.iter().filter(|&&agent| agent < 3).min().unwrap_or(&3);
                        blocks.add(deal, 1 + best, 1);
                    }
                }
                contest(&schedule, &blocks).groups.clone()
            };
            for (agent, truth) in strong.iter().enumerate() {
                assert!((with[agent].value - truth).abs() < 60.0, "{:?}", with[agent]);
            }
            let last = with[3];
            assert!(last.value.is_nan() && last.low.is_nan() && last.high < -500.0, "{last:?}");
            let more = played(&[0.0, -120.0, 80.0, f64::NEG_INFINITY], seats, 4000, 5).ratings(Some(0));
            assert!(more[3].high < last.high - 300.0, "{more:?}");
            assert!((more[1].value - with[1].value).abs() < 40.0, "{more:?}");
            // Every agent has won all games against those behind it: four groups.
            assert_eq!(alone(20), [0, 1, 2, 3]);
        }
    }

    /// Games of the first agent against known opponents, in line-ups of it and each field.
    fn among(elo: &[f64], fields: &[&[usize]], deals: u64, seed: u64) -> Figure {
        let line_ups = fields.iter().map(|field| [&[0], *field].concat()).collect();
        let schedule = Schedule::new(line_ups);
        let mut blocks = Blocks::new(1 + elo.len());
        for deal in 0..deals {
            let mut dice = Dice::from_parts(&[seed, deal]);
            blocks.add(deal, 0, 1);
            for slot in schedule.games(deal) {
                let strength = |agent: usize| (elo[agent] / SCALE).exp();
                let all: f64 = slot.agents.iter().map(|&agent| strength(agent)).sum();
                let mut left = all * f64::from(dice.next_u64() as u32) / 4294967296.0;
                let winner = slot.agents.iter().find(|&&agent| {
                    left -= strength(agent);
                    left < 0.0
                });
                blocks.add(deal, 1 + winner.unwrap(), 1);
            }
        }
        contest(&schedule, &blocks).ratings_given(&elo[1..])[0]
    }

    /// The rating among known opponents is recovered, and its interval covers it in about 95 % of runs.
    #[test]
    fn a_rating_among_known_opponents() {
        let fields: [(&[&[usize]], u64); 2] =
            [(&[&[1], &[2], &[3]], 50), (&[&[1, 1, 1], &[2, 3, 2], &[3, 3, 3]], 24)];
        for (fields, deals) in fields {
            for truth in [-150.0, 300.0, 750.0] {
                let found = |seed| among(&[truth, 0.0, 400.0, 600.0], fields, deals, seed);
                let covered = (0..200).filter(|&seed| {
                    let Figure { low, high, .. } = found(seed);
                    low < truth && truth < high
                });
                let covered = covered.count();
                assert!((181..=199).contains(&covered), "{fields:?} {truth}: {covered} of 200");
            }
        }
    }

    #[test]
    fn clean_sheets_among_known_opponents() {
        let fields: &[&[usize]] = &[&[1], &[2]];
        let strong = among(&[4000.0, 0.0, 300.0], fields, 50, 1);
        assert!(strong.value.is_nan() && strong.high.is_nan() && strong.low > 700.0, "{strong:?}");
        let weak = among(&[-4000.0, 0.0, 300.0], fields, 50, 1);
        assert!(weak.value.is_nan() && weak.low.is_nan() && weak.high < -400.0, "{weak:?}");
    }

    #[test]
    fn who_never_met_anybody_has_no_rating() {
        let mut blocks = Blocks::new(2);
        blocks.add(0, 0, 1);
        blocks.add(0, 1, 1);
        assert!(contest(&Schedule::round_robin(1, 2), &blocks).ratings(None)[0].value.is_nan());
    }

    /// With two agents the interval is that of their win shares.
    #[test]
    fn ratings_agree_with_shares() {
        for elo in [0.0, 150.0, 500.0, 700.0] {
            for deals in [10, 100, 1000] {
                let schedule = Schedule::round_robin(2, 2);
                let mut blocks = Blocks::new(3);
                let limit = (share_of_elo(elo) * 4294967296.0) as u64;
                for deal in 0..deals {
                    let mut dice = Dice::from_parts(&[deal, 9]);
                    blocks.add(deal, 0, 1);
                    for _ in 0..2 {
                        blocks.add(deal, if (dice.next_u64() as u32 as u64) < limit { 1 } else { 2 }, 1);
                    }
                }
                let rating = contest(&schedule, &blocks).ratings(Some(1))[0];
                let share = blocks.share(deals, |sums| (sums[1] as f64, 2.0 * sums[0] as f64));
                let within = if deals < 100 { 0.02 } else { 0.004 };
                let close = |elo: f64, share: f64| (share_of_elo(elo) - share).abs() < within;
                assert!(close(rating.low, share.low), "{elo} {deals}: {rating:?} {share:?}");
                match share.value == 1.0 {
                    true => assert!(rating.high.is_nan() && rating.value.is_nan()),
                    false => assert!(close(rating.high, share.high), "{elo} {deals}: {rating:?} {share:?}"),
                }
            }
        }
    }
}
