//! Most points now, in the Card Game.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use ttr_engine::card_game::{Action, CardGame, Observation, Phase};
use ttr_engine::{CardKind, Cards, Dice, Game, TicketId, TicketSet, View};

use crate::agent::{Agent, Forfeit};
use crate::card_game::{complete, demand, in_play, mask_of, rows_against, with_circles};

/// With fewer cards in the deck, new tickets come too late.
const DECK_FOR_TICKETS: u8 = 15;

/// Plays the row that advances the tickets most.
#[derive(Clone, Copy, Debug, Default)]
pub struct GreedyRows;

impl Agent<CardGame> for GreedyRows {
    fn choose(&mut self, view: &Observation<'_>, _: &mut Dice) -> Result<Action, Forfeit> {
        Ok(match view.phase() {
            Phase::Opening | Phase::Tickets => keep(view),
            Phase::Completing(_) => complete(view),
            _ => turn(view),
        })
    }
}

/// Keeps as many tickets as the cards in the hand and those still to come may complete, small ones first;
/// in the opening at least one.
fn keep(view: &Observation<'_>) -> Action {
    let (game, offered) = (view.game(), view.offered());
    let cards = in_play(view, view.seat()) + view.hand();
    let to_come = view.deck_size() / (2 * game.seats() as u8);
    let mut order: ArrayVec<TicketId, 8> = offered.into_iter().collect();
    order.sort_by_key(|ticket| {
        let ticket = &game.tickets()[ticket.index()];
        (ticket.circles.total(), Reverse(ticket.points))
    });
    let mut asked = demand(view);
    let mut kept = TicketSet::EMPTY;
    for &ticket in &order {
        let more = with_circles(asked, game.tickets()[ticket.index()].circles);
        let at_least_one = kept.is_empty() && view.phase() == Phase::Opening;
        if at_least_one || more.saturating_sub(cards).total() <= cards.locomotives() + to_come {
            asked = more;
            kept.insert(ticket);
        }
    }
    mask_of(view, kept)
}

fn turn(view: &Observation<'_>) -> Action {
    let missing = demand(view).saturating_sub(in_play(view, view.seat()));
    let against = rows_against(view);
    let (mut best, mut wanted, mut blind, mut tickets) = ((0, None), (0, None), false, false);
    let _ = view.legal_actions(|action| {
        match action {
            Action::TakeBlind => blind = true,
            Action::DrawTickets => tickets = true,
            Action::TakeFaceUp(kind) => {
                let use_of = match kind {
                    CardKind::Locomotive => u8::from(!missing.is_empty()),
                    colour => 2 * missing.saturating_sub(view.hand()).count(colour),
                };
                if use_of > wanted.0 || wanted.1.is_none() {
                    wanted = (use_of, Some(action));
                }
            }
            _ => {}
        }
        let gain = gain(missing, against, action);
        if gain > best.0 {
            best = (gain, Some(action));
        }
        ControlFlow::<()>::Continue(())
    });
    // Few enough that the cards in the hand and the next ones suffice.
    let open = missing.saturating_sub(view.hand()).total() > view.hand().locomotives();
    let early = view.final_turns().is_none() && view.deck_size() >= DECK_FOR_TICKETS;
    match (best.1, wanted) {
        (Some(play), _) => play,
        _ if tickets && !open && early => Action::DrawTickets,
        (None, (1.., Some(card))) => card,
        _ if blind => Action::TakeBlind,
        (None, (_, Some(card))) => card,
        _ => view.nth_action(0).expect("a seat to move can do something"),
    }
}

/// The gain of a play: cards that tickets ask for, and rows that others lose.
fn gain(missing: Cards, against: Cards, action: Action) -> i32 {
    match action {
        Action::PlayRow { colour, cards, locomotives } => {
            let useful = i32::from(missing.count(colour).min(cards));
            let elsewhere = i32::from(missing.total()) - useful;
            let wild = elsewhere.clamp(0, locomotives.into());
            let spare = i32::from(cards) - useful;
            3 * useful + 2 * wild + spare + i32::from(against.count(colour))
                - 2 * (i32::from(locomotives) - wild)
        }
        Action::PlayThree(colours) => {
            let useful = colours.iter().filter(|&&colour| missing.count(colour) > 0).count() as i32;
            3 * useful + (3 - useful)
        }
        _ => 0,
    }
}
