//! The claims of a hand: which routes it can pay for, and how.
//!
//! They are enumerated twice: `groups` knows all of them exactly, for whoever lists or picks actions;
//! `counted` is faster and counts some that are not allowed, for random play. A test compares the two.

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

    /// The `n`-th of the claims of a hand with cards of a colour that were counted, allowed or not.
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

/// The routes whose prices are such.
fn routes_where(prices: &[Price], such: &dyn Fn(&Price) -> bool) -> RouteSet {
    RouteSet::first(prices.len()).into_iter().filter(|route| such(&prices[route.index()])).collect()
}
