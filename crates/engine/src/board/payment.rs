//! Prices of routes and stations, and payments.

use crate::board::action::Payment;
use crate::pieces::{CardKind, Cards, ColourSet};
use crate::spec::MAX_LENGTH;

/// Number of possible lengths: 0 to [`MAX_LENGTH`]. More cards than that make no difference.
pub(crate) const LENGTHS: usize = MAX_LENGTH as usize + 1;

/// The price of a route or a station.
///
/// ```
/// use ttr_engine::{board::BoardGame, maps};
/// let game = BoardGame::new(&maps::load("nordic")?, 2)?;
/// let price = game.price(game.parse_route("Murmansk-Lieksa")?);
/// assert_eq!((price.length, price.set_cards, price.locomotives), (9, 4, false)); // any four cards per space
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Price {
    /// Number of spaces.
    pub length: u8,
    /// The colour required, or `None` if any will do.
    pub colour: Option<CardKind>,
    /// `true` if locomotives may be played.
    pub locomotives: bool,
    /// Number of spaces that need a locomotive (or a set).
    pub ferry: u8,
    /// Number of cards of a substitute set; 0 if there are no sets.
    pub set_cards: u8,
    /// Maximum number of spaces that sets may pay for.
    pub most_sets: u8,
}

impl Price {
    /// The price of `length` cards of any one colour, any of them locomotives.
    pub(crate) fn of_any_colour(length: u8) -> Self {
        Self { length, colour: None, locomotives: true, ferry: 0, set_cards: 0, most_sets: 0 }
    }

    /// Returns `true` if a payment has this form and the hand covers it. The required colour is not
    /// checked.
    pub(crate) fn allows(&self, hand: Cards, payment: Payment) -> bool {
        let Payment { colour, locomotives, sets } = payment;
        let Some(rest) = self.length.checked_sub(locomotives.saturating_add(sets)) else {
            return false;
        };
        // A colour is named if and only if a colour card is played, so that every payment has one form
        // only.
        if colour.is_some() != (rest > 0) || colour == Some(CardKind::Locomotive) {
            return false;
        }
        (locomotives == 0 || self.locomotives)
            && sets <= self.most_sets
            && locomotives + sets >= self.ferry
            && hand.contains(payment.cards(self.length))
            && hand.total() >= payment.cards(self.length).total() + sets * self.set_cards
    }

    /// Returns `true` if `cards` of a colour, `sets` and at most `held` locomotives can pay.
    pub(crate) fn can_be_paid(&self, sets: u8, held: u8, cards: u8) -> bool {
        let usable = if self.locomotives { held } else { 0 };
        let locomotives = self.length.checked_sub(sets + cards);
        sets <= self.most_sets
            && locomotives.is_some_and(|played| played <= usable && played + sets >= self.ferry)
    }

    /// Number of cards that it costs with this many sets.
    pub(crate) fn cards_in_all(&self, sets: u8) -> u8 {
        (self.length - sets).saturating_add(sets.saturating_mul(self.set_cards))
    }
}

/// The payments of `length` cards of one colour, any of them locomotives (EU-7).
pub(crate) fn any_colour(hand: Cards, length: u8) -> impl Iterator<Item = Payment> {
    let least = length.saturating_sub(hand.locomotives());
    (least..=length).flat_map(move |cards| {
        let payment = move |colour| Payment { colour, locomotives: length - cards, sets: 0 };
        let none = (cards == 0).then(|| payment(None));
        let colours = if cards == 0 { ColourSet::EMPTY } else { hand.colours_with(cards) };
        none.into_iter().chain(colours.iter().map(move |colour| payment(Some(colour))))
    })
}

/// Number of payments that [`any_colour`] yields.
#[inline(always)]
pub(crate) fn count_any_colour(hand: Cards, length: u8) -> u32 {
    if hand.locomotives() == 0 {
        return hand.colours_with(length).len();
    }
    count_any_colour_with_locomotives(hand, length)
}

#[inline(never)]
fn count_any_colour_with_locomotives(hand: Cards, length: u8) -> u32 {
    let locomotives = hand.locomotives();
    let least = length.saturating_sub(locomotives).max(1);
    (least..=length).map(|cards| hand.colours_with(cards).len()).sum::<u32>()
        + u32::from(locomotives >= length)
}
