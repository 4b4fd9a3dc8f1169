//! Which cards can pay for which routes.
//!
//! A payment is some cards of one colour, locomotives and substitute sets. With the number of colour cards and of sets given,
//! a route leaves no choice of locomotives: they pay for the rest of it. So the claims that a hand can make are a few groups,
//! one for each number of colour cards that it has of some colour, and the routes of a group come out of a table. Counting,
//! choosing and listing claims all walk the same groups, and only a chosen one is spelled out.

use std::ops::ControlFlow;

use crate::board::action::{Action, Payment};
use crate::board::claims::{Claims, Counted, FreeRoutes};
use crate::card::{CardKind, Cards, ColourSet};
use crate::id::{RouteId, RouteSet};
use crate::spec::MAX_LENGTH;

/// How a route, or something else with spaces, is paid for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Price {
    /// Number of spaces.
    pub length: u8,
    /// The colour that is asked for; any, if none.
    pub colour: Option<CardKind>,
    /// Whether locomotives may be played.
    pub locomotives: bool,
    /// Spaces that need a locomotive (or a set).
    pub ferry: u8,
    /// Cards of a substitute set; 0 = there are no sets.
    pub set_cards: u8,
    /// Most spaces that sets may pay for.
    pub most_sets: u8,
}

impl Price {
    /// Cards of any one colour, any of them locomotives.
    pub(crate) fn of_any_colour(length: u8) -> Self {
        Self { length, colour: None, locomotives: true, ferry: 0, set_cards: 0, most_sets: 0 }
    }

    /// Whether a payment is of this kind and in the hand. The colour that is asked for is not looked at.
    pub(crate) fn allows(&self, hand: Cards, payment: Payment) -> bool {
        let Payment { colour, locomotives, sets } = payment;
        let Some(rest) = self.length.checked_sub(locomotives.saturating_add(sets)) else {
            return false;
        };
        // No colour is named exactly if no colour card is played, so that a payment has one name only.
        if colour.is_some() != (rest > 0) || colour == Some(CardKind::Locomotive) {
            return false;
        }
        (locomotives == 0 || self.locomotives)
            && sets <= self.most_sets
            && locomotives + sets >= self.ferry
            && hand.contains(payment.cards(self.length))
            && hand.total() >= payment.cards(self.length).total() + sets * self.set_cards
    }

    /// Whether `cards` of a colour, `sets` and at most `held` locomotives can pay.
    fn can_be_paid(&self, sets: u8, held: u8, cards: u8) -> bool {
        let usable = if self.locomotives { held } else { 0 };
        let locomotives = self.length.checked_sub(sets + cards);
        sets <= self.most_sets
            && locomotives.is_some_and(|played| played <= usable && played + sets >= self.ferry)
    }

    /// How many cards it costs with this many sets.
    fn cards_in_all(&self, sets: u8) -> u8 {
        (self.length - sets).saturating_add(sets.saturating_mul(self.set_cards))
    }
}

/// Claims that are paid for with as many colour cards and sets: any of some routes with a colour, each in its colour, and any of
/// some grey routes in any of some colours.
#[derive(Clone, Copy)]
pub(crate) struct Group {
    sets: u8,
    /// How many colour cards are played. If none, all routes are among `coloured`.
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

/// Lengths run from 1 to [`MAX_LENGTH`]; more cards than that make no difference.
pub(crate) const LENGTHS: usize = MAX_LENGTH as usize + 1;

/// Routes by locomotives held and colour cards played.
type Payable = [[RouteSet; LENGTHS]; LENGTHS];

/// What the routes of a board cost.
#[derive(Clone, Debug)]
pub(crate) struct Tariff {
    /// By route.
    prices: Vec<Price>,
    /// Routes of any colour.
    grey: RouteSet,
    /// The routes that ask for a colour of a set, by the set.
    coloured: [RouteSet; 256],
    /// What can be paid for without sets.
    payable: Payable,
    /// What can be paid for with one set, with two and so on.
    with_sets: Vec<WithSets>,
    /// Routes that take cards of a colour: those of the colour and the grey ones.
    taking: [RouteSet; 8],
    /// Routes by the fewest and the most spaces.
    of_lengths: [[RouteSet; LENGTHS]; LENGTHS],
    /// Where each route is counted.
    counted: Vec<Counted>,
    pub(crate) all_free: FreeRoutes,
    /// Hands with fewer locomotives can be counted with [`FreeRoutes`].
    counted_below: u8,
}

/// What can be paid for with some number of sets.
#[derive(Clone, Debug)]
struct WithSets {
    sets: u8,
    payable: Payable,
    /// Routes by cards in hand.
    affordable: [RouteSet; Cards::MAX_TOTAL as usize + 1],
    /// No route costs fewer cards.
    cheapest: u8,
}

impl Tariff {
    /// The tariff of routes with these prices.
    pub(crate) fn new(prices: Vec<Price>) -> Self {
        let routes = |which: &dyn Fn(&Price) -> bool| -> RouteSet {
            let all = prices.iter().enumerate();
            all.filter(|(_, price)| which(price)).map(|(index, _)| RouteId(index as u8)).collect()
        };
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
        let counted: Vec<_> = prices.iter().map(Counted::new).collect();
        Self {
            grey: routes(&|price| price.colour.is_none()),
            coloured: std::array::from_fn(|index| {
                let colours = ColourSet::from_index(index as u8);
                routes(&|price| price.colour.is_some_and(|colour| colours.contains(colour)))
            }),
            payable: payable(0),
            with_sets: (1..=most_sets).map(with_sets).collect(),
            taking: CardKind::COLOURS
                .map(|colour| routes(&|price| price.colour.is_none_or(|asked| asked == colour))),
            of_lengths: std::array::from_fn(|least| {
                std::array::from_fn(|most| {
                    routes(&|price| (least..=most).contains(&usize::from(price.length)))
                })
            }),
            all_free: FreeRoutes::new(&counted),
            counted,
            counted_below: FreeRoutes::fewer_locomotives_than(&prices),
            prices,
        }
    }

    /// How a route is paid for.
    #[inline]
    pub(crate) fn of(&self, route: RouteId) -> &Price {
        &self.prices[route.index()]
    }

    /// Whether any route can be paid for with substitute sets.
    #[inline]
    pub(crate) fn has_sets(&self) -> bool {
        !self.with_sets.is_empty()
    }

    /// Visits the groups of claims that a hand can pay for among the open routes; some may be empty.
    pub(crate) fn groups<B>(
        &self,
        hand: Cards,
        open: RouteSet,
        mut visit: impl FnMut(Group) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.groups_of(&self.payable, 0, hand, open, &mut visit)?;
        self.groups_with_sets(hand, open, visit)
    }

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

    /// How many claims a hand can make among the open routes.
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

    /// Those of them that play sets.
    #[inline(never)]
    pub(crate) fn count_with_sets(&self, hand: Cards, open: RouteSet) -> u32 {
        let mut count = 0;
        let _ = self.groups_with_sets(hand, open, |group| {
            count += group.len();
            ControlFlow::<()>::Continue(())
        });
        count
    }

    /// The n-th claim; `n` is below [`Tariff::count`].
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

    /// The n-th claim that plays sets.
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

    /// Where a route is counted.
    #[inline]
    pub(crate) fn counted(&self, route: RouteId) -> Counted {
        self.counted[route.index()]
    }

    /// Whether [`Tariff::count_free`] can count the claims of a hand.
    #[inline]
    pub(crate) fn can_count(&self, hand: Cards) -> bool {
        hand.locomotives() < self.counted_below
    }

    /// How many claims without sets a hand can make among free routes, and some that are not allowed: with cards of a colour, and
    /// with locomotives alone.
    #[inline(always)]
    pub(crate) fn count_free(&self, free: &FreeRoutes, hand: Cards, trains: u8) -> (Claims, u32) {
        if hand.locomotives() == 0 {
            return (Claims::new(free.count(hand, trains)), 0);
        }
        let claims = free.count_with_locomotives(hand);
        (Claims::new(claims), self.free_for_locomotives(free, hand).len() as u32)
    }

    /// The free routes that a hand can pay for with locomotives alone.
    #[inline]
    pub(crate) fn free_for_locomotives(&self, free: &FreeRoutes, hand: Cards) -> RouteSet {
        free.routes & self.payable[usize::from(hand.locomotives()).min(LENGTHS - 1)][0]
    }

    /// The `n`-th claim with cards of a colour: colour by colour, each by number of cards.
    #[inline(always)]
    pub(crate) fn nth_in_colours(
        &self,
        free: &FreeRoutes,
        claims: Claims,
        hand: Cards,
        n: u32,
    ) -> (RouteId, Payment) {
        let held = hand.locomotives();
        let (colour, n) = claims.nth(n);
        let (cards, n, routes) = if held == 0 {
            let (cards, n) = free.nth(colour, n);
            (cards, n, self.payable[0][usize::from(cards)])
        } else {
            let (cards, n) = free.nth_with_locomotives(held, colour, n);
            let most = usize::from(cards + held).min(LENGTHS - 1);
            (cards, n, self.of_lengths[usize::from(cards)][most])
        };
        let route = (free.routes & routes & self.taking[colour.index()]).member(n);
        (route, Payment { colour: Some(colour), locomotives: self.of(route).length - cards, sets: 0 })
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
        let colour = if group.cards > 0 { self.of(route).colour } else { None };
        self.claim(group, route, colour)
    }

    #[inline]
    fn claim(&self, group: &Group, route: RouteId, colour: Option<CardKind>) -> Action {
        let locomotives = self.of(route).length - group.cards - group.sets;
        Action::Claim { route, payment: Payment { colour, locomotives, sets: group.sets } }
    }
}

/// The payments of `length` cards of one colour, any of them locomotives (EU-7).
pub(crate) fn any_colour(hand: Cards, length: u8) -> impl Iterator<Item = Payment> {
    let least = length.saturating_sub(hand.locomotives());
    (least..=length).flat_map(move |cards| {
        let payment = move |colour| Payment { colour, locomotives: length - cards, sets: 0 };
        let none = (cards == 0).then(|| payment(None));
        let colours = if cards == 0 { ColourSet::EMPTY } else { hand.colours_with(cards) };
        none.into_iter().chain(colours.iter().map(move |colour| payment(Some(colour))))
    })
}

/// How many payments [`any_colour`] names.
#[inline(always)]
pub(crate) fn count_any_colour(hand: Cards, length: u8) -> u32 {
    if hand.locomotives() == 0 {
        return hand.colours_with(length).len();
    }
    count_any_colour_with_locomotives(hand, length)
}

#[inline(never)]
fn count_any_colour_with_locomotives(hand: Cards, length: u8) -> u32 {
    let locomotives = hand.locomotives();
    let least = length.saturating_sub(locomotives).max(1);
    (least..=length).map(|cards| hand.colours_with(cards).len()).sum::<u32>()
        + u32::from(locomotives >= length)
}
