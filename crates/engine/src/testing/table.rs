//! Positions made to order, for tests of single rules.

use crate::board::BoardGame;
use crate::chance::{Chance, Event, Script};
use crate::game::IllegalAction;
use crate::pieces::{CardKind, Cards, Seat, Supply, TicketId, TicketPlace, TicketSet};
use crate::testing::Inspect;

/// A position at the start of a turn of seat 0, made to order.
///
/// It starts with all cards in the deck, empty hands, nothing on the board or in front of the seats, and no
/// tickets held. Whatever is placed comes out of the deck; [`Table::finish`] or the first action asserts
/// the invariants of the rules.
///
/// ```
/// use ttr_engine::testing::{Table, cards};
/// use ttr_engine::{board::BoardGame, card_game::CardGame, maps, CardKind::*};
/// let game = BoardGame::new(&maps::load("europe").unwrap(), 2).unwrap();
/// let mut table = Table::new(&game);
/// table.hand(0, [(Purple, 1)]).market([Red, Blue, Blue, White, Green]);
/// table.play("claim Brest-Pamplona in purple", []).unwrap_err(); // it has four spaces
/// table.play("claim Paris-Dieppe in purple", []).unwrap();
/// assert_eq!((table.owner("Dieppe-Paris"), table.seat()), (Some(0), 1));
/// table.play("take red", cards([White])).unwrap(); // the red card is replaced by a white one
///
/// let game = CardGame::new(&maps::card_game(), 2).unwrap();
/// let mut table = Table::new(&game);
/// table.hand(0, [(Blue, 3)]).market([Red, Red, White, White, Green]).row(1, Blue, 2, 0);
/// table.play("play 3 blue", []).unwrap(); // robs the train of seat 1
/// assert_eq!(table.row_of(1, Blue), (0, 0));
/// ```
#[derive(Clone, Debug)]
pub struct Table<'g, G: Inspect = BoardGame> {
    /// The game.
    pub game: &'g G,
    pub(super) state: G::State,
}

/// The parts of a state that the games share.
pub(crate) struct Parts<'s> {
    pub(super) deck: &'s mut Cards,
    pub(super) discard: &'s mut Cards,
    pub(super) market: &'s mut Cards,
    pub(super) hands: &'s mut [Cards],
    pub(super) shown: &'s mut [Cards],
    pub(super) seat: &'s mut Seat,
}

impl<'s> Parts<'s> {
    pub(super) fn new<const SEATS: usize>(cards: &'s mut Supply<SEATS>, seat: &'s mut Seat) -> Self {
        let Supply { deck, discard, market, hands, shown } = cards;
        Self { deck, discard, market, hands, shown, seat }
    }
}

/// A game that tables can be set for.
pub(crate) trait Arrange: Inspect {
    /// An empty table, seat 0 to move.
    fn empty_table(&self) -> Self::State;

    fn parts(state: &mut Self::State) -> Parts<'_>;

    /// Takes note of a deck that was left without cards.
    fn deck_emptied(&self, _: &mut Self::State) {}

    fn put_ticket(state: &mut Self::State, ticket: TicketId, to: TicketPlace);

    fn tickets_at(state: &Self::State, place: TicketPlace) -> TicketSet;

    /// The tickets in a seat's hand.
    fn held(state: &Self::State, seat: Seat) -> TicketSet;

    /// Batches of tickets under the deck, oldest first.
    fn bottom(state: &Self::State) -> Vec<TicketSet>;

    fn ticket_count(&self) -> usize;

    fn ticket_name(&self, ticket: TicketId) -> String;
}

#[expect(private_bounds, reason = "the parts of a state are nobody else's business")]
impl<'g, G: Arrange> Table<'g, G> {
    /// An empty table, seat 0 to move.
    pub fn new(game: &'g G) -> Self {
        Self { game, state: game.empty_table() }
    }

    /// The table after a deal with scripted events.
    pub fn deal(game: &'g G, events: impl IntoIterator<Item = Event>) -> Self {
        let mut script = Script::new(events);
        let state = game.deal(&mut script);
        script.assert_exhausted();
        Self { game, state }
    }

    /// The table at a position that was reached by play.
    pub fn at(game: &'g G, state: G::State) -> Self {
        Self { game, state }
    }

    /// The position as a seat may know it.
    pub fn seen_by(&self, seat: u8) -> G::Observation<'_> {
        self.game.observe(&self.state, Seat::new(seat.into()))
    }

    /// The position.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    fn parts(&mut self) -> Parts<'_> {
        G::parts(&mut self.state)
    }

    /// Takes cards out of the deck.
    pub(super) fn take(&mut self, cards: Cards) -> Cards {
        *self.parts().deck -= cards;
        cards
    }

    /// Leaves just these cards in the deck. Returns the rest.
    fn leave_in_deck(&mut self, cards: impl IntoIterator<Item = CardKind>) -> Cards {
        let deck = self.take(cards.into_iter().collect());
        std::mem::replace(self.parts().deck, deck)
    }

    /// Moves tickets, by name.
    pub(super) fn put_tickets<'n>(
        &mut self,
        names: impl IntoIterator<Item = &'n str>,
        to: TicketPlace,
    ) -> &mut Self {
        for name in names {
            let ticket = self.ticket(name);
            G::put_ticket(&mut self.state, ticket, to);
        }
        self
    }

    /// Gives cards from the deck to a seat.
    pub fn hand(&mut self, seat: u8, cards: impl IntoIterator<Item = (CardKind, u8)>) -> &mut Self {
        let cards = self.take(sum(cards));
        self.parts().hands[Seat::new(seat.into())] += cards;
        self
    }

    /// Marks cards of a seat's hand as seen by everybody.
    pub fn shown(&mut self, seat: u8, cards: impl IntoIterator<Item = (CardKind, u8)>) -> &mut Self {
        self.parts().shown[Seat::new(seat.into())] += sum(cards);
        self
    }

    /// Lays cards from the deck face up.
    pub fn market(&mut self, cards: impl IntoIterator<Item = CardKind>) -> &mut Self {
        let cards = self.take(cards.into_iter().collect());
        *self.parts().market += cards;
        self
    }

    /// Moves cards from the deck to the discard.
    pub fn discard(&mut self, cards: impl IntoIterator<Item = (CardKind, u8)>) -> &mut Self {
        let cards = self.take(sum(cards));
        *self.parts().discard += cards;
        self
    }

    /// Leaves just these cards in the deck; the rest goes to the discard. In the Card Game an empty deck
    /// starts the final turns.
    pub fn deck_rest_discarded(&mut self, cards: impl IntoIterator<Item = CardKind>) -> &mut Self {
        let rest = self.leave_in_deck(cards);
        *self.parts().discard += rest;
        if self.parts().deck.is_empty() {
            self.game.deck_emptied(&mut self.state);
        }
        self
    }

    /// Leaves just these cards in the deck and nothing in the discard; the rest goes to the hand of a seat.
    pub fn deck_rest_to(&mut self, seat: u8, cards: impl IntoIterator<Item = CardKind>) -> &mut Self {
        let rest = self.leave_in_deck(cards);
        self.parts().hands[Seat::new(seat.into())] += rest;
        self
    }

    /// Gives a seat tickets from the deck or the box, by name.
    pub fn tickets<'n>(&mut self, seat: u8, names: impl IntoIterator<Item = &'n str>) -> &mut Self {
        self.put_tickets(names, TicketPlace::Held(Seat::new(seat.into())))
    }

    /// Lets a seat have completed and shown tickets, by name (FJ-6, CG-16).
    pub fn completed<'n>(&mut self, seat: u8, names: impl IntoIterator<Item = &'n str>) -> &mut Self {
        self.put_tickets(names, TicketPlace::Done(Seat::new(seat.into())))
    }

    /// Removes tickets from the deck to the box, until just these are left, by name.
    pub fn ticket_deck<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) -> &mut Self {
        for ticket in G::tickets_at(&self.state, TicketPlace::Deck) {
            G::put_ticket(&mut self.state, ticket, TicketPlace::Box);
        }
        self.put_tickets(names, TicketPlace::Deck)
    }

    /// Makes it the turn of a seat.
    pub fn turn(&mut self, seat: u8) -> &mut Self {
        *self.parts().seat = Seat::new(seat.into());
        self
    }

    /// Plays an action given in notation, with exactly these random events.
    ///
    /// # Errors
    /// If it is not legal.
    pub fn play(
        &mut self,
        action: &str,
        events: impl IntoIterator<Item = Event>,
    ) -> Result<&mut Self, IllegalAction> {
        let parsed = self.game.parse_action(&self.state, action).unwrap_or_else(|why| panic!("{why}"));
        self.act(parsed, events)
    }

    /// Plays an action with exactly these random events.
    ///
    /// # Errors
    /// If it is not legal.
    pub fn act(
        &mut self,
        action: G::Action,
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
    ///
    /// # Panics
    /// If there is none.
    pub fn ticket(&self, name: &str) -> TicketId {
        let mut all = TicketSet::first(self.game.ticket_count()).into_iter();
        let found = all.find(|&ticket| self.game.ticket_name(ticket) == name);
        found.unwrap_or_else(|| panic!("there is no ticket {name}"))
    }

    /// The event that a ticket is drawn.
    pub fn draws(&self, name: &str) -> Event {
        Event::Ticket(self.ticket(name))
    }

    /// The hand of a seat.
    pub fn hand_of(&self, seat: u8) -> Cards {
        G::parts(&mut self.state.clone()).hands[Seat::new(seat.into())]
    }

    /// The tickets that a seat holds, by name.
    pub fn tickets_of(&self, seat: u8) -> Vec<String> {
        self.names(G::held(&self.state, Seat::new(seat.into())))
    }

    /// The tickets that a seat has completed and shown, by name.
    pub fn completed_by(&self, seat: u8) -> Vec<String> {
        self.names(G::tickets_at(&self.state, TicketPlace::Done(Seat::new(seat.into()))))
    }

    /// Tickets under the deck, oldest first, by name.
    pub fn bottom(&self) -> Vec<Vec<String>> {
        G::bottom(&self.state).into_iter().map(|batch| self.names(batch)).collect()
    }

    fn names(&self, tickets: TicketSet) -> Vec<String> {
        tickets.into_iter().map(|ticket| self.game.ticket_name(ticket)).collect()
    }

    /// Deck, discard and market.
    pub fn piles(&self) -> [Cards; 3] {
        let mut state = self.state.clone();
        let parts = G::parts(&mut state);
        [*parts.deck, *parts.discard, *parts.market]
    }

    /// Number of tickets that can be drawn.
    pub fn ticket_deck_size(&self) -> usize {
        let under = G::bottom(&self.state).iter().map(|batch| batch.len()).sum::<usize>();
        G::tickets_at(&self.state, TicketPlace::Deck).len() + under
    }

    /// The seat whose turn it is.
    pub fn seat(&self) -> u8 {
        G::parts(&mut self.state.clone()).seat.to_u8()
    }
}

/// Cards of each kind as a multiset.
pub(super) fn sum(cards: impl IntoIterator<Item = (CardKind, u8)>) -> Cards {
    cards.into_iter().fold(Cards::EMPTY, |all, (kind, count)| all + Cards::of(kind, count))
}

/// The events that these cards are drawn, in order.
pub fn cards(kinds: impl IntoIterator<Item = CardKind>) -> Vec<Event> {
    kinds.into_iter().map(Event::Card).collect()
}

/// A source of chance for steps that must not need any.
pub fn no_chance() -> impl Chance {
    Script::new([])
}
