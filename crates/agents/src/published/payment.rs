//! Payments of the four.

use std::cmp::Reverse;

use ttr_engine::board::Action;
use ttr_engine::{CardKind, RouteId, RouteSet};

use super::{Situation, Variant};
use crate::board::{Claim, best_claim, thrift};

/// Colours in the order in which the released program tries them.
const ORDER: [CardKind; 8] = [
    CardKind::Red,
    CardKind::Orange,
    CardKind::Blue,
    CardKind::Purple,
    CardKind::White,
    CardKind::Yellow,
    CardKind::Black,
    CardKind::Green,
];

impl Situation<'_> {
    /// Claims the route of highest priority that can be paid for in an allowed colour: `coded` in the first
    /// colour that pays, with locomotives if it has to, `intended` as sparingly as possible.
    pub(super) fn claim<P: Ord>(
        &self,
        priority: impl Fn(RouteId) -> Option<P>,
        allowed: impl Fn(RouteId, CardKind) -> bool,
    ) -> Option<Action> {
        let key = |claim: Claim| {
            let priority = priority(claim.route)?;
            let may_pay = |colour: CardKind| allowed(claim.route, colour);
            let payment = match self.variant {
                Variant::Coded { .. } => {
                    let place =
                        ORDER.iter().position(|&colour| self.plays(claim, colour) && may_pay(colour))?;
                    (Some(Reverse(place)), None)
                }
                Variant::Intended => {
                    (None, claim.payment.colour.is_none_or(may_pay).then(|| thrift(self.view, claim)))
                }
            };
            (payment.0.is_some() || payment.1.is_some()).then_some((priority, payment))
        };
        best_claim(self.view, key).map(Claim::action)
    }

    /// Claims one of these routes.
    pub(super) fn claim_any(&self, routes: RouteSet) -> Option<Action> {
        self.claim(|route| routes.contains(route).then_some(()), |_, _| true)
    }

    /// Returns `true` if the released program makes this claim when it is asked to play a colour:
    /// locomotives alone stand for a colour that is not in the hand.
    fn plays(&self, claim: Claim, colour: CardKind) -> bool {
        let printed = self.view.game().routes()[claim.route.index()].colour;
        match claim.payment.colour {
            Some(played) => played == colour,
            None => self.view.hand().count(colour) == 0 && printed.is_none_or(|printed| printed == colour),
        }
    }
}
