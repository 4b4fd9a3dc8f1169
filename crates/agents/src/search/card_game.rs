//! What a search is told about the Card Game.

use std::ops::ControlFlow;

use ttr_engine::card_game::{Action, CardGame, Observation, State};
use ttr_engine::{Dice, Game, Seat, View};

use crate::agent::Agent;
use crate::greedy::GreedyRows;
use crate::random::Random;
use crate::search::belief::Hints;
use crate::search::guide::{BySeat, Guide, Proposal, distrust_all_but_first, shuffle};
use crate::search::{Search, settings};
use crate::spec::AgentSpec;
use crate::yard::Yard;

/// The search agents for the Card Game.
pub(crate) fn agent(game: &CardGame, spec: &AgentSpec) -> Box<dyn Agent<CardGame>> {
    let policy = || -> Box<dyn Agent<CardGame>> {
        match spec.word("rollout") {
            "random" => Box::new(Random),
            "greedy" => Box::new(GreedyRows),
            _ => Box::new(Yard::new(game, &AgentSpec::new("yard"))),
        }
    };
    let guide = || CardGuide {
        policies: (0..game.seats()).map(|_| policy()).collect(),
        ask_policy: matches!(spec.word("prior"), "planner" | "rollout"),
        believes: spec.number::<u32>("belief") > 1,
        hints: Hints::new(),
        searching: Seat(0),
    };
    Box::new(Search::new(settings(spec), guide))
}

/// Guides a search through the Card Game: a policy plays on, and has the first guess.
struct CardGuide {
    /// By seat.
    policies: Vec<Box<dyn Agent<CardGame>>>,
    /// Whether the policy's choice comes first.
    ask_policy: bool,
    /// Whether worlds are weighed.
    believes: bool,
    hints: Hints,
    searching: Seat,
}

impl CardGuide {
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
            policy.begin(game, Seat(seat as u8));
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
        let choice = self.policies[view.seat().index()].choose(view, dice);
        choice.unwrap_or_else(|_| view.random_action(dice))
    }

    fn evaluate(&mut self, game: &CardGame, world: &State) -> BySeat {
        let mut points = BySeat::default();
        for (points, &scored) in points.iter_mut().zip(&game.scores(world).points) {
            *points = scored.into();
        }
        points
    }

    fn spread(&self) -> f32 {
        25.0
    }

    fn likelihood(&mut self, game: &CardGame, world: &State) -> f32 {
        self.hints.of_card_game(game, world, self.searching)
    }
}

/// How likely an action is to be right when the policy would do something else.
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

/// What others keep of the tickets offered to them is secret, and so is what they choose to complete; how many tickets is not
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
