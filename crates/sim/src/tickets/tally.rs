//! Sums over games, by ticket, route and city.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::arena::SHARE;
use crate::game::Ending;
use crate::stats::Blocks;

/// Number of blocks for intervals.
pub(super) const BLOCKS: usize = 100;
/// Number of sums by block of all seats, and of the holders of a ticket: seats, shares of wins and points.
/// The rest is for tickets only: holders that completed it; seats to which it was offered before the first
/// turn, their shares of wins and their points; and the number of these that kept it then.
const OF_TICKET: usize = 8;
pub(super) const COMPLETED: usize = 3;
pub(super) const OFFERED: usize = 4;
pub(super) const KEPT: usize = 7;
/// Number of sums by block of a route: claims, shares of wins of the claimants, turns of the claims,
/// locomotives laid down.
const OF_ROUTE: usize = 4;
/// Number of sums by block of a city: seats with a route there, and their shares of wins.
const OF_CITY: usize = 2;
/// Number of card kinds, and one for none.
pub(super) const KINDS: usize = 10;

/// Sums of a ticket.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct TicketSums {
    /// Number of seats to which it was offered later.
    pub(super) offered_later: u64,
    /// Number of seats that kept it later.
    pub(super) kept_later: u64,
    /// Trains of the shortest path between its cities over the seat's own routes, over all seats that have
    /// one.
    pub(super) trains: u64,
    /// Turn in which its cities were joined, over the same seats.
    pub(super) turns: u64,
    /// Number of seats that joined its cities by their own routes.
    pub(super) joined: u64,
}

/// Sums of results, in integers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct TicketTally {
    /// Number of games.
    pub(super) games: u64,
    /// Number of turns.
    pub(super) turns: u64,
    /// Number of games by ending.
    pub(super) endings: [u64; Ending::ALL.len()],
    /// Number of games in which deck and discard were empty.
    pub(super) deck_empty: u64,
    /// Number of games in which the flush guard applied.
    pub(super) flush_guard: u64,
    /// By ticket.
    pub(super) tickets: Vec<TicketSums>,
    /// By route: claims by colour laid down, in the order of the card kinds; the last is without a colour.
    pub(super) colours: Vec<[u64; KINDS]>,
    /// By pair of tickets: seats that held both at the end, completed both, and their shares of wins.
    pub(super) pairs: Vec<[u64; 3]>,
    /// By deal: sums of all seats, then by ticket, route and city.
    pub(super) blocks: Blocks,
}

impl TicketTally {
    /// Creates a tally without games.
    pub(super) fn new(tickets: usize, routes: usize, cities: usize) -> Self {
        Self {
            games: 0,
            turns: 0,
            endings: [0; Ending::ALL.len()],
            deck_empty: 0,
            flush_guard: 0,
            tickets: vec![TicketSums::default(); tickets],
            colours: vec![[0; KINDS]; routes],
            pairs: vec![[0; 3]; tickets * (tickets + 1) / 2],
            blocks: Blocks::grouped(OF_TICKET * (tickets + 1) + OF_ROUTE * routes + OF_CITY * cities, BLOCKS),
        }
    }

    /// Index of a pair of tickets.
    pub(super) fn pair(a: usize, b: usize) -> usize {
        let (low, high) = (a.min(b), a.max(b));
        high * (high + 1) / 2 + low
    }

    /// Index of the sums by deal of a ticket's holders; with `None`, of those of all seats.
    pub(super) fn holders(ticket: Option<usize>) -> usize {
        OF_TICKET * ticket.map_or(0, |ticket| ticket + 1)
    }

    /// Index of the sums by deal of a route.
    pub(super) fn route(&self, route: usize) -> usize {
        OF_TICKET * (self.tickets.len() + 1) + OF_ROUTE * route
    }

    /// Index of the sums by deal of a city.
    pub(super) fn city(&self, city: usize) -> usize {
        self.route(self.colours.len()) + OF_CITY * city
    }

    /// Adds the result of a seat to the sums by deal.
    pub(super) fn add_seat(&mut self, deal: u64, ticket: Option<usize>, share: u8, points: i16) {
        let at = Self::holders(ticket);
        self.blocks.add(deal, at, 1);
        self.blocks.add(deal, at + 1, share.into());
        self.blocks.add(deal, at + 2, points.into());
    }

    /// Adds the result of a seat to the sums of a ticket that it was offered before the first turn.
    pub(super) fn add_offer(&mut self, deal: u64, ticket: usize, share: u8, points: i16) {
        let at = Self::holders(Some(ticket)) + OFFERED;
        for (sum, value) in [1, i64::from(share), i64::from(points)].into_iter().enumerate() {
            self.blocks.add(deal, at + sum, value);
        }
    }

    /// Adds other games.
    pub(super) fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.turns += other.turns;
        self.deck_empty += other.deck_empty;
        self.flush_guard += other.flush_guard;
        for (sum, other) in self.endings.iter_mut().zip(other.endings) {
            *sum += other;
        }
        for (sum, other) in self.tickets.iter_mut().zip(&other.tickets) {
            sum.offered_later += other.offered_later;
            sum.kept_later += other.kept_later;
            sum.trains += other.trains;
            sum.turns += other.turns;
            sum.joined += other.joined;
        }
        for (sum, other) in self.colours.iter_mut().zip(&other.colours) {
            (0..KINDS).for_each(|kind| sum[kind] += other[kind]);
        }
        for (sum, other) in self.pairs.iter_mut().zip(&other.pairs) {
            (0..3).for_each(|i| sum[i] += other[i]);
        }
        self.blocks.merge(&other.blocks);
    }
}

impl TicketTally {
    /// Checks that a tally that was read is possible for these deals: the same dimensions as `empty`, the
    /// right number of games, and sums that games can have.
    pub(super) fn check(
        &self,
        empty: &Self,
        deals: &Range<u64>,
        games_per_deal: u64,
        seats: u64,
    ) -> Result<(), String> {
        let lengths = |tally: &Self| [tally.tickets.len(), tally.colours.len(), tally.pairs.len()];
        if lengths(self) != lengths(empty) || !self.blocks.is_like(&empty.blocks) {
            return Err("it is of another map".into());
        }
        let games = (deals.end - deals.start) * games_per_deal;
        if self.games != games {
            return Err(format!("it has {} games instead of {games}", self.games));
        }
        let mut ok = sum(&self.endings) == Some(games);
        // Each pair is a number and its limit.
        let mut at_most = |number: u64, limit: u64| ok &= number <= limit;
        let (turns, wins) = (u64::from(u16::MAX), SHARE as u64);
        at_most(self.turns, games.saturating_mul(turns));
        at_most(self.deck_empty, games);
        at_most(self.flush_guard, games);
        let all_seats = games.saturating_mul(seats);
        for (ticket, sums) in self.tickets.iter().enumerate() {
            let held = self.blocks.total(Self::holders(Some(ticket)));
            let Ok(held) = u64::try_from(held) else { return Err("a sum is below 0".into()) };
            at_most(held, all_seats);
            at_most(sums.kept_later, sums.offered_later);
            at_most(sums.offered_later, games.saturating_mul(turns));
            at_most(sums.joined, held);
            at_most(sums.turns, sums.joined.saturating_mul(turns));
            at_most(sums.trains, sums.joined.saturating_mul(turns));
        }
        for (route, colours) in self.colours.iter().enumerate() {
            let claims = u64::try_from(self.blocks.total(self.route(route))).unwrap_or(0);
            at_most(sum(colours).unwrap_or(u64::MAX), claims);
        }
        for &[held, completed, won] in &self.pairs {
            at_most(held, all_seats);
            at_most(completed, held);
            at_most(won, held.saturating_mul(wins));
        }
        if !ok {
            return Err("its sums are not those of games".into());
        }
        self.check_blocks(deals, games_per_deal, seats)
    }

    /// Checks that the sums by deal are possible for these deals.
    fn check_blocks(&self, deals: &Range<u64>, games_per_deal: u64, seats: u64) -> Result<(), String> {
        let groups = self.blocks.groups() as u64;
        let before = |end: u64, block: u64| end / groups + u64::from(end % groups > block);
        let blocks = self.blocks.rows();
        let mut games = 0;
        for (sums, block) in blocks.zip(0..) {
            let here = (before(deals.end, block) - before(deals.start, block)) * games_per_deal;
            games += here;
            let all = i128::from(here) * i128::from(seats);
            let within = |number: i64, limit: i128| (0..=limit).contains(&i128::from(number));
            // At most this many for each of these.
            let each = |number: i64, of: i64, most: i64| within(number, i128::from(of) * i128::from(most));
            let (tickets, rest) = sums.split_at(self.route(0));
            let (routes, cities) = rest.split_at(self.city(0) - self.route(0));
            let (turns, locomotives) = (u16::MAX.into(), u8::MAX.into());
            let ok = i128::from(tickets[0]) == all
                && i128::from(tickets[1]) == i128::from(here) * i128::from(SHARE)
                && tickets.chunks_exact(OF_TICKET).all(|sums| {
                    let seats_with = |sums: &[i64]| {
                        within(sums[0], all)
                            && each(sums[1], sums[0], SHARE)
                            && i128::from(sums[2]).abs() <= i128::from(sums[0]) * -i128::from(i16::MIN)
                    };
                    seats_with(sums)
                        && each(sums[COMPLETED], sums[0], 1)
                        && seats_with(&sums[OFFERED..])
                        && each(sums[KEPT], sums[OFFERED], 1)
                })
                && routes.chunks_exact(OF_ROUTE).all(|sums| {
                    within(sums[0], here.into())
                        && each(sums[1], sums[0], SHARE)
                        && each(sums[2], sums[0], turns)
                        && each(sums[3], sums[0], locomotives)
                })
                && cities
                    .chunks_exact(OF_CITY)
                    .all(|sums| within(sums[0], all) && each(sums[1], sums[0], SHARE));
            if !ok {
                return Err(format!("the sums of block {block} are not those of its deals"));
            }
        }
        if games == self.games { Ok(()) } else { Err("it has other deals".into()) }
    }
}

/// The sum of some numbers; `None` on overflow.
fn sum(numbers: &[u64]) -> Option<u64> {
    numbers.iter().try_fold(0u64, |sum, &number| sum.checked_add(number))
}

/// Converts a sum of shares into a number of wins.
pub(super) fn wins(shares: u64) -> f64 {
    shares as f64 / SHARE as f64
}
