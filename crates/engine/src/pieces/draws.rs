//! The ways to draw a card.

use super::{CardKind, Cards};

/// The ways to draw a card, in order: blind, then each kind of the market.
#[derive(Clone, Copy)]
pub(crate) struct Draws {
    /// Whether the top card of the deck may be taken.
    pub(crate) blind: bool,
    /// The face-up cards that may be taken.
    pub(crate) face_up: Cards,
}

impl Draws {
    #[inline]
    pub(crate) fn len(&self) -> u32 {
        u32::from(self.blind) + self.face_up.kinds() as u32
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        !self.blind && self.face_up.is_empty()
    }

    /// The kind that the `n`-th takes from the market; none if it takes the top card of the deck.
    #[inline]
    pub(crate) fn nth(&self, n: u32) -> Option<CardKind> {
        let place = n.checked_sub(u32::from(self.blind))?;
        Some(self.face_up.nth_kind(place))
    }

    /// As [`Draws::nth`], as a multiset of one card of that kind.
    #[inline]
    pub(crate) fn nth_as_one(&self, n: u32) -> Option<Cards> {
        let place = n.checked_sub(u32::from(self.blind))?;
        Some(self.face_up.nth_kind_as_one(place))
    }

    /// All of them, as [`Draws::nth`].
    pub(crate) fn iter(&self) -> impl Iterator<Item = Option<CardKind>> + use<> {
        self.blind.then_some(None).into_iter().chain(self.face_up.iter().map(|(kind, _)| Some(kind)))
    }
}
