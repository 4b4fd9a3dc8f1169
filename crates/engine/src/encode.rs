//! Views as numbers, for networks: fixed vectors in named blocks.

use serde::Serialize;

use crate::codec;
use crate::game::Game;
use crate::pieces::{Cards, Seat};

/// A game whose views can be encoded as vectors.
pub trait EncodedViews: Game {
    /// Its encoder.
    type Encoder: Encoder<Game = Self>;

    /// Makes an encoder. `derived` adds blocks with figures that follow from the others, such as the trains
    /// that a ticket still needs; they take several times as long as the rest.
    fn encoder(&self, derived: bool) -> Self::Encoder;
}

/// Encodes what a seat sees as a vector of bytes, in the blocks of a [`Layout`]. Seats are counted from the
/// one that looks: column or row 0 is its own.
///
/// ```
/// use ttr_engine::{Dice, EncodedViews, Encoder, Game, Seat, board::BoardGame, maps};
/// let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let encoder = game.encoder(false);
/// let state = game.deal(&mut Dice::from_seed(1));
/// let mut bytes = vec![0; encoder.layout().len()];
/// encoder.encode(&game.observe(&state, Seat::new(0)), &mut bytes);
/// let seats = encoder.layout().block("seats").unwrap();
/// let trains = seats.column("trains").unwrap();
/// assert_eq!((bytes[seats.at(0, trains)], bytes[seats.at(1, trains)]), (45, 45));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Encoder: Send + Sync {
    /// The game.
    type Game: Game;

    /// The version of the encoding.
    const VERSION: u32;

    /// The blocks of a view.
    fn layout(&self) -> &Layout;

    /// Encodes a view.
    ///
    /// # Panics
    /// If `out` is not as long as the layout.
    fn encode(&self, view: &<Self::Game as Game>::Observation<'_>, out: &mut [u8]);

    /// The blocks of what is hidden from a seat.
    fn hidden_layout(&self) -> &Layout;

    /// Encodes what is hidden from a seat: for critics, which may see everything during training.
    ///
    /// # Panics
    /// If `out` is not as long as the layout.
    fn encode_hidden(
        &self,
        game: &Self::Game,
        state: &<Self::Game as Game>::State,
        seat: Seat,
        out: &mut [u8],
    );
}

/// The blocks of an encoding, one after the other.
#[derive(Clone, PartialEq, Debug)]
pub struct Layout {
    blocks: Vec<Block>,
    hash: u64,
    /// One factor per number: a byte times this is the number as a float.
    factors: Vec<f32>,
}

/// A table of numbers inside an encoding, row after row.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Block {
    /// Its name.
    pub name: &'static str,
    /// The index of its first number.
    pub start: usize,
    /// Number of rows.
    pub rows: usize,
    /// Its columns.
    pub columns: Vec<Column>,
}

/// A column of a block.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The byte that becomes 1.0 as a float: a usual maximum.
    pub scale: u8,
}

impl Column {
    pub(crate) fn new(name: impl Into<String>, scale: u8) -> Self {
        Self { name: name.into(), scale: scale.max(1) }
    }

    /// A column of zeros and ones.
    pub(crate) fn flag(name: impl Into<String>) -> Self {
        Self::new(name, 1)
    }
}

impl Block {
    /// The index of a number of the block.
    #[inline]
    pub fn at(&self, row: usize, column: usize) -> usize {
        self.start + row * self.columns.len() + column
    }

    /// The index of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// Number of numbers.
    pub fn len(&self) -> usize {
        self.rows * self.columns.len()
    }

    /// Whether it has no numbers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Layout {
    /// Puts blocks one after the other: name, rows, columns. `things` are whatever the rows stand for.
    pub(crate) fn new(
        version: u32,
        things: &impl Serialize,
        tables: Vec<(&'static str, usize, Vec<Column>)>,
    ) -> Self {
        let mut blocks: Vec<Block> = Vec::new();
        let mut factors = Vec::new();
        for (name, rows, columns) in tables {
            let block = Block { name, start: factors.len(), rows, columns };
            for _ in 0..rows {
                factors.extend(block.columns.iter().map(|column| 1.0 / f32::from(column.scale)));
            }
            blocks.push(block);
        }
        let hash = codec::checksum(&codec::encode(&(version, things, &blocks)));
        Self { blocks, hash, factors }
    }

    /// The blocks, in order.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// A block by name.
    pub fn block(&self, name: &str) -> Option<&Block> {
        self.blocks.iter().find(|block| block.name == name)
    }

    /// Number of numbers in all blocks.
    pub fn len(&self) -> usize {
        self.factors.len()
    }

    /// Whether there are no numbers.
    pub fn is_empty(&self) -> bool {
        self.factors.is_empty()
    }

    /// Identifies the layout: equal hashes mean that every number has the same meaning and scale.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Turns an encoding into floats, most of them from 0 to 1: each byte divided by the scale of its column.
    ///
    /// # Panics
    /// If the lengths are not those of the layout.
    pub fn scale(&self, bytes: &[u8], out: &mut [f32]) {
        assert!(bytes.len() == self.len() && out.len() == self.len(), "a vector of another length");
        for ((out, &byte), factor) in out.iter_mut().zip(bytes).zip(&self.factors) {
            *out = f32::from(byte) * factor;
        }
    }
}

/// A number as a byte; larger ones become 255.
#[inline]
pub(crate) fn byte(number: impl TryInto<u8>) -> u8 {
    number.try_into().unwrap_or(u8::MAX)
}

/// The seats in their order at the table, from one of them.
pub(crate) fn seats_from(own: Seat, seats: usize) -> impl Iterator<Item = Seat> {
    std::iter::successors(Some(own), move |seat| Some(seat.next(seats))).take(seats)
}

/// Writes one number per card kind.
#[inline]
pub(crate) fn write_cards(cards: Cards, out: &mut [u8]) {
    let counts = cards.counts();
    out[..counts.len()].copy_from_slice(&counts);
}

/// Writes ones into some rows of a column.
#[inline]
pub(crate) fn mark(
    rows: impl IntoIterator<Item = impl Into<usize>>,
    block: &Block,
    column: usize,
    out: &mut [u8],
) {
    let (cells, width) = (&mut out[block.at(0, column)..], block.columns.len());
    rows.into_iter().for_each(|row| cells[row.into() * width] = 1);
}
