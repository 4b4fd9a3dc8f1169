//! Legality checks of single actions, with the rule that forbids an illegal one.
//!
//! Implemented independently of the list in `legal`, so that tests can compare the two.

use std::ops::ControlFlow;

use crate::card_game::action::{Action, Phase};
use crate::card_game::compile::CardGame;
use crate::card_game::state::State;
use crate::game::{IllegalAction, require};
use crate::pieces::{CardKind, Seat, TicketId, TicketPlace, TicketSet};

impl CardGame {
    pub(crate) fn check(&self, s: &State, action: Action) -> Result<(), IllegalAction> {
        if let Phase::Over(_) = s.phase {
            return Err(IllegalAction::GameOver);
        }
        if !is_moment_for(action, s.phase) {
            return Err(IllegalAction::WrongMoment { action: action.kind().to_owned(), now: now(s.phase) });
        }
        match action {
            Action::Keep(choice) => self.check_keep(s, choice),
            Action::TakeBlind => require(!s.cards.deck.is_empty(), "CG-6", || "the deck is empty"),
            Action::TakeFaceUp(kind) => self.check_take_face_up(s, kind),
            Action::StopDrawing => {
                let may_stop = self.spec.rules.may_stop_after_one;
                require(may_stop, "A-39", || "the second card must be drawn")
            }
            Action::PlayRow { colour, cards, locomotives } => self.check_row(s, colour, cards, locomotives),
            Action::PlayThree(colours) => self.check_three(s, colours),
            Action::DrawTickets => {
                require(s.ticket_deck_len() > 0, "CG-10", || "there are no tickets to draw")
            }
            Action::Complete(ticket) => self.check_completion(s, ticket),
            Action::StopCompleting => Ok(()),
            Action::Pass => self.check_pass(s),
        }
    }

    fn check_keep(&self, s: &State, choice: u8) -> Result<(), IllegalAction> {
        let (least, offered) = (self.least_kept(s), s.offered());
        let legal = u32::from(choice) >> offered == 0 && choice.count_ones() >= least.into();
        require(legal, "CG-2, CG-10", || {
            format!("of the {offered} offered tickets at least {least} are kept")
        })
    }

    fn check_take_face_up(&self, s: &State, kind: CardKind) -> Result<(), IllegalAction> {
        require(s.cards.market.count(kind) > 0, "CG-6", || format!("no {kind} card lies face up"))?;
        let second_locomotive = s.phase == Phase::SecondCard && kind == CardKind::Locomotive;
        require(!second_locomotive, "CC-10", || "a face-up locomotive can't be the second card")?;
        let may_draw = !s.cards.deck.is_empty() || self.draw_without_deck;
        require(may_draw, "A-61", || "no card is drawn once the deck is empty")
    }

    fn check_row(&self, s: &State, colour: CardKind, cards: u8, locos: u8) -> Result<(), IllegalAction> {
        let hand = s.cards.hands[s.seat];
        require(
            colour != CardKind::Locomotive && cards > 0,
            "CG-7, A-37",
            || "a row has at least one card of its colour",
        )?;
        require(
            cards <= hand.count(colour) && locos <= hand.locomotives(),
            "CG-7",
            || "the hand does not have these cards",
        )?;
        require(cards + locos >= 2, "CG-7", || "a row has at least two cards")?;
        self.check_yards(s, colour, cards + locos)
    }

    fn check_three(&self, s: &State, colours: [CardKind; 3]) -> Result<(), IllegalAction> {
        require(
            colours.is_sorted_by(|a, b| a < b),
            "CG-7",
            || "three different colours are played, in their order",
        )?;
        for colour in colours {
            require(colour != CardKind::Locomotive, "CG-7", || "there is no locomotive among three colours")?;
            self.check_yards(s, colour, 1)?;
            require(s.cards.hands[s.seat].count(colour) > 0, "CG-7", || {
                format!("there is no {colour} card in the hand")
            })?;
        }
        Ok(())
    }

    /// Checks this many cards of a colour against the rows in all yards (CG-8).
    fn check_yards(&self, s: &State, colour: CardKind, cards: u8) -> Result<(), IllegalAction> {
        for seat in Seat::all(self.seats) {
            let row = s.yards[seat].rows().count(colour);
            require(row == 0 || seat != s.seat, "CG-8", || format!("the yard has a {colour} row already"))?;
            require(row == 0 || cards > row, "CG-8", || {
                format!("more than {row} {colour} cards are needed to rob a train")
            })?;
        }
        Ok(())
    }

    fn check_completion(&self, s: &State, ticket: TicketId) -> Result<(), IllegalAction> {
        if ticket.index() >= self.tickets.len() {
            return Err(IllegalAction::Unknown("ticket"));
        }
        require(s.held(s.seat).contains(ticket), "CG-13", || "this ticket is not held")?;
        let chosen = s.tickets.at(TicketPlace::Chosen(s.seat));
        require(chosen.highest() < Some(ticket), "A-41", || "tickets are named in their order")?;
        let completable = self.is_completable(s.tracks[s.seat], chosen | TicketSet::only(ticket));
        require(completable, "CG-14", || "the track stack has too few cards")
    }

    fn check_pass(&self, s: &State) -> Result<(), IllegalAction> {
        let possible = self.visit_main(s, ControlFlow::Break);
        require(possible.is_continue(), "CG-11", || "there is something to do")
    }
}

/// Returns `true` if an action can ever be legal in a phase.
fn is_moment_for(action: Action, phase: Phase) -> bool {
    match action {
        Action::Keep(_) => matches!(phase, Phase::Opening | Phase::Tickets),
        Action::TakeBlind | Action::TakeFaceUp(_) => matches!(phase, Phase::Main | Phase::SecondCard),
        Action::StopDrawing => phase == Phase::SecondCard,
        Action::PlayRow { .. } | Action::PlayThree(_) | Action::DrawTickets | Action::Pass => {
            phase == Phase::Main
        }
        Action::Complete(_) | Action::StopCompleting => matches!(phase, Phase::Completing(_)),
    }
}

/// Describes the pending decision in words.
fn now(phase: Phase) -> &'static str {
    match phase {
        Phase::Opening | Phase::Tickets => "tickets are being chosen",
        Phase::Main => "a turn starts",
        Phase::SecondCard => "the second card is being drawn",
        Phase::Completing(_) => "tickets are being completed",
        Phase::Over(_) => "the game is over",
    }
}
