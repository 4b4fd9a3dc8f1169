//! Decisions, and the moments of a turn that ask for them.

use serde::{Deserialize, Serialize};

use crate::pieces::{CardKind, TicketId};

/// A decision, at most eight bytes in size.
///
/// [`Notation`](crate::Notation) formats it as text and parses it again:
///
/// | text | action |
/// |---|---|
/// | `keep Chicago-Dallas, Seattle-Denver` | keep these of the offered tickets (`keep none`) |
/// | `take red`, `take locomotive`, `take blind`, `stop` | take a card, or no second one |
/// | `play 3 green`, `play 2 green + 2 locomotives` | play a row |
/// | `play purple, blue, red` | play three colours |
/// | `tickets`, `pass` | draw tickets, do nothing |
/// | `complete Seattle-Denver`, `complete no more` | choose tickets to complete |
///
/// ```
/// use ttr_engine::card_game::{Action, CardGame};
/// use ttr_engine::{maps, CardKind, Dice, Game, Notation};
/// let game = CardGame::new(&maps::card_game(), 2)?;
/// let state = game.deal(&mut Dice::from_seed(1));
/// let row = Action::PlayRow { colour: CardKind::Green, cards: 2, locomotives: 1 };
/// assert_eq!(game.write_action(&state, row), "play 2 green + 1 locomotive");
/// assert_eq!(game.parse_action(&state, "play 2 green + 1 locomotive"), Ok(row));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    /// Keep these of the offered tickets (CG-2, CG-10): bit `i` stands for the `i`-th by index.
    Keep(u8),
    /// Take the top card of the deck (CG-6).
    TakeBlind,
    /// Take a card of this kind from the market (CG-6).
    TakeFaceUp(CardKind),
    /// Draw no second card (A-39).
    StopDrawing,
    /// Play a row of one colour to the yard, and discard another seat's row of that colour (CG-7, CG-9).
    PlayRow {
        /// The colour.
        colour: CardKind,
        /// Number of cards of the colour.
        cards: u8,
        /// Number of locomotives, which go on top.
        locomotives: u8,
    },
    /// Play three rows of one card each (CG-7). The colours are in the order of [`CardKind::ALL`].
    PlayThree([CardKind; 3]),
    /// Draw tickets to choose from (CG-10).
    DrawTickets,
    /// Complete this ticket (A-41). Tickets are named in ascending order of id.
    Complete(TicketId),
    /// Complete no further ticket (A-41).
    StopCompleting,
    /// Do nothing, because nothing else is possible (CG-11).
    Pass,
}

/// The phase of a turn: the decision that is due.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Choosing among the opening tickets (CG-2).
    Opening,
    /// Choosing the action of the turn (CG-6 to CG-11), after cards have moved to the track stack
    /// (CG-5).
    Main,
    /// Choosing the second card (CC-9).
    SecondCard,
    /// Choosing among drawn tickets (CG-10).
    Tickets,
    /// Choosing the tickets to complete at the end of a round; holds the reason it ended (A-41).
    Completing(Ending),
    /// The game is over.
    Over(Ending),
}

/// The reason a round ended; for a whole game, that of its last round.
// Exhaustive: an ending that a table of results does not know must not count as another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The last turns were played (CG-12).
    LastTurns,
    /// Too many turns without progress (A-60).
    NoProgress,
}

impl Ending {
    /// The name used in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LastTurns => "last-turns",
            Self::NoProgress => "no-progress",
        }
    }
}

const _: () = assert!(size_of::<Action>() <= 8);
