//! Fast counts of the claims of a hand, without visiting every route.
//!
//! Random play needs the number of claims in every turn. This module therefore counts the free routes in
//! advance, by length and accepted colour, with all colours packed into one word. A turn adds up two or
//! three of these numbers, and claiming a route subtracts it from one of them. The counts include some
//! claims that are not allowed (see [`CountedRoutes::count`]). A caller that picks one of these picks
//! again, so every allowed claim is equally likely.

use crate::board::claims::routes_where;
use crate::board::payment::{LENGTHS, Price};
use crate::pieces::{CardKind, Cards, PerColour, RouteId, RouteSet};

/// Maximum number of locomotives in a counted hand; hands with more are rare.
const MOST_LOCOMOTIVES: usize = 6;

/// Number of counts, indexed by length; those beyond the longest route are 0.
const PLACES: usize = LENGTHS + MOST_LOCOMOTIVES;

/// Counts of the free routes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FreeRoutes {
    pub(crate) routes: RouteSet,
    /// By length: the routes that accept each colour. The second half holds the ferries.
    counts: [PerColour; 2 * PLACES],
}

/// The counts that a route contributes to.
#[derive(Clone, Copy, Debug)]
struct CountedAs {
    place: u8,
    colours: PerColour,
}

impl CountedAs {
    fn new(price: &Price) -> Self {
        let first = if price.ferry > 0 { PLACES as u8 } else { 0 };
        Self { place: first + price.length, colours: PerColour::one(price.colour) }
    }
}

/// The routes of a board, prepared for counting.
#[derive(Clone, Debug)]
pub(crate) struct CountedRoutes {
    /// Indexed by route.
    routes: Vec<CountedAs>,
    /// Routes that accept a colour: those of the colour and the grey ones.
    taking: [RouteSet; 8],
    /// Routes by minimum and maximum length.
    of_lengths: [[RouteSet; LENGTHS]; LENGTHS],
    /// Routes that this many cards of one colour pay for.
    without_locomotives: [RouteSet; LENGTHS],
    /// Routes that locomotives alone pay for, by number of locomotives.
    alone: [RouteSet; LENGTHS],
    pub(crate) all_free: FreeRoutes,
    /// Hands with fewer locomotives than this can be counted with [`FreeRoutes`].
    countable_below: u8,
}

impl CountedRoutes {
    pub(crate) fn new(prices: &[Price]) -> Self {
        let routes: Vec<_> = prices.iter().map(CountedAs::new).collect();
        let pays = |held: usize, cards: usize| {
            routes_where(prices, &|price| price.can_be_paid(0, held as u8, cards as u8))
        };
        Self {
            taking: CardKind::COLOURS.map(|colour| {
                routes_where(prices, &|price| price.colour.is_none_or(|asked| asked == colour))
            }),
            of_lengths: std::array::from_fn(|least| {
                std::array::from_fn(|most| {
                    routes_where(prices, &|price| (least..=most).contains(&usize::from(price.length)))
                })
            }),
            without_locomotives: std::array::from_fn(|cards| pays(0, cards)),
            alone: std::array::from_fn(|held| pays(held, 0)),
            all_free: FreeRoutes::new(&routes),
            countable_below: FreeRoutes::fewer_locomotives_than(prices),
            routes,
        }
    }

    /// Returns `true` if [`CountedRoutes::count`] can count the claims of a hand.
    #[inline]
    pub(crate) fn can_count(&self, hand: Cards) -> bool {
        hand.locomotives() < self.countable_below
    }

    /// Number of claims without sets that a hand can make on free routes: with cards of a colour, and
    /// with locomotives alone. The counts include some claims that are not allowed: ferries without
    /// their locomotives, locomotives on routes that accept none, the second track for the owner of the
    /// first, and routes longer than the remaining trains.
    #[inline(always)]
    pub(crate) fn count(&self, free: &FreeRoutes, hand: Cards, trains: u8) -> (Claims, u32) {
        if hand.locomotives() == 0 {
            return (Claims::new(free.count(hand, trains)), 0);
        }
        let claims = free.count_with_locomotives(hand);
        (Claims::new(claims), self.payable_with_locomotives(free, hand).len() as u32)
    }

    /// The free routes that a hand can pay for with locomotives alone.
    #[inline]
    pub(crate) fn payable_with_locomotives(&self, free: &FreeRoutes, hand: Cards) -> RouteSet {
        free.routes & self.alone[usize::from(hand.locomotives()).min(LENGTHS - 1)]
    }

    /// The `n`-th claim with cards of a colour, ordered by colour and then by number of cards: the
    /// route, the colour and the number of its cards. Locomotives pay for the rest.
    #[inline(always)]
    pub(crate) fn nth(
        &self,
        free: &FreeRoutes,
        claims: Claims,
        hand: Cards,
        n: u32,
    ) -> (RouteId, CardKind, u8) {
        let held = hand.locomotives();
        let (colour, n) = claims.nth(n);
        let (cards, n, routes) = if held == 0 {
            let (cards, n) = free.nth(colour, n);
            (cards, n, self.without_locomotives[usize::from(cards)])
        } else {
            let (cards, n) = free.nth_with_locomotives(held, colour, n);
            let most = usize::from(cards + held).min(LENGTHS - 1);
            (cards, n, self.of_lengths[usize::from(cards)][most])
        };
        let route = (free.routes & routes & self.taking[colour.index()]).member(n);
        (route, colour, cards)
    }
}

/// Number of claims that a hand can make on free routes with cards of a colour, allowed or not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claims {
    pub(crate) len: u32,
    colours: PerColour,
}

impl Claims {
    #[inline]
    pub(crate) fn new(colours: PerColour) -> Self {
        Self { len: colours.total(), colours }
    }

    /// The colour of the `n`-th claim, and the claim's index within that colour.
    #[inline]
    pub(crate) fn nth(self, n: u32) -> (CardKind, u32) {
        if self.len as usize <= PerColour::MAX { self.colours.nth(n) } else { self.colours.nth_of_many(n) }
    }
}

impl FreeRoutes {
    /// All routes, all of them free.
    fn new(routes: &[CountedAs]) -> Self {
        let mut counts = [PerColour::ZERO; 2 * PLACES];
        for route in routes {
            counts[usize::from(route.place)] += route.colours;
        }
        Self { routes: RouteSet::first(routes.len()), counts }
    }

    /// Upper bound (exclusive) on the locomotives of a hand whose claims can be counted: below it, no
    /// count overflows its field in a word.
    fn fewer_locomotives_than(prices: &[Price]) -> u8 {
        let fits = |&locomotives: &u8| {
            CardKind::COLOURS.iter().all(|&colour| {
                let taking = prices.iter().filter(|price| price.colour.is_none_or(|asked| asked == colour));
                let claims = taking.map(|price| usize::from(price.length.min(locomotives + 1)));
                claims.sum::<usize>() <= PerColour::MAX
            })
        };
        (0..=MOST_LOCOMOTIVES as u8).take_while(fits).count() as u8
    }

    /// Updates the counts to the routes that are still free. Claimed routes never become free again.
    #[inline]
    pub(crate) fn update(&mut self, free: RouteSet, all: &CountedRoutes) {
        self.remove(self.routes - free, all);
    }

    /// Removes those of these routes that are free.
    #[inline]
    pub(crate) fn remove(&mut self, routes: RouteSet, all: &CountedRoutes) {
        let taken = self.routes & routes;
        if !taken.is_empty() {
            self.routes -= taken;
            taken.into_iter().for_each(|route| {
                let CountedAs { place, colours } = all.routes[route.index()];
                self.counts[usize::from(place)] -= colours;
            });
        }
    }

    /// Number of claims that a hand without locomotives can make with this many trains, by colour: `n`
    /// cards pay for any route of length `n` except ferries.
    #[inline(always)]
    pub(crate) fn count(&self, hand: Cards, trains: u8) -> PerColour {
        let mut claims = PerColour::ZERO;
        for cards in 1..LENGTHS {
            let Some(payable) = self.counts[cards].with_at_least(hand, cards as u8) else { break };
            if cards > usize::from(trains) {
                break;
            }
            claims += payable;
        }
        claims
    }

    /// Number of claims that a hand with locomotives can make with cards of each colour, as if every
    /// route accepted locomotives and none required any.
    #[inline(never)]
    pub(crate) fn count_with_locomotives(&self, hand: Cards) -> PerColour {
        let mut claims = PerColour::ZERO;
        for (cards, payable) in self.payable(hand.locomotives()) {
            let Some(payable) = payable.with_at_least(hand, cards) else { break };
            claims += payable;
        }
        claims
    }

    /// The `n`-th claim in a colour: the number of cards, and the index of the route among those that
    /// they pay for.
    #[inline(always)]
    pub(crate) fn nth(&self, colour: CardKind, mut n: u32) -> (u8, u32) {
        for cards in 1..LENGTHS {
            let here = self.counts[cards].of(colour);
            if n < here {
                return (cards as u8, n);
            }
            n -= here;
        }
        unreachable!("n is below the number of claims in the colour")
    }

    /// Like [`FreeRoutes::nth`], for a hand with locomotives.
    pub(crate) fn nth_with_locomotives(&self, held: u8, colour: CardKind, mut n: u32) -> (u8, u32) {
        for (cards, payable) in self.payable(held) {
            let here = payable.of(colour);
            if n < here {
                return (cards, n);
            }
            n -= here;
        }
        unreachable!("n is below the number of claims in the colour")
    }

    /// By number of colour cards: the routes of at least that length, but no longer than cards and
    /// locomotives together.
    #[inline]
    fn payable(&self, locomotives: u8) -> impl Iterator<Item = (u8, PerColour)> {
        let of_length = |length: usize| self.counts[length] + self.counts[PLACES + length];
        let held = usize::from(locomotives).min(MOST_LOCOMOTIVES);
        let mut payable = (0..=held).fold(PerColour::ZERO, |all, length| all + of_length(length));
        (1..LENGTHS).map(move |cards| {
            payable = payable + of_length(cards + held) - of_length(cards - 1);
            (cards as u8, payable)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Action, BoardGame, Payment, Phase};
    use crate::{Dice, Game, Turn, maps};

    /// The counted claims that are allowed equal the listed ones, on every map and in every turn.
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
        let mut free = game.tariff.counted.all_free;
        let mut turns = 0;
        while let Turn::Of(seat) = game.turn(&s) {
            let hand = s.cards.hands[seat];
            if s.phase == Phase::Main && game.tariff.counted.can_count(hand) {
                free.update(s.free_routes(), &game.tariff.counted);
                let (claims, for_locomotives) = game.tariff.counted.count(&free, hand, s.trains[seat]);
                let alone = game.tariff.counted.payable_with_locomotives(&free, hand);
                assert_eq!(alone.len(), for_locomotives as usize);
                let mut found: Vec<_> = (0..claims.len)
                    .map(|n| game.tariff.nth_counted(&free, claims, hand, n))
                    .chain(alone.into_iter().map(|route| {
                        let locomotives = game.price(route).length;
                        (route, Payment { colour: None, locomotives, sets: 0 })
                    }))
                    .filter(|&(route, payment)| game.may_claim(&s, route, payment))
                    .map(|(route, payment)| Action::Claim { route, payment })
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
    fn too_many_routes_are_not_counted() {
        let price =
            Price { length: 2, colour: None, locomotives: true, ferry: 0, set_cards: 0, most_sets: 0 };
        assert_eq!(FreeRoutes::fewer_locomotives_than(&[price; 60]), 7);
        assert_eq!(FreeRoutes::fewer_locomotives_than(&[price; 127]), 1);
        assert_eq!(FreeRoutes::fewer_locomotives_than(&[price; 128]), 0);
    }
}
