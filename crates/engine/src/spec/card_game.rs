//! The file form of the Card Game: cards, tickets with colour circles, big cities, rules (section 5).

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DeckSpec, FirstSeat, SeatRange};
use crate::codec;
use crate::pieces::CardKind;

/// The Card Game as data: everything that makes one edition different from another.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CardGameSpec {
    /// Short name, as given on the command line: the file's stem.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// A note on the data for readers.
    pub note: Option<String>,
    /// Fewest and most seats.
    pub seats: SeatRange,
    /// The rules.
    pub rules: CardGameRules,
    /// The bonus cards (CG-20).
    pub big_cities: Vec<BigCitySpec>,
    /// The tickets.
    pub tickets: Vec<CircleTicketSpec>,
}

impl CardGameSpec {
    /// A hash of everything that a game depends on, but not of names for people.
    pub fn hash(&self) -> u64 {
        codec::checksum(&codec::encode(&(self.seats, &self.rules, &self.big_cities, &self.tickets)))
    }
}

/// Numbers and options of the Card Game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CardGameRules {
    /// Locomotives given to each seat before the deal (CG-2).
    pub opening_locomotives: u8,
    /// Cards dealt to each seat at the start (CG-2).
    pub opening_hand: u8,
    /// Cards dealt to each seat before the second round (CG-17).
    pub second_round_hand: u8,
    /// With this many seats or more two rounds are played (CG-17).
    pub two_rounds_from: u8,
    /// Face-up cards (CG-2).
    pub market: u8,
    /// Tickets dealt to each seat at the start (CG-2).
    pub opening_tickets: u8,
    /// Fewest of them that must be kept (CG-2).
    pub opening_keep: u8,
    /// Tickets drawn by the ticket action, of which any number may be kept (CG-10).
    pub ticket_draw: u8,
    /// Rounds without progress after which a round of the game ends; 0 = never.
    pub no_progress_rounds: u8,
    /// The seat that starts (CG-2).
    #[serde(default)]
    pub first_seat: FirstSeat,
    /// Whether a seat may stop after one drawn card.
    #[serde(default)]
    pub may_stop_after_one: bool,
    /// Cards that can be drawn once the deck is empty.
    #[serde(default)]
    pub last_turn_draw: LastTurnDraw,
    /// The choice of completed tickets.
    #[serde(default)]
    pub assignment: Assignment,
    /// Seats that may look at track stacks.
    #[serde(default)]
    pub track_visible: TrackVisible,
    /// The train cards (CG-1).
    pub deck: DeckSpec,
}

/// Cards that can be drawn once the deck is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LastTurnDraw {
    /// The rest of the market.
    #[default]
    Market,
    /// Nothing.
    None,
}

/// The choice of tickets that are completed at the end of a round (CG-15, A-41).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Assignment {
    /// The set of the highest value, then of the most tickets.
    AutoValue,
    /// The set of the most tickets, then of the highest value.
    AutoCount,
    /// Any completable set, at the seat's choice; choices are secret until all have chosen.
    PlayerChoice,
    /// In the last round the set with the most final points, city bonuses included, if all others complete
    /// their sets of the highest value; in an earlier round as `auto-value`.
    // The last, because hashes of rules count from the first.
    #[default]
    AutoPoints,
}

/// Seats that may look at track stacks during a round (CG-22, A-43).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TrackVisible {
    /// Nobody.
    #[default]
    None,
    /// The owner.
    Owner,
    /// Everybody.
    All,
}

/// A bonus card (CG-20).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BigCitySpec {
    /// The city.
    pub name: String,
    /// Points for the most completed tickets that name it.
    pub points: u8,
}

/// A ticket of the Card Game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CircleTicketSpec {
    /// One city.
    pub from: String,
    /// The other city.
    pub to: String,
    /// Its value.
    pub points: u8,
    /// The colours of its circles: one card each.
    pub circles: Vec<CardKind>,
}
