//! Sums over games, by ticket, route and city.

use serde::{Deserialize, Serialize};

use crate::arena::{ENDINGS, SHARE};
use crate::stats::Blocks;

/// Blocks that are kept apart for intervals.
const BLOCKS: usize = 100;
/// Bins of the turn in which a ticket is completed, and of the turn of a claim.
pub(super) const KINDS: usize = 10;

/// Sums of a ticket.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TicketSums {
    /// Seats that it was offered to before the first turn.
    pub offered_opening: u64,
    /// Seats that it was offered to later.
    pub offered_later: u64,
    /// Seats that kept it before the first turn.
    pub kept_opening: u64,
    /// Seats that kept it later.
    pub kept_later: u64,
    /// Seats that completed it.
    pub completed: u64,
    /// Trains of the shortest way between its cities over the seat's own routes, over all seats that have one.
    pub trains: u64,
    /// Turn in which its cities were joined, over the same seats.
    pub turns: u64,
    /// Seats that joined its cities by their own routes.
    pub joined: u64,
}

/// Sums of a route.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RouteSums {
    /// Claims.
    pub claims: u64,
    /// Shares of wins of the claimants.
    pub wins: u64,
    /// Turns of the claims.
    pub turns: u64,
    /// Locomotives laid down.
    pub locomotives: u64,
    /// Claims by colour laid down, in the order of the card kinds; the last is without a colour.
    pub colours: [u64; KINDS],
}

/// What games came to, in whole numbers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TicketTally {
    /// Games.
    pub games: u64,
    /// Turns.
    pub turns: u64,
    /// Games by ending.
    pub endings: [u64; ENDINGS.len()],
    /// Games in which deck and discard were empty.
    pub deck_empty: u64,
    /// Games in which the flush guard came up.
    pub flush_guard: u64,
    /// By ticket.
    pub tickets: Vec<TicketSums>,
    /// By route.
    pub routes: Vec<RouteSums>,
    /// By city: seats with a route there, and shares of wins of them.
    pub cities: Vec<[u64; 2]>,
    /// By pair of tickets: seats that held both at the end, completed both, and their shares of wins.
    pub pairs: Vec<[u64; 3]>,
    /// By deal: seats, shares of wins and points; and by ticket the same of its holders.
    pub blocks: Blocks,
}

impl TicketTally {
    /// Without games.
    pub fn new(tickets: usize, routes: usize, cities: usize) -> Self {
        Self {
            games: 0,
            turns: 0,
            endings: [0; ENDINGS.len()],
            deck_empty: 0,
            flush_guard: 0,
            tickets: vec![TicketSums::default(); tickets],
            routes: vec![RouteSums::default(); routes],
            cities: vec![[0; 2]; cities],
            pairs: vec![[0; 3]; tickets * (tickets + 1) / 2],
            blocks: Blocks::grouped(3 * (tickets + 1), BLOCKS),
        }
    }

    /// Where a pair of tickets is.
    pub fn pair(a: usize, b: usize) -> usize {
        let (low, high) = (a.min(b), a.max(b));
        high * (high + 1) / 2 + low
    }

    /// Where the sums by deal of a ticket's holders are; none for those of all seats.
    pub fn holders(ticket: Option<usize>) -> usize {
        3 * ticket.map_or(0, |ticket| ticket + 1)
    }

    /// Adds the result of a seat to the sums by deal.
    pub(super) fn add_seat(&mut self, deal: u64, ticket: Option<usize>, share: u8, points: i16) {
        let at = Self::holders(ticket);
        self.blocks.add(deal, at, 1);
        self.blocks.add(deal, at + 1, share.into());
        self.blocks.add(deal, at + 2, points.into());
    }

    /// Adds other games.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.turns += other.turns;
        self.deck_empty += other.deck_empty;
        self.flush_guard += other.flush_guard;
        for (sum, other) in self.endings.iter_mut().zip(other.endings) {
            *sum += other;
        }
        for (sum, other) in self.tickets.iter_mut().zip(&other.tickets) {
            sum.offered_opening += other.offered_opening;
            sum.offered_later += other.offered_later;
            sum.kept_opening += other.kept_opening;
            sum.kept_later += other.kept_later;
            sum.completed += other.completed;
            sum.trains += other.trains;
            sum.turns += other.turns;
            sum.joined += other.joined;
        }
        for (sum, other) in self.routes.iter_mut().zip(&other.routes) {
            sum.claims += other.claims;
            sum.wins += other.wins;
            sum.turns += other.turns;
            sum.locomotives += other.locomotives;
            for (sum, other) in sum.colours.iter_mut().zip(other.colours) {
                *sum += other;
            }
        }
        for (sum, other) in self.cities.iter_mut().zip(&other.cities) {
            sum[0] += other[0];
            sum[1] += other[1];
        }
        for (sum, other) in self.pairs.iter_mut().zip(&other.pairs) {
            (0..3).for_each(|i| sum[i] += other[i]);
        }
        self.blocks.merge(&other.blocks);
    }
}

/// A sum of shares as a number of wins.
pub(super) fn wins(shares: u64) -> f64 {
    shares as f64 / SHARE as f64
}
