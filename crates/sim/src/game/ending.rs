//! Reasons for the end of a game.

use serde::{Deserialize, Serialize};
use ttr_engine::{board, card_game};

/// Reason why a game ended, over all games.
///
/// Files contain its [name](Self::name); an unknown name or number is an error.
///
/// ```
/// use ttr_sim::game::Ending;
/// assert_eq!(serde_json::to_string(&Ending::FinalRound)?, "\"final-round\"");
/// assert!(serde_json::from_str::<Ending>("\"earthquake\"").is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Ending {
    /// The final round of a board was played.
    FinalRound,
    /// No seat could act any more.
    Stalemate,
    /// Too many turns passed without progress.
    NoProgress,
    /// A seat completed enough tickets.
    TicketsDone,
    /// A seat placed its last train.
    LastTrain,
    /// The last turns of the Card Game were played.
    LastTurns,
    /// A seat resigned, or chose an illegal action.
    Forfeit,
}

impl Ending {
    /// All endings, in the order of tables.
    pub const ALL: [Self; 7] = [
        Self::FinalRound,
        Self::Stalemate,
        Self::NoProgress,
        Self::TicketsDone,
        Self::LastTrain,
        Self::LastTurns,
        Self::Forfeit,
    ];

    /// The name used in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FinalRound => board::Ending::FinalRound.name(),
            Self::Stalemate => board::Ending::Stalemate.name(),
            Self::NoProgress => board::Ending::NoProgress.name(),
            Self::TicketsDone => board::Ending::TicketsDone.name(),
            Self::LastTrain => board::Ending::LastTrain.name(),
            Self::LastTurns => card_game::Ending::LastTurns.name(),
            Self::Forfeit => "forfeit",
        }
    }

    /// Its index in [`Ending::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl From<board::Ending> for Ending {
    fn from(ending: board::Ending) -> Self {
        match ending {
            board::Ending::FinalRound => Self::FinalRound,
            board::Ending::Stalemate => Self::Stalemate,
            board::Ending::NoProgress => Self::NoProgress,
            board::Ending::TicketsDone => Self::TicketsDone,
            board::Ending::LastTrain => Self::LastTrain,
        }
    }
}

impl From<card_game::Ending> for Ending {
    fn from(ending: card_game::Ending) -> Self {
        match ending {
            card_game::Ending::LastTurns => Self::LastTurns,
            card_game::Ending::NoProgress => Self::NoProgress,
        }
    }
}

#[cfg(test)]
mod tests {
    use ttr_engine::codec;

    use super::*;

    #[test]
    fn files_have_names_and_parts_have_numbers() {
        for (index, ending) in Ending::ALL.into_iter().enumerate() {
            assert_eq!(ending.index(), index);
            assert_eq!(serde_json::to_value(ending).unwrap(), ending.name());
            assert_eq!(codec::encode(&ending), [index as u8]);
        }
    }

    #[test]
    fn unknown_endings_are_refused() {
        for number in Ending::ALL.len() as u8..=u8::MAX {
            assert!(codec::decode::<Ending>(&[number]).is_err(), "{number}");
        }
        for text in ["\"\"", "\"Forfeit\"", "\"unfinished\"", "7", "null"] {
            assert!(serde_json::from_str::<Ending>(text).is_err(), "{text}");
        }
    }
}
