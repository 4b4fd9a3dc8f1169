//! How the four pay.

use arrayvec::ArrayVec;
use ttr_engine::board::Action;
use ttr_engine::{CardKind, RouteSet};

use super::{Table, Variant};
use crate::board::{Claim, each_claim, thrifty};

/// Two tracks at most are thought of at once, each in all colours and in none.
const MOST_CLAIMS: usize = 18;

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

impl Table<'_> {
    /// Claims one of these routes, if any of them can be paid for in a colour that is allowed: `coded` in the first
    /// colour that pays, and with locomotives if it has to, `intended` as sparingly as possible.
    pub(super) fn claim(&self, routes: RouteSet, allowed: impl Fn(CardKind) -> bool) -> Option<Action> {
        let mut claims: ArrayVec<Claim, MOST_CLAIMS> = ArrayVec::new();
        each_claim(self.view, |claim| {
            if routes.contains(claim.route) {
                let _ = claims.try_push(claim); // a map of one's own may have more
            }
        });
        let best = match self.variant {
            Variant::Coded => ORDER
                .into_iter()
                .filter(|&colour| allowed(colour))
                .find_map(|colour| claims.iter().copied().find(|&claim| self.plays(claim, colour))),
            Variant::Intended => {
                let may_pay = |claim: &Claim| claim.payment.colour.is_none_or(&allowed);
                claims.iter().copied().filter(may_pay).max_by_key(|&claim| thrifty(self.view, claim))
            }
        };
        best.map(Claim::action)
    }

    /// Whether the released program makes this claim when it is asked to play a colour: locomotives alone stand for a
    /// colour that there is no card of.
    fn plays(&self, claim: Claim, colour: CardKind) -> bool {
        let printed = self.view.game().routes()[claim.route.index()].colour;
        match claim.payment.colour {
            Some(played) => played == colour,
            None => self.view.hand().count(colour) == 0 && printed.is_none_or(|printed| printed == colour),
        }
    }
}
