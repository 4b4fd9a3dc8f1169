//! What a seat can decide.

use serde::{Deserialize, Serialize};

use crate::card::{CardKind, Cards};
use crate::game::Seat;
use crate::id::{CityId, RouteId};

/// A decision. Eight bytes at most.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    /// Keep these of the offered tickets (CC-3, CC-29): bit `i` stands for the `i`-th by index.
    Keep(u8),
    /// Take the top card of the deck (CC-8). Without a market, take two (FJ-3).
    TakeBlind,
    /// Take a card of this kind from the market (CC-8).
    TakeFaceUp(CardKind),
    /// Claim a route (CC-16); if it is a tunnel, try to (CC-23).
    Claim {
        /// The route.
        route: RouteId,
        /// The cards played.
        payment: Payment,
    },
    /// Put this many cards of a kind into the substitute sets of the claim (CC-22).
    AddToSets {
        /// The kind that is being decided on.
        kind: CardKind,
        /// How many.
        count: u8,
    },
    /// Pay the extra cost of a tunnel (CC-26): this many locomotives, the rest in the colour played.
    PayTunnel {
        /// How many locomotives.
        locomotives: u8,
    },
    /// Give up the tunnel (CC-27).
    DeclineTunnel,
    /// Build a station (EU-7).
    BuildStation {
        /// Where.
        city: CityId,
        /// The cards played.
        payment: Payment,
    },
    /// Draw tickets to choose from (CC-29).
    DrawTickets,
    /// Discard all held tickets and draw two new ones (FJ-5).
    SwapTickets,
    /// Do nothing, because nothing else is possible (CC-6).
    Pass,
    /// Begin to draw cards: the top card of the deck goes unseen into this seat's warehouse.
    Store(Seat),
    /// Take all cards of this seat's warehouse, for one depot of the own reserve.
    Collect(Seat),
    /// Place a depot on a city.
    PlaceDepot(CityId),
    /// Collect no more, or place no more depots.
    Done,
}

/// The cards played for `length` spaces: `length - locomotives - sets` of one colour, locomotives, and
/// substitute sets whose cards are chosen afterwards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Payment {
    /// The colour played; none if no colour card is played.
    pub colour: Option<CardKind>,
    /// How many locomotives.
    pub locomotives: u8,
    /// How many spaces are paid for with substitute sets.
    pub sets: u8,
}

impl Payment {
    /// The colour cards and locomotives that pay for `length` spaces. Substitute sets come on top.
    #[inline]
    pub fn cards(self, length: u8) -> Cards {
        let locomotives = Cards::of(CardKind::Locomotive, self.locomotives);
        match self.colour {
            Some(colour) => locomotives + Cards::of(colour, length - self.locomotives - self.sets),
            None => locomotives,
        }
    }
}

/// Where in a turn the game is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)] // a byte of its own for the tag: it is asked for several times in every decision
pub enum Phase {
    /// Choosing among the opening tickets of this step (CC-3).
    Opening {
        /// Index of the step.
        step: u8,
    },
    /// Choosing the action of the turn (CC-5).
    Main,
    /// Choosing the first card, after one was stored.
    FirstCard,
    /// Choosing the second card (CC-9).
    SecondCard,
    /// Choosing how many cards of a kind go into the substitute sets (CC-22).
    Sets {
        /// The kind to decide on.
        kind: CardKind,
        /// Cards still due.
        due: u8,
    },
    /// Choosing to pay for a tunnel or not (CC-26).
    Tunnel {
        /// The extra cost.
        extra: u8,
    },
    /// Choosing among drawn tickets (CC-29).
    Tickets,
    /// Placing the first depot.
    FirstDepot,
    /// Choosing whether to collect from warehouses; bit `i` stands for that of seat `i`.
    Collect {
        /// The warehouses at the ends of the claimed route.
        owners: u8,
    },
    /// Placing depots after the action, or not.
    AfterAction,
    /// Placing depots at the start of another seat's turn, or not.
    Window {
        /// Whose turn it is.
        turn_of: Seat,
    },
    /// The game is over.
    Over(Ending),
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The final round was played (CC-31).
    FinalRound,
    /// Nobody can do anything any more (CC-6, FJ-10).
    Stalemate,
    /// Too many turns without progress.
    NoProgress,
    /// A seat has completed enough tickets (FJ-9).
    TicketsDone,
    /// A seat has placed its last train (FJ-9).
    LastTrain,
}

impl Ending {
    /// The name, as it is written in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FinalRound => "final-round",
            Self::Stalemate => "stalemate",
            Self::NoProgress => "no-progress",
            Self::TicketsDone => "tickets-done",
            Self::LastTrain => "last-train",
        }
    }
}

/// A claim that is being paid for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PendingClaim {
    /// The route.
    pub route: RouteId,
    /// What was laid down.
    pub payment: Payment,
}

const _: () = assert!(size_of::<Action>() <= 8);

/// What a turn came to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Outcome {
    /// It brought the game on.
    Progress,
    /// It did not.
    Idle,
    /// Nothing was possible (CC-6).
    Passed,
}
