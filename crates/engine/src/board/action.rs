//! Decisions, and the moments of a turn that ask for them.

use serde::{Deserialize, Serialize};

use crate::pieces::{CardKind, Cards, CityId, RouteId, Seat};

/// A decision, at most eight bytes in size.
///
/// [`Notation`](crate::Notation) formats it as text and parses it again:
///
/// | text | action |
/// |---|---|
/// | `keep Brest-Petrograd, Paris-Wien` | keep these of the offered tickets (`keep none`) |
/// | `take red`, `take locomotive`, `take blind` | take a card |
/// | `claim Paris-Dieppe in purple` | claim a route with cards of a colour |
/// | `claim Madrid-Pamplona/black in black + 2 locomotives` | ... and locomotives, on the black track |
/// | `claim Turku-Helsinki in 1 locomotive + 2 sets` | ... and substitute sets |
/// | `sets blue*3` | put three blue cards into the sets |
/// | `pay`, `pay + 1 locomotive`, `decline` | pay for a tunnel (with locomotives), or not |
/// | `station Roma in red + 1 locomotive` | build a station |
/// | `tickets`, `swap`, `pass` | draw tickets, swap them, do nothing |
/// | `store 2`, `collect 1` | store a card with seat 2, collect the warehouse of seat 1 |
/// | `depot Wien`, `done` | place a depot; collect or place no more |
///
/// ```
/// use ttr_engine::board::{Action, BoardGame, Payment};
/// use ttr_engine::{maps, CardKind, Dice, Game, Notation};
/// let game = BoardGame::new(&maps::load("europe")?, 2)?;
/// let state = game.deal(&mut Dice::from_seed(1));
/// let payment = Payment { colour: Some(CardKind::Purple), locomotives: 0, sets: 0 };
/// let claim = Action::Claim { route: game.parse_route("Paris-Dieppe")?, payment };
/// assert_eq!(game.write_action(&state, claim), "claim Dieppe-Paris in purple");
/// assert_eq!(game.parse_action(&state, "claim Paris-Dieppe in purple"), Ok(claim));
/// // Tickets are chosen first.
/// let error = game.check(&state, claim).unwrap_err().to_string();
/// assert!(error.ends_with("is not possible now: tickets are being chosen"), "{error}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
        /// Number of cards.
        count: u8,
    },
    /// Pay the extra cost of a tunnel (CC-26): this many locomotives, the rest in the colour played.
    PayTunnel {
        /// Number of locomotives.
        locomotives: u8,
    },
    /// Give up the tunnel (CC-27).
    DeclineTunnel,
    /// Build a station (EU-7).
    BuildStation {
        /// The city.
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
    /// Start drawing cards: the top card of the deck goes face down into this seat's warehouse (X-5).
    Store(Seat),
    /// Take all cards of this seat's warehouse, at the cost of one depot from the reserve (X-7).
    Collect(Seat),
    /// Place a depot on a city (X-2, X-9).
    PlaceDepot(CityId),
    /// Collect no more, or place no more depots (X-7, X-9).
    Done,
}

/// The cards played for `length` spaces: `length - locomotives - sets` of one colour, locomotives, and
/// substitute sets whose cards are chosen afterwards.
///
/// ```
/// use ttr_engine::board::Payment;
/// use ttr_engine::CardKind::{Blue, Locomotive};
/// use ttr_engine::Cards;
/// let payment = Payment { colour: Some(Blue), locomotives: 1, sets: 0 };
/// assert_eq!(payment.cards(4), Cards::of(Blue, 3) + Cards::of(Locomotive, 1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Payment {
    /// The colour played, or `None` if no colour card is played.
    pub colour: Option<CardKind>,
    /// Number of locomotives.
    pub locomotives: u8,
    /// Number of spaces paid for with substitute sets.
    pub sets: u8,
}

impl Payment {
    /// The colour cards and locomotives that pay for `length` spaces, not counting substitute sets.
    #[inline]
    pub fn cards(self, length: u8) -> Cards {
        let locomotives = Cards::of(CardKind::Locomotive, self.locomotives);
        match self.colour {
            Some(colour) => locomotives + Cards::of(colour, length - self.locomotives - self.sets),
            None => locomotives,
        }
    }
}

/// The phase of a turn: the decision that is due.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)] // the tag gets its own byte because every decision reads it several times
pub enum Phase {
    /// Choosing among the opening tickets of this step (CC-3).
    Opening {
        /// Index of the step.
        step: u8,
    },
    /// Choosing the action of the turn (CC-5).
    Main,
    /// Choosing the first card, after one was stored (X-5).
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
    /// Placing the first depot (X-2).
    FirstDepot,
    /// Choosing whether to collect from warehouses (X-7).
    Collect {
        /// The warehouses at the ends of the claimed route: bit `i` stands for that of seat `i`.
        owners: u8,
    },
    /// Placing depots after the action, or not (X-9).
    AfterAction,
    /// Placing depots at the start of another seat's turn, or not (A-23).
    Window {
        /// The seat whose turn it is.
        turn_of: Seat,
    },
    /// The game is over.
    Over(Ending),
}

/// The reason a game ended.
// Exhaustive: an ending that a table of results does not know must not count as another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The final round was played (CC-31).
    FinalRound,
    /// No seat can act any more (CC-6, FJ-10).
    Stalemate,
    /// Too many turns without progress (A-60).
    NoProgress,
    /// A seat has completed enough tickets (FJ-9).
    TicketsDone,
    /// A seat has placed its last train (FJ-9).
    LastTrain,
}

impl Ending {
    /// The name used in files.
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct PendingClaim {
    /// The route.
    pub route: RouteId,
    /// The cards laid down.
    pub payment: Payment,
}

const _: () = assert!(size_of::<Action>() <= 8);

/// The outcome of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum Outcome {
    /// It advanced the game (A-60).
    Progress,
    /// It did not.
    Idle,
    /// Nothing was possible (CC-6).
    Passed,
}
