//! A position as a seat sees it: typed, with everything given by name.
//!
//! Its only source is an observation of the engine, so it can contain nothing hidden; JSON, text and
//! pictures are made from this view only. A position with everything open has the same structure, combined
//! from the views of all seats.

mod board;
mod card_game;
mod words;

use serde::{Serialize, Serializer};
use ttr_engine::{Cards, Seat, TicketSet, Turn, board as boards, card_game as cards};

use crate::Show;

/// A position as one seat sees it, with the knowledge of a perfect memory, or with everything open. In
/// JSON, seats are counted from 0 and things are given by name; its text form is for people.
///
/// ```
/// use ttr_engine::{board::BoardGame, maps, Dice, Game, Seat};
/// use ttr_show::Show;
/// let game = BoardGame::new(&maps::load("europe")?, 2)?;
/// let state = game.deal(&mut Dice::from_seed(1));
/// let view = game.position(&state, Some(Seat::new(0)));
/// assert_eq!(view.own_of(Seat::new(0)).unwrap().hand.total(), 4);
/// assert!(view.own_of(Seat::new(1)).is_none());
/// assert!(game.position(&state, None).own_of(Seat::new(1)).is_some());
/// assert_eq!(serde_json::to_value(&view)?["seats"][1]["hand_size"], 4);
/// println!("{view}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct SeatView {
    /// The seat whose view this is; `None` if everything is open.
    pub seat: Option<Seat>,
    /// The seat with the first turn.
    pub first: Seat,
    /// The seat to decide; `None` when the game is over.
    pub to_move: Option<Seat>,
    /// The phase of the game: the kind of the next decision.
    pub phase: Phase,
    /// Turns played.
    pub turns: u16,
    /// Turns in a row without progress.
    pub idle_turns: u16,
    /// The face-up cards.
    pub market: Cards,
    /// The discard.
    pub discard: Cards,
    /// Number of cards in the deck.
    pub deck_size: u8,
    /// Hidden cards from before the last reshuffle, in all hands and warehouses together; in the Card Game,
    /// those that were kept from round 1.
    pub old_cards: Cards,
    /// Number of tickets that can be drawn.
    pub ticket_deck_size: usize,
    /// The tickets to choose from, if they may be seen.
    pub offered: Vec<Ticket>,
    /// Number of tickets that the seat to move chooses from.
    pub offered_count: u8,
    /// The tickets under the deck, oldest first.
    pub bottom: Vec<Batch>,
    /// The parts specific to the kind of game.
    #[serde(flatten)]
    pub table: TableView,
    /// The private knowledge of the view's seat.
    #[serde(flatten)]
    pub own: Option<OwnView>,
    /// Public knowledge of each seat.
    pub seats: Vec<SeatState>,
}

/// The phase of a game: the kind of the next decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Phase {
    /// On a board.
    Board(boards::Phase),
    /// In the Card Game.
    CardGame(cards::Phase),
}

/// A ticket. In JSON it is its name alone, as in the description of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Ticket {
    /// Its name.
    pub name: String,
    /// Its value.
    pub points: u8,
}

impl Serialize for Ticket {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name)
    }
}

/// Tickets that were put under the deck together.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Batch {
    /// Number of tickets.
    pub size: usize,
    /// The seats that put them there.
    pub by: PutBackBy,
    /// Those that the view's seat put there itself and knows to be there still; with everything open, those
    /// of all seats.
    pub own: Vec<Ticket>,
}

/// The seats that put tickets under the deck.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum PutBackBy {
    /// On a board: number of tickets by seat; zeros if that is no longer known.
    Counts(Vec<usize>),
    /// In the Card Game: the seat; `None` if that is no longer known.
    Seat(Option<Seat>),
}

/// The parts of a position that only one kind of game has.
// Exhaustive: whoever draws or prints every kind of game learns of another one from the compiler.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum TableView {
    /// A board.
    Board(BoardTable),
    /// The Card Game.
    CardGame(CardTable),
}

/// The open parts of a board game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct BoardTable {
    /// The route that is being paid for.
    pub pending: Option<String>,
    /// The cards laid down for it.
    pub laid: Cards,
    /// The cards turned up for a tunnel that is not settled yet.
    pub revealed: Cards,
    /// Turns left in the final round, this one included; 0 before it.
    pub final_turns: u8,
    /// Passes in a row.
    pub passes: u8,
    /// The market has too many locomotives, but was flushed as often as allowed.
    pub flush_capped: bool,
    /// Routes that nobody can claim any more because their twin was claimed.
    pub closed_routes: Vec<String>,
}

/// The open parts of the Card Game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct CardTable {
    /// The round, counted from 0.
    pub round: u8,
    /// Turns left after the deck ran out, this one included; 0 before that.
    pub last_turns: u8,
}

/// The private knowledge of a seat.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct OwnView {
    /// Its cards.
    pub hand: Cards,
    /// Its tickets.
    pub tickets: Vec<Ticket>,
    /// Tickets that it put back and knows to be there still.
    pub put_back: Vec<Ticket>,
    /// The parts specific to the kind of game.
    #[serde(flatten)]
    pub more: OwnMore,
}

/// The parts of a seat's knowledge that only one kind of game has.
// Exhaustive: whoever draws or prints every kind of game learns of another one from the compiler.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum OwnMore {
    /// On a board.
    Board(BoardOwn),
    /// In the Card Game.
    CardGame(CardOwn),
}

/// The private knowledge of a seat in a board game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct BoardOwn {
    /// Those of its tickets that would count as completed if the game ended now.
    pub connected: Vec<Ticket>,
    /// Tickets that it put under the deck and that others may have drawn since.
    pub uncertain: Vec<Uncertain>,
}

/// The private knowledge of a seat in the Card Game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct CardOwn {
    /// The tickets that it has chosen to complete, while others are choosing.
    pub chosen: Vec<Ticket>,
    /// The tickets that it returned in the opening.
    pub returned: Vec<Ticket>,
    /// The tickets that it kept in the opening.
    pub kept_first: Vec<Ticket>,
    /// Its hidden cards that it kept from round 1.
    pub own_old_cards: Cards,
    /// The tickets that it has held since round 1.
    pub old_tickets: Vec<Ticket>,
}

/// Tickets that a seat put under the deck together and that others may have drawn since.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Uncertain {
    /// The tickets that it has not seen since.
    pub tickets: Vec<Ticket>,
    /// The seats that may have some of them.
    pub seats: Vec<Seat>,
    /// Indices of the batches of [`SeatView::bottom`] that some of them may be in.
    pub batches: Vec<usize>,
}

/// The public knowledge of a seat.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct SeatState {
    /// Points for routes; in the Card Game, for completed tickets.
    pub points: u16,
    /// The public score: as `points`, but in First Journey the number of completed tickets.
    pub score: u16,
    /// Number of cards in its hand.
    pub hand_size: u8,
    /// Those of them that all seats have seen.
    pub shown: Cards,
    /// Number of its hidden cards that are among [`SeatView::old_cards`].
    pub old_in_hand: u8,
    /// Number of tickets that it holds; `None` while that is secret.
    pub ticket_count: Option<u8>,
    /// The tickets that it has completed and shown.
    pub completed: Vec<Ticket>,
    /// The parts specific to the kind of game.
    #[serde(flatten)]
    pub more: SeatMore,
    /// The seat's private knowledge, if everything is open.
    #[serde(flatten)]
    pub own: Option<OwnView>,
}

/// The parts of a seat that only one kind of game has.
// Exhaustive: whoever draws or prints every kind of game learns of another one from the compiler.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum SeatMore {
    /// On a board.
    Board(BoardSeat),
    /// In the Card Game.
    CardGame(CardSeat),
}

/// The public knowledge of a seat in a board game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct BoardSeat {
    /// Number of trains left.
    pub trains: u8,
    /// Its routes.
    pub routes: Vec<String>,
    /// The cities of its stations.
    pub stations: Vec<String>,
    /// The cities of its depots.
    pub depots: Vec<String>,
    /// Number of depots in reserve.
    pub depot_reserve: u8,
    /// Number of cards in its warehouse.
    pub warehouse_size: u8,
    /// Number of its stored cards that are among [`SeatView::old_cards`].
    pub old_in_warehouse: u8,
    /// Number of tickets that it has put back; `None` while that is secret.
    pub put_back_count: Option<usize>,
    /// Number of opening tickets that it kept, by step; without the steps in which that is secret.
    pub opening_kept: Vec<u8>,
    /// Bonus tickets that it has taken.
    pub bonus_tickets: u8,
    /// The game has depots and warehouses.
    #[serde(skip)]
    pub has_depots: bool,
}

/// The public knowledge of a seat in the Card Game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct CardSeat {
    /// The colour cards of its rows.
    pub row_cards: Cards,
    /// The locomotives on top of its rows, by the colour of the row.
    pub row_locomotives: Cards,
    /// Its track stack, as a perfect memory knows it.
    pub track: Cards,
    /// Its track stack of round 1.
    pub old_track: Cards,
    /// Its track stack, if the view's seat may look at it.
    pub open_track: Option<Cards>,
    /// Number of tickets that it has held since round 1.
    pub old_ticket_count: u8,
    /// Number of opening tickets that it kept; `None` while that is secret.
    pub opening_kept: Option<usize>,
}

/// The tickets of a set.
pub(crate) fn tickets<G: Show>(game: &G, tickets: TicketSet) -> Vec<Ticket> {
    tickets.into_iter().map(|ticket| game.ticket(ticket)).collect()
}

impl SeatView {
    /// A position with everything open: the combined knowledge of the seats.
    pub(crate) fn open<G: Show>(game: &G, state: &G::State) -> Self {
        let eyes = match game.turn(state) {
            Turn::Of(seat) => seat,
            Turn::Over => Seat::new(0),
        };
        let mut all = G::seat_view(&game.observe(state, eyes));
        (all.seat, all.own) = (None, None);
        for seat in Seat::all(game.seats()) {
            let Self { own, mut seats, bottom, .. } = G::seat_view(&game.observe(state, seat));
            let known = seats.swap_remove(seat.index());
            all.seats[seat.index()] = SeatState { own, ..known };
            for (batch, theirs) in all.bottom.iter_mut().zip(bottom) {
                let more: Vec<_> =
                    theirs.own.into_iter().filter(|ticket| !batch.own.contains(ticket)).collect();
                batch.own.extend(more);
            }
        }
        all
    }

    /// The private knowledge of this seat, if the view includes it.
    pub fn own_of(&self, seat: Seat) -> Option<&OwnView> {
        let own = if self.seat == Some(seat) { &self.own } else { &self.seats.get(seat.index())?.own };
        own.as_ref()
    }

    /// Returns `true` before the first turn: tickets are being chosen, or the first depots placed.
    pub fn is_setup(&self) -> bool {
        matches!(
            self.phase,
            Phase::Board(boards::Phase::Opening { .. } | boards::Phase::FirstDepot)
                | Phase::CardGame(cards::Phase::Opening)
        )
    }
}
