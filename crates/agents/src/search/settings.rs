//! How to search.

use std::time::{Duration, Instant};

use crate::search::contender::Contender;

/// How much thinking a decision is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// This many playouts, of all threads together.
    Playouts(u32),
    /// As many as fit into this time. Results then depend on the machine.
    Time(Duration),
}

/// How playouts are shared out among the candidates for the decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Root {
    /// As everywhere else in the tree, a world for every playout.
    Tree,
    /// In rounds: every candidate is tried in the same worlds, with the same luck, and the worse half drops out.
    Halving,
    /// All the same, in the same worlds.
    Even,
}

/// How a way through the tree is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// By value, prior and visits (PUCT).
    Prior,
    /// By value and visits (UCB1).
    Visits,
}

/// How to search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// How much.
    pub budget: Budget,
    /// How many threads, each with a tree of its own.
    pub threads: usize,
    /// How the candidates for the decision are compared.
    pub root: Root,
    /// Most candidates for the decision, the most likely ones.
    pub candidates: usize,
    /// How a way through the tree is found.
    pub selection: Selection,
    /// How much what was seldom tried attracts.
    pub exploration: f32,
    /// As how many playouts the value of its parent counts for a node.
    pub faith: f32,
    /// A node that was visited n times considers 1 + n^widening actions; 1 = all of them.
    pub widening: f32,
    /// Most decisions of a playout inside the tree.
    pub depth: u32,
    /// Most decisions of a playout below the tree; then the guide evaluates.
    pub cutoff: u32,
    /// How much of the value of a result is its lead in points; see [`super::Utility`].
    pub margin: f32,
    /// Worlds to choose from for every one that is played in, by likelihood; 1 = take any.
    pub guesses: u32,
    /// How much worse than the first guess an action is expected to be that is e times less likely.
    pub doubt: f32,
    /// How far apart the values of actions are expected to be.
    pub reach: f32,
}

impl Settings {
    /// What is said for a contender: the decision is for the one with most of it. The first guess is the first of them.
    pub(crate) fn standing<A>(&self, contenders: &[Contender<A>], index: usize) -> f64 {
        let contender = &contenders[index];
        match self.root {
            Root::Tree => f64::from(contender.playouts) + contender.value() / 2.0,
            Root::Even => contender.value(),
            Root::Halving if index == 0 => 0.0,
            Root::Halving => {
                let less_likely = f64::from(contenders[0].prior / contender.prior).ln();
                contender.expected_gain(f64::from(self.doubt) * less_likely, self.reach.into())
            }
        }
    }
}

/// A budget that is being used up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    playouts: u32,
    deadline: Option<Instant>,
}

impl Allowance {
    /// The share of one of `threads`.
    pub(crate) fn new(budget: Budget, threads: usize, thread: usize) -> Self {
        match budget {
            Budget::Playouts(all) => {
                let (all, threads, thread) = (all as usize, threads.max(1), thread);
                let playouts = all / threads + usize::from(thread < all % threads);
                Self { playouts: playouts.max(1) as u32, deadline: None }
            }
            Budget::Time(time) => Self { playouts: u32::MAX, deadline: Some(Instant::now() + time) },
        }
    }

    /// The first of `parts` equal parts of what is left, which is taken away.
    pub(crate) fn split(&mut self, parts: u32) -> Self {
        match self.deadline {
            None => {
                let playouts = self.playouts.div_ceil(parts);
                self.playouts -= playouts;
                Self { playouts, deadline: None }
            }
            Some(deadline) => {
                let now = Instant::now();
                let part = deadline.saturating_duration_since(now) / parts;
                Self { playouts: u32::MAX, deadline: Some(now + part) }
            }
        }
    }

    /// Whether so many more playouts are paid for; if so, they are used up.
    pub(crate) fn take(&mut self, playouts: u32) -> bool {
        if self.playouts < playouts || self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return false;
        }
        if self.deadline.is_none() {
            self.playouts -= playouts;
        }
        true
    }

    /// How many of these playouts are not paid for, if they are played all the same; what is left is used up.
    pub(crate) fn missing(&mut self, playouts: u32) -> u32 {
        match self.deadline {
            None => playouts - std::mem::take(&mut self.playouts).min(playouts),
            Some(_) => 0,
        }
    }

    /// Takes away what was played beyond a part.
    pub(crate) fn charge(&mut self, playouts: u32) {
        if self.deadline.is_none() {
            self.playouts = self.playouts.saturating_sub(playouts);
        }
    }

    /// The most playouts there can be, as far as that is known.
    pub(crate) fn at_most(&self) -> Option<u32> {
        self.deadline.is_none().then_some(self.playouts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_share_all_playouts() {
        let shares = (0..3).map(|thread| Allowance::new(Budget::Playouts(100), 3, thread).playouts);
        assert_eq!(shares.collect::<Vec<_>>(), [34, 33, 33]);
    }

    #[test]
    fn parts_are_equal_and_use_everything_up() {
        let mut all = Allowance::new(Budget::Playouts(100), 1, 0);
        let mut first = all.split(3);
        assert!(first.take(30) && first.take(4) && !first.take(1));
        assert_eq!((all.split(2).playouts, all.split(1).playouts, all.playouts), (33, 33, 0));
    }

    #[test]
    fn time_runs_out() {
        let mut none = Allowance::new(Budget::Time(Duration::ZERO), 1, 0);
        assert!(!none.take(1));
    }
}
