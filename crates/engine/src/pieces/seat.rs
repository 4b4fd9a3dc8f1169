//! Seats.

use std::fmt;
use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

use super::IdOutOfRange;

/// Most seats at any table.
pub const MAX_SEATS: usize = 5;

/// A player's place at the table, counted from 0 in turn order, below [`MAX_SEATS`].
///
/// Arrays, slices and vectors with one entry per seat can be indexed by it.
///
/// ```
/// use ttr_engine::Seat;
/// let points = [31, 45];
/// assert_eq!(points[Seat::new(1)], 45);
/// assert_eq!(Seat::all(2).max_by_key(|&seat| points[seat]), Some(Seat::new(1)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Seat(SeatIndex);

/// The places at the table. The compiler knows that there are five, and leaves out the check of an index
/// wherever an array has an entry per seat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
enum SeatIndex {
    First,
    Second,
    Third,
    Fourth,
    Fifth,
}

const _: () = assert!(SeatIndex::Fifth as usize + 1 == MAX_SEATS);

impl Seat {
    /// The seat of an index.
    ///
    /// # Panics
    /// If it is not below [`MAX_SEATS`]: see [`Seat::try_from`].
    #[inline]
    pub const fn new(index: usize) -> Self {
        match index {
            0 => Self(SeatIndex::First),
            1 => Self(SeatIndex::Second),
            2 => Self(SeatIndex::Third),
            3 => Self(SeatIndex::Fourth),
            4 => Self(SeatIndex::Fifth),
            _ => panic!("seats are below MAX_SEATS"),
        }
    }

    /// The seat of an index that is known to be small enough.
    #[inline]
    pub(crate) const fn from_u8(index: u8) -> Self {
        Self::new(index as usize)
    }

    /// The index as a byte.
    #[inline]
    pub(crate) const fn to_u8(self) -> u8 {
        self.0 as u8
    }

    /// The seat as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The first `seats` seats.
    ///
    /// # Panics
    /// If there are more than [`MAX_SEATS`].
    #[inline]
    pub fn all(seats: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        assert!(seats <= MAX_SEATS, "at most MAX_SEATS sit at a table");
        (0..seats as u8).map(Self::from_u8)
    }

    /// The other seats of `seats`, in turn order from the next one.
    ///
    /// ```
    /// use ttr_engine::Seat;
    /// assert!(Seat::new(1).others(4).eq([Seat::new(2), Seat::new(3), Seat::new(0)]));
    /// ```
    pub fn others(self, seats: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (1..seats).map(move |step| Self::new((self.index() + step) % seats))
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
        Self::new(if self.index() == 0 { seats } else { self.index() } - 1)
    }

    /// The next seat clockwise of `seats`.
    #[inline]
    pub const fn next(self, seats: usize) -> Self {
        let next = self.index() + 1;
        Self::new(if next == seats { 0 } else { next })
    }
}

impl TryFrom<usize> for Seat {
    type Error = IdOutOfRange;

    fn try_from(index: usize) -> Result<Self, IdOutOfRange> {
        if index < MAX_SEATS {
            return Ok(Self::new(index));
        }
        Err(IdOutOfRange { what: "seat", index, capacity: MAX_SEATS })
    }
}

impl TryFrom<u8> for Seat {
    type Error = IdOutOfRange;

    fn try_from(index: u8) -> Result<Self, IdOutOfRange> {
        Self::try_from(usize::from(index))
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> Self {
        seat.to_u8()
    }
}

impl From<Seat> for usize {
    fn from(seat: Seat) -> Self {
        seat.index()
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
        write!(f, "seat {}", self.to_u8() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_is_below_the_most_seats() {
        assert_eq!(Seat::try_from(MAX_SEATS - 1), Ok(Seat::new(4)));
        assert_eq!(Seat::try_from(5_u8).unwrap_err().to_string(), "seat 5 is not below 5");
        assert_eq!(serde_json::to_string(&Seat::new(4)).unwrap(), "4");
        assert_eq!(serde_json::from_str::<Seat>("4").unwrap(), Seat::new(4));
        assert!(
            serde_json::from_str::<Seat>("5").unwrap_err().to_string().starts_with("seat 5 is not below 5")
        );
    }
}
