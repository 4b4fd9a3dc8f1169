//! The settings of a search.

use std::time::{Duration, Instant};

/// The budget of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// This many playouts, of all threads together.
    Playouts(u32),
    /// As many as fit into this time. Results then depend on the machine.
    Time(Duration),
}

/// The allocation of playouts to the candidates for the decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Root {
    /// As in the rest of the tree, one world per playout.
    Tree,
    /// Sequential halving: in every round each candidate is tried in the same worlds, with the same luck,
    /// and the worse half drops out.
    Halving,
    /// The same number for each candidate, in the same worlds.
    Even,
}

/// The selection rule inside the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// By value, prior and visits (PUCT).
    Prior,
    /// By value and visits (UCB1).
    Visits,
}

/// The settings of a search. The default is that of the agent `ismcts`. There will be more of them, so name
/// those that you set and take the others from the default:
///
/// ```
/// use ttr_agents::search::{Budget, Settings};
/// let quick = Settings { budget: Budget::Playouts(100), ..Settings::default() };
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Budget per decision.
    pub budget: Budget,
    /// Number of threads, each with its own tree (root parallelization).
    pub threads: usize,
    /// Allocation of playouts to the candidates for the decision.
    pub root: Root,
    /// Maximum number of candidates for the decision, the most likely ones.
    pub candidates: usize,
    /// Selection rule inside the tree.
    pub selection: Selection,
    /// Exploration constant.
    pub exploration: f32,
    /// Virtual visits: how many playouts the parent's value counts for in a new node.
    pub faith: f32,
    /// Exponent of progressive widening: a node that was visited n times considers 1 + n^widening actions;
    /// 1 = all of them.
    pub widening: f32,
    /// Maximum depth of the tree, in decisions.
    pub depth: u32,
    /// Maximum length of a rollout, in decisions; then the guide evaluates.
    pub cutoff: u32,
    /// Weight of the lead in points in the value of a result, the rest being the win; see [`super::Utility`].
    pub margin: f32,
    /// Worlds sampled for each that is played in, one of which is chosen by likelihood; 1 = take any.
    pub guesses: u32,
    /// Prior penalty: expected loss in value, compared with the first guess, of an action that is e times
    /// less likely.
    pub doubt: f32,
    /// Prior standard deviation of the differences in value between actions.
    pub reach: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            budget: Budget::Playouts(1000),
            threads: 1,
            root: Root::Halving,
            candidates: 12,
            selection: Selection::Prior,
            exploration: 0.05,
            faith: 10.0,
            widening: 0.3,
            depth: 50,
            cutoff: u32::MAX,
            margin: 0.5,
            guesses: 1,
            doubt: 0.01,
            reach: 0.03,
        }
    }
}

/// The remaining budget of a decision.
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

    /// Splits off the first of `parts` equal parts of the remaining budget.
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

    /// Takes this many playouts from the budget; returns `false` if it is too small.
    pub(crate) fn take(&mut self, playouts: u32) -> bool {
        if self.playouts < playouts || self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return false;
        }
        if self.deadline.is_none() {
            self.playouts -= playouts;
        }
        true
    }

    /// Takes this many playouts, and returns by how many they exceed the budget.
    pub(crate) fn missing(&mut self, playouts: u32) -> u32 {
        match self.deadline {
            None => playouts - std::mem::take(&mut self.playouts).min(playouts),
            Some(_) => 0,
        }
    }

    /// Subtracts playouts beyond a part.
    pub(crate) fn charge(&mut self, playouts: u32) {
        if self.deadline.is_none() {
            self.playouts = self.playouts.saturating_sub(playouts);
        }
    }

    /// The maximum number of playouts, if known.
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
