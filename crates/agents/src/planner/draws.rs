//! Choice of cards to draw.

use ttr_engine::CardKind;
use ttr_engine::board::{Action, Observation};

use crate::planner::Planner;

impl Planner {
    /// Takes the best card.
    pub(super) fn take_card(&self, view: &Observation<'_>, second: bool) -> Action {
        match self.best_card(view, second) {
            (Action::Pass, _) => Self::any(view),
            (action, _) => action,
        }
    }

    /// The best card to take, and its value.
    fn best_card(&self, view: &Observation<'_>, second: bool) -> (Action, f64) {
        let hand = view.hand();
        let blind = self.needs.worth_unseen(&self.weights, hand, view.unseen());
        let mut best = match view.deck_size() > 0 || !view.discard().is_empty() {
            true => (Action::TakeBlind, blind),
            false => (Action::Pass, f64::MIN),
        };
        for (kind, _) in view.market().iter() {
            let mut worth = self.needs.worth(&self.weights, hand, kind);
            if kind == CardKind::Locomotive && self.atlas.rules.locomotive_ends_draw {
                if second {
                    continue;
                }
                worth -= blind; // it costs the second card
            }
            if worth > best.1 {
                best = (Action::TakeFaceUp(kind), worth);
            }
        }
        best
    }

    /// The total value of the two cards of a draw.
    pub(super) fn worth_of_draw(&self, view: &Observation<'_>) -> f64 {
        let (first, worth) = self.best_card(view, false);
        if first == Action::Pass {
            return f64::MIN;
        }
        let hand = view.hand();
        let blind = self.needs.worth_unseen(&self.weights, hand, view.unseen());
        let mut market = view.market();
        if let Action::TakeFaceUp(kind) = first {
            if kind == CardKind::Locomotive && self.atlas.rules.locomotive_ends_draw {
                return worth + blind;
            }
            market.remove(kind);
        }
        let second = market
            .iter()
            .filter(|&(kind, _)| kind != CardKind::Locomotive || !self.atlas.rules.locomotive_ends_draw)
            .map(|(kind, _)| self.needs.worth(&self.weights, hand, kind))
            .fold(blind, f64::max);
        worth + second
    }
}
