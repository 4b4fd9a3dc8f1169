//! Positions of the Card Game made to order, for tests of single rules.

use crate::card::{CardKind, Cards};
use crate::card_game::{Action, CardGame, Phase, State, TicketPlace};
use crate::chance::{Event, Script};
use crate::game::{Game, IllegalAction, Seat};
use crate::id::{TicketId, TicketSet};
use crate::notation::Notation;
use crate::testing::Inspect;

/// A position of the Card Game at the start of a turn of seat 0, made to order.
///
/// It starts with all cards in the deck, nothing in hands, yards and track stacks, and no tickets held. Whatever
/// is placed comes out of the deck; [`CardTable::finish`] or the first action asserts the invariants of the rules.
///
/// ```
/// use ttr_engine::testing::CardTable;
/// use ttr_engine::{card_game::CardGame, maps, CardKind::*};
/// let game = CardGame::new(&maps::card_game(), 2).unwrap();
/// let mut table = CardTable::new(&game);
/// table.hand(0, [(Blue, 3)]).market([Red, Red, White, White, Green]).row(1, Blue, 2, 0);
/// table.play("play 3 blue", []).unwrap(); // robs the train of seat 1
/// assert_eq!(table.row_of(1, Blue), (0, 0));
/// ```
#[derive(Clone, Debug)]
pub struct CardTable<'g> {
    /// The game.
    pub game: &'g CardGame,
    state: State,
}

impl<'g> CardTable<'g> {
    /// An empty table, seat 0 to move.
    pub fn new(game: &'g CardGame) -> Self {
        let mut state = State::new(game.deck);
        state.move_tickets(game.all_tickets, TicketPlace::Deck);
        Self { game, state }
    }

    /// The table after a deal with scripted events.
    pub fn deal(game: &'g CardGame, events: impl IntoIterator<Item = Event>) -> Self {
        let mut script = Script::new(events);
        let state = game.deal(&mut script);
        script.assert_exhausted();
        Self { game, state }
    }

    /// The position.
    pub fn state(&self) -> &State {
        &self.state
    }

    fn take(&mut self, cards: Cards) -> Cards {
        self.state.deck -= cards;
        cards
    }

    /// Gives cards from the deck to a seat.
    pub fn hand(&mut self, seat: u8, cards: impl IntoIterator<Item = (CardKind, u8)>) -> &mut Self {
        let cards = self.take(sum(cards));
        self.state.hands[usize::from(seat)] += cards;
        self
    }

    /// Lays cards from the deck face up.
    pub fn market(&mut self, cards: impl IntoIterator<Item = CardKind>) -> &mut Self {
        let cards = self.take(cards.into_iter().collect());
        self.state.market += cards;
        self
    }

    /// Gives a seat a row, with locomotives on top.
    pub fn row(&mut self, seat: u8, colour: CardKind, cards: u8, locomotives: u8) -> &mut Self {
        self.take(Cards::of(colour, cards) + Cards::of(CardKind::Locomotive, locomotives));
        let yard = &mut self.state.yards[usize::from(seat)];
        yard.cards += Cards::of(colour, cards);
        yard.locomotives += Cards::of(colour, locomotives);
        self
    }

    /// Puts cards from the deck onto a seat's track stack.
    pub fn track(&mut self, seat: u8, cards: impl IntoIterator<Item = (CardKind, u8)>) -> &mut Self {
        let cards = self.take(sum(cards));
        self.state.tracks[usize::from(seat)] += cards;
        self
    }

    /// Leaves just these cards in the deck; the rest goes to the discard. With none, the last turns begin.
    pub fn deck_rest_discarded(&mut self, cards: impl IntoIterator<Item = CardKind>) -> &mut Self {
        let deck = self.take(cards.into_iter().collect());
        self.state.discard += std::mem::replace(&mut self.state.deck, deck);
        if self.state.deck.is_empty() {
            self.state.last_turns = self.game.seats as u8;
        }
        self
    }

    /// Leaves so many turns until the end of the round.
    pub fn last_turns(&mut self, turns: u8) -> &mut Self {
        self.state.last_turns = turns;
        self
    }

    /// Gives a seat tickets from the deck, by name.
    pub fn tickets<'n>(&mut self, seat: u8, names: impl IntoIterator<Item = &'n str>) -> &mut Self {
        for name in names {
            let ticket = self.ticket(name);
            self.state.move_ticket(ticket, TicketPlace::Held(Seat(seat)));
        }
        self
    }

    /// Gives a seat completed tickets, by name.
    pub fn completed<'n>(&mut self, seat: u8, names: impl IntoIterator<Item = &'n str>) -> &mut Self {
        for name in names {
            let ticket = self.ticket(name);
            self.state.move_ticket(ticket, TicketPlace::Done(Seat(seat)));
        }
        self
    }

    /// Removes tickets from the deck to the box, until just these are left, by name.
    pub fn ticket_deck<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) -> &mut Self {
        self.state.move_tickets(self.state.tickets_at(TicketPlace::Deck), TicketPlace::Box);
        for name in names {
            let ticket = self.ticket(name);
            self.state.move_ticket(ticket, TicketPlace::Deck);
        }
        self
    }

    /// Makes it the turn of a seat.
    pub fn turn(&mut self, seat: u8) -> &mut Self {
        self.state.seat = Seat(seat);
        self
    }

    /// Makes it the second round.
    pub fn second_round(&mut self) -> &mut Self {
        self.state.round = 1;
        self
    }

    /// Plays an action given in notation, with exactly these random events; if it is refused, says why.
    pub fn play(
        &mut self,
        action: &str,
        events: impl IntoIterator<Item = Event>,
    ) -> Result<&mut Self, IllegalAction> {
        let parsed = self.game.parse_action(&self.state, action).unwrap_or_else(|why| panic!("{why}"));
        self.act(parsed, events)
    }

    /// Plays an action with exactly these random events.
    pub fn act(
        &mut self,
        action: Action,
        events: impl IntoIterator<Item = Event>,
    ) -> Result<&mut Self, IllegalAction> {
        self.finish();
        let listed = self.game.actions(&self.state).contains(&action);
        assert_eq!(
            listed,
            self.game.is_legal(&self.state, action),
            "{action:?} is listed or legal, not both"
        );
        let mut script = Script::new(events);
        self.game.play(&mut self.state, action, &mut script)?;
        script.assert_exhausted();
        self.finish();
        Ok(self)
    }

    /// Asserts that the position is sound.
    pub fn finish(&self) -> &Self {
        self.game.assert_invariants(&self.state);
        self
    }

    /// The legal actions in notation.
    pub fn actions(&self) -> Vec<String> {
        let actions = self.game.actions(&self.state);
        actions.into_iter().map(|action| self.game.write_action(&self.state, action)).collect()
    }

    /// The legal actions whose notation starts with a text.
    pub fn actions_like(&self, start: &str) -> Vec<String> {
        self.actions().into_iter().filter(|action| action.starts_with(start)).collect()
    }

    /// A ticket by its name.
    pub fn ticket(&self, name: &str) -> TicketId {
        self.game.parse_ticket(name).unwrap_or_else(|why| panic!("{why}"))
    }

    /// The event that a ticket is drawn.
    pub fn draws(&self, name: &str) -> Event {
        Event::Ticket(self.ticket(name))
    }

    /// What a seat holds.
    pub fn hand_of(&self, seat: u8) -> Cards {
        self.state.hands[usize::from(seat)]
    }

    /// The track stack of a seat.
    pub fn track_of(&self, seat: u8) -> Cards {
        self.state.tracks[usize::from(seat)]
    }

    /// The colour cards and locomotives of a row.
    pub fn row_of(&self, seat: u8, colour: CardKind) -> (u8, u8) {
        let yard = self.state.yards[usize::from(seat)];
        (yard.cards.count(colour), yard.locomotives.count(colour))
    }

    /// The tickets that a seat holds, by name.
    pub fn tickets_of(&self, seat: u8) -> Vec<String> {
        self.names(self.state.held(Seat(seat)))
    }

    /// The tickets that a seat has completed, by name.
    pub fn completed_by(&self, seat: u8) -> Vec<String> {
        self.names(self.state.tickets_at(TicketPlace::Done(Seat(seat))))
    }

    /// Tickets under the deck, oldest first, by name.
    pub fn bottom(&self) -> Vec<Vec<String>> {
        let names =
            |batch: TicketSet| batch.into_iter().map(|ticket| self.game.ticket_name(ticket)).collect();
        self.state.bottom.batches().map(names).collect()
    }

    fn names(&self, tickets: TicketSet) -> Vec<String> {
        tickets.into_iter().map(|ticket| self.game.ticket_name(ticket)).collect()
    }

    /// Deck, discard and market.
    pub fn piles(&self) -> [Cards; 3] {
        [self.state.deck, self.state.discard, self.state.market]
    }

    /// How many tickets can be drawn.
    pub fn ticket_deck_size(&self) -> usize {
        self.game.ticket_deck_len(&self.state)
    }

    /// What is being decided.
    pub fn phase(&self) -> Phase {
        self.state.phase
    }

    /// Whose turn it is.
    pub fn seat(&self) -> u8 {
        self.state.seat.0
    }

    /// The round, counted from 0.
    pub fn round(&self) -> u8 {
        self.state.round
    }
}

fn sum(cards: impl IntoIterator<Item = (CardKind, u8)>) -> Cards {
    cards.into_iter().fold(Cards::EMPTY, |all, (kind, count)| all + Cards::of(kind, count))
}
