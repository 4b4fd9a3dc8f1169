//! Where each of up to 128 things is, when every thing is in exactly one of a few places.

use serde::{Deserialize, Serialize};

use super::array;

/// A function from ids below 128 to places below `2^PLANES`, stored as bit planes.
///
/// The set of things in one place is a few logical instructions on whole planes, a thing can't be in two
/// places, and five seats' routes take 48 bytes instead of 96.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct Places<const PLANES: usize>(#[serde(with = "array")] [PlaneWord; PLANES]);

type PlaneWord = [u64; 2];

#[inline]
fn word(plane: PlaneWord) -> u128 {
    u128::from(plane[0]) | u128::from(plane[1]) << 64
}

impl<const PLANES: usize> Places<PLANES> {
    /// Everything at place 0.
    pub(crate) fn new() -> Self {
        Self([[0; 2]; PLANES])
    }

    /// All things at a place.
    #[inline]
    pub(crate) fn at(&self, place: u8) -> u128 {
        let mut elsewhere = [0; 2];
        for (bit, plane) in self.0.iter().enumerate() {
            let here = u64::from(place >> bit & 1).wrapping_neg();
            elsewhere[0] |= plane[0] ^ here;
            elsewhere[1] |= plane[1] ^ here;
        }
        !word(elsewhere)
    }

    /// All things at places that have all the bits of `bits`.
    #[inline]
    pub(crate) fn with_bits(&self, bits: u8) -> u128 {
        let mut members = u128::MAX;
        for (bit, &plane) in self.0.iter().enumerate() {
            if bits >> bit & 1 != 0 {
                members &= word(plane);
            }
        }
        members
    }

    /// All things that are not at place 0.
    #[inline]
    pub(crate) fn placed(&self) -> u128 {
        self.0.iter().fold(0, |members, &plane| members | word(plane))
    }

    /// The place of one thing.
    #[inline]
    pub(crate) fn of(&self, id: u8) -> u8 {
        let (half, shift) = (usize::from(id >> 6), id & 63);
        let mut place = 0;
        for (bit, plane) in self.0.iter().enumerate() {
            place |= ((plane[half] >> shift & 1) as u8) << bit;
        }
        place
    }

    /// Moves one thing.
    #[inline]
    pub(crate) fn put(&mut self, id: u8, place: u8) {
        let (half, shift) = (usize::from(id >> 6), id & 63);
        for (bit, plane) in self.0.iter_mut().enumerate() {
            plane[half] = plane[half] & !(1 << shift) | u64::from(place >> bit & 1) << shift;
        }
    }

    /// Moves one thing away from place 0.
    #[inline(always)]
    pub(crate) fn place(&mut self, id: u8, place: u8) {
        debug_assert_eq!(self.of(id), 0, "it is placed already");
        let (half, shift) = (usize::from(id >> 6), id & 63);
        for (bit, plane) in self.0.iter_mut().enumerate() {
            plane[half] |= u64::from(place >> bit & 1) << shift;
        }
    }

    /// Moves many things out of the place where they all are.
    #[inline]
    pub(crate) fn transfer(&mut self, ids: u128, from: u8, to: u8) {
        debug_assert_eq!(ids & !self.at(from), 0, "not all are at {from}");
        for (bit, plane) in self.0.iter_mut().enumerate() {
            if (from ^ to) >> bit & 1 != 0 {
                plane[0] ^= ids as u64;
                plane[1] ^= (ids >> 64) as u64;
            }
        }
    }

    /// Moves many things.
    #[inline]
    pub(crate) fn put_all(&mut self, ids: u128, place: u8) {
        let halves = [ids as u64, (ids >> 64) as u64];
        for (bit, plane) in self.0.iter_mut().enumerate() {
            for (half, ids) in plane.iter_mut().zip(halves) {
                *half = if place >> bit & 1 != 0 { *half | ids } else { *half & !ids };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn behaves_like_an_array(moves in proptest::collection::vec((0u8..128, 0u8..8), 0..300)) {
            let mut places = Places::<3>::new();
            let mut model = [0u8; 128];
            for (id, place) in moves {
                places.put(id, place);
                model[id as usize] = place;
            }
            for place in 0..8 {
                let expected = (0..128).filter(|&id| model[id] == place).fold(0, |set, id| set | 1u128 << id);
                prop_assert_eq!(places.at(place), expected);
            }
            for id in 0..128u8 {
                prop_assert_eq!(places.of(id), model[id as usize]);
            }
            if let Some(id) = (0..128).find(|&id| places.of(id) == 0) {
                let [mut one, mut other] = [places; 2];
                one.put(id, 6);
                other.place(id, 6);
                prop_assert_eq!(one, other);
            }
            let mut moved = places;
            moved.put_all(places.at(3), 5);
            prop_assert_eq!(moved.at(3), 0);
            prop_assert_eq!(moved.at(5), places.at(5) | places.at(3));
            let mut transferred = places;
            transferred.transfer(places.at(3), 3, 5);
            prop_assert_eq!(transferred, moved);
            prop_assert_eq!(places.placed(), !places.at(0));
            prop_assert_eq!(places.with_bits(6), places.at(6) | places.at(7));
        }
    }
}
