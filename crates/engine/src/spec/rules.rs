//! The rules of a map as data. Every field says which rule of `docs/RULES.md` it sets.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::chance::Chance;
use crate::pieces::Seat;

/// All rules of a board game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RulesSpec {
    /// Trains per seat (CC-1).
    pub trains: u8,
    /// Cards dealt to each seat at the start (CC-2).
    pub opening_hand: u8,
    /// The seat that starts (CC-4).
    #[serde(default)]
    pub first_seat: FirstSeat,
    /// Rounds without progress after which the game ends; 0 = never.
    #[serde(default = "twenty")]
    pub no_progress_rounds: u8,
    /// The criteria that decide between equal points, in order (EU-11, NO-11, section 10).
    #[serde(default)]
    pub tie_breaks: Vec<TieBreak>,
    /// The train cards.
    pub deck: DeckSpec,
    /// Drawing cards.
    pub draw: DrawSpec,
    /// Claiming routes.
    pub claim: ClaimSpec,
    /// Dealing and drawing tickets.
    pub tickets: TicketSpecRules,
    /// Tunnels (section 1.5); optional: without them the board may have none.
    pub tunnels: Option<TunnelSpec>,
    /// Substitute sets on ferries (NO-7); optional.
    pub ferry_sets: Option<SetSpec>,
    /// Stations (EU-7); optional.
    pub stations: Option<StationSpec>,
    /// Warehouses and depots; optional.
    pub depots: Option<DepotSpec>,
    /// The start of the final round (CC-31); not with `journey`.
    pub end: Option<EndSpec>,
    /// Bonuses at the end (EU-10, NO-10); not with `journey`.
    #[serde(default)]
    pub bonus: BonusSpec,
    /// First Journey: tickets complete at once and decide the game (section 6).
    pub journey: Option<JourneySpec>,
}

fn twenty() -> u8 {
    20
}

/// The seat that starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FirstSeat {
    /// A seat drawn at random.
    #[default]
    Random,
    /// The seat of this number, counted from 1.
    Seat(u8),
}

impl FirstSeat {
    /// The first of `seats` seats. A number beyond them means the last one.
    pub(crate) fn choose(self, seats: usize, chance: &mut impl Chance) -> Seat {
        match self {
            Self::Random => chance.seat(seats),
            Self::Seat(number) => Seat::new((usize::from(number) - 1).min(seats - 1)),
        }
    }
}

/// A criterion that decides between seats of equal points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TieBreak {
    /// Most completed tickets.
    CompletedTickets,
    /// Fewest stations built.
    FewestStations,
    /// Whoever has the longest-path bonus.
    LongestPathBonus,
    /// The longest path.
    LongestPath,
    /// The most valuable ticket completed by own routes (A-15, the other reading).
    LongestTicket,
}

/// The train cards of the game, by kind.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "colours explain themselves")]
pub struct DeckSpec {
    #[serde(default)]
    pub purple: u8,
    #[serde(default)]
    pub blue: u8,
    #[serde(default)]
    pub orange: u8,
    #[serde(default)]
    pub white: u8,
    #[serde(default)]
    pub green: u8,
    #[serde(default)]
    pub yellow: u8,
    #[serde(default)]
    pub black: u8,
    #[serde(default)]
    pub red: u8,
    #[serde(default)]
    pub locomotive: u8,
}

impl DeckSpec {
    /// The counts in the order of [`crate::CardKind::ALL`].
    pub fn counts(&self) -> [u8; 9] {
        [
            self.purple,
            self.blue,
            self.orange,
            self.white,
            self.green,
            self.yellow,
            self.black,
            self.red,
            self.locomotive,
        ]
    }
}

/// Drawing cards (section 1.3).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DrawSpec {
    /// Face-up cards; 0 = draw blind only (CC-2, FJ-2).
    pub market: u8,
    /// Face-up locomotives that flush the market (CC-12); 0 = it is never flushed.
    #[serde(default)]
    pub flush_at: u8,
    /// Most flushes in a row.
    #[serde(default = "fifty")]
    pub max_flushes: u8,
    /// The effect of taking a face-up locomotive (CC-10, NO-3).
    pub face_up_locomotive: FaceUpLocomotive,
    /// The moment at which the discard becomes the new deck.
    #[serde(default)]
    pub reshuffle: Reshuffle,
}

fn fifty() -> u8 {
    50
}

/// The effect of taking a face-up locomotive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FaceUpLocomotive {
    /// It ends the draw, and can't be the second card (CC-10).
    EndsDraw,
    /// It is a card like any other (NO-3).
    Ordinary,
}

/// The moment at which the discard becomes the new deck.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Reshuffle {
    /// As soon as the deck is empty (CC-13).
    #[default]
    Eager,
    /// When a card is needed and the deck is empty.
    Lazy,
}

/// Claiming routes (section 1.4).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ClaimSpec {
    /// Points by length, as `3 = 4` (CC-21); empty in games without points.
    #[serde(default)]
    pub points: BTreeMap<String, u8>,
    /// Routes on which locomotives may be played (EU-3, NO-4).
    pub locomotives: LocomotiveUse,
    /// Fewest seats at which both tracks of a double route may be claimed, by different seats (CC-20).
    pub both_tracks_from: u8,
    /// Whether only tracks of equal length count as a double route.
    #[serde(default)]
    pub twins_require_equal_length: bool,
}

/// Routes on which locomotives may be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LocomotiveUse {
    /// On every route (EU-3).
    Anywhere,
    /// On tunnels and ferries only (NO-4).
    TunnelsAndFerries,
}

/// Dealing and drawing tickets (CC-3, CC-29).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TicketSpecRules {
    /// The opening deals, each with its choice, in order.
    pub opening: Vec<OpeningStep>,
    /// The place of unkept opening tickets.
    #[serde(default)]
    pub unkept_opening: Unkept,
    /// Tickets drawn by the ticket action; 0 = there is no such action.
    #[serde(default)]
    pub draw: u8,
    /// Fewest of them that must be kept.
    #[serde(default)]
    pub keep: u8,
    /// The place of the others.
    #[serde(default)]
    pub unkept: Unkept,
}

/// One deal of opening tickets and the choice among them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OpeningStep {
    /// Numbers of tickets by pile. A pile that is dealt from but is not `regular` leaves the game
    /// after the opening.
    pub deal: Vec<DealSpec>,
    /// Fewest tickets that must be held after this step, those of earlier steps included.
    pub hold: u8,
}

/// A number of tickets from one pile.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DealSpec {
    /// The pile's name.
    pub deck: String,
    /// Number of tickets.
    pub count: u8,
    /// Most of them that may be kept; by default all.
    pub keep_max: Option<u8>,
}

/// The place of tickets that are not kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Unkept {
    /// Out of the game.
    #[default]
    Box,
    /// Under the ticket deck.
    Bottom,
}

/// Tunnels (section 1.5).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TunnelSpec {
    /// Cards revealed (CC-24).
    pub reveal: u8,
}

/// Substitute sets on ferries (NO-7).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SetSpec {
    /// Cards of any kinds that stand for one space.
    pub cards: u8,
    /// Spaces that they may stand for.
    #[serde(default)]
    pub spaces: FerrySets,
}

/// Spaces of a ferry that a substitute set may stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FerrySets {
    /// Any space.
    #[default]
    AnySpace,
    /// Only spaces with a locomotive symbol.
    LocomotiveSpaceOnly,
}

/// Stations (EU-7 to EU-10).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StationSpec {
    /// Stations per seat; the n-th costs n cards.
    pub per_seat: u8,
    /// Points for each one not built.
    pub unbuilt_points: u8,
}

/// Warehouses and depots (section 4.A).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DepotSpec {
    /// Depots per seat; one is placed at the start, the others are its reserve.
    #[serde(default = "five")]
    pub per_seat: u8,
    /// Points for the most depots in reserve.
    #[serde(default = "ten")]
    pub bonus: u8,
    /// Moments at which depots may be placed.
    #[serde(default)]
    pub timing: DepotTiming,
    /// The condition that empties the warehouses once deck and discard are empty.
    #[serde(default)]
    pub empty_trigger: EmptyTrigger,
}

impl Default for DepotSpec {
    fn default() -> Self {
        let (timing, empty_trigger) = (DepotTiming::default(), EmptyTrigger::default());
        Self { per_seat: five(), bonus: ten(), timing, empty_trigger }
    }
}

fn five() -> u8 {
    5
}

fn ten() -> u8 {
    10
}

/// Moments at which depots may be placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DepotTiming {
    /// On the seat's own turn, before or after the action.
    #[default]
    OwnTurn,
    /// Also at the start of every other seat's turn.
    AnyTime,
}

/// The condition that empties the warehouses once deck and discard are empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EmptyTrigger {
    /// A seat has no depot in reserve.
    #[default]
    NoDepots,
    /// A seat has no card in its warehouse.
    EmptyWarehouse,
}

/// The start of the final round (CC-31).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EndSpec {
    /// A seat that ends its turn with at most this many trains starts the final round.
    pub trains_at_most: u8,
}

/// Bonuses at the end; 0 = there is none.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BonusSpec {
    /// For the longest path (EU-10).
    #[serde(default)]
    pub longest_path: u8,
    /// For the most completed tickets (NO-10, "Globetrotter").
    #[serde(default)]
    pub most_tickets: u8,
}

/// First Journey (section 6).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct JourneySpec {
    /// Completed tickets that win at once (FJ-9).
    pub tickets_to_win: u8,
    /// The two sets of cities that the bonus ticket joins (FJ-7).
    pub bonus_between: Option<CitySets>,
    /// Limit on the bonus tickets of a seat.
    #[serde(default)]
    pub bonus_limit: JourneyBonusLimit,
}

/// Two sets of cities.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CitySets {
    /// One side.
    pub one: Vec<String>,
    /// The other side.
    pub other: Vec<String>,
}

/// Limit on the bonus tickets of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum JourneyBonusLimit {
    /// Once.
    #[default]
    Once,
    /// Once for every pair of end cities.
    Unlimited,
}
