//! Knowledge of a game beyond its rules, for a search.

use ttr_engine::{BySeat, Dice, Game, Seat};

/// An action worth considering.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Proposal<A> {
    /// The action.
    pub action: A,
    /// The action as the searching seat sees it: itself, or one that stands for all that look alike.
    pub seen_as: A,
    /// The probability that it is the right one, up to a factor. Priors are above 0 and need not add up to
    /// 1.
    pub prior: f32,
}

impl<A: Copy> Proposal<A> {
    /// Creates a proposal of a public action.
    pub fn open(action: A, prior: f32) -> Self {
        Self { action, seen_as: action, prior }
    }
}

/// The source of the priors of actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prior {
    /// The best heuristic of the game, which remembers its plan from decision to decision.
    Heuristic,
    /// The rollout policy.
    Rollout,
    /// Nowhere: every action is as likely as any other.
    Uniform,
}

/// Knowledge of a game: which actions to consider, the rollout policy, the value of a position.
///
/// A search knows only [`Game`]; everything that makes it good at one game comes in here. A guide only
/// ever sees a view, or a world that the search has determinized, so it can't reveal anything hidden.
///
/// Every thread has a guide. Its methods are called in this order:
///
/// ```text
/// game                       begin
/// └ decision                 advise    on the first thread; adopt on the others, from the first
///   │                        prepare
///   └ world                  likelihood    of each world to choose from, if there is a choice
///     │                      begin_world
///     └ playout              begin_playout
///       ├ inside the tree    propose   once per decision
///       ├ below the tree     act       once per decision, up to the end or the cut-off
///       └ cut off            evaluate
/// ```
///
/// [`Guide::advise`] may call `act` itself; `spread` is a constant. [`BoardGuide`](super::BoardGuide) and
/// [`CardGuide`](super::CardGuide) are the guides of the games here, and `examples/my_game.rs` has one for
/// a small game.
pub trait Guide<G: Game>: Send + Sized {
    /// Starts a game in which the search has this seat.
    fn begin(&mut self, game: &G, seat: Seat) {
        let _ = (game, seat);
    }

    /// Lists the candidates for the decision itself, which deserve more effort than those inside the tree.
    fn advise(&mut self, view: &G::Observation<'_>, dice: &mut Dice, list: &mut Vec<Proposal<G::Action>>) {
        self.propose(view, usize::MAX, dice, list);
    }

    /// Copies the results of another thread's [`Guide::advise`].
    fn adopt(&mut self, other: &Self) {
        let _ = other;
    }

    /// Prepares a search for the seat of the view, for example by looking at what the others have done.
    fn prepare(&mut self, view: &G::Observation<'_>) {
        let _ = view;
    }

    /// Prepares for playouts in another world: computes what they have in common.
    fn begin_world(&mut self, game: &G, world: &G::State) {
        let _ = (game, world);
    }

    /// Starts another playout: policies forget the last one.
    fn begin_playout(&mut self, game: &G);

    /// Fills the empty `list` with the actions to consider, all of them legal, the best guess first; at
    /// least one if there are any. Only the first `most` are used.
    fn propose(
        &mut self,
        view: &G::Observation<'_>,
        most: usize,
        dice: &mut Dice,
        list: &mut Vec<Proposal<G::Action>>,
    );

    /// The rollout policy: the next action below the tree.
    fn act(&mut self, view: &G::Observation<'_>, dice: &mut Dice) -> G::Action;

    /// The points that each seat can expect at the end, for playouts that are cut off.
    fn evaluate(&mut self, game: &G, world: &G::State) -> BySeat<f32>;

    /// The lead in points that is worth a win in three out of four games.
    fn spread(&self) -> f32;

    /// The likelihood of the others' actions in a world, relative to other worlds.
    fn likelihood(&mut self, game: &G, world: &G::State) -> f32 {
        let _ = (game, world);
        1.0
    }
}

/// Shuffles proposals for which there is no first guess.
pub(crate) fn shuffle<A>(list: &mut [Proposal<A>], dice: &mut Dice) {
    for last in (1..list.len()).rev() {
        list.swap(last, dice.below(last as u32 + 1) as usize);
    }
}

/// Inside the tree the first guess is followed most of the time: where values hardly differ, visits go by
/// priors, and exploration by other seats would only blur the values.
pub(crate) fn distrust_all_but_first<A>(list: &mut [Proposal<A>]) {
    for proposal in list.iter_mut().skip(1) {
        proposal.prior *= 0.1;
    }
}
