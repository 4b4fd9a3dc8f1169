//! Shared by the agents of the Card Game.

use ttr_engine::card_game::{Action, Observation};
use ttr_engine::{CardKind, Cards, Game, Seat, TicketSet};

/// The cards that a seat's tickets can count on if nobody robs it: its track stack and the rows in its
/// yard.
pub(crate) fn in_play(view: &Observation<'_>, seat: Seat) -> Cards {
    view.track(seat) + yard(view, seat)
}

/// The cards in a seat's yard.
pub(crate) fn yard(view: &Observation<'_>, seat: Seat) -> Cards {
    view.rows(seat).colours().fold(Cards::EMPTY, |all, (colour, _)| {
        let (cards, locomotives) = view.row(seat, colour);
        all + Cards::of(colour, cards) + Cards::of(CardKind::Locomotive, locomotives)
    })
}

/// The circles of all tickets held.
pub(crate) fn demand(view: &Observation<'_>) -> Cards {
    let tickets = view.game().tickets();
    view.tickets()
        .into_iter()
        .fold(Cards::EMPTY, |all, ticket| with_circles(all, tickets[ticket.index()].circles))
}

/// Adds the circles of one more ticket. Counts above the maximum of a [`Cards`] counter are cut off: they
/// exceed any track stack.
pub(crate) fn with_circles(asked: Cards, circles: Cards) -> Cards {
    if asked.total() + circles.total() <= Cards::MAX_OF_KIND { asked + circles } else { asked }
}

/// The sizes of the rows of all others, by colour.
pub(crate) fn rows_against(view: &Observation<'_>) -> Cards {
    let others = Seat::all(view.game().seats()).filter(|&seat| seat != view.seat());
    others.fold(Cards::EMPTY, |all, seat| all + view.rows(seat))
}

/// The choice that keeps these of the offered tickets.
pub(crate) fn mask_of(view: &Observation<'_>, kept: TicketSet) -> Action {
    let members = view.offered().into_iter().enumerate().filter(|&(_, ticket)| kept.contains(ticket));
    Action::Keep(members.map(|(i, _)| 1 << i).sum())
}

/// Completes the tickets of the best set one after the other.
pub(crate) fn complete(view: &Observation<'_>) -> Action {
    let all = view.tickets() | view.chosen();
    let best = view.game().best_completion(view.track(view.seat()), all).tickets;
    (best - view.chosen()).lowest().map_or(Action::StopCompleting, Action::Complete)
}
