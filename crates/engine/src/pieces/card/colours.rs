//! Sets of colours, and a number for each colour.

use std::ops::{Add, AddAssign, Sub, SubAssign};

use super::{BITS, CardKind, Cards, FIELD, GUARDS, ONES};

/// Every second counter, with a counter's width of room above it.
const EVEN: u64 = FIELD | FIELD << 14 | FIELD << 28 | FIELD << 42 | FIELD << 56;
const EVEN_ONES: u64 = ONES & EVEN;

/// A set of colours: the first is the highest bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ColourSet(u8);

impl ColourSet {
    pub(crate) const EMPTY: Self = Self(0);

    /// The set as a number below 256.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set of an [`index`](Self::index).
    #[inline]
    pub(crate) const fn from_index(index: u8) -> Self {
        Self(index)
    }

    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(crate) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub(crate) const fn contains(self, colour: CardKind) -> bool {
        self.0 << colour as u8 & 0x80 != 0
    }

    /// The colours in the order of [`CardKind::COLOURS`].
    #[inline]
    pub(crate) fn iter(self) -> impl Iterator<Item = CardKind> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let first = rest.leading_zeros();
            rest &= !(0x80u8.checked_shr(first)?);
            Some(CardKind::COLOURS[first as usize])
        })
    }

    /// The n-th colour.
    #[inline]
    pub(crate) fn nth(self, n: u32) -> CardKind {
        let mut rest = self.0;
        for _ in 0..n {
            rest &= !(0x80 >> rest.leading_zeros());
        }
        CardKind::COLOURS[rest.leading_zeros() as usize]
    }
}

/// A number up to 127 for each colour, in the layout of [`Cards`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PerColour(u64);

impl PerColour {
    /// Largest number for a colour.
    pub(crate) const MAX: usize = FIELD as usize;
    pub(crate) const ZERO: Self = Self(0);

    /// 1 for one colour, or for each of them.
    pub(crate) const fn one(colour: Option<CardKind>) -> Self {
        match colour {
            Some(colour) => Self(colour.field()),
            None => Self(ONES & (CardKind::Locomotive.field() - 1)),
        }
    }

    /// All that is there for the colours of which a hand has at least `count` cards; none if there is no
    /// such colour.
    #[inline]
    pub(crate) const fn with_at_least(self, hand: Cards, count: u8) -> Option<Self> {
        let enough = ((hand.0 | GUARDS) - ONES * count as u64) & GUARDS & (CardKind::Locomotive.field() - 1);
        let [guards, low_bits] = [enough, enough - (enough >> (BITS - 1))];
        if enough == 0 { None } else { Some(Self(self.0 & (guards | low_bits))) }
    }

    /// The number of a colour.
    #[inline]
    pub(crate) const fn of(self, colour: CardKind) -> u32 {
        (self.0 >> (colour as usize * BITS) & FIELD) as u32
    }

    /// All together.
    #[inline]
    pub(crate) const fn total(self) -> u32 {
        // The sums need more than seven bits: pairs have room for fourteen.
        let pairs = (self.0 & EVEN) + (self.0 >> BITS & EVEN);
        (pairs.wrapping_mul(EVEN_ONES) >> (6 * BITS)) as u32 & 0x3fff
    }

    /// The colour and the place within its number, when all are counted through colour by colour; `n` is
    /// below [`Self::total`], and that at most [`Self::MAX`].
    #[inline]
    pub(crate) const fn nth(self, n: u32) -> (CardKind, u32) {
        debug_assert!(n < self.total() && self.total() as usize <= Self::MAX);
        let (colour, place) = Cards(self.0).nth_with_place(n as u8);
        (colour, place as u32)
    }

    /// As [`Self::nth`], for any total.
    #[inline(never)]
    pub(crate) fn nth_of_many(self, mut n: u32) -> (CardKind, u32) {
        for colour in CardKind::COLOURS {
            let here = self.of(colour);
            if n < here {
                return (colour, n);
            }
            n -= here;
        }
        unreachable!("n is below the total")
    }
}

impl Add for PerColour {
    type Output = Self;
    #[inline]
    fn add(self, rhs: Self) -> Self {
        Self(self.0 + rhs.0)
    }
}

impl AddAssign for PerColour {
    #[inline]
    fn add_assign(&mut self, rhs: Self) {
        self.0 += rhs.0;
    }
}

impl Sub for PerColour {
    type Output = Self;
    #[inline]
    fn sub(self, rhs: Self) -> Self {
        Self(self.0 - rhs.0)
    }
}

impl SubAssign for PerColour {
    #[inline]
    fn sub_assign(&mut self, rhs: Self) {
        self.0 -= rhs.0;
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::any_cards;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_of_colours(hand in any_cards(), other in any_cards()) {
            let numbers = PerColour(hand.0 & (CardKind::Locomotive.field() - 1));
            prop_assert_eq!(numbers.total(), u32::from(hand.total() - hand.locomotives()));
            for n in 0..numbers.total() {
                let (colour, place) = numbers.nth(n);
                prop_assert!(place < numbers.of(colour));
                prop_assert_eq!(numbers.nth_of_many(n), (colour, place));
            }
            for least in 1..16 {
                let expected = CardKind::COLOURS
                    .into_iter()
                    .filter(|&colour| other.count(colour) >= least)
                    .map(|colour| numbers.of(colour))
                    .reduce(|a, b| a + b);
                prop_assert_eq!(numbers.with_at_least(other, least).map(PerColour::total), expected);
            }
        }
    }
}
