//! Who sits where in which game.
//!
//! A *deal* is one seed. Every line-up plays every deal once in each rotation of its seats, so that neither luck of the
//! draw nor a seat favours anybody.

use serde::{Deserialize, Serialize};

/// The games of a run: every line-up in every rotation, for each deal.
///
/// ```
/// use ttr_sim::schedule::Schedule;
/// let schedule = Schedule::round_robin(3, 2);
/// assert_eq!(schedule.line_ups(), [[0, 1], [0, 2], [1, 2]]);
/// let games: Vec<_> = schedule.games().map(|game| game.agents).collect();
/// assert_eq!(games, [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Schedule {
    line_ups: Vec<Vec<usize>>,
}

/// One game of a deal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Index among the games of a deal.
    pub game: usize,
    /// Index of the line-up.
    pub line_up: usize,
    /// By how many seats it is rotated.
    pub rotation: usize,
    /// The agents by seat, as indices.
    pub agents: Vec<usize>,
}

impl Schedule {
    /// Every choice of `seats` agents against each other. With fewer agents than seats, every way to fill the seats
    /// with all of them.
    pub fn round_robin(agents: usize, seats: usize) -> Self {
        let mut line_ups = Vec::new();
        choose(agents, seats, agents < seats, &mut Vec::new(), &mut line_ups);
        if agents < seats {
            line_ups.retain(|line_up| (0..agents).all(|agent| line_up.contains(&agent)));
        }
        Self { line_ups }
    }

    /// These line-ups.
    pub fn new(line_ups: Vec<Vec<usize>>) -> Self {
        Self { line_ups }
    }

    /// One line-up, by seat.
    pub fn table(agents: Vec<usize>) -> Self {
        Self { line_ups: vec![agents] }
    }

    /// The line-ups, as indices of agents.
    pub fn line_ups(&self) -> &[Vec<usize>] {
        &self.line_ups
    }

    /// The games of each deal.
    pub fn games(&self) -> impl Iterator<Item = Slot> + '_ {
        let rotated = self.line_ups.iter().enumerate().flat_map(|(index, line_up)| {
            (0..period(line_up)).map(move |rotation| {
                let mut agents = line_up.clone();
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

    /// How many games each deal takes.
    pub fn games_per_deal(&self) -> u64 {
        self.line_ups.iter().map(|line_up| period(line_up) as u64).sum()
    }

    /// The deals that make at least this many games.
    pub fn deals(&self, games: u64) -> u64 {
        games.div_ceil(self.games_per_deal())
    }
}

/// In how many rotations a line-up differs: the same agent in every seat needs one.
fn period(line_up: &[usize]) -> usize {
    let same =
        |by: usize| (0..line_up.len()).all(|seat| line_up[seat] == line_up[(seat + by) % line_up.len()]);
    (1..=line_up.len()).find(|&by| same(by)).unwrap_or(1)
}

/// Extends `chosen` to `size` agents in rising order, in all ways.
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
            for slot in Schedule::round_robin(agents, seats).games() {
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
    fn whole_deals() {
        let schedule = Schedule::round_robin(3, 2);
        assert_eq!((schedule.deals(1), schedule.deals(6), schedule.deals(7)), (1, 1, 2));
        assert_eq!(Schedule::table(vec![0, 1, 1]).games().count(), 3);
    }
}
