//! The agent around the search: threads, the decision, and its explanation.

use ttr_engine::{Dice, Game, Seat, Turn, View};

use crate::agent::{Agent, Candidate, Estimate, Explanation, Forfeit};
use crate::search::contender::Contender;
use crate::search::guide::Guide;
use crate::search::searcher::Searcher;
use crate::search::settings::{Allowance, Root, Settings};
use crate::search::tree::NodeId;

/// Information-set Monte Carlo tree search.
///
/// It looks at the true position only through a view, and first replaces that by a determinized world that
/// looks the same. Knowledge of a game beyond the rules comes from a [`Guide`];
/// [`BoardGuide`](super::BoardGuide), the one for boards, has an example.
///
/// ```
/// use ttr_agents::Agent;
/// use ttr_agents::search::{BoardGuide, Budget, Search, Settings};
/// use ttr_engine::{Dice, Game, Seat, board::BoardGame, maps};
///
/// let game = BoardGame::new(&maps::load("first-journey-usa")?, 2)?;
/// let settings = Settings { budget: Budget::Playouts(60), ..Settings::default() };
/// let mut search = Search::new(settings, || BoardGuide::new(&game));
/// let mut dice = Dice::from_seed(1);
/// let state = game.deal(&mut dice);
/// let view = game.observe(&state, Seat::new(0));
/// search.begin(&game, Seat::new(0));
/// let action = search.choose(&view, &mut dice)?;
/// let candidates = search.explain(&view).candidates;
/// assert!(candidates.iter().any(|candidate| candidate.action == action && candidate.visits > 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Search<G: Game, U> {
    settings: Settings,
    /// One per thread.
    searchers: Vec<Searcher<G, U>>,
    /// The combined results of all threads.
    contenders: Vec<Contender<G::Action>>,
}

impl<G: Game, U: Guide<G>> Search<G, U> {
    /// Creates a search with one guide per thread; all guides must be alike.
    pub fn new(settings: Settings, guides: impl FnMut() -> U) -> Self {
        let guides = std::iter::repeat_with(guides).take(settings.threads.max(1));
        let searchers = guides.map(|guide| Searcher::new(settings, guide)).collect();
        Self { settings, searchers, contenders: Vec::new() }
    }

    fn best(&self) -> usize {
        let standing = |&index: &usize| self.settings.standing(&self.contenders, index);
        let better = |a: &usize, b: &usize| standing(a).total_cmp(&standing(b)).then(b.cmp(a));
        (0..self.contenders.len()).max_by(better).expect("a seat to move has an action")
    }

    fn run_threads(&mut self, game: &G, stand_in: &G::State, seat: Seat, seed: u64) {
        let (settings, threads) = (self.settings, self.searchers.len());
        let run = |thread: usize, searcher: &mut Searcher<G, U>, stand_in: &G::State| {
            let allowance = Allowance::new(settings.budget, threads, thread);
            let mut dice = Dice::from_parts(&[seed, thread as u64]);
            searcher.search(game, stand_in, seat, allowance, &mut dice);
        };
        let (first, others) = self.searchers.split_first_mut().expect("there is at least one thread");
        if others.is_empty() {
            return run(0, first, stand_in);
        }
        for searcher in &mut *others {
            searcher.adopt_candidates(&first.guide, &first.contenders);
        }
        // A state need not be `Sync`, so every thread gets a copy.
        let copies: Vec<_> = others.iter().map(|_| stand_in.clone()).collect();
        std::thread::scope(|scope| {
            for (place, (searcher, stand_in)) in others.iter_mut().zip(copies).enumerate() {
                let run = &run;
                scope.spawn(move || run(place + 1, searcher, &stand_in));
            }
            run(0, first, stand_in);
        });
    }
}

impl<G: Game, U: Guide<G>> Agent<G> for Search<G, U> {
    fn begin(&mut self, game: &G, seat: Seat) {
        self.contenders.clear();
        for searcher in &mut self.searchers {
            searcher.guide.begin(game, seat);
        }
    }

    fn choose(&mut self, view: &G::Observation<'_>, dice: &mut Dice) -> Result<G::Action, Forfeit> {
        let game = view.game();
        let seed = dice.next_u64();
        let mut dice = Dice::from_seed(seed);
        self.searchers[0].find_candidates(view, &mut dice);
        if self.searchers[0].contenders.len() > 1 {
            // From here on, a world that looks the same to the seat stands in for the true one: nothing
            // hidden can leak.
            let stand_in = game.determinize(view, &mut dice);
            self.run_threads(game, &stand_in, view.seat(), seed);
        } else {
            self.searchers[0].forget();
        }
        self.contenders.clear();
        self.contenders.extend_from_slice(&self.searchers[0].contenders);
        for searcher in &self.searchers[1..] {
            for (all, part) in self.contenders.iter_mut().zip(&searcher.contenders) {
                all.merge(part);
            }
        }
        Ok(self.contenders[self.best()].action)
    }

    fn explain(&self, view: &G::Observation<'_>) -> Explanation<G::Action> {
        let mut order: Vec<usize> = (0..self.contenders.len()).collect();
        let standing = |&index: &usize| self.settings.standing(&self.contenders, index);
        order.sort_by(|a, b| standing(b).total_cmp(&standing(a)));
        let candidate = |index: usize| {
            let contender = &self.contenders[index];
            Candidate {
                action: contender.action,
                visits: contender.playouts,
                value: contender.value(),
                error: contender.value_error(),
                gain: contender.mean_gain(),
                expected_gain: (self.settings.root == Root::Halving && contender.playouts > 0)
                    .then(|| standing(&index)),
                line: self.line(view, contender.action),
            }
        };
        Explanation { notes: Vec::new(), candidates: order.into_iter().map(candidate).collect() }
    }

    fn estimate(&self) -> Option<Estimate> {
        if self.contenders.len() < 2 {
            return None;
        }
        let chosen = &self.contenders[self.best()];
        Some(Estimate { visits: chosen.playouts, value: chosen.value() })
    }
}

impl<G: Game, U: Guide<G>> Search<G, U> {
    /// The continuation that the first thread expects after an action: the most visited one, as far as it
    /// is possible in a world that looks like the true one.
    fn line(&self, view: &G::Observation<'_>, first: G::Action) -> Vec<String> {
        let Searcher { tree, .. } = &self.searchers[0];
        let game = view.game();
        let mut dice = Dice::from_seed(0);
        let mut world = game.determinize(view, &mut dice);
        let mut line = Vec::new();
        let mut next = Some((first, tree.child(NodeId::ROOT, first)));
        while let Some((action, node)) = next
            && game.turn(&world) != Turn::Over
            && game.is_legal(&world, action)
        {
            line.push(game.observe(&world, view.seat()).write_action(action));
            game.play_unchecked(&mut world, action, &mut dice);
            next = node.and_then(|node| tree.favourite(node)).and_then(|child| {
                let known = tree.node(child);
                // Actions that were hardly tried carry no information.
                (known.visits > 1).then_some((known.action?, Some(child)))
            });
        }
        line
    }
}
