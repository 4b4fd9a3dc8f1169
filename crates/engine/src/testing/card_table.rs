//! Positions of the Card Game made to order.

use crate::card_game::{CardGame, Phase, State};
use crate::pieces::{CardKind, Cards, Seat, TicketId, TicketPlace, TicketSet};
use crate::testing::table::{Arrange, Parts, Table, sum};

impl Arrange for CardGame {
    fn empty_table(&self) -> State {
        let mut state = State::new(self.deck);
        state.tickets.put_all(self.all_tickets, TicketPlace::Deck);
        state
    }

    fn parts(state: &mut State) -> Parts<'_> {
        Parts::new(&mut state.cards, &mut state.seat)
    }

    fn deck_emptied(&self, state: &mut State) {
        state.final_turns = self.seats as u8;
    }

    fn put_ticket(state: &mut State, ticket: TicketId, to: TicketPlace) {
        state.tickets.put(ticket, to);
    }

    fn tickets_at(state: &State, place: TicketPlace) -> TicketSet {
        state.tickets.at(place)
    }

    fn held(state: &State, seat: Seat) -> TicketSet {
        state.held(seat)
    }

    fn bottom(state: &State) -> Vec<TicketSet> {
        state.bottom.batches().collect()
    }

    fn ticket_count(&self) -> usize {
        self.tickets.len()
    }

    fn ticket_name(&self, ticket: TicketId) -> String {
        self.ticket_name(ticket)
    }
}

/// Parts that only the Card Game has.
impl Table<'_, CardGame> {
    /// Gives a seat a row, with locomotives on top.
    pub fn row(&mut self, seat: u8, colour: CardKind, cards: u8, locomotives: u8) -> &mut Self {
        self.take(Cards::of(colour, cards) + Cards::of(CardKind::Locomotive, locomotives));
        let yard = &mut self.state.yards[Seat::new(seat.into())];
        yard.cards += Cards::of(colour, cards);
        yard.locomotives += Cards::of(colour, locomotives);
        self
    }

    /// Puts cards from the deck onto a seat's track stack.
    pub fn track(&mut self, seat: u8, cards: impl IntoIterator<Item = (CardKind, u8)>) -> &mut Self {
        let cards = self.take(sum(cards));
        self.state.tracks[Seat::new(seat.into())] += cards;
        self
    }

    /// Leaves this many turns until the end of the round.
    pub fn final_turns(&mut self, turns: u8) -> &mut Self {
        self.state.final_turns = turns;
        self
    }

    /// Makes it the second round.
    pub fn second_round(&mut self) -> &mut Self {
        self.state.round = 1;
        self
    }

    /// The track stack of a seat.
    pub fn track_of(&self, seat: u8) -> Cards {
        self.state.tracks[Seat::new(seat.into())]
    }

    /// The colour cards and locomotives of a row.
    pub fn row_of(&self, seat: u8, colour: CardKind) -> (u8, u8) {
        let yard = self.state.yards[Seat::new(seat.into())];
        (yard.cards.count(colour), yard.locomotives.count(colour))
    }

    /// The decision that is being made.
    pub fn phase(&self) -> Phase {
        self.state.phase
    }

    /// The round, counted from 0.
    pub fn round(&self) -> u8 {
        self.state.round
    }
}
