//! Many cards or tickets drawn from a shuffled pile.
//!
//! The same as drawing one after the other, with fewer rolls of the dice: the places of eight draws come
//! out of one random word.

use super::bits::{BYTES, MEMBERS};
use super::card::RunningTotals;
use super::{Cards, TicketId, TicketSet};
use crate::chance::Dice;

/// Draws that one word is enough for: piles are no larger than 2^7, so that this takes 56 of its bits.
const AT_ONCE: usize = 8;

/// Where the next draws are from.
#[derive(Default)]
struct Rolls {
    /// A byte each, the next one lowest.
    rolled: u64,
    /// Number of these that are left.
    left: usize,
}

impl Rolls {
    /// The place of the next draw from a pile, from which nothing but draws may have taken anything since
    /// the last.
    #[inline]
    fn next(&mut self, size: u8, dice: &mut Dice) -> u8 {
        if self.left == 0 {
            self.rolled = places(size, dice);
            self.left = AT_ONCE;
        }
        let place = self.rolled as u8;
        self.rolled >>= 8;
        self.left -= 1;
        place
    }
}

/// A shuffled pile of cards.
pub(crate) struct CardPile {
    cards: RunningTotals,
    places: Rolls,
}

impl CardPile {
    #[inline]
    pub(crate) fn new(cards: Cards) -> Self {
        Self { cards: RunningTotals::of(cards), places: Rolls::default() }
    }

    /// The cards that have not been drawn.
    #[inline]
    pub(crate) fn rest(&self) -> Cards {
        self.cards.cards()
    }

    /// Draws cards; there must be as many.
    #[inline]
    pub(crate) fn draw(&mut self, count: u8, dice: &mut Dice) -> Cards {
        let before = self.cards;
        for _ in 0..count {
            let place = self.places.next(self.cards.total(), dice);
            self.cards.take_nth(place);
        }
        (before - self.cards).cards()
    }
}

/// A shuffled pile of tickets.
pub(crate) struct TicketPile {
    tickets: [u8; TicketSet::CAPACITY],
    left: usize,
    places: Rolls,
}

impl TicketPile {
    #[inline]
    pub(crate) fn new(tickets: TicketSet) -> Self {
        let mut pile = Self { tickets: [0; _], left: 0, places: Rolls::default() };
        let mut rest = tickets.0;
        for first in (0..TicketSet::CAPACITY).step_by(8) {
            let members = MEMBERS[usize::from(rest as u8)] + first as u64 * BYTES;
            pile.tickets[pile.left..pile.left + 8].copy_from_slice(&members.to_le_bytes());
            pile.left += (rest as u8).count_ones() as usize;
            rest >>= 8;
            if rest == 0 {
                break;
            }
        }
        pile
    }

    /// Draws a ticket; there must be one.
    #[inline]
    pub(crate) fn draw_one(&mut self, dice: &mut Dice) -> TicketId {
        let place = usize::from(self.places.next(self.left as u8, dice));
        self.left -= 1;
        let ticket = self.tickets[place];
        self.tickets[place] = self.tickets[self.left];
        TicketId::from_u8(ticket)
    }

    /// Draws tickets; there must be as many.
    #[inline(never)]
    pub(crate) fn draw(&mut self, count: u8, dice: &mut Dice) -> TicketSet {
        // In registers, for the length of the loop.
        let (mut left, mut places) = (self.left, std::mem::take(&mut self.places));
        // The two words of the set: a bit of one word is found faster than one of both.
        let mut drawn = [0; 2];
        for _ in 0..count {
            let place = usize::from(places.next(left as u8, dice));
            left -= 1;
            let ticket = self.tickets[place];
            self.tickets[place] = self.tickets[left];
            let (bit, high) = (1u64 << (ticket & 63), u64::from(ticket >> 6).wrapping_neg());
            drawn = [drawn[0] | bit & !high, drawn[1] | bit & high];
        }
        (self.left, self.places) = (left, places);
        TicketSet(u128::from(drawn[0]) | u128::from(drawn[1]) << 64)
    }
}

/// A number below `size`, one below `size - 1` and so on down to 1, each combination equally likely; a byte
/// each, the first lowest.
#[inline(never)]
fn places(size: u8, dice: &mut Dice) -> u64 {
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
/// The high half of a random word times `n` is a number below `n`, the low half is as good as a new random
/// word. Together the numbers are a little more likely if the last low half is very small, and are thrown
/// away then as often as makes up for it (Brackett-Rozinsky and Lemire, Batched ranged random integer
/// generation). Pairs of numbers do not wait for those before them: what these leave of the word is the
/// word times all their bounds.
#[inline(always)]
fn roll(bound: impl Fn(u64) -> u64, dice: &mut Dice) -> u64 {
    let times = |word: u64, n: u64| {
        let product = u128::from(word) * u128::from(n);
        ((product >> 64) as u64, product as u64)
    };
    loop {
        let (word, mut left) = (dice.next_u64(), 0);
        let (mut combinations, mut numbers) = (1, 0);
        for draw in (0..AT_ONCE as u64).step_by(2) {
            let (n, m) = (bound(draw), bound(draw + 1));
            let (first, rest) = times(word.wrapping_mul(combinations), n);
            let second;
            (second, left) = times(rest, m);
            numbers |= (first | second << 8) << (8 * draw);
            combinations *= n * m;
        }
        if left >= combinations || left >= combinations.wrapping_neg() % combinations {
            return numbers;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pieces::CardKind;

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
            let [a, b, c, d, rest @ ..] = places(5, &mut dice).to_le_bytes().map(usize::from);
            assert_eq!(rest, [0; 4]);
            counts[((a * 4 + b) * 3 + c) * 2 + d] += 1;
        }
        assert!(chi_squared(&counts) < 175.0, "119 degrees of freedom: {counts:?}");
    }

    #[test]
    fn every_set_of_tickets_is_equally_likely() {
        let pile: TicketSet = [3, 60, 64, 100, 127].map(TicketId::new).into_iter().collect();
        let mut dice = Dice::from_seed(2);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..10_000 {
            let mut rest = TicketPile::new(pile);
            let drawn = rest.draw(1, &mut dice) | rest.draw(1, &mut dice);
            assert_eq!((drawn.len(), rest.draw(3, &mut dice)), (2, pile - drawn));
            *counts.entry(drawn.0).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 10);
        assert!(chi_squared(&counts.into_values().collect::<Vec<_>>()) < 28.0, "9 degrees of freedom");
    }

    /// The number of red cards among ten out of thirty, ten of them red, is hypergeometric: 10/3 on
    /// average, with a variance of 10 * 1/3 * 2/3 * 20/29.
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
        let mut pile = TicketPile::new(TicketSet::first(128));
        assert_eq!(pile.draw(128, &mut dice), TicketSet::first(128));
        assert_eq!(pile.draw(0, &mut dice), TicketSet::EMPTY);
        let all = Cards::of(CardKind::Red, 63) + Cards::of(CardKind::Blue, 63);
        let mut pile = CardPile::new(all);
        assert_eq!((pile.draw(126, &mut dice), pile.rest()), (all, Cards::EMPTY));
    }
}
