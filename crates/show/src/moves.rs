//! Actions as data, with everything given by name.

use serde::Serialize;
use ttr_engine::board::{Action as BoardAction, Observation as BoardObservation, Payment};
use ttr_engine::card_game::{Action as CardAction, Observation as CardObservation};
use ttr_engine::{CardKind, Seat, SeenAction, TicketSet};

use crate::Show;
use crate::view::{Ticket, tickets};

/// An action as a seat sees it. In JSON its `type` is the name of the variant.
///
/// ```
/// use ttr_engine::board::{Action, BoardGame};
/// use ttr_engine::{Dice, Game, Notation, Seat, maps};
/// use ttr_show::Show;
/// let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let state = game.deal(&mut Dice::from_seed(1));
/// let keep = Action::Keep(0b111);
/// let seen_by = |seat| {
///     let view = game.observe(&state, seat);
///     BoardGame::seen_move(&view, game.seen_action(&state, keep, seat)).expect("its kind is no secret")
/// };
/// let own = serde_json::to_value(seen_by(Seat::new(0)))?;
/// assert_eq!((own["type"].as_str(), own["tickets"].as_array().map(Vec::len)), (Some("keep"), Some(3)));
/// assert_eq!(serde_json::to_string(&seen_by(Seat::new(1)))?, r#"{"type":"keep"}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the variants are those of the engine's actions, which are documented there")]
#[non_exhaustive]
pub enum Move {
    /// Another seat's choice contains no tickets; in the opening not even their number.
    Keep {
        #[serde(skip_serializing_if = "Option::is_none")]
        tickets: Option<Vec<Ticket>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        count: Option<u8>,
    },
    TakeBlind,
    TakeFaceUp {
        card: CardKind,
    },
    /// The colour is missing if only locomotives are played.
    Claim {
        route: String,
        colour: Option<CardKind>,
        locomotives: u8,
        /// Number of spaces paid for with substitute sets.
        sets: u8,
    },
    AddToSets {
        card: CardKind,
        count: u8,
    },
    PayTunnel {
        locomotives: u8,
    },
    DeclineTunnel,
    BuildStation {
        city: String,
        colour: Option<CardKind>,
        locomotives: u8,
    },
    DrawTickets,
    SwapTickets,
    Pass,
    /// Stores a card in the warehouse of this seat.
    Store {
        seat: Seat,
    },
    /// Collects from the warehouse of this seat.
    Collect {
        seat: Seat,
    },
    PlaceDepot {
        city: String,
    },
    Done,
    StopDrawing,
    PlayRow {
        colour: CardKind,
        cards: u8,
        locomotives: u8,
    },
    PlayThree {
        colours: [CardKind; 3],
    },
    Complete {
        ticket: Ticket,
    },
    StopCompleting,
}

impl Move {
    /// An action of the seat to decide, as the seat of the view sees it; `None` if even its kind is secret.
    pub(crate) fn of_board(view: &BoardObservation<'_>, action: SeenAction<BoardAction>) -> Option<Self> {
        let game = view.game();
        let action = match action {
            SeenAction::Open(action) => action,
            SeenAction::Keep(count) => return Some(Self::Keep { tickets: None, count }),
            SeenAction::Complete => return None,
        };
        Some(match action {
            BoardAction::Keep(choice) => {
                Self::Keep { tickets: Some(tickets(game, chosen(view.offered(), choice))), count: None }
            }
            BoardAction::TakeBlind => Self::TakeBlind,
            BoardAction::TakeFaceUp(card) => Self::TakeFaceUp { card },
            BoardAction::Claim { route, payment: Payment { colour, locomotives, sets } } => {
                Self::Claim { route: game.route_name(route), colour, locomotives, sets }
            }
            BoardAction::AddToSets { kind: card, count } => Self::AddToSets { card, count },
            BoardAction::PayTunnel { locomotives } => Self::PayTunnel { locomotives },
            BoardAction::DeclineTunnel => Self::DeclineTunnel,
            BoardAction::BuildStation { city, payment: Payment { colour, locomotives, .. } } => {
                Self::BuildStation { city: game.city_name(city).to_owned(), colour, locomotives }
            }
            BoardAction::DrawTickets => Self::DrawTickets,
            BoardAction::SwapTickets => Self::SwapTickets,
            BoardAction::Pass => Self::Pass,
            BoardAction::Store(seat) => Self::Store { seat },
            BoardAction::Collect(seat) => Self::Collect { seat },
            BoardAction::PlaceDepot(city) => Self::PlaceDepot { city: game.city_name(city).to_owned() },
            BoardAction::Done => Self::Done,
        })
    }

    /// Like [`Move::of_board`].
    pub(crate) fn of_card_game(view: &CardObservation<'_>, action: SeenAction<CardAction>) -> Option<Self> {
        let game = view.game();
        let action = match action {
            SeenAction::Open(action) => action,
            SeenAction::Keep(count) => return Some(Self::Keep { tickets: None, count }),
            SeenAction::Complete => return None,
        };
        Some(match action {
            CardAction::Keep(choice) => {
                Self::Keep { tickets: Some(tickets(game, chosen(view.offered(), choice))), count: None }
            }
            CardAction::TakeBlind => Self::TakeBlind,
            CardAction::TakeFaceUp(card) => Self::TakeFaceUp { card },
            CardAction::StopDrawing => Self::StopDrawing,
            CardAction::PlayRow { colour, cards, locomotives } => {
                Self::PlayRow { colour, cards, locomotives }
            }
            CardAction::PlayThree(colours) => Self::PlayThree { colours },
            CardAction::DrawTickets => Self::DrawTickets,
            CardAction::Complete(ticket) => Self::Complete { ticket: Show::ticket(game, ticket) },
            CardAction::StopCompleting => Self::StopCompleting,
            CardAction::Pass => Self::Pass,
        })
    }
}

/// The tickets of a choice among those offered: bit `i` stands for the `i`-th by index.
fn chosen(offered: TicketSet, choice: u8) -> TicketSet {
    let kept = offered.into_iter().enumerate().filter(|&(index, _)| choice >> index & 1 == 1);
    kept.map(|(_, ticket)| ticket).collect()
}
