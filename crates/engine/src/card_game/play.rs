//! Deals, and the effects of actions.

use crate::card_game::action::{Action, Ending, Phase};
use crate::card_game::compile::CardGame;
use crate::card_game::state::State;
use crate::chance::Chance;
use crate::pieces::{CardKind, Cards, OldCards, Seat, TicketPlace};
use crate::spec::Assignment;

impl CardGame {
    /// Deals cards, the market and the first opening tickets (CG-2).
    pub(crate) fn deal(&self, chance: &mut impl Chance) -> State {
        let rules = &self.spec.rules;
        let mut s = State::new(self.deck);
        s.first = rules.first_seat.choose(self.seats, chance);
        s.seat = s.first;
        let locomotives = Cards::of(CardKind::Locomotive, rules.opening_locomotives);
        for seat in Seat::all(self.seats) {
            s.cards.deck -= locomotives;
            s.cards.hands[seat] += locomotives;
            s.cards.shown[seat] += locomotives;
        }
        for seat in Seat::all(self.seats) {
            for _ in 0..rules.opening_hand {
                s.cards.draw_to_hand(seat, chance);
            }
        }
        self.refill(&mut s, chance);
        s.tickets.put_all(self.all_tickets, TicketPlace::Deck);
        self.offer_opening(&mut s, chance);
        s
    }

    pub(crate) fn play_unchecked(&self, s: &mut State, action: Action, chance: &mut impl Chance) {
        let progress = match action {
            Action::TakeBlind | Action::TakeFaceUp(_) => {
                let face_up = match action {
                    Action::TakeFaceUp(kind) => Some(Cards::of(kind, 1)),
                    _ => None,
                };
                if !self.take_card(s, face_up, chance) {
                    return;
                }
                true
            }
            Action::StopDrawing => true,
            Action::PlayRow { colour, cards, locomotives } => {
                self.play_row(s, colour, cards, locomotives);
                true
            }
            Action::PlayThree(colours) => {
                self.play_three(s, colours.into_iter().collect());
                true
            }
            Action::DrawTickets => return self.offer_drawn(s, chance),
            Action::Keep(choice) if s.phase == Phase::Opening => return self.keep_opening(s, choice, chance),
            Action::Keep(choice) => self.keep_drawn(s, choice),
            Action::Complete(ticket) => return s.tickets.put(ticket, TicketPlace::Chosen(s.seat)),
            Action::StopCompleting => return self.stop_completing(s, chance),
            Action::Pass => false,
        };
        self.end_turn(s, progress, chance);
    }

    /// Fills the market as far as the deck goes (CC-11); the discard is never reshuffled (CG-6).
    #[inline]
    fn refill(&self, s: &mut State, chance: &mut impl Chance) {
        for _ in s.cards.market.total()..self.spec.rules.market {
            if s.cards.deck.is_empty() {
                break;
            }
            s.cards.draw_to_market(chance);
        }
    }

    /// Takes a card from the market, or the top card of the deck if none is given. Returns `true` if
    /// that ends the turn.
    #[inline(always)] // half of all actions do
    pub(crate) fn take_card(&self, s: &mut State, face_up: Option<Cards>, chance: &mut impl Chance) -> bool {
        match face_up {
            Some(card) => {
                s.cards.take_face_up(s.seat, card);
                // With a deck left, the market was full.
                if !s.cards.deck.is_empty() {
                    s.cards.draw_to_market(chance);
                }
            }
            None => s.cards.draw_to_hand(s.seat, chance),
        }
        if s.phase == Phase::SecondCard || face_up == Some(Cards::of(CardKind::Locomotive, 1)) {
            return true; // CC-10
        }
        s.phase = Phase::SecondCard;
        self.draws(s).is_empty() // CC-9
    }

    /// Plays a row of one colour (CG-7).
    #[inline]
    pub(crate) fn play_row(&self, s: &mut State, colour: CardKind, cards: u8, locomotives: u8) {
        self.rob(s, colour);
        let cards = Cards::of(colour, cards);
        self.take_from_hand(s, cards + Cards::of(CardKind::Locomotive, locomotives));
        let yard = &mut s.yards[s.seat];
        yard.cards += cards;
        yard.locomotives += Cards::of(colour, locomotives);
    }

    /// Plays three rows of one card each (CG-7).
    #[inline]
    pub(crate) fn play_three(&self, s: &mut State, colours: Cards) {
        self.take_from_hand(s, colours);
        s.yards[s.seat].cards += colours;
    }

    /// Takes cards from the hand of the seat to move, visibly to all.
    #[inline]
    fn take_from_hand(&self, s: &mut State, cards: Cards) {
        let seat = s.seat;
        if s.old.count(seat.index()) > 0 || !s.old_hands[seat].is_empty() {
            self.show_old(s, cards);
        }
        s.cards.play(seat, cards);
    }

    /// Updates knowledge of old cards: the seat to move is about to play cards, perhaps some that it
    /// kept from round 1. Of two equal cards it plays the one that the others assume.
    #[cold]
    fn show_old(&self, s: &mut State, cards: Cards) {
        let seat = s.seat;
        let hidden = s.cards.hidden();
        let all = hidden.iter().fold(s.cards.deck, |all, &cards| all + cards);
        let shown = cards.saturating_sub(s.cards.shown[seat]);
        let assumed = s.old.show(seat.index(), shown, hidden[seat].total(), all);
        let fresh = (hidden[seat] - s.old_hands[seat]).intersection(shown.saturating_sub(assumed));
        s.old_hands[seat] = s.old_hands[seat].saturating_sub(shown - fresh);
    }

    /// Train robbing: a seat with a row of this colour discards it (CG-9).
    #[inline]
    fn rob(&self, s: &mut State, colour: CardKind) {
        for yard in &mut s.yards[..self.seats] {
            if yard.rows().count(colour) > 0 {
                s.cards.discard += yard.take_row(colour);
            }
        }
    }

    // --- turns and rounds ---

    /// Ends the turn: last turns, guard, next seat (CG-12, A-60).
    #[inline(always)] // in every turn
    pub(crate) fn end_turn(&self, s: &mut State, progress: bool, chance: &mut impl Chance) {
        s.turns = s.turns.saturating_add(1);
        s.idle_turns = if progress { 0 } else { s.idle_turns.saturating_add(1) };
        s.phase = Phase::Main;
        s.seat = s.seat.next(self.seats);
        if s.final_turns > 0 {
            s.final_turns -= 1;
            if s.final_turns == 0 {
                return self.end_round(s, Ending::LastTurns, chance);
            }
        } else if s.cards.deck.is_empty() {
            s.final_turns = self.seats as u8;
        }
        if !progress && self.idle_limit.is_some_and(|limit| s.idle_turns >= limit) {
            return self.end_round(s, Ending::NoProgress, chance);
        }
        self.start_turn(s);
    }

    /// Starts a turn: the top card of each row of the yard goes to the track stack (CG-5).
    #[inline]
    fn start_turn(&self, s: &mut State) {
        let seat = s.seat;
        s.tracks[seat] += s.yards[seat].take_tops();
    }

    /// Ends a round: completes tickets, or asks for them (CG-13 to CG-16). The seat after the last turn
    /// is to move.
    #[cold]
    fn end_round(&self, s: &mut State, ending: Ending, chance: &mut impl Chance) {
        s.final_turns = 0;
        s.first = s.seat;
        if self.spec.rules.assignment == Assignment::PlayerChoice {
            s.phase = Phase::Completing(ending);
            return;
        }
        let completed = self.completions(s, s.round + 1 == self.rounds);
        for seat in Seat::all(self.seats) {
            s.tickets.put_all(completed[seat], TicketPlace::Done(seat));
        }
        self.after_round(s, ending, chance);
    }

    /// Ends a seat's choice of tickets to complete. After the last seat, all choices are revealed
    ///
    fn stop_completing(&self, s: &mut State, chance: &mut impl Chance) {
        let Phase::Completing(ending) = s.phase else { unreachable!("the action is legal") };
        s.seat = s.seat.next(self.seats);
        if s.seat == s.first {
            for seat in Seat::all(self.seats) {
                s.tickets.put_all(s.tickets.at(TicketPlace::Chosen(seat)), TicketPlace::Done(seat));
            }
            self.after_round(s, ending, chance);
        }
    }

    /// Returns `true` if the game itself completed tickets at the end of the previous round. The tickets
    /// that seats still hold from that round, [`TicketPlace::HeldOver`], are then those that could not
    /// be completed.
    pub(crate) fn remembers_completion(&self, s: &State) -> bool {
        let over = matches!(s.phase, Phase::Over(_));
        s.round > 0 && !over && self.spec.rules.assignment != Assignment::PlayerChoice
    }

    /// Ends the game or starts the next round (CG-17, CG-18).
    fn after_round(&self, s: &mut State, ending: Ending, chance: &mut impl Chance) {
        use TicketPlace::{Held, HeldOver};
        s.round += 1;
        if s.round == self.rounds {
            s.round -= 1;
            s.phase = Phase::Over(ending);
            for seat in Seat::all(self.seats) {
                s.tickets.transfer(s.tickets.at(HeldOver(seat)), HeldOver(seat), Held(seat));
            }
            return;
        }
        if self.spec.rules.assignment != Assignment::PlayerChoice {
            for seat in Seat::all(self.seats) {
                s.tickets.transfer(s.tickets.at(Held(seat)), Held(seat), HeldOver(seat));
            }
            s.old_tracks = s.tracks;
        }
        if s.cards.deck.is_empty() {
            if self.seats == 2 {
                s.cards.show_hands();
            }
            s.old_hands = s.cards.hidden();
            s.old = OldCards::after_reshuffle(s.old_hands);
        }
        for seat in 0..self.seats {
            s.cards.deck += std::mem::take(&mut s.tracks[seat]) + std::mem::take(&mut s.yards[seat]).all();
        }
        s.cards.deck += std::mem::take(&mut s.cards.discard) + std::mem::take(&mut s.cards.market);
        // One card at a time from the starting seat, until they run out.
        let mut seat = s.first;
        for _ in 0..usize::from(self.spec.rules.second_round_hand) * self.seats {
            if s.cards.deck.is_empty() {
                break;
            }
            s.cards.draw_to_hand(seat, chance);
            seat = seat.next(self.seats);
        }
        self.refill(s, chance);
        s.idle_turns = 0;
        s.phase = Phase::Main;
        if s.cards.deck.is_empty() {
            s.final_turns = self.seats as u8;
        }
    }
}
