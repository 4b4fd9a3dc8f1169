//! What actions do: from one decision to the next.

use crate::card::{CardKind, Cards};
use crate::card_game::action::{Action, Ending, Phase};
use crate::card_game::compile::CardGame;
use crate::card_game::state::{State, TicketPlace};
use crate::chance::Chance;
use crate::game::Seat;
use crate::memory::OldCards;
use crate::spec::{Assignment, FirstSeat};

impl CardGame {
    /// Cards, market and the first opening tickets (CG-2).
    pub(crate) fn set_up(&self, chance: &mut impl Chance) -> State {
        let rules = &self.spec.rules;
        let mut s = State::new(self.deck);
        s.first = match rules.first_seat {
            FirstSeat::Random => chance.seat(self.seats),
            // A given seat beyond the table's size means the last one.
            FirstSeat::Seat(number) => Seat((number - 1).min(self.seats as u8 - 1)),
        };
        s.seat = s.first;
        let locomotives = Cards::of(CardKind::Locomotive, rules.opening_locomotives);
        for seat in 0..self.seats {
            s.deck -= locomotives;
            s.hands[seat] += locomotives;
            s.shown[seat] += locomotives;
        }
        for seat in 0..self.seats {
            for _ in 0..rules.opening_hand {
                s.hands[seat] += draw(&mut s.deck, chance);
            }
        }
        self.refill(&mut s, chance);
        s.move_tickets(self.all_tickets, TicketPlace::Deck);
        self.offer_opening(&mut s, chance);
        s
    }

    pub(crate) fn apply(&self, s: &mut State, action: Action, chance: &mut impl Chance) {
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
            Action::Complete(ticket) => return s.move_ticket(ticket, TicketPlace::Chosen(s.seat)),
            Action::StopCompleting => return self.stop_completing(s, chance),
            Action::Pass => false,
        };
        self.end_turn(s, progress, chance);
    }

    /// Fills the market as far as the deck goes (CC-11); the discard is never reshuffled (CG-6).
    #[inline]
    fn refill(&self, s: &mut State, chance: &mut impl Chance) {
        for _ in s.market.total()..self.spec.rules.market {
            if s.deck.is_empty() {
                break;
            }
            s.market += draw(&mut s.deck, chance);
        }
    }

    /// Takes a card of the market, or the top card of the deck if none is named; whether the turn is over then.
    #[inline(always)] // half of all actions do
    pub(crate) fn take_card(&self, s: &mut State, face_up: Option<Cards>, chance: &mut impl Chance) -> bool {
        let seat = s.seat.index();
        let card = match face_up {
            Some(card) => {
                s.market -= card;
                s.shown[seat] += card;
                // It was full as far as the deck went.
                if !s.deck.is_empty() {
                    s.market += draw(&mut s.deck, chance);
                }
                card
            }
            None => draw(&mut s.deck, chance),
        };
        s.hands[seat] += card;
        if s.phase == Phase::SecondCard || face_up == Some(Cards::of(CardKind::Locomotive, 1)) {
            return true; // CC-10
        }
        s.phase = Phase::SecondCard;
        s.deck.is_empty() && self.takeable(s).is_empty() // CC-9
    }

    /// Plays a row of one colour (CG-7).
    #[inline]
    pub(crate) fn play_row(&self, s: &mut State, colour: CardKind, cards: u8, locomotives: u8) {
        self.rob(s, colour);
        let cards = Cards::of(colour, cards);
        self.take_from_hand(s, cards + Cards::of(CardKind::Locomotive, locomotives));
        let yard = &mut s.yards[s.seat.index()];
        yard.cards += cards;
        yard.locomotives += Cards::of(colour, locomotives);
    }

    /// Plays three rows of one card each (CG-7).
    #[inline]
    pub(crate) fn play_three(&self, s: &mut State, colours: Cards) {
        self.take_from_hand(s, colours);
        s.yards[s.seat.index()].cards += colours;
    }

    /// Takes cards out of the hand of the seat to move; everybody sees them.
    #[inline]
    fn take_from_hand(&self, s: &mut State, cards: Cards) {
        let seat = s.seat.index();
        if s.old_cards.count(seat) > 0 || !s.old_hands[seat].is_empty() {
            self.show_old(s, cards);
        }
        s.hands[seat] -= cards;
        s.shown[seat] = s.shown[seat].saturating_sub(cards);
    }

    /// The seat to move is about to play cards, perhaps some that it kept from round 1. Of two alike it plays the one that the
    /// others assume.
    #[cold]
    fn show_old(&self, s: &mut State, cards: Cards) {
        let seat = s.seat.index();
        let hidden = s.hidden();
        let all = hidden.iter().fold(s.deck, |all, &cards| all + cards);
        let shown = cards.saturating_sub(s.shown[seat]);
        let assumed = s.old_cards.show(seat, shown, hidden[seat].total(), all);
        let fresh = (hidden[seat] - s.old_hands[seat]).intersection(shown.saturating_sub(assumed));
        s.old_hands[seat] = s.old_hands[seat].saturating_sub(shown - fresh);
    }

    /// Train robbing: whoever has a row of this colour discards it (CG-9).
    #[inline]
    fn rob(&self, s: &mut State, colour: CardKind) {
        for yard in &mut s.yards[..self.seats] {
            if yard.rows().count(colour) > 0 {
                s.discard += yard.take_row(colour);
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
        if s.last_turns > 0 {
            s.last_turns -= 1;
            if s.last_turns == 0 {
                return self.end_round(s, Ending::LastTurns, chance);
            }
        } else if s.deck.is_empty() {
            s.last_turns = self.seats as u8;
        }
        if !progress && self.idle_limit.is_some_and(|limit| s.idle_turns >= limit) {
            return self.end_round(s, Ending::NoProgress, chance);
        }
        self.start_turn(s);
    }

    /// From each row of the yard the top card goes to the track stack (CG-5).
    #[inline]
    fn start_turn(&self, s: &mut State) {
        let seat = s.seat.index();
        s.tracks[seat] += s.yards[seat].take_tops();
    }

    /// Completes tickets, or asks for them (CG-13 to CG-16). The seat after the last turn is to move.
    #[cold]
    fn end_round(&self, s: &mut State, ending: Ending, chance: &mut impl Chance) {
        s.last_turns = 0;
        s.first = s.seat;
        if self.spec.rules.assignment == Assignment::PlayerChoice {
            s.phase = Phase::Completing(ending);
            return;
        }
        let completed = self.completions(s, s.round + 1 == self.rounds);
        for seat in Seat::all(self.seats) {
            s.move_tickets(completed[seat.index()], TicketPlace::Done(seat));
        }
        self.after_round(s, ending, chance);
    }

    /// The next seat chooses the tickets it completes; after the last one all are shown.
    fn stop_completing(&self, s: &mut State, chance: &mut impl Chance) {
        let Phase::Completing(ending) = s.phase else { unreachable!("the action is legal") };
        s.seat = s.seat.next(self.seats);
        if s.seat == s.first {
            for seat in Seat::all(self.seats) {
                s.move_tickets(s.tickets_at(TicketPlace::Chosen(seat)), TicketPlace::Done(seat));
            }
            self.after_round(s, ending, chance);
        }
    }

    /// Whether tickets were completed at the end of the round before, for the seats and not by them: then what they still hold from
    /// that round, [`TicketPlace::HeldOver`], is what could not be completed.
    pub(crate) fn remembers_completion(&self, s: &State) -> bool {
        let over = matches!(s.phase, Phase::Over(_));
        s.round > 0 && !over && self.spec.rules.assignment != Assignment::PlayerChoice
    }

    /// The end of the game, or the next round (CG-17, CG-18).
    fn after_round(&self, s: &mut State, ending: Ending, chance: &mut impl Chance) {
        use TicketPlace::{Held, HeldOver};
        s.round += 1;
        if s.round == self.rounds {
            s.round -= 1;
            s.phase = Phase::Over(ending);
            for seat in Seat::all(self.seats) {
                s.transfer_tickets(s.tickets_at(HeldOver(seat)), HeldOver(seat), Held(seat));
            }
            return;
        }
        if self.spec.rules.assignment != Assignment::PlayerChoice {
            for seat in Seat::all(self.seats) {
                s.transfer_tickets(s.tickets_at(Held(seat)), Held(seat), HeldOver(seat));
            }
            s.old_tracks = s.tracks;
        }
        if s.deck.is_empty() {
            if self.seats == 2 {
                // Whatever a seat does not see is in the other's hand.
                s.shown = s.hands;
            }
            s.old_hands = s.hidden();
            s.old_cards = OldCards::after_reshuffle(s.old_hands);
        }
        for seat in 0..self.seats {
            s.deck += std::mem::take(&mut s.tracks[seat]) + std::mem::take(&mut s.yards[seat]).all();
        }
        s.deck += std::mem::take(&mut s.discard) + std::mem::take(&mut s.market);
        // One card at a time from the starting seat, as far as they go.
        let mut seat = s.first;
        for _ in 0..usize::from(self.spec.rules.second_round_hand) * self.seats {
            if s.deck.is_empty() {
                break;
            }
            s.hands[seat.index()] += draw(&mut s.deck, chance);
            seat = seat.next(self.seats);
        }
        self.refill(s, chance);
        s.idle_turns = 0;
        s.phase = Phase::Main;
        if s.deck.is_empty() {
            s.last_turns = self.seats as u8;
        }
    }
}

/// Draws the top card of a pile, which is not empty.
#[inline]
fn draw(pile: &mut Cards, chance: &mut impl Chance) -> Cards {
    let card = chance.one_card(*pile);
    *pile -= card;
    card
}
