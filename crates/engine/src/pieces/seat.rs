//! Seats.

use std::fmt;
use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

/// Most seats at any table.
pub const MAX_SEATS: usize = 5;

/// A player's place at the table, counted from 0 in turn order.
///
/// Arrays, slices and vectors with one entry per seat can be indexed by it.
///
/// ```
/// use ttr_engine::Seat;
/// let points = [31, 45];
/// assert_eq!(points[Seat(1)], 45);
/// assert_eq!(Seat::all(2).max_by_key(|&seat| points[seat]), Some(Seat(1)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The first `seats` seats.
    pub fn all(seats: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..seats as u8).map(Self)
    }

    /// The other seats of `seats`, in turn order from the next one.
    ///
    /// ```
    /// use ttr_engine::Seat;
    /// assert!(Seat(1).others(4).eq([Seat(2), Seat(3), Seat(0)]));
    /// ```
    pub fn others(self, seats: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (1..seats).map(move |step| Self(((self.index() + step) % seats) as u8))
    }

    /// The other seats of `seats`, from the first one on.
    pub(crate) fn all_but(self, seats: usize) -> impl Iterator<Item = Self> + Clone {
        Self::all(seats).filter(move |&other| other != self)
    }

    /// Number of turns from `first` to this seat, of `seats`.
    pub(crate) const fn turns_after(self, first: Self, seats: usize) -> usize {
        (self.index() + seats - first.index()) % seats
    }

    /// The seat before this one of `seats`.
    #[inline]
    pub const fn previous(self, seats: usize) -> Self {
        Self(if self.0 == 0 { seats as u8 } else { self.0 } - 1)
    }

    /// The next seat clockwise of `seats`.
    #[inline]
    pub const fn next(self, seats: usize) -> Self {
        let next = self.0 + 1;
        Self(if next as usize == seats { 0 } else { next })
    }
}

impl<T> Index<Seat> for [T] {
    type Output = T;

    #[inline]
    fn index(&self, seat: Seat) -> &T {
        &self[seat.index()]
    }
}

impl<T> IndexMut<Seat> for [T] {
    #[inline]
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self[seat.index()]
    }
}

impl<T> Index<Seat> for Vec<T> {
    type Output = T;

    #[inline]
    fn index(&self, seat: Seat) -> &T {
        &self[seat.index()]
    }
}

impl<T> IndexMut<Seat> for Vec<T> {
    #[inline]
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self[seat.index()]
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// People count seats from 1.
impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0 + 1)
    }
}
