//! Events at the table, as one seat sees them.

mod board;
mod card_game;

use serde::Serialize;
use ttr_engine::{CardKind, Cards, Seat, SeenStep, TicketSet};

use crate::text::count;
use crate::view::{Ticket, tickets};
use crate::{Move, Show};

pub(crate) use board::of_board;
pub(crate) use card_game::of_card_game;

/// An event that a seat sees. A step is a decision, if the seat may know its kind, followed by its
/// consequences. In JSON its `type` is the name of the variant, and secret fields are missing.
///
/// ```
/// use ttr_engine::{board::BoardGame, maps, Dice, Game, Seat, Step};
/// use ttr_show::{Event, Show};
/// let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let mut chance = Dice::from_seed(1);
/// let mut state = game.deal(&mut chance);
/// let keep = game.actions(&state)[0];
/// let step = Step::play(&game, &mut state, keep, &mut chance);
/// let events = BoardGame::events(&step.seen_by(&game, Seat::new(1)));
/// let [Event::Decision { action, .. }] = &events[..] else { panic!("{events:?}") };
/// assert_eq!(action, "keep (hidden)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Event {
    /// A seat decides.
    Decision {
        /// The seat.
        seat: Seat,
        /// The decision, in notation.
        action: String,
        /// The decision as data.
        #[serde(rename = "move")]
        chosen: Move,
    },
    /// A seat gets cards that the others do not see: from the deck, or from a warehouse.
    Drawn {
        /// The seat.
        seat: Seat,
        /// Number of cards.
        count: u8,
        /// The cards, if they may be known.
        #[serde(skip_serializing_if = "Option::is_none")]
        cards: Option<Cards>,
    },
    /// A seat has drawn tickets and chooses next.
    Offered {
        /// The seat.
        seat: Seat,
        /// Number of tickets.
        count: u8,
        /// The tickets, if they may be known.
        #[serde(skip_serializing_if = "Option::is_none")]
        tickets: Option<Vec<Ticket>>,
    },
    /// All seats have chosen their opening tickets, and show how many.
    OpeningKept {
        /// The step of the opening, counted from 0.
        step: u8,
        /// Number of tickets kept, by seat.
        counts: Vec<u8>,
    },
    /// A seat gets tickets without a choice.
    Dealt {
        /// The seat.
        seat: Seat,
        /// Number of tickets.
        count: u8,
        /// The tickets, if they may be known.
        #[serde(skip_serializing_if = "Option::is_none")]
        tickets: Option<Vec<Ticket>>,
    },
    /// Cards are turned up for a tunnel.
    TurnedUp {
        /// The seat that claims it.
        seat: Seat,
        /// The tunnel.
        route: String,
        /// The cards.
        cards: Cards,
        /// The extra cost.
        extra: u8,
    },
    /// A seat does not pay the extra cost of a tunnel, because it can't or does not want to.
    GivenUp {
        /// The seat.
        seat: Seat,
        /// The tunnel.
        route: String,
    },
    /// A seat has paid for a route and owns it now.
    Claimed {
        /// The seat.
        seat: Seat,
        /// The route.
        route: String,
        /// All cards that it paid.
        cards: Cards,
        /// Points for the route.
        points: u16,
        /// Number of trains that the seat has left.
        trains: u8,
    },
    /// A seat has built a station.
    Built {
        /// The seat.
        seat: Seat,
        /// The city.
        city: String,
        /// The cards that it paid.
        cards: Cards,
    },
    /// The face-up cards are discarded, because too many of them are locomotives, and new ones laid out.
    Flushed {
        /// The cards that are discarded.
        cards: Cards,
    },
    /// The discard becomes the deck.
    Reshuffled {
        /// Number of cards.
        cards: u8,
    },
    /// The cards of all warehouses become the deck.
    WarehousesEmptied {
        /// Number of cards.
        cards: u8,
    },
    /// A row is robbed and discarded.
    Robbed {
        /// The seat that loses it.
        seat: Seat,
        /// Its colour.
        colour: CardKind,
        /// Its cards.
        cards: Cards,
    },
    /// The top cards of a seat's rows move to its track stack.
    MovedToTrack {
        /// The seat.
        seat: Seat,
        /// The cards.
        cards: Cards,
    },
    /// A seat shows tickets that it has completed.
    Completed {
        /// The seat.
        seat: Seat,
        /// The tickets.
        tickets: Vec<Ticket>,
    },
    /// A seat takes bonus tickets.
    BonusTickets {
        /// The seat.
        seat: Seat,
        /// Number of bonus tickets.
        count: u8,
    },
    /// The final round begins; in the Card Game, the last turns of a round.
    FinalRound {
        /// Number of turns left.
        turns: u8,
    },
    /// A round of the Card Game is over, and the next is dealt.
    RoundOver {
        /// The round, counted from 0.
        round: u8,
    },
    /// The game is over.
    GameOver {
        /// The reason.
        ending: &'static str,
    },
}

impl Event {
    /// The event in words, to follow the decision that led to it; `None` for the decision itself. `by` is
    /// the seat that decided.
    pub fn outcome(&self, by: Seat) -> Option<String> {
        let of = |seat: Seat| if seat == by { String::new() } else { format!("{seat}: ") };
        Some(match self {
            Self::Decision { .. } => return None,
            // The decision shows the number.
            Self::Drawn { cards: None, .. } | Self::Offered { tickets: None, .. } => return None,
            Self::Drawn { cards: Some(cards), .. } => cards.to_string(),
            Self::Offered { tickets: Some(tickets), .. } => format!("offered: {}", names(tickets)),
            Self::OpeningKept { counts, .. } => {
                let counts: Vec<String> = counts.iter().map(u8::to_string).collect();
                format!("tickets kept: {}", counts.join("-"))
            }
            Self::Dealt { count: n, tickets: None, .. } => {
                format!("{} dealt", count((*n).into(), "ticket", "tickets"))
            }
            Self::Dealt { tickets: Some(tickets), .. } => format!("dealt: {}", names(tickets)),
            Self::TurnedUp { cards, extra, .. } => format!("turned up: {cards}, extra cost {extra}"),
            Self::GivenUp { .. } => "given up".to_owned(),
            Self::Claimed { points, trains, .. } => {
                let trains = count((*trains).into(), "train", "trains");
                match points {
                    0 => format!("{trains} left"),
                    &points => format!("+{}; {trains} left", count(points.into(), "point", "points")),
                }
            }
            Self::Built { .. } => return None,
            Self::Flushed { cards } => format!("flushed: {cards}"),
            Self::Reshuffled { cards } => format!("reshuffled: {}", count((*cards).into(), "card", "cards")),
            Self::WarehousesEmptied { cards } => {
                format!("warehouses emptied: {}", count((*cards).into(), "card", "cards"))
            }
            Self::Robbed { seat, cards, .. } => format!("robs {seat}: {cards}"),
            Self::MovedToTrack { seat, cards } => format!("{seat} moves to the track: {cards}"),
            Self::Completed { seat, tickets } => format!("{}completed: {}", of(*seat), names(tickets)),
            Self::BonusTickets { count: n, .. } => count((*n).into(), "bonus ticket", "bonus tickets"),
            Self::FinalRound { turns } => {
                format!("final round: {} left", count((*turns).into(), "turn", "turns"))
            }
            Self::RoundOver { round } => format!("round {} is over", round + 1),
            Self::GameOver { ending } => format!("game over: {ending}"),
        })
    }
}

fn names(tickets: &[Ticket]) -> String {
    tickets.iter().map(|ticket| ticket.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// The decision of a step, if its kind may be known.
fn decision<G: Show>(step: &SeenStep<'_, G>) -> Option<Event> {
    let chosen = G::seen_move(&step.before, step.action)?;
    Some(Event::Decision { seat: step.by, action: step.write_action(), chosen })
}

/// The tickets of a set, if they may be known.
fn known<G: Show>(game: &G, may: bool, set: TicketSet) -> Option<Vec<Ticket>> {
    may.then(|| tickets(game, set))
}
