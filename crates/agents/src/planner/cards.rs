//! Cards: those that a plan lacks, the value of each card, and how to pay.

use ttr_engine::board::{Payment, Price};
use ttr_engine::{CardKind, Cards, RouteId, RouteSet};

use crate::planner::atlas::{Atlas, LENGTHS, PricedRoute};
use crate::planner::weights::Weights;

/// The cards that a plan asks for, compared with a hand.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Needs {
    /// By colour, cards that planned routes need.
    pub(crate) asked: [u8; 8],
    /// By colour, those of them that routes of this colour need.
    reserved: [u8; 8],
    /// By colour, cards of planned routes that are not in the hand.
    pub(crate) missing: [u8; 8],
    /// The same for routes beyond the tickets.
    pub(crate) fill_missing: [u8; 8],
    /// Colours of which one more card completes a payment.
    pub(crate) nearly: [bool; 8],
    /// Locomotives that ferries ask for.
    pub(crate) ferries: u8,
}

/// A payment, and how much it harms the rest of the plan.
pub(crate) type Paid = (Payment, f64);

/// Cached payments for grey routes with one hand: they are the same for all routes of one price.
#[derive(Default)]
pub(crate) struct GreyPayments {
    by_length: [Option<(Price, Option<Paid>)>; LENGTHS],
}

impl Needs {
    /// Allocates the cards of the hand: first to routes of the tickets, then to those beyond.
    pub(crate) fn new(atlas: &Atlas, hand: Cards, open: RouteSet, routes: RouteSet, fill: RouteSet) -> Self {
        let mut needs = Self::default();
        needs.missing = needs.hand_out(atlas, hand, open, routes);
        let all_missing = needs.hand_out(atlas, hand, open, fill);
        needs.fill_missing = std::array::from_fn(|colour| all_missing[colour] - needs.missing[colour]);
        needs
    }

    /// Asks for the cards of more routes. Returns what is missing by colour for all routes so far.
    fn hand_out(&mut self, atlas: &Atlas, hand: Cards, open: RouteSet, routes: RouteSet) -> [u8; 8] {
        let held: [u8; 8] = std::array::from_fn(|colour| hand.count(CardKind::from_index(colour)));
        let mut grey = RouteSet::EMPTY;
        for route in routes {
            let track = atlas.priced(route);
            self.ferries += track.price.ferry;
            let Some(colour) = track.colour else {
                grey.insert(route);
                continue;
            };
            let mut colour = colour.index();
            // Either track of a double route is enough.
            if let Some(twin) = track.twin
                && open.contains(twin)
                && let Some(other) = atlas.priced(twin).colour
                && self.left(other.index(), &held) > self.left(colour, &held)
            {
                colour = other.index();
            }
            self.reserved[colour] += track.length();
            self.ask(colour, track, &held);
        }
        // Grey routes take the colours of which most are left.
        for route in grey {
            let track = atlas.priced(route);
            let colour = (0..8).max_by_key(|&colour| self.left(colour, &held)).expect("there are colours");
            self.ask(colour, track, &held);
        }
        std::array::from_fn(|colour| self.asked[colour].saturating_sub(held[colour]))
    }

    /// Cards of a colour that are not asked for yet; below 0 if some are missing.
    fn left(&self, colour: usize, held: &[u8; 8]) -> i16 {
        i16::from(held[colour]) - i16::from(self.asked[colour])
    }

    fn ask(&mut self, colour: usize, track: &PricedRoute, held: &[u8; 8]) {
        let cards = track.length() - track.price.ferry.min(track.length());
        let left = held[colour].saturating_sub(self.asked[colour]);
        self.asked[colour] += cards;
        self.nearly[colour] |= left + 1 == cards;
    }

    /// The value of a card of a kind.
    pub(crate) fn worth(&self, weights: &Weights, hand: Cards, kind: CardKind) -> f64 {
        if kind == CardKind::Locomotive {
            let ferry = if self.ferries > hand.locomotives() { weights.near } else { 0.0 };
            return weights.locomotive + ferry;
        }
        let colour = kind.index();
        let base = if self.missing[colour] > 0 {
            1.0
        } else if self.fill_missing[colour] > 0 {
            weights.fill
        } else {
            weights.spare
        };
        if self.nearly[colour] { base + weights.near } else { base }
    }

    /// The value of an unseen card.
    pub(crate) fn worth_unseen(&self, weights: &Weights, hand: Cards, unseen: Cards) -> f64 {
        let total = unseen.total();
        if total == 0 {
            return 0.0;
        }
        let sum: f64 =
            unseen.iter().map(|(kind, count)| f64::from(count) * self.worth(weights, hand, kind)).sum();
        sum / f64::from(total)
    }

    /// The payment for a route that harms the rest of the plan least, and how much it does; `None` if the
    /// hand cannot pay.
    pub(crate) fn pay(
        &self,
        atlas: &Atlas,
        weights: &Weights,
        hand: Cards,
        route: RouteId,
        grey: &mut GreyPayments,
    ) -> Option<Paid> {
        let track = atlas.priced(route);
        if let Some(colour) = track.colour {
            return self.pay_in(weights, hand, track, colour);
        }
        let place = &mut grey.by_length[usize::from(track.length()).min(LENGTHS - 1)];
        if let Some((price, payment)) = *place
            && price == track.price
        {
            return payment;
        }
        let mut best: Option<Paid> = None;
        for colour in CardKind::COLOURS {
            if let Some((payment, harm)) = self.pay_in(weights, hand, track, colour)
                && best.is_none_or(|(_, known)| harm < known)
            {
                best = Some((payment, harm));
            }
        }
        *place = Some((track.price, best));
        best
    }

    fn pay_in(&self, weights: &Weights, hand: Cards, track: &PricedRoute, colour: CardKind) -> Option<Paid> {
        let price = track.price;
        let held = hand.count(colour);
        let least_wild = price.ferry.max(price.length.saturating_sub(held));
        let wild = if price.locomotives { hand.locomotives() } else { 0 };
        let locomotives = least_wild.min(wild);
        let sets = least_wild - locomotives;
        let coloured = price.length - least_wild;
        if sets > 0 {
            let spare = hand.total() - coloured - locomotives;
            if sets > price.most_sets || price.set_cards == 0 || spare < sets * price.set_cards {
                return None;
            }
        }
        let own = if track.colour.is_some() { price.length } else { 0 };
        let elsewhere = self.reserved[colour.index()].saturating_sub(own);
        let free = held.saturating_sub(elsewhere);
        let harm = weights.wild * f64::from(locomotives)
            + weights.harm * f64::from(coloured.saturating_sub(free))
            + weights.harm * f64::from(sets * price.set_cards);
        let colour = (coloured > 0).then_some(colour);
        Some((Payment { colour, locomotives, sets }, harm))
    }
}
