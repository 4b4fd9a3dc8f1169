//! Actions as text that a person can read and that parses back. The texts are listed with each game's
//! implementation.

use crate::game::{Game, Turn};
use crate::pieces::{CardKind, Seat, TicketId, TicketSet};

/// A game whose actions have a text form, and that can be recorded.
///
/// ```
/// use ttr_engine::board::BoardGame;
/// use ttr_engine::{Dice, Game, Notation, maps};
/// let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let mut chance = Dice::from_seed(1);
/// let mut state = game.deal(&mut chance);
/// let error = game.parse_action(&state, "claim Boston-Mars").unwrap_err();
/// assert!(error.to_string().contains("Boston-Mars"), "{error}");
/// for _ in 0..100 {
///     let action = game.random_action(&state, &mut chance);
///     let text = game.write_action(&state, action);
///     assert_eq!(game.parse_action(&state, &text)?, action);
///     game.play(&mut state, action, &mut chance)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Notation: Game {
    /// The id of the map or game.
    fn map_id(&self) -> &str;

    /// A hash of all rules and data of the game.
    fn rules_hash(&self) -> u64;

    /// The text of an action.
    ///
    /// # Panics
    /// Perhaps, if the action names something that the game does not have. Legal and parsed actions never
    /// do.
    fn write_action(&self, state: &Self::State, action: Self::Action) -> String;

    /// A legal action of the seat to move, as another seat sees it: without the tickets that are its secret.
    fn seen_by_others(&self, state: &Self::State, action: Self::Action) -> SeenAction<Self::Action>;

    /// A legal action of the seat to move, as `seat` sees it.
    ///
    /// ```
    /// use ttr_engine::{board, Dice, Game, Notation, Seat, SeenAction, View};
    /// let game = board::BoardGame::new(&ttr_engine::maps::load("usa").unwrap(), 2).unwrap();
    /// let state = game.deal(&mut Dice::from_seed(1));
    /// let action = game.actions(&state)[0];
    /// assert_eq!(game.seen_action(&state, action, Seat::new(0)), SeenAction::Open(action));
    /// assert_eq!(game.seen_action(&state, action, Seat::new(1)), SeenAction::Keep(None));
    /// assert_eq!(game.observe(&state, Seat::new(1)).write_action(action), "keep (hidden)");
    /// ```
    fn seen_action(&self, state: &Self::State, action: Self::Action, seat: Seat) -> SeenAction<Self::Action> {
        if self.turn(state) == Turn::Of(seat) {
            SeenAction::Open(action)
        } else {
            self.seen_by_others(state, action)
        }
    }

    /// The text of a legal action of the seat to move, as `seat` sees it.
    fn write_action_seen_by(&self, state: &Self::State, action: Self::Action, seat: Seat) -> String {
        self.seen_action(state, action, seat).write(|action| self.write_action(state, action))
    }

    /// The action of a text. It need not be legal, but names only what the game has. Upper and lower case
    /// are the same, except in names that differ in nothing else.
    ///
    /// # Errors
    /// If the text is not understood.
    fn parse_action(&self, state: &Self::State, text: &str) -> Result<Self::Action, NotationError>;
}

/// An action as one seat sees it. Whatever is passed on to a seat about another's action is made of this,
/// never of the action itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SeenAction<A> {
    /// All of it: it is the seat's own action, or has no secret.
    Open(A),
    /// Another seat keeps tickets (CC-29): this many, unless the number is secret too (CC-3, CG-2).
    Keep(Option<u8>),
    /// Another seat chooses a ticket to complete, or no further one (A-41).
    Complete,
}

impl<A> SeenAction<A> {
    /// Its text; `open` writes an action that is seen.
    pub(crate) fn write(self, open: impl FnOnce(A) -> String) -> String {
        match self {
            Self::Open(action) => open(action),
            Self::Keep(None) => "keep (hidden)".to_owned(),
            Self::Keep(Some(count)) => format!("keep {count} (hidden)"),
            Self::Complete => "complete (hidden)".to_owned(),
        }
    }
}

/// The reason why a text is no action.
///
/// ```
/// use ttr_engine::{board::BoardGame, maps, Dice, Game, Notation, NotationError};
/// let game = BoardGame::new(&maps::load("europe")?, 2)?;
/// let state = game.deal(&mut Dice::from_seed(1));
/// let error = game.parse_action(&state, "station Atlantis in red").unwrap_err();
/// assert_eq!(error, NotationError::Unknown { what: "city", name: "Atlantis".to_owned() });
/// assert_eq!(error.to_string(), "there is no city \"Atlantis\"");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotationError {
    /// A part of the text has no meaning.
    #[error("\"{text}\" {why}")]
    NotUnderstood {
        /// The part.
        text: String,
        /// The complaint, as the rest of a sentence that starts with the part.
        why: &'static str,
    },
    /// The text names something that the game does not have.
    #[error("there is no {what} \"{name}\"")]
    Unknown {
        /// The kind of thing that it names.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// The text names something of which there are several.
    #[error("\"{name}\" is not one {what}; say {}", options.join(" or "))]
    Ambiguous {
        /// The kind of thing that it names.
        what: &'static str,
        /// The name.
        name: String,
        /// The names that are unique.
        options: Vec<String>,
    },
    /// The text names a ticket that is not among the offered ones.
    #[error("\"{name}\" is not offered; these are: {}", offered.join(", "))]
    NotOffered {
        /// The name.
        name: String,
        /// The names of the offered tickets.
        offered: Vec<String>,
    },
    /// The text names a seat that is not at the table.
    #[error("\"{text}\" is no seat; seats are 1 to {seats}")]
    NoSeat {
        /// The name.
        text: String,
        /// Number of seats.
        seats: usize,
    },
    /// Another seat is to decide.
    #[error("another seat decides")]
    NotToMove,
    /// The actions of the game have no text form.
    #[error("this game has no notation that \"{0}\" could be of")]
    NoNotation(String),
}

impl NotationError {
    /// The error of a part of a text, as the start of a sentence that `why` completes.
    pub(crate) fn not_understood<T>(text: impl Into<String>, why: &'static str) -> Result<T, Self> {
        Err(Self::NotUnderstood { text: text.into(), why })
    }

    pub(crate) fn unknown<T>(what: &'static str, name: &str) -> Result<T, Self> {
        Err(Self::Unknown { what, name: name.to_owned() })
    }
}

/// The text of keeping tickets.
pub(crate) fn write_keep(kept: TicketSet, name: impl Fn(TicketId) -> String) -> String {
    if kept.is_empty() {
        return "keep none".to_owned();
    }
    format!("keep {}", kept.into_iter().map(name).collect::<Vec<_>>().join(", "))
}

/// The choice among offered tickets that these names stand for, separated by commas.
pub(crate) fn parse_keep(
    offered: TicketSet,
    names: &str,
    name_of: impl Fn(TicketId) -> String,
) -> Result<u8, NotationError> {
    let known: Vec<_> = offered.into_iter().map(name_of).collect();
    let mut choice = 0;
    for name in names.split(',').map(str::trim) {
        match find_name(known.iter().map(String::as_str), name) {
            Some(i) => choice |= 1 << i,
            None => return Err(NotationError::NotOffered { name: name.to_owned(), offered: known }),
        }
    }
    Ok(choice)
}

/// The position of a name: of the same, or of the only one that differs in case alone.
pub(crate) fn find_name<'n>(names: impl Iterator<Item = &'n str> + Clone, name: &str) -> Option<usize> {
    // Without a copy of the name, which a process may have made long.
    fn folded(name: &str) -> impl Iterator<Item = char> {
        name.chars().flat_map(char::to_lowercase)
    }
    names.clone().position(|known| known == name).or_else(|| {
        let mut found = names.enumerate().filter(|(_, known)| folded(known).eq(folded(name)));
        let (position, _) = found.next()?;
        found.next().is_none().then_some(position)
    })
}

/// (2, "locomotive") as "2 locomotives".
pub(crate) fn counted(n: u8, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// "2 locomotives" as (2, "locomotive").
pub(crate) fn parse_counted(text: &str) -> Option<(u8, String)> {
    let (n, what) = text.split_once(' ')?;
    let what = what.trim().to_lowercase();
    Some((n.parse().ok()?, what.strip_suffix('s').unwrap_or(&what).to_owned()))
}

pub(crate) fn parse_kind(name: &str) -> Result<CardKind, NotationError> {
    CardKind::from_name(&name.to_lowercase())
        .map_or_else(|| NotationError::not_understood(name, "is no kind of card"), Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_counts_where_names_differ_in_it_alone() {
        let find = |name| find_name(["Rom", "ROM", "Zürich"].into_iter(), name);
        assert_eq!([find("Rom"), find("ROM"), find("ZÜRICH")], [Some(0), Some(1), Some(2)]);
        assert_eq!([find("rom"), find("Zurich"), find("")], [None; 3]);
    }
}
