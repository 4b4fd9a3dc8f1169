//! Compilation of the game from its file form into the tables used during play.

use crate::game::WrongSeats;
use crate::pieces::{Cards, TicketId, TicketSet};
use crate::spec::{CardGameSpec, LastTurnDraw, MAX_CARD_GAME_SEATS};

/// The Card Game for a number of seats: immutable, shared by all threads.
///
/// ```
/// use ttr_engine::{card_game::CardGame, maps, Dice, Game, Turn};
/// let game = CardGame::new(&maps::card_game(), 3).unwrap();
/// let mut dice = Dice::from_seed(1);
/// let mut state = game.deal(&mut dice);
/// while let Turn::Of(_) = game.turn(&state) {
///     let action = game.random_action(&state, &mut dice);
///     game.play(&mut state, action, &mut dice).expect("it was offered");
/// }
/// assert_eq!(game.scores(&state).points.len(), 3);
/// ```
#[derive(Clone, Debug)]
pub struct CardGame {
    pub(crate) spec: CardGameSpec,
    pub(crate) seats: usize,
    pub(crate) deck: Cards,
    pub(crate) tickets: Vec<Ticket>,
    pub(crate) big_cities: Vec<BigCity>,
    pub(crate) all_tickets: TicketSet,
    /// Number of rounds to play (CG-17).
    pub(crate) rounds: u8,
    /// Number of turns without progress that ends a round; `None` for no limit (A-60).
    pub(crate) idle_limit: Option<u16>,
    /// `true` if the rest of the market may be taken when the deck is empty (A-61).
    pub(crate) draw_without_deck: bool,
    pub(crate) hash: u64,
}

/// A ticket.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Ticket {
    /// The names of the two cities.
    pub ends: [String; 2],
    /// Its value.
    pub points: u8,
    /// One card per circle.
    pub circles: Cards,
    /// Points of the bonus cards of its big cities (CG-15).
    pub city_points: u16,
    /// Its big cities, as bits.
    pub(crate) cities: u16,
}

/// A bonus card (CG-20).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BigCity {
    /// The city.
    pub name: String,
    /// Its points.
    pub points: u8,
    /// The tickets that name it.
    pub tickets: TicketSet,
}

impl CardGame {
    /// Compiles the game for a number of seats.
    ///
    /// # Errors
    /// If the game does not allow this number of seats.
    pub fn new(spec: &CardGameSpec, seats: usize) -> Result<Self, WrongSeats> {
        WrongSeats::check(&spec.id, spec.seats, MAX_CARD_GAME_SEATS, seats)?;
        let named = |city: &str| {
            let tickets = spec.tickets.iter().enumerate();
            let naming = tickets.filter(|(_, ticket)| ticket.from == city || ticket.to == city);
            naming.map(|(index, _)| TicketId::new(index)).collect::<TicketSet>()
        };
        let big_cities: Vec<_> = spec
            .big_cities
            .iter()
            .map(|city| BigCity { name: city.name.clone(), points: city.points, tickets: named(&city.name) })
            .collect();
        let cities_of = |index: usize| {
            let cities = big_cities.iter().enumerate();
            cities.filter(move |(_, city)| city.tickets.contains(TicketId::new(index)))
        };
        let tickets: Vec<_> = spec
            .tickets
            .iter()
            .enumerate()
            .map(|(index, ticket)| Ticket {
                ends: [ticket.from.clone(), ticket.to.clone()],
                points: ticket.points,
                circles: ticket.circles.iter().copied().collect(),
                city_points: cities_of(index).map(|(_, city)| u16::from(city.points)).sum(),
                cities: cities_of(index).map(|(bit, _)| 1 << bit).sum(),
            })
            .collect();
        let rules = &spec.rules;
        Ok(Self {
            seats,
            deck: Cards::from_counts(rules.deck.counts()),
            all_tickets: TicketSet::first(tickets.len()),
            tickets,
            big_cities,
            rounds: if seats >= rules.two_rounds_from.into() { 2 } else { 1 },
            idle_limit: (rules.no_progress_rounds > 0)
                .then(|| u16::from(rules.no_progress_rounds) * seats as u16),
            draw_without_deck: rules.last_turn_draw == LastTurnDraw::Market,
            hash: spec.hash(),
            spec: spec.clone(),
        })
    }

    /// The data that the game was compiled from.
    pub fn spec(&self) -> &CardGameSpec {
        &self.spec
    }

    /// A hash of the data and all rules, equal for all records of the same game.
    pub fn rules_hash(&self) -> u64 {
        self.hash
    }

    /// The tickets, by [`TicketId`], in the order of the file.
    pub fn tickets(&self) -> &[Ticket] {
        &self.tickets
    }

    /// A ticket.
    ///
    /// # Panics
    /// If the game has no such ticket.
    #[inline]
    pub fn ticket(&self, ticket: TicketId) -> &Ticket {
        &self.tickets[ticket.index()]
    }

    /// The ids of all tickets.
    pub fn ticket_ids(
        &self,
    ) -> impl DoubleEndedIterator<Item = TicketId> + ExactSizeIterator + Clone + use<> {
        (0..self.tickets.len()).map(TicketId::new)
    }

    /// The bonus cards.
    pub fn big_cities(&self) -> &[BigCity] {
        &self.big_cities
    }
}
