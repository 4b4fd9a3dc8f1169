//! What a search is told about the board games.

use std::ops::ControlFlow;

use ttr_engine::board::{Action, BoardGame, Observation, Payment, State};
use ttr_engine::{CardKind, Dice, Game, Notation, RouteSet, Seat, View};

use crate::agent::Agent;
use crate::greedy::GreedyClaims;
use crate::planner::{LightPlanner, Planner};
use crate::random::Random;
use crate::search::guide::{BySeat, Guide, Proposal};
use crate::search::{Search, settings};
use crate::spec::AgentSpec;

/// The search agents for a board game.
pub(crate) fn agent(game: &BoardGame, spec: &AgentSpec) -> Box<dyn Agent<BoardGame>> {
    let light = LightPlanner::new(game);
    let planner = Planner::new(game, &AgentSpec::new("planner"));
    let policy = || -> Box<dyn Agent<BoardGame>> {
        match spec.word("rollout") {
            "greedy" => Box::new(GreedyClaims::new(game)),
            "light" => Box::new(light.clone()),
            "planner" => Box::new(planner.clone()),
            _ => Box::new(Random),
        }
    };
    let adviser = match spec.word("prior") {
        "planner" => Adviser::Planner(planner.clone()),
        "rollout" => Adviser::Policy,
        _ => Adviser::Nobody,
    };
    let canonical = spec.word("canonical") == "yes";
    let careful = if spec.given("careful").is_some() { spec.number("careful") } else { 0 };
    let guide = || BoardGuide {
        careful,
        planners: vec![planner.clone(); game.seats()],
        ..BoardGuide::new(game, policy, adviser.clone(), canonical)
    };
    Box::new(Search::new(settings(spec), guide))
}

/// Who has the first guess.
#[derive(Clone)]
pub enum Adviser {
    /// Every action is alike.
    Nobody,
    /// The policy that plays on.
    Policy,
    /// The planner at the decision itself, the policy inside the tree.
    Planner(Planner),
}

/// Guides a search through a board game: a policy plays on and has the first guess.
pub struct BoardGuide {
    /// By seat.
    policies: Vec<Box<dyn Agent<BoardGame>>>,
    /// By seat; they decide first.
    planners: Vec<Planner>,
    /// How many decisions of a playout they take.
    careful: u32,
    /// How many of them are left.
    careful_left: u32,
    adviser: Adviser,
    /// Whether only one payment for a route is considered.
    canonical: bool,
    searching: Seat,
    spread: f32,
}

impl BoardGuide {
    /// A guide with a policy for every seat.
    pub fn new(
        game: &BoardGame,
        mut policy: impl FnMut() -> Box<dyn Agent<BoardGame>>,
        adviser: Adviser,
        canonical: bool,
    ) -> Self {
        // Where tickets are counted instead of points, one of them is a clear lead.
        let spread = if game.map().rules.journey.is_some() { 1.0 } else { 20.0 };
        let policies = (0..game.seats()).map(|_| policy()).collect();
        Self { policies, planners: Vec::new(), careful: 0, careful_left: 0, adviser, canonical, searching: Seat(0), spread }
    }
}

impl BoardGuide {
    fn list(&self, view: &Observation<'_>, favourite: Option<Action>, list: &mut Vec<Proposal<Action>>) {
        let mut payments = CanonicalPayments::new(favourite);
        let _ = view.legal_actions(|action| {
            let prior = match favourite {
                Some(favourite) if favourite == action => FAVOURITE,
                Some(favourite) => weight(view, action, favourite),
                None => FAVOURITE / 2.0,
            };
            let proposal = Proposal::open(action, prior);
            if !self.canonical || favourite == Some(action) || payments.admit(view, action, list) {
                list.push(proposal);
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
    fn rules<'v>(&self, view: &'v Observation<'_>) -> &'v BoardGame {
        view.game()
    }

    fn prepare(&mut self, view: &Observation<'_>) {
        self.searching = view.seat();
    }

    fn begin_playout(&mut self, game: &BoardGame) {
        for (seat, policy) in self.policies.iter_mut().enumerate() {
            policy.begin(game, Seat(seat as u8));
        }
        self.careful_left = self.careful;
        if self.careful > 0 {
            for (seat, planner) in self.planners.iter_mut().enumerate() {
                planner.begin(game, Seat(seat as u8));
            }
        }
    }

    fn propose(&mut self, view: &Observation<'_>, dice: &mut Dice, list: &mut Vec<Proposal<Action>>) {
        let favourite = match self.adviser {
            Adviser::Nobody => None,
            _ => Some(self.act(view, dice)),
        };
        self.list(view, favourite, list);
    }

    fn advise(&mut self, view: &Observation<'_>, dice: &mut Dice, list: &mut Vec<Proposal<Action>>) {
        self.searching = view.seat();
        match &mut self.adviser {
            Adviser::Planner(planner) => {
                let favourite = planner.choose(view, dice).ok();
                self.list(view, favourite, list);
            }
            Adviser::Policy => self.propose(view, dice, list),
            Adviser::Nobody => {
                self.propose(view, dice, list);
                for last in (1..list.len()).rev() {
                    list.swap(last, dice.below(last as u32 + 1) as usize);
                }
            }
        }
    }

    fn begin(&mut self, game: &BoardGame, seat: Seat) {
        if let Adviser::Planner(planner) = &mut self.adviser {
            planner.begin(game, seat);
        }
    }

    fn act(&mut self, view: &Observation<'_>, dice: &mut Dice) -> Action {
        let seat = view.seat().index();
        let choice = if self.careful_left > 0 {
            self.careful_left -= 1;
            self.planners[seat].choose(view, dice)
        } else {
            self.policies[seat].choose(view, dice)
        };
        choice.unwrap_or_else(|_| view.random_action(dice))
    }

    fn evaluate(&mut self, game: &BoardGame, world: &State) -> BySeat {
        let mut points = BySeat::default();
        for (points, &scored) in points.iter_mut().zip(&game.scores(world).points) {
            *points = scored.into();
        }
        points
    }

    fn spread(&self) -> f32 {
        self.spread
    }

    fn write(&self, game: &BoardGame, world: &State, action: Action) -> String {
        game.write_action(world, action)
    }
}

/// The prior of the first guess.
const FAVOURITE: f32 = 1.0;

/// How likely an action is to be right when the policy would do something else.
fn weight(view: &Observation<'_>, action: Action, favourite: Action) -> f32 {
    match (action, favourite) {
        (Action::Keep(choice), Action::Keep(favoured)) => 0.5f32.powi((choice ^ favoured).count_ones() as i32),
        (Action::Claim { route, .. }, _) => {
            0.02 + 0.02 * f32::from(view.game().routes()[route.index()].points)
        }
        (Action::TakeBlind | Action::TakeFaceUp(_) | Action::DrawTickets, _) => 0.2,
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

/// One way to pay for each route: with fewest sets, then with fewest locomotives, then in the colour of which most is left.
struct CanonicalPayments {
    seen: RouteSet,
}

impl CanonicalPayments {
    /// How a favourite pays is not put in question.
    fn new(favourite: Option<Action>) -> Self {
        let seen = match favourite {
            Some(Action::Claim { route, .. }) => RouteSet::only(route),
            _ => RouteSet::EMPTY,
        };
        Self { seen }
    }

    /// Whether an action is to be listed. If it pays better for something on the list, it takes that place.
    fn admit(&mut self, view: &Observation<'_>, action: Action, list: &mut [Proposal<Action>]) -> bool {
        let hand = view.hand();
        let cost = |payment: Payment| {
            let held = payment.colour.map_or(0, |colour: CardKind| hand.count(colour));
            (payment.sets, payment.locomotives, u8::MAX - held)
        };
        match action {
            Action::Claim { route, payment } => {
                if !self.seen.contains(route) {
                    self.seen.insert(route);
                    return true;
                }
                let known = list.iter_mut().find_map(|known| match known.action {
                    Action::Claim { route: same, payment } if same == route => Some((known, payment)),
                    _ => None,
                });
                if let Some((known, dearer)) = known
                    && known.prior < FAVOURITE
                    && cost(payment) < cost(dearer)
                {
                    (known.action, known.seen_as) = (action, action);
                }
                false
            }
            _ => true,
        }
    }
}
