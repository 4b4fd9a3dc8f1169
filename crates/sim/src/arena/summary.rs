//! What the games of an arena say.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::record::ENDINGS;
use super::tally::{self, Tally, wins};
use super::{Arena, Timed};
use crate::playable::{Playable, SOURCES};
use crate::stats::{Decision, Figure, Resamples, ratings};
use crate::text::{Align, Table, thousands};

/// All figures of an arena. Intervals are 95 %, from a bootstrap over deals.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// Version of this program.
    pub version: String,
    /// The map's id.
    pub map: String,
    /// Hash of the map and its rules.
    pub map_hash: String,
    /// How many seats.
    pub seats: usize,
    /// The master seed.
    pub seed: u64,
    /// Deals played.
    pub deals: u64,
    /// Games played.
    pub games: u64,
    /// The line-ups, as indices of agents; each deal is played in all their rotations.
    pub line_ups: Vec<Vec<usize>>,
    /// The agents, best first.
    pub agents: Vec<AgentSummary>,
    /// Who came in ahead of whom.
    pub head_to_head: Vec<HeadToHead>,
    /// What a place in the order of play is worth.
    pub seat_advantage: Vec<SeatSummary>,
    /// How often games ended for each reason.
    pub endings: Vec<(String, u64)>,
    /// Forfeits: deal, seat from 0, agent and reason; at most the first hundred.
    pub forfeits: Vec<(u64, u8, String, String)>,
    /// The sequential test, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSummary>,
    /// What is left over at the end: trains or cards.
    pub left_over: String,
    /// The names of the routes.
    pub routes: Vec<String>,
    /// The names of the tickets.
    pub tickets: Vec<String>,
}

/// The figures of an agent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AgentSummary {
    /// Its index in the run.
    pub index: usize,
    /// What it is called.
    pub label: String,
    /// What it is.
    pub agent: String,
    /// Games it played, counted by seat.
    pub games: u64,
    /// Share of wins, ties shared.
    pub win_share: Figure,
    /// Bradley-Terry rating on the Elo scale; the mean of all agents is 0.
    pub rating: Figure,
    /// Mean points.
    pub points: Figure,
    /// Standard deviation of points.
    pub spread: Figure,
    /// Mean points of games it won.
    pub winning_points: Figure,
    /// Mean points by source, of the sources that the game has.
    pub sources: Vec<(String, Figure)>,
    /// Tickets held at the end.
    pub tickets_kept: Figure,
    /// Tickets completed.
    pub tickets_completed: Figure,
    /// Tickets not completed.
    pub tickets_failed: Figure,
    /// Trains or cards left.
    pub left: Figure,
    /// Turns of its games, of all seats together.
    pub turns: Figure,
    /// Decisions it took in a game.
    pub decisions: Figure,
    /// Games it forfeited.
    pub forfeits: u64,
    /// By route: games with it, and share of wins in them.
    pub routes: Vec<(u64, f64)>,
    /// By ticket: games that ended with it, how many completed it, and share of wins with it.
    pub tickets: Vec<(u64, u64, f64)>,
    /// How fast it decides; not a result of the games, and not the same in every run.
    #[serde(skip)]
    pub time: Timed,
}

/// How often an agent came in ahead of another.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HeadToHead {
    /// Index of the agent.
    pub agent: usize,
    /// Index of the other.
    pub other: usize,
    /// Share of games ahead when it played before the other, a tie counting half.
    pub playing_before: Figure,
    /// Games in which it did.
    pub games_before: u64,
    /// Share of games ahead in all games with both.
    pub all: Figure,
}

/// What a place in the order of play is worth.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SeatSummary {
    /// The place, from 1: who has the first turn.
    pub place: usize,
    /// Share of wins.
    pub win_share: Figure,
}

/// How a sequential test went.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SprtSummary {
    /// The agent that may be stronger.
    pub agent: String,
    /// The other.
    pub other: String,
    /// The weaker claim.
    pub elo0: f64,
    /// The stronger claim.
    pub elo1: f64,
    /// Logarithm of the likelihood ratio.
    pub llr: f64,
    /// Where the test decides.
    pub bounds: (f64, f64),
    /// Deals that it looked at.
    pub deals: u64,
    /// What it decided.
    pub decision: Option<Decision>,
}

impl Summary {
    pub(super) fn new<G: Playable>(arena: &Arena<G>, tally: &Tally) -> Self {
        let game = &arena.game;
        let resamples = tally.blocks.resample(arena.seed);
        let count = arena.entrants.len();
        let elo = resamples.figures(|sums| ratings(&ahead(tally, count, sums)));
        let mut agents: Vec<_> =
            (0..count).map(|agent| agent_summary(arena, tally, &resamples, agent, elo[agent])).collect();
        agents.sort_by(|a, b| {
            b.rating.value.total_cmp(&a.rating.value).then(b.win_share.value.total_cmp(&a.win_share.value))
        });
        let label = |agent: usize| arena.entrants[agent].label().to_owned();
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            map: game.map_id().to_owned(),
            map_hash: format!("{:016x}", game.rules_hash()),
            seats: game.seats(),
            seed: arena.seed,
            deals: tally.deals,
            games: tally.games,
            line_ups: arena.schedule.line_ups().to_vec(),
            agents,
            head_to_head: head_to_head(tally, count, &resamples),
            seat_advantage: (0..game.seats())
                .map(|seat| SeatSummary {
                    place: seat + 1,
                    win_share: share(&resamples, tally.of_place(seat) + 1, tally.of_place(seat)),
                })
                .collect(),
            endings: ENDINGS
                .iter()
                .zip(tally.endings)
                .filter(|&(_, games)| games > 0)
                .map(|(&ending, games)| (ending.to_owned(), games))
                .collect(),
            forfeits: tally
                .forfeits
                .iter()
                .map(|(deal, seat, agent, why)| (*deal, *seat, label(*agent), why.clone()))
                .collect(),
            sprt: None,
            left_over: game.left_over().to_owned(),
            routes: game.route_names(),
            tickets: game.ticket_names(),
        }
    }

    /// The label of an agent by its index in the run.
    pub fn label(&self, index: usize) -> &str {
        self.agents.iter().find(|agent| agent.index == index).map_or("?", |agent| &agent.label)
    }
}

fn agent_summary<G: Playable>(
    arena: &Arena<G>,
    tally: &Tally,
    resamples: &Resamples,
    agent: usize,
    rating: Figure,
) -> AgentSummary {
    let at = |sum: usize| tally.of_agent(agent, sum);
    let total = |sum: usize| resamples.totals()[at(sum)];
    let mean = |sum: usize| resamples.ratio(at(sum), at(tally::SCORED));
    let spread = resamples.figure(|sums| {
        let games = sums[at(tally::SCORED)] as f64;
        let mean = sums[at(tally::POINTS)] as f64 / games;
        let variance = sums[at(tally::SQUARES)] as f64 / games - mean * mean;
        // Rounding may leave less than nothing; nothing measured is no number.
        if variance < 0.0 { 0.0 } else { variance.sqrt() }
    });
    let kept = resamples.figure(|sums| {
        (sums[at(tally::COMPLETED)] + sums[at(tally::FAILED)]) as f64 / sums[at(tally::SCORED)] as f64
    });
    let share_of = |share: i64, games: i64| if games == 0 { 0.0 } else { wins(share) / games as f64 };
    AgentSummary {
        index: agent,
        label: arena.entrants[agent].label().to_owned(),
        agent: arena.entrants[agent].identity().to_owned(),
        games: total(tally::GAMES) as u64,
        win_share: share(resamples, at(tally::WINS), at(tally::GAMES)),
        rating,
        points: mean(tally::POINTS),
        spread,
        winning_points: resamples.ratio(at(tally::WON_POINTS), at(tally::WON)),
        sources: SOURCES
            .iter()
            .enumerate()
            .filter(|&(source, _)| arena.game.has_source(source))
            .map(|(source, &name)| (name.to_owned(), mean(tally::FROM + source)))
            .collect(),
        tickets_kept: kept,
        tickets_completed: mean(tally::COMPLETED),
        tickets_failed: mean(tally::FAILED),
        left: mean(tally::LEFT),
        turns: resamples.ratio(at(tally::TURNS), at(tally::GAMES)),
        decisions: resamples.ratio(at(tally::DECISIONS), at(tally::GAMES)),
        forfeits: total(tally::FORFEITS) as u64,
        routes: tally.routes[agent]
            .iter()
            .map(|&[games, share]| (games as u64, share_of(share, games)))
            .collect(),
        tickets: tally.tickets[agent]
            .iter()
            .map(|&[held, done, share]| (held as u64, done as u64, share_of(share, held)))
            .collect(),
        time: tally.times[agent],
    }
}

fn share(resamples: &Resamples, wins: usize, games: usize) -> Figure {
    resamples.ratio(wins, games).times(1.0 / super::SHARE as f64)
}

/// How often each came in ahead of each, over both orders of play.
fn ahead(tally: &Tally, agents: usize, sums: &[i64]) -> Vec<Vec<f64>> {
    let of = |a: usize, b: usize| {
        let (before, after) = (tally.of_pair(a, b), tally.of_pair(b, a));
        if a == b { 0.0 } else { (sums[before + 1] + 2 * sums[after] - sums[after + 1]) as f64 / 2.0 }
    };
    (0..agents).map(|a| (0..agents).map(|b| of(a, b)).collect()).collect()
}

fn head_to_head(tally: &Tally, agents: usize, resamples: &Resamples) -> Vec<HeadToHead> {
    let pairs = (0..agents).flat_map(|a| (0..agents).map(move |b| (a, b)));
    let met = |a: usize, b: usize| {
        let totals = resamples.totals();
        a != b && totals[tally.of_pair(a, b)] + totals[tally.of_pair(b, a)] > 0
    };
    pairs
        .filter(|&(a, b)| met(a, b))
        .map(|(a, b)| {
            let (before, after) = (tally.of_pair(a, b), tally.of_pair(b, a));
            HeadToHead {
                agent: a,
                other: b,
                playing_before: resamples.ratio(before + 1, before).times(0.5),
                games_before: resamples.totals()[before] as u64,
                all: resamples.figure(|sums| {
                    let ahead = sums[before + 1] + 2 * sums[after] - sums[after + 1];
                    ahead as f64 / 2.0 / (sums[before] + sums[after]) as f64
                }),
            }
        })
        .collect()
}

/// `first`, `second`, ...
pub(crate) fn ordinal(place: usize) -> String {
    match place {
        1..=5 => ["first", "second", "third", "fourth", "fifth"][place - 1].to_owned(),
        _ => format!("{place}th"),
    }
}

/// `63.1 ±1.2`, of a share in per cent.
fn percent(figure: &Figure) -> String {
    figure.times(100.0).plus_minus(1)
}

fn plain(figure: &Figure) -> String {
    figure.plus_minus(1)
}

/// The figure alone.
fn alone(figure: &Figure, digits: usize) -> String {
    if figure.value.is_nan() { "-".to_owned() } else { format!("{:.digits$}", figure.value) }
}

/// A rate that is told to three digits.
fn rate(per_second: f64) -> String {
    match per_second {
        0.0 => "-".to_owned(),
        rate if rate < 10.0 => format!("{rate:.2}"),
        rate => {
            let unit = 10f64.powf(rate.log10().floor() - 2.0).max(1.0);
            thousands(((rate / unit).round() * unit) as u64)
        }
    }
}

/// The tables for the terminal.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}, {} seats: {} games = {} {}, every line-up in every rotation; seed {}; ± is half of a 95 % interval\n",
            self.map,
            self.seats,
            thousands(self.games),
            thousands(self.deals),
            if self.deals == 1 { "deal" } else { "deals" },
            self.seed
        )?;
        self.standings(f)?;
        self.where_points_come_from(f)?;
        self.matrix(f)?;
        let seats: Vec<_> = self
            .seat_advantage
            .iter()
            .map(|seat| format!("{} {} %", ordinal(seat.place), percent(&seat.win_share)))
            .collect();
        writeln!(f, "\nwins by order of play: {}", seats.join(", "))?;
        let endings: Vec<_> =
            self.endings.iter().map(|(name, games)| format!("{name} {}", thousands(*games))).collect();
        writeln!(f, "endings: {}", endings.join(", "))?;
        if let Some(test) = &self.sprt {
            let verdict = match test.decision {
                Some(Decision::Stronger) => "accepted: it is stronger",
                Some(Decision::NotStronger) => "rejected: it is not stronger",
                None => "undecided",
            };
            writeln!(
                f,
                "sequential test, {} against {}, Elo {} or {}: {verdict} after {} deals (LLR {:.2} in {:.2} to {:.2})",
                test.agent,
                test.other,
                test.elo0,
                test.elo1,
                test.deals,
                test.llr,
                test.bounds.0,
                test.bounds.1
            )?;
        }
        for (deal, seat, agent, why) in self.forfeits.iter().take(5) {
            writeln!(f, "forfeit: deal {deal}, seat {}, {agent}: {why}", seat + 1)?;
        }
        if self.forfeits.len() > 5 {
            writeln!(f, "... and more forfeits: see summary.json")?;
        }
        Ok(())
    }
}

impl Summary {
    fn standings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Align::{Left, Right};
        let mut table = Table::new([
            ("agent", Left),
            ("games", Right),
            ("wins %", Right),
            ("Elo", Right),
            ("points", Right),
            ("spread", Right),
            ("tickets done", Right),
            ("failed", Right),
            (self.left_over.as_str(), Right),
            ("turns", Right),
            ("decisions/s", Right),
        ]);
        for agent in &self.agents {
            table.row([
                agent.label.clone(),
                thousands(agent.games),
                percent(&agent.win_share),
                agent.rating.signed_plus_minus(0),
                plain(&agent.points),
                alone(&agent.spread, 1),
                alone(&agent.tickets_completed, 2),
                alone(&agent.tickets_failed, 2),
                alone(&agent.left, 1),
                alone(&agent.turns, 1),
                rate(agent.time.per_second()),
            ]);
        }
        write!(f, "{table}")
    }

    fn where_points_come_from(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.agents.first().map(|agent| agent.sources.as_slice()).unwrap_or_default();
        if names.len() < 2 {
            return Ok(());
        }
        let headings = names.iter().map(|(name, _)| (name.replace('_', " "), Align::Right));
        let mut table = Table::new(std::iter::once(("points from".to_owned(), Align::Left)).chain(headings));
        for agent in &self.agents {
            let cells = agent.sources.iter().map(|(_, figure)| plain(figure));
            table.row(std::iter::once(agent.label.clone()).chain(cells));
        }
        write!(f, "\n{table}")
    }

    /// Rows play before columns.
    fn matrix(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.agents.len() < 2 {
            return Ok(());
        }
        let heading = |agent: &AgentSummary| (agent.label.clone(), Align::Right);
        let first = ("row ahead of column %, row plays first".to_owned(), Align::Left);
        let mut table = Table::new(std::iter::once(first).chain(self.agents.iter().map(heading)));
        for row in &self.agents {
            let cell = |column: &AgentSummary| {
                let found = |pair: &&HeadToHead| pair.agent == row.index && pair.other == column.index;
                match self.head_to_head.iter().find(found) {
                    Some(pair) if pair.games_before > 0 => percent(&pair.playing_before),
                    _ => "-".to_owned(),
                }
            };
            table.row(std::iter::once(row.label.clone()).chain(self.agents.iter().map(cell)));
        }
        write!(f, "\n{table}")
    }
}
