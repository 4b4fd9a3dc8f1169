//! The best agent without search.
//!
//! It plans the network for its tickets (`plan`, over `roads`), keeps the plan until another seat
//! interferes with it, collects the cards that it lacks (`cards`), and each turn takes the action that
//! advances it most (`turns`). `weights` holds the weights of these decisions, `atlas` the tables of the
//! board.

mod atlas;
mod cards;
mod claims;
mod depots;
mod draws;
mod explain;
mod fill;
mod finale;
mod kin;
mod light;
mod plan;
mod roads;
mod stations;
mod tickets;
mod trail;
mod turns;
mod weights;

use std::sync::Arc;

use ttr_engine::board::{Action, BoardGame, Observation, Phase};
use ttr_engine::{Cards, Dice, RouteSet, Seat, TicketSet, View};

use crate::agent::{Agent, Explanation, Forfeit};
use crate::roster::AgentEntry;
use atlas::Atlas;
use cards::Needs;
use fill::FillTables;
use plan::{Means, Plan, Prices, Ways};
use roads::RouteCosts;
use trail::Trail;

pub use light::LightPlanner;
pub use weights::Weights;

pub(crate) const NAME: &str = "planner";

pub(crate) fn entry() -> AgentEntry {
    AgentEntry::new(NAME, "plans a network for its tickets, and follows it; no search")
        .with_params(Weights::PARAMS)
        .plays(|game: &BoardGame, params| {
            Planner::with_weights(game, Weights::for_game(game).with_settings(params.spec()))
        })
        .with_defaults(|game: &BoardGame, name| Some(Weights::for_game(game).get(name)?.to_string()))
}

/// Plans a network for its tickets, and decides by what advances the plan.
///
/// ```
/// use ttr_agents::{Agent, Planner, Weights};
/// use ttr_engine::{Dice, Game, Seat, Turn, board::BoardGame, maps};
/// let game = BoardGame::new(&maps::load("nordic")?, 2)?;
/// let careful = Weights { tunnel_slack: 3.0, ..Weights::for_game(&game) };
/// let mut planners = [Planner::new(&game), Planner::with_weights(&game, careful)];
/// let mut dice = Dice::from_seed(1);
/// let mut state = game.deal(&mut dice);
/// while let Turn::Of(seat) = game.turn(&state) {
///     let action = planners[seat.index()].choose(&game.observe(&state, seat), &mut dice)?;
///     game.play(&mut state, action, &mut dice)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Planner {
    atlas: Arc<Atlas>,
    weights: Weights,
    prices: Arc<Prices>,
    fill_tables: Arc<FillTables>,
    plan: Plan,
    /// Routes to claim beyond the tickets.
    fill: RouteSet,
    /// The tickets that the plan was made for, and when.
    planned_for: Option<(TicketSet, u16)>,
    trail: Trail,
    needs: Needs,
    needs_for: Option<(Cards, RouteSet, RouteSet)>,
}

impl Planner {
    /// Returns a planner for a game, with the game's default weights.
    pub fn new(game: &BoardGame) -> Self {
        Self::with_weights(game, Weights::for_game(game))
    }

    /// Returns a planner for a game.
    pub fn with_weights(game: &BoardGame, weights: Weights) -> Self {
        let atlas = Atlas::new(game);
        Self {
            prices: Arc::new(Prices::new(&atlas, &weights)),
            fill_tables: Arc::new(FillTables::new(&atlas, &weights)),
            atlas: Arc::new(atlas),
            weights,
            plan: Plan::default(),
            fill: RouteSet::EMPTY,
            planned_for: None,
            trail: Trail::default(),
            needs: Needs::default(),
            needs_for: None,
        }
    }

    /// The routes that it wants next: for its tickets, and beyond them.
    pub(crate) fn wanted_routes(&self) -> [RouteSet; 2] {
        [self.plan.routes, self.fill]
    }

    /// Copies the plan of another planner of the same game.
    pub(crate) fn remember(&mut self, other: &Self) {
        self.plan.clone_from(&other.plan);
        self.fill = other.fill;
        self.planned_for = other.planned_for;
        self.trail.clone_from(&other.trail);
        self.needs = other.needs;
        self.needs_for = other.needs_for;
    }

    /// The resources that the seat has for a plan.
    fn means(&self, view: &Observation<'_>) -> Means {
        Means {
            trains: view.trains(view.seat()),
            stations: plan::stations_left(&self.atlas, view),
            turns: self.turns_left(view),
            hand: view.hand(),
            per_ticket: self.per_ticket(view),
        }
    }

    /// The current cost of every route for the seat.
    fn price_routes(&self, view: &Observation<'_>) -> RouteCosts {
        plan::price_routes(&self.atlas, &self.weights, &self.prices, view)
    }

    /// Makes a new plan if tickets changed or another seat took one of its routes; otherwise removes the
    /// routes that were claimed.
    pub(crate) fn follow(&mut self, view: &Observation<'_>) {
        let seat = view.seat();
        let tickets = view.tickets();
        let own = view.routes(seat);
        let open = view.open_routes(seat);
        let means = self.means(view);
        let w = &self.weights;
        let kept = self.planned_for.is_some_and(|(planned, turn)| {
            // A search goes back in time: then the plan may belong to a future that did not happen.
            let Some(age) = view.turns().checked_sub(turn) else { return false };
            let age = f64::from(age) / self.atlas.seats as f64;
            let late = self.plan.turns(&self.atlas, w, means.hand) > means.turns + w.lateness;
            planned == tickets && age < if late { w.refresh.min(2.0) } else { w.refresh }
        });
        if kept && (self.plan.routes - own).is_subset(open) {
            if self.plan.routes.intersects(own) {
                self.plan.routes -= own;
                self.plan.trains = self.atlas.trains(self.plan.routes);
            }
        } else {
            let roads = self.price_routes(view);
            self.plan = Plan::make(&self.atlas, &self.weights, &mut Ways::new(&roads), tickets, means);
            if view.bonus_tickets(seat) == 0 {
                self.plan.add_bonus(&self.atlas, &self.weights, &roads, means.trains);
            }
            self.planned_for = Some((tickets, view.turns()));
        }
    }

    /// Updates the list of cards that the plan lacks.
    fn count_needs(&mut self, view: &Observation<'_>) {
        let key = (view.hand(), self.plan.routes, self.fill);
        if self.needs_for != Some(key) {
            let open = view.open_routes(view.seat());
            self.needs = Needs::new(&self.atlas, view.hand(), open, self.plan.routes, self.fill);
            self.needs_for = Some(key);
        }
    }

    /// Any legal action, where nothing better is known.
    fn any(view: &Observation<'_>) -> Action {
        view.nth_action(0).expect("the seat to move has an action")
    }

    fn decide(&mut self, view: &Observation<'_>) -> Action {
        match view.phase() {
            Phase::Opening { .. } | Phase::Tickets => self.keep_tickets(view),
            Phase::Main => self.take_turn(view),
            Phase::FirstCard => {
                self.catch_up(view);
                self.take_card(view, false)
            }
            Phase::SecondCard => {
                self.catch_up(view);
                self.take_card(view, true)
            }
            Phase::Tunnel { extra } => self.pay_tunnel(view, extra),
            Phase::Sets { kind, due } => {
                self.catch_up(view);
                self.add_to_sets(view, kind, due)
            }
            Phase::FirstDepot => self.place_first_depot(view),
            Phase::Collect { owners } => self.collect(view, owners),
            Phase::AfterAction | Phase::Window { .. } => Action::Done,
            Phase::Over(_) => Self::any(view),
        }
    }
}

impl Agent<BoardGame> for Planner {
    fn begin(&mut self, game: &BoardGame, _seat: Seat) {
        if self.atlas.key != Atlas::key(game) {
            self.atlas = Arc::new(Atlas::new(game));
            self.prices = Arc::new(Prices::new(&self.atlas, &self.weights));
            self.fill_tables = Arc::new(FillTables::new(&self.atlas, &self.weights));
        }
        self.plan = Plan::default();
        self.fill = RouteSet::EMPTY;
        self.planned_for = None;
        self.needs_for = None;
    }

    fn choose(&mut self, view: &Observation<'_>, _dice: &mut Dice) -> Result<Action, Forfeit> {
        Ok(self.decide(view))
    }

    fn explain(&self, view: &Observation<'_>) -> Explanation<Action> {
        self.explain_plan(view)
    }
}
