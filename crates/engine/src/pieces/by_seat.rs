//! One value per seat.

use std::fmt;
use std::ops::{Deref, DerefMut};

use arrayvec::ArrayVec;
use serde::{Serialize, Serializer};

use super::{MAX_SEATS, Seat};

/// One value per seat at the table, in the order of the seats. It is a slice, and is indexed by [`Seat`].
///
/// ```
/// use ttr_engine::{BySeat, Seat};
/// let mut points: BySeat<i16> = [31, 45, 12].into_iter().collect();
/// points[Seat::new(2)] += 20;
/// assert_eq!((points.len(), points[Seat::new(2)]), (3, 32));
/// assert_eq!(points.enumerate().max_by_key(|&(_, points)| points), Some((Seat::new(1), &45)));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BySeat<T>(ArrayVec<T, MAX_SEATS>);

impl<T> BySeat<T> {
    /// The values from seat 0 on.
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }

    /// The seats with their values.
    pub fn enumerate(&self) -> impl DoubleEndedIterator<Item = (Seat, &T)> + ExactSizeIterator {
        Seat::all(self.len()).zip(&self.0)
    }
}

impl<T> Deref for BySeat<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for BySeat<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

/// The values from seat 0 on.
///
/// # Panics
/// If there are more than [`MAX_SEATS`].
impl<T> FromIterator<T> for BySeat<T> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

impl<'a, T> IntoIterator for &'a BySeat<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: fmt::Debug> fmt::Debug for BySeat<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A list.
impl<T: Serialize> Serialize for BySeat<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}
