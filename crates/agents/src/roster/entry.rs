//! One agent of a roster.

use std::fmt::Display;

use ttr_engine::Notation;
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::spec::nearest;

use super::Roster;
use crate::agent::Agent;
use crate::spec::{AgentSpec, Param, Plays, SpecError};

/// An agent of a [`Roster`]: its name and parameters, and how it is built for each kind of game.
///
/// ```
/// use ttr_agents::{AgentEntry, Plays, Random};
/// use ttr_engine::{board::BoardGame, card_game::CardGame};
/// let entry = AgentEntry::new("dice", "does anything")
///     .plays(|_: &BoardGame, _| Random)
///     .plays(|_: &CardGame, _| Random);
/// assert_eq!(entry.plays_what(), Plays::Anything);
/// ```
pub struct AgentEntry {
    name: &'static str,
    about: &'static str,
    params: &'static [Param],
    boards: Maker<BoardGame>,
    card_game: Maker<CardGame>,
}

type Build<G> = dyn Fn(&G, &Params<'_>) -> Result<Box<dyn Agent<G>>, String> + Send + Sync;
type Defaults<G> = dyn Fn(&G, &str) -> Option<String> + Send + Sync;

/// The builder of an agent for one kind of game.
pub struct Maker<G> {
    build: Option<Box<Build<G>>>,
    /// Values of parameters that replace the general defaults in this game.
    defaults: Option<Box<Defaults<G>>>,
    /// The agent inside a search.
    heuristic: Option<&'static str>,
}

impl<G> Maker<G> {
    const NONE: Self = Self { build: None, defaults: None, heuristic: None };
}

/// A kind of game that rosters have agents for: board games and the Card Game.
///
/// ```
/// use ttr_agents::{AgentSpec, RosterGame};
/// use ttr_engine::{board::BoardGame, maps};
/// let game = BoardGame::new(&maps::load("europe")?, 3)?;
/// let agent = game.agent(&AgentSpec::parse("ismcts:iters=100")?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait RosterGame: Notation + Sized + 'static {
    /// The builder of an agent for this game.
    #[doc(hidden)]
    fn maker(entry: &AgentEntry) -> &Maker<Self>;

    /// Mutable access to the builder.
    #[doc(hidden)]
    fn maker_mut(entry: &mut AgentEntry) -> &mut Maker<Self>;

    /// Builds an agent of this crate; for others, see [`Roster::build`].
    ///
    /// # Errors
    /// If there is no such agent, or it does not play this game.
    fn agent(&self, spec: &AgentSpec) -> Result<Box<dyn Agent<Self>>, SpecError> {
        Roster::built_in().build(self, spec)
    }
}

impl RosterGame for BoardGame {
    fn maker(entry: &AgentEntry) -> &Maker<Self> {
        &entry.boards
    }

    fn maker_mut(entry: &mut AgentEntry) -> &mut Maker<Self> {
        &mut entry.boards
    }
}

impl RosterGame for CardGame {
    fn maker(entry: &AgentEntry) -> &Maker<Self> {
        &entry.card_game
    }

    fn maker_mut(entry: &mut AgentEntry) -> &mut Maker<Self> {
        &mut entry.card_game
    }
}

impl AgentEntry {
    /// Creates an agent with a name, such as `my-agent`, and a description in one line. It plays nothing
    /// yet.
    pub fn new(name: &'static str, about: &'static str) -> Self {
        Self { name, about, params: &[], boards: Maker::NONE, card_game: Maker::NONE }
    }

    /// Adds parameters. Those that are numbers ([`Range::Real`](crate::Range::Real)) can be tuned.
    #[must_use]
    pub fn with_params(mut self, params: &'static [Param]) -> Self {
        self.params = params;
        self
    }

    /// Adds a kind of game: `build` makes an agent for a game and values of its parameters.
    #[must_use]
    pub fn plays<G: RosterGame, A: Agent<G> + 'static>(
        self,
        build: impl Fn(&G, &Params<'_>) -> A + Send + Sync + 'static,
    ) -> Self {
        self.try_plays(move |game: &G, params| Ok::<A, String>(build(game, params)))
    }

    /// Like [`AgentEntry::plays`], for agents that can't always be built, such as those that read a file.
    #[must_use]
    pub fn try_plays<G: RosterGame, A: Agent<G> + 'static, E: Display>(
        mut self,
        build: impl Fn(&G, &Params<'_>) -> Result<A, E> + Send + Sync + 'static,
    ) -> Self {
        G::maker_mut(&mut self).build = Some(Box::new(move |game, params| match build(game, params) {
            Ok(agent) => Ok(Box::new(agent)),
            Err(why) => Err(why.to_string()),
        }));
        self
    }

    /// Sets other defaults for some games: `defaults` returns the value of a parameter by its name, if this
    /// game has its own.
    #[must_use]
    pub fn with_defaults<G: RosterGame>(
        mut self,
        defaults: impl Fn(&G, &str) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        G::maker_mut(&mut self).defaults = Some(Box::new(defaults));
        self
    }

    /// Sets the heuristic agent that a search has inside in a kind of game.
    pub(crate) fn with_heuristic<G: RosterGame>(mut self, name: &'static str) -> Self {
        G::maker_mut(&mut self).heuristic = Some(name);
        self
    }

    /// The agent's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The agent's description, in one line.
    pub fn about(&self) -> &'static str {
        self.about
    }

    /// The agent's parameters.
    pub fn params(&self) -> &'static [Param] {
        self.params
    }

    /// Returns the parameter with a name.
    ///
    /// # Errors
    /// If there is none; the error suggests the nearest name.
    pub fn param(&self, name: &str) -> Result<&'static Param, SpecError> {
        self.params.iter().find(|param| param.name == name).ok_or_else(|| {
            let (nearest, known) = self.near(name);
            SpecError::UnknownKey { agent: self.name.to_owned(), key: name.to_owned(), nearest, known }
        })
    }

    /// The parameter that a name most likely stands for, and all parameters.
    pub(super) fn near(&self, name: &str) -> (Option<&'static str>, Vec<&'static str>) {
        let known: Vec<&str> = self.params.iter().map(|param| param.name).collect();
        (nearest(name, known.iter().copied()), known)
    }

    /// Returns `true` if the agent plays a kind of game.
    pub fn is_for<G: RosterGame>(&self) -> bool {
        G::maker(self).build.is_some()
    }

    /// The games that the agent plays.
    pub fn plays_what(&self) -> Plays {
        match (self.is_for::<BoardGame>(), self.is_for::<CardGame>()) {
            (true, false) => Plays::Boards,
            (false, true) => Plays::CardGame,
            _ => Plays::Anything,
        }
    }

    /// Returns `true` if some games have their own defaults: see [`AgentEntry::default_of`].
    pub fn is_tuned(&self) -> bool {
        self.boards.defaults.is_some() || self.card_game.defaults.is_some()
    }

    /// The default of a parameter in a game.
    pub fn default_of<G: RosterGame>(&self, game: &G, param: &Param) -> String {
        let own = G::maker(self).defaults.as_ref().and_then(|defaults| defaults(game, param.name));
        own.unwrap_or_else(|| param.default.to_owned())
    }

    pub(super) fn heuristic<G: RosterGame>(&self) -> Option<&'static str> {
        G::maker(self).heuristic
    }

    /// Builds the agent of a spec that has been checked.
    pub(super) fn build<G: RosterGame>(
        &self,
        game: &G,
        spec: &AgentSpec,
    ) -> Result<Box<dyn Agent<G>>, SpecError> {
        let Some(build) = &G::maker(self).build else {
            return Err(SpecError::WrongGame {
                agent: self.name.to_owned(),
                plays: self.plays_what().to_string(),
                map: game.map_id().to_owned(),
            });
        };
        let default = |param: &Param| self.default_of(game, param);
        build(game, &Params::new(self, spec, &default))
            .map_err(|why| SpecError::NotBuilt { agent: self.name.to_owned(), why })
    }

    pub(super) fn assert_usable(&self) {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let starts_right = self.name.starts_with(|c: char| c.is_ascii_alphabetic());
        assert!(
            starts_right && self.name.chars().all(plain) && !AgentSpec::is_process_name(self.name),
            "\"{}\" can't be the name of an agent; use letters, digits, - and _",
            self.name
        );
        assert!(self.is_for::<BoardGame>() || self.is_for::<CardGame>(), "{} plays no game", self.name);
        for (index, param) in self.params.iter().enumerate() {
            assert!(param.name.chars().all(plain), "{}: {:?} can't be a parameter", self.name, param.name);
            assert!(
                param.range.allows(param.default),
                "{}: the default of {} is not {}",
                self.name,
                param.name,
                param.range
            );
            let twice = self.params[..index].iter().any(|other| other.name == param.name);
            assert!(!twice, "{} has the parameter {} twice", self.name, param.name);
        }
    }
}

/// The values of an agent's parameters: the given ones, or else the defaults.
pub struct Params<'a> {
    entry: &'a AgentEntry,
    spec: &'a AgentSpec,
    default: &'a dyn Fn(&Param) -> String,
}

impl<'a> Params<'a> {
    pub(crate) fn new(
        entry: &'a AgentEntry,
        spec: &'a AgentSpec,
        default: &'a dyn Fn(&Param) -> String,
    ) -> Self {
        Self { entry, spec, default }
    }

    /// The value of a parameter as a number.
    ///
    /// # Panics
    /// If there is no such parameter, or its range allows for values that are not such a number.
    pub fn number<N: std::str::FromStr>(&self, name: &str) -> N {
        let value = self.word(name);
        let number = value.parse().ok();
        number.unwrap_or_else(|| panic!("{}: {name} = {value} has another type of number", self.entry.name))
    }

    /// The value of a parameter as text.
    ///
    /// # Panics
    /// If there is no such parameter.
    pub fn word(&self, name: &str) -> String {
        self.param(name).unwrap_or_else(|| panic!("{} has no parameter {name}", self.entry.name))
    }

    /// The value of a parameter, if there is such a parameter.
    pub(crate) fn param(&self, name: &str) -> Option<String> {
        let default = || self.entry.param(name).ok().map(self.default);
        self.spec.given(name).map(str::to_owned).or_else(default)
    }

    /// The value of a parameter, if it is set.
    pub fn given(&self, name: &str) -> Option<&str> {
        self.spec.given(name)
    }

    /// The spec of the agent that is being built.
    pub(crate) fn spec(&self) -> &AgentSpec {
        self.spec
    }
}
