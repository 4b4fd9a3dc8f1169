//! Which cards can pay for which routes.
//!
//! Routes that are paid for in the same way share a [`Shape`]. For a hand, the claims it can make are a few
//! groups: *these* payments for any of *those* routes. Counting, choosing and listing claims all walk the
//! same groups, and only a chosen one is spelled out.

use std::ops::{ControlFlow, Range};

use arrayvec::ArrayVec;

use crate::board::action::{Action, Payment};
use crate::card::{CardKind, Cards};
use crate::chance::Dice;
use crate::id::{RouteId, RouteSet};
use crate::spec::MAX_LENGTH;

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

    /// The numbers of locomotives that pay, next to `sets` sets and at least one of `held` cards of a colour; or
    /// without a colour.
    #[inline]
    fn locomotive_range(&self, hand: Cards, colour: Option<CardKind>, sets: u8) -> Range<u8> {
        let usable = if self.locomotives { hand.locomotives() } else { 0 };
        let spaces = self.length - sets;
        match colour {
            Some(colour) => {
                let least = spaces.saturating_sub(hand.count(colour)).max(self.ferry.saturating_sub(sets));
                least..least.max(spaces.min(usable + 1))
            }
            None if spaces <= usable => spaces..spaces + 1,
            None => 0..0,
        }
    }

    /// The most sets that a hand has cards for: a set costs more cards than the space it pays for.
    #[inline]
    fn sets_in(&self, hand: Cards) -> u8 {
        match (hand.total().checked_sub(self.length), self.set_cards) {
            (Some(_), 1) => self.most_sets,
            (Some(spare), cards) if cards > 1 => self.most_sets.min(spare / (cards - 1)),
            _ => 0,
        }
    }

    /// How many payments there are with at least one card of a colour, or without any colour card.
    fn count_payments(&self, hand: Cards, colour: Option<CardKind>) -> u16 {
        (0..=self.sets_in(hand)).map(|sets| self.locomotive_range(hand, colour, sets).len() as u16).sum()
    }

    /// The payment of an index below [`Shape::count_payments`].
    fn payment(&self, hand: Cards, colour: Option<CardKind>, n: u16) -> Payment {
        let mut skip = n;
        for sets in 0..=self.sets_in(hand) {
            let range = self.locomotive_range(hand, colour, sets);
            if usize::from(skip) < range.len() {
                return Payment { colour, locomotives: range.start + skip as u8, sets };
            }
            skip -= range.len() as u16;
        }
        unreachable!("n is below the number of payments")
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

/// How a route may be paid for, apart from its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Price {
    /// Number of spaces.
    pub length: u8,
    /// Whether locomotives may be played.
    pub locomotives: bool,
    /// Spaces that need a locomotive or a substitute set.
    pub ferry: u8,
    /// Cards of a substitute set; 0 = there are no sets.
    pub set_cards: u8,
    /// Most spaces that sets may pay for.
    pub most_sets: u8,
}

/// Payments for any of some routes.
#[derive(Clone, Copy)]
pub(crate) struct Group {
    /// Index of the shape.
    pub(crate) shape: u8,
    pub(crate) colour: Option<CardKind>,
    /// How many payments there are.
    pub(crate) payments: u16,
    pub(crate) routes: RouteSet,
}

impl Group {
    #[inline]
    pub(crate) fn len(&self) -> u32 {
        u32::from(self.payments) * self.routes.len() as u32
    }
}

/// Payments by (cards of a colour, locomotives, length) where neither ferries nor sets play a part.
static PLAIN: [[[u8; LENGTHS]; LENGTHS]; LENGTHS] = {
    let mut table = [[[0; LENGTHS]; LENGTHS]; LENGTHS];
    let mut held = 1;
    while held < LENGTHS {
        let mut locomotives = 0;
        while locomotives < LENGTHS {
            let mut length = 1;
            while length < LENGTHS {
                let least = length.saturating_sub(held);
                let most = if locomotives < length - 1 { locomotives } else { length - 1 };
                table[held][locomotives][length] = (most + 1).saturating_sub(least) as u8;
                length += 1;
            }
            locomotives += 1;
        }
        held += 1;
    }
    table
};

/// Lengths run from 1 to [`MAX_LENGTH`]; more cards than that make no difference.
const LENGTHS: usize = MAX_LENGTH as usize + 1;

/// The routes of a board by how they are paid for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shapes {
    /// First those without ferries and sets, shortest first; then the others.
    shapes: Vec<Shape>,
    plain: usize,
}

impl Shapes {
    /// Adds a route to the shape that has the same payments.
    pub(crate) fn add(&mut self, shape: Shape, route: RouteId, colour: Option<CardKind>) {
        let known = self.shapes.iter().position(|known| known.same_payments(&shape));
        let place = known.unwrap_or_else(|| {
            let plain = shape.ferry == 0 && shape.set_cards == 0;
            let place = match plain {
                true => self.shapes[..self.plain].partition_point(|known| known.length <= shape.length),
                false => self.shapes.len(),
            };
            self.plain += usize::from(plain);
            self.shapes.insert(place, shape);
            place
        });
        self.shapes[place].add(route, colour);
    }

    /// How a route is paid for.
    pub(crate) fn of(&self, route: RouteId) -> &Shape {
        let found = self.shapes.iter().find(|shape| shape.routes.contains(route));
        found.expect("every route has a shape")
    }

    /// What the payments of a route have to add up to.
    pub(crate) fn price(&self, route: RouteId) -> Price {
        let &Shape { length, locomotives, ferry, set_cards, most_sets, .. } = self.of(route);
        Price { length, locomotives, ferry, set_cards, most_sets }
    }

    /// Whether any route can be paid for with substitute sets.
    #[cfg(feature = "testing")]
    pub(crate) fn have_sets(&self) -> bool {
        self.shapes.iter().any(|shape| shape.set_cards > 0)
    }

    /// Visits the groups of claims that a hand can pay for among the open routes; some may be empty.
    #[inline]
    pub(crate) fn groups<B>(
        &self,
        hand: Cards,
        open: RouteSet,
        mut visit: impl FnMut(Group) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (plain, special) = self.shapes.split_at(self.plain);
        let locomotives = hand.locomotives();
        for index in 0..CardKind::COLOURS.len() {
            let colour = CardKind::from_index(index);
            let held = hand.count(colour);
            if held == 0 {
                continue;
            }
            let rows = &PLAIN[usize::from(held).min(LENGTHS - 1)];
            let rows = [&rows[0], &rows[usize::from(locomotives).min(LENGTHS - 1)]];
            for (shape, spec) in plain.iter().enumerate() {
                if spec.length > held + locomotives {
                    break; // shortest first
                }
                let payments = rows[usize::from(spec.locomotives)][usize::from(spec.length) % LENGTHS].into();
                let routes = spec.by_colour[index] & open;
                visit(Group { shape: shape as u8, colour: Some(colour), payments, routes })?;
            }
        }
        for (shape, spec) in plain.iter().enumerate() {
            if spec.length > locomotives {
                break;
            }
            let payments = u16::from(spec.locomotives);
            visit(Group { shape: shape as u8, colour: None, payments, routes: spec.routes & open })?;
        }
        for (shape, spec) in special.iter().enumerate() {
            // Without enough locomotives only sets help on a ferry.
            if !spec.routes.intersects(open) || locomotives < spec.ferry && spec.set_cards == 0 {
                continue;
            }
            for colour in hand.colours().map(|(colour, _)| Some(colour)).chain([None]) {
                let shape = (self.plain + shape) as u8;
                let routes = self.routes(shape, colour) & open;
                if !routes.is_empty() {
                    let payments = spec.count_payments(hand, colour);
                    visit(Group { shape, colour, payments, routes })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The routes of a shape that a colour pays for, or no colour.
    #[inline]
    fn routes(&self, shape: u8, colour: Option<CardKind>) -> RouteSet {
        let shape = &self.shapes[usize::from(shape)];
        colour.map_or(shape.routes, |colour| shape.by_colour[colour.index()])
    }

    /// The payment of an index in a group.
    pub(crate) fn payment(&self, group: Group, hand: Cards, n: u16) -> Payment {
        self.shapes[usize::from(group.shape)].payment(hand, group.colour, n)
    }

    /// The claim of an index in a group, route by route.
    pub(crate) fn claim(&self, group: Group, hand: Cards, n: u32) -> Action {
        let payments = u32::from(group.payments);
        let route = group.routes.nth((n / payments) as usize).expect("n is below the length");
        Action::Claim { route, payment: self.payment(group, hand, (n % payments) as u16) }
    }

    /// A claim out of all groups, each equally likely, with `before` other actions in front and `after` behind; or the
    /// index of one of these.
    pub(crate) fn pick(
        &self,
        hand: Cards,
        open: RouteSet,
        before: u32,
        after: u32,
        dice: &mut Dice,
    ) -> Result<Action, u32> {
        // Groups are cheaper to remember than to find again. A board with too many of them is walked twice.
        let mut ends = ArrayVec::<(u32, u8, Option<CardKind>), 128>::new();
        let mut end = before;
        let _ = self.groups(hand, open, |group| {
            end += group.len();
            let _ = ends.try_push((end, group.shape, group.colour));
            ControlFlow::<()>::Continue(())
        });
        if end + after == 0 {
            return Err(0);
        }
        let n = dice.below(end + after);
        if n < before || n >= end {
            return Err(n);
        }
        let Some(&(end, shape, colour)) = ends.iter().find(|(end, ..)| n < *end) else {
            return Err(n);
        };
        let payments = self.shapes[usize::from(shape)].count_payments(hand, colour);
        let group = Group { shape, colour, payments, routes: self.routes(shape, colour) & open };
        Ok(self.claim(group, hand, n + group.len() - end))
    }
}

/// Visits the payments of `length` cards of one colour, any of them locomotives (EU-7).
pub(crate) fn any_colour<B>(
    hand: Cards,
    length: u8,
    mut visit: impl FnMut(Payment) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let shape = Shape::new(length, true, 0, 0, 0);
    for colour in hand.colours().map(|(colour, _)| Some(colour)).chain([None]) {
        for locomotives in shape.locomotive_range(hand, colour, 0) {
            visit(Payment { colour, locomotives, sets: 0 })?;
        }
    }
    ControlFlow::Continue(())
}

/// How many payments [`any_colour`] visits.
pub(crate) fn count_any_colour(hand: Cards, length: u8) -> usize {
    let locomotives = usize::from(hand.locomotives());
    let count = |held: u8| PLAIN[usize::from(held).min(LENGTHS - 1)][locomotives.min(LENGTHS - 1)];
    let coloured = hand.colours().map(|(_, held)| usize::from(count(held)[usize::from(length)]));
    coloured.sum::<usize>() + usize::from(locomotives >= length.into())
}
