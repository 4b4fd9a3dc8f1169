//! Views of the Card Game as numbers.

use crate::card_game::action::Phase;
use crate::card_game::compile::CardGame;
use crate::card_game::observe::Observation;
use crate::card_game::state::State;
use crate::encode::{Column, EncodedViews, Encoder, Layout, byte, mark, seats_from, write_cards};
use crate::game::{Game, Turn};
use crate::pieces::{CardKind, Seat};

/// Encodes views of the Card Game.
///
/// | block | rows | columns |
/// |---|---|---|
/// | `table` | 1 | the phase, and numbers that everybody sees |
/// | `cards` | hand, market, discard, unseen, old, own old | one per card kind |
/// | `seats` | seats | sizes of hands, points, tickets; cards shown; track stack |
/// | `rows` | seats | colour cards in each row of the yard, then locomotives on each |
/// | `tickets` | tickets | held, offered, put back, returned, held since round 1, chosen; completed by seat |
/// | `derived-tickets` | tickets | of those held or offered: circles that the track stack does not cover |
///
/// *unseen* are the cards that the seat can't see, *old* the hidden ones that all hands kept from round 1.
#[derive(Clone, Debug)]
pub struct CardGameEncoder {
    layout: Layout,
    hidden: Layout,
    derived: bool,
}

const PHASES: [&str; 6] = ["opening", "main", "second-card", "tickets", "completing", "over"];

/// The other columns of the block `table`, with their scales.
const TABLE: [(&str, u8); 8] = [
    ("to-move", 1),
    ("round", 1),
    ("deck", 110),
    ("discard", 110),
    ("ticket-deck", 46),
    ("offered", 6),
    ("final-turns", 4),
    ("turns", 200),
];

impl EncodedViews for CardGame {
    type Encoder = CardGameEncoder;

    fn encoder(&self, derived: bool) -> CardGameEncoder {
        CardGameEncoder::new(self, derived)
    }
}

impl CardGameEncoder {
    fn new(game: &CardGame, derived: bool) -> Self {
        let by_seat = |what: &str| {
            let what = what.to_owned();
            (0..game.seats).map(move |place| Column::flag(format!("{what}-{place}")))
        };
        let kinds = |what: &str| {
            let what = what.to_owned();
            let name = move |kind: CardKind| format!("{what}{}", kind.name());
            CardKind::ALL.into_iter().map(move |kind| Column::new(name(kind), game.deck.count(kind)))
        };
        let table = PHASES.iter().map(|phase| Column::flag(format!("phase-{phase}")));
        let table = table.chain(TABLE.iter().map(|&(name, scale)| Column::new(name, scale))).collect();
        let seats = [
            ("to-move", 1),
            ("first", 1),
            ("hand", 30),
            ("old-in-hand", 30),
            ("points", 100),
            ("tickets-known", 1),
            ("tickets", 10),
            ("old-tickets", 10),
            ("kept", 6),
        ];
        let seats = seats.map(|(name, scale)| Column::new(name, scale)).into_iter();
        let tickets = ["held", "offered", "put-back", "returned", "old", "chosen"].map(Column::flag);
        let things: Vec<_> = game.tickets.iter().map(|ticket| (&ticket.ends, ticket.points)).collect();
        let layout = Layout::new(
            Self::VERSION,
            &things,
            vec![
                ("table", 1, table),
                ("cards", 6, kinds("").collect()),
                (
                    "seats",
                    game.seats,
                    seats.chain(kinds("shown-")).chain(kinds("track-")).chain(kinds("old-track-")).collect(),
                ),
                ("rows", game.seats, kinds("cards-").chain(kinds("locomotives-on-")).collect()),
                ("tickets", game.tickets.len(), tickets.into_iter().chain(by_seat("completed")).collect()),
                (
                    "derived-tickets",
                    if derived { game.tickets.len() } else { 0 },
                    vec![Column::new("missing", 8)],
                ),
            ],
        );
        let hidden = Layout::new(
            Self::VERSION,
            &things,
            vec![
                ("hands", game.seats, kinds("").collect()),
                ("deck", 1, kinds("").collect()),
                ("tickets", game.tickets.len(), by_seat("held").chain(by_seat("offered")).collect()),
            ],
        );
        Self { layout, hidden, derived }
    }
}

impl Encoder for CardGameEncoder {
    type Game = CardGame;

    const VERSION: u32 = 1;

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn encode(&self, view: &Observation<'_>, out: &mut [u8]) {
        assert_eq!(out.len(), self.layout.len(), "a vector of another length");
        out.fill(0);
        let [table, cards, seats, rows, tickets, derived] = self.layout.blocks() else {
            unreachable!("it has six blocks")
        };
        write_table(view, &mut out[table.start..][..table.len()]);
        let piles = [
            view.hand(),
            view.market(),
            view.discard(),
            view.unseen(),
            view.old_cards(),
            view.own_old_cards(),
        ];
        for (row, pile) in piles.into_iter().enumerate() {
            write_cards(pile, &mut out[cards.at(row, 0)..]);
        }
        for (place, seat) in seats_from(view.seat(), view.game().seats).enumerate() {
            write_seat(view, seat, &mut out[seats.at(place, 0)..]);
            let yard = &mut out[rows.at(place, 0)..];
            for colour in CardKind::COLOURS {
                let (count, locomotives) = view.row(seat, colour);
                yard[colour.index()] = count;
                yard[CardKind::ALL.len() + colour.index()] = locomotives;
            }
        }
        let columns = [
            view.tickets(),
            view.offered(),
            view.put_back(),
            view.returned(),
            view.old_tickets(),
            view.chosen(),
        ];
        let completed = seats_from(view.seat(), view.game().seats).map(|seat| view.completed(seat));
        for (column, set) in columns.into_iter().chain(completed).enumerate() {
            mark(set, tickets, column, out);
        }
        if self.derived {
            let track = view.track(view.seat());
            for ticket in view.tickets() | view.offered() {
                let circles = view.game().tickets[ticket.index()].circles;
                out[derived.at(ticket.index(), 0)] = circles.saturating_sub(track).total();
            }
        }
    }

    fn hidden_layout(&self) -> &Layout {
        &self.hidden
    }

    fn encode_hidden(&self, game: &CardGame, state: &State, seat: Seat, out: &mut [u8]) {
        assert_eq!(out.len(), self.hidden.len(), "a vector of another length");
        out.fill(0);
        let [hands, deck, tickets] = self.hidden.blocks() else { unreachable!("it has three blocks") };
        write_cards(state.cards.deck, &mut out[deck.start..]);
        for (place, other) in seats_from(seat, game.seats).enumerate() {
            let view = game.observe(state, other);
            write_cards(view.hand(), &mut out[hands.at(place, 0)..]);
            mark(view.tickets(), tickets, place, out);
            mark(view.offered(), tickets, game.seats + place, out);
        }
    }
}

fn write_table(view: &Observation<'_>, out: &mut [u8]) {
    let phase = match view.phase() {
        Phase::Opening => 0,
        Phase::Main => 1,
        Phase::SecondCard => 2,
        Phase::Tickets => 3,
        Phase::Completing(_) => 4,
        Phase::Over(_) => 5,
    };
    out[phase] = 1;
    out[PHASES.len()..].copy_from_slice(&[
        u8::from(view.to_move()),
        view.round(),
        view.deck_size(),
        view.discard().total(),
        byte(view.ticket_deck_size()),
        view.offered_count(),
        view.final_turns().unwrap_or(0),
        byte(view.turns()),
    ]);
}

fn write_seat(view: &Observation<'_>, seat: Seat, out: &mut [u8]) {
    let numbers = [
        u8::from(view.turn() == Turn::Of(seat)),
        u8::from(view.first() == seat),
        view.hand_size(seat),
        view.old_in_hand(seat),
        byte(view.points(seat)),
        u8::from(view.ticket_count(seat).is_some()),
        view.ticket_count(seat).unwrap_or(0),
        view.old_ticket_count(seat),
        byte(view.opening_kept(seat).unwrap_or(0)),
    ];
    let kinds = CardKind::ALL.len();
    out[..numbers.len()].copy_from_slice(&numbers);
    write_cards(view.shown(seat), &mut out[numbers.len()..]);
    write_cards(view.track(seat), &mut out[numbers.len() + kinds..]);
    write_cards(view.old_track(seat), &mut out[numbers.len() + 2 * kinds..]);
}
