//! The figures of an arena.

use std::fmt;

use serde::{Deserialize, Serialize};
use ttr_agents::AgentSpec;

use super::convergence::ConvergencePoint;
use super::record::SHARE;
use super::tally::{Sum, Tally};
use super::{Arena, Timed};
use crate::game::{Ending, Playable, Source, same_tracks};
use crate::stats::{Blocks, Contest, Decision, FEWEST_DEALS, Figure, IntervalMethods, Sprt};
use crate::table::schedule::rotations;
use ttr_show::text::{Align, Table, count, thousands};

/// All figures of an arena. Intervals are 95 %, from the spread among deals: see docs/STATISTICS.md.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Summary {
    /// Version of this program.
    pub version: String,
    /// The map's id.
    pub map: String,
    /// Hash of the map and its rules.
    pub map_hash: String,
    /// Number of seats.
    pub seats: usize,
    /// The master seed.
    pub seed: u64,
    /// Number of deals.
    pub deals: u64,
    /// Number of games.
    pub games: u64,
    /// The line-ups, as indices of agents; each deal is played in all rotations of one of their circular
    /// orders.
    pub line_ups: Vec<Vec<usize>>,
    /// Label of the agent whose rating is 0; `None` if there is only one agent.
    pub anchor: Option<String>,
    /// The methods behind the intervals.
    pub intervals: IntervalMethods,
    /// A sequential test ended the run before its last deal: shares and ratings are biased then.
    pub stopped_early: bool,
    /// The agents, by share of wins.
    pub agents: Vec<AgentSummary>,
    /// Routes and tickets of all agents together.
    pub everybody: SetsSummary,
    /// Frequencies with which agents finished ahead of each other.
    pub head_to_head: Vec<HeadToHead>,
    /// Share of wins by position in the order of play.
    pub seat_advantage: Vec<SeatSummary>,
    /// Frequencies of the endings.
    pub endings: Vec<EndingSummary>,
    /// Forfeits: deal, seat from 0, agent and reason; at most the first hundred.
    pub forfeits: Vec<(u64, u8, String, String)>,
    /// The sequential test, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSummary>,
    /// Shares of wins over deals, at most about 200 points; in the table `convergence` rather than in
    /// summary.json.
    #[serde(skip)]
    pub convergence: Vec<ConvergencePoint>,
    /// The command that plays the same games, if the run has a directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The kind of leftover at the end: trains or cards.
    pub left_over: String,
    /// The names of the routes.
    pub routes: Vec<String>,
    /// The names of the tickets.
    pub tickets: Vec<String>,
}

/// The figures of an agent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AgentSummary {
    /// Its index in the run.
    pub index: usize,
    /// Its label.
    pub label: String,
    /// Its specification as text.
    pub agent: String,
    /// Its specification, if the roster knows the agent.
    #[serde(skip)]
    pub spec: Option<AgentSpec>,
    /// Number of games it played, counted by seat.
    pub games: u64,
    /// Share of wins, ties shared; unknown if there is only one agent.
    pub win_share: Figure,
    /// Rating by wins on the Elo scale; that of the anchor is 0. The interval has only one end if the agent
    /// won, or lost, all games that could compare it with the anchor.
    pub rating: Figure,
    /// Mean points.
    pub points: Figure,
    /// Standard deviation of points.
    pub spread: Figure,
    /// Mean points in games it won.
    pub winning_points: Figure,
    /// Mean points by source, for the sources that the game has.
    pub sources: Vec<(Source, Figure)>,
    /// Number of tickets held at the end.
    pub tickets_kept: Figure,
    /// Number of tickets completed.
    pub tickets_completed: Figure,
    /// Number of tickets not completed.
    pub tickets_failed: Figure,
    /// Number of trains or cards left.
    pub left: Figure,
    /// Number of turns per game, over all seats.
    pub turns: Figure,
    /// Number of its decisions per game.
    pub decisions: Figure,
    /// Number of games it forfeited.
    pub forfeits: u64,
    /// Share of its games that it forfeited.
    pub forfeit_share: Figure,
    /// Its routes and tickets.
    #[serde(flatten)]
    pub sets: SetsSummary,
    /// Its speed; not a result of the games, and different in every run.
    #[serde(skip)]
    pub time: Timed,
}

/// Routes and tickets, in the order of the map.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SetsSummary {
    /// By route.
    pub routes: Vec<RouteUse>,
    /// By route, where tracks that ask for the same cards are one, in the order of [`same_tracks`]; not in
    /// summary.json.
    #[serde(skip)]
    pub same_tracks: Vec<RouteUse>,
    /// By ticket.
    pub tickets: Vec<TicketUse>,
}

/// Frequency of the claims of a route.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RouteUse {
    /// Number of games with it.
    pub games: u64,
    /// Share of games with it.
    pub claimed: Figure,
    /// Share of wins in these games.
    pub win_share: Figure,
}

/// Frequency with which a ticket is held.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TicketUse {
    /// Number of games that ended with it.
    pub games: u64,
    /// Share of games that ended with it.
    pub held: Figure,
    /// Share of these games in which it was completed.
    pub completed: Figure,
    /// Share of wins in these games.
    pub win_share: Figure,
}

/// Frequency of an ending.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EndingSummary {
    /// The reason.
    pub ending: Ending,
    /// Number of games.
    pub games: u64,
    /// Share of all games.
    pub share: Figure,
}

/// Frequency with which an agent finished ahead of another. This is not the share of wins: at three and
/// more seats, the second is ahead of the third.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HeadToHead {
    /// Index of the agent.
    pub agent: usize,
    /// Index of the other.
    pub other: usize,
    /// Share of games ahead when it played before the other, a tie counting half. Only at two seats is the
    /// difference to `all` an effect of playing first: at more seats, the seats between the two differ as
    /// well.
    pub playing_before: Figure,
    /// Number of games in which it did.
    pub games_before: u64,
    /// Share of games ahead in all games with both.
    pub all: Figure,
}

/// Results by position in the order of play.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SeatSummary {
    /// The position, from 1, which has the first turn.
    pub place: usize,
    /// Share of wins.
    pub win_share: Figure,
}

/// The result of a sequential test.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SprtSummary {
    /// The agent that may be stronger.
    pub agent: String,
    /// The other.
    pub other: String,
    /// H0: the agent is at most this much stronger.
    pub elo0: f64,
    /// H1: it is at least this much stronger.
    pub elo1: f64,
    /// Probability to accept H1 if H0 holds.
    pub alpha: f64,
    /// Probability to accept H0 if H1 holds.
    pub beta: f64,
    /// Logarithm of the likelihood ratio.
    pub llr: f64,
    /// The bounds of the LLR at which the test decides.
    pub bounds: (f64, f64),
    /// Number of deals that it evaluated.
    pub deals: u64,
    /// Its decision.
    pub decision: Option<Decision>,
    /// The difference in Elo, corrected for the stop (median-unbiased).
    pub elo: Figure,
    /// The LLR after numbers of deals, at most about 200 points; in the table `llr` rather than in
    /// summary.json.
    #[serde(skip)]
    pub path: Vec<(u64, f64)>,
}

impl SprtSummary {
    /// The current state of a test.
    pub(crate) fn new(test: &Sprt, agent: &str, other: &str) -> Self {
        Self {
            agent: agent.to_owned(),
            other: other.to_owned(),
            elo0: test.elo0,
            elo1: test.elo1,
            alpha: test.alpha,
            beta: test.beta,
            llr: test.llr(),
            bounds: test.bounds(),
            deals: test.deals,
            decision: test.decision(),
            elo: test.estimate(),
            path: Vec::new(),
        }
    }

    /// Returns the result in words: `H1 accepted after 36 deals: planner is stronger (LLR 2.96, bounds
    /// ±2.94)`.
    pub fn verdict(&self) -> String {
        let deals = count(self.deals as usize, "deal", "deals");
        let (low, high) = self.bounds;
        let bounds = match format!("{:.2}", -low) == format!("{high:.2}") {
            true => format!("±{high:.2}"),
            false => format!("{low:.2} and {high:.2}"),
        };
        let verdict = match self.decision {
            Some(Decision::Stronger) => format!("H1 accepted after {deals}: {} is stronger", self.agent),
            Some(Decision::NotStronger) => {
                format!("H0 accepted after {deals}: {} is not {} Elo stronger", self.agent, self.elo1)
            }
            None => format!("undecided after {deals}"),
        };
        format!("{verdict} (LLR {:.2}, bounds {bounds})", self.llr)
    }

    /// The hypotheses and their error probabilities in words.
    pub fn hypotheses(&self) -> String {
        format!(
            "H0: at most {} Elo, H1: at least {} Elo; alpha {}, beta {}",
            self.elo0, self.elo1, self.alpha, self.beta
        )
    }
}

impl Summary {
    pub(super) fn new<G: Playable>(arena: &Arena<G>, tally: &Tally) -> Self {
        let game = &arena.game;
        let count = arena.entrants.len();
        let line_ups = arena.schedule.line_ups().iter();
        let line_ups = line_ups.map(|line_up| (line_up.clone(), rotations(line_up) as u64)).collect();
        let wins = |agent: usize| tally.of_agent(agent, Sum::Wins);
        let contest = Contest::new(line_ups, &tally.blocks, tally.of_deals(), wins, SHARE);
        let (anchor, elo) = match &arena.options.known_ratings {
            Some(known) => {
                let zero = known.iter().position(|&elo| elo == 0.0).map(|index| index + 1);
                (zero, contest.ratings_given(known))
            }
            None => {
                let anchor = arena.options.anchor.or_else(|| contest.default_anchor()).filter(|_| count > 1);
                (anchor, contest.ratings(anchor))
            }
        };
        let rating = |agent: usize| elo.get(agent).copied().unwrap_or(Figure::NONE);
        let mut agents: Vec<_> =
            (0..count).map(|agent| agent_summary(arena, tally, agent, rating(agent))).collect();
        agents.sort_by(|a, b| {
            b.win_share.value.total_cmp(&a.win_share.value).then(b.points.value.total_cmp(&a.points.value))
        });
        let totals = tally.blocks.totals();
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
            anchor: anchor.map(label),
            intervals: IntervalMethods::current(),
            stopped_early: false,
            agents,
            everybody: sets_summary(arena, tally, count),
            head_to_head: head_to_head(tally, count),
            seat_advantage: (0..game.seats())
                .map(|seat| SeatSummary {
                    place: seat + 1,
                    win_share: share(
                        &tally.blocks,
                        tally.deals,
                        tally.of_place(seat) + 1,
                        tally.of_place(seat),
                    ),
                })
                .collect(),
            endings: Ending::ALL
                .into_iter()
                .map(|ending| (ending, tally.of_ending(ending)))
                .filter(|&(_, sum)| totals[sum] > 0)
                .map(|(ending, sum)| EndingSummary {
                    ending,
                    games: totals[sum] as u64,
                    share: tally
                        .blocks
                        .share(tally.deals, |sums| (sums[sum] as f64, sums[tally.of_place(0)] as f64)),
                })
                .collect(),
            forfeits: tally
                .forfeits
                .iter()
                .map(|(deal, seat, agent, why)| (*deal, *seat, label(*agent), why.clone()))
                .collect(),
            sprt: None,
            convergence: tally.convergence.points(),
            command: None,
            left_over: game.left_over().to_owned(),
            routes: game.route_names(),
            tickets: game.ticket_names(),
        }
    }

    /// The label of an agent by its index in the run.
    pub fn label(&self, index: usize) -> &str {
        self.agents.iter().find(|agent| agent.index == index).map_or("?", |agent| &agent.label)
    }

    /// Agents that forfeited and finished none of their games, each with the reason of its first forfeit;
    /// most likely a bot that can't be started.
    pub fn silent(&self) -> Vec<String> {
        let silent = self.agents.iter().filter(|agent| agent.forfeits > 0 && agent.points.value.is_nan());
        let described = silent.map(|AgentSummary { label, games, .. }| {
            let why = self.forfeits.iter().find(|(.., agent, _)| agent == label);
            let why = why.map_or("forfeited", |(.., why)| why.as_str());
            format!("{label} finished none of its {} games: {why}", thousands(*games))
        });
        described.collect()
    }
}

fn agent_summary<G: Playable>(arena: &Arena<G>, tally: &Tally, agent: usize, rating: Figure) -> AgentSummary {
    let (blocks, deals) = (&tally.blocks, tally.deals);
    let at = |sum: Sum| tally.of_agent(agent, sum);
    let totals = blocks.totals();
    let total = |sum: Sum| totals[at(sum)] as u64;
    let ratio = |sum: Sum, of: Sum| {
        let (sum, of) = (at(sum), at(of));
        blocks.ratio(move |sums| (sums[sum] as f64, sums[of] as f64))
    };
    let mean = |sum: Sum| ratio(sum, Sum::Scored);
    // A single agent wins its fair share by definition.
    let win_share = match arena.entrants.len() {
        1 => Figure::NONE,
        _ => blocks.win_share(deals, arena.schedule.largest_share(agent), |sums| {
            (sums[at(Sum::Wins)] as f64 / SHARE as f64, sums[at(Sum::Games)] as f64)
        }),
    };
    AgentSummary {
        index: agent,
        label: arena.entrants[agent].label().to_owned(),
        agent: arena.entrants[agent].identity().to_owned(),
        spec: arena.entrants[agent].spec().cloned(),
        games: total(Sum::Games),
        win_share,
        rating,
        points: mean(Sum::Points),
        spread: blocks.deviation(deals, |sums| {
            [Sum::Scored, Sum::Points, Sum::Squares].map(|sum| sums[at(sum)] as f64)
        }),
        winning_points: ratio(Sum::WonPoints, Sum::Won),
        sources: Source::ALL
            .into_iter()
            .filter(|&source| arena.game.has_source(source))
            .map(|source| (source, mean(Sum::From(source))))
            .collect(),
        tickets_kept: blocks.ratio(|sums| {
            let kept = sums[at(Sum::Completed)] + sums[at(Sum::Failed)];
            (kept as f64, sums[at(Sum::Scored)] as f64)
        }),
        tickets_completed: mean(Sum::Completed),
        tickets_failed: mean(Sum::Failed),
        left: mean(Sum::Left),
        turns: ratio(Sum::Turns, Sum::Games),
        decisions: ratio(Sum::Decisions, Sum::Games),
        forfeits: total(Sum::Forfeits),
        forfeit_share: blocks
            .share(deals, |sums| (sums[at(Sum::Forfeits)] as f64, sums[at(Sum::Games)] as f64)),
        sets: sets_summary(arena, tally, agent),
        time: tally.times[agent],
    }
}

/// The routes and tickets of an agent; those of all agents together come after the last agent.
fn sets_summary<G: Playable>(arena: &Arena<G>, tally: &Tally, whose: usize) -> SetsSummary {
    let totals = tally.sets.totals();
    let games = tally.of_sets(whose);
    let of = |sum: usize, of: usize| {
        tally.sets.share(tally.deals, move |sums| (sums[sum] as f64, sums[of] as f64))
    };
    let wins = |sum: usize, of: usize| share(&tally.sets, tally.deals, sum, of);
    let route = |route: usize| {
        let at = tally.of_route(whose, route);
        RouteUse { games: totals[at] as u64, claimed: of(at, games), win_share: wins(at + 1, at) }
    };
    // No seat has both tracks of a double route: sums over tracks are sums over seats.
    let tracks = |tracks: &Vec<usize>| {
        let sum = |sums: &[i64], sum: usize| {
            tracks.iter().map(|&track| sums[tally.of_route(whose, track) + sum]).sum::<i64>() as f64
        };
        let claims = |sums: &[i64]| (sum(sums, 0), sums[games] as f64);
        RouteUse {
            games: sum(&totals, 0) as u64,
            // With all agents together, two of them may each have claimed one.
            claimed: match tracks.len() == 1 || whose < arena.entrants.len() {
                true => tally.sets.share(tally.deals, claims),
                false => tally.sets.ratio(claims),
            },
            win_share: tally.sets.share(tally.deals, |sums| (sum(sums, 1) / SHARE as f64, sum(sums, 0))),
        }
    };
    let ticket = |ticket: usize| {
        let at = tally.of_ticket(whose, ticket);
        TicketUse {
            games: totals[at] as u64,
            held: of(at, games),
            completed: of(at + 1, at),
            win_share: wins(at + 2, at),
        }
    };
    SetsSummary {
        routes: (0..arena.game.route_names().len()).map(route).collect(),
        same_tracks: arena.game.board().map(same_tracks).iter().flatten().map(tracks).collect(),
        tickets: (0..arena.game.ticket_names().len()).map(ticket).collect(),
    }
}

/// A share of wins, whose sums are in units of [`SHARE`].
fn share(blocks: &Blocks, deals: u64, wins: usize, games: usize) -> Figure {
    blocks.share(deals, |sums| (sums[wins] as f64 / SHARE as f64, sums[games] as f64))
}

fn head_to_head(tally: &Tally, agents: usize) -> Vec<HeadToHead> {
    let pairs = (0..agents).flat_map(|a| (0..agents).map(move |b| (a, b)));
    let totals = tally.blocks.totals();
    let met = |a: usize, b: usize| a != b && totals[tally.of_pair(a, b)] + totals[tally.of_pair(b, a)] > 0;
    pairs
        .filter(|&(a, b)| met(a, b))
        .map(|(a, b)| {
            let (before, after) = (tally.of_pair(a, b), tally.of_pair(b, a));
            HeadToHead {
                agent: a,
                other: b,
                playing_before: tally
                    .blocks
                    .share(tally.deals, |sums| (sums[before + 1] as f64 / 2.0, sums[before] as f64)),
                games_before: totals[before] as u64,
                all: tally.blocks.share(tally.deals, |sums| {
                    let ahead = sums[before + 1] + 2 * sums[after] - sums[after + 1];
                    (ahead as f64 / 2.0, (sums[before] + sums[after]) as f64)
                }),
            }
        })
        .collect()
}

/// `first`, `second`, ...
pub fn ordinal(place: usize) -> String {
    match place {
        1..=5 => ["first", "second", "third", "fourth", "fifth"][place - 1].to_owned(),
        _ => format!("{place}th"),
    }
}

/// `63.1 ±1.2`, a share in per cent.
fn percent(figure: &Figure) -> String {
    figure.times(100.0).plus_minus(1)
}

fn plain(figure: &Figure) -> String {
    figure.plus_minus(1)
}

/// A rate with three significant digits.
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
            "{}, {} seats: {} games = {} {}, {}; seed {}; ± is half of a 95 % interval{}{}\n",
            self.map,
            self.seats,
            thousands(self.games),
            thousands(self.deals),
            if self.deals == 1 { "deal" } else { "deals" },
            self.seating(),
            self.seed,
            if self.deals < FEWEST_DEALS as u64 { " (from 5 deals on)" } else { "" },
            self.anchor.as_ref().map_or_else(String::new, |anchor| format!("; Elo of {anchor} is 0")),
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
        let endings: Vec<_> = self
            .endings
            .iter()
            .map(|end| format!("{} {}", end.ending.name(), thousands(end.games)))
            .collect();
        writeln!(f, "endings: {}", endings.join(", "))?;
        if let Some(test) = &self.sprt {
            writeln!(
                f,
                "sequential test, {} against {} by wins ({}): {}",
                test.agent,
                test.other,
                test.hypotheses(),
                test.verdict()
            )?;
            writeln!(
                f,
                "difference corrected for the stop: {} Elo{}",
                test.elo.signed_plus_minus(0),
                if self.stopped_early {
                    "; shares and Elo in the tables are not, and exaggerate"
                } else {
                    ""
                }
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
    /// How the line-ups play a deal.
    fn seating(&self) -> &'static str {
        match self.line_ups.as_slice() {
            [line_up] if rotations(line_up) == 1 => "one line-up",
            [_] => "one line-up in every rotation",
            _ => "every line-up in every rotation",
        }
    }

    /// A remark on the share of wins of equal agents, where it is not one half.
    fn fair_share(&self) -> String {
        let seats = self.seats;
        let has_several = |line_up: &Vec<usize>| (1..seats).any(|i| line_up[i..].contains(&line_up[i - 1]));
        // A share of wins needs two agents, and of two seats each has one then.
        if self.agents.len() < 2 || seats == 2 {
            return String::new();
        }
        let by_seat = match self.line_ups.iter().any(has_several) {
            true => ", as games are counted by seat",
            false => "",
        };
        format!("; the fair share is {:.1} %{by_seat}", 100.0 / seats as f64)
    }

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
                agent.spread.value_text(1),
                agent.tickets_completed.value_text(2),
                agent.tickets_failed.value_text(2),
                agent.left.value_text(1),
                agent.turns.value_text(1),
                rate(agent.time.per_second()),
            ]);
        }
        write!(f, "{table}")?;
        writeln!(
            f,
            "\nwins: ties are shared{}. spread: standard deviation of points. tickets done, failed: completed and not, \
             per game.\nturns: of all players, per game. decisions/s: speed of the agent, measured in this run.",
            self.fair_share()
        )
    }

    fn where_points_come_from(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.agents.first().map(|agent| agent.sources.as_slice()).unwrap_or_default();
        if names.len() < 2 {
            return Ok(());
        }
        let headings = names.iter().map(|(source, _)| (source.words(), Align::Right));
        let mut table = Table::new(std::iter::once(("points from".to_owned(), Align::Left)).chain(headings));
        for agent in &self.agents {
            let cells = agent.sources.iter().map(|(_, figure)| plain(figure));
            table.row(std::iter::once(agent.label.clone()).chain(cells));
        }
        write!(f, "\n{table}")
    }

    fn matrix(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.agents.len() < 2 {
            return Ok(());
        }
        let heading = |agent: &AgentSummary| (agent.label.clone(), Align::Right);
        let first = ("row finishes ahead of column, %".to_owned(), Align::Left);
        let mut table = Table::new(std::iter::once(first).chain(self.agents.iter().map(heading)));
        for row in &self.agents {
            let cell = |column: &AgentSummary| {
                let found = |pair: &&HeadToHead| pair.agent == row.index && pair.other == column.index;
                match self.head_to_head.iter().find(found) {
                    Some(pair) => percent(&pair.all),
                    None => "-".to_owned(),
                }
            };
            table.row(std::iter::once(row.label.clone()).chain(self.agents.iter().map(cell)));
        }
        write!(f, "\n{table}")
    }
}
