//! Random games to their end: what benchmarks and rollouts spend their time with.
//!
//! The same as [`BoardGame::pick`] and [`BoardGame::apply`] in turns, but what follows from one turn to the next is kept: the open
//! routes of each seat are counted once, and what was chosen is done without being spelled out as an action.

use crate::board::action::{Action, Outcome, Payment, Phase};
use crate::board::claims::FreeRoutes;
use crate::board::compile::BoardGame;
use crate::board::legal::Draws;
use crate::board::state::State;
use crate::chance::{Chance, Dice};
use crate::game::Seat;

impl BoardGame {
    /// Plays random actions to the end and tells how many.
    #[inline(never)]
    pub(crate) fn play_out(&self, s: &mut State, choices: &mut Dice, chance: &mut impl Chance) -> u64 {
        let mut free = self.tariff.all_free;
        let mut actions = 0;
        loop {
            match s.phase {
                Phase::Over(_) => return actions,
                Phase::Main => match &mut free {
                    Some(free) if s.hands[s.seat.index()].locomotives() == 0 => {
                        self.random_turn(s, free, choices, chance);
                    }
                    _ => self.random_step(s, choices, chance),
                },
                Phase::FirstCard | Phase::SecondCard => {
                    let draws = self.draws(s);
                    let n = choices.below(draws.len());
                    self.draw(s, draws, n, chance);
                }
                Phase::Tickets => {
                    let choice = self.pick_tickets(s, choices);
                    self.keep_drawn(s, choice);
                    self.finish_action(s, if choice == 0 { Outcome::Idle } else { Outcome::Progress });
                }
                _ => self.random_step(s, choices, chance),
            }
            actions += 1;
        }
    }

    #[inline(never)]
    fn random_step(&self, s: &mut State, choices: &mut Dice, chance: &mut impl Chance) {
        let action = self.pick(s, choices);
        self.apply(s, action, chance);
    }

    /// Chooses and takes the action of a turn that begins without a locomotive in hand.
    #[inline(always)]
    fn random_turn(
        &self,
        s: &mut State,
        counted: &mut FreeRoutes,
        choices: &mut Dice,
        chance: &mut impl Chance,
    ) {
        let seat = s.seat.index();
        let (hand, free) = (s.hands[seat], s.free_routes());
        counted.update(free, &self.tariff);
        let claims = counted.count(hand, s.trains[seat]);
        let in_colours = claims.total();
        let with_sets = if self.tariff.has_sets() {
            self.tariff.count_with_sets(hand, self.open_routes(s, s.seat))
        } else {
            0
        };
        let menu = self.menu(s, in_colours + with_sets);
        if menu.cards + menu.tickets == 0 {
            return self.random_step(s, choices, chance); // there may be nothing else than claims that are not allowed
        }
        loop {
            let mut n = choices.below(menu.len());
            if n < menu.cards {
                return if self.stores_first(s) {
                    self.store(s, Seat(n as u8), chance)
                } else {
                    self.draw(s, Draws::at_first(s), n, chance)
                };
            }
            n -= menu.cards;
            if n < menu.tickets {
                return if self.rules.journey.is_some() {
                    self.apply(s, Action::SwapTickets, chance)
                } else {
                    self.offer_drawn(s, chance)
                };
            }
            n -= menu.tickets;
            if n < in_colours {
                let (colour, n) = claims.nth(n);
                let route = self.tariff.nth_in_colour(counted, free, colour, n);
                if self.rules.both_tracks && self.owns_twin(s, route) {
                    continue; // CC-19: counted, but not allowed
                }
                let payment = Payment { colour: Some(colour), locomotives: 0, sets: 0 };
                return self.claim(s, route, payment, chance);
            }
            let action = if n < menu.claims {
                self.tariff.nth_with_sets(hand, self.open_routes(s, s.seat), n - in_colours)
            } else {
                self.nth_other(s, &menu, n - menu.claims)
            };
            return self.apply(s, action, chance);
        }
    }

    #[inline]
    fn draw(&self, s: &mut State, draws: Draws, n: u32, chance: &mut impl Chance) {
        match draws.nth_face_up(n) {
            Some(card) => self.take_face_up(s, card, chance),
            None => self.take_blind(s, chance),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::board::BoardGame;
    use crate::spec::MapSpec;
    use crate::{Dice, Game, Turn, maps};

    const GAMES: u64 = 4_000;

    /// Mean and deviation of the mean.
    fn mean(values: &[f64]) -> (f64, f64) {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n;
        (mean, (variance / n).sqrt())
    }

    /// Playouts choose as `random_action` does: actions and points of many games agree but for chance.
    fn agrees(map: &MapSpec, seats: usize) {
        let game = BoardGame::new(map, seats).unwrap();
        let (mut playouts, mut others) = (Vec::new(), Vec::new());
        for seed in 0..GAMES {
            let mut chance = Dice::from_parts(&[seed, 0]);
            let mut choices = Dice::from_parts(&[seed, 1]);
            let mut s = game.deal(&mut chance);
            let actions = game.playout(&mut s, &mut choices, &mut chance);
            assert_eq!(game.turn(&s), Turn::Over);
            playouts.push((actions as f64, f64::from(game.scores(&s).points.iter().sum::<i16>())));

            let mut s = game.deal(&mut chance);
            let mut actions = 0;
            while let Turn::Of(_) = game.turn(&s) {
                let action = game.random_action(&s, &mut choices);
                game.play(&mut s, action, &mut chance).unwrap();
                actions += 1;
            }
            others.push((f64::from(actions), f64::from(game.scores(&s).points.iter().sum::<i16>())));
        }
        for part in [|&(actions, _): &(f64, f64)| actions, |&(_, points): &(f64, f64)| points] {
            let [a, b] = [&playouts, &others].map(|games| mean(&games.iter().map(part).collect::<Vec<_>>()));
            let difference = (a.0 - b.0) / a.1.hypot(b.1);
            assert!(difference.abs() < 4.0, "{} with {seats} seats: {a:?} and {b:?}", map.id);
        }
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
