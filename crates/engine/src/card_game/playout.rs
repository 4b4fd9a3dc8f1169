//! Playouts: random games played to the end, for `ttr bench` and other bulk users.
//!
//! Equivalent to alternating [`CardGame::random_action`] and [`CardGame::play_unchecked`], but the
//! chosen action is applied without being constructed. The actions of a turn are counted in a different
//! order.

use crate::card_game::action::Phase;
use crate::card_game::compile::CardGame;
use crate::card_game::legal::MainActions;
use crate::card_game::state::State;
use crate::chance::{Chance, Dice, QuickDice};

impl CardGame {
    /// Plays random actions to the end. Returns their number.
    #[inline(never)]
    pub(crate) fn playout(&self, s: &mut State, choices: &mut Dice, chance: &mut impl Chance) -> u64 {
        let mut quick = QuickDice::new(choices);
        let mut actions = 0;
        loop {
            let ended = match s.phase {
                Phase::Main => {
                    let turn = MainActions::new(self, s);
                    let n = quick.below(turn.len().max(1) as u32);
                    self.begin_turn(s, &turn, n as usize, chance)
                }
                Phase::SecondCard => {
                    let n = quick.below(self.count_second_cards(s));
                    Some(self.take_second_card(s, n, chance))
                }
                Phase::Tickets => {
                    let choice = quick.below(1 << s.offered()) as u8; // keeping none is allowed
                    Some(self.keep_drawn(s, choice))
                }
                Phase::Opening => {
                    let choice = quick.below(1 << s.offered()) as u8;
                    if choice.count_ones() < self.least_kept(s).into() {
                        continue;
                    }
                    self.keep_opening(s, choice, chance);
                    None
                }
                Phase::Completing(_) => {
                    let action = self.random_action(s, choices);
                    self.play_unchecked(s, action, chance);
                    None
                }
                Phase::Over(_) => return actions,
            };
            actions += 1;
            if let Some(progress) = ended {
                self.end_turn(s, progress, chance);
            }
        }
    }

    /// Plays the `n`-th action that can start a turn. If that completes the turn, returns `true` if it
    /// was progress.
    #[inline(always)]
    fn begin_turn(
        &self,
        s: &mut State,
        turn: &MainActions,
        n: usize,
        chance: &mut impl Chance,
    ) -> Option<bool> {
        let Some(n) = n.checked_sub(turn.draws.len() as usize) else {
            return self.take_card(s, turn.draws.nth_as_one(n as u32), chance).then_some(true);
        };
        if n < turn.rows {
            let (colour, cards, locomotives) = turn.plays.nth_row(n as u32);
            self.play_row(s, colour, cards, locomotives);
            Some(true)
        } else if n < turn.rows + turn.threes {
            self.play_three(s, turn.plays.nth_three(n - turn.rows));
            Some(true)
        } else if turn.tickets {
            self.offer_drawn(s, chance);
            None
        } else {
            Some(false) // CG-11
        }
    }

    /// Number of second cards to draw, counting the option to stop.
    #[inline(always)]
    fn count_second_cards(&self, s: &State) -> u32 {
        self.draws(s).len() + u32::from(self.spec.rules.may_stop_after_one)
    }

    /// Draws the `n`-th second card, or stops; both are progress.
    #[inline(always)]
    fn take_second_card(&self, s: &mut State, n: u32, chance: &mut impl Chance) -> bool {
        let draws = self.draws(s);
        if n < draws.len() {
            self.take_card(s, draws.nth_as_one(n), chance);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::tests::{assert_playouts_agree, assert_reached};
    use crate::spec::{CardGameSpec, LastTurnDraw};
    use crate::{Game, Turn, maps};

    /// The shipped rules, and others.
    fn variants() -> [CardGameSpec; 2] {
        let [shipped, mut other] = [maps::card_game(), maps::card_game()];
        other.rules.may_stop_after_one = !other.rules.may_stop_after_one;
        other.rules.last_turn_draw = match other.rules.last_turn_draw {
            LastTurnDraw::Market => LastTurnDraw::None,
            LastTurnDraw::None => LastTurnDraw::Market,
        };
        [shipped, other]
    }

    /// Asserts that the actions that rolls stand for lead to the same positions as the legal actions.
    fn assert_every_action_once(game: &CardGame, s: &State, chance: &Dice) {
        let rolls = match s.phase {
            Phase::Main => MainActions::new(game, s).len().max(1) as u32,
            _ => game.count_second_cards(s),
        };
        let reached: Vec<_> = (0..rolls)
            .map(|n| {
                let (mut after, mut chance) = (*s, chance.clone());
                let ended = match s.phase {
                    Phase::Main => {
                        game.begin_turn(&mut after, &MainActions::new(game, s), n as usize, &mut chance)
                    }
                    _ => Some(game.take_second_card(&mut after, n, &mut chance)),
                };
                if let Some(progress) = ended {
                    game.end_turn(&mut after, progress, &mut chance);
                }
                after
            })
            .collect();
        assert_reached(game, s, reached, chance);
    }

    #[test]
    fn every_legal_action_is_chosen_from_once() {
        for spec in variants() {
            for seats in spec.seats.min..=spec.seats.max {
                let game = CardGame::new(&spec, seats.into()).unwrap();
                for seed in 0..8 {
                    let mut dice = Dice::from_seed(seed);
                    let mut s = game.deal(&mut dice);
                    while let Turn::Of(_) = game.turn(&s) {
                        if matches!(s.phase, Phase::Main | Phase::SecondCard) {
                            assert_every_action_once(&game, &s, &dice);
                        }
                        let action = game.random_action(&s, &mut dice);
                        game.play_unchecked(&mut s, action, &mut dice);
                    }
                }
            }
        }
    }

    #[test]
    fn playouts_agree_with_random_actions() {
        for spec in variants() {
            for seats in spec.seats.min..=spec.seats.max {
                let game = CardGame::new(&spec, seats.into()).unwrap();
                assert_playouts_agree(&game, &format!("{} with {seats} seats", spec.id));
            }
        }
    }
}
