//! The claims of a hand without locomotives, counted without looking at every route.
//!
//! Six of seven random turns begin without a locomotive in hand. Then a route of length `n` costs `n` cards of a colour that it
//! takes, and no ferry can be paid for. So it is enough to know how many free routes of each length take each colour: a turn adds
//! up two or three of these numbers, all colours in one word, and a route that is taken is subtracted from one.

use crate::board::payment::{LENGTHS, Price, Tariff};
use crate::card::{CardKind, Cards, PerColour};
use crate::id::RouteSet;

/// The free routes, counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FreeRoutes {
    routes: RouteSet,
    /// By length: the routes that take cards of each colour and need no locomotive.
    by_length: [PerColour; LENGTHS],
}

impl FreeRoutes {
    /// The routes with these prices, all of them free. None if they are too many to be counted like this.
    pub(crate) fn new(prices: &[Price]) -> Option<Self> {
        if prices.len() > PerColour::MAX {
            return None;
        }
        let mut by_length = [PerColour::ZERO; LENGTHS];
        for price in prices {
            by_length[usize::from(price.length)] += Self::one(price);
        }
        Some(Self { routes: RouteSet::first(prices.len()), by_length })
    }

    /// What one route counts.
    pub(crate) fn one(price: &Price) -> PerColour {
        if price.ferry > 0 { PerColour::ZERO } else { PerColour::one(price.colour) }
    }

    /// Takes note of the routes that are still free; none becomes free again.
    #[inline]
    pub(crate) fn update(&mut self, free: RouteSet, tariff: &Tariff) {
        let taken = self.routes - free;
        if !taken.is_empty() {
            self.routes = self.routes - taken;
            taken.into_iter().for_each(|route| {
                let (length, one) = tariff.counted(route);
                self.by_length[usize::from(length)] -= one;
            });
        }
    }

    /// How many claims a hand without locomotives can make with at most this many trains, by colour.
    #[inline]
    pub(crate) fn count(&self, hand: Cards, trains: u8) -> PerColour {
        let mut claims = PerColour::ZERO;
        for cards in 1..LENGTHS {
            let Some(payable) = self.by_length[cards].with_at_least(hand, cards as u8) else { break };
            if cards > usize::from(trains) {
                break;
            }
            claims += payable;
        }
        claims
    }

    /// The `n`-th claim in a colour: the number of cards, and which of the routes of that length.
    #[inline]
    pub(crate) fn nth(&self, colour: CardKind, mut n: u32) -> (usize, u32) {
        for (length, routes) in self.by_length.iter().enumerate().skip(1) {
            let here = routes.of(colour);
            if n < here {
                return (length, n);
            }
            n -= here;
        }
        unreachable!("n is below the number of claims in the colour")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Action, BoardGame, Payment, Phase};
    use crate::{Dice, Game, Turn, maps};

    /// On every map, in every turn without a locomotive: what is counted is what is listed.
    #[test]
    fn counted_claims_are_the_legal_ones() {
        for id in maps::ids() {
            let map = maps::find(id).unwrap();
            for seats in map.seats.min..=map.seats.max {
                let game = BoardGame::new(&map, seats.into()).unwrap();
                let turns: usize = (0..10).map(|seed| follow_a_game(&game, seed)).sum();
                assert!(turns > 100, "{id} with {seats} seats has {turns} such turns");
            }
        }
    }

    fn follow_a_game(game: &BoardGame, seed: u64) -> usize {
        let mut dice = Dice::from_seed(seed);
        let mut s = game.deal(&mut dice);
        let mut counted = game.tariff.all_free.unwrap();
        let mut turns = 0;
        while let Turn::Of(seat) = game.turn(&s) {
            let hand = s.hands[seat.index()];
            if s.phase == Phase::Main && hand.locomotives() == 0 {
                let free = s.free_routes();
                counted.update(free, &game.tariff);
                let claims = counted.count(hand, s.trains[seat.index()]);
                let mut found: Vec<_> = (0..claims.total())
                    .map(|n| {
                        let (colour, n) = claims.nth(n);
                        (game.tariff.nth_in_colour(&counted, free, colour, n), colour)
                    })
                    .filter(|&(route, _)| !(game.rules.both_tracks && game.owns_twin(&s, route)))
                    .map(|(route, colour)| {
                        let payment = Payment { colour: Some(colour), locomotives: 0, sets: 0 };
                        Action::Claim { route, payment }
                    })
                    .collect();
                let mut legal = game.actions(&s);
                legal.retain(|action| matches!(action, Action::Claim { payment, .. } if payment.sets == 0));
                found.sort();
                legal.sort();
                assert_eq!(found, legal, "hand {hand}");
                turns += 1;
            }
            let action = game.random_action(&s, &mut dice);
            game.play_unchecked(&mut s, action, &mut dice);
        }
        turns
    }

    #[test]
    fn many_routes_are_not_counted() {
        let price =
            Price { length: 1, colour: None, locomotives: true, ferry: 0, set_cards: 0, most_sets: 0 };
        assert!(FreeRoutes::new(&[price; 127]).is_some());
        assert!(FreeRoutes::new(&[price; 128]).is_none());
    }
}
