//! The claims of a hand: the routes that it can pay for, and the payments.
//!
//! They are enumerated twice: `groups` is exact and serves callers that list or pick actions; `counted`
//! is faster, includes some claims that are not allowed, and serves random play. A test compares the
//! two.

mod counted;
mod groups;

use crate::board::action::Payment;
use crate::board::payment::Price;
use crate::pieces::{Cards, RouteId, RouteSet};

pub(crate) use counted::{Claims, CountedRoutes, FreeRoutes};
pub(crate) use groups::Groups;

/// The prices of the routes of a board, and the claims that hands can make.
#[derive(Clone, Debug)]
pub(crate) struct Tariff {
    pub(crate) groups: Groups,
    pub(crate) counted: CountedRoutes,
}

impl Tariff {
    /// The tariff of routes with these prices.
    pub(crate) fn new(prices: Vec<Price>) -> Self {
        Self { counted: CountedRoutes::new(&prices), groups: Groups::new(prices) }
    }

    /// The `n`-th counted claim of a hand with cards of a colour, allowed or not.
    #[inline(always)]
    pub(crate) fn nth_counted(
        &self,
        free: &FreeRoutes,
        claims: Claims,
        hand: Cards,
        n: u32,
    ) -> (RouteId, Payment) {
        let (route, colour, cards) = self.counted.nth(free, claims, hand, n);
        let locomotives = self.groups.price(route).length - cards;
        (route, Payment { colour: Some(colour), locomotives, sets: 0 })
    }
}

/// The routes whose prices satisfy a predicate.
fn routes_where(prices: &[Price], such: &dyn Fn(&Price) -> bool) -> RouteSet {
    RouteSet::first(prices.len()).into_iter().filter(|route| such(&prices[route.index()])).collect()
}
