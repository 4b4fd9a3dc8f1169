//! Decisions as the seats at the table follow them.

use crate::chance::{Chance, TableEvent, Witness};
use crate::game::{Game, Turn, View};
use crate::notation::{Notation, SeenAction};
use crate::pieces::Seat;

/// A decision and what came of it, with all that is hidden. [`Step::seen_by`] is what a seat sees of it.
///
/// ```
/// use ttr_engine::{board, Dice, Game, Seat, SeenAction, Step};
/// let game = board::BoardGame::new(&ttr_engine::maps::load("usa").unwrap(), 2).unwrap();
/// let mut chance = Dice::from_seed(1);
/// let mut state = game.deal(&mut chance);
/// let action = game.actions(&state)[0];
/// let step = Step::play(&game, &mut state, action, &mut chance);
/// assert_eq!(step.seen_by(&game, Seat::new(0)).action, SeenAction::Open(action));
/// let seen = step.seen_by(&game, Seat::new(1));
/// assert_eq!((seen.by, seen.action), (Seat::new(0), SeenAction::Keep(None)));
/// assert!(!seen.before.to_move() && seen.after.to_move());
/// ```
pub struct Step<G: Game> {
    /// The position before.
    pub before: G::State,
    /// The seat that decided.
    pub by: Seat,
    /// Its decision.
    pub action: G::Action,
    /// The position after.
    pub after: G::State,
    /// The events that everybody saw between the two.
    pub table: Vec<TableEvent>,
}

/// A decision and what came of it, as one seat sees it. It is made of views and of what lies open, so that
/// nothing that is derived from it can leak.
pub struct SeenStep<'s, G: Game + 's> {
    /// The position before.
    pub before: G::Observation<'s>,
    /// The seat that decided.
    pub by: Seat,
    /// Its decision.
    pub action: SeenAction<G::Action>,
    /// The position after.
    pub after: G::Observation<'s>,
    /// The events on the table between the two.
    pub table: &'s [TableEvent],
}

impl<G: Game> SeenStep<'_, G> {
    /// The text of the decision, without what is hidden.
    pub fn write_action(&self) -> String {
        self.action.write(|action| self.before.write_action(action))
    }
}

impl<G: Game> Step<G> {
    /// Plays a legal action as [`Game::play_unchecked`] does, and keeps what is needed to show it to the
    /// seats.
    ///
    /// # Panics
    /// If the game is over.
    #[inline(never)] // the loop of games that nobody follows stays as it is
    pub fn play(game: &G, state: &mut G::State, action: G::Action, chance: &mut impl Chance) -> Self {
        let Turn::Of(by) = game.turn(state) else { panic!("the game is over") };
        let before = state.clone();
        let mut witness = Witness::new(chance);
        game.play_unchecked(state, action, &mut witness);
        Self { before, by, action, after: state.clone(), table: witness.into_seen() }
    }

    /// The step as a seat sees it.
    pub fn seen_by<'s>(&'s self, game: &'s G, seat: Seat) -> SeenStep<'s, G>
    where
        G: Notation,
    {
        SeenStep {
            before: game.observe(&self.before, seat),
            by: self.by,
            action: game.seen_action(&self.before, self.action, seat),
            after: game.observe(&self.after, seat),
            table: &self.table,
        }
    }
}
