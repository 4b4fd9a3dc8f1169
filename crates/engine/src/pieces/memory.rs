//! Memory of a reshuffle: the hidden cards that date from before it (I-45).

use serde::{Deserialize, Serialize};

use super::{CardPile, Cards, array};
use crate::chance::Dice;

/// Hidden cards from before the last reshuffle, in hands and other hidden places.
///
/// When seen cards become the new deck, everybody knows what the deck consists of, and so what all hidden
/// cards outside it are when put together. These cards are *old*; whatever is drawn from the new deck is
/// *fresh*. Kept are the old cards as one multiset, and how many of them lie in each place.
///
/// All of this is common knowledge. When a hidden card is shown, it is often unknown whether it was old or
/// fresh; then the likelier of the two is assumed, judged by common knowledge alone, so that nothing leaks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct OldCards<const PLACES: usize> {
    /// As bytes, so that the counts fill up the rest of a word.
    cards: [u8; 8],
    #[serde(with = "array")]
    counts: [u8; PLACES],
}

impl<const PLACES: usize> OldCards<PLACES> {
    pub(crate) const NONE: Self = Self { cards: [0; 8], counts: [0; PLACES] };

    /// The memory right after a reshuffle: every hidden card outside the deck is old.
    pub(crate) fn after_reshuffle(hidden: [Cards; PLACES]) -> Self {
        let cards = hidden.iter().fold(Cards::EMPTY, |all, &cards| all + cards);
        Self { cards: cards.to_bytes(), counts: hidden.map(Cards::total) }
    }

    /// The old cards of all places together.
    #[inline]
    pub(crate) fn cards(&self) -> Cards {
        Cards::from_bytes(self.cards)
    }

    /// Number of old cards in a place.
    #[inline]
    pub(crate) fn count(&self, place: usize) -> u8 {
        self.counts[place]
    }

    /// Records that hidden cards of a place are shown. `hidden_here` is the number of hidden cards in that
    /// place, and `hidden` are all hidden cards with those of the deck, both before the cards are shown.
    /// Returns those that are assumed to be old.
    #[cold]
    pub(crate) fn show(&mut self, place: usize, shown: Cards, mut hidden_here: u8, hidden: Cards) -> Cards {
        let before = self.cards().intersection(hidden);
        let mut old = before;
        let fresh = hidden - old;
        let [mut all_old, mut all_fresh] = [old, fresh].map(|cards| u32::from(cards.total()));
        let mut count = self.counts[place].min(hidden_here);
        for (kind, shown) in shown.iter() {
            let mut of_kind = fresh.count(kind);
            for _ in 0..shown {
                // How many old and fresh cards of this kind the place is expected to hold, times a common
                // denominator.
                let expect_old = u32::from(count) * u32::from(old.count(kind)) * all_fresh;
                let expect_fresh = u32::from(hidden_here - count) * u32::from(of_kind) * all_old;
                if old.count(kind) > 0 && expect_old >= expect_fresh {
                    old.remove(kind);
                    all_old -= 1;
                    count = count.saturating_sub(1);
                } else {
                    of_kind -= 1;
                    all_fresh -= 1;
                }
                hidden_here -= 1;
                count = count.min(hidden_here);
            }
        }
        self.cards = old.to_bytes();
        self.counts[place] = count;
        before - old
    }

    /// Records that all cards of a place move, unseen by most, to another.
    pub(crate) fn move_all(&mut self, from: usize, to: usize) {
        self.counts[to] += std::mem::take(&mut self.counts[from]);
    }

    /// Splits what one seat can't see into old and fresh cards. `own_old` are the hidden old cards that the
    /// seat holds itself.
    #[inline]
    pub(crate) fn split(&self, unseen: Cards, own_old: Cards) -> (Cards, Cards) {
        let old = self.cards().saturating_sub(own_old).intersection(unseen);
        (old, unseen - old)
    }

    /// Draws the old cards among the hidden cards `own` of a seat's own `place`, for games that do not keep
    /// which ones are: every choice of the right number is equally likely.
    pub(crate) fn draw_own(&self, unseen: Cards, place: usize, own: Cards, dice: &mut Dice) -> Cards {
        let old = self.cards().intersection(unseen + own);
        // What nobody else can hold is the seat's own.
        let certain = old.saturating_sub(unseen);
        let possible = old.intersection(own) - certain;
        let more = self.counts[place].saturating_sub(certain.total()).min(possible.total());
        certain + if more == possible.total() { possible } else { CardPile::new(possible).draw(more, dice) }
    }

    /// Piles to deal the hidden places from, as split by [`OldCards::split`]. `hidden` are the numbers of
    /// cards that will be dealt to each place, 0 where none are.
    pub(crate) fn piles(&self, old: Cards, fresh: Cards, hidden: [u8; PLACES]) -> HiddenPiles<PLACES> {
        let piles = |slots| HiddenPiles { old: CardPile::new(old), fresh: CardPile::new(fresh), slots };
        if old.is_empty() {
            return piles([0; PLACES]);
        }
        let mut slots: [u8; PLACES] = std::array::from_fn(|place| self.counts[place].min(hidden[place]));
        // The seat's own knowledge can contradict what is assumed of shown cards; then the numbers are
        // corrected.
        let mut lack = i16::from(old.total()) - slots.iter().map(|&slots| i16::from(slots)).sum::<i16>();
        for (slots, hidden) in slots.iter_mut().zip(hidden) {
            let change = lack.clamp(-i16::from(*slots), i16::from(hidden - *slots));
            *slots = (i16::from(*slots) + change) as u8;
            lack -= change;
        }
        piles(slots)
    }
}

/// Hidden cards to be dealt: old ones to the slots of old cards, fresh ones elsewhere.
pub(crate) struct HiddenPiles<const PLACES: usize> {
    old: CardPile,
    fresh: CardPile,
    /// Number of old cards that each place gets.
    slots: [u8; PLACES],
}

impl<const PLACES: usize> HiddenPiles<PLACES> {
    /// Draws the hidden cards of a place.
    #[inline]
    pub(crate) fn draw(&mut self, place: usize, count: u8, dice: &mut Dice) -> Cards {
        if self.slots[place] == 0 {
            return self.fresh.draw(count, dice);
        }
        let (old, fresh) = self.draw_apart(place, count, dice);
        old + fresh
    }

    /// Draws the hidden cards of a place, old and fresh ones apart.
    pub(crate) fn draw_apart(&mut self, place: usize, count: u8, dice: &mut Dice) -> (Cards, Cards) {
        let old = self.slots[place];
        (self.old.draw(old, dice), self.fresh.draw(count - old, dice))
    }

    /// The cards that were not drawn.
    #[inline]
    pub(crate) fn rest(&self) -> Cards {
        self.old.rest() + self.fresh.rest()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pieces::CardKind::{self, Blue, Green, Locomotive, Red};

    fn cards<const N: usize>(cards: [(CardKind, u8); N]) -> Cards {
        cards.into_iter().fold(Cards::EMPTY, |all, (kind, count)| all + Cards::of(kind, count))
    }

    /// Place 0 holds two blue and a red card, place 1 four locomotives; the new deck is red and green.
    fn memory() -> OldCards<2> {
        OldCards::after_reshuffle([cards([(Blue, 2), (Red, 1)]), cards([(Locomotive, 4)])])
    }

    const DECK: [(CardKind, u8); 2] = [(Red, 5), (Green, 5)];

    #[test]
    fn worlds_after_a_reshuffle_have_the_known_deck() {
        let mut dice = Dice::from_seed(1);
        let unseen = cards(DECK) + cards([(Locomotive, 4)]);
        let own = cards([(Blue, 2), (Red, 1)]);
        assert_eq!(memory().draw_own(unseen, 0, own, &mut dice), own);
        let (old, fresh) = memory().split(unseen, own);
        assert_eq!((old, fresh), (cards([(Locomotive, 4)]), cards(DECK)));
        let mut piles = memory().piles(old, fresh, [0, 4]);
        assert_eq!((piles.draw(1, 4, &mut dice), piles.rest()), (cards([(Locomotive, 4)]), cards(DECK)));
    }

    #[test]
    fn later_draws_are_fresh() {
        let mut dice = Dice::from_seed(2);
        let unseen = cards([(Red, 3), (Green, 5), (Locomotive, 4)]); // two red cards were drawn by place 0
        for _ in 0..100 {
            let own_old = memory().draw_own(unseen, 0, cards([(Blue, 2), (Red, 3)]), &mut dice);
            let (old, fresh) = memory().split(unseen, own_old);
            assert!(old.contains(cards([(Locomotive, 4)])) && old.total() <= 5, "{old}: blue is its own");
            let mut piles = memory().piles(old, fresh, [0, 6]); // place 1 has drawn two cards
            let hand = piles.draw(1, 6, &mut dice);
            assert_eq!(hand.locomotives(), 4, "{hand}");
            assert_eq!(piles.rest() + hand, unseen);
        }
    }

    #[test]
    fn a_shown_card_is_old_or_fresh_by_its_kind() {
        let hidden = cards(DECK) + cards([(Blue, 2), (Red, 1), (Locomotive, 4)]);
        let mut memory = memory();
        assert_eq!(memory.show(1, cards([(Locomotive, 2)]), 6, hidden), cards([(Locomotive, 2)]));
        assert_eq!((memory.cards(), memory.count(1)), (cards([(Blue, 2), (Red, 1), (Locomotive, 2)]), 2));
        let hidden = hidden - cards([(Locomotive, 2)]);
        assert_eq!(memory.show(1, cards([(Green, 2)]), 4, hidden), Cards::EMPTY);
        assert_eq!(memory.count(1), 2, "green cards came from the new deck");
        // A red card may be either: three old cards with one red among five, against two fresh ones with
        // five red among eight.
        memory.show(0, cards([(Red, 1)]), 5, hidden - cards([(Green, 2)]));
        assert_eq!((memory.cards().count(Red), memory.count(0)), (1, 3), "likelier fresh");
    }

    #[test]
    fn contradictions_are_corrected() {
        let mut dice = Dice::from_seed(3);
        // The seat of place 1 knows that place 0 can't have kept three old cards: only two are left that
        // are not its own.
        let (old, fresh) = memory().split(cards(DECK) + cards([(Blue, 2)]), cards([(Locomotive, 4)]));
        assert_eq!(old, cards([(Blue, 2), (Red, 1)]), "a red card is still out there");
        let mut piles = memory().piles(cards([(Blue, 2)]), fresh, [3, 0]);
        assert!(piles.draw(0, 3, &mut dice).contains(cards([(Blue, 2)])));
        // More old cards than slots: the rest is dealt to the same places.
        let mut piles = memory().piles(cards([(Blue, 2), (Locomotive, 3)]), cards(DECK), [5, 0]);
        assert_eq!(piles.draw(0, 5, &mut dice), cards([(Blue, 2), (Locomotive, 3)]));
        assert_eq!(piles.rest(), cards(DECK));
    }

    #[test]
    fn moved_cards_take_their_age_along() {
        let mut memory = memory();
        memory.move_all(1, 0);
        assert_eq!((memory.count(0), memory.count(1)), (7, 0));
    }
}
