//! Knowledge of the board games for a search.

use std::ops::ControlFlow;

use ttr_engine::board::{Action, BoardGame, Observation, Payment, State};
use ttr_engine::{BySeat, CardKind, Dice, Game, RouteId, RouteSet, Seat, TicketId, View};

use crate::agent::Agent;
use crate::board::Roads;
use crate::planner::Planner;
use crate::search::belief::Hints;
use crate::search::guide::{Guide, Prior, Proposal, distrust_all_but_first, shuffle};

/// Guides a search through a board game: unless replaced, a planner provides the first guess and the
/// rollouts.
///
/// ```
/// use ttr_agents::search::{BoardGuide, Budget, Search, Settings};
/// use ttr_agents::{Agent, GreedyClaims};
/// use ttr_engine::{Dice, Game, Seat, View, board::BoardGame, maps};
///
/// let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let settings = Settings { budget: Budget::Playouts(50), ..Settings::default() };
/// // `ismcts`, but with an agent of your own for what happens below the tree.
/// let guide = || BoardGuide::new(&game).with_rollout(|| GreedyClaims::new(&game));
/// let mut search = Search::new(settings, guide);
///
/// let mut dice = Dice::from_seed(1);
/// let state = game.deal(&mut dice);
/// search.begin(&game, Seat::new(0));
/// let view = game.observe(&state, Seat::new(0));
/// let action = search.choose(&view, &mut dice)?;
/// assert!(view.check(action).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BoardGuide {
    roads: Roads,
    /// By seat. They are the rollout policy, unless there is another.
    planners: Vec<Planner>,
    /// By seat, the state of the planners when playouts began in this world.
    at_start: Vec<Planner>,
    /// By seat, the rollout policies in place of the planners; empty if there are none.
    policies: Vec<Box<dyn Agent<BoardGame>>>,
    adviser: Adviser,
    /// Only one payment per route is considered.
    canonical: bool,
    /// Worlds are weighted by likelihood.
    believes: bool,
    hints: Hints,
    searching: Seat,
    spread: f32,
}

/// The source of the first guess.
enum Adviser {
    /// None: every action is equally likely.
    Nobody,
    /// The rollout policy.
    Rollout,
    /// At the decision itself the planner, which remembers its plan; inside the tree the rollout policy.
    Planner(Box<Planner>),
}

impl BoardGuide {
    /// Creates a guide with the planner of a game.
    pub fn new(game: &BoardGame) -> Self {
        Self::with_planner(game, &Planner::new(game))
    }

    /// Creates a guide with your own planner.
    pub fn with_planner(game: &BoardGame, planner: &Planner) -> Self {
        Self {
            roads: Roads::new(game),
            planners: vec![planner.clone(); game.seats()],
            at_start: vec![planner.clone(); game.seats()],
            policies: Vec::new(),
            adviser: Adviser::Planner(Box::new(planner.clone())),
            canonical: true,
            believes: false,
            hints: Hints::new(),
            searching: Seat::new(0),
            // Where tickets are counted instead of points, a lead of one is clear.
            spread: if game.spec().rules.journey.is_some() { 1.0 } else { 20.0 },
        }
    }

    /// Sets another rollout policy; `policy` makes one per seat. They begin a game for every playout.
    #[must_use]
    pub fn with_rollout<A: Agent<BoardGame> + 'static>(mut self, mut policy: impl FnMut() -> A) -> Self {
        let seats = self.planners.len();
        self.policies = (0..seats).map(|_| Box::new(policy()) as Box<dyn Agent<BoardGame>>).collect();
        self
    }

    /// Sets another source of priors.
    #[must_use]
    pub fn with_prior(mut self, prior: Prior) -> Self {
        self.adviser = match prior {
            Prior::Heuristic => Adviser::Planner(Box::new(self.planners[0].clone())),
            Prior::Rollout => Adviser::Rollout,
            Prior::Uniform => Adviser::Nobody,
        };
        self
    }

    /// Sets whether to consider every way to pay for a route, or only one of them.
    #[must_use]
    pub fn with_all_payments(mut self, all: bool) -> Self {
        self.canonical = !all;
        self
    }

    /// Sets whether to weight worlds by the others' claims, or to take them as they come. Settings with
    /// more than one guess per world need it.
    #[must_use]
    pub fn with_belief(mut self, believes: bool) -> Self {
        self.believes = believes;
        self
    }

    /// Lists the actions worth considering, a favourite first.
    fn list(&self, view: &Observation<'_>, favourite: Option<Action>, list: &mut Vec<Proposal<Action>>) {
        let planned = match &self.adviser {
            Adviser::Planner(planner) if view.seat() == self.searching => planner.wanted_routes(),
            _ => [RouteSet::EMPTY; 2],
        };
        let mut payments = Payments::new(favourite);
        let _ = view.legal_actions(|action| {
            if favourite == Some(action) {
                list.push(Proposal::open(action, FAVOURITE));
            } else if !self.canonical || payments.admit(view, action, list) {
                let prior = favourite.map_or(FAVOURITE, |favourite| weight(view, planned, action, favourite));
                list.push(Proposal::open(action, prior));
            }
            ControlFlow::<()>::Continue(())
        });
        list.sort_unstable_by(|a, b| b.prior.total_cmp(&a.prior));
        if view.seat() != self.searching {
            show_number_of_tickets(list);
        }
    }
}

impl Guide<BoardGame> for BoardGuide {
    fn begin(&mut self, game: &BoardGame, seat: Seat) {
        if let Adviser::Planner(planner) = &mut self.adviser {
            planner.begin(game, seat);
        }
    }

    fn advise(&mut self, view: &Observation<'_>, dice: &mut Dice, list: &mut Vec<Proposal<Action>>) {
        self.searching = view.seat();
        match &mut self.adviser {
            Adviser::Planner(planner) => {
                let favourite = planner.choose(view, dice).ok();
                self.list(view, favourite, list);
            }
            Adviser::Rollout => {
                for (seat, planner) in self.planners.iter_mut().enumerate() {
                    planner.begin(view.game(), Seat::new(seat));
                }
                for (seat, policy) in self.policies.iter_mut().enumerate() {
                    policy.begin(view.game(), Seat::new(seat));
                }
                let favourite = Some(self.act(view, dice));
                self.list(view, favourite, list);
            }
            Adviser::Nobody => {
                self.list(view, None, list);
                shuffle(list, dice);
            }
        }
    }

    fn adopt(&mut self, other: &Self) {
        if let (Adviser::Planner(planner), Adviser::Planner(known)) = (&mut self.adviser, &other.adviser) {
            planner.remember(known);
        }
    }

    fn prepare(&mut self, view: &Observation<'_>) {
        self.searching = view.seat();
        if self.believes {
            self.hints.look_at_routes(&self.roads, view);
        }
    }

    fn begin_world(&mut self, game: &BoardGame, world: &State) {
        if !self.policies.is_empty() {
            return; // the planner is not the rollout policy
        }
        for (seat, planner) in self.at_start.iter_mut().enumerate() {
            let seat = Seat::new(seat);
            match &self.adviser {
                Adviser::Planner(adviser) if seat == self.searching => planner.remember(adviser),
                _ => {
                    planner.begin(game, seat);
                    planner.follow(&game.observe(world, seat));
                }
            }
        }
    }

    fn begin_playout(&mut self, game: &BoardGame) {
        for (seat, policy) in self.policies.iter_mut().enumerate() {
            policy.begin(game, Seat::new(seat));
        }
        if self.policies.is_empty() {
            for (planner, at_start) in self.planners.iter_mut().zip(&self.at_start) {
                planner.remember(at_start);
            }
        }
    }

    fn propose(
        &mut self,
        view: &Observation<'_>,
        most: usize,
        dice: &mut Dice,
        list: &mut Vec<Proposal<Action>>,
    ) {
        if matches!(self.adviser, Adviser::Nobody) {
            return self.list(view, None, list);
        }
        let favourite = self.act(view, dice);
        if most == 1 {
            list.push(Proposal::open(favourite, FAVOURITE));
            if view.seat() != self.searching {
                show_number_of_tickets(list);
            }
            return;
        }
        self.list(view, Some(favourite), list);
        distrust_all_but_first(list);
    }

    fn act(&mut self, view: &Observation<'_>, dice: &mut Dice) -> Action {
        let seat = view.seat().index();
        let choice = match self.policies.get_mut(seat) {
            Some(policy) => policy.choose(view, dice),
            None => self.planners[seat].choose(view, dice),
        };
        choice.unwrap_or_else(|_| view.random_action(dice))
    }

    fn evaluate(&mut self, game: &BoardGame, world: &State) -> BySeat<f32> {
        expected_points(&self.roads, game, world)
    }

    fn spread(&self) -> f32 {
        self.spread
    }

    fn likelihood(&mut self, game: &BoardGame, world: &State) -> f32 {
        self.hints.of_board(game, world, self.searching)
    }
}

/// The prior of the first guess.
const FAVOURITE: f32 = 1.0;

/// The prior of an action when the favourite is a different one, relative to [`FAVOURITE`]. `planned` are
/// routes wanted for tickets, and for points.
fn weight(view: &Observation<'_>, planned: [RouteSet; 2], action: Action, favourite: Action) -> f32 {
    match (action, favourite) {
        (Action::Keep(choice), Action::Keep(favoured)) => {
            0.5f32.powi((choice ^ favoured).count_ones() as i32)
        }
        (Action::Claim { route, .. }, _) if planned[0].contains(route) => 0.3,
        (Action::Claim { route, .. }, _) if planned[1].contains(route) => 0.2,
        (Action::Claim { route, .. }, _) => {
            0.01 + 0.01 * f32::from(view.game().routes()[route.index()].points)
        }
        (Action::BuildStation { .. } | Action::PlaceDepot(_), _) => 0.02,
        _ => 0.2,
    }
}

/// The points that each seat can expect from its routes and tickets: points so far, tickets by how near
/// they are, and the cards in the hand, which will buy routes. Terms that are equal for all seats are
/// omitted.
fn expected_points(roads: &Roads, game: &BoardGame, world: &State) -> BySeat<f32> {
    let journey = game.spec().rules.journey.is_some();
    let station_points = game.spec().rules.stations.as_ref().map_or(0, |stations| stations.unbuilt_points);
    let length = |route: RouteId| u16::from(game.routes()[route.index()].length);
    let expected = |seat: Seat| {
        let view = game.observe(world, seat);
        let (own, open, trains) = (view.routes(seat), view.open_routes(seat), f32::from(view.trains(seat)));
        let chance = |ticket: TicketId| {
            let [a, b] = game.tickets()[ticket.index()].ends;
            let way = roads.from(a, own | open, |route| if own.contains(route) { 0 } else { length(route) });
            match way.cost(b).map(f32::from) {
                Some(0.0) => 1.0,
                Some(left) if left <= trains => 0.9 - 0.8 * left / trains,
                _ => 0.0,
            }
        };
        let tickets = view.tickets().into_iter();
        if journey {
            let done = view.completed(seat).len() as f32 + f32::from(view.bonus_tickets(seat));
            done + tickets.map(chance).sum::<f32>() / 2.0
        } else {
            let value = |ticket: TicketId| f32::from(game.tickets()[ticket.index()].points);
            let built = view.stations(seat).count() as f32;
            f32::from(view.points(seat))
                + f32::from(view.hand_size(seat))
                + tickets.map(|ticket| value(ticket) * (2.0 * chance(ticket) - 1.0)).sum::<f32>()
                - built * f32::from(station_points)
        }
    };
    Seat::all(game.seats()).map(expected).collect()
}

/// The tickets that others keep are secret; their number is not (CC-34).
fn show_number_of_tickets(list: &mut Vec<Proposal<Action>>) {
    let mut seen = 0u16;
    list.retain_mut(|proposal| match proposal.action {
        Action::Keep(choice) => {
            let number = choice.count_ones();
            proposal.seen_as = Action::Keep(((1u16 << number) - 1) as u8);
            let first = seen >> number & 1 == 0;
            seen |= 1 << number;
            first
        }
        _ => true,
    });
}

/// One way to pay for each route and station: with fewest sets, then with fewest locomotives, then in the
/// colour of which the hand has most. The payment of a favourite is kept.
struct Payments {
    favourite: Option<Action>,
    /// Routes on the list, and their positions.
    routes: RouteSet,
    places: [u16; RouteSet::CAPACITY],
    /// The payment of the first stations on the list, and the current payment of all of them.
    stations: Option<(Payment, Payment)>,
}

impl Payments {
    fn new(favourite: Option<Action>) -> Self {
        Self { favourite, routes: RouteSet::EMPTY, places: [0; RouteSet::CAPACITY], stations: None }
    }

    /// Returns `true` if an action is to be listed. If it is a better payment for something on the list, it
    /// replaces that.
    fn admit(&mut self, view: &Observation<'_>, action: Action, list: &mut [Proposal<Action>]) -> bool {
        let hand = view.hand();
        let cost = |payment: Payment| {
            let held = payment.colour.map_or(0, |colour: CardKind| hand.count(colour));
            (payment.sets, payment.locomotives, u8::MAX - held)
        };
        match (action, self.favourite) {
            (Action::Claim { route, .. }, Some(Action::Claim { route: favoured, .. }))
                if route == favoured =>
            {
                false
            }
            (Action::Claim { route, .. }, _) if !self.routes.contains(route) => {
                self.routes.insert(route);
                self.places[route.index()] = list.len() as u16;
                true
            }
            (Action::Claim { route, payment }, _) => {
                let known = &mut list[usize::from(self.places[route.index()])];
                if let Action::Claim { payment: known_payment, .. } = known.action
                    && cost(payment) < cost(known_payment)
                {
                    *known = Proposal::open(action, known.prior);
                }
                false
            }
            (Action::BuildStation { city, .. }, Some(Action::BuildStation { city: favoured, .. }))
                if city == favoured =>
            {
                false
            }
            // Stations are offered payment by payment, each for the same cities.
            (Action::BuildStation { payment, .. }, _) => {
                let (first, best) = *self.stations.get_or_insert((payment, payment));
                if cost(payment) < cost(best) {
                    self.stations = Some((first, payment));
                    for known in list {
                        if let Action::BuildStation { city, .. } = known.action
                            && self.favourite != Some(known.action)
                        {
                            *known = Proposal::open(Action::BuildStation { city, payment }, known.prior);
                        }
                    }
                }
                payment == first
            }
            _ => true,
        }
    }
}
