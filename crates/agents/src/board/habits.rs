//! Decisions that no plan covers, the same for all simple agents.

use std::ops::ControlFlow;

use ttr_engine::board::{Action, Observation, Phase};
use ttr_engine::{CardKind, CitySet, Game, Seat, View};

/// Fewest cards of a warehouse that are worth a depot of the reserve: it may be worth 10 points at the end
///
const WORTH_A_DEPOT: u8 = 4;

/// Returns the action where only habit decides: the cards of substitute sets, and everything about depots.
pub(crate) fn habit(view: &Observation<'_>) -> Option<Action> {
    match view.phase() {
        Phase::Sets { kind, due } => Some(Action::AddToSets { kind, count: for_sets(view, kind, due) }),
        Phase::FirstDepot => first_legal(view, busiest_city(view)),
        Phase::Collect { .. } => {
            let full = Seat::all(view.game().seats())
                .filter(|&seat| view.warehouse_size(seat) >= WORTH_A_DEPOT)
                .max_by_key(|&seat| view.warehouse_size(seat));
            first_legal(view, full.map(Action::Collect)).or(Some(Action::Done))
        }
        Phase::AfterAction | Phase::Window { .. } => Some(Action::Done),
        _ => None,
    }
}

/// Puts the least useful cards into substitute sets: kinds of which there are few cards first, locomotives
/// last.
fn for_sets(view: &Observation<'_>, asked: CardKind, due: u8) -> u8 {
    let hand = view.hand();
    let missed = |kind: CardKind| (kind == CardKind::Locomotive, hand.count(kind), kind);
    // Kinds are asked for in order, so cards of earlier kinds are no longer available.
    let better: u8 = CardKind::ALL[asked.index() + 1..]
        .iter()
        .filter(|&&kind| missed(kind) < missed(asked))
        .map(|&kind| hand.count(kind))
        .sum();
    due.saturating_sub(better).min(hand.count(asked))
}

/// Places a depot where the most free routes end: their claims are the most likely.
fn busiest_city(view: &Observation<'_>) -> Option<Action> {
    let game = view.game();
    let mut ends = [0u8; CitySet::CAPACITY];
    for route in view.open_routes(view.seat()) {
        for city in game.routes()[route.index()].ends {
            ends[city.index()] += 1;
        }
    }
    let open = game.city_ids().filter(|&city| is_legal(view, Action::PlaceDepot(city)));
    open.max_by_key(|city| ends[city.index()]).map(Action::PlaceDepot)
}

fn is_legal(view: &Observation<'_>, action: Action) -> bool {
    let found = view.legal_actions(|legal| match legal == action {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    });
    found.is_break()
}

/// The action, if it is legal.
fn first_legal(view: &Observation<'_>, action: Option<Action>) -> Option<Action> {
    action.filter(|&action| is_legal(view, action))
}

/// Pays for a tunnel with as few locomotives as possible if `worth_it` accepts this many cards and
/// locomotives; otherwise declines.
pub(crate) fn pay_tunnel(view: &Observation<'_>, worth_it: impl Fn(u8, u8) -> bool) -> Action {
    let Phase::Tunnel { extra } = view.phase() else { unreachable!("a tunnel is being claimed") };
    let cheapest = view.legal_actions(ControlFlow::Break).break_value(); // few locomotives are listed first
    match cheapest {
        Some(Action::PayTunnel { locomotives }) if worth_it(extra, locomotives) => {
            Action::PayTunnel { locomotives }
        }
        _ => Action::DeclineTunnel,
    }
}
