//! Kinds of train cards.

use std::fmt;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::BITS;

/// A kind of train card: one of eight colours, or the wild locomotive.
///
/// ```
/// use ttr_engine::CardKind;
/// assert_eq!(CardKind::from_name("pink"), Some(CardKind::Purple)); // as some editions call it
/// assert_eq!(CardKind::COLOURS.len() + 1, CardKind::ALL.len());
/// assert_eq!(CardKind::Locomotive.to_string(), "locomotive");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum CardKind {
    /// Some editions call it pink.
    #[serde(alias = "pink")]
    Purple,
    /// Blue.
    Blue,
    /// Some editions call it brown.
    Orange,
    /// White.
    White,
    /// Green.
    Green,
    /// Yellow.
    Yellow,
    /// Black.
    Black,
    /// Red.
    Red,
    /// The wild card.
    Locomotive,
}

impl CardKind {
    /// Every kind, colours first, in index order.
    pub const ALL: [Self; 9] = [
        Self::Purple,
        Self::Blue,
        Self::Orange,
        Self::White,
        Self::Green,
        Self::Yellow,
        Self::Black,
        Self::Red,
        Self::Locomotive,
    ];
    /// The eight colours, without the locomotive.
    pub const COLOURS: [Self; 8] = [
        Self::Purple,
        Self::Blue,
        Self::Orange,
        Self::White,
        Self::Green,
        Self::Yellow,
        Self::Black,
        Self::Red,
    ];

    /// Position in [`CardKind::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind at a position of [`CardKind::ALL`].
    ///
    /// # Panics
    /// If there is no such position.
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        Self::ALL[index]
    }

    /// The lowest bit of its counter in [`super::Cards`].
    pub(super) const fn field(self) -> u64 {
        1 << (self as usize * BITS)
    }

    /// The name that map files and the notation use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Purple => "purple",
            Self::Blue => "blue",
            Self::Orange => "orange",
            Self::White => "white",
            Self::Green => "green",
            Self::Yellow => "yellow",
            Self::Black => "black",
            Self::Red => "red",
            Self::Locomotive => "locomotive",
        }
    }

    /// The kind of that name (`pink` and `loco` are understood too).
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "pink" => Some(Self::Purple),
            "loco" => Some(Self::Locomotive),
            _ => Self::ALL.into_iter().find(|kind| kind.name() == name),
        }
    }
}

impl fmt::Display for CardKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
