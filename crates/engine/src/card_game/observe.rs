//! Observations: what one seat may know of a position (CG-22).
//!
//! An [`Observation`] refers to the whole state but exposes only what its seat may know, assuming
//! perfect memory: track stacks (all of their cards were once visible), cards taken face up, returned
//! tickets. Everything that compares, prints or sends an observation goes through [`Facts`], which holds
//! nothing else.

use crate::card_game::action::{Action, Phase};
use crate::card_game::compile::CardGame;
use crate::card_game::state::State;
use crate::game::{Game, Turn};
use crate::pieces::{CardKind, Cards, Seat, TicketPlace, TicketSet};
use crate::spec::TrackVisible;

/// A position as seen by one seat.
///
/// ```
/// use ttr_engine::{card_game::CardGame, maps, CardKind, Dice, Game, Seat};
/// let game = CardGame::new(&maps::card_game(), 2)?;
/// let state = game.deal(&mut Dice::from_seed(1));
/// let view = game.observe(&state, Seat::new(0));
/// assert_eq!((view.hand().total(), view.hand_size(Seat::new(1)), view.market().total()), (8, 8, 5));
/// assert_eq!(view.shown(Seat::new(1)).locomotives(), 1, "everybody gets a locomotive face up");
/// assert_eq!(view.row(Seat::new(1), CardKind::Red), (0, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Observation<'s> {
    pub(crate) game: &'s CardGame,
    pub(crate) state: &'s State,
    pub(crate) seat: Seat,
}

impl<'s> Observation<'s> {
    /// The round, counted from 0 (CG-17).
    pub fn round(&self) -> u8 {
        self.state.round
    }

    /// The row of a colour in a seat's yard: its colour cards, and the locomotives on top of them.
    pub fn row(&self, seat: Seat, colour: CardKind) -> (u8, u8) {
        let yard = self.state.yards[seat];
        (yard.cards.count(colour), yard.locomotives.count(colour))
    }

    /// The sizes of the rows in a seat's yard, by colour, locomotives counted as the colour.
    pub fn rows(&self, seat: Seat) -> Cards {
        self.state.yards[seat].rows()
    }

    /// The track stack of a seat, given perfect memory.
    pub fn track(&self, seat: Seat) -> Cards {
        self.state.tracks[seat]
    }

    /// The track stack of a seat, if the observing seat may look at it (A-43).
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

    /// Cards that this seat can't see: in the deck, or in other hands without having been shown.
    pub fn unseen(&self) -> Cards {
        self.state.cards.unseen_by(self.seat, self.game.seats)
    }

    /// Hidden cards of all hands together that were kept from round 1: when round 2 is dealt, the seat
    /// knows all hidden cards outside the deck, though not who holds which (I-45). For cards played
    /// since, the more likely origin is assumed.
    pub fn old_cards(&self) -> Cards {
        self.state.old.cards()
    }

    /// The seat's own hidden cards that it kept from round 1.
    pub fn own_old_cards(&self) -> Cards {
        self.state.old_hands[self.seat]
    }

    /// The tickets held by this seat, without those it has chosen to complete.
    pub fn tickets(&self) -> TicketSet {
        self.state.held(self.seat)
    }

    /// The tickets that this seat has chosen to complete, while others are still choosing (A-41).
    pub fn chosen(&self) -> TicketSet {
        self.state.tickets.at(TicketPlace::Chosen(self.seat))
    }

    /// The tickets that this seat has put under the deck and that nobody has drawn from since; in the
    /// opening, those it returned.
    pub fn put_back(&self) -> TicketSet {
        self.state.tickets.at(TicketPlace::PutBack(self.seat))
    }

    /// The tickets that this seat returned in the opening. They were shuffled into the deck and may have
    /// been drawn since.
    pub fn returned(&self) -> TicketSet {
        self.state.returned(self.seat)
    }

    /// The tickets that this seat kept in the opening, completed or not.
    pub fn kept_first(&self) -> TicketSet {
        self.state.kept_first(self.seat)
    }

    /// Number of opening tickets that a seat kept, or `None` while that is secret (CG-2).
    pub fn opening_kept(&self, seat: Seat) -> Option<usize> {
        let public = self.state.phase != Phase::Opening || seat == self.seat;
        public.then(|| self.state.kept_first(seat).len())
    }

    /// Points of a seat for completed tickets.
    pub fn points(&self, seat: Seat) -> u16 {
        let done = self.completed(seat).into_iter();
        done.map(|ticket| u16::from(self.game.tickets[ticket.index()].points)).sum()
    }

    /// Number of tickets that a seat holds, or `None` for other seats while opening tickets are being
    /// chosen, because the choice is secret (CG-2).
    pub fn ticket_count(&self, seat: Seat) -> Option<u8> {
        let secret = self.state.phase == Phase::Opening && seat != self.seat;
        let held = || self.state.held(seat) | self.state.tickets.at(TicketPlace::Chosen(seat));
        (!secret).then(|| held().len() as u8)
    }

    /// The tickets that this seat has held since round 1 and that were not completed at its end. Empty
    /// where seats choose which tickets they complete (A-41).
    pub fn old_tickets(&self) -> TicketSet {
        self.state.tickets.at(TicketPlace::HeldOver(self.seat))
    }

    /// Number of tickets that a seat has held since round 1, see [`Observation::old_tickets`].
    pub fn old_ticket_count(&self, seat: Seat) -> u8 {
        self.state.tickets.at(TicketPlace::HeldOver(seat)).len() as u8
    }

    /// The track stack with which a seat completed tickets at the end of round 1, given perfect memory.
    /// Empty in round 1, and where seats choose which tickets they complete.
    pub fn old_track(&self, seat: Seat) -> Cards {
        self.state.old_tracks[seat]
    }

    /// Number of tickets offered to the choosing seat.
    pub fn offered_count(&self) -> u8 {
        self.state.offered()
    }

    /// All of it as one value that can be compared and printed.
    pub fn facts(&self) -> Facts {
        let s = self.state;
        let seats = Seat::all(self.game.seats);
        Facts {
            seat: self.seat,
            first: s.first,
            to_move: match self.turn() {
                Turn::Of(seat) => Some(seat),
                Turn::Over => None,
            },
            phase: s.phase,
            round: s.round,
            hand: self.hand(),
            tickets: self.tickets(),
            old_tickets: self.old_tickets(),
            chosen: self.chosen(),
            offered: self.offered(),
            put_back: self.put_back(),
            returned: self.returned(),
            kept_first: self.kept_first(),
            market: s.cards.market,
            discard: s.cards.discard,
            deck_size: self.deck_size(),
            old_cards: self.old_cards(),
            own_old_cards: self.own_old_cards(),
            ticket_deck_size: self.ticket_deck_size(),
            offered_count: s.offered(),
            bottom: s.bottom.batches().map(|batch| self.batch(batch)).collect(),
            final_turns: s.final_turns,
            turns: s.turns,
            idle_turns: s.idle_turns,
            seats: seats
                .map(|seat| SeatFacts {
                    hand_size: self.hand_size(seat),
                    shown: self.shown(seat),
                    old_in_hand: self.old_in_hand(seat),
                    row_cards: s.yards[seat].cards,
                    row_locomotives: s.yards[seat].locomotives,
                    track: self.track(seat),
                    old_track: self.old_track(seat),
                    open_track: self.open_track(seat),
                    ticket_count: self.ticket_count(seat),
                    old_ticket_count: self.old_ticket_count(seat),
                    opening_kept: self.opening_kept(seat),
                    completed: self.completed(seat),
                    points: self.points(seat),
                })
                .collect(),
        }
    }

    fn batch(&self, batch: TicketSet) -> BatchFacts {
        let by = Seat::all(self.game.seats)
            .find(|&seat| batch.intersects(self.state.tickets.at(TicketPlace::PutBack(seat))));
        BatchFacts { size: batch.len(), by, own: batch & self.put_back() }
    }
}

/// Everything that an [`Observation`] shows, as plain data.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the fields are named like the methods of Observation")]
pub struct Facts {
    pub seat: Seat,
    pub first: Seat,
    pub to_move: Option<Seat>,
    pub phase: Phase,
    pub round: u8,
    pub hand: Cards,
    pub tickets: TicketSet,
    pub old_tickets: TicketSet,
    pub chosen: TicketSet,
    pub offered: TicketSet,
    pub put_back: TicketSet,
    pub returned: TicketSet,
    pub kept_first: TicketSet,
    pub market: Cards,
    pub discard: Cards,
    pub deck_size: u8,
    pub old_cards: Cards,
    pub own_old_cards: Cards,
    pub ticket_deck_size: usize,
    pub offered_count: u8,
    pub bottom: Vec<BatchFacts>,
    pub final_turns: u8,
    pub turns: u16,
    pub idle_turns: u16,
    pub seats: Vec<SeatFacts>,
}

/// Public knowledge of tickets that were put under the deck together.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BatchFacts {
    /// Number of tickets.
    pub size: usize,
    /// The seat that put them there, or `None` once another seat has drawn some of them.
    pub by: Option<Seat>,
    /// Those that the observing seat put there itself.
    pub own: TicketSet,
}

/// Knowledge about a seat.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
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
    pub completed: TicketSet,
    pub points: u16,
}

crate::facts::seen_through_facts!(Observation, CardGame, Action, Phase);
