//! Schedules: the seats of the agents in each game.
//!
//! A *deal* is one seed. Every line-up plays every deal once in each rotation of its seats, so that neither
//! the luck of the draw nor a seat favours any agent. From three seats on, the order of the agents matters
//! too: the index of the deal chooses the circular order, so that every agent sits behind every other
//! equally often.

use serde::{Deserialize, Serialize};

/// The games of a run: every line-up in every rotation, for each deal.
///
/// ```
/// use ttr_sim::table::schedule::Schedule;
/// let schedule = Schedule::round_robin(3, 2);
/// assert_eq!(schedule.line_ups(), [[0, 1], [0, 2], [1, 2]]);
/// let games: Vec<_> = schedule.games(0).map(|game| game.agents).collect();
/// assert_eq!(games, [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]);
///
/// // At three seats there are two circular orders, which alternate.
/// let schedule = Schedule::round_robin(3, 3);
/// let games = |deal| schedule.games(deal).map(|game| game.agents).collect::<Vec<_>>();
/// assert_eq!(games(0), [[0, 1, 2], [2, 0, 1], [1, 2, 0]]);
/// assert_eq!(games(1), [[0, 2, 1], [1, 0, 2], [2, 1, 0]]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Schedule {
    line_ups: Vec<Vec<usize>>,
    /// All circular orders of the seats, as [`circular_orders`] gives them.
    orders: Vec<Vec<usize>>,
}

/// Maximum number of line-ups of a run.
pub const MAX_LINE_UPS: u64 = 100_000;

/// Too many agents for all of them to play each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{agents} agents at {seats} seats make more than {MAX_LINE_UPS} line-ups; name fewer agents")]
pub struct TooManyLineUps {
    /// Number of agents.
    pub agents: usize,
    /// Number of seats.
    pub seats: usize,
}

/// One game of a deal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Index among the games of a deal.
    pub game: usize,
    /// Index of the line-up.
    pub line_up: usize,
    /// Number of seats by which the circular order is rotated.
    pub rotation: usize,
    /// The agents by seat, as indices.
    pub agents: Vec<usize>,
}

impl Schedule {
    /// All combinations of `seats` agents. With fewer agents than seats, all ways to fill the seats that
    /// include every agent.
    pub fn round_robin(agents: usize, seats: usize) -> Self {
        let mut line_ups = Vec::new();
        choose(agents, seats, agents < seats, &mut Vec::new(), &mut line_ups);
        if agents < seats {
            line_ups.retain(|line_up| (0..agents).all(|agent| line_up.contains(&agent)));
        }
        Self::new(line_ups)
    }

    /// The same, with a limit of [`MAX_LINE_UPS`].
    ///
    /// # Errors
    /// If there are too many line-ups.
    pub fn checked_round_robin(agents: usize, seats: usize) -> Result<Self, TooManyLineUps> {
        let ways =
            if agents < seats { ways(seats.saturating_sub(1), agents - 1) } else { ways(agents, seats) };
        match ways {
            Some(count) if count <= MAX_LINE_UPS => Ok(Self::round_robin(agents, seats)),
            _ => Err(TooManyLineUps { agents, seats }),
        }
    }

    /// Creates a schedule of these line-ups.
    pub fn new(line_ups: Vec<Vec<usize>>) -> Self {
        let orders = circular_orders(line_ups.first().map_or(0, Vec::len));
        Self { line_ups, orders }
    }

    /// Creates a schedule of a single line-up.
    pub fn table(agents: Vec<usize>) -> Self {
        Self::new(vec![agents])
    }

    /// The line-ups, as indices of agents.
    pub fn line_ups(&self) -> &[Vec<usize>] {
        &self.line_ups
    }

    /// Number of deals after which every line-up has played all its circular orders equally often.
    pub fn cycle(&self) -> u64 {
        self.orders.len() as u64
    }

    /// The games of a deal.
    pub fn games(&self, deal: u64) -> impl Iterator<Item = Slot> + '_ {
        let rotated = self.line_ups.iter().enumerate().flat_map(move |(index, line_up)| {
            // Line-ups are at different points of the cycle, so that even a single deal mixes the orders.
            let order = (deal % self.cycle() + index as u64) % self.cycle();
            let seated: Vec<usize> =
                self.orders[order as usize].iter().map(|&member| line_up[member]).collect();
            (0..rotations(line_up)).map(move |rotation| {
                let mut agents = seated.clone();
                agents.rotate_right(rotation);
                (index, rotation, agents)
            })
        });
        rotated.enumerate().map(|(game, (line_up, rotation, agents))| Slot {
            game,
            line_up,
            rotation,
            agents,
        })
    }

    /// Number of games per deal.
    pub fn games_per_deal(&self) -> u64 {
        self.line_ups.iter().map(|line_up| rotations(line_up) as u64).sum()
    }

    /// The largest share of its seats with which an agent can win: less than 1 if it has several in a game.
    pub fn largest_share(&self, agent: usize) -> f64 {
        let (mut games, mut seats) = (0, 0);
        for line_up in &self.line_ups {
            let own = line_up.iter().filter(|&&member| member == agent).count();
            games += rotations(line_up) * own.min(1);
            seats += rotations(line_up) * own;
        }
        games as f64 / seats as f64
    }

    /// Number of deals for at least this many games.
    pub fn deals(&self, games: u64) -> u64 {
        games.div_ceil(self.games_per_deal())
    }
}

/// Number of rotations in which a line-up plays each deal: one if the same agent has all seats.
pub(crate) fn rotations(line_up: &[usize]) -> usize {
    if line_up.iter().all(|&agent| agent == line_up[0]) { 1 } else { line_up.len() }
}

/// All circular orders of `seats` members, of which the first never moves. Each is chosen to balance those
/// before it: as far as possible, every member has had every other at every distance equally often.
///
/// A line-up with several seats of one agent goes through all orders of its members too, so that every
/// way to seat it has its proper weight: 0,0,1,1 twice that of 0,1,0,1, since it has twice as many
/// different rotations.
fn circular_orders(seats: usize) -> Vec<Vec<usize>> {
    let mut left = Vec::new();
    permute(&mut (0..seats).collect(), 1, &mut left);
    left.sort();
    let mut met = vec![0u32; seats.pow(3)];
    // By member, other member, and the distance between them.
    let meetings = |order: &[usize]| -> Vec<usize> {
        let pairs = (0..seats).flat_map(|seat| (1..seats).map(move |distance| (seat, distance)));
        pairs
            .map(|(seat, distance)| {
                (order[seat] * seats + order[(seat + distance) % seats]) * seats + distance
            })
            .collect()
    };
    let mut orders = Vec::new();
    while !left.is_empty() {
        let repeated = |order: &Vec<usize>| meetings(order).into_iter().map(|at| met[at]).sum::<u32>();
        let next = (0..left.len()).min_by_key(|&index| repeated(&left[index])).unwrap_or(0);
        let order = left.remove(next);
        meetings(&order).into_iter().for_each(|at| met[at] += 1);
        orders.push(order);
    }
    orders
}

/// All permutations of `members` from index `from` on.
fn permute(members: &mut Vec<usize>, from: usize, all: &mut Vec<Vec<usize>>) {
    if from >= members.len() {
        all.push(members.clone());
        return;
    }
    for index in from..members.len() {
        members.swap(from, index);
        permute(members, from + 1, all);
        members.swap(from, index);
    }
}

/// The number of ways to choose `k` of `n` things; `None` on overflow.
fn ways(n: usize, k: usize) -> Option<u64> {
    let k = k.min(n.checked_sub(k)?) as u64;
    // After each step, this is again a whole number of ways.
    (1..=k).try_fold(1_u64, |ways, i| Some(ways.checked_mul(n as u64 - k + i)? / i))
}

/// Extends `chosen` to `size` agents in ascending order, in all ways.
fn choose(agents: usize, size: usize, repeat: bool, chosen: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
    if chosen.len() == size {
        all.push(chosen.clone());
        return;
    }
    let from = chosen.last().map_or(0, |&last| if repeat { last } else { last + 1 });
    for agent in from..agents {
        chosen.push(agent);
        choose(agents, size, repeat, chosen, all);
        chosen.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_agents_than_seats() {
        assert_eq!(Schedule::round_robin(2, 4).line_ups(), [[0, 0, 0, 1], [0, 0, 1, 1], [0, 1, 1, 1]]);
        assert_eq!(Schedule::round_robin(1, 3).line_ups(), [[0, 0, 0]]);
        assert_eq!(Schedule::round_robin(1, 3).games_per_deal(), 1);
        assert_eq!(Schedule::round_robin(2, 4).games_per_deal(), 12);
    }

    /// Every agent of a line-up sits in every seat equally often.
    #[test]
    fn seats_are_balanced() {
        for (agents, seats) in [(2, 2), (3, 2), (5, 3), (2, 3), (3, 4), (4, 5)] {
            let mut sat = vec![vec![0; seats]; agents];
            for slot in Schedule::round_robin(agents, seats).games(3) {
                for (seat, &agent) in slot.agents.iter().enumerate() {
                    sat[agent][seat] += 1;
                }
            }
            for counts in sat {
                assert!(counts.iter().all(|&count| count == counts[0] && count > 0), "{agents} {seats}");
            }
        }
    }

    #[test]
    fn line_ups_are_counted_before_they_are_listed() {
        for (agents, seats) in [(1, 2), (2, 2), (3, 2), (7, 4), (2, 5), (4, 5), (20, 5)] {
            let listed = Schedule::round_robin(agents, seats);
            let counted = if agents < seats { ways(seats - 1, agents - 1) } else { ways(agents, seats) };
            assert_eq!(counted, Some(listed.line_ups().len() as u64), "{agents} {seats}");
            assert_eq!(Schedule::checked_round_robin(agents, seats), Ok(listed));
        }
        for (agents, seats) in [(100, 5), (40, 5), (usize::MAX, 5), (1000, 1000 / 2), (7, usize::MAX)] {
            let refused = Schedule::checked_round_robin(agents, seats);
            assert_eq!(refused, Err(TooManyLineUps { agents, seats }));
        }
    }

    #[test]
    fn the_largest_share_is_one_seat_per_game() {
        assert_eq!(Schedule::round_robin(5, 3).largest_share(4), 1.0);
        let schedule = Schedule::table(vec![0, 1, 1, 1]);
        assert_eq!([0, 1].map(|agent| schedule.largest_share(agent)), [1.0, 1.0 / 3.0]);
        // Three, two and one of four seats.
        assert_eq!(Schedule::round_robin(2, 4).largest_share(0), 0.5);
    }

    #[test]
    fn whole_deals() {
        let schedule = Schedule::round_robin(3, 2);
        assert_eq!((schedule.deals(1), schedule.deals(6), schedule.deals(7)), (1, 1, 2));
        assert_eq!(Schedule::table(vec![0, 1, 1]).games(0).count(), 3);
    }

    /// Number of times that each agent sits `distance` seats before each other one, over some deals.
    fn met(schedule: &Schedule, agents: usize, distance: usize, deals: std::ops::Range<u64>) -> Vec<u32> {
        let mut met = vec![0; agents * agents];
        for slot in deals.flat_map(|deal| schedule.games(deal).collect::<Vec<_>>()) {
            for (seat, &agent) in slot.agents.iter().enumerate() {
                let other = slot.agents[(seat + distance) % slot.agents.len()];
                met[agent * agents + other] += 1;
            }
        }
        met
    }

    #[test]
    fn neighbours_are_balanced_over_a_cycle() {
        for (agents, seats) in [(3, 3), (5, 3), (4, 4), (6, 4), (5, 5), (7, 5)] {
            let schedule = Schedule::round_robin(agents, seats);
            assert_eq!(schedule.cycle(), (1..seats as u64).product::<u64>());
            for distance in 1..seats {
                let met = met(&schedule, agents, distance, 0..schedule.cycle());
                let pairs = (0..agents * agents).filter(|pair| pair / agents != pair % agents);
                let counts: Vec<_> = pairs.map(|pair| met[pair]).collect();
                assert!(counts.iter().all(|&count| count == counts[0] && count > 0), "{agents} {seats}");
            }
        }
    }

    /// No prefix of a cycle is far from balanced: at five seats, four orders already bring every pair
    /// together.
    #[test]
    fn prefixes_of_a_cycle_are_nearly_balanced() {
        for seats in [3, 4, 5] {
            let schedule = Schedule::table((0..seats).collect());
            for deals in 1..=schedule.cycle() {
                let met = met(&schedule, seats, 1, 0..deals);
                let pairs = (0..seats * seats).filter(|pair| pair / seats != pair % seats);
                let counts: Vec<_> = pairs.map(|pair| met[pair] / seats as u32).collect();
                let most = counts.iter().max().unwrap() - counts.iter().min().unwrap();
                assert!(most <= 2, "{seats} seats, {deals} deals: {counts:?}");
            }
        }
    }

    /// Each way to seat two agents twice is played equally often: four neighbours to two opposites.
    #[test]
    fn several_seats_of_an_agent_have_all_orders() {
        let schedule = Schedule::table(vec![0, 0, 1, 1]);
        let mut seatings = std::collections::BTreeMap::new();
        for deal in 0..schedule.cycle() {
            for slot in schedule.games(deal) {
                *seatings.entry(slot.agents).or_insert(0) += 1;
            }
        }
        assert_eq!(seatings.len(), 6);
        assert!(seatings.values().all(|&times| times == 4), "{seatings:?}");
        let three = Schedule::round_robin(3, 4);
        let met = met(&three, 3, 1, 0..three.cycle());
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            assert_eq!(met[a * 3 + b], met[b * 3 + a]);
            assert_eq!(met[a * 3 + b], met[1]);
        }
    }

    /// At two seats there is no choice: every deal has the same games.
    #[test]
    fn two_seats_have_one_order() {
        let schedule = Schedule::round_robin(3, 2);
        assert_eq!(schedule.cycle(), 1);
        assert!(schedule.games(0).eq(schedule.games(12345)));
    }
}
