//! The board games: Europe, Nordic Countries, First Journey, USA and whatever a map file describes.
//!
//! A game uses these modules in order: [`BoardGame::new`] compiles a map (`compile`), `play` deals and
//! applies actions, `legal` lists them, `observe` shows a position to a seat, `determinize` samples what
//! it does not see, and `score` scores the end.

mod action;
mod action_space;
mod check;
mod claims;
mod compile;
mod depots;
mod determinize;
mod encode;
mod journey;
mod journey_playout;
mod legal;
pub mod network;
mod notation;
mod observe;
mod payment;
mod play;
mod playout;
mod rules;
mod score;
mod state;
mod tickets;
mod uncertain;

use std::ops::ControlFlow;

use crate::chance::{Chance, Dice};
use crate::game::{Game, IllegalAction, Scores, Turn};
use crate::pieces::Seat;

pub use action::{Action, Ending, Payment, PendingClaim, Phase};
pub use action_space::BoardActions;
pub use compile::{BoardGame, Route, Ticket};
pub use encode::BoardEncoder;
pub use observe::{BatchFacts, Facts, Observation, SeatFacts, UncertainFacts};
pub use payment::Price;
pub use score::{ScoreSheet, SeatScore};
pub use state::State;

impl Game for BoardGame {
    type State = State;
    type Action = Action;
    type Observation<'s> = Observation<'s>;

    fn seats(&self) -> usize {
        self.seats
    }

    fn deal(&self, chance: &mut impl Chance) -> State {
        self.deal(chance)
    }

    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Over(_) => Turn::Over,
            _ => Turn::Of(state.seat),
        }
    }

    fn legal_actions<B>(&self, state: &State, visit: impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        self.legal_actions(state, visit)
    }

    fn check(&self, state: &State, action: Action) -> Result<(), IllegalAction> {
        self.check(state, action)
    }

    fn play_unchecked(&self, state: &mut State, action: Action, chance: &mut impl Chance) {
        self.play_unchecked(state, action, chance);
    }

    fn scores(&self, state: &State) -> Scores {
        self.scores(state)
    }

    fn observe<'s>(&'s self, state: &'s State, seat: Seat) -> Observation<'s> {
        Observation { game: self, state, seat }
    }

    fn determinize(&self, observation: &Observation<'_>, dice: &mut Dice) -> State {
        self.determinize(observation, dice)
    }

    fn count_actions(&self, state: &State) -> usize {
        self.count_actions(state)
    }

    fn random_action(&self, state: &State, dice: &mut Dice) -> Action {
        self.random_action(state, dice)
    }

    fn nth_action(&self, state: &State, n: usize) -> Option<Action> {
        self.nth_action(state, n)
    }

    fn playout(&self, state: &mut State, choices: &mut Dice, chance: &mut Dice) -> u64 {
        self.playout(state, choices, chance)
    }
}
