//! Numbered actions of board games.

use crate::action_space::{ActionFields, ActionSpace, IndexedActions, Numbering, Span};
use crate::board::action::{Action, Payment};
use crate::board::compile::BoardGame;
use crate::board::payment::Price;
use crate::codec;
use crate::pieces::{CardKind, Cards, CityId, RouteId, Seat};
use crate::spec::MAX_LENGTH;

/// All actions of a board game, numbered.
///
/// The order: choices of tickets, ways to take a card, claims by route, stations by city, substitute sets,
/// tunnels, tickets, swap, pass, and with depots: store, collect, place, done. Actions that the rules of
/// the map never allow have no index.
///
/// ```
/// use ttr_engine::{ActionSpace, IndexedActions, board::BoardGame, maps};
/// let usa = BoardGame::new(&maps::load("usa")?, 2)?.action_space();
/// let europe = BoardGame::new(&maps::load("europe")?, 5)?.action_space();
/// assert_eq!((usa.actions().len(), europe.actions().len()), (1_080, 2_421));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BoardActions {
    actions: Vec<Action>,
    hash: u64,
    keep: Span,
    blind: Span,
    face_up: Span,
    /// By route: the first claim, and the table of its payments.
    claims: Vec<(usize, PaymentTable)>,
    /// By city: the first station.
    stations: Vec<usize>,
    station_payments: PaymentTable,
    /// By card kind.
    sets: Vec<Span>,
    pay_tunnel: Span,
    decline_tunnel: Span,
    draw_tickets: Span,
    swap: Span,
    pass: Span,
    store: Span,
    collect: Span,
    depot: Span,
    done: Span,
}

impl IndexedActions for BoardGame {
    type Space = BoardActions;

    fn action_space(&self) -> BoardActions {
        BoardActions::new(self)
    }
}

impl BoardActions {
    fn new(game: &BoardGame) -> Self {
        let rules = &game.rules;
        let mut list = Numbering(Vec::new());
        let offers = game.opening.iter().map(|step| step.dealt()).chain([rules.ticket_draw]);
        let keep = list.add((0..=u8::MAX >> (8 - offers.max().unwrap_or(0))).map(Action::Keep));
        let blind = list.add([Action::TakeBlind]);
        let face_up =
            list.add(CardKind::ALL.into_iter().filter(|_| rules.market > 0).map(Action::TakeFaceUp));

        let claims = game.route_ids().map(|route| {
            let payments = payments(&game.price(route), rules.deck);
            let span = list.add(payments.iter().map(|&payment| Action::Claim { route, payment }));
            (span.start, PaymentTable::new(&payments))
        });
        let claims = claims.collect();

        let mut station_payments: Vec<Payment> = Vec::new();
        for length in 1..=rules.stations {
            for payment in payments(&Price::of_any_colour(length), rules.deck) {
                if !station_payments.contains(&payment) {
                    station_payments.push(payment);
                }
            }
        }
        let stations = game.city_ids().map(|city| {
            let payments = station_payments.iter();
            list.add(payments.map(|&payment| Action::BuildStation { city, payment })).start
        });
        let stations = stations.collect();

        let has_sets = game.route_ids().any(|route| game.price(route).most_sets > 0);
        let sets = CardKind::ALL.into_iter().filter(|_| has_sets).map(|kind| {
            list.add((0..=rules.deck.count(kind)).map(|count| Action::AddToSets { kind, count }))
        });
        let sets = sets.collect();

        let has_tunnels = rules.tunnel_reveal > 0 && game.routes.iter().any(|route| route.tunnel);
        let extra = (0..=rules.tunnel_reveal).filter(|_| has_tunnels);
        let pay_tunnel = list.add(extra.map(|locomotives| Action::PayTunnel { locomotives }));
        let decline_tunnel = list.add(has_tunnels.then_some(Action::DeclineTunnel));
        let draw_tickets = list.add((rules.ticket_draw > 0).then_some(Action::DrawTickets));
        let swap = list.add(rules.journey.is_some().then_some(Action::SwapTickets));
        let pass = list.add([Action::Pass]);

        let depots = rules.depots.is_some();
        let seats = || Seat::all(game.seats).filter(|_| depots);
        let store = list.add(seats().map(Action::Store));
        let collect = list.add(seats().map(Action::Collect));
        let depot = list.add(game.city_ids().filter(|_| depots).map(Action::PlaceDepot));
        let done = list.add(depots.then_some(Action::Done));

        let actions = list.0;
        Self {
            hash: hash(game, &actions),
            actions,
            keep,
            blind,
            face_up,
            claims,
            stations,
            station_payments: PaymentTable::new(&station_payments),
            sets,
            pay_tunnel,
            decline_tunnel,
            draw_tickets,
            swap,
            pass,
            store,
            collect,
            depot,
            done,
        }
    }

    fn claim_index(&self, route: RouteId, payment: Payment) -> Option<usize> {
        let (start, payments) = self.claims.get(route.index())?;
        Some(start + payments.index(payment)?)
    }

    fn station_index(&self, city: CityId, payment: Payment) -> Option<usize> {
        Some(self.stations.get(city.index())? + self.station_payments.index(payment)?)
    }
}

impl Action {
    /// The kind of the action, as [`ActionFields`] names it.
    pub(crate) fn kind(self) -> &'static str {
        BoardActions::fields(self).kind
    }
}

impl ActionSpace for BoardActions {
    type Action = Action;

    const VERSION: u32 = 1;

    fn actions(&self) -> &[Action] {
        &self.actions
    }

    #[inline]
    fn index(&self, action: Action) -> Option<usize> {
        match action {
            Action::Keep(choice) => self.keep.at(choice),
            Action::TakeBlind => self.blind.at(0_usize),
            Action::TakeFaceUp(kind) => self.face_up.at(kind.index()),
            Action::Claim { route, payment } => self.claim_index(route, payment),
            Action::BuildStation { city, payment } => self.station_index(city, payment),
            Action::AddToSets { kind, count } => self.sets.get(kind.index())?.at(count),
            Action::PayTunnel { locomotives } => self.pay_tunnel.at(locomotives),
            Action::DeclineTunnel => self.decline_tunnel.at(0_usize),
            Action::DrawTickets => self.draw_tickets.at(0_usize),
            Action::SwapTickets => self.swap.at(0_usize),
            Action::Pass => self.pass.at(0_usize),
            Action::Store(seat) => self.store.at(seat.index()),
            Action::Collect(seat) => self.collect.at(seat.index()),
            Action::PlaceDepot(city) => self.depot.at(city.index()),
            Action::Done => self.done.at(0_usize),
        }
    }

    fn hash(&self) -> u64 {
        self.hash
    }

    fn fields(action: Action) -> ActionFields {
        let paid = |kind, payment: Payment| ActionFields {
            locomotives: payment.locomotives,
            sets: payment.sets,
            ..ActionFields::new(kind).with_cards(payment.colour)
        };
        match action {
            Action::Keep(keep) => ActionFields { keep, ..ActionFields::new("keep") },
            Action::TakeBlind => ActionFields::new("take-blind"),
            Action::TakeFaceUp(kind) => ActionFields::new("take").with_cards([kind]),
            Action::Claim { route, payment } => ActionFields { route: Some(route), ..paid("claim", payment) },
            Action::BuildStation { city, payment } => {
                ActionFields { city: Some(city), ..paid("station", payment) }
            }
            Action::AddToSets { kind, count } => {
                ActionFields { count, ..ActionFields::new("sets").with_cards([kind]) }
            }
            Action::PayTunnel { locomotives } => {
                ActionFields { locomotives, ..ActionFields::new("pay-tunnel") }
            }
            Action::DeclineTunnel => ActionFields::new("decline-tunnel"),
            Action::DrawTickets => ActionFields::new("tickets"),
            Action::SwapTickets => ActionFields::new("swap"),
            Action::Pass => ActionFields::new("pass"),
            Action::Store(seat) => ActionFields { seat: Some(seat), ..ActionFields::new("store") },
            Action::Collect(seat) => ActionFields { seat: Some(seat), ..ActionFields::new("collect") },
            Action::PlaceDepot(city) => ActionFields { city: Some(city), ..ActionFields::new("depot") },
            Action::Done => ActionFields::new("done"),
        }
    }
}

/// The payments that some hand can make for a price: those that the whole deck can make.
fn payments(price: &Price, deck: Cards) -> Vec<Payment> {
    let mut payments = Vec::new();
    for sets in 0..=price.most_sets {
        for locomotives in 0..=price.length {
            let colours = CardKind::COLOURS.into_iter().map(Some).chain([None]);
            payments.extend(
                colours
                    .filter(|&colour| price.colour.is_none() || colour.is_none() || colour == price.colour)
                    .map(|colour| Payment { colour, locomotives, sets })
                    .filter(|&payment| price.allows(deck, payment)),
            );
        }
    }
    payments
}

/// The places of payments in a list, looked up by their parts.
#[derive(Clone, Debug)]
struct PaymentTable(Vec<u16>);

impl PaymentTable {
    const NONE: u16 = u16::MAX;

    fn new(payments: &[Payment]) -> Self {
        let mut table = Self(Vec::new());
        for (place, &payment) in payments.iter().enumerate() {
            let cell = Self::cell(payment);
            if table.0.len() <= cell {
                table.0.resize(cell + 1, Self::NONE);
            }
            table.0[cell] = place as u16;
        }
        table
    }

    fn cell(payment: Payment) -> usize {
        let colour = payment.colour.unwrap_or(CardKind::Locomotive).index();
        let lengths = usize::from(MAX_LENGTH) + 1;
        let row = usize::from(payment.sets) * lengths + usize::from(payment.locomotives);
        row * CardKind::ALL.len() + colour
    }

    #[inline]
    fn index(&self, payment: Payment) -> Option<usize> {
        let place = self.0.get(Self::cell(payment)).copied().filter(|&place| place != Self::NONE);
        place.map(usize::from)
    }
}

/// Identifies the list with the cities and routes that it refers to.
fn hash(game: &BoardGame, actions: &[Action]) -> u64 {
    let cities: Vec<&str> = game.city_ids().map(|city| game.city_name(city)).collect();
    let routes: Vec<_> =
        game.routes.iter().map(|route| (route.ends, route.length, route.colour, route.ferry)).collect();
    codec::checksum(&codec::encode(&(BoardActions::VERSION, cities, routes, actions)))
}
