//! Playouts: random games played to the end, for `ttr bench` and other bulk users.
//!
//! Equivalent to alternating [`BoardGame::random_action`] and [`BoardGame::play_unchecked`], but the
//! free routes stay counted from one turn to the next, and the chosen action is applied without being
//! constructed. The actions of a turn are counted in a different order.

use crate::board::action::{Action, Payment, Phase};
use crate::board::claims::{Claims, FreeRoutes};
use crate::board::compile::BoardGame;
use crate::board::state::State;
use crate::chance::{Chance, Dice, QuickDice};
use crate::pieces::{RouteId, Seat};

impl BoardGame {
    /// Plays random actions to the end. Returns their number.
    pub(crate) fn playout(&self, s: &mut State, choices: &mut Dice, chance: &mut impl Chance) -> u64 {
        s.forget();
        match &self.rules.journey {
            Some(journey) if journey.simple => self.finish_journey(s, journey, choices, chance),
            _ => self.finish_game(s, choices, chance),
        }
    }

    /// Plays random actions to the end under any rules. Returns their number.
    #[inline(never)]
    fn finish_game(&self, s: &mut State, choices: &mut Dice, chance: &mut impl Chance) -> u64 {
        let mut free = self.tariff.counted.all_free;
        free.update(s.free_routes(), &self.tariff.counted);
        let mut quick = QuickDice::new(choices);
        let mut actions = 0;
        loop {
            let card = match s.phase {
                Phase::Main if self.can_count(s) => {
                    let seat = s.seat.index();
                    let (claims, alone) =
                        self.tariff.counted.count(&free, s.cards.hands[seat], s.trains[seat]);
                    let draws = self.count_draws(s);
                    let n = quick.below(draws + claims.len + self.count_others(s, alone));
                    if n < draws && !self.stores_first(s) {
                        self.first_draws(s).nth_as_one(n)
                    } else {
                        let taken = match n.checked_sub(draws) {
                            Some(n) if n < claims.len => self.claim_nth(s, &mut free, claims, n, chance),
                            Some(n) => self.take_other(s, &mut free, n - claims.len, chance),
                            None => {
                                self.store(s, Seat::new(n as usize), chance);
                                true
                            }
                        };
                        actions += u64::from(taken);
                        continue;
                    }
                }
                Phase::FirstCard | Phase::SecondCard => {
                    let draws = self.draws(s);
                    draws.nth_as_one(quick.below(draws.len()))
                }
                Phase::Tickets => {
                    let choice = self.random_keep(s, |n| quick.below(n));
                    self.keep_drawn(s, choice);
                    actions += 1;
                    continue;
                }
                Phase::Tunnel { .. } => {
                    let (least, most) = self.tunnel_locomotives(s);
                    let ways = (most + 1).saturating_sub(least);
                    match quick.below(u32::from(ways) + 1) as u8 {
                        n if n < ways => {
                            self.pay_tunnel(s, least + n, chance);
                            free.update(s.free_routes(), &self.tariff.counted);
                        }
                        _ => self.decline_tunnel(s, chance),
                    }
                    actions += 1;
                    continue;
                }
                Phase::Over(_) => return actions,
                _ => {
                    self.random_step(s, &mut free, choices, chance);
                    actions += 1;
                    continue;
                }
            };
            self.take_card(s, card, chance);
            actions += 1;
        }
    }

    /// Chooses and plays any action.
    #[inline(never)]
    fn random_step(
        &self,
        s: &mut State,
        free: &mut FreeRoutes,
        choices: &mut Dice,
        chance: &mut impl Chance,
    ) {
        let action = self.random_action(s, choices);
        self.play_unchecked(s, action, chance);
        free.update(s.free_routes(), &self.tariff.counted);
    }

    /// Returns `true` if the actions of a turn can be counted with [`FreeRoutes`]. If there is nothing
    /// else to do, they cannot: all counted claims might be forbidden.
    #[inline(always)]
    fn can_count(&self, s: &State) -> bool {
        self.tariff.counted.can_count(s.cards.hands[s.seat])
            && (!s.cards.deck.is_empty() || self.count_draws(s) + self.count_ticket_draws(s) > 0)
    }

    /// Number of actions that can start a turn, except draws and claims with cards of a colour. `alone`
    /// is the number of claims with locomotives alone.
    #[inline(always)]
    fn count_others(&self, s: &State, alone: u32) -> u32 {
        let with_sets = if self.tariff.groups.has_sets() { self.count_claims_with_sets(s) } else { 0 };
        self.count_ticket_draws(s) + alone + with_sets + self.count_stations(s) + self.count_depot_sites(s)
    }

    #[inline(never)]
    fn count_claims_with_sets(&self, s: &State) -> u32 {
        self.tariff.groups.count_with_sets(s.cards.hands[s.seat], self.open_routes(s, s.seat))
    }

    /// Makes the `n`-th claim with cards of a colour. Returns `false` if it is not allowed.
    #[inline(never)]
    fn claim_nth(
        &self,
        s: &mut State,
        free: &mut FreeRoutes,
        claims: Claims,
        n: u32,
        chance: &mut impl Chance,
    ) -> bool {
        let (route, payment) = self.tariff.nth_counted(free, claims, s.cards.hands[s.seat], n);
        let allowed = self.may_claim(s, route, payment);
        if allowed {
            self.claim(s, route, payment, chance);
            free.update(s.free_routes(), &self.tariff.counted);
        }
        allowed
    }

    /// Plays the `n`-th of the other actions, in the order of [`BoardGame::count_others`]. Returns
    /// `false` if it is not allowed.
    #[inline(never)]
    fn take_other(&self, s: &mut State, free: &mut FreeRoutes, mut n: u32, chance: &mut impl Chance) -> bool {
        if n < self.count_ticket_draws(s) {
            if self.rules.journey.is_some() {
                self.play_unchecked(s, Action::SwapTickets, chance); // no shipped map gets here
            } else {
                self.offer_drawn(s, chance);
            }
            return true;
        }
        n -= self.count_ticket_draws(s);
        let hand = s.cards.hands[s.seat];
        let alone = self.tariff.counted.payable_with_locomotives(free, hand);
        let with_sets = if self.tariff.groups.has_sets() { self.count_claims_with_sets(s) } else { 0 };
        let action = if n < alone.len() as u32 {
            let route = alone.member(n);
            let payment =
                Payment { colour: None, locomotives: self.tariff.groups.price(route).length, sets: 0 };
            if !self.may_claim(s, route, payment) {
                return false;
            }
            Action::Claim { route, payment }
        } else if n - (alone.len() as u32) < with_sets {
            self.tariff.groups.nth_with_sets(hand, self.open_routes(s, s.seat), n - alone.len() as u32)
        } else {
            self.nth_other(s, n - alone.len() as u32 - with_sets, 1) // there are draws too
        };
        self.play_unchecked(s, action, chance);
        free.update(s.free_routes(), &self.tariff.counted);
        true
    }

    /// Returns `true` if the seat to move may claim a free route with a payment of the right length from
    /// its hand.
    #[inline(always)]
    pub(crate) fn may_claim(&self, s: &State, route: RouteId, payment: Payment) -> bool {
        self.takes(s, route, payment) && !(self.rules.both_tracks && self.owns_twin(s, route)) // CC-19
    }

    /// Returns `true` if the seat to move has enough trains for a route, and the route accepts the
    /// payment's locomotives.
    #[inline(always)]
    pub(crate) fn takes(&self, s: &State, route: RouteId, payment: Payment) -> bool {
        let price = self.tariff.groups.price(route);
        price.length <= s.trains[s.seat]
            && payment.locomotives >= price.ferry
            && (payment.locomotives == 0 || price.locomotives)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::tests::{assert_playouts_agree, assert_reached};
    use crate::pieces::{OldCards, TicketPlace};
    use crate::spec::MapSpec;
    use crate::{Game, Turn, maps};

    fn agrees(map: &MapSpec, seats: usize) {
        let game = BoardGame::new(map, seats).unwrap();
        assert_playouts_agree(&game, &format!("{} with {seats} seats", map.id));
    }

    /// Compares the positions that rolls lead to with those of the legal actions, in every turn of a
    /// game.
    fn follow(game: &BoardGame, seed: u64) -> usize {
        let mut dice = Dice::from_seed(seed);
        let mut s = game.deal(&mut dice);
        let mut turns = 0;
        while let Turn::Of(seat) = game.turn(&s) {
            if s.phase == Phase::Main && game.can_count(&s) {
                assert_every_action_once(game, &s, seat, &dice);
                turns += 1;
            }
            let action = game.random_action(&s, &mut dice);
            game.play_unchecked(&mut s, action, &mut dice);
        }
        turns
    }

    fn assert_every_action_once(game: &BoardGame, s: &State, seat: Seat, chance: &Dice) {
        let mut free = game.tariff.counted.all_free;
        free.update(s.free_routes(), &game.tariff.counted);
        let (claims, alone) = game.tariff.counted.count(&free, s.cards.hands[seat], s.trains[seat]);
        let mut reached = Vec::new();
        let mut reach = |take: &dyn Fn(&mut State, &mut FreeRoutes, &mut Dice) -> bool| {
            let (mut s, mut free) = (*s, free);
            if take(&mut s, &mut free, &mut chance.clone()) {
                reached.push(s);
            }
        };
        for n in 0..game.count_draws(s) {
            reach(&|s, _, chance| {
                if game.stores_first(s) {
                    game.store(s, Seat::new(n as usize), chance);
                } else {
                    game.take_card(s, game.first_draws(s).nth_as_one(n), chance);
                }
                true
            });
        }
        for n in 0..claims.len {
            reach(&|s, free, chance| game.claim_nth(s, free, claims, n, chance));
        }
        for n in 0..game.count_others(s, alone) {
            reach(&|s, free, chance| game.take_other(s, free, n, chance));
        }
        assert_reached(game, s, reached, chance);
    }

    #[test]
    fn every_legal_action_is_chosen_from_once() {
        let depots = maps::find("europe+depots").unwrap();
        for map in maps::ids().iter().map(|id| maps::find(id).unwrap()).chain([depots]) {
            for seats in map.seats.min..=map.seats.max {
                let game = BoardGame::new(&map, seats.into()).unwrap();
                let turns: usize = (0..4).map(|seed| follow(&game, seed)).sum();
                assert!(turns > 40, "{} with {seats} seats has {turns} such turns", map.id);
            }
        }
    }

    /// A playout drops what the seats remember, and plays the same game as one that does not.
    #[test]
    fn memory_changes_nothing_in_playouts() {
        let (mut noted, mut reshuffled) = (0, 0);
        for (id, seats) in [("usa", 2), ("usa", 5), ("europe", 4), ("europe+depots", 3), ("nordic", 3)] {
            let game = BoardGame::new(&maps::find(id).unwrap(), seats).unwrap();
            for seed in 0..100 {
                let (mut choices, mut chance) = (Dice::from_seed(seed), Dice::from_seed(seed + 1));
                let start = game.deal(&mut chance);
                let (mut kept, mut forgotten) = (start, start);
                let actions = game.finish_game(&mut kept, &mut choices.clone(), &mut chance.clone());
                assert_eq!(game.playout(&mut forgotten, &mut choices, &mut chance), actions);
                assert_eq!(game.scores(&kept), game.scores(&forgotten));
                noted += usize::from(!kept.bottom.notes().is_empty());
                reshuffled += usize::from(kept.old != OldCards::NONE);
                // Without memory both are equal, except for what is remembered of tickets under the
                // deck.
                assert!(kept.remembers && !forgotten.remembers);
                for s in [&mut kept, &mut forgotten] {
                    s.forget();
                    s.mixed_by = None;
                    for batch in s.bottom.batches().collect::<Vec<_>>() {
                        s.tickets.put_all(batch, TicketPlace::Deck);
                    }
                }
                assert_eq!(kept, forgotten);
            }
        }
        assert!(noted > 100 && reshuffled > 100, "{noted} {reshuffled}");
    }

    #[test]
    fn playouts_agree_with_random_actions() {
        for (id, seats) in [("usa", 2), ("usa", 5), ("europe", 2), ("europe", 4), ("nordic", 3)] {
            agrees(&maps::find(id).unwrap(), seats);
        }
        agrees(&maps::find("first-journey-usa").unwrap(), 2);
        agrees(&maps::find("europe+depots").unwrap(), 3);
    }
}
