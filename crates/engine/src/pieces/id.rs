//! Small indices for the cities, routes and tickets of a game, and bitsets of them.
//!
//! An `XId` is an index into the compiled tables of one game; an `XSet` is a set of such indices in one
//! machine word or two, so that set algebra is a handful of instructions and states stay small.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::bits::select;

macro_rules! id_and_set {
    ($id:ident, $set:ident, $word:ty, $what:literal) => {
        #[doc = concat!("Index of a ", $what, " of a compiled game, below [`", stringify!($set), "::CAPACITY`].")]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "u8", into = "u8")]
        pub struct $id(u8);

        impl $id {
            /// The id of an index.
            ///
            /// # Panics
            #[doc = concat!("If it is not below [`", stringify!($set), "::CAPACITY`]: see [`", stringify!($id), "::try_from`].")]
            #[inline]
            pub const fn new(index: usize) -> Self {
                assert!(index < $set::CAPACITY, concat!($what, " ids are below the capacity of their sets"));
                Self(index as u8)
            }

            /// The index, for looking things up in a table.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of an index that is known to be small enough.
            #[inline]
            pub(crate) const fn from_u8(index: u8) -> Self {
                debug_assert!((index as usize) < $set::CAPACITY);
                Self(index)
            }

            /// The index as a byte.
            #[inline]
            pub(crate) const fn to_u8(self) -> u8 {
                self.0
            }
        }

        impl TryFrom<usize> for $id {
            type Error = IdOutOfRange;

            fn try_from(index: usize) -> Result<Self, IdOutOfRange> {
                if index < $set::CAPACITY {
                    return Ok(Self(index as u8));
                }
                Err(IdOutOfRange { what: $what, index, capacity: $set::CAPACITY })
            }
        }

        impl TryFrom<u8> for $id {
            type Error = IdOutOfRange;

            fn try_from(index: u8) -> Result<Self, IdOutOfRange> {
                Self::try_from(usize::from(index))
            }
        }

        impl From<$id> for u8 {
            fn from(id: $id) -> Self {
                id.0
            }
        }

        impl From<$id> for usize {
            fn from(id: $id) -> Self {
                id.index()
            }
        }

        impl fmt::Debug for $id {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($what, "#{}"), self.0)
            }
        }

        #[doc = concat!("A set of [`", stringify!($id), "`]s, as bits.")]
        ///
        /// ```
        #[doc = concat!("use ttr_engine::{", stringify!($id), ", ", stringify!($set), "};")]
        #[doc = concat!("let [a, b] = [[1, 2, 5], [2, 5, 7]].map(|ids| ids.map(", stringify!($id), "::new));")]
        #[doc = concat!("let [a, b] = [a, b].map(|ids| ids.into_iter().collect::<", stringify!($set), ">());")]
        /// assert_eq!((a.len(), (a | b).len(), (a & b).len(), (a - b).len()), (3, 4, 2, 1));
        #[doc = concat!("assert!(a.contains(", stringify!($id), "::new(5)) && !a.is_subset(b));")]
        #[doc = concat!("assert_eq!((a - b).lowest(), Some(", stringify!($id), "::new(1)));")]
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub struct $set(pub(crate) $word);

        impl $set {
            /// Number of different ids; all are below this.
            pub const CAPACITY: usize = <$word>::BITS as usize;
            /// The set without members.
            pub const EMPTY: Self = Self(0);

            /// The set of the first `n` ids.
            pub const fn first(n: usize) -> Self {
                assert!(n <= Self::CAPACITY);
                if n == Self::CAPACITY { Self(<$word>::MAX) } else { Self((1 << n) - 1) }
            }

            /// The set with one member.
            #[inline]
            pub const fn only(id: $id) -> Self {
                Self(1 << id.0)
            }

            /// Whether the set has no member.
            #[inline]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// The number of members.
            #[inline]
            pub const fn len(self) -> usize {
                self.0.count_ones() as usize
            }

            /// Whether `id` is a member.
            #[inline]
            pub const fn contains(self, id: $id) -> bool {
                self.0 >> id.0 & 1 != 0
            }

            /// Adds `id`.
            #[inline]
            pub const fn insert(&mut self, id: $id) {
                self.0 |= 1 << id.0;
            }

            /// Takes `id` out, if it is there.
            #[inline]
            pub const fn remove(&mut self, id: $id) {
                self.0 &= !(1 << id.0);
            }

            /// The member with the smallest index.
            #[inline]
            pub const fn lowest(self) -> Option<$id> {
                if self.0 == 0 { None } else { Some($id(self.0.trailing_zeros() as u8)) }
            }

            /// The member with the largest index.
            #[inline]
            #[must_use]
            pub const fn highest(self) -> Option<$id> {
                if self.is_empty() { None } else { Some($id(self.0.ilog2() as u8)) }
            }

            /// The member that has exactly `n` smaller ones.
            #[inline]
            pub const fn nth(self, n: usize) -> Option<$id> {
                if n < self.len() { Some(self.member(n as u32)) } else { None }
            }

            /// The member that has exactly `n` smaller ones, which is below [`Self::len`].
            #[inline]
            pub(crate) const fn member(self, n: u32) -> $id {
                let (low, high) = (self.0 as u64, (self.0 as u128 >> 64) as u64);
                let below = low.count_ones();
                let (word, n, base) = if n < below { (low, n, 0) } else { (high, n - below, 64) };
                $id((base + select(word, n)) as u8)
            }

            /// The members, smallest index first.
            #[inline]
            pub const fn iter(self) -> Members<Self> {
                Members(self)
            }

            /// Whether every member is in `other` too.
            #[inline]
            pub const fn is_subset(self, other: Self) -> bool {
                self.0 & !other.0 == 0
            }

            /// Whether the two sets share a member.
            #[inline]
            pub const fn intersects(self, other: Self) -> bool {
                self.0 & other.0 != 0
            }
        }

        impl std::ops::BitOr for $set {
            type Output = Self;
            #[inline]
            fn bitor(self, rhs: Self) -> Self {
                Self(self.0 | rhs.0)
            }
        }

        impl std::ops::BitOrAssign for $set {
            #[inline]
            fn bitor_assign(&mut self, rhs: Self) {
                self.0 |= rhs.0;
            }
        }

        impl std::ops::BitAnd for $set {
            type Output = Self;
            #[inline]
            fn bitand(self, rhs: Self) -> Self {
                Self(self.0 & rhs.0)
            }
        }

        impl std::ops::Sub for $set {
            type Output = Self;
            #[inline]
            fn sub(self, rhs: Self) -> Self {
                Self(self.0 & !rhs.0)
            }
        }

        impl std::ops::BitAndAssign for $set {
            #[inline]
            fn bitand_assign(&mut self, rhs: Self) {
                self.0 &= rhs.0;
            }
        }

        impl std::ops::SubAssign for $set {
            #[inline]
            fn sub_assign(&mut self, rhs: Self) {
                self.0 &= !rhs.0;
            }
        }

        impl Extend<$id> for $set {
            fn extend<I: IntoIterator<Item = $id>>(&mut self, ids: I) {
                ids.into_iter().for_each(|id| self.insert(id));
            }
        }

        /// A list of indices.
        impl Serialize for $set {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(self.iter())
            }
        }

        impl<'de> Deserialize<'de> for $set {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Ok(Vec::<$id>::deserialize(deserializer)?.into_iter().collect())
            }
        }

        impl FromIterator<$id> for $set {
            fn from_iter<I: IntoIterator<Item = $id>>(ids: I) -> Self {
                let mut set = Self::EMPTY;
                for id in ids {
                    set.insert(id);
                }
                set
            }
        }

        impl IntoIterator for $set {
            type Item = $id;
            type IntoIter = Members<$set>;
            #[inline]
            fn into_iter(self) -> Members<$set> {
                Members(self)
            }
        }

        impl Iterator for Members<$set> {
            type Item = $id;
            #[inline]
            fn next(&mut self) -> Option<$id> {
                let id = self.0.lowest()?;
                self.0.0 &= self.0.0 - 1;
                Some(id)
            }
            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.0.len(), Some(self.0.len()))
            }
            /// Word by word: what `for_each` walks is cheaper than a loop over `next`.
            #[inline(always)]
            fn fold<B, F: FnMut(B, $id) -> B>(self, init: B, mut f: F) -> B {
                let mut folded = init;
                let words = [self.0.0 as u64, (self.0.0 as u128 >> 64) as u64];
                for (base, mut word) in [0, 64].into_iter().zip(words) {
                    while word != 0 {
                        folded = f(folded, $id(base + word.trailing_zeros() as u8));
                        word &= word - 1;
                    }
                }
                folded
            }
        }

        impl ExactSizeIterator for Members<$set> {}

        impl fmt::Debug for $set {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_set().entries(self.into_iter().map(|id| id.0)).finish()
            }
        }
    };
}

/// An index that no id can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what} {index} is not below {capacity}")]
pub struct IdOutOfRange {
    pub(super) what: &'static str,
    pub(super) index: usize,
    pub(super) capacity: usize,
}

/// Iterator over the members of a set, smallest index first.
#[derive(Clone, Copy, Debug)]
pub struct Members<S>(S);

id_and_set!(CityId, CitySet, u64, "city");
id_and_set!(RouteId, RouteSet, u128, "route");
id_and_set!(TicketId, TicketSet, u128, "ticket");

impl TicketSet {
    /// As [`TicketSet::member`], as a set of that member alone.
    #[inline]
    pub(crate) const fn member_as_set(self, n: u32) -> Self {
        let (low, high) = (self.0 as u64, (self.0 >> 64) as u64);
        let below = low.count_ones();
        if n < below {
            Self(1u64.wrapping_shl(select(low, n)) as u128)
        } else {
            Self((1u64.wrapping_shl(select(high, n - below)) as u128) << 64)
        }
    }

    /// The members of which a bit is set in `which`, the bit of the smallest one being the lowest.
    #[inline]
    pub(crate) fn pick(self, which: u8) -> Self {
        let mut which = u64::from(which);
        let [low, high] = [self.0 as u64, (self.0 >> 64) as u64].map(|mut rest| {
            let mut picked = 0;
            while rest != 0 {
                let member = rest & rest.wrapping_neg();
                picked |= member & (which & 1).wrapping_neg();
                rest ^= member;
                which >>= 1;
            }
            picked
        });
        Self(u128::from(low) | u128::from(high) << 64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec;

    #[test]
    fn nth_agrees_with_iteration() {
        let set: TicketSet = [0, 1, 7, 8, 63, 64, 65, 100, 127].map(TicketId::new).into_iter().collect();
        let members: Vec<_> = set.into_iter().collect();
        for (n, &id) in members.iter().enumerate() {
            assert_eq!(set.nth(n), Some(id));
            assert_eq!(set.member_as_set(n as u32), TicketSet::only(id));
        }
        assert_eq!(set.nth(members.len()), None);
        assert_eq!(TicketSet::EMPTY.nth(0), None);
        let picked: TicketSet = [0, 7, 8, 64].map(TicketId::new).into_iter().collect();
        assert_eq!(set.pick(0b0010_1101), picked);
    }

    #[test]
    fn sets_survive_serde_and_reject_what_they_cannot_hold() {
        let set: CitySet = [3, 0, 63].map(CityId::new).into_iter().collect();
        assert_eq!(serde_json::to_string(&set).unwrap(), "[0,3,63]");
        assert_eq!(serde_json::from_str::<CitySet>("[63,0,3]").unwrap(), set);
        let error = serde_json::from_str::<CitySet>("[64]").unwrap_err().to_string();
        assert!(error.contains("city 64 is not below 64"), "{error}");
    }

    #[test]
    fn ids_beyond_their_sets_do_not_exist() {
        assert_eq!(RouteId::try_from(127usize), Ok(RouteId::new(127)));
        let error = RouteId::try_from(128usize).unwrap_err();
        assert_eq!(error.to_string(), "route 128 is not below 128");
        assert!(CityId::try_from(64u8).is_err() && std::panic::catch_unwind(|| TicketId::new(128)).is_err());
        assert_eq!(codec::decode(&[127]), Ok(RouteId::new(127)));
        assert!(codec::decode::<RouteId>(&[128]).is_err(), "no record can name it either");
        assert_eq!(codec::encode(&CityId::new(63)), [63]);
    }

    #[test]
    fn operators_agree() {
        let [a, b] =
            [[1, 2, 64], [2, 64, 100]].map(|ids| ids.map(RouteId::new).into_iter().collect::<RouteSet>());
        let (mut and, mut less, mut all) = (a, a, a);
        and &= b;
        less -= b;
        all.extend(b);
        assert_eq!((and, less, all), (a & b, a - b, a | b));
        assert!(all.iter().eq([1, 2, 64, 100].map(RouteId::new)));
    }

    #[test]
    fn first_is_full_at_capacity() {
        assert_eq!(CitySet::first(64).len(), 64);
        assert_eq!(CitySet::first(0), CitySet::EMPTY);
        assert!(CitySet::first(3).contains(CityId::new(2)));
        assert!(!CitySet::first(3).contains(CityId::new(3)));
    }
}
