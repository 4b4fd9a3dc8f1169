//! The planner for use inside a search: a plan of shortest paths, made once and repaired when it loses a
//! route.

use std::ops::ControlFlow;
use std::sync::Arc;

use ttr_engine::board::{Action, BoardGame, Observation, Payment, Phase};
use ttr_engine::{CardKind, Cards, CityId, Dice, RouteId, RouteSet, Seat, TicketSet, View};

use crate::agent::{Agent, Forfeit};
use crate::planner::atlas::{Atlas, LENGTHS, PricedRoute, ROUTES};
use crate::planner::roads::{CLOSED, RouteCosts};

/// Follows the shortest paths for its tickets. Weaker than [`crate::Planner`], but much faster, and its
/// memory has a fixed size: made for playouts inside a search.
///
/// ```
/// use ttr_agents::{Agent, LightPlanner};
/// use ttr_engine::{Dice, Game, Seat, Turn, board::BoardGame, maps};
/// let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let mut agents = [LightPlanner::new(&game), LightPlanner::new(&game)];
/// let mut dice = Dice::from_seed(1);
/// let mut state = game.deal(&mut dice);
/// for (seat, agent) in agents.iter_mut().enumerate() {
///     agent.begin(&game, Seat::new(seat));
/// }
/// while let Turn::Of(seat) = game.turn(&state) {
///     let action = agents[seat].choose(&game.observe(&state, seat), &mut dice)?;
///     game.play_unchecked(&mut state, action, &mut dice);
/// }
/// assert!(game.scores(&state).points.iter().any(|&points| points > 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LightPlanner {
    tables: Arc<LightTables>,
    /// Routes that the plan still lacks.
    wanted: RouteSet,
    /// Colours that they ask for, a bit each.
    colours: u8,
    /// The tickets for which it was made.
    planned_for: Option<TicketSet>,
    /// It can complete at least one ticket.
    pursues: bool,
}

/// Lookup tables of a board.
#[derive(Debug)]
struct LightTables {
    atlas: Atlas,
    /// Costs of routes, if they are open.
    costs: [u16; ROUTES],
    /// Routes that cards of a colour pay for, by length and colour.
    payable: [[RouteSet; 8]; LENGTHS],
    longest: usize,
    /// Routes on which locomotives count.
    wild: RouteSet,
}

impl LightTables {
    fn new(game: &BoardGame) -> Self {
        let atlas = Atlas::new(game);
        let mut tables = Self {
            costs: [CLOSED; ROUTES],
            payable: [[RouteSet::EMPTY; 8]; LENGTHS],
            longest: 0,
            wild: RouteSet::EMPTY,
            atlas,
        };
        for (index, track) in tables.atlas.routes.iter().enumerate() {
            let route = RouteId::new(index);
            let length = usize::from(track.length());
            tables.costs[index] = cost(track);
            tables.longest = tables.longest.max(length.min(LENGTHS - 1));
            if track.price.locomotives {
                tables.wild.insert(route);
            }
            if track.price.ferry > 0 || length >= LENGTHS {
                continue;
            }
            for colour in CardKind::COLOURS {
                if track.colour.is_none_or(|own| own == colour) {
                    tables.payable[length][colour.index()].insert(route);
                }
            }
        }
        tables
    }
}

/// Cost in trains and a turn, with a discount for points.
fn cost(track: &PricedRoute) -> u16 {
    let trains = 4 * u16::from(track.length());
    let special = 6 * u16::from(track.price.ferry) + if track.tunnel { 6 } else { 0 };
    (trains + 12 + special).saturating_sub(2 * u16::from(track.points)).max(u16::from(track.length()))
}

impl LightPlanner {
    /// Creates an agent for a game. Cloning it is cheap.
    pub fn new(game: &BoardGame) -> Self {
        Self {
            tables: Arc::new(LightTables::new(game)),
            wanted: RouteSet::EMPTY,
            colours: 0,
            planned_for: None,
            pursues: false,
        }
    }

    /// Keeps the plan up to date.
    #[inline]
    fn follow(&mut self, view: &Observation<'_>, open: RouteSet) {
        let seat = view.seat();
        let tickets = view.tickets();
        let own = view.routes(seat);
        let left = self.wanted - own;
        if self.planned_for == Some(tickets) && left.is_subset(open) {
            if left != self.wanted {
                self.want(left);
            }
            return;
        }
        let atlas = &self.tables.atlas;
        let mut roads = RouteCosts::closed();
        for route in open & RouteSet::first(atlas.routes.len()) {
            roads.cost[route.index()] = self.tables.costs[route.index()];
        }
        roads.pave(own);
        let mut wanted = RouteSet::EMPTY;
        let mut trains = view.trains(seat);
        self.pursues = false;
        for ticket in tickets {
            let [a, b] = atlas.errand(ticket).ends;
            let Some((cost, way)) = roads.way(atlas, 1 << a, 1 << b) else { continue };
            let needed = atlas.trains(way);
            if cost == 0 || needed > trains {
                continue;
            }
            trains -= needed;
            roads.pave(way);
            wanted |= way;
            self.pursues = true;
        }
        self.planned_for = Some(tickets);
        self.want(wanted);
    }

    fn want(&mut self, routes: RouteSet) {
        self.wanted = routes;
        self.colours = 0;
        for route in routes {
            if let Some(colour) = self.tables.atlas.priced(route).colour {
                self.colours |= 1 << colour.index();
            }
        }
    }

    fn take_turn(&mut self, view: &Observation<'_>) -> Action {
        let open = view.open_routes(view.seat());
        self.follow(view, open);
        let hand = view.hand();
        let last = view.final_turns().is_some();
        let rules = &self.tables.atlas.rules;
        let trains = view.trains(view.seat());
        let journey = rules.journey.is_some();
        let blind = view.deck_size() > 0 || !view.discard().is_empty();
        // Collect a large hand first: then routes can be claimed in a row, the best ones before others get
        // there.
        let least = Seat::all(self.tables.atlas.seats).map(|seat| view.trains(seat)).min().unwrap_or(0);
        if journey || last || !blind || hand.total() >= least {
            if !last {
                let mut best: Option<(u8, Action)> = None;
                for route in self.wanted {
                    let track = self.tables.atlas.priced(route);
                    if best.is_none_or(|(points, _)| track.points >= points)
                        && let Some(payment) = self.pay(hand, track)
                    {
                        best = Some((track.points, Action::Claim { route, payment }));
                    }
                }
                if let Some((_, action)) = best {
                    return action;
                }
            }
            let hurried = last || trains < 10;
            if !journey
                && (self.wanted.is_empty() || hurried)
                && let Some(claim) = self.longest(view, open, if hurried { 1 } else { 4 })
            {
                return claim;
            }
            if journey && !self.pursues && view.ticket_deck_size() > 0 {
                return Action::SwapTickets;
            }
        }
        if rules.depots && blind {
            return Action::Store(view.seat());
        }
        self.take_card(view, false)
    }

    /// The longest route that the hand can pay for, of at least `shortest` trains.
    fn longest(&self, view: &Observation<'_>, open: RouteSet, shortest: usize) -> Option<Action> {
        let tables = &*self.tables;
        let hand = view.hand();
        let locomotives = usize::from(hand.locomotives());
        for length in (shortest..=tables.longest).rev() {
            for (colour, held) in hand.colours() {
                let held = usize::from(held);
                if held + locomotives < length {
                    continue;
                }
                let mut routes = tables.payable[length][colour.index()] & open;
                if held < length {
                    routes &= tables.wild;
                }
                if let Some(route) = routes.lowest() {
                    let locomotives = length.saturating_sub(held) as u8;
                    let payment = Payment { colour: Some(colour), locomotives, sets: 0 };
                    return Some(Action::Claim { route, payment });
                }
            }
        }
        None
    }

    /// The payment with the fewest locomotives; grey routes are paid for in colours that are not wanted, if
    /// possible.
    #[inline]
    fn pay(&self, hand: Cards, track: &PricedRoute) -> Option<Payment> {
        let Some(colour) = track.colour else {
            let fits = |&(colour, held): &(CardKind, u8)| {
                let wanted = self.colours >> colour.index() & 1;
                (held.min(track.length()), 1 - wanted)
            };
            let (colour, _) = hand.colours().max_by_key(fits)?;
            return Self::pay_in(hand, track, colour);
        };
        Self::pay_in(hand, track, colour)
    }

    fn pay_in(hand: Cards, track: &PricedRoute, colour: CardKind) -> Option<Payment> {
        let price = track.price;
        let wild = price.ferry.max(price.length.saturating_sub(hand.count(colour)));
        let held = if price.locomotives { hand.locomotives() } else { 0 };
        let locomotives = wild.min(held);
        let sets = wild - locomotives;
        if sets > 0 {
            let spare = hand.total() - (price.length - sets).min(hand.total());
            if sets > price.most_sets || price.set_cards == 0 || spare < sets * price.set_cards {
                return None;
            }
        }
        Some(Payment { colour: (wild < price.length).then_some(colour), locomotives, sets })
    }

    /// A face-up card in a wanted colour, else a blind one.
    fn take_card(&self, view: &Observation<'_>, second: bool) -> Action {
        let hand = view.hand();
        let mut best: Option<(u8, CardKind)> = None;
        for (kind, _) in view.market().colours() {
            let wanted = self.colours >> kind.index() & 1 != 0;
            let rate = hand.count(kind) + if wanted { 4 } else { 0 };
            if (wanted || rate >= 3) && best.is_none_or(|(known, _)| rate > known) {
                best = Some((rate, kind));
            }
        }
        if let Some((_, kind)) = best {
            return Action::TakeFaceUp(kind);
        }
        if view.deck_size() > 0 || !view.discard().is_empty() {
            return Action::TakeBlind;
        }
        let wild = !second || !self.tables.atlas.rules.locomotive_ends_draw;
        if let Some((kind, _)) = view.market().colours().next() {
            return Action::TakeFaceUp(kind);
        }
        if wild && view.market().locomotives() > 0 {
            return Action::TakeFaceUp(CardKind::Locomotive);
        }
        view.nth_action(0).expect("the seat to move has an action")
    }

    /// Keeps the tickets that are worth most for the trains they need.
    fn keep_tickets(&self, view: &Observation<'_>) -> Action {
        let atlas = &self.tables.atlas;
        let mut worth = [0; 8];
        for (place, ticket) in worth.iter_mut().zip(view.offered()) {
            let errand = atlas.errand(ticket);
            let [a, b] = errand.ends.map(usize::from);
            let trains = i32::from(atlas.distance[a][b]);
            *place = 4 * i32::from(errand.points) - 5 * trains + 4;
        }
        let mut best: Option<(i32, Action)> = None;
        let _ = view.legal_actions(|action| {
            if let Action::Keep(choice) = action {
                let kept = (0..8).filter(|i| choice >> i & 1 != 0);
                let total: i32 = kept.map(|i| worth[i]).sum();
                if best.is_none_or(|(known, _)| total > known) {
                    best = Some((total, action));
                }
            }
            ControlFlow::<()>::Continue(())
        });
        best.map_or(Action::Keep(0), |(_, action)| action)
    }

    fn add_to_sets(hand: Cards, kind: CardKind, due: u8) -> Action {
        let later: u8 = CardKind::ALL[kind.index() + 1..].iter().map(|&kind| hand.count(kind)).sum();
        let (least, most) = (due.saturating_sub(later), due.min(hand.count(kind)));
        Action::AddToSets { kind, count: hand.count(kind).saturating_sub(2).clamp(least, most) }
    }

    /// A city at the end of a wanted route, if one is free.
    fn place_depot(&mut self, view: &Observation<'_>) -> Action {
        self.follow(view, view.open_routes(view.seat()));
        let mut free = (1_u64 << (self.tables.atlas.cities - 1) << 1).wrapping_sub(1);
        for seat in Seat::all(self.tables.atlas.seats) {
            for city in view.depots(seat).chain(view.stations(seat)) {
                free &= !(1 << city.index());
            }
        }
        let planned = self.tables.atlas.touched(self.wanted) & free;
        let city = if planned != 0 { planned } else { free };
        Action::PlaceDepot(CityId::new(city.trailing_zeros() as usize))
    }
}

impl Agent<BoardGame> for LightPlanner {
    fn begin(&mut self, game: &BoardGame, _seat: Seat) {
        if self.tables.atlas.key != Atlas::key(game) {
            self.tables = Arc::new(LightTables::new(game));
        }
        self.wanted = RouteSet::EMPTY;
        self.colours = 0;
        self.planned_for = None;
        self.pursues = false;
    }

    fn choose(&mut self, view: &Observation<'_>, _dice: &mut Dice) -> Result<Action, Forfeit> {
        Ok(match view.phase() {
            Phase::Main => self.take_turn(view),
            Phase::FirstCard | Phase::SecondCard => {
                // A playout may begin in the middle of a turn.
                self.follow(view, view.open_routes(view.seat()));
                self.take_card(view, view.phase() == Phase::SecondCard)
            }
            Phase::Opening { .. } | Phase::Tickets => self.keep_tickets(view),
            Phase::Tunnel { extra } => {
                let hand = view.hand();
                let colour = view.pending().and_then(|(claim, ..)| claim.payment.colour);
                let held = colour.map_or(0, |colour| hand.count(colour));
                let locomotives = extra.saturating_sub(held);
                match locomotives <= hand.locomotives() {
                    true => Action::PayTunnel { locomotives },
                    false => Action::DeclineTunnel,
                }
            }
            Phase::Sets { kind, due } => Self::add_to_sets(view.hand(), kind, due),
            Phase::FirstDepot => self.place_depot(view),
            Phase::Collect { owners } => {
                let rich = |seat: &Seat| owners >> seat.index() & 1 != 0 && view.warehouse_size(*seat) >= 4;
                match Seat::all(self.tables.atlas.seats).find(rich) {
                    Some(owner) if view.depot_reserve(view.seat()) > 0 => Action::Collect(owner),
                    _ => Action::Done,
                }
            }
            Phase::AfterAction | Phase::Window { .. } => Action::Done,
            Phase::Over(_) => Action::Done,
        })
    }
}
