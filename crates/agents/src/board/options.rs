//! Actions of a turn other than claiming and building.

use std::ops::ControlFlow;

use ttr_engine::board::{Action, Observation};
use ttr_engine::{CardKind, Cards, Seat, View};

/// The actions of a seat other than claiming and building.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    seat: Seat,
    /// A card must be stored before cards are drawn.
    store: bool,
    blind: bool,
    /// One card of each kind that may be taken from the market.
    pub(crate) face_up: Cards,
    /// Tickets can be drawn.
    pub(crate) tickets: bool,
    /// Tickets can be swapped (FJ-5).
    pub(crate) swap: bool,
}

impl Options {
    pub(crate) fn of(view: &Observation<'_>) -> Self {
        let (seat, face_up) = (view.seat(), Cards::EMPTY);
        let mut options = Self { seat, store: false, blind: false, face_up, tickets: false, swap: false };
        let _ = view.legal_actions(|action| {
            match action {
                Action::Store(_) => options.store = true,
                Action::TakeBlind => options.blind = true,
                Action::TakeFaceUp(kind) => options.face_up.insert(kind),
                Action::DrawTickets => options.tickets = true,
                Action::SwapTickets => options.swap = true,
                _ => return ControlFlow::Break(()), // these are listed first
            }
            ControlFlow::Continue(())
        });
        options
    }

    /// Takes a card: the wanted one from the market if possible, else the top of the deck, else any face-up
    /// card. In games with warehouses, a card is stored in the seat's own warehouse before the first card.
    /// `None` if there is no card.
    pub(crate) fn take(&self, wanted: Option<CardKind>) -> Option<Action> {
        if self.store {
            return Some(Action::Store(self.seat));
        }
        if let Some(kind) = wanted
            && self.face_up.count(kind) > 0
        {
            return Some(Action::TakeFaceUp(kind));
        }
        if self.blind {
            return Some(Action::TakeBlind);
        }
        self.face_up.iter().next().map(|(kind, _)| Action::TakeFaceUp(kind))
    }
}
