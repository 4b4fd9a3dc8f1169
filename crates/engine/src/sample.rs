//! Many cards or tickets drawn from a shuffled pile.
//!
//! The same as drawing one after the other, with fewer rolls of the dice: the places of eight draws come out of one random
//! word.

use arrayvec::ArrayVec;

use crate::card::Cards;
use crate::chance::Dice;
use crate::id::{TicketId, TicketSet};

/// Draws that one word is enough for: piles are no larger than 2^7, so that this takes 56 of its bits.
const AT_ONCE: usize = 8;

/// Where the next draws are from.
#[derive(Default)]
struct Places {
    rolled: [u8; AT_ONCE],
    /// How many of these are left.
    left: usize,
}

impl Places {
    /// The place of the next draw from a pile, from which nothing but draws may have taken anything since the last.
    #[inline]
    fn next(&mut self, size: u8, dice: &mut Dice) -> u8 {
        if self.left == 0 {
            self.rolled = places(size, dice);
            self.left = AT_ONCE;
        }
        let place = self.rolled[AT_ONCE - self.left];
        self.left -= 1;
        place
    }
}

/// A shuffled pile of cards.
pub(crate) struct CardPile {
    cards: Cards,
    places: Places,
}

impl CardPile {
    pub(crate) fn new(cards: Cards) -> Self {
        Self { cards, places: Places::default() }
    }

    /// What has not been drawn.
    pub(crate) fn rest(&self) -> Cards {
        self.cards
    }

    /// Draws cards; there must be as many.
    #[inline]
    pub(crate) fn draw(&mut self, count: u8, dice: &mut Dice) -> Cards {
        let mut drawn = Cards::EMPTY;
        for _ in 0..count {
            let card = self.cards.nth_as_one(self.places.next(self.cards.total(), dice));
            self.cards -= card;
            drawn += card;
        }
        drawn
    }
}

/// A shuffled pile of tickets.
#[derive(Default)]
pub(crate) struct TicketPile {
    tickets: ArrayVec<TicketId, { TicketSet::CAPACITY }>,
    places: Places,
}

impl TicketPile {
    /// Shuffles tickets in.
    #[inline]
    pub(crate) fn add(&mut self, tickets: TicketSet) {
        tickets.into_iter().for_each(|ticket| self.tickets.push(ticket));
        self.places = Places::default();
    }

    /// Draws a ticket; there must be one.
    #[inline]
    pub(crate) fn draw_one(&mut self, dice: &mut Dice) -> TicketId {
        let place = self.places.next(self.tickets.len() as u8, dice);
        self.tickets.swap_remove(place.into())
    }

    /// Draws tickets; there must be as many.
    #[inline]
    pub(crate) fn draw(&mut self, count: u8, dice: &mut Dice) -> TicketSet {
        (0..count).map(|_| self.draw_one(dice)).collect()
    }
}

/// A number below `size`, one below `size - 1` and so on down to 1, each combination equally likely.
#[inline(never)]
fn places(size: u8, dice: &mut Dice) -> [u8; AT_ONCE] {
    debug_assert!(size <= 128);
    let size = u64::from(size);
    if size >= AT_ONCE as u64 {
        roll(|draw| size - draw, dice)
    } else {
        roll(|draw| size.saturating_sub(draw).max(1), dice)
    }
}

/// A number below each of the bounds, each combination equally likely. The bounds are at most 128.
///
/// The high half of a random word times `n` is a number below `n`, the low half is as good as a new random word. Together the
/// numbers are a little more likely if the last low half is very small, and are thrown away then as often as makes up for it
/// (Brackett-Rozinsky and Lemire, Batched ranged random integer generation).
#[inline(always)]
fn roll(bound: impl Fn(u64) -> u64, dice: &mut Dice) -> [u8; AT_ONCE] {
    loop {
        let (mut word, mut combinations) = (dice.next_u64(), 1);
        let numbers = std::array::from_fn(|i| {
            let n = bound(i as u64);
            let product = u128::from(word) * u128::from(n);
            word = product as u64;
            combinations *= n;
            (product >> 64) as u8
        });
        if word >= combinations || word >= combinations.wrapping_neg() % combinations {
            return numbers;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::CardKind;

    /// Chi-squared of counts that should all be equal.
    fn chi_squared(counts: &[u32]) -> f64 {
        let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
        counts.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum()
    }

    #[test]
    fn every_combination_of_places_is_equally_likely() {
        let mut dice = Dice::from_seed(1);
        let mut counts = [0; 5 * 4 * 3 * 2];
        for _ in 0..60_000 {
            let [a, b, c, d, rest @ ..] = places(5, &mut dice).map(usize::from);
            assert_eq!(rest, [0; 4]);
            counts[((a * 4 + b) * 3 + c) * 2 + d] += 1;
        }
        assert!(chi_squared(&counts) < 175.0, "119 degrees of freedom: {counts:?}");
    }

    #[test]
    fn every_set_of_tickets_is_equally_likely() {
        let pile: TicketSet = [3, 60, 64, 100, 127].map(TicketId).into_iter().collect();
        let mut dice = Dice::from_seed(2);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..10_000 {
            let mut rest = TicketPile::default();
            rest.add(pile);
            let drawn = rest.draw(1, &mut dice) | rest.draw(1, &mut dice);
            assert_eq!((drawn.len(), rest.draw(3, &mut dice)), (2, pile - drawn));
            *counts.entry(drawn.0).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 10);
        assert!(chi_squared(&counts.into_values().collect::<Vec<_>>()) < 28.0, "9 degrees of freedom");
    }

    /// The number of red cards among ten out of thirty, ten of them red, is hypergeometric: 10/3 on average, with a variance
    /// of 10 * 1/3 * 2/3 * 20/29.
    #[test]
    fn many_cards_are_drawn_evenly() {
        let pile = Cards::of(CardKind::Red, 10) + Cards::of(CardKind::Blue, 20);
        let mut dice = Dice::from_seed(3);
        let (mut sum, mut squares, n) = (0.0, 0.0, 20_000);
        for _ in 0..n {
            let mut rest = CardPile::new(pile);
            let drawn = rest.draw(3, &mut dice) + rest.draw(7, &mut dice);
            assert_eq!((drawn.total(), drawn + rest.rest()), (10, pile));
            let red = f64::from(drawn.count(CardKind::Red));
            sum += red;
            squares += red * red;
        }
        let mean = sum / f64::from(n);
        let variance = squares / f64::from(n) - mean * mean;
        assert!((mean - 10.0 / 3.0).abs() < 0.04 && (variance - 1.5326).abs() < 0.07, "{mean} {variance}");
    }

    #[test]
    fn whole_piles_can_be_drawn() {
        let mut dice = Dice::from_seed(4);
        let mut pile = TicketPile::default();
        pile.add(TicketSet::first(128));
        assert_eq!(pile.draw(128, &mut dice), TicketSet::first(128));
        assert_eq!(pile.draw(0, &mut dice), TicketSet::EMPTY);
        let all = Cards::of(CardKind::Red, 63) + Cards::of(CardKind::Blue, 63);
        let mut pile = CardPile::new(all);
        assert_eq!((pile.draw(126, &mut dice), pile.rest()), (all, Cards::EMPTY));
    }
}
