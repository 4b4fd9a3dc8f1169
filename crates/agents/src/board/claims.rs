//! Claims worth considering: of all ways to pay for a route in a colour, only the cheapest.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use ttr_engine::board::{Action, Observation, Payment};
use ttr_engine::{RouteId, View};

/// A route with the cheapest payment of a colour, or of locomotives alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim {
    pub(crate) route: RouteId,
    pub(crate) payment: Payment,
}

impl Claim {
    pub(crate) fn action(self) -> Action {
        Action::Claim { route: self.route, payment: self.payment }
    }
}

/// Visits, for every route and every colour that pays for it, the payment with the fewest substitute sets,
/// and among these the one with the fewest locomotives.
fn each_claim(view: &Observation<'_>, mut visit: impl FnMut(Claim)) {
    let mut last = None;
    let _ = view.legal_actions(|action| {
        // Payments of one route and colour are listed together, the cheapest first.
        if let Action::Claim { route, payment } = action
            && last.replace((route, payment.colour)) != Some((route, payment.colour))
        {
            visit(Claim { route, payment });
        }
        ControlFlow::<()>::Continue(())
    });
}

/// Returns the claim with the greatest key, the first of equals; claims without a key are skipped.
pub(crate) fn best_claim<K: PartialOrd>(
    view: &Observation<'_>,
    mut key: impl FnMut(Claim) -> Option<K>,
) -> Option<Claim> {
    let mut best: Option<(K, Claim)> = None;
    each_claim(view, |claim| {
        if let Some(key) = key(claim)
            && best.as_ref().is_none_or(|(most, _)| key > *most)
        {
            best = Some((key, claim));
        }
    });
    best.map(|(_, claim)| claim)
}

/// Ranks claims by thrift, the greatest being the thriftiest: fewest sets, then fewest locomotives, then
/// the colour that the hand has most of.
pub(crate) fn thrift(view: &Observation<'_>, claim: Claim) -> impl Ord + use<> {
    let held = claim.payment.colour.map_or(0, |colour| view.hand().count(colour));
    (Reverse(claim.payment.sets), Reverse(claim.payment.locomotives), held)
}
