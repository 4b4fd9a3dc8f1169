//! Sums over games, by deal.

use super::convergence::Convergence;
use super::record::{GameRecord, SeatRecord};
use super::{ArenaPart, Timed};
use crate::game::{Ending, Source};
use crate::stats::Blocks;

/// A sum of an agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sum {
    Games,
    /// Shares of wins.
    Wins,
    /// Games that no seat forfeited; the sums of points, tickets and leftovers are over these.
    Scored,
    Points,
    /// Squares of points.
    Squares,
    Completed,
    Failed,
    Left,
    Turns,
    Decisions,
    /// Games that it forfeited.
    Forfeits,
    /// Points times shares of wins.
    WonPoints,
    /// Shares of wins of the scored games.
    Won,
    From(Source),
}

impl Sum {
    /// Number of sums that are not by source.
    const BEFORE_SOURCES: usize = 13;

    const fn index(self) -> usize {
        match self {
            Self::Games => 0,
            Self::Wins => 1,
            Self::Scored => 2,
            Self::Points => 3,
            Self::Squares => 4,
            Self::Completed => 5,
            Self::Failed => 6,
            Self::Left => 7,
            Self::Turns => 8,
            Self::Decisions => 9,
            Self::Forfeits => 10,
            Self::WonPoints => 11,
            Self::Won => 12,
            Self::From(source) => Self::BEFORE_SOURCES + source.index(),
        }
    }
}

const OF_AGENT: usize = Sum::BEFORE_SOURCES + Source::ALL.len();
/// Number of sums of an ordered pair of agents: games in which the first played before the second, and how
/// often it finished ahead, in halves.
const OF_PAIR: usize = 2;
/// Number of sums of a position in the order of play: games and shares of wins.
const OF_PLACE: usize = 2;
/// Number of blocks of the sums by route and ticket: there are many of these sums.
const SET_GROUPS: usize = 100;
/// Number of sums of a route: games with it, and shares of wins in them.
const OF_ROUTE: usize = 2;
/// Number of sums of a ticket: games that ended with it, games that completed it, and shares of wins with
/// it.
const OF_TICKET: usize = 3;

/// Sums of results, in integers.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Tally {
    agents: usize,
    pub(super) blocks: Blocks,
    pub(super) games: u64,
    pub(super) deals: u64,
    pub(super) forfeits: Vec<(u64, u8, usize, String)>,
    pub(super) times: Vec<Timed>,
    /// By agent, and for all of them together: games, then the sums of each route and ticket.
    pub(super) sets: Blocks,
    /// Shares of wins over deals; empty for a single agent.
    pub(super) convergence: Convergence,
    seats: usize,
    routes: usize,
    tickets: usize,
    last_deal: Option<u64>,
}

/// Maximum number of forfeits that are listed.
const MOST_FORFEITS: usize = 100;

impl Tally {
    /// Without games, for agents with these largest shares of wins.
    pub(super) fn new(largest: Vec<f64>, seats: usize, routes: usize, tickets: usize) -> Self {
        let agents = largest.len();
        Self {
            agents,
            blocks: Blocks::new(
                agents * OF_AGENT + agents * agents * OF_PAIR + seats * OF_PLACE + 1 + Ending::ALL.len(),
            ),
            games: 0,
            deals: 0,
            forfeits: Vec::new(),
            times: vec![Timed::default(); agents],
            sets: Blocks::grouped((agents + 1) * (1 + OF_ROUTE * routes + OF_TICKET * tickets), SET_GROUPS),
            convergence: Convergence::new(if agents > 1 { largest } else { Vec::new() }),
            seats,
            routes,
            tickets,
            last_deal: None,
        }
    }

    /// Index of a sum of an agent.
    pub(super) fn of_agent(&self, agent: usize, sum: Sum) -> usize {
        agent * OF_AGENT + sum.index()
    }

    /// Index of the sums of a pair of agents, of which the first plays before the second.
    pub(super) fn of_pair(&self, first: usize, second: usize) -> usize {
        self.agents * OF_AGENT + (first * self.agents + second) * OF_PAIR
    }

    /// Index of the sums of a position in the order of play.
    pub(super) fn of_place(&self, place: usize) -> usize {
        self.agents * OF_AGENT + self.agents * self.agents * OF_PAIR + place * OF_PLACE
    }

    /// Index of the number of deals.
    pub(super) fn of_deals(&self) -> usize {
        self.of_place(self.seats)
    }

    /// Index of the number of games with an ending.
    pub(super) fn of_ending(&self, ending: Ending) -> usize {
        self.of_deals() + 1 + ending.index()
    }

    /// Index of the number of games in the sets of an agent; those of all agents come after the last agent.
    pub(super) fn of_sets(&self, agent: usize) -> usize {
        agent * (1 + OF_ROUTE * self.routes + OF_TICKET * self.tickets)
    }

    /// Index of the sums of a route in the sets of an agent.
    pub(super) fn of_route(&self, agent: usize, route: usize) -> usize {
        self.of_sets(agent) + 1 + OF_ROUTE * route
    }

    /// Index of the sums of a ticket in the sets of an agent.
    pub(super) fn of_ticket(&self, agent: usize, ticket: usize) -> usize {
        self.of_route(agent, self.routes) + OF_TICKET * ticket
    }

    /// Adds a part of a run.
    pub(crate) fn add_part(&mut self, part: &ArenaPart) {
        for game in &part.games {
            self.add(game);
        }
        for (time, &other) in self.times.iter_mut().zip(&part.times) {
            time.add(other);
        }
    }

    /// Adds a game. The games of a deal come one after the other.
    fn add(&mut self, record: &GameRecord) {
        let deal = record.deal;
        let last = self.last_deal.replace(deal);
        if last != Some(deal) {
            if last.is_some() && self.agents > 1 {
                self.convergence.end_deal();
            }
            self.deals += 1;
            self.blocks.add(deal, self.of_deals(), 1);
        }
        self.games += 1;
        self.blocks.add(deal, self.of_ending(record.ending), 1);
        self.sets.add(deal, self.of_sets(self.agents), 1);
        let blocks = &mut self.blocks;
        if let Some((seat, why)) = &record.forfeit {
            let agent = record.seats[usize::from(*seat)].agent;
            if self.forfeits.len() < MOST_FORFEITS {
                self.forfeits.push((deal, *seat, agent, why.clone()));
            }
            blocks.add(deal, agent * OF_AGENT + Sum::Forfeits.index(), 1);
        }
        for seat in &record.seats {
            let mut add = |sum: Sum, value: i64| blocks.add(deal, seat.agent * OF_AGENT + sum.index(), value);
            let result = &seat.result;
            add(Sum::Games, 1);
            self.sets.add(deal, seat.agent * (1 + OF_ROUTE * self.routes + OF_TICKET * self.tickets), 1);
            add(Sum::Wins, seat.share.into());
            if self.agents > 1 {
                self.convergence.add(seat.agent, seat.share);
            }
            add(Sum::Decisions, seat.decisions.into());
            add(Sum::Turns, record.turns.into());
            if record.forfeit.is_some() {
                continue;
            }
            let points = i64::from(result.points);
            add(Sum::Scored, 1);
            add(Sum::Points, points);
            add(Sum::Squares, points * points);
            add(Sum::Completed, result.completed.into());
            add(Sum::Failed, result.failed.into());
            add(Sum::Left, result.left.into());
            add(Sum::Won, seat.share.into());
            add(Sum::WonPoints, points * i64::from(seat.share));
            for (source, &points) in result.sources.iter() {
                add(Sum::From(source), points.into());
            }
        }
        if record.forfeit.is_none() {
            record.seats.iter().for_each(|seat| self.add_sets(deal, seat));
        }
        for (place, seat) in record.in_order().enumerate() {
            let sums = self.of_place(place);
            self.blocks.add(deal, sums, 1);
            self.blocks.add(deal, sums + 1, seat.share.into());
            for later in record.in_order().skip(place + 1) {
                let sums = self.of_pair(seat.agent, later.agent);
                let ahead = match seat.result.rank.cmp(&later.result.rank) {
                    std::cmp::Ordering::Less => 2,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Greater => 0,
                };
                self.blocks.add(deal, sums, 1);
                self.blocks.add(deal, sums + 1, ahead);
            }
        }
    }

    fn add_sets(&mut self, deal: u64, seat: &SeatRecord) {
        let (result, share) = (&seat.result, i64::from(seat.share));
        for whose in [seat.agent, self.agents] {
            for route in result.routes {
                let at = self.of_route(whose, route.index());
                self.sets.add(deal, at, 1);
                self.sets.add(deal, at + 1, share);
            }
            let held = result.completed_tickets | result.failed_tickets;
            for ticket in held {
                let at = self.of_ticket(whose, ticket.index());
                self.sets.add(deal, at, 1);
                self.sets.add(deal, at + 1, i64::from(result.completed_tickets.contains(ticket)));
                self.sets.add(deal, at + 2, share);
            }
        }
    }
}
