//! The common interface of all games, for searches and simulators.

use std::fmt;
use std::ops::ControlFlow;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::chance::{Chance, Dice};
#[cfg(doc)]
use crate::notation::Notation;
use crate::notation::NotationError;
use crate::pieces::{BySeat, Seat};
use crate::spec::SeatRange;

/// The seat that decides next, unless the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Turn {
    /// This seat decides.
    Of(Seat),
    /// The game is over.
    Over,
}

/// The result of a game.
///
/// ```
/// use ttr_engine::{Scores, Seat};
/// // Seats 0 and 2 have the most points, and a tie-break is in favour of seat 2.
/// let points = [90, 75, 90].into_iter().collect();
/// let scores = Scores { points, ranks: [1, 2, 0].into_iter().collect() };
/// assert!(scores.winners().eq([Seat::new(2)]));
/// assert_eq!(scores.points[Seat::new(1)], 75);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scores {
    /// Points by seat; in games without points, the number of completed tickets.
    pub points: BySeat<i16>,
    /// Rank by seat after all tie-breaks: 0 for a winner; equal ranks are shared.
    pub ranks: BySeat<u8>,
}

impl Scores {
    /// The seats of rank 0: one, or several that share the win.
    pub fn winners(&self) -> impl Iterator<Item = Seat> + '_ {
        self.ranks.enumerate().filter(|&(_, &rank)| rank == 0).map(|(seat, _)| seat)
    }
}

/// The reason an action was rejected. The state is unchanged.
///
/// ```
/// use ttr_engine::board::{Action, BoardGame};
/// use ttr_engine::{maps, Dice, Game, IllegalAction};
/// let game = BoardGame::new(&maps::load("europe")?, 2)?;
/// let state = game.deal(&mut Dice::from_seed(1));
/// let error = game.check(&state, Action::Keep(0b0001)).unwrap_err();
/// assert!(matches!(error, IllegalAction::Forbidden { rule: "CC-3, CC-29", .. }));
/// assert!(error.to_string().starts_with("of the 4 offered tickets at least 2 are kept"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalAction {
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// The action belongs to another phase of the turn.
    #[error("{action} is not possible now: {now}")]
    WrongMoment {
        /// The kind of action.
        action: String,
        /// The pending decision, in words.
        now: &'static str,
    },
    /// The action names something the board does not have.
    #[error("there is no such {0}")]
    Unknown(&'static str),
    /// A rule forbids the action.
    #[error("{reason} ({rule})")]
    Forbidden {
        /// The number of the rule.
        rule: &'static str,
        /// The reason, in words.
        reason: String,
    },
}

/// A number of seats that a map does not allow.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{map} is played by {min} to {max} seats, not by {seats}")]
#[non_exhaustive]
pub struct WrongSeats {
    /// The map's id.
    pub map: String,
    /// The requested number of seats.
    pub seats: usize,
    /// Minimum number of seats.
    pub min: u8,
    /// Maximum number of seats.
    pub max: u8,
}

impl WrongSeats {
    /// Checks a number of seats against the range of a map, and against the maximum that a game
    /// supports.
    pub(crate) fn check(map: &str, range: SeatRange, most: usize, seats: usize) -> Result<(), Self> {
        let SeatRange { min, max } = range;
        if (usize::from(min)..=most.min(max.into())).contains(&seats) {
            return Ok(());
        }
        Err(Self { map: map.to_owned(), seats, min, max })
    }
}

/// Rejects an action unless a condition holds. A legal action formats no text.
pub(crate) fn require<R: Into<String>>(
    condition: bool,
    rule: &'static str,
    reason: impl FnOnce() -> R,
) -> Result<(), IllegalAction> {
    if condition { Ok(()) } else { Err(IllegalAction::Forbidden { rule, reason: reason().into() }) }
}

/// A position as seen by one seat: the part of it that does not depend on the rules.
///
/// ```
/// use ttr_engine::{board, Dice, Game, Seat, View};
/// let game = board::BoardGame::new(&ttr_engine::maps::load("usa").unwrap(), 2).unwrap();
/// let state = game.deal(&mut Dice::from_seed(1));
/// let (mine, theirs) = (game.observe(&state, Seat::new(0)), game.observe(&state, Seat::new(1)));
/// assert!(mine.to_move() && mine.count_actions() > 1);
/// assert_eq!((theirs.to_move(), theirs.count_actions()), (false, 0));
/// let action = mine.nth_action(0).unwrap();
/// assert_eq!(mine.parse_action(&mine.write_action(action)), Ok(action));
/// assert!(mine.check(action).is_ok() && theirs.check(action).is_err());
/// ```
pub trait View: Copy {
    /// The game being played.
    type Game: Game;
    /// A decision.
    type Action: Copy + PartialEq + fmt::Debug;

    /// The rules of the game, which are public.
    fn game(&self) -> &Self::Game;

    /// The observing seat.
    fn seat(&self) -> Seat;

    /// The seat that decides next, unless the game is over.
    fn turn(&self) -> Turn;

    /// Calls `visit` once with every legal action, until it breaks; never if the seat is not to decide.
    /// The seat's knowledge suffices to determine them.
    fn legal_actions<B>(&self, visit: impl FnMut(Self::Action) -> ControlFlow<B>) -> ControlFlow<B>;

    /// Calls `visit` with every legal action.
    ///
    /// ```
    /// use ttr_engine::{board, Dice, Game, Seat, View};
    /// let game = board::BoardGame::new(&ttr_engine::maps::load("usa").unwrap(), 2).unwrap();
    /// let state = game.deal(&mut Dice::from_seed(1));
    /// let view = game.observe(&state, Seat::new(0));
    /// let mut words = Vec::new();
    /// view.for_each_action(|action| words.push(view.write_action(action)));
    /// assert_eq!(words.len(), view.actions().len());
    /// ```
    fn for_each_action(&self, mut visit: impl FnMut(Self::Action)) {
        let _ = self.legal_actions(|action| {
            visit(action);
            ControlFlow::<()>::Continue(())
        });
    }

    /// The legal actions as a list, in the order of [`View::legal_actions`].
    fn actions(&self) -> Vec<Self::Action> {
        let mut actions = Vec::new();
        self.for_each_action(|action| actions.push(action));
        actions
    }

    /// Number of legal actions; 0 if the seat is not to decide.
    fn count_actions(&self) -> usize;

    /// The `n`-th legal action in the order of [`View::legal_actions`].
    fn nth_action(&self, n: usize) -> Option<Self::Action>;

    /// A random legal action, all equally likely. The seat must be to decide.
    fn random_action(&self, dice: &mut Dice) -> Self::Action;

    /// Checks that an action of the observing seat is legal.
    ///
    /// # Errors
    /// The rule that forbids it.
    fn check(&self, action: Self::Action) -> Result<(), IllegalAction> {
        let found = |other| if other == action { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        match self.legal_actions(found) {
            ControlFlow::Break(()) => Ok(()),
            ControlFlow::Continue(()) => Err(IllegalAction::WrongMoment {
                action: format!("{action:?}"),
                now: "other actions are legal",
            }),
        }
    }

    /// Formats a legal action of the deciding seat as the observing seat sees it: like
    /// [`Notation::write_action`], but without the secret parts of other seats' actions.
    fn write_action(&self, action: Self::Action) -> String {
        format!("{action:?}")
    }

    /// Parses an action, like [`Notation::parse_action`]. It need not be legal.
    ///
    /// # Errors
    /// If the text is not an action, or the seat is not to decide.
    fn parse_action(&self, text: &str) -> Result<Self::Action, NotationError> {
        Err(NotationError::NoNotation(text.to_owned()))
    }

    /// Returns `true` if the observing seat is to decide.
    fn to_move(&self) -> bool {
        self.turn() == Turn::Of(self.seat())
    }
}

/// A game for 2 to 5 seats with hidden cards and chance.
///
/// `&self` is the compiled rule set, immutable and shared by all threads; a state is a plain value.
///
/// ```
/// use ttr_engine::{board, Dice, Game, Turn};
/// let game = board::BoardGame::new(&ttr_engine::maps::load("usa").unwrap(), 2).unwrap();
/// let mut dice = Dice::from_seed(1);
/// let mut state = game.deal(&mut dice);
/// while let Turn::Of(_) = game.turn(&state) {
///     let action = game.random_action(&state, &mut dice);
///     game.play(&mut state, action, &mut dice).expect("it was offered");
/// }
/// assert_eq!(game.scores(&state).points.len(), 2);
/// ```
pub trait Game: Send + Sync + Sized {
    /// A position: plain bytes. A search branches by copying it.
    type State: Clone + Send + PartialEq + fmt::Debug;
    /// A decision of the seat to move.
    type Action: Copy + Eq + std::hash::Hash + fmt::Debug + Send + Serialize + DeserializeOwned;
    /// A position as seen by one seat.
    type Observation<'s>: View<Game = Self, Action = Self::Action>
    where
        Self: 's;

    /// Number of seats.
    fn seats(&self) -> usize;

    /// Sets up the game, up to the first decision.
    fn deal(&self, chance: &mut impl Chance) -> Self::State;

    /// The seat that decides next, unless the game is over.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Calls `visit` once with every legal action, until it breaks.
    fn legal_actions<B>(
        &self,
        state: &Self::State,
        visit: impl FnMut(Self::Action) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// Checks that an action is legal.
    ///
    /// # Errors
    /// The rule that forbids it.
    fn check(&self, state: &Self::State, action: Self::Action) -> Result<(), IllegalAction>;

    /// Plays a legal action, up to the next decision. An illegal action may result in any state or
    /// panic.
    fn play_unchecked(&self, state: &mut Self::State, action: Self::Action, chance: &mut impl Chance);

    /// The result; for an unfinished game, as if it ended now.
    fn scores(&self, state: &Self::State) -> Scores;

    /// The position as seen by one seat.
    fn observe<'s>(&'s self, state: &'s Self::State, seat: Seat) -> Self::Observation<'s>;

    /// A random position among those that are indistinguishable to the observing seat.
    fn determinize(&self, observation: &Self::Observation<'_>, dice: &mut Dice) -> Self::State;

    /// Plays an action if it is legal; otherwise leaves the state unchanged.
    ///
    /// # Errors
    /// The rule that forbids it.
    fn play(
        &self,
        state: &mut Self::State,
        action: Self::Action,
        chance: &mut impl Chance,
    ) -> Result<(), IllegalAction> {
        self.check(state, action)?;
        self.play_unchecked(state, action, chance);
        Ok(())
    }

    /// Returns `true` if the seat to move may take this action.
    fn is_legal(&self, state: &Self::State, action: Self::Action) -> bool {
        self.check(state, action).is_ok()
    }

    /// Number of legal actions.
    fn count_actions(&self, state: &Self::State) -> usize {
        let mut count = 0;
        let _ = self.legal_actions(state, |_| {
            count += 1;
            ControlFlow::<()>::Continue(())
        });
        count
    }

    /// The `n`-th legal action in the order of [`Game::legal_actions`].
    fn nth_action(&self, state: &Self::State, n: usize) -> Option<Self::Action> {
        let mut skip = n;
        let found = self.legal_actions(state, |action| {
            if skip == 0 {
                return ControlFlow::Break(action);
            }
            skip -= 1;
            ControlFlow::Continue(())
        });
        found.break_value()
    }

    /// A random legal action, all equally likely. The game must not be over.
    fn random_action(&self, state: &Self::State, dice: &mut Dice) -> Self::Action {
        let n = dice.below(self.count_actions(state) as u32);
        self.nth_action(state, n as usize).expect("n is below the number of actions")
    }

    /// Plays random legal actions to the end of the game, each equally likely. Returns the number of
    /// actions played. How rolls of `choices` map to actions is unspecified.
    ///
    /// Nobody observes a playout, so the memory of the seats need not be kept up to date. Afterwards the
    /// state is good for scores and public information, but not for determinization.
    ///
    /// ```
    /// use ttr_engine::{board, Dice, Game, Turn};
    /// let game = board::BoardGame::new(&ttr_engine::maps::load("usa").unwrap(), 2).unwrap();
    /// let (mut choices, mut chance) = (Dice::from_seed(1), Dice::from_seed(2));
    /// let mut state = game.deal(&mut chance);
    /// assert!(game.playout(&mut state, &mut choices, &mut chance) > 50);
    /// assert_eq!(game.turn(&state), Turn::Over);
    /// ```
    fn playout(&self, state: &mut Self::State, choices: &mut Dice, chance: &mut Dice) -> u64 {
        let mut actions = 0;
        while let Turn::Of(_) = self.turn(state) {
            let action = self.random_action(state, choices);
            self.play_unchecked(state, action, chance);
            actions += 1;
        }
        actions
    }

    /// The legal actions as a list.
    fn actions(&self, state: &Self::State) -> Vec<Self::Action> {
        let mut actions = Vec::new();
        let _ = self.legal_actions(state, |action| {
            actions.push(action);
            ControlFlow::<()>::Continue(())
        });
        actions
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    const GAMES: u64 = 4_000;

    /// Mean and standard error.
    fn mean(values: &[f64]) -> (f64, f64) {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n;
        (mean, (variance / n).sqrt())
    }

    /// Asserts that the rolls of a playout lead to the same positions as the legal actions, equally
    /// often.
    pub(crate) fn assert_reached<G: Game>(
        game: &G,
        state: &G::State,
        mut reached: Vec<G::State>,
        chance: &Dice,
    ) where
        G::State: PartialEq,
    {
        let actions = game.actions(state);
        assert_eq!(reached.len(), actions.len());
        for action in actions {
            let mut after = state.clone();
            game.play_unchecked(&mut after, action, &mut chance.clone());
            let found = reached.iter().position(|reached| *reached == after);
            reached.swap_remove(found.unwrap_or_else(|| panic!("{action:?} is never chosen")));
        }
    }

    /// Asserts that playouts choose like `random_action`: actions and points of many games agree within
    /// chance.
    pub(crate) fn assert_playouts_agree(game: &impl Game, name: &str) {
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
            assert!(difference.abs() < 4.0, "{name}: {a:?} and {b:?}");
        }
    }
}
