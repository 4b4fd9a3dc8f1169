//! Observations that can't leak, and the methods common to the observations of all games.

/// Implements the common part of observations: the methods that all of them have, [`crate::View`], and
/// Debug, comparison and hash. The latter go through `facts()`, because derived implementations would
/// expose the hidden cards of the underlying state.
macro_rules! seen_through_facts {
    ($observation:ident, $game:ident, $action:ident, $phase:ident) => {
        impl<'s> $observation<'s> {
            /// The rules of the game.
            pub fn game(&self) -> &'s $game {
                self.game
            }

            /// The observing seat.
            pub fn seat(&self) -> crate::pieces::Seat {
                self.seat
            }

            /// The seat that decides next, unless the game is over.
            pub fn turn(&self) -> crate::game::Turn {
                self.game.turn(self.state)
            }

            /// Returns `true` if the observing seat is to decide.
            pub fn to_move(&self) -> bool {
                self.turn() == crate::game::Turn::Of(self.seat)
            }

            /// The seat that takes the first turn.
            pub fn first(&self) -> crate::pieces::Seat {
                self.state.first
            }

            /// The decision that is due.
            pub fn phase(&self) -> $phase {
                self.state.phase
            }

            /// The hand of the observing seat.
            pub fn hand(&self) -> crate::pieces::Cards {
                self.state.cards.hands[self.seat]
            }

            /// Number of cards in a seat's hand.
            pub fn hand_size(&self, seat: crate::pieces::Seat) -> u8 {
                self.state.cards.hands[seat].total()
            }

            /// The cards of a seat's hand that all seats have seen; for the observing seat, those that
            /// the others know.
            pub fn shown(&self, seat: crate::pieces::Seat) -> crate::pieces::Cards {
                self.state.cards.shown[seat]
            }

            /// The face-up cards.
            pub fn market(&self) -> crate::pieces::Cards {
                self.state.cards.market
            }

            /// The discard, which is face up (CC-36).
            pub fn discard(&self) -> crate::pieces::Cards {
                self.state.cards.discard
            }

            /// Number of cards in the deck.
            pub fn deck_size(&self) -> u8 {
                self.state.cards.deck.total()
            }

            /// Number of a seat's hidden cards that are among the old ones.
            pub fn old_in_hand(&self, seat: crate::pieces::Seat) -> u8 {
                self.state.old.count(seat.index())
            }

            /// The tickets offered to the observing seat, if it is choosing.
            pub fn offered(&self) -> crate::pieces::TicketSet {
                if self.to_move() { self.state.tickets.offered() } else { crate::pieces::TicketSet::EMPTY }
            }

            /// The tickets that a seat has completed and shown (FJ-6, CG-16).
            pub fn completed(&self, seat: crate::pieces::Seat) -> crate::pieces::TicketSet {
                self.state.tickets.at(crate::pieces::TicketPlace::Done(seat))
            }

            /// Number of tickets that can be drawn.
            pub fn ticket_deck_size(&self) -> usize {
                self.state.ticket_deck_len()
            }

            /// Number of final turns left, including this one, or `None` before the first (CC-31,
            /// CG-12).
            pub fn final_turns(&self) -> Option<u8> {
                (self.state.final_turns > 0).then_some(self.state.final_turns)
            }

            /// Number of turns played.
            pub fn turns(&self) -> u16 {
                self.state.turns
            }
        }

        impl crate::game::View for $observation<'_> {
            type Game = $game;
            type Action = $action;

            fn game(&self) -> &$game {
                self.game
            }

            fn seat(&self) -> crate::pieces::Seat {
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
                    self.game.legal_actions(self.state, visit)
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
                Err(crate::game::IllegalAction::WrongMoment { action: action.kind().to_owned(), now })
            }

            fn write_action(&self, action: $action) -> String {
                crate::notation::Notation::write_action_seen_by(self.game, self.state, action, self.seat)
            }

            fn parse_action(&self, text: &str) -> Result<$action, crate::notation::NotationError> {
                if !self.to_move() {
                    return Err(crate::notation::NotationError::NotToMove);
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
    };
}

pub(crate) use seen_through_facts;
