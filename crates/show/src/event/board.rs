//! Events of board games.

use ttr_engine::board::{Action, BoardGame, Observation, Phase};
use ttr_engine::{Game, Seat, SeenAction, SeenStep, TableEvent};

use super::{Event, decision, known};
use crate::view::tickets;

/// The events of a step that a seat sees.
pub(crate) fn of_board(step: &SeenStep<'_, BoardGame>) -> Vec<Event> {
    let SeenStep { before, by, action, after, table } = step;
    let (game, seat) = (after.game(), *by);
    let own = after.seat() == seat;
    let action = match *action {
        SeenAction::Open(action) => Some(action),
        SeenAction::Keep(_) | SeenAction::Complete => None,
    };
    let mut events: Vec<Event> = decision(step).into_iter().collect();
    match action {
        Some(Action::TakeBlind | Action::Collect(_)) => events.push(Event::Drawn {
            seat,
            count: after.hand_size(seat) - before.hand_size(seat),
            cards: own.then(|| after.hand() - before.hand()),
        }),
        Some(Action::DrawTickets) => events.push(Event::Offered {
            seat,
            count: after.offered_count(),
            tickets: known(game, own, after.offered()),
        }),
        Some(Action::DeclineTunnel) => {
            events.extend(route(before, action).map(|route| Event::GivenUp { seat, route }));
        }
        _ => {}
    }
    events.extend(table.iter().filter_map(|&event| on_the_table(step, action, event)));
    journey(step, action, &mut events);
    if let Phase::Opening { step: opening } = before.phase()
        && after.phase() != before.phase()
    {
        let kept = |seat| after.opening_kept(seat, opening.into()).unwrap_or(0);
        let counts = Seat::all(game.seats()).map(kept).collect();
        events.push(Event::OpeningKept { step: opening, counts });
    }
    if let (None, Some(turns)) = (before.final_turns(), after.final_turns()) {
        events.push(Event::FinalRound { turns });
    }
    if let Phase::Over(ending) = after.phase() {
        events.push(Event::GameOver { ending: ending.name() });
    }
    events
}

/// The name of the route that a decision is about.
fn route(before: &Observation<'_>, action: Option<Action>) -> Option<String> {
    let route = match action {
        Some(Action::Claim { route, .. }) => route,
        _ => before.pending()?.0.route,
    };
    Some(before.game().route_name(route))
}

/// The events that all seats see.
fn on_the_table(step: &SeenStep<'_, BoardGame>, action: Option<Action>, event: TableEvent) -> Option<Event> {
    let SeenStep { before, by, after, .. } = step;
    let seat = *by;
    Some(match event {
        TableEvent::Paid(cards) => match action {
            Some(Action::BuildStation { city, .. }) => {
                Event::Built { seat, city: after.game().city_name(city).to_owned(), cards }
            }
            _ => Event::Claimed {
                seat,
                route: route(before, action)?,
                cards,
                points: after.points(seat) - before.points(seat),
                trains: after.trains(seat),
            },
        },
        TableEvent::TurnedUp(cards) => {
            let extra = match after.phase() {
                Phase::Tunnel { extra } => extra,
                _ => 0,
            };
            Event::TurnedUp { seat, route: route(before, action)?, cards, extra }
        }
        TableEvent::Flushed(cards) => Event::Flushed { cards },
        TableEvent::Reshuffled(cards) => Event::Reshuffled { cards },
        TableEvent::WarehousesEmptied(cards) => Event::WarehousesEmptied { cards },
    })
}

/// First Journey: tickets that are completed, taken and replaced at once.
fn journey(step: &SeenStep<'_, BoardGame>, action: Option<Action>, events: &mut Vec<Event>) {
    let SeenStep { before, by, after, .. } = step;
    let (game, seat) = (after.game(), *by);
    if game.spec().rules.journey.is_none() {
        return;
    }
    let completed = after.completed(seat) - before.completed(seat);
    let held = |view: &Observation<'_>| view.ticket_count(seat).unwrap_or(0);
    let own = after.seat() == seat;
    // A swap returns all held tickets.
    let kept = if action == Some(Action::SwapTickets) { 0 } else { held(before) };
    let dealt = held(after) + completed.len() as u8 - kept;
    if !completed.is_empty() {
        events.push(Event::Completed { seat, tickets: tickets(game, completed) });
    }
    let bonus = after.bonus_tickets(seat) - before.bonus_tickets(seat);
    if bonus > 0 {
        events.push(Event::BonusTickets { seat, count: bonus });
    }
    if dealt > 0 {
        let new = after.tickets() | completed;
        let new = if kept == 0 { new } else { new - before.tickets() };
        events.push(Event::Dealt { seat, count: dealt, tickets: known(game, own, new) });
    }
}
