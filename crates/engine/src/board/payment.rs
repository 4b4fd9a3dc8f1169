//! Which cards can pay for which routes.
//!
//! Routes that are paid for in the same way share a [`Shape`]. For a hand, the claims it can make are a few
//! groups: *these* payments for any of *those* routes. Counting, choosing and listing claims all walk the
//! same groups, and only a chosen one is spelled out.

use std::ops::ControlFlow;

use crate::board::action::Payment;
use crate::card::{CardKind, Cards};
use crate::id::{RouteId, RouteSet};

/// How routes of one kind are paid for, and the routes of that kind.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) length: u8,
    /// Whether locomotives may be played.
    pub(crate) locomotives: bool,
    /// Spaces that need a locomotive (or a set).
    pub(crate) ferry: u8,
    /// Cards of a substitute set; 0 = there are no sets.
    pub(crate) set_cards: u8,
    pub(crate) most_sets: u8,
    /// The routes that a colour pays for: those of the colour, and the grey ones.
    pub(crate) by_colour: [RouteSet; 8],
    /// All routes of this shape.
    pub(crate) routes: RouteSet,
}

impl Shape {
    pub(crate) fn new(length: u8, locomotives: bool, ferry: u8, set_cards: u8, most_sets: u8) -> Self {
        let (by_colour, routes) = ([RouteSet::EMPTY; 8], RouteSet::EMPTY);
        Self { length, locomotives, ferry, set_cards, most_sets, by_colour, routes }
    }

    pub(crate) fn same_payments(&self, other: &Self) -> bool {
        let key = |s: &Self| (s.length, s.locomotives, s.ferry, s.set_cards, s.most_sets);
        key(self) == key(other)
    }

    pub(crate) fn add(&mut self, route: RouteId, colour: Option<CardKind>) {
        self.routes.insert(route);
        for kind in CardKind::COLOURS {
            if colour.is_none_or(|colour| colour == kind) {
                self.by_colour[kind.index()].insert(route);
            }
        }
    }

    /// The numbers of locomotives that pay, with `colour` cards of the colour and no set, as a range.
    #[inline]
    fn plain(&self, colour: u8, locomotives: u8) -> (u8, u8) {
        let least = self.length.saturating_sub(colour).max(self.ferry);
        let usable = if self.locomotives { locomotives } else { 0 };
        let most = usable.min(self.length - 1);
        (least, (most + 1).saturating_sub(least))
    }

    /// Visits every payment with at least one card of `colour`, or without any colour card.
    pub(crate) fn payments<B>(
        &self,
        hand: Cards,
        colour: Option<CardKind>,
        mut visit: impl FnMut(Payment) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let held = hand.locomotives();
        let usable = if self.locomotives { held.min(self.length) } else { 0 };
        for sets in 0..=self.most_sets {
            for locomotives in 0..=usable {
                let payment = Payment { colour, locomotives, sets };
                if self.pays(hand, payment) {
                    visit(payment)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether a payment is of this shape and in the hand. The route's colour is not looked at.
    pub(crate) fn pays(&self, hand: Cards, payment: Payment) -> bool {
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
}

/// Payments for any of some routes.
#[derive(Clone, Copy)]
pub(crate) struct Group<'s> {
    pub(crate) shape: &'s Shape,
    pub(crate) hand: Cards,
    pub(crate) colour: Option<CardKind>,
    /// How many payments there are.
    pub(crate) payments: u16,
    pub(crate) routes: RouteSet,
}

impl Group<'_> {
    pub(crate) fn len(&self) -> usize {
        usize::from(self.payments) * self.routes.len()
    }

    /// The payment of an index.
    pub(crate) fn payment(&self, n: u16) -> Payment {
        if self.shape.set_cards == 0 {
            let locomotives = match self.colour {
                Some(colour) => {
                    self.shape.plain(self.hand.count(colour), self.hand.locomotives()).0 + n as u8
                }
                None => self.shape.length,
            };
            return Payment { colour: self.colour, locomotives, sets: 0 };
        }
        let mut skip = n;
        let found = self.shape.payments(self.hand, self.colour, |payment| {
            if skip == 0 {
                return ControlFlow::Break(payment);
            }
            skip -= 1;
            ControlFlow::Continue(())
        });
        found.break_value().expect("n is below the number of payments")
    }
}

/// Visits the groups of claims that a hand can pay for among the open routes.
#[inline]
pub(crate) fn groups<'s, B>(
    shapes: &'s [Shape],
    set_shapes: &'s [Shape],
    hand: Cards,
    open: RouteSet,
    mut visit: impl FnMut(Group<'s>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let locomotives = hand.locomotives();
    for colour in CardKind::COLOURS {
        let held = hand.count(colour);
        if held == 0 {
            continue;
        }
        for shape in shapes {
            if shape.length > held + locomotives {
                break; // shortest first
            }
            let routes = shape.by_colour[colour.index()] & open;
            let (_, payments) = shape.plain(held, locomotives);
            if payments > 0 && !routes.is_empty() {
                visit(Group { shape, hand, colour: Some(colour), payments: payments.into(), routes })?;
            }
        }
    }
    for shape in shapes {
        if shape.length > locomotives {
            break;
        }
        let routes = shape.routes & open;
        if shape.locomotives && !routes.is_empty() {
            visit(Group { shape, hand, colour: None, payments: 1, routes })?;
        }
    }
    for shape in set_shapes {
        let colours = CardKind::COLOURS.into_iter().filter(|&colour| hand.count(colour) > 0).map(Some);
        for colour in colours.chain([None]) {
            let routes = colour.map_or(shape.routes, |colour| shape.by_colour[colour.index()]) & open;
            if routes.is_empty() {
                continue;
            }
            let mut payments = 0;
            let _ = shape.payments(hand, colour, |_| {
                payments += 1;
                ControlFlow::<()>::Continue(())
            });
            if payments > 0 {
                visit(Group { shape, hand, colour, payments, routes })?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Visits the payments of `length` cards of one colour, any of them locomotives (EU-7).
pub(crate) fn any_colour<B>(
    hand: Cards,
    length: u8,
    mut visit: impl FnMut(Payment) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let shape = Shape::new(length, true, 0, 0, 0);
    for colour in CardKind::COLOURS {
        shape.payments(hand, Some(colour), &mut visit)?;
    }
    shape.payments(hand, None, &mut visit)
}

/// How many payments [`any_colour`] visits.
pub(crate) fn count_any_colour(hand: Cards, length: u8) -> usize {
    let shape = Shape::new(length, true, 0, 0, 0);
    let locomotives = hand.locomotives();
    let coloured = CardKind::COLOURS.into_iter().map(|colour| match hand.count(colour) {
        0 => 0,
        held => usize::from(shape.plain(held, locomotives).1),
    });
    coloured.sum::<usize>() + usize::from(locomotives >= length)
}
