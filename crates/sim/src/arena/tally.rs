//! Sums over games, by deal.

use super::record::{ENDINGS, GameRecord, SHARE, SeatRecord};
use super::{ArenaPart, Timed};
use crate::playable::{SOURCES, members};
use crate::stats::Blocks;

/// Sums of an agent, in this order.
pub(super) const GAMES: usize = 0;
pub(super) const WINS: usize = 1;
pub(super) const SCORED: usize = 2;
pub(super) const POINTS: usize = 3;
pub(super) const SQUARES: usize = 4;
pub(super) const COMPLETED: usize = 5;
pub(super) const FAILED: usize = 6;
pub(super) const LEFT: usize = 7;
pub(super) const TURNS: usize = 8;
pub(super) const DECISIONS: usize = 9;
pub(super) const FORFEITS: usize = 10;
pub(super) const WON_POINTS: usize = 11;
pub(super) const WON: usize = 12;
pub(super) const FROM: usize = 13;
const OF_AGENT: usize = FROM + SOURCES.len();
/// Sums of an ordered pair of agents: games in which the first played before the second, and how often it came in ahead, in halves.
const OF_PAIR: usize = 2;
/// Sums of a place in the order of play: games and shares of wins.
const OF_PLACE: usize = 2;

/// What games came to, in whole numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Tally {
    agents: usize,
    pub(super) blocks: Blocks,
    pub(super) games: u64,
    pub(super) deals: u64,
    pub(super) endings: [u64; ENDINGS.len()],
    pub(super) forfeits: Vec<(u64, u8, usize, String)>,
    pub(super) times: Vec<Timed>,
    /// By agent and route: games in which it had the route, and shares of wins in them.
    pub(super) routes: Vec<Vec<[i64; 2]>>,
    /// By agent and ticket: games in which it ended with the ticket, completed it, and shares of wins with it.
    pub(super) tickets: Vec<Vec<[i64; 3]>>,
    last_deal: Option<u64>,
}

/// Most forfeits that are told one by one.
const MOST_FORFEITS: usize = 100;

impl Tally {
    pub(super) fn new(agents: usize, seats: usize, routes: usize, tickets: usize) -> Self {
        Self {
            agents,
            blocks: Blocks::new(agents * OF_AGENT + agents * agents * OF_PAIR + seats * OF_PLACE),
            games: 0,
            deals: 0,
            endings: [0; ENDINGS.len()],
            forfeits: Vec::new(),
            times: vec![Timed::default(); agents],
            routes: vec![vec![[0; 2]; routes]; agents],
            tickets: vec![vec![[0; 3]; tickets]; agents],
            last_deal: None,
        }
    }

    /// Games so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Where a sum of an agent is.
    pub(super) fn of_agent(&self, agent: usize, sum: usize) -> usize {
        agent * OF_AGENT + sum
    }

    /// Where the sums of a pair are, of which the first plays before the second.
    pub(super) fn of_pair(&self, first: usize, second: usize) -> usize {
        self.agents * OF_AGENT + (first * self.agents + second) * OF_PAIR
    }

    /// Where the sums of a place in the order of play are.
    pub(super) fn of_place(&self, place: usize) -> usize {
        self.agents * OF_AGENT + self.agents * self.agents * OF_PAIR + place * OF_PLACE
    }

    /// Adds a part of a run.
    pub fn add_part(&mut self, part: &ArenaPart) {
        for game in &part.games {
            self.add(game);
        }
        for (time, &other) in self.times.iter_mut().zip(&part.times) {
            time.add(other);
        }
    }

    /// Adds a game. The games of a deal come one after the other.
    pub fn add(&mut self, record: &GameRecord) {
        let deal = record.deal;
        if self.last_deal.replace(deal) != Some(deal) {
            self.deals += 1;
        }
        self.games += 1;
        self.endings[usize::from(record.ending)] += 1;
        let blocks = &mut self.blocks;
        if let Some((seat, why)) = &record.forfeit {
            let agent = record.seats[usize::from(*seat)].agent;
            if self.forfeits.len() < MOST_FORFEITS {
                self.forfeits.push((deal, *seat, agent, why.clone()));
            }
            blocks.add(deal, agent * OF_AGENT + FORFEITS, 1);
        }
        for seat in &record.seats {
            let mut add = |sum: usize, value: i64| blocks.add(deal, seat.agent * OF_AGENT + sum, value);
            let result = &seat.result;
            add(GAMES, 1);
            add(WINS, seat.share.into());
            add(DECISIONS, seat.decisions.into());
            add(TURNS, record.turns.into());
            if record.forfeit.is_some() {
                continue;
            }
            let points = i64::from(result.points);
            add(SCORED, 1);
            add(POINTS, points);
            add(SQUARES, points * points);
            add(COMPLETED, result.completed.into());
            add(FAILED, result.failed.into());
            add(LEFT, result.left.into());
            add(WON, seat.share.into());
            add(WON_POINTS, points * i64::from(seat.share));
            for (source, &points) in result.sources.iter().enumerate() {
                add(FROM + source, points.into());
            }
        }
        if record.forfeit.is_none() {
            record.seats.iter().for_each(|seat| self.add_sets(seat));
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

    fn add_sets(&mut self, seat: &SeatRecord) {
        let (result, share) = (&seat.result, i64::from(seat.share));
        for route in members(result.routes) {
            if let Some(sums) = self.routes[seat.agent].get_mut(route) {
                sums[0] += 1;
                sums[1] += share;
            }
        }
        for ticket in members(result.completed_tickets | result.failed_tickets) {
            if let Some(sums) = self.tickets[seat.agent].get_mut(ticket) {
                sums[0] += 1;
                sums[1] += i64::from(result.completed_tickets >> ticket & 1 == 1);
                sums[2] += share;
            }
        }
    }
}

/// A share of wins as a number of wins.
pub(super) fn wins(share: i64) -> f64 {
    share as f64 / SHARE as f64
}
