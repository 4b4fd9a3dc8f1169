//! Events of the Card Game.

use ttr_engine::card_game::{Action, CardGame, Phase};
use ttr_engine::{CardKind, Cards, Game, Seat, SeenAction, SeenStep};

use super::{Event, decision, known};
use crate::view::tickets;

/// The events of a step that a seat sees.
pub(crate) fn of_card_game(step: &SeenStep<'_, CardGame>) -> Vec<Event> {
    let SeenStep { before, by, action, after, .. } = step;
    let (game, seat) = (after.game(), *by);
    let own = after.seat() == seat;
    let seats = Seat::all(game.seats());
    let mut events: Vec<Event> = decision(step).into_iter().collect();
    match *action {
        SeenAction::Open(Action::TakeBlind) => {
            events.push(Event::Drawn { seat, count: 1, cards: own.then(|| after.hand() - before.hand()) });
        }
        SeenAction::Open(Action::DrawTickets) => events.push(Event::Offered {
            seat,
            count: after.offered_count(),
            tickets: known(game, own, after.offered()),
        }),
        SeenAction::Open(Action::PlayRow { colour, .. }) => {
            let robbed = seats.clone().map(|owner| (owner, before.row(owner, colour)));
            events.extend(robbed.filter(|&(_, row)| row != (0, 0)).map(|(seat, (cards, locomotives))| {
                let cards = Cards::of(colour, cards) + Cards::of(CardKind::Locomotive, locomotives);
                Event::Robbed { seat, colour, cards }
            }));
        }
        _ => {}
    }
    if before.phase() == Phase::Opening && after.phase() != Phase::Opening {
        let kept = |seat| after.opening_kept(seat).unwrap_or(0) as u8;
        events.push(Event::OpeningKept { step: 0, counts: seats.clone().map(kept).collect() });
    }
    for seat in seats.clone() {
        let completed = after.completed(seat) - before.completed(seat);
        if !completed.is_empty() {
            events.push(Event::Completed { seat, tickets: tickets(game, completed) });
        }
    }
    let same_round = before.round() == after.round();
    if !same_round {
        events.push(Event::RoundOver { round: before.round() });
    }
    if let Phase::Over(ending) = after.phase() {
        events.push(Event::GameOver { ending: ending.name() });
    }
    if let Some(turns) = after.final_turns().filter(|_| !same_round || before.final_turns().is_none()) {
        events.push(Event::FinalRound { turns });
    }
    // Between rounds all track stacks go into the deck.
    for seat in seats.filter(|_| same_round) {
        let cards = after.track(seat).saturating_sub(before.track(seat));
        if !cards.is_empty() {
            events.push(Event::MovedToTrack { seat, cards });
        }
    }
    events
}
