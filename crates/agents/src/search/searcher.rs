//! One thread's search: worlds, paths through the tree, playouts.

use ttr_engine::{BySeat, Dice, Game, Seat, Turn, View};

use crate::search::contender::Contender;
use crate::search::guide::{Guide, Proposal};
use crate::search::luck::Luck;
use crate::search::settings::{Allowance, Root, Selection, Settings};
use crate::search::tree::{NodeId, Tree};
use crate::search::utility::Utility;

/// The state of one thread, kept from decision to decision.
pub(crate) struct Searcher<G: Game, U> {
    pub(crate) guide: U,
    settings: Settings,
    pub(crate) tree: Tree<G::Action>,
    /// The candidates, the first guess first.
    pub(crate) contenders: Vec<Contender<G::Action>>,
    /// Indices of the contenders that are still active, the first guess first.
    active: Vec<usize>,
    proposals: Vec<Proposal<G::Action>>,
    path: Vec<NodeId>,
}

impl<G: Game, U: Guide<G>> Searcher<G, U> {
    pub(crate) fn new(settings: Settings, guide: U) -> Self {
        Self {
            guide,
            settings,
            tree: Tree::new(),
            contenders: Vec::new(),
            active: Vec::new(),
            proposals: Vec::new(),
            path: Vec::new(),
        }
    }

    /// Finds the candidates for a decision.
    pub(crate) fn find_candidates(&mut self, view: &G::Observation<'_>, dice: &mut Dice) {
        self.proposals.clear();
        self.guide.advise(view, dice, &mut self.proposals);
        self.proposals.truncate(self.settings.candidates.max(1));
        self.contenders.clear();
        let contenders =
            self.proposals.iter().map(|proposal| Contender::new(proposal.action, proposal.prior));
        self.contenders.extend(contenders);
    }

    /// Forgets the results of earlier searches, for a decision that needs no search.
    pub(crate) fn forget(&mut self) {
        self.tree.clear(0);
    }

    /// Copies the candidates of another thread.
    pub(crate) fn adopt_candidates(&mut self, guide: &U, contenders: &[Contender<G::Action>]) {
        self.guide.adopt(guide);
        self.contenders.clear();
        self.contenders.extend(contenders.iter().map(|known| Contender::new(known.action, known.prior)));
    }

    /// Searches. `stand_in` is any world that looks to the seat like the true one.
    pub(crate) fn search(
        &mut self,
        game: &G,
        stand_in: &G::State,
        seat: Seat,
        mut allowance: Allowance,
        dice: &mut Dice,
    ) {
        let view = game.observe(stand_in, seat);
        self.guide.prepare(&view);
        self.tree.clear(self.contenders.len() + self.new_nodes(&allowance));
        match self.settings.root {
            Root::Tree => {
                while allowance.take(1) {
                    let mut world = self.imagine(game, &view, dice);
                    self.guide.begin_world(game, &world);
                    let values = self.playout(game, &mut world, NodeId::ROOT, &mut Luck::new(dice));
                    self.tree.record(NodeId::ROOT, &values);
                }
                self.count_visits(seat);
            }
            Root::Halving => {
                let most = allowance.at_most().map_or(usize::MAX, |playouts| playouts as usize);
                self.contenders.truncate(most.max(1));
                self.active.clear();
                self.active.extend(0..self.contenders.len());
                let rounds = self.active.len().saturating_sub(1).max(1).next_power_of_two().ilog2() + 1;
                for rounds_left in (1..=rounds).rev() {
                    let share = allowance.split(rounds_left);
                    let more = self.try_all(game, &view, share, dice);
                    allowance.charge(more);
                    self.drop_worse_half();
                }
            }
            Root::Even => {
                self.active.clear();
                self.active.extend(0..self.contenders.len());
                let _ = self.try_all(game, &view, allowance, dice);
            }
        }
    }

    /// The number of nodes to allocate in advance for a search.
    fn new_nodes(&self, allowance: &Allowance) -> usize {
        const MOST: u32 = 1 << 18;
        if self.settings.depth == 0 { 0 } else { allowance.at_most().unwrap_or(1 << 12).min(MOST) as usize }
    }

    /// Tries all active contenders in the same worlds and with the same luck, those that have never been
    /// tried at least once. Returns the number of playouts beyond the allowance.
    fn try_all(
        &mut self,
        game: &G,
        view: &G::Observation<'_>,
        mut allowance: Allowance,
        dice: &mut Dice,
    ) -> u32 {
        let seat = view.seat().index();
        let playouts = self.active.len() as u32;
        let mut tried = self.active.iter().all(|&index| self.contenders[index].playouts > 0);
        let mut more = 0;
        loop {
            if !allowance.take(playouts) {
                if tried {
                    return more;
                }
                more = allowance.missing(playouts);
            }
            tried = true;
            let world = self.imagine(game, view, dice);
            self.guide.begin_world(game, &world);
            let luck = Luck::new(dice);
            let mut first_guess = 0.0;
            for place in 0..self.active.len() {
                let index = self.active[place];
                let (mut world, mut luck) = (world.clone(), luck.clone());
                let value = self.try_one(game, &mut world, index, view.seat(), &mut luck)[seat];
                let contender = &mut self.contenders[index];
                contender.record(value);
                if place == 0 {
                    first_guess = value;
                } else {
                    contender.record_pair(value, first_guess);
                }
            }
        }
    }

    /// A playout that begins with a contender.
    fn try_one(
        &mut self,
        game: &G,
        world: &mut G::State,
        index: usize,
        seat: Seat,
        luck: &mut Luck,
    ) -> BySeat<f32> {
        let action = self.contenders[index].action;
        let node = match self.tree.child(NodeId::ROOT, action) {
            Some(node) => node,
            None => self.tree.add_child(NodeId::ROOT, action),
        };
        luck.of(seat);
        game.play_unchecked(world, action, luck);
        let values = self.playout(game, world, node, luck);
        self.tree.record(NodeId::ROOT, &values);
        self.tree.record(node, &values);
        values
    }

    fn drop_worse_half(&mut self) {
        let (contenders, settings) = (&self.contenders, &self.settings);
        let Some((_, challengers)) = self.active.split_first_mut() else { return };
        let standing = |&index: &usize| settings.standing(contenders, index);
        challengers.sort_by(|a, b| standing(b).total_cmp(&standing(a)));
        self.active.truncate(1 + (self.active.len() - 1).div_ceil(2));
    }

    /// Records the visits after a search that left the root to the tree.
    fn count_visits(&mut self, seat: Seat) {
        for contender in &mut self.contenders {
            if let Some(node) = self.tree.child(NodeId::ROOT, contender.action) {
                let node = self.tree.node(node);
                contender.set_record(node.visits, node.value(seat.index(), 0.0));
            }
        }
    }

    /// A world that looks to the seat like the true one.
    fn imagine(&mut self, game: &G, view: &G::Observation<'_>, dice: &mut Dice) -> G::State {
        let mut chosen = game.determinize(view, dice);
        if self.settings.guesses > 1 {
            let mut sum = self.guide.likelihood(game, &chosen);
            for _ in 1..self.settings.guesses {
                let world = game.determinize(view, dice);
                let likelihood = self.guide.likelihood(game, &world);
                sum += likelihood;
                if unit(dice) * sum < likelihood {
                    chosen = world;
                }
            }
        }
        chosen
    }

    /// Follows the tree from a node and one step beyond it, plays to the end, and updates the nodes below
    /// `from`.
    fn playout(&mut self, game: &G, world: &mut G::State, from: NodeId, luck: &mut Luck) -> BySeat<f32> {
        self.guide.begin_playout(game);
        self.path.clear();
        let mut at = from;
        while (self.path.len() as u32) < self.settings.depth
            && let Turn::Of(seat) = game.turn(world)
        {
            self.proposals.clear();
            let most = 1 + (self.tree.node(at).visits as f32).powf(self.settings.widening) as usize;
            if at == NodeId::ROOT {
                let contenders = self.contenders.iter();
                self.proposals.extend(contenders.map(|known| Proposal::open(known.action, known.prior)));
            } else {
                let view = game.observe(world, seat);
                self.guide.propose(&view, most, luck.of(seat), &mut self.proposals);
            }
            self.proposals.truncate(most);
            let (chosen, node) = self.select(at, seat);
            let is_new = node.is_none();
            at = node.unwrap_or_else(|| self.tree.add_child(at, chosen.seen_as));
            if is_new {
                self.tree.node_mut(at).available = 1;
            }
            self.path.push(at);
            luck.of(seat);
            game.play_unchecked(world, chosen.action, luck);
            if is_new {
                break;
            }
        }
        let values = self.play_on(game, world, luck);
        for &node in &self.path {
            self.tree.record(node, &values);
        }
        values
    }

    /// Chooses among the proposals; returns the node too, if it exists already.
    fn select(&mut self, at: NodeId, seat: Seat) -> (Proposal<G::Action>, Option<NodeId>) {
        let parent = self.tree.node(at);
        let hope = parent.value(seat.index(), 0.5);
        let (passed, faith) = (parent.visits as f32, self.settings.faith);
        let prior_sum: f32 = self.proposals.iter().map(|proposal| proposal.prior).sum();
        let mut best = (f32::NEG_INFINITY, self.proposals[0], None);
        for proposal in &self.proposals {
            let child = self.tree.child(at, proposal.seen_as);
            let (visits, available, value) = match child {
                Some(id) => {
                    let node = self.tree.node_mut(id);
                    node.available += 1;
                    let value = node.value_with_faith(seat.index(), hope, faith);
                    (node.visits as f32, node.available as f32, value)
                }
                // There are no counts yet; most actions are possible in most worlds.
                None => (0.0, passed, hope),
            };
            let attraction = match self.settings.selection {
                Selection::Prior => proposal.prior / prior_sum * available.sqrt() / (1.0 + visits),
                Selection::Visits if visits == 0.0 => f32::INFINITY,
                Selection::Visits => (available.ln() / visits).sqrt(),
            };
            let score = value + self.settings.exploration * attraction;
            if score > best.0 {
                best = (score, *proposal, child);
            }
        }
        (best.1, best.2)
    }

    /// Plays with the policy to the end, or to the cut-off.
    fn play_on(&mut self, game: &G, world: &mut G::State, luck: &mut Luck) -> BySeat<f32> {
        let utility = Utility { margin: self.settings.margin, spread: self.guide.spread() };
        for _ in 0..self.settings.cutoff {
            let Turn::Of(seat) = game.turn(world) else {
                return utility.of_scores(&game.scores(world));
            };
            let action = self.guide.act(&game.observe(world, seat), luck.of(seat));
            game.play_unchecked(world, action, luck);
        }
        match game.turn(world) {
            Turn::Over => utility.of_scores(&game.scores(world)),
            Turn::Of(_) => utility.of_points(&self.guide.evaluate(game, world)),
        }
    }
}

/// A number from 0 to 1.
fn unit(dice: &mut Dice) -> f32 {
    (dice.next_u64() >> 40) as f32 / (1u32 << 24) as f32
}
