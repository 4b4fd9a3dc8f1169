//! The trait [`Agent`]: decides for a seat.

use ttr_engine::plain_text::printable;
use ttr_engine::{Dice, Game, RouteSet, Seat, SeenStep};

/// Decides for a seat from what that seat may know.
///
/// An agent carries nothing over from one game to the next: [`Agent::begin`] makes it forget. The same
/// views and dice lead to the same decisions.
///
/// ```
/// use ttr_agents::{Agent, Forfeit};
/// use ttr_engine::board::{Action, BoardGame, Observation};
/// use ttr_engine::{Dice, Game, Seat, Turn, View, maps};
///
/// /// Claims the longest route it can pay for, and otherwise does anything.
/// struct LongRoutes;
///
/// impl Agent<BoardGame> for LongRoutes {
///     fn choose(&mut self, view: &Observation<'_>, dice: &mut Dice) -> Result<Action, Forfeit> {
///         let mut best = (0, view.random_action(dice));
///         view.for_each_action(|action| {
///             if let Action::Claim { route, .. } = action {
///                 best = best.max((view.game().route(route).length, action));
///             }
///         });
///         Ok(best.1)
///     }
/// }
///
/// let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let mut agents = [LongRoutes, LongRoutes];
/// let (mut chance, mut dice) = (Dice::from_seed(1), Dice::from_seed(2));
/// let mut state = game.deal(&mut chance);
/// while let Turn::Of(seat) = game.turn(&state) {
///     let action = agents[seat].choose(&game.observe(&state, seat), &mut dice)?;
///     game.play(&mut state, action, &mut chance)?;
/// }
/// assert!(game.scores(&state).points.iter().any(|&points| points > 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Agent<G: Game>: Send {
    /// Starts a new game, in which the agent plays this seat.
    fn begin(&mut self, game: &G, seat: Seat) {
        let _ = (game, seat);
    }

    /// Chooses an action. The view's seat is to move.
    ///
    /// # Errors
    /// An agent that cannot decide resigns with the reason. Agents inside this program never do; processes
    /// may.
    fn choose(&mut self, view: &G::Observation<'_>, dice: &mut Dice) -> Result<G::Action, Forfeit>;

    /// Returns `true` if the agent wants to see every step of a game. Games that nobody follows are faster.
    fn wants_steps(&self) -> bool {
        false
    }

    /// Receives the decision of a seat, which may be its own, as the agent's seat sees it.
    fn see(&mut self, step: &SeenStep<'_, G>) {
        let _ = step;
    }

    /// Ends the game, whether it was finished or a seat forfeited it. Nothing is hidden any more, so an
    /// agent can learn from the final position.
    fn end(&mut self, game: &G, state: &G::State, forfeit: Option<Seat>) {
        let _ = (game, state, forfeit);
    }

    /// Explains the last decision, which was made in this view. Empty if the agent has no explanation.
    fn explain(&self, view: &G::Observation<'_>) -> Explanation<G::Action> {
        let _ = view;
        Explanation::default()
    }

    /// The estimate behind the last decision, for tables of decisions; much cheaper than
    /// [`Agent::explain`]. `None` if the agent does not search, or if there was only one candidate.
    fn estimate(&self) -> Option<Estimate> {
        None
    }
}

/// A stateless agent: a function of the view.
///
/// ```
/// use ttr_agents::Agent;
/// use ttr_engine::board::{Action, BoardGame, Observation};
/// use ttr_engine::{Dice, View};
///
/// /// Claims whatever it can, and otherwise does anything.
/// fn claims(view: &Observation<'_>, dice: &mut Dice) -> Action {
///     let is_claim = |action: &Action| matches!(action, Action::Claim { .. });
///     view.actions().into_iter().find(is_claim).unwrap_or_else(|| view.random_action(dice))
/// }
///
/// let agent: Box<dyn Agent<BoardGame>> = Box::new(claims);
/// ```
impl<G, F> Agent<G> for F
where
    G: Game,
    F: FnMut(&G::Observation<'_>, &mut Dice) -> G::Action + Send,
{
    fn choose(&mut self, view: &G::Observation<'_>, dice: &mut Dice) -> Result<G::Action, Forfeit> {
        Ok(self(view, dice))
    }
}

/// The result of a search for the action that it chose.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Estimate {
    /// Number of playouts that started with the action.
    pub visits: u32,
    /// Mean value of these playouts to the seat, from 0 (lost) to 1 (won).
    pub value: f64,
}

impl Estimate {
    /// An estimate.
    pub fn new(visits: u32, value: f64) -> Self {
        Self { visits, value }
    }
}

/// An agent's account of a decision.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Explanation<A> {
    /// The basis of the decision, such as the agent's plan.
    pub notes: Vec<Note>,
    /// The actions considered, best first.
    pub candidates: Vec<Candidate<A>>,
}

impl<A> Explanation<A> {
    /// An explanation.
    pub fn new(notes: Vec<Note>, candidates: Vec<Candidate<A>>) -> Self {
        Self { notes, candidates }
    }
}

impl<A> Default for Explanation<A> {
    fn default() -> Self {
        Self { notes: Vec::new(), candidates: Vec::new() }
    }
}

/// A statement about what guides an agent.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Note {
    /// The subject, in a word or two.
    pub about: String,
    /// The statement.
    pub text: String,
    /// The routes that it names, for those who draw it.
    pub routes: RouteSet,
}

impl Note {
    /// Creates a note.
    pub fn new(about: impl Into<String>, text: impl Into<String>) -> Self {
        Self { about: about.into(), text: text.into(), routes: RouteSet::EMPTY }
    }

    /// The same with the routes that it names.
    #[must_use]
    pub fn with_routes(self, routes: RouteSet) -> Self {
        Self { routes, ..self }
    }
}

/// An action that an agent considered.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Candidate<A> {
    /// The action.
    pub action: A,
    /// Number of playouts that started with it; 0 if there was no choice.
    pub visits: u32,
    /// Its value to the seat, from 0 (lost) to 1 (won); 0 if it was never tried.
    pub value: f64,
    /// Standard error of the value, if the agent knows it.
    pub error: Option<f64>,
    /// Mean difference in value to the first guess in the same worlds, and its standard error, if the agent
    /// compares actions in this way.
    pub gain: Option<(f64, f64)>,
    /// The expected gain by which the agent decides, if it does; with few visits it is close to the prior.
    pub expected_gain: Option<f64>,
    /// The expected continuation in notation, starting with this action.
    pub line: Vec<String>,
}

impl<A> Candidate<A> {
    /// An action that was never tried, and of which nothing else is known.
    pub fn new(action: A) -> Self {
        Self { action, visits: 0, value: 0.0, error: None, gain: None, expected_gain: None, line: Vec::new() }
    }
}

/// Longest reason of a forfeit, in characters.
const MAX_REASON: usize = 400;

/// An agent's resignation, with the reason.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Forfeit(String);

impl Forfeit {
    /// Creates a resignation. The reason is written to records and tables, so unprintable characters are
    /// escaped, and it is cut after 400 characters.
    ///
    /// ```
    /// use ttr_agents::Forfeit;
    /// assert_eq!(Forfeit::new("it said \u{1b}[31m").to_string(), r"it said \u{1b}[31m");
    /// assert!(Forfeit::new(&"x".repeat(1_000_000)).to_string().len() < 500);
    /// ```
    pub fn new(reason: &str) -> Self {
        Self(printable(reason, MAX_REASON))
    }
}
