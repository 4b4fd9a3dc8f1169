//! What a search is told about the board games.

use std::ops::ControlFlow;

use ttr_engine::board::{Action, BoardGame, Observation, Payment, State};
use ttr_engine::{CardKind, Dice, Game, RouteSet, Seat, View};

use crate::agent::Agent;
use crate::board::Roads;
use crate::greedy::GreedyClaims;
use crate::planner::{LightPlanner, Planner};
use crate::random::Random;
use crate::search::belief::{Hints, expected_points};
use crate::search::guide::{BySeat, Guide, Proposal, distrust_all_but_first, shuffle};
use crate::search::{Search, settings};
use crate::spec::AgentSpec;

/// The search agents for a board game.
pub(crate) fn agent(game: &BoardGame, spec: &AgentSpec) -> Box<dyn Agent<BoardGame>> {
    let (light, planner) = (LightPlanner::new(game), Planner::new(game, &AgentSpec::new("planner")));
    let policy = || -> Option<Box<dyn Agent<BoardGame>>> {
        Some(match spec.word("rollout") {
            "random" => Box::new(Random),
            "greedy" => Box::new(GreedyClaims::new(game)),
            "light" => Box::new(light.clone()),
            _ => return None,
        })
    };
    let guide = || BoardGuide {
        roads: Roads::new(game),
        planners: vec![planner.clone(); game.seats()],
        at_start: vec![planner.clone(); game.seats()],
        policies: (0..game.seats()).filter_map(|_| policy()).collect(),
        adviser: match spec.word("prior") {
            "planner" => Adviser::Planner(Box::new(planner.clone())),
            "rollout" => Adviser::Rollout,
            _ => Adviser::Nobody,
        },
        canonical: spec.word("canonical") == "yes",
        believes: spec.number::<u32>("belief") > 1,
        hints: Hints::new(),
        searching: Seat(0),
        // Where tickets are counted instead of points, one of them is a clear lead.
        spread: if game.map().rules.journey.is_some() { 1.0 } else { 20.0 },
    };
    Box::new(Search::new(settings(spec), guide))
}

/// Guides a search through a board game: a policy plays on, and an adviser has the first guess.
struct BoardGuide {
    roads: Roads,
    /// By seat. They play on, unless others do.
    planners: Vec<Planner>,
    /// By seat, how the planners were when playouts began in this world.
    at_start: Vec<Planner>,
    /// By seat, who plays on instead of the planners; or nobody.
    policies: Vec<Box<dyn Agent<BoardGame>>>,
    adviser: Adviser,
    /// Whether only one payment for a route is considered.
    canonical: bool,
    /// Whether worlds are weighed.
    believes: bool,
    hints: Hints,
    searching: Seat,
    spread: f32,
}

/// Who has the first guess.
enum Adviser {
    /// Every action is alike.
    Nobody,
    /// Whoever plays on.
    Rollout,
    /// At the decision itself the planner, which remembers its plan; inside the tree whoever plays on.
    Planner(Box<Planner>),
}

impl BoardGuide {
    /// Lists what is worth a look, a favourite first.
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
                    planner.begin(view.game(), Seat(seat as u8));
                }
                for (seat, policy) in self.policies.iter_mut().enumerate() {
                    policy.begin(view.game(), Seat(seat as u8));
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
            return; // no planner plays on
        }
        for (seat, planner) in self.at_start.iter_mut().enumerate() {
            let seat = Seat(seat as u8);
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
            policy.begin(game, Seat(seat as u8));
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

    fn evaluate(&mut self, game: &BoardGame, world: &State) -> BySeat {
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

/// How likely an action is to be right when the favourite is another one, next to [`FAVOURITE`]. `planned` are routes
/// that are wanted for tickets, and for points.
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

/// What others keep of the tickets offered to them is secret; how many is not (CC-34).
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

/// One way to pay for each route and station: with fewest sets, then with fewest locomotives, then in the colour of which
/// the hand has most. How a favourite pays is not put in question.
struct Payments {
    favourite: Option<Action>,
    /// Routes that are on the list, and where.
    routes: RouteSet,
    places: [u16; RouteSet::CAPACITY],
    /// How the first stations on the list were to be paid for, and how all of them are now.
    stations: Option<(Payment, Payment)>,
}

impl Payments {
    fn new(favourite: Option<Action>) -> Self {
        Self { favourite, routes: RouteSet::EMPTY, places: [0; RouteSet::CAPACITY], stations: None }
    }

    /// Whether an action is to be listed. If it pays better for something on the list, it takes that place.
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
                if let Action::Claim { payment: dearer, .. } = known.action
                    && cost(payment) < cost(dearer)
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
