//! What one seat may know of a position (CG-22).
//!
//! An [`Observation`] looks at the whole state but hands out only what its seat may know, with what a perfect
//! memory adds: track stacks (every card of them was seen before), cards taken face up, tickets put back. Everything
//! that compares, prints or sends it goes through [`Facts`], which holds nothing else.

use serde::Serialize;

use crate::card::{CardKind, Cards};
use crate::card_game::action::{Action, Phase};
use crate::card_game::compile::CardGame;
use crate::card_game::state::{State, TicketPlace};
use crate::game::{Game, Seat, Turn};
use crate::id::TicketSet;
use crate::spec::TrackVisible;

/// A position as one seat may know it.
#[derive(Clone, Copy)]
pub struct Observation<'s> {
    pub(crate) game: &'s CardGame,
    pub(crate) state: &'s State,
    pub(crate) seat: Seat,
}

impl<'s> Observation<'s> {
    /// The rules and the tickets.
    pub fn game(&self) -> &'s CardGame {
        self.game
    }

    /// The seat that looks.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Who decides.
    pub fn turn(&self) -> Turn {
        self.game.turn(self.state)
    }

    /// The seat that has the first turn.
    pub fn first(&self) -> Seat {
        self.state.first
    }

    /// What is being decided.
    pub fn phase(&self) -> Phase {
        self.state.phase
    }

    /// The round, counted from 0 (CG-17).
    pub fn round(&self) -> u8 {
        self.state.round
    }

    /// Whether this seat is to decide.
    pub fn to_move(&self) -> bool {
        self.turn() == Turn::Of(self.seat)
    }

    /// The own hand.
    pub fn hand(&self) -> Cards {
        self.state.hands[self.seat.index()]
    }

    /// How many cards a seat holds.
    pub fn hand_size(&self, seat: Seat) -> u8 {
        self.state.hands[seat.index()].total()
    }

    /// The cards of a seat's hand that everybody has seen; of the own seat, what the others know.
    pub fn shown(&self, seat: Seat) -> Cards {
        self.state.shown[seat.index()]
    }

    /// The row of a colour in a seat's yard: its colour cards, and the locomotives on top of them.
    pub fn row(&self, seat: Seat, colour: CardKind) -> (u8, u8) {
        let yard = self.state.yards[seat.index()];
        (yard.cards.count(colour), yard.locomotives.count(colour))
    }

    /// The sizes of the rows in a seat's yard, by colour, locomotives counted as the colour.
    pub fn rows(&self, seat: Seat) -> Cards {
        self.state.yards[seat.index()].rows()
    }

    /// The track stack of a seat as a perfect memory knows it.
    pub fn track(&self, seat: Seat) -> Cards {
        self.state.tracks[seat.index()]
    }

    /// The track stack of a seat if this seat may look at it.
    pub fn open_track(&self, seat: Seat) -> Option<Cards> {
        let open = match self.game.spec.rules.track_visible {
            TrackVisible::None => matches!(self.state.phase, Phase::Completing(_) | Phase::Over(_)),
            TrackVisible::Owner => {
                seat == self.seat || matches!(self.state.phase, Phase::Completing(_) | Phase::Over(_))
            }
            TrackVisible::All => true,
        };
        open.then(|| self.track(seat))
    }

    /// The face-up cards.
    pub fn market(&self) -> Cards {
        self.state.market
    }

    /// The discard.
    pub fn discard(&self) -> Cards {
        self.state.discard
    }

    /// How many cards the deck has.
    pub fn deck_size(&self) -> u8 {
        self.state.deck.total()
    }

    /// Cards that this seat can't see: in the deck, or in other hands without having been shown.
    pub fn unseen(&self) -> Cards {
        let s = self.state;
        let others = Seat::all(self.game.seats).filter(|&seat| seat != self.seat);
        others.fold(s.deck, |unseen, seat| unseen + (s.hands[seat.index()] - s.shown[seat.index()]))
    }

    /// Hidden cards of all hands together that were kept from round 1: whatever is hidden and not in the deck is known when
    /// round 2 is dealt, though not who holds which (I-45). Of cards played since, the likelier origin is assumed.
    pub fn old_cards(&self) -> Cards {
        self.state.old_cards.cards()
    }

    /// The seat's own hidden cards that it kept from round 1.
    pub fn own_old_cards(&self) -> Cards {
        self.state.old_hands[self.seat.index()]
    }

    /// Number of a seat's hidden cards that are among [`Observation::old_cards`].
    pub fn old_in_hand(&self, seat: Seat) -> u8 {
        self.state.old_cards.count(seat.index())
    }

    /// The tickets held by this seat, without those it has chosen to complete.
    pub fn tickets(&self) -> TicketSet {
        self.state.held(self.seat)
    }

    /// The tickets that this seat has chosen to complete, while others are still choosing.
    pub fn chosen(&self) -> TicketSet {
        self.state.tickets_at(TicketPlace::Chosen(self.seat))
    }

    /// The tickets offered to this seat, if it is choosing.
    pub fn offered(&self) -> TicketSet {
        if self.to_move() { self.state.tickets_at(TicketPlace::Offered) } else { TicketSet::EMPTY }
    }

    /// The tickets that this seat has put under the deck and nobody has drawn from since; in the opening, those it
    /// returned.
    pub fn put_back(&self) -> TicketSet {
        self.state.tickets_at(TicketPlace::PutBack(self.seat))
    }

    /// The tickets that this seat returned in the opening: they were shuffled into the deck, and may have been drawn.
    pub fn returned(&self) -> TicketSet {
        self.state.returned(self.seat)
    }

    /// The tickets that this seat kept in the opening, completed or not.
    pub fn kept_first(&self) -> TicketSet {
        self.state.kept_first(self.seat)
    }

    /// The tickets that a seat has completed and shown (CG-16).
    pub fn completed(&self, seat: Seat) -> TicketSet {
        self.state.tickets_at(TicketPlace::Done(seat))
    }

    /// Points that a seat has for completed tickets.
    pub fn points(&self, seat: Seat) -> u16 {
        let done = self.completed(seat).into_iter();
        done.map(|ticket| u16::from(self.game.tickets[ticket.index()].points)).sum()
    }

    /// How many tickets a seat holds. While opening tickets are being chosen, the others' choices are secret,
    /// and none is told (CG-2).
    pub fn ticket_count(&self, seat: Seat) -> Option<u8> {
        let secret = self.state.phase == Phase::Opening && seat != self.seat;
        let held = || self.state.held(seat) | self.state.tickets_at(TicketPlace::Chosen(seat));
        (!secret).then(|| held().len() as u8)
    }

    /// The tickets that this seat has held since round 1, at the end of which they were not completed. Where seats choose what
    /// they complete this is not kept, and none are.
    pub fn old_tickets(&self) -> TicketSet {
        self.state.tickets_at(TicketPlace::HeldOver(self.seat))
    }

    /// Number of tickets that a seat has held since round 1, as [`Observation::old_tickets`].
    pub fn old_ticket_count(&self, seat: Seat) -> u8 {
        self.state.tickets_at(TicketPlace::HeldOver(seat)).len() as u8
    }

    /// The track stack that a seat completed tickets with at the end of round 1, as a perfect memory knows it. Where seats
    /// choose what they complete, and in round 1, it is empty.
    pub fn old_track(&self, seat: Seat) -> Cards {
        self.state.old_tracks[seat.index()]
    }

    /// How many tickets are offered to the seat that is choosing.
    pub fn offered_count(&self) -> u8 {
        self.state.offered()
    }

    /// How many tickets can be drawn. In the opening, how many are left is the same whatever was returned.
    pub fn ticket_deck_size(&self) -> usize {
        self.game.ticket_deck_len(self.state)
    }

    /// Turns left since the deck is empty, this one included; none before that (CG-12).
    pub fn last_turns(&self) -> Option<u8> {
        (self.state.last_turns > 0).then_some(self.state.last_turns)
    }

    /// Turns played.
    pub fn turns(&self) -> u16 {
        self.state.turns
    }

    /// Everything above as one value that can be compared, printed and sent.
    pub fn facts(&self) -> Facts {
        let s = self.state;
        let seats = Seat::all(self.game.seats);
        let opening = s.phase == Phase::Opening;
        Facts {
            seat: self.seat.0,
            first: s.first.0,
            to_move: match self.turn() {
                Turn::Of(seat) => Some(seat.0),
                Turn::Over => None,
            },
            phase: s.phase,
            round: s.round,
            hand: self.hand(),
            tickets: ids(self.tickets()),
            old_tickets: ids(self.old_tickets()),
            chosen: ids(self.chosen()),
            offered: ids(self.offered()),
            put_back: ids(self.put_back()),
            returned: ids(self.returned()),
            kept_first: ids(self.kept_first()),
            market: s.market,
            discard: s.discard,
            deck_size: self.deck_size(),
            old_cards: self.old_cards(),
            own_old_cards: self.own_old_cards(),
            ticket_deck_size: self.ticket_deck_size(),
            offered_count: s.offered(),
            bottom: s.bottom.batches().map(|batch| self.batch(batch)).collect(),
            last_turns: s.last_turns,
            turns: s.turns,
            idle_turns: s.idle_turns,
            seats: seats
                .map(|seat| SeatFacts {
                    hand_size: self.hand_size(seat),
                    shown: self.shown(seat),
                    old_in_hand: self.old_in_hand(seat),
                    row_cards: s.yards[seat.index()].cards,
                    row_locomotives: s.yards[seat.index()].locomotives,
                    track: self.track(seat),
                    old_track: self.old_track(seat),
                    open_track: self.open_track(seat),
                    ticket_count: self.ticket_count(seat),
                    old_ticket_count: self.old_ticket_count(seat),
                    opening_kept: (!opening || seat == self.seat).then(|| s.kept_first(seat).len()),
                    completed: ids(self.completed(seat)),
                    points: self.points(seat),
                })
                .collect(),
        }
    }

    fn batch(&self, batch: TicketSet) -> BatchFacts {
        let by = Seat::all(self.game.seats)
            .find(|&seat| batch.intersects(self.state.tickets_at(TicketPlace::PutBack(seat))));
        BatchFacts { size: batch.len(), by: by.map(|seat| seat.0), own: ids(batch & self.put_back()) }
    }
}

fn ids(tickets: TicketSet) -> Vec<u8> {
    tickets.into_iter().map(|ticket| ticket.0).collect()
}

/// All that an [`Observation`] tells, as plain data. Seats and tickets are indices from 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[expect(missing_docs, reason = "the fields are named like the methods of Observation")]
pub struct Facts {
    pub seat: u8,
    pub first: u8,
    pub to_move: Option<u8>,
    pub phase: Phase,
    pub round: u8,
    pub hand: Cards,
    pub tickets: Vec<u8>,
    pub old_tickets: Vec<u8>,
    pub chosen: Vec<u8>,
    pub offered: Vec<u8>,
    pub put_back: Vec<u8>,
    pub returned: Vec<u8>,
    pub kept_first: Vec<u8>,
    pub market: Cards,
    pub discard: Cards,
    pub deck_size: u8,
    pub old_cards: Cards,
    pub own_old_cards: Cards,
    pub ticket_deck_size: usize,
    pub offered_count: u8,
    pub bottom: Vec<BatchFacts>,
    pub last_turns: u8,
    pub turns: u16,
    pub idle_turns: u16,
    pub seats: Vec<SeatFacts>,
}

/// What is known of tickets that were put under the deck together.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct BatchFacts {
    /// How many.
    pub size: usize,
    /// Who put them there; none once another seat has drawn some of them.
    pub by: Option<u8>,
    /// Those that the observing seat put there itself.
    pub own: Vec<u8>,
}

/// What is known of a seat.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[expect(missing_docs, reason = "the fields are named like the methods of Observation")]
pub struct SeatFacts {
    pub hand_size: u8,
    pub shown: Cards,
    pub old_in_hand: u8,
    pub row_cards: Cards,
    pub row_locomotives: Cards,
    pub track: Cards,
    pub old_track: Cards,
    pub open_track: Option<Cards>,
    pub ticket_count: Option<u8>,
    pub old_ticket_count: u8,
    pub opening_kept: Option<usize>,
    pub completed: Vec<u8>,
    pub points: u16,
}

crate::facts::seen_through_facts!(Observation, CardGame, Action);
