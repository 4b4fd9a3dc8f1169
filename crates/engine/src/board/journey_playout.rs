//! Playouts of First Journey: like `playout`, but for a game that has only draws, claims and swaps. The
//! claimable routes and the joined cities of each seat are kept from one turn to the next.

use arrayvec::ArrayVec;

use crate::board::action::{Outcome, Payment, Phase};
use crate::board::claims::{Claims, FreeRoutes};
use crate::board::compile::BoardGame;
use crate::board::network::Joined;
use crate::board::rules::Journey;
use crate::board::state::State;
use crate::chance::{Chance, Dice, QuickDice};
use crate::pieces::{CardKind, Cards, MAX_SEATS, RouteId, RouteSet, Seat};

/// Per-seat state that is kept between turns.
#[derive(Clone)]
struct Ledger {
    /// The routes that the seat may claim, given the cards and the trains.
    free: FreeRoutes,
    joined: Joined,
}

type Ledgers = ArrayVec<Ledger, MAX_SEATS>;

/// Counts of the actions that can start a turn.
#[derive(Clone, Copy)]
struct TurnCounts {
    draws: u32,
    /// Claims with cards of a colour, allowed or not.
    claims: Claims,
    swaps: u32,
    /// Claims with locomotives alone, allowed or not.
    alone: u32,
}

impl TurnCounts {
    #[inline(always)]
    fn len(&self) -> u32 {
        self.draws + self.claims.len + self.swaps + self.alone
    }
}

impl BoardGame {
    /// Plays random actions of First Journey to the end. Returns their number.
    #[inline(never)]
    pub(crate) fn finish_journey(
        &self,
        s: &mut State,
        journey: &Journey,
        choices: &mut Dice,
        chance: &mut impl Chance,
    ) -> u64 {
        let mut quick = QuickDice::new(choices);
        let mut actions = 0;
        'ledgers: loop {
            let mut ledgers = self.ledgers(s);
            while s.phase == Phase::Main {
                let Some(counts) = self.count_turn(s, &ledgers) else {
                    let action = self.random_action(s, choices);
                    self.play_unchecked(s, action, chance);
                    actions += 1;
                    continue 'ledgers;
                };
                let n = quick.below(counts.len());
                actions += u64::from(self.take_turn(s, journey, &mut ledgers, &counts, n, chance));
            }
            return actions;
        }
    }

    #[inline(always)] // they are large to move
    fn ledgers(&self, s: &State) -> Ledgers {
        let mut ledgers = Ledgers::new();
        for seat in Seat::all(self.seats) {
            ledgers.push(Ledger { free: self.tariff.counted.all_free, joined: Joined::default() });
            let ledger = &mut ledgers[seat];
            let routes = s.routes_of(seat);
            let free = s.free_routes();
            let open = if self.rules.both_tracks { free - self.twins(routes) } else { free };
            ledger.free.update(open, &self.tariff.counted);
            for route in routes {
                ledger.joined.join(self.routes[route.index()].ends.into_iter().collect());
            }
        }
        ledgers
    }

    /// The hand of the seat to move, limited to the locomotives that can be of use for claims with its
    /// trains and at least `colour_cards` cards of a colour.
    #[inline(always)]
    fn useful_hand(&self, s: &State, colour_cards: u8) -> Cards {
        let (hand, trains) = (s.cards.hands[s.seat], s.trains[s.seat]);
        let useless = hand.locomotives().saturating_sub(trains.saturating_sub(colour_cards));
        hand - Cards::of(CardKind::Locomotive, useless)
    }

    /// Counts the actions that can start a turn. `None` if the hand has too many locomotives to count,
    /// or if there are no draws or swaps, because all counted claims might be forbidden.
    #[inline(always)]
    fn count_turn(&self, s: &State, ledgers: &Ledgers) -> Option<TurnCounts> {
        let seat = s.seat.index();
        let (draws, swaps) = (u32::from(self.can_take_blind(s)), u32::from(self.may_swap(s)));
        if !self.tariff.counted.can_count(s.cards.hands[seat]) || draws + swaps == 0 {
            return None;
        }
        let free = &ledgers[seat].free;
        let (claims, alone) = match s.cards.hands[seat].locomotives() {
            0 => (Claims::new(free.count(s.cards.hands[seat], s.trains[seat])), 0),
            _ => self.count_with_useful_locomotives(s, free),
        };
        Some(TurnCounts { draws, claims, swaps, alone })
    }

    #[inline(never)]
    fn count_with_useful_locomotives(&self, s: &State, free: &FreeRoutes) -> (Claims, u32) {
        let (claims, _) = self.tariff.counted.count(free, self.useful_hand(s, 1), s.trains[s.seat]);
        (claims, self.tariff.counted.payable_with_locomotives(free, self.useful_hand(s, 0)).len() as u32)
    }

    /// Plays the `n`-th action of the actions. Returns `false` if it is not allowed.
    #[inline(always)]
    fn take_turn(
        &self,
        s: &mut State,
        journey: &Journey,
        ledgers: &mut Ledgers,
        counts: &TurnCounts,
        n: u32,
        chance: &mut impl Chance,
    ) -> bool {
        let Some(n) = n.checked_sub(counts.draws) else {
            self.take_card(s, None, chance);
            return true;
        };
        match n.checked_sub(counts.claims.len) {
            None => self.claim_in_colours(s, journey, ledgers, counts.claims, n, chance),
            Some(n) if n < counts.swaps => {
                self.swap(s, journey, ledgers, chance);
                true
            }
            Some(n) => self.claim_alone(s, journey, ledgers, n - counts.swaps, chance),
        }
    }

    #[inline(never)]
    fn swap(&self, s: &mut State, journey: &Journey, ledgers: &Ledgers, chance: &mut impl Chance) {
        let joined = &ledgers[s.seat].joined;
        self.swap_tickets(s, journey, |drawn| self.tickets_in(drawn, joined), chance);
    }

    /// Makes the `n`-th claim with cards of a colour. Returns `false` if it is not allowed.
    #[inline(never)]
    fn claim_in_colours(
        &self,
        s: &mut State,
        journey: &Journey,
        ledgers: &mut Ledgers,
        claims: Claims,
        n: u32,
        chance: &mut impl Chance,
    ) -> bool {
        let seat = s.seat.index();
        let hand = self.useful_hand(s, 1);
        let (route, payment) = self.tariff.nth_counted(&ledgers[seat].free, claims, hand, n);
        self.claim_on_journey(s, journey, ledgers, route, payment, chance)
    }

    /// Makes the `n`-th claim with locomotives alone. Returns `false` if it is not allowed.
    #[inline(never)]
    fn claim_alone(
        &self,
        s: &mut State,
        journey: &Journey,
        ledgers: &mut Ledgers,
        n: u32,
        chance: &mut impl Chance,
    ) -> bool {
        let seat = s.seat.index();
        let hand = self.useful_hand(s, 0);
        let route = self.tariff.counted.payable_with_locomotives(&ledgers[seat].free, hand).member(n);
        let payment = Payment { colour: None, locomotives: self.tariff.groups.price(route).length, sets: 0 };
        self.claim_on_journey(s, journey, ledgers, route, payment, chance)
    }

    /// Claims a route that the seat may claim. Returns `false` if it has too few trains or the route
    /// does not accept the payment.
    #[inline(always)]
    fn claim_on_journey(
        &self,
        s: &mut State,
        journey: &Journey,
        ledgers: &mut Ledgers,
        route: RouteId,
        payment: Payment,
        chance: &mut impl Chance,
    ) -> bool {
        if !self.takes(s, route, payment) {
            return false;
        }
        let seat = s.seat.index();
        let cards = payment.cards(self.route(route).length);
        self.pay(s, cards);
        s.cards.discard += cards;
        self.take_route(s, route, chance);
        let taken = RouteSet::only(route);
        let with_twin = taken | self.twins(taken);
        ledgers[seat].free.remove(with_twin, &self.tariff.counted); // CC-19
        let for_all = if self.rules.both_tracks { taken } else { with_twin }; // CC-20
        ledgers.iter_mut().for_each(|ledger| ledger.free.remove(for_all, &self.tariff.counted));
        self.complete_tickets_in(s, journey, route, &mut ledgers[seat].joined, chance);
        self.finish_action(s, Outcome::Progress);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::tests::assert_reached;
    use crate::{Game, Turn, maps};

    /// Asserts that the actions that rolls stand for lead to the same positions as the legal actions.
    fn assert_every_action_once(game: &BoardGame, s: &State, chance: &Dice) -> bool {
        let ledgers = game.ledgers(s);
        let Some(counts) = game.count_turn(s, &ledgers) else { return false };
        let journey = game.rules.journey.as_ref().unwrap();
        let mut reached = Vec::new();
        for n in 0..counts.len() {
            let (mut after, mut ledgers) = (*s, ledgers.clone());
            if game.take_turn(&mut after, journey, &mut ledgers, &counts, n, &mut chance.clone()) {
                // The kept state equals the recomputed state.
                for (kept, found) in ledgers.iter().zip(game.ledgers(&after)) {
                    assert_eq!(kept.free.routes, found.free.routes);
                    assert_eq!(kept.joined.sorted(), found.joined.sorted());
                }
                reached.push(after);
            }
        }
        assert_reached(game, s, reached, chance);
        true
    }

    #[test]
    fn every_legal_action_is_chosen_from_once() {
        let maps = maps::ids().iter().map(|id| maps::find(id).unwrap());
        let journeys: Vec<_> = maps.filter(|map| map.rules.journey.is_some()).collect();
        // The printed games leave both tracks of a double route open to all seats.
        let mut one_track = journeys.clone();
        one_track.iter_mut().for_each(|map| map.rules.claim.both_tracks_from = 4);
        for map in journeys.into_iter().chain(one_track) {
            for seats in map.seats.min..=map.seats.max {
                let game = BoardGame::new(&map, seats.into()).unwrap();
                assert!(game.rules.journey.as_ref().unwrap().simple);
                let mut turns = 0;
                for seed in 0..8 {
                    let mut dice = Dice::from_seed(seed);
                    let mut s = game.deal(&mut dice);
                    while let Turn::Of(_) = game.turn(&s) {
                        turns += usize::from(assert_every_action_once(&game, &s, &dice));
                        let action = game.random_action(&s, &mut dice);
                        game.play_unchecked(&mut s, action, &mut dice);
                    }
                }
                assert!(turns > 80, "{} with {seats} seats has {turns} such turns", map.id);
            }
        }
    }
}
