//! Views that can't leak.

/// [`crate::View`] of an observation, and its Debug, comparison, hash and serde, all through its `facts()`: derived
/// forms would show the hidden cards of the state behind it.
macro_rules! seen_through_facts {
    ($observation:ident, $game:ident, $action:ident) => {
        impl crate::game::View for $observation<'_> {
            type Game = $game;
            type Action = $action;

            fn game(&self) -> &$game {
                self.game
            }

            fn seat(&self) -> crate::game::Seat {
                self.seat
            }

            fn turn(&self) -> crate::game::Turn {
                self.game.turn(self.state)
            }

            fn legal_actions<B>(
                &self,
                visit: impl FnMut($action) -> std::ops::ControlFlow<B>,
            ) -> std::ops::ControlFlow<B> {
                if self.to_move() {
                    self.game.visit_actions(self.state, visit)
                } else {
                    std::ops::ControlFlow::Continue(())
                }
            }

            fn count_actions(&self) -> usize {
                if self.to_move() { self.game.count_actions(self.state) } else { 0 }
            }

            fn nth_action(&self, n: usize) -> Option<$action> {
                self.to_move().then(|| self.game.nth_action(self.state, n)).flatten()
            }

            fn random_action(&self, dice: &mut crate::chance::Dice) -> $action {
                debug_assert!(self.to_move(), "only the seat to move has actions");
                self.game.random_action(self.state, dice)
            }

            fn check(&self, action: $action) -> Result<(), crate::game::IllegalAction> {
                if self.to_move() {
                    return self.game.check(self.state, action);
                }
                let now = "another seat decides";
                Err(crate::game::IllegalAction::WrongMoment { action: format!("{action:?}"), now })
            }

            fn write_action(&self, action: $action) -> String {
                // Which tickets another seat keeps is its secret.
                debug_assert!(self.to_move(), "only the seat to move has actions");
                if !self.to_move() {
                    return format!("{action:?}");
                }
                crate::notation::Notation::write_action(self.game, self.state, action)
            }

            fn parse_action(&self, text: &str) -> Result<$action, crate::notation::NotationError> {
                if !self.to_move() {
                    return crate::notation::error("another seat decides");
                }
                crate::notation::Notation::parse_action(self.game, self.state, text)
            }
        }

        impl std::fmt::Debug for $observation<'_> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.facts().fmt(f)
            }
        }

        impl PartialEq for $observation<'_> {
            fn eq(&self, other: &Self) -> bool {
                std::ptr::eq(self.game, other.game) && self.facts() == other.facts()
            }
        }

        impl Eq for $observation<'_> {}

        impl std::hash::Hash for $observation<'_> {
            fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
                self.facts().hash(hasher);
            }
        }

        impl serde::Serialize for $observation<'_> {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.facts().serialize(serializer)
            }
        }
    };
}

pub(crate) use seen_through_facts;
