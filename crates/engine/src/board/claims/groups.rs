//! The exact claims of a hand: listed, counted and picked.
//!
//! A payment consists of cards of one colour, locomotives and substitute sets. Once the numbers of
//! colour cards and sets are fixed, so is the number of locomotives: they pay for the rest of the route.
//! The claims of a hand thus fall into a few groups, one for each number of cards that it has of some
//! colour, and a table holds the routes of each group. Counting, picking and listing all iterate over
//! the same groups, and only a picked claim is constructed.

use std::ops::ControlFlow;

use crate::board::action::{Action, Payment};
use crate::board::claims::routes_where;
use crate::board::payment::{LENGTHS, Price};
use crate::pieces::{CardKind, Cards, ColourSet, RouteId, RouteSet};

/// The routes of a board, grouped by the payments that they accept.
#[derive(Clone, Debug)]
pub(crate) struct Groups {
    /// Indexed by route.
    prices: Vec<Price>,
    /// Routes of any colour.
    grey: RouteSet,
    /// The routes that require a colour from a set of colours, indexed by the set.
    coloured: [RouteSet; 256],
    /// Routes that can be paid for without sets.
    payable: Payable,
    /// Routes that can be paid for with one set, with two, and so on.
    with_sets: Vec<WithSets>,
}

/// Routes by locomotives held and colour cards played.
type Payable = [[RouteSet; LENGTHS]; LENGTHS];

/// Routes that can be paid for with some number of sets.
#[derive(Clone, Debug)]
struct WithSets {
    sets: u8,
    payable: Payable,
    /// Routes by number of cards in hand.
    affordable: [RouteSet; Cards::MAX_TOTAL as usize + 1],
    /// Number of cards that the cheapest route costs.
    cheapest: u8,
}

/// Claims that are paid for with the same numbers of colour cards and sets: coloured routes, each in its
/// colour, and grey routes in any of several colours.
#[derive(Clone, Copy)]
pub(crate) struct Group {
    sets: u8,
    /// Number of colour cards played. If 0, all routes are among `coloured`.
    cards: u8,
    coloured: RouteSet,
    grey: RouteSet,
    colours: ColourSet,
}

impl Group {
    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.coloured.len() as u32 + self.colours.len() * self.grey.len() as u32
    }
}

impl Groups {
    pub(crate) fn new(prices: Vec<Price>) -> Self {
        let routes = |such: &dyn Fn(&Price) -> bool| routes_where(&prices, such);
        let payable = |sets: u8| -> Payable {
            std::array::from_fn(|held| {
                std::array::from_fn(|cards| routes(&|price| price.can_be_paid(sets, held as u8, cards as u8)))
            })
        };
        let with_sets = |sets: u8| {
            let cost = |price: &Price| (price.most_sets >= sets).then(|| price.cards_in_all(sets));
            WithSets {
                sets,
                payable: payable(sets),
                affordable: std::array::from_fn(|cards| {
                    routes(&|price| cost(price).is_some_and(|cost| usize::from(cost) <= cards))
                }),
                cheapest: prices.iter().filter_map(cost).min().unwrap_or(0),
            }
        };
        let most_sets = prices.iter().map(|price| price.most_sets).max().unwrap_or(0);
        Self {
            grey: routes(&|price| price.colour.is_none()),
            coloured: std::array::from_fn(|index| {
                let colours = ColourSet::from_index(index as u8);
                routes(&|price| price.colour.is_some_and(|colour| colours.contains(colour)))
            }),
            payable: payable(0),
            with_sets: (1..=most_sets).map(with_sets).collect(),
            prices,
        }
    }

    /// The price of a route.
    #[inline]
    pub(crate) fn price(&self, route: RouteId) -> &Price {
        &self.prices[route.index()]
    }

    /// Returns `true` if any route can be paid for with substitute sets.
    #[inline]
    pub(crate) fn has_sets(&self) -> bool {
        !self.with_sets.is_empty()
    }

    /// Visits the groups of claims that a hand can pay for among the open routes. Groups may be empty.
    pub(crate) fn visit<B>(
        &self,
        hand: Cards,
        open: RouteSet,
        mut visit: impl FnMut(Group) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.groups_of(&self.payable, 0, hand, open, &mut visit)?;
        self.groups_with_sets(hand, open, visit)
    }

    /// Visits the groups that use sets.
    fn groups_with_sets<B>(
        &self,
        hand: Cards,
        open: RouteSet,
        mut visit: impl FnMut(Group) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let total = hand.total();
        for level in &self.with_sets {
            if total < level.cheapest {
                break; // nor for more sets
            }
            let open = open & level.affordable[usize::from(total)];
            self.groups_of(&level.payable, level.sets, hand, open, &mut visit)?;
        }
        ControlFlow::Continue(())
    }

    /// Visits the groups with this number of sets.
    #[inline(always)]
    fn groups_of<B>(
        &self,
        payable: &Payable,
        sets: u8,
        hand: Cards,
        open: RouteSet,
        visit: &mut impl FnMut(Group) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let payable = &payable[usize::from(hand.locomotives()).min(LENGTHS - 1)];
        let coloured = open & payable[0];
        visit(Group { sets, cards: 0, coloured, grey: RouteSet::EMPTY, colours: ColourSet::EMPTY })?;
        #[allow(clippy::needless_range_loop)] // constant bounds: the loop is unrolled
        for cards in 1..LENGTHS {
            let colours = hand.colours_with(cards as u8);
            if colours.is_empty() {
                break;
            }
            let routes = open & payable[cards];
            let (coloured, grey) = (routes & self.coloured[colours.index()], routes & self.grey);
            visit(Group { sets, cards: cards as u8, coloured, grey, colours })?;
        }
        ControlFlow::Continue(())
    }

    /// Number of claims that a hand can make among the open routes.
    #[inline(always)]
    pub(crate) fn count(&self, hand: Cards, open: RouteSet) -> u32 {
        let mut count = 0;
        let _ = self.groups_of(&self.payable, 0, hand, open, &mut |group| {
            count += group.len();
            ControlFlow::<()>::Continue(())
        });
        if self.has_sets() {
            count += self.count_with_sets(hand, open);
        }
        count
    }

    /// Number of claims that use sets.
    #[inline(never)]
    pub(crate) fn count_with_sets(&self, hand: Cards, open: RouteSet) -> u32 {
        let mut count = 0;
        let _ = self.groups_with_sets(hand, open, |group| {
            count += group.len();
            ControlFlow::<()>::Continue(())
        });
        count
    }

    /// The `n`-th claim, where `n` is below [`Groups::count`].
    pub(crate) fn nth(&self, hand: Cards, open: RouteSet, n: u32) -> Action {
        let mut skip = n;
        let mut find = |group: Group| {
            let len = group.len();
            if skip < len {
                return ControlFlow::Break(group);
            }
            skip -= len;
            ControlFlow::Continue(())
        };
        match self.groups_of(&self.payable, 0, hand, open, &mut find) {
            ControlFlow::Break(group) => self.nth_of_group(&group, skip),
            ControlFlow::Continue(()) => self.nth_with_sets(hand, open, skip),
        }
    }

    /// The `n`-th claim that uses sets.
    #[inline(never)]
    pub(crate) fn nth_with_sets(&self, hand: Cards, open: RouteSet, n: u32) -> Action {
        let mut skip = n;
        let found = self.groups_with_sets(hand, open, |group| {
            let len = group.len();
            if skip < len {
                return ControlFlow::Break(group);
            }
            skip -= len;
            ControlFlow::Continue(())
        });
        self.nth_of_group(&found.break_value().expect("n is below the number of claims"), skip)
    }

    #[inline]
    fn nth_of_group(&self, group: &Group, n: u32) -> Action {
        let coloured = group.coloured.len() as u32;
        if n < coloured {
            return self.coloured_claim(group, group.coloured.member(n));
        }
        let (route, colour) = ((n - coloured) / group.colours.len(), (n - coloured) % group.colours.len());
        self.claim(group, group.grey.member(route), Some(group.colours.nth(colour)))
    }

    /// Visits the claims of a group.
    pub(crate) fn claims<B>(
        &self,
        group: &Group,
        mut visit: impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for route in group.coloured {
            visit(self.coloured_claim(group, route))?;
        }
        for route in group.grey {
            for colour in group.colours.iter() {
                visit(self.claim(group, route, Some(colour)))?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn coloured_claim(&self, group: &Group, route: RouteId) -> Action {
        let colour = if group.cards > 0 { self.price(route).colour } else { None };
        self.claim(group, route, colour)
    }

    #[inline]
    fn claim(&self, group: &Group, route: RouteId, colour: Option<CardKind>) -> Action {
        let locomotives = self.price(route).length - group.cards - group.sets;
        Action::Claim { route, payment: Payment { colour, locomotives, sets: group.sets } }
    }
}
