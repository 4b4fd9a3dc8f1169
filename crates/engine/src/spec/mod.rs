//! The file form of maps: rules, cities, routes and tickets as one TOML document each.
//!
//! [`MapSpec`] is a whole, checked map; `maps/schema.json` is the published schema of its file. Loading
//! never stops at the first problem: a [`MapError`] lists all of them with file, line and what would be
//! right.
//!
//! A file has `format = 1`, a `name`, perhaps a `note`, and either all of `seats`, `rules`, `cities`,
//! `routes` and `tickets`, or a `base` and what differs from it:
//!
//! - `base` is the id of a shipped map, or the path of a file, seen from this one;
//! - `base_tickets` says which tickets of the base are inherited: `"all"` (the default), `"none"`, or those
//!   with a tag;
//! - `tickets` are added to them;
//! - tables under `rules` are merged key by key over those of the base, lists in them are replaced;
//! - `false` takes an optional table of the rules away: `stations = false`;
//! - `note`, `seats`, `cities`, `routes` and `big_cities` replace those of the base.
//!
//! ```
//! let map = ttr_engine::maps::parse("capitals.toml", r#"
//!     format = 1
//!     name = "Capitals"
//!     base = "europe"
//!     base_tickets = "big-city"
//!     tickets = [{ from = "Lisboa", to = "Sofia", points = 20 }]
//!     seats = { min = 2, max = 3 }
//!
//!     [rules]
//!     trains = 40
//!     stations = false
//!
//!     [rules.tickets]
//!     opening = [{ deal = [{ deck = "regular", count = 4 }], hold = 2 }]
//! "#)?;
//! assert_eq!((map.rules.trains, map.rules.opening_hand, map.tickets.len()), (40, 4, 16));
//! # Ok::<(), ttr_engine::spec::MapError>(())
//! ```

mod card_game;
mod limits;
mod rules;

#[cfg(feature = "maps")]
mod card_game_file;
#[cfg(feature = "maps")]
mod check;
#[cfg(feature = "schema")]
mod document;
#[cfg(feature = "maps")]
mod form;
#[cfg(feature = "maps")]
mod load;
#[cfg(feature = "maps")]
mod problem;
#[cfg(feature = "schema")]
mod schema;
#[cfg(feature = "maps")]
mod tree;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::codec;
use crate::pieces::CardKind;

pub use card_game::{
    Assignment, BigCitySpec, CardGameRules, CardGameSpec, CircleTicketSpec, LastTurnDraw, TrackVisible,
};
pub use limits::{
    MAX_BIG_CITIES, MAX_CARD_GAME_SEATS, MAX_CARD_GAME_TICKETS, MAX_CITIES, MAX_DEPOTS, MAX_LENGTH,
    MAX_OF_COLOUR, MAX_OPENING_STEPS, MAX_PILES, MAX_ROUTES, MAX_STATIONS, MAX_TICKETS, REGULAR,
};
pub use rules::{
    BonusSpec, CitySets, ClaimSpec, DealSpec, DeckSpec, DepotSpec, DepotTiming, DrawSpec, EmptyTrigger,
    EndSpec, FaceUpLocomotive, FerrySets, FirstSeat, JourneyBonusLimit, JourneySpec, LocomotiveUse,
    OpeningStep, Reshuffle, RulesSpec, SetSpec, StationSpec, TicketSpecRules, TieBreak, TunnelSpec, Unkept,
};

#[cfg(feature = "maps")]
pub use card_game_file::load_card_game;
#[cfg(feature = "maps")]
pub(crate) use card_game_file::{GAME as CARD_GAME, is_card_game};
#[cfg(feature = "schema")]
pub use document::Document;
#[cfg(feature = "maps")]
pub(crate) use load::too_long;
#[cfg(feature = "maps")]
pub use load::{MAX_FILE_BYTES, MapSource, load};
#[cfg(feature = "maps")]
pub(crate) use problem::unknown_map;
#[cfg(feature = "maps")]
pub use problem::{MapError, Problem, nearest, suggest};
#[cfg(feature = "schema")]
pub use schema::{card_game_schema, schema};

/// A whole map: everything that makes one game different from another.
///
/// ```
/// use ttr_engine::{board::BoardGame, maps};
/// let usa = maps::load("usa")?;
/// let mut short = usa.clone();
/// short.rules.trains = 20;
/// assert_ne!(short.hash(), usa.hash(), "other rules");
/// short.clone_from(&usa);
/// short.name = "Trains over America".to_owned();
/// assert_eq!(short.hash(), usa.hash(), "only called otherwise");
/// assert_eq!(BoardGame::new(&short, 2)?.spec().cities.len(), 36);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MapSpec {
    /// Short name, as given on the command line: the file's stem.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// A note on the data for readers.
    pub note: Option<String>,
    /// Fewest and most seats.
    pub seats: SeatRange,
    /// The rules.
    pub rules: RulesSpec,
    /// The cities.
    pub cities: Vec<CitySpec>,
    /// The routes; the two tracks of a double route are two entries.
    pub routes: Vec<RouteSpec>,
    /// The tickets.
    pub tickets: Vec<TicketSpec>,
    /// The cities that pictures mark, where tickets are about some of them.
    pub big_cities: Vec<String>,
}

impl MapSpec {
    /// A hash of everything that a game depends on: rules, cities, routes, tickets, but not names for
    /// people or positions on paper.
    pub fn hash(&self) -> u64 {
        let cities: Vec<_> = self.cities.iter().map(|city| &city.name).collect();
        let tickets: Vec<_> = self.tickets.iter().map(|t| (&t.from, &t.to, t.points, &t.deck)).collect();
        codec::checksum(&codec::encode(&(self.seats, &self.rules, cities, &self.routes, tickets)))
    }
}

/// Fewest and most seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SeatRange {
    /// Fewest seats, at least 2.
    pub min: u8,
    /// Most seats, at most 5.
    pub max: u8,
}

/// A city.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CitySpec {
    /// Its name, unique on the board.
    pub name: String,
    /// Where to draw it: x to the right, y down.
    pub at: [f32; 2],
}

/// A route between two cities; one track of a double route.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RouteSpec {
    /// One end.
    pub from: String,
    /// The other end.
    pub to: String,
    /// Number of spaces.
    pub length: u8,
    /// Its colour, or grey.
    pub colour: RouteColour,
    /// Whether it is a tunnel.
    #[serde(default)]
    pub tunnel: bool,
    /// Locomotive symbols; more than none make it a ferry.
    #[serde(default)]
    pub ferry: u8,
    /// A label that the two tracks of a double route share.
    #[serde(default)]
    pub double: Option<String>,
    /// If given, every space may be paid for with this many cards of any kinds instead of one
    /// card of the colour (Murmansk-Lieksa: 4).
    #[serde(default)]
    pub any_cards_per_space: Option<u8>,
}

/// The colour printed on a route.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "colours explain themselves")]
pub enum RouteColour {
    Purple,
    Blue,
    Orange,
    White,
    Green,
    Yellow,
    Black,
    Red,
    Grey,
}

impl RouteColour {
    /// The kind of card it asks for; none if grey.
    pub fn card(self) -> Option<CardKind> {
        CardKind::COLOURS.get(self as usize).copied()
    }

    /// The colour of a kind of card; the locomotive has none.
    pub fn of(kind: CardKind) -> Option<Self> {
        use RouteColour::*;
        [Purple, Blue, Orange, White, Green, Yellow, Black, Red].get(kind.index()).copied()
    }

    /// The name that map files and the notation use.
    pub fn name(self) -> &'static str {
        self.card().map_or("grey", CardKind::name)
    }
}

/// A destination ticket.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TicketSpec {
    /// One city.
    pub from: String,
    /// The other city.
    pub to: String,
    /// Its value; none in games where a completed ticket is the point.
    #[serde(default)]
    pub points: u8,
    /// The pile it is dealt from.
    #[serde(default = "regular")]
    pub deck: String,
    /// Labels by which a variant can choose among the tickets of its base.
    #[serde(default)]
    pub tags: Vec<String>,
    /// True if the ticket is not documented but guessed from what is known of the deck.
    #[serde(default)]
    pub reconstructed: bool,
}

fn regular() -> String {
    REGULAR.to_owned()
}
