//! Cards that are drawn one after the other.

use std::ops::Sub;

use super::{ALL_BITS, BITS, Cards, ONES, beyond};

/// A multiset as running totals: how many cards there are up to each kind.
///
/// Cards that are drawn one after the other are found and taken out without adding up again: the n-th card
/// is one less in all totals that are beyond n.
#[derive(Clone, Copy)]
pub(crate) struct RunningTotals(u64);

impl RunningTotals {
    #[inline]
    pub(crate) const fn of(cards: Cards) -> Self {
        Self(cards.0.wrapping_mul(ONES) & ALL_BITS)
    }

    /// Number of cards in all.
    #[inline]
    pub(crate) const fn total(self) -> u8 {
        (self.0 >> (8 * BITS)) as u8
    }

    /// Takes out the card that has exactly `n` before it, which is below [`Self::total`].
    #[inline]
    pub(crate) const fn take_nth(&mut self, n: u8) {
        debug_assert!(n < self.total());
        self.0 -= beyond(self.0, n);
    }

    #[inline]
    pub(crate) const fn cards(self) -> Cards {
        Cards(self.0.wrapping_sub(self.0 << BITS) & ALL_BITS)
    }
}

impl Sub for RunningTotals {
    type Output = Self;
    #[inline]
    fn sub(self, rhs: Self) -> Self {
        Self(self.0 - rhs.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::any_cards;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn running_totals_are_the_cards(cards in any_cards(), seed: u64) {
            let all = RunningTotals::of(cards);
            let (mut totals, mut rest) = (all, cards);
            for draw in 0..cards.total() {
                prop_assert_eq!((totals.cards(), totals.total()), (rest, rest.total()));
                let n = (seed.wrapping_mul(2 * u64::from(draw) + 1) >> 32) as u8 % rest.total();
                totals.take_nth(n);
                rest -= rest.nth_as_one(n);
            }
            prop_assert_eq!((totals.cards(), (all - totals).cards()), (Cards::EMPTY, cards));
        }
    }
}
