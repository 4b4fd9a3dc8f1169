//! Train cards: their kinds, and multisets of them packed into one machine word.

mod colours;
mod kind;
mod totals;

use std::fmt;
use std::ops::{Add, AddAssign, Sub, SubAssign};

use serde::{Deserialize, Serialize};

pub(crate) use colours::{ColourSet, PerColour};
pub use kind::CardKind;
pub(crate) use totals::RunningTotals;

/// A multiset of train cards.
///
/// Nine counters of seven bits in one word: adding and subtracting multisets is adding and
/// subtracting words. A counter holds at most [`Cards::MAX_OF_KIND`] (its top bit is the guard that makes
/// comparison a subtraction) and all together at most [`Cards::MAX_TOTAL`] (so that one multiplication
/// yields the total).
///
/// ```
/// use ttr_engine::{CardKind, Cards};
/// let hand = Cards::of(CardKind::Red, 3) + Cards::of(CardKind::Locomotive, 1);
/// assert_eq!(hand.total(), 4);
/// assert!(hand.contains(Cards::of(CardKind::Red, 2)));
/// assert!(!hand.contains(Cards::of(CardKind::Blue, 1)));
/// assert_eq!(hand.to_string(), "red*3 locomotive*1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Cards(u64);

const BITS: usize = 7;
const ONES: u64 = {
    let mut word = 0;
    let mut kind = 0;
    while kind < 9 {
        word |= 1 << (kind * BITS);
        kind += 1;
    }
    word
};
const GUARDS: u64 = ONES << (BITS - 1);
const FIELD: u64 = (1 << BITS) - 1;
const ALL_BITS: u64 = ONES * FIELD;

impl Cards {
    /// Most cards of one kind that a multiset can hold.
    pub const MAX_OF_KIND: u8 = 63;
    /// Most cards that a multiset can hold.
    pub const MAX_TOTAL: u8 = 127;
    /// No cards.
    pub const EMPTY: Self = Self(0);

    /// `count` cards of one kind.
    #[inline]
    pub const fn of(kind: CardKind, count: u8) -> Self {
        debug_assert!(count <= Self::MAX_OF_KIND);
        Self((count as u64) << (kind as usize * BITS))
    }

    /// From the counts in the order of [`CardKind::ALL`].
    pub fn from_counts(counts: [u8; 9]) -> Self {
        CardKind::ALL.into_iter().fold(Self::EMPTY, |all, kind| all + Self::of(kind, counts[kind.index()]))
    }

    /// The packed form, for places where a word would be badly aligned.
    #[inline]
    pub(crate) const fn to_bytes(self) -> [u8; 8] {
        self.0.to_le_bytes()
    }

    /// The opposite of [`Cards::to_bytes`].
    #[inline]
    pub(crate) const fn from_bytes(bytes: [u8; 8]) -> Self {
        Self(u64::from_le_bytes(bytes))
    }

    /// The counts in the order of [`CardKind::ALL`].
    #[inline]
    pub fn counts(self) -> [u8; 9] {
        // Eight fields of seven bits become bytes: they move apart by halves, quarters and eighths.
        let word = self.0 & 0x0fff_ffff | (self.0 & 0x00ff_ffff_f000_0000) << 4;
        let word = word & 0x0000_3fff_0000_3fff | (word & 0x0fff_c000_0fff_c000) << 2;
        let word = word & 0x007f_007f_007f_007f | (word & 0x3f80_3f80_3f80_3f80) << 1;
        let [a, b, c, d, e, f, g, h] = word.to_le_bytes();
        [a, b, c, d, e, f, g, h, (self.0 >> (8 * BITS)) as u8]
    }

    /// Number of cards of a kind.
    #[inline]
    pub const fn count(self, kind: CardKind) -> u8 {
        (self.0 >> (kind as usize * BITS) & FIELD) as u8
    }

    /// Number of locomotives.
    #[inline]
    pub const fn locomotives(self) -> u8 {
        self.count(CardKind::Locomotive)
    }

    /// Number of cards in all.
    #[inline]
    pub const fn total(self) -> u8 {
        (self.0.wrapping_mul(ONES) >> (8 * BITS) & FIELD) as u8
    }

    /// Whether there is no card.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether all of `other` is among these cards.
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        ((self.0 | GUARDS) - other.0) & GUARDS == GUARDS
    }

    /// Number of kinds of which there is at least one card.
    #[inline]
    pub const fn kinds(self) -> usize {
        // Adding 63 to a counter sets its guard exactly if the counter is not 0.
        ((self.0 + (GUARDS - ONES)) & GUARDS).count_ones() as usize
    }

    /// The colours of which there are at least `count` cards.
    #[inline]
    pub(crate) const fn colours_with(self, count: u8) -> ColourSet {
        // A guard bit that survives marks a counter that is large enough. The multiplication gathers the
        // guards of the eight colours in the top byte, the first colour highest; no two of its summands
        // share a bit.
        let enough = ((self.0 | GUARDS) - ONES * count as u64) & GUARDS & (CardKind::Locomotive.field() - 1);
        ColourSet::from_index((enough.wrapping_mul(0x0202_0202_0202_0202) >> 56) as u8)
    }

    /// The n-th of the kinds of which there is at least one card.
    #[inline]
    pub(crate) const fn nth_kind(self, n: u32) -> CardKind {
        let mut present = (self.0 + (GUARDS - ONES)) & GUARDS;
        let mut skip = n;
        while skip > 0 {
            present &= present - 1;
            skip -= 1;
        }
        CardKind::from_index(present.trailing_zeros() as usize / BITS)
    }

    /// As [`Cards::nth_kind`], as a multiset of one card of that kind.
    #[inline]
    pub(crate) const fn nth_kind_as_one(self, n: u32) -> Self {
        debug_assert!((n as usize) < self.kinds());
        // Running totals of at most nine kinds leave room for the guards.
        let kinds = self.one_of_each().0.wrapping_mul(ONES);
        let beyond = ((kinds | GUARDS) - (n as u64 + 1) * ONES) & GUARDS;
        Self((beyond & beyond.wrapping_neg()) >> (BITS - 1))
    }

    /// The colours of which there is at least one card, with their counts.
    #[inline]
    pub fn colours(self) -> impl Iterator<Item = (CardKind, u8)> {
        Self(self.0 & (CardKind::Locomotive.field() - 1)).iter()
    }

    /// Adds one card.
    #[inline]
    pub const fn insert(&mut self, kind: CardKind) {
        self.0 += 1 << (kind as usize * BITS);
    }

    /// Takes one card out.
    #[inline]
    pub const fn remove(&mut self, kind: CardKind) {
        debug_assert!(self.count(kind) > 0);
        self.0 -= 1 << (kind as usize * BITS);
    }

    /// These cards without `other`, as far as they are there.
    #[inline]
    pub const fn saturating_sub(self, other: Self) -> Self {
        // A guard bit that survives marks a counter that did not run below zero.
        let difference = (self.0 | GUARDS) - other.0;
        let kept = difference & GUARDS;
        let mask = kept - (kept >> (BITS - 1));
        Self(difference & mask)
    }

    /// For each kind the larger of the two counts.
    #[inline]
    pub const fn union(self, other: Self) -> Self {
        Self(self.saturating_sub(other).0 + other.0)
    }

    /// For each kind the smaller of the two counts.
    #[inline]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 - self.saturating_sub(other).0)
    }

    /// One card of each kind that is there.
    #[inline]
    pub const fn one_of_each(self) -> Self {
        Self(((self.0 + (GUARDS - ONES)) & GUARDS) >> (BITS - 1))
    }

    /// `count` cards of every kind. Only counters are compared with it: it has no total.
    #[inline]
    pub(crate) const fn of_each(count: u8) -> Self {
        Self(ONES * count as u64)
    }

    /// The cards of those kinds of which `kinds` has one.
    #[inline]
    pub(crate) const fn only(self, kinds: Self) -> Self {
        Self(self.0 & ((kinds.0 << (BITS - 1)) - kinds.0))
    }

    /// The cards of this kind and of those after it in [`CardKind::ALL`].
    #[inline]
    pub(crate) const fn at_or_after(self, kind: CardKind) -> Self {
        Self(self.0 & !(kind.field() - 1))
    }

    /// The card at position `n` when the cards lie sorted by kind.
    ///
    /// `n` must be below [`Cards::total`]. Drawing from a shuffled pile is this at a random position.
    #[inline]
    pub const fn nth(self, n: u8) -> CardKind {
        debug_assert!(n < self.total());
        CardKind::from_index(self.beyond(n).trailing_zeros() as usize / BITS)
    }

    /// As [`Cards::nth`], as a multiset of that card alone.
    #[inline]
    pub(crate) const fn nth_as_one(self, n: u8) -> Self {
        debug_assert!(n < self.total());
        let beyond = self.beyond(n);
        Self(beyond & beyond.wrapping_neg())
    }

    /// As [`Cards::nth`], with the number of cards of that kind that lie before it.
    #[inline]
    pub(crate) const fn nth_with_place(self, n: u8) -> (CardKind, u8) {
        debug_assert!(n < self.total());
        let place = self.beyond(n).trailing_zeros();
        let before = (self.0.wrapping_mul(ONES) << BITS >> place & FIELD) as u8;
        (CardKind::from_index(place as usize / BITS), n - before)
    }

    /// A bit for each kind up to which there are more than `n` cards.
    #[inline]
    const fn beyond(self, n: u8) -> u64 {
        beyond(self.0.wrapping_mul(ONES), n)
    }

    /// The kinds of which there is at least one card, with their counts.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = (CardKind, u8)> {
        let mut present = (self.0 + (GUARDS - ONES)) & GUARDS;
        std::iter::from_fn(move || {
            if present == 0 {
                return None;
            }
            let kind = CardKind::from_index(present.trailing_zeros() as usize / BITS);
            present &= present - 1;
            Some((kind, self.count(kind)))
        })
    }
}

/// A bit for each counter that is beyond `n`, if they never fall from one to the next.
#[inline]
const fn beyond(sums: u64, n: u8) -> u64 {
    // Where one is beyond n, adding 127 - n carries into the next counter; so do all that follow.
    let rest = (n as u64 ^ FIELD) * ONES;
    let carries = sums.wrapping_add(rest) ^ sums ^ rest;
    carries >> BITS & ONES
}

impl Add for Cards {
    type Output = Self;
    #[inline]
    fn add(self, rhs: Self) -> Self {
        Self(self.0 + rhs.0)
    }
}

impl AddAssign for Cards {
    #[inline]
    fn add_assign(&mut self, rhs: Self) {
        self.0 += rhs.0;
    }
}

impl Sub for Cards {
    type Output = Self;
    #[inline]
    fn sub(self, rhs: Self) -> Self {
        debug_assert!(self.contains(rhs), "{self} does not contain {rhs}");
        Self(self.0 - rhs.0)
    }
}

impl SubAssign for Cards {
    #[inline]
    fn sub_assign(&mut self, rhs: Self) {
        *self = *self - rhs;
    }
}

impl FromIterator<CardKind> for Cards {
    fn from_iter<I: IntoIterator<Item = CardKind>>(kinds: I) -> Self {
        let mut cards = Self::EMPTY;
        for kind in kinds {
            cards.insert(kind);
        }
        cards
    }
}

impl fmt::Display for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("none");
        }
        for (i, (kind, count)) in self.iter().enumerate() {
            let space = if i > 0 { " " } else { "" };
            write!(f, "{space}{kind}*{count}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

impl Serialize for Cards {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_map(self.iter())
        } else {
            self.0.serialize(serializer)
        }
    }
}

/// Reads what is written for programs, in which the counts share a number.
impl<'de> Deserialize<'de> for Cards {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = u64::deserialize(deserializer)?;
        let counts = std::array::from_fn::<_, 9, _>(|kind| word >> (kind * BITS) & FIELD);
        let fits = word & (GUARDS | !ALL_BITS) == 0 && counts.iter().sum::<u64>() <= Self::MAX_TOTAL.into();
        if fits { Ok(Self(word)) } else { Err(serde::de::Error::custom("too many cards")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    pub(super) fn any_cards() -> impl Strategy<Value = Cards> {
        proptest::array::uniform9(0u8..=14).prop_map(Cards::from_counts)
    }

    #[test]
    fn nth_at_the_limits() {
        let cards = Cards::from_counts([63, 0, 0, 0, 0, 0, 0, 1, 63]);
        assert_eq!(cards.total(), 127);
        assert_eq!(cards.nth(0), CardKind::Purple);
        assert_eq!(cards.nth(62), CardKind::Purple);
        assert_eq!(cards.nth(63), CardKind::Red);
        assert_eq!(cards.nth(64), CardKind::Locomotive);
        assert_eq!(cards.nth(126), CardKind::Locomotive);
    }

    proptest! {
        #[test]
        fn counts_round_trip(counts in proptest::array::uniform9(0u8..=14)) {
            let cards = Cards::from_counts(counts);
            prop_assert_eq!(cards.counts(), counts);
            prop_assert_eq!(cards.total(), counts.iter().sum::<u8>());
            let colours: Vec<_> = cards.iter().filter(|(kind, _)| *kind != CardKind::Locomotive).collect();
            prop_assert_eq!(cards.colours().collect::<Vec<_>>(), colours);
            prop_assert_eq!(cards.kinds(), counts.iter().filter(|&&count| count > 0).count());
            for (n, (kind, _)) in cards.iter().enumerate() {
                prop_assert_eq!(cards.nth_kind(n as u32), kind);
                prop_assert_eq!(cards.nth_kind_as_one(n as u32), Cards::of(kind, 1));
            }
            for least in 0..16 {
                let with = cards.colours_with(least);
                let expected: Vec<_> =
                    CardKind::COLOURS.into_iter().filter(|&colour| cards.count(colour) >= least).collect();
                prop_assert_eq!(with.iter().collect::<Vec<_>>(), expected);
                prop_assert_eq!(with.len() as usize, with.iter().count());
                prop_assert!(CardKind::COLOURS.iter().all(|&c| with.contains(c) == (cards.count(c) >= least)));
            }
        }

        #[test]
        fn nth_is_the_sorted_order(cards in any_cards()) {
            let sorted: Vec<_> =
                cards.iter().flat_map(|(kind, count)| std::iter::repeat_n(kind, count.into())).collect();
            for (n, &kind) in sorted.iter().enumerate() {
                prop_assert_eq!(cards.nth(n as u8), kind);
                prop_assert_eq!(cards.nth_as_one(n as u8), Cards::of(kind, 1));
                let before = sorted[..n].iter().filter(|&&other| other == kind).count();
                prop_assert_eq!(cards.nth_with_place(n as u8), (kind, before as u8));
            }
        }

        #[test]
        fn algebra_is_per_kind(a in any_cards(), b in any_cards()) {
            let by_kind = |f: fn(u8, u8) -> u8| {
                let (a, b) = (a.counts(), b.counts());
                std::array::from_fn(|i| f(a[i], b[i]))
            };
            prop_assert_eq!(a.saturating_sub(b).counts(), by_kind(u8::saturating_sub));
            prop_assert_eq!(a.union(b).counts(), by_kind(u8::max));
            prop_assert_eq!(a.intersection(b).counts(), by_kind(u8::min));
            prop_assert_eq!(a.one_of_each().counts(), by_kind(|a, _| a.min(1)));
            let contains = a.counts().iter().zip(b.counts()).all(|(&a, b)| a >= b);
            prop_assert_eq!(a.contains(b), contains);
        }
    }
}
