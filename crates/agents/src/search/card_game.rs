//! Knowledge of the Card Game for a search.

use std::ops::ControlFlow;

use ttr_engine::card_game::{Action, CardGame, Observation, State};
use ttr_engine::{BySeat, Dice, Game, Seat, View};

use crate::agent::Agent;
use crate::search::belief::Hints;
use crate::search::guide::{Guide, Prior, Proposal, distrust_all_but_first, shuffle};
use crate::yard::Yard;

/// Guides a search through the Card Game: a policy, by default `yard`, provides the first guess and the
/// rollouts.
///
/// ```
/// use ttr_agents::search::{Budget, CardGuide, Search, Settings};
/// use ttr_agents::{Agent, Random};
/// use ttr_engine::{Dice, Game, Seat, card_game::CardGame, maps};
///
/// let game = CardGame::new(&maps::card_game(), 2)?;
/// let settings = Settings { budget: Budget::Playouts(50), ..Settings::default() };
/// let mut search = Search::new(settings, || CardGuide::new(&game).with_rollout(|| Random));
/// let mut dice = Dice::from_seed(1);
/// let state = game.deal(&mut dice);
/// search.begin(&game, Seat::new(0));
/// let action = search.choose(&game.observe(&state, Seat::new(0)), &mut dice)?;
/// assert!(game.is_legal(&state, action));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CardGuide {
    /// By seat.
    policies: Vec<Box<dyn Agent<CardGame>>>,
    /// The policy's choice comes first.
    ask_policy: bool,
    /// Worlds are weighted by likelihood.
    believes: bool,
    hints: Hints,
    searching: Seat,
}

impl CardGuide {
    /// Creates a guide with `yard` as the policy.
    pub fn new(game: &CardGame) -> Self {
        let yard = Yard::new(game);
        Self {
            policies: (0..game.seats()).map(|_| Box::new(yard) as Box<dyn Agent<CardGame>>).collect(),
            ask_policy: true,
            believes: false,
            hints: Hints::new(),
            searching: Seat::new(0),
        }
    }

    /// Sets another rollout policy; `policy` makes one per seat. They begin a game for every playout.
    #[must_use]
    pub fn with_rollout<A: Agent<CardGame> + 'static>(mut self, mut policy: impl FnMut() -> A) -> Self {
        for known in &mut self.policies {
            *known = Box::new(policy());
        }
        self
    }

    /// Sets another source of priors. The policy is the heuristic here.
    #[must_use]
    pub fn with_prior(mut self, prior: Prior) -> Self {
        self.ask_policy = prior != Prior::Uniform;
        self
    }

    /// Sets whether to weight worlds by the cards that the others have played, or to take them as they
    /// come. Settings with more than one guess per world need it.
    #[must_use]
    pub fn with_belief(mut self, believes: bool) -> Self {
        self.believes = believes;
        self
    }

    /// Lists all actions, the policy's choice first.
    fn list(&mut self, view: &Observation<'_>, dice: &mut Dice, list: &mut Vec<Proposal<Action>>) {
        let favourite = self.ask_policy.then(|| self.act(view, dice));
        let _ = view.legal_actions(|action| {
            let prior = match favourite {
                Some(favourite) if favourite != action => weight(action, favourite),
                _ => 1.0,
            };
            list.push(Proposal::open(action, prior));
            ControlFlow::<()>::Continue(())
        });
        list.sort_unstable_by(|a, b| b.prior.total_cmp(&a.prior));
        if view.seat() != self.searching {
            show_number_of_tickets(list);
        }
    }
}

impl Guide<CardGame> for CardGuide {
    fn prepare(&mut self, view: &Observation<'_>) {
        self.searching = view.seat();
        if self.believes {
            self.hints.look_at_cards(view);
        }
    }

    fn begin_playout(&mut self, game: &CardGame) {
        for (seat, policy) in self.policies.iter_mut().enumerate() {
            policy.begin(game, Seat::new(seat));
        }
    }

    fn propose(
        &mut self,
        view: &Observation<'_>,
        _most: usize,
        dice: &mut Dice,
        list: &mut Vec<Proposal<Action>>,
    ) {
        self.list(view, dice, list);
        if self.ask_policy {
            distrust_all_but_first(list);
        }
    }

    fn advise(&mut self, view: &Observation<'_>, dice: &mut Dice, list: &mut Vec<Proposal<Action>>) {
        self.searching = view.seat();
        self.begin_playout(view.game());
        self.list(view, dice, list);
        if !self.ask_policy {
            shuffle(list, dice);
        }
    }

    fn act(&mut self, view: &Observation<'_>, dice: &mut Dice) -> Action {
        let choice = self.policies[view.seat()].choose(view, dice);
        choice.unwrap_or_else(|_| view.random_action(dice))
    }

    fn evaluate(&mut self, game: &CardGame, world: &State) -> BySeat<f32> {
        game.scores(world).points.iter().map(|&points| points.into()).collect()
    }

    fn spread(&self) -> f32 {
        25.0
    }

    fn likelihood(&mut self, game: &CardGame, world: &State) -> f32 {
        self.hints.of_card_game(game, world, self.searching)
    }
}

/// The prior of an action other than the policy's choice.
fn weight(action: Action, favourite: Action) -> f32 {
    match (action, favourite) {
        (Action::Keep(choice), Action::Keep(favoured)) => {
            0.5f32.powi((choice ^ favoured).count_ones() as i32)
        }
        (Action::PlayRow { cards, locomotives, .. }, _) => {
            (0.05 + 0.04 * f32::from(cards) - 0.02 * f32::from(locomotives)).max(0.01)
        }
        (Action::PlayThree(_), _) => 0.04,
        _ => 0.2,
    }
}

/// The tickets that others keep, and those that they choose to complete, are secret; their number is not
/// (CG-22).
fn show_number_of_tickets(list: &mut Vec<Proposal<Action>>) {
    let mut seen = 0u16;
    list.retain_mut(|proposal| match proposal.action {
        Action::Keep(choice) => {
            let number = choice.count_ones();
            proposal.seen_as = Action::Keep(((1u16 << number) - 1) as u8);
            let first = seen >> number & 1 == 0;
            seen |= 1 << number;
            first
        }
        _ => true,
    });
}
