//! The agents that take part in a run.

use std::sync::Arc;

use ttr_agents::{Agent, AgentSpec, Roster, SpecError};
use ttr_engine::{Dice, Seat};

use crate::exec::{CommandError, ExecAgent, ExecOptions};
use crate::game::Playable;
use crate::table::one_game::agent_dice;
use crate::table::schedule::Slot;

type Build<G> = dyn Fn(&G) -> Result<Box<dyn Agent<G>>, EntrantError> + Send + Sync;

/// The reason why an agent can't take part.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EntrantError {
    /// There is no such agent, or it does not play this game.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// It is a process that can't be started.
    #[error(transparent)]
    Command(#[from] CommandError),
}

/// An agent that takes part: its label, and a builder that makes one for every thread and seat.
///
/// ```
/// use ttr_agents::{AgentSpec, Random};
/// use ttr_engine::{board::BoardGame, maps};
/// use ttr_sim::table::Entrant;
/// let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let mine = Entrant::new("mine", |_: &BoardGame| Random);
/// let greedy = Entrant::from_spec(&game, &AgentSpec::parse("g=greedy")?)?;
/// assert_eq!((mine.label(), greedy.label(), greedy.identity()), ("mine", "g", "greedy"));
/// let error = Entrant::from_spec(&game, &AgentSpec::new("yard")).err().expect("it plays cards only");
/// assert_eq!(error.to_string(), "yard plays the Card Game, not usa");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Entrant<G> {
    label: String,
    identity: String,
    spec: Option<AgentSpec>,
    resolved: Option<AgentSpec>,
    heuristic: Option<AgentSpec>,
    /// The source of its dice, if it is not the seed of the run.
    secret: Option<u64>,
    build: Arc<Build<G>>,
}

impl<G: Playable> Entrant<G> {
    /// Creates an entrant from your own agent.
    pub fn new<A: Agent<G> + 'static>(label: &str, build: impl Fn(&G) -> A + Send + Sync + 'static) -> Self {
        let build = move |game: &G| Ok(Box::new(build(game)) as Box<dyn Agent<G>>);
        Self {
            label: label.to_owned(),
            identity: label.to_owned(),
            spec: None,
            resolved: None,
            heuristic: None,
            secret: None,
            build: Arc::new(build),
        }
    }

    /// Creates an entrant from a built-in agent or a process, with default [`ExecOptions`].
    ///
    /// # Errors
    /// If there is no such agent, it does not play this game, or it is a command that can't be started.
    pub fn from_spec(game: &G, spec: &AgentSpec) -> Result<Self, EntrantError> {
        Self::from_spec_with(game, spec, Roster::built_in(), &ExecOptions::default())
    }

    /// Creates an entrant from an agent of a roster, or from a process with these options.
    ///
    /// # Errors
    /// As [`Entrant::from_spec`].
    pub fn from_spec_with(
        game: &G,
        spec: &AgentSpec,
        roster: &Roster,
        processes: &ExecOptions,
    ) -> Result<Self, EntrantError> {
        roster.check(spec)?;
        let secret = spec.command().map(|_| processes.secret);
        let build: Arc<Build<G>> = match spec.command().map(str::to_owned) {
            Some(command) => {
                ExecAgent::new(&command, processes.clone())?.try_out()?;
                let processes = processes.clone();
                Arc::new(move |_: &G| Ok(Box::new(ExecAgent::new(&command, processes.clone())?)))
            }
            None => {
                roster.build(game, spec)?;
                let (roster, spec) = (roster.clone(), spec.clone());
                Arc::new(move |game: &G| Ok(roster.build(game, &spec)?))
            }
        };
        Ok(Self {
            label: spec.label(),
            identity: spec.to_string(),
            spec: Some(spec.clone()),
            resolved: Some(roster.resolved(game, spec)),
            heuristic: roster.heuristic_of(game, spec),
            secret,
            build,
        })
    }

    /// The label in tables.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The identity, which shows whether two runs are the same.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// The specification; `None` for your own agent.
    pub fn spec(&self) -> Option<&AgentSpec> {
        self.spec.as_ref()
    }

    /// The specification with every parameter set to its value in the game; `None` for your own agent.
    pub fn resolved(&self) -> Option<&AgentSpec> {
        self.resolved.as_ref()
    }

    /// The heuristic agent inside it, with all its parameters; `None` if it does not search.
    pub fn heuristic(&self) -> Option<&AgentSpec> {
        self.heuristic.as_ref()
    }

    /// The dice for a game. Those of a process come from the secret of the run: from dice of the seed it
    /// could find out the seed, and with it the deal.
    pub fn dice(&self, seed: u64, deal: u64, game: u64, seat: Seat) -> Dice {
        agent_dice(self.secret.unwrap_or(seed), deal, game, seat)
    }

    /// Builds one agent.
    ///
    /// # Errors
    /// If it can't be made.
    pub fn build(&self, game: &G) -> Result<Box<dyn Agent<G>>, EntrantError> {
        (self.build)(game)
    }
}

/// The agents of one thread: as many of each as there are seats, built on first use.
pub struct Crew<'g, G> {
    game: &'g G,
    entrants: &'g [Entrant<G>],
    by_seat: Vec<Vec<Option<Box<dyn Agent<G>>>>>,
}

impl<'g, G: Playable> Crew<'g, G> {
    /// Creates an empty crew.
    pub fn new(game: &'g G, entrants: &'g [Entrant<G>]) -> Self {
        let by_seat = (0..game.seats()).map(|_| entrants.iter().map(|_| None).collect()).collect();
        Self { game, entrants, by_seat }
    }

    /// The agents of a game, by seat.
    ///
    /// # Errors
    /// If one can't be made.
    pub fn take_seats(&mut self, slot: &Slot) -> Result<Vec<&mut dyn Agent<G>>, EntrantError> {
        let seats = self.by_seat.iter_mut().zip(&slot.agents);
        seats
            .map(|(agents, &index)| {
                let agent: &mut dyn Agent<G> = match &mut agents[index] {
                    Some(agent) => &mut **agent,
                    empty => &mut **empty.insert(self.entrants[index].build(self.game)?),
                };
                Ok(agent)
            })
            .collect()
    }
}
