//! The train cards of a game: deck, discard, market and hands.

use serde::{Deserialize, Serialize};

use super::{Cards, Seat, array};
use crate::chance::Chance;

/// The train cards in the piles and in the hands of up to `SEATS` seats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct Supply<const SEATS: usize> {
    /// The face-down pile, shuffled.
    pub(crate) deck: Cards,
    pub(crate) discard: Cards,
    /// The face-up cards.
    pub(crate) market: Cards,
    #[serde(with = "array")]
    pub(crate) hands: [Cards; SEATS],
    /// The part of each hand that everybody has seen.
    #[serde(with = "array")]
    pub(crate) shown: [Cards; SEATS],
}

impl<const SEATS: usize> Supply<SEATS> {
    /// All cards in the deck.
    pub(crate) fn new(deck: Cards) -> Self {
        let (discard, market) = (Cards::EMPTY, Cards::EMPTY);
        Self { deck, discard, market, hands: [Cards::EMPTY; SEATS], shown: [Cards::EMPTY; SEATS] }
    }

    /// Draws the top card of the deck, which is not empty.
    #[inline(always)] // once or twice in every turn
    pub(crate) fn draw(&mut self, chance: &mut impl Chance) -> Cards {
        let card = chance.one_card(self.deck);
        self.deck -= card;
        card
    }

    /// Moves the top card of the deck, which is not empty, to a hand.
    #[inline]
    pub(crate) fn draw_to_hand(&mut self, seat: Seat, chance: &mut impl Chance) {
        let card = self.draw(chance);
        self.hands[seat] += card;
    }

    /// Moves the top card of the deck, which is not empty, to the market.
    #[inline]
    pub(crate) fn draw_to_market(&mut self, chance: &mut impl Chance) {
        let card = self.draw(chance);
        self.market += card;
    }

    /// Whether no card can be drawn from the deck, not even after a reshuffle.
    #[inline]
    pub(crate) fn is_exhausted(&self) -> bool {
        self.deck.is_empty() && self.discard.is_empty()
    }

    /// Moves a card from the market to a hand; everybody sees it.
    #[inline(always)] // half of all actions do
    pub(crate) fn take_face_up(&mut self, seat: Seat, card: Cards) {
        self.market -= card;
        self.hands[seat] += card;
        self.shown[seat] += card;
    }

    /// Takes cards out of a hand; everybody sees them.
    #[inline]
    pub(crate) fn play(&mut self, seat: Seat, cards: Cards) {
        self.hands[seat] -= cards;
        self.shown[seat] = self.shown[seat].saturating_sub(cards);
    }

    /// Marks all hands as seen. With two seats and an empty deck, whatever a seat does not see is in the
    /// other's hand.
    pub(crate) fn show_hands(&mut self) {
        self.shown = self.hands;
    }

    /// The part of each hand that not everybody has seen.
    #[inline]
    pub(crate) fn hidden(&self) -> [Cards; SEATS] {
        std::array::from_fn(|seat| self.hands[seat] - self.shown[seat])
    }

    /// The cards that one of `seats` seats can't see: in the deck, or in another hand without having been
    /// shown.
    #[inline]
    pub(crate) fn unseen_by(&self, seat: Seat, seats: usize) -> Cards {
        seat.all_but(seats).fold(self.deck, |unseen, other| unseen + (self.hands[other] - self.shown[other]))
    }
}
