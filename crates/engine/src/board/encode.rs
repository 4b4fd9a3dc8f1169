//! Views of board games as numbers.

use crate::board::action::{Action, Phase};
use crate::board::compile::BoardGame;
use crate::board::observe::Observation;
use crate::board::state::State;
use crate::board::uncertain::uncertain;
use crate::encode::{Block, Column, EncodedViews, Encoder, Layout, byte, mark, seats_from, write_cards};
use crate::game::{Game, Turn, View};
use crate::pieces::{CardKind, Cards, CityId, CitySet, RouteSet, Seat, TicketSet};
use crate::spec::MAX_OPENING_STEPS;

/// Encodes views of board games.
///
/// | block | rows | columns |
/// |---|---|---|
/// | `table` | 1 | the phase, and numbers that everybody sees |
/// | `cards` | hand, market, discard, unseen, old, laid, revealed, asked | one per card kind |
/// | `seats` | seats | trains, points, sizes of hands, cards shown, ... |
/// | `routes` | routes | one per owner, closed, open to the seat, being paid for |
/// | `tickets` | tickets | held, offered, put back, uncertain; in First Journey also who completed it |
/// | `cities` | cities, where there are stations or depots | one per owner of each |
/// | `derived-tickets` | tickets | of those held or offered: completed, possible, trains missing |
/// | `derived-routes` | routes | claimable now |
///
/// *unseen* are the cards that the seat can't see, *old* those among them that were hidden outside the deck
/// when it was last shuffled, *laid* and *revealed* belong to a claim that is being paid for, and *asked* is
/// the kind that substitute sets ask for.
#[derive(Clone, Debug)]
pub struct BoardEncoder {
    layout: Layout,
    hidden: Layout,
    blocks: BlockIndex,
    derived: bool,
}

/// The blocks of the layout, by name.
#[derive(Clone, Debug)]
struct BlockIndex {
    table: Block,
    cards: Block,
    seats: Block,
    routes: Block,
    tickets: Block,
    cities: Block,
    derived_tickets: Block,
    derived_routes: Block,
}

const PHASES: [&str; 12] = [
    "opening",
    "main",
    "first-card",
    "second-card",
    "sets",
    "tunnel",
    "tickets",
    "first-depot",
    "collect",
    "after-action",
    "window",
    "over",
];

/// The other columns of the block `table`, with their scales.
const TABLE: [(&str, u8); 9] = [
    ("to-move", 1),
    ("extra", 3),
    ("deck", 110),
    ("discard", 110),
    ("ticket-deck", 50),
    ("offered", 4),
    ("final-turns", 5),
    ("turns", 200),
    ("flush-guard", 1),
];

const CARD_ROWS: usize = 8;

impl EncodedViews for BoardGame {
    type Encoder = BoardEncoder;

    fn encoder(&self, derived: bool) -> BoardEncoder {
        BoardEncoder::new(self, derived)
    }
}

impl BoardEncoder {
    fn new(game: &BoardGame, derived: bool) -> Self {
        let rules = &game.rules;
        let by_seat = |what: &str| {
            let what = what.to_owned();
            (0..game.seats).map(move |place| Column::flag(format!("{what}-{place}")))
        };
        let kinds = |what: &str| {
            let what = what.to_owned();
            let name = move |kind: CardKind| format!("{what}{}", kind.name());
            CardKind::ALL.into_iter().map(move |kind| Column::new(name(kind), rules.deck.count(kind)))
        };
        let table = PHASES.iter().map(|phase| Column::flag(format!("phase-{phase}")));
        let table = table.chain(TABLE.iter().map(|&(name, scale)| Column::new(name, scale))).collect();
        let seats = [
            ("to-move", 1),
            ("first", 1),
            ("trains", rules.trains),
            ("points", 100),
            ("hand", 30),
            ("old-in-hand", 30),
            ("tickets-known", 1),
            ("tickets", 6),
            ("kept", 4),
            ("stations", rules.stations),
            ("warehouse", 20),
            ("depots-left", 5),
            ("completed", 6),
            ("bonus-tickets", 2),
        ];
        let seats = seats.map(|(name, scale)| Column::new(name, scale));
        let ticket = ["held", "offered", "put-back", "uncertain"].map(Column::flag);
        let completed = by_seat("completed").filter(|_| rules.journey.is_some());
        let sites = if rules.stations > 0 || rules.depots.is_some() { game.city_count() } else { 0 };
        let cities: Vec<&str> = game.city_ids().map(|city| game.city_name(city)).collect();
        let routes = game.routes.iter().map(|route| (route.ends, route.length, route.colour));
        let tickets = game.tickets.iter().map(|ticket| (ticket.ends, ticket.points));
        let things = (cities, routes.collect::<Vec<_>>(), tickets.collect::<Vec<_>>());
        let derived_rows = |rows: usize| if derived { rows } else { 0 };
        let layout = Layout::new(
            Self::VERSION,
            &things,
            vec![
                ("table", 1, table),
                ("cards", CARD_ROWS, kinds("").collect()),
                ("seats", game.seats, seats.into_iter().chain(kinds("shown-")).collect()),
                (
                    "routes",
                    game.routes.len(),
                    by_seat("owner").chain(["closed", "open", "pending"].map(Column::flag)).collect(),
                ),
                ("tickets", game.tickets.len(), ticket.into_iter().chain(completed).collect()),
                ("cities", sites, by_seat("station").chain(by_seat("depot")).collect()),
                (
                    "derived-tickets",
                    derived_rows(game.tickets.len()),
                    vec![
                        Column::flag("completed"),
                        Column::flag("possible"),
                        Column::new("missing", rules.trains),
                    ],
                ),
                ("derived-routes", derived_rows(game.routes.len()), vec![Column::flag("claimable")]),
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
        let block = |name| layout.block(name).expect("it was just made").clone();
        let blocks = BlockIndex {
            table: block("table"),
            cards: block("cards"),
            seats: block("seats"),
            routes: block("routes"),
            tickets: block("tickets"),
            cities: block("cities"),
            derived_tickets: block("derived-tickets"),
            derived_routes: block("derived-routes"),
        };
        Self { layout, hidden, blocks, derived }
    }

    fn table(&self, view: &Observation<'_>, out: &mut [u8]) {
        let start = self.blocks.table.start;
        let (phase, extra) = match view.phase() {
            Phase::Opening { step } => (0, step),
            Phase::Main => (1, 0),
            Phase::FirstCard => (2, 0),
            Phase::SecondCard => (3, 0),
            Phase::Sets { due, .. } => (4, due),
            Phase::Tunnel { extra } => (5, extra),
            Phase::Tickets => (6, 0),
            Phase::FirstDepot => (7, 0),
            Phase::Collect { owners } => (8, owners),
            Phase::AfterAction => (9, 0),
            Phase::Window { .. } => (10, 0),
            Phase::Over(_) => (11, 0),
        };
        out[start + phase] = 1;
        let numbers = [
            u8::from(view.to_move()),
            extra,
            view.deck_size(),
            view.discard().total(),
            byte(view.ticket_deck_size()),
            view.offered_count(),
            view.final_turns().unwrap_or(0),
            byte(view.turns()),
            u8::from(view.flush_guard()),
        ];
        out[start + PHASES.len()..][..TABLE.len()].copy_from_slice(&numbers);
    }

    fn cards(&self, view: &Observation<'_>, out: &mut [u8]) {
        let (laid, revealed) =
            view.pending().map_or((Cards::EMPTY, Cards::EMPTY), |(_, laid, revealed)| (laid, revealed));
        let asked = match view.phase() {
            Phase::Sets { kind, .. } => Cards::of(kind, 1),
            _ => Cards::EMPTY,
        };
        let old = view.old_cards();
        let rows = [view.hand(), view.market(), view.discard(), view.unseen(), old, laid, revealed, asked];
        for (row, cards) in rows.into_iter().enumerate() {
            write_cards(cards, &mut out[self.blocks.cards.at(row, 0)..]);
        }
    }

    fn seats(&self, view: &Observation<'_>, out: &mut [u8]) {
        for (place, seat) in seats_from(view.seat(), view.game().seats).enumerate() {
            let kept = (0..MAX_OPENING_STEPS).filter_map(|step| view.opening_kept(seat, step));
            let numbers = [
                u8::from(view.turn() == Turn::Of(seat)),
                u8::from(view.first() == seat),
                view.trains(seat),
                byte(view.points(seat)),
                view.hand_size(seat),
                view.old_in_hand(seat),
                u8::from(view.ticket_count(seat).is_some()),
                view.ticket_count(seat).unwrap_or(0),
                kept.sum(),
                byte(view.stations(seat).count()),
                view.warehouse_size(seat),
                view.depot_reserve(seat),
                byte(view.completed(seat).len()),
                view.bonus_tickets(seat),
            ];
            let row = &mut out[self.blocks.seats.at(place, 0)..];
            row[..numbers.len()].copy_from_slice(&numbers);
            write_cards(view.shown(seat), &mut row[numbers.len()..]);
        }
    }

    fn routes(&self, view: &Observation<'_>, out: &mut [u8]) {
        let block = &self.blocks.routes;
        let seats = view.game().seats;
        for (place, seat) in seats_from(view.seat(), view.game().seats).enumerate() {
            mark(view.routes(seat), block, place, out);
        }
        mark(view.state.closed_routes(), block, seats, out);
        mark(view.open_routes(view.seat()), block, seats + 1, out);
        if let Some((claim, ..)) = view.pending() {
            out[block.at(claim.route.index(), seats + 2)] = 1;
        }
    }

    fn tickets(&self, view: &Observation<'_>, out: &mut [u8]) {
        let block = &self.blocks.tickets;
        let unsure = uncertain(view.state, view.seat()).filter(|group| !group.is_certain());
        let unsure = unsure.fold(TicketSet::EMPTY, |all, group| all | group.tickets);
        let columns = [view.tickets(), view.offered(), view.put_back(), unsure];
        for (column, tickets) in columns.into_iter().enumerate() {
            mark(tickets, block, column, out);
        }
        if view.game().rules.journey.is_some() {
            for (place, seat) in seats_from(view.seat(), view.game().seats).enumerate() {
                mark(view.completed(seat), block, columns.len() + place, out);
            }
        }
    }

    fn cities(&self, view: &Observation<'_>, out: &mut [u8]) {
        let block = &self.blocks.cities;
        if block.rows == 0 {
            return;
        }
        for (place, seat) in seats_from(view.seat(), view.game().seats).enumerate() {
            mark(view.stations(seat), block, place, out);
            mark(view.depots(seat), block, view.game().seats + place, out);
        }
    }

    fn derived(&self, view: &Observation<'_>, out: &mut [u8]) {
        let block = &self.blocks.derived_tickets;
        let completed = view.connected();
        let (own, open) = (view.routes(view.seat()), view.open_routes(view.seat()));
        for ticket in view.tickets() | view.offered() {
            let [from, to] = view.game().ticket(ticket).ends;
            let missing = trains_missing(view.game(), own, open, view.trains(view.seat()), from, to);
            let row = block.at(ticket.index(), 0);
            out[row] = u8::from(completed.contains(ticket));
            out[row + 1] = u8::from(missing.is_some());
            out[row + 2] = missing.unwrap_or(0);
        }
        let block = &self.blocks.derived_routes;
        view.for_each_action(|action| {
            if let Action::Claim { route, .. } = action {
                out[block.at(route.index(), 0)] = 1;
            }
        });
    }
}

impl Encoder for BoardEncoder {
    type Game = BoardGame;

    const VERSION: u32 = 1;

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn encode(&self, view: &Observation<'_>, out: &mut [u8]) {
        assert_eq!(out.len(), self.layout.len(), "a vector of another length");
        out.fill(0);
        self.table(view, out);
        self.cards(view, out);
        self.seats(view, out);
        self.routes(view, out);
        self.tickets(view, out);
        self.cities(view, out);
        if self.derived {
            self.derived(view, out);
        }
    }

    fn hidden_layout(&self) -> &Layout {
        &self.hidden
    }

    fn encode_hidden(&self, game: &BoardGame, state: &State, seat: Seat, out: &mut [u8]) {
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

/// The fewest trains that join two cities, at most `trains`, over routes of a seat and open ones.
fn trains_missing(
    game: &BoardGame,
    own: RouteSet,
    open: RouteSet,
    trains: u8,
    from: CityId,
    to: CityId,
) -> Option<u8> {
    // The cities that each number of trains reaches, filled from 0 upwards; routes are at most as long as
    // a seat has trains.
    let mut reached = [CitySet::EMPTY; 256];
    let mut done = CitySet::EMPTY;
    reached[0].insert(from);
    for cost in 0..=trains {
        let mut todo = reached[usize::from(cost)] - done;
        while let Some(city) = todo.into_iter().next() {
            if city == to {
                return Some(cost);
            }
            done.insert(city);
            todo.remove(city);
            for route in game.at_city[city.index()] & (own | open) {
                let [a, b] = game.route(route).ends;
                let next = if a == city { b } else { a };
                if done.contains(next) {
                    continue;
                }
                if own.contains(route) {
                    todo.insert(next);
                } else {
                    let there = usize::from(cost) + usize::from(game.route(route).length);
                    if there <= usize::from(trains) {
                        reached[there].insert(next);
                    }
                }
            }
        }
    }
    None
}
