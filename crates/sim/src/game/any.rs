//! A game of either kind.

use ttr_engine::WrongSeats;
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::maps::{self, AnySpec};
use ttr_engine::spec::MapError;

/// A game whose kind is only known at run time. [`with_game!`](crate::with_game) runs the same code with
/// either kind.
///
/// ```
/// use ttr_engine::Game;
/// use ttr_sim::game::AnyGame;
/// use ttr_sim::with_game;
/// for (name, seats) in [("usa", 4), ("card-game", 3)] {
///     let game = AnyGame::find(name, seats)?;
///     assert_eq!(with_game!(game, game => game.seats()), seats);
/// }
/// # Ok::<(), ttr_sim::game::GameError>(())
/// ```
// Exhaustive: `with_game!` matches it in other crates.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
pub enum AnyGame {
    /// A board.
    Board(BoardGame),
    /// The Card Game.
    CardGame(CardGame),
}

/// The reason why there is no such game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// There is no such map, or it is invalid.
    #[error(transparent)]
    Map(#[from] MapError),
    /// It is not played by this many seats.
    #[error(transparent)]
    Seats(#[from] WrongSeats),
}

impl AnyGame {
    /// Creates the game of a map for a number of seats.
    ///
    /// # Errors
    /// If it is not played by this many seats.
    pub fn new(spec: &AnySpec, seats: usize) -> Result<Self, WrongSeats> {
        Ok(match spec {
            AnySpec::Board(map) => Self::Board(BoardGame::new(map, seats)?),
            AnySpec::CardGame(spec) => Self::CardGame(CardGame::new(spec, seats)?),
        })
    }

    /// Finds the game of a map by its id or path.
    ///
    /// # Errors
    /// If there is no such map, or it is not played by this many seats.
    pub fn find(map: &str, seats: usize) -> Result<Self, GameError> {
        Ok(Self::new(&maps::find_any(map)?, seats)?)
    }
}

/// Runs the same code with an [`AnyGame`] of either kind: `with_game!(any, game => game.seats())`.
#[macro_export]
macro_rules! with_game {
    ($any:expr, $game:ident => $do:expr) => {
        match $any {
            $crate::game::AnyGame::Board($game) => $do,
            $crate::game::AnyGame::CardGame($game) => $do,
        }
    };
}
