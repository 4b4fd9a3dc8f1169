//! Everything that a page can ask for.

use serde::Deserialize;

/// A command to a [`Session`](crate::Session). In JSON, `do` is the name of the variant; seats and decisions
/// are counted from 0.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Command {
    /// Lists the maps and agents to choose from.
    Menu,
    /// Deals a new game.
    New(NewGame),
    /// Describes the game that is being played: board, tickets, rules, players.
    Describe,
    /// Shows a position.
    Look(Look),
    /// Plays an action of the person.
    Play {
        /// The index of the action.
        action: usize,
        /// What to show afterwards.
        #[serde(default)]
        look: Look,
    },
    /// Lets the agent whose turn it is decide once.
    Advance {
        /// What to show afterwards.
        #[serde(default)]
        look: Look,
    },
    /// Takes back the last decision of the person, and all that followed.
    Undo {
        /// What to show afterwards.
        #[serde(default)]
        look: Look,
    },
    /// Asks an agent what it would do at a decision, and why. It sees what the seat to decide sees.
    Think {
        /// The agent, such as `ismcts:iters=200`.
        agent: String,
        /// The decision [default: the next one].
        #[serde(default)]
        at: Option<usize>,
    },
    /// Plays on from a position of a game whose cards are all open, many times, with agents in all seats.
    /// Answers with the number of games that each seat won; a shared win is split.
    Odds {
        /// The agent of all seats.
        agent: String,
        /// The decision before which to start.
        at: usize,
        /// Number of games.
        games: u32,
    },
    /// Opens a recorded game on a map of the host.
    Load {
        /// The record, in byte or text form.
        record: Vec<u8>,
    },
    /// Plays on from a position of a game whose cards are all open.
    Branch {
        /// The decision before which to start.
        at: usize,
        /// The agents, as in a new game.
        against: Vec<String>,
        /// The seat of the person; `None` to watch.
        #[serde(default)]
        seat: Option<u8>,
    },
    /// Returns the record of the game, as text. The cards that its seed deals are no secret any more, so a
    /// game has to be over.
    Save,
}

/// A new game.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct NewGame {
    /// The map.
    pub map: String,
    /// Number of seats.
    pub seats: usize,
    /// The agents, in turn order after the person; the last one takes all further seats.
    pub against: Vec<String>,
    /// The seed, as text, because numbers of JavaScript do not have 64 bits [default: one that nobody can
    /// guess].
    #[serde(default)]
    pub seed: Option<String>,
    /// The seat of the person; `None` to watch.
    #[serde(default)]
    pub seat: Option<u8>,
}

/// The part of a game to show.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Look {
    /// The position before this decision [default: the latest].
    #[serde(default)]
    pub at: Option<usize>,
    /// The first decision to list.
    #[serde(default)]
    pub since: usize,
    /// The seat to look from, if all cards may be seen; `None` to see them.
    #[serde(default)]
    pub eyes: Option<u8>,
}
