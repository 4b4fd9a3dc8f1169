//! The agents available by name.

mod entry;
mod parse;

use std::fmt;
use std::sync::{Arc, LazyLock};

use ttr_engine::spec::suggest;

use crate::agent::Agent;
use crate::spec::{AgentSpec, SpecError};
use crate::{greedy, planner, published, random, search, yard};

pub use entry::{AgentEntry, Params, RosterGame};

/// The agents available by name: those of this crate, and your own.
///
/// Everything that reads agents as text takes a roster, and builds them with it.
///
/// ```
/// use ttr_agents::{AgentEntry, Param, Range, Roster};
/// use ttr_engine::board::{Action, BoardGame, Observation};
/// use ttr_engine::{Dice, View, maps};
///
/// /// Claims something with a certain probability, and otherwise does anything.
/// fn claims(percent: u32) -> impl FnMut(&Observation<'_>, &mut Dice) -> Action + Send {
///     move |view, dice| {
///         let claim = view.actions().into_iter().find(|action| matches!(action, Action::Claim { .. }));
///         let claim = claim.filter(|_| dice.below(100) < percent);
///         claim.unwrap_or_else(|| view.random_action(dice))
///     }
/// }
///
/// let roster = Roster::default().with(
///     AgentEntry::new("eager", "claims something whenever it can")
///         .with_params(&[
///             const { Param::new("percent", "how often it claims, if it can", "90", Range::Whole(0, 100)) },
///         ])
///         .plays(|_: &BoardGame, params| claims(params.number("percent"))),
/// );
/// let game = BoardGame::new(&maps::load("usa")?, 2)?;
/// let agent = roster.build(&game, &roster.parse("eager:percent=50")?)?;
/// let error = roster.parse("eager:percent=200").unwrap_err();
/// assert_eq!(error.to_string(), "eager: percent is a whole number from 0 to 100, not \"200\"");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Roster {
    entries: Vec<Arc<AgentEntry>>,
}

/// The agents of this crate.
impl Default for Roster {
    fn default() -> Self {
        Self::built_in().clone()
    }
}

impl fmt::Debug for Roster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.entries().map(AgentEntry::name)).finish()
    }
}

impl Roster {
    /// The agents of this crate, weakest first.
    pub fn built_in() -> &'static Self {
        static BUILT_IN: LazyLock<Roster> = LazyLock::new(|| {
            let [path, one_step, long_route, hungry] = published::entries();
            let [flat, ismcts] = search::entries();
            let entries = [
                random::entry(),
                greedy::entry(),
                path,
                one_step,
                long_route,
                hungry,
                flat,
                planner::entry(),
                yard::entry(),
                ismcts,
            ];
            entries.into_iter().fold(Roster { entries: Vec::new() }, Roster::with)
        });
        &BUILT_IN
    }

    /// Adds an agent.
    ///
    /// # Panics
    /// If the entry is invalid: its name is taken or cannot be written in a list of agents, it plays no
    /// game, or the default of a parameter is out of range.
    #[must_use]
    pub fn with(mut self, entry: AgentEntry) -> Self {
        entry.assert_usable();
        assert!(self.entry(entry.name()).is_err(), "there is already an agent \"{}\"", entry.name());
        self.entries.push(Arc::new(entry));
        self
    }

    /// All agents.
    pub fn entries(&self) -> impl Iterator<Item = &AgentEntry> + Clone {
        self.entries.iter().map(|entry| &**entry)
    }

    /// The agents that play a kind of game.
    pub fn playing<G: RosterGame>(&self) -> impl Iterator<Item = &AgentEntry> + Clone {
        self.entries().filter(|entry| entry.is_for::<G>())
    }

    /// Returns the agent with a name.
    ///
    /// # Errors
    /// If there is none; the error suggests the nearest name.
    pub fn entry(&self, name: &str) -> Result<&AgentEntry, SpecError> {
        self.entries().find(|entry| entry.name() == name).ok_or_else(|| {
            let hint = suggest(name, self.entries().map(AgentEntry::name), "known agents");
            SpecError::UnknownAgent { name: name.to_owned(), hint: hint + ", exec:COMMAND" }
        })
    }

    /// Checks that an agent exists and has these parameters. The parameters of a process are not known
    /// here.
    ///
    /// # Errors
    /// If the agent or a parameter does not exist, or a value is not allowed.
    pub fn check(&self, spec: &AgentSpec) -> Result<(), SpecError> {
        if spec.command().is_some() {
            return Ok(());
        }
        let entry = self.entry(&spec.name)?;
        for (key, value) in &spec.settings {
            let param = entry.param(key)?;
            if !param.range.allows(value) {
                return Err(SpecError::WrongValue {
                    agent: spec.name.clone(),
                    key: key.clone(),
                    range: param.range.to_string(),
                    value: value.clone(),
                });
            }
        }
        Ok(())
    }

    /// Builds an agent for a game.
    ///
    /// # Errors
    /// If there is no such agent, it does not play this game, or it can't be built. Processes are not built
    /// here.
    pub fn build<G: RosterGame>(&self, game: &G, spec: &AgentSpec) -> Result<Box<dyn Agent<G>>, SpecError> {
        self.check(spec)?;
        self.entry(&spec.name)?.build(game, spec)
    }

    /// The same agent with every parameter set to its value in this game, so that it stays the same when
    /// defaults are tuned again.
    ///
    /// ```
    /// use ttr_agents::{AgentSpec, Roster};
    /// use ttr_engine::{board::BoardGame, maps};
    /// let game = BoardGame::new(&maps::load("europe")?, 3)?;
    /// let planner = Roster::default().resolved(&game, &AgentSpec::parse("planner:wild=0.5")?);
    /// assert_eq!(planner.given("wild"), Some("0.5"));
    /// assert!(planner.given("train").is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resolved<G: RosterGame>(&self, game: &G, spec: &AgentSpec) -> AgentSpec {
        let mut resolved = spec.clone();
        // The parameters of a process are not known here.
        let Ok(entry) = self.entry(&spec.name) else { return resolved };
        for param in entry.params().iter().filter(|param| spec.given(param.name).is_none()) {
            resolved = resolved.with(param.name, entry.default_of(game, param));
        }
        resolved
    }

    /// The heuristic agent inside a search, with the defaults of a game; `None` for agents that do not
    /// search.
    pub fn heuristic_of<G: RosterGame>(&self, game: &G, spec: &AgentSpec) -> Option<AgentSpec> {
        let heuristic = self.entry(&spec.name).ok()?.heuristic::<G>()?;
        Some(self.resolved(game, &AgentSpec::new(heuristic)))
    }
}

#[cfg(test)]
mod tests {
    use ttr_engine::Game;
    use ttr_engine::board::BoardGame;
    use ttr_engine::card_game::CardGame;

    use super::*;
    use crate::spec::{Param, Range};
    use crate::{Plays, Random};

    fn entry(name: &'static str) -> AgentEntry {
        AgentEntry::new(name, "a test")
    }

    #[test]
    fn own_agents_are_parsed_suggested_and_built() {
        let roster = Roster::default()
            .with(entry("mine").plays(|_: &BoardGame, _| Random))
            .with(entry("broken").try_plays(|_: &BoardGame, _| Err::<Random, _>("its file is missing")));
        assert_eq!(roster.entries().count(), Roster::built_in().entries().count() + 2);
        assert_eq!(roster.entry("mine").unwrap().plays_what(), Plays::Boards);
        let error = roster.parse("mien").unwrap_err().to_string();
        assert!(error.contains("did you mean \"mine\"?"), "{error}");
        assert!(AgentSpec::parse("mine").is_err(), "it is not built in");
        let game = BoardGame::new(&ttr_engine::maps::load("usa").unwrap(), 2).unwrap();
        let build = |text: &str| roster.build(&game, &roster.parse(text).unwrap()).err();
        assert_eq!(build("mine"), None);
        let says = "broken can't be built: its file is missing";
        assert_eq!(build("broken").map(|error| error.to_string()).as_deref(), Some(says));
        let cards = CardGame::new(&ttr_engine::maps::card_game(), 2).unwrap();
        let error = roster.build(&cards, &AgentSpec::new("mine")).err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some("mine plays boards, not card-game"));
    }

    #[test]
    fn defaults_of_a_game_reach_the_agent() {
        const PARAMS: &[Param] =
            &[Param { name: "seats", about: "", default: "0", range: Range::Whole(0, 5) }];
        let built = |_: &BoardGame, params: &Params<'_>| match params.number::<u8>("seats") {
            3 => Ok(Random),
            other => Err(format!("{other}")),
        };
        let defaults = |game: &BoardGame, name: &str| (name == "seats").then(|| game.seats().to_string());
        let roster = Roster::default()
            .with(entry("tuned").with_params(PARAMS).try_plays(built).with_defaults(defaults))
            .with(entry("plain").with_params(PARAMS).try_plays(built));
        let game = BoardGame::new(&ttr_engine::maps::load("usa").unwrap(), 3).unwrap();
        assert!(roster.build(&game, &AgentSpec::new("tuned")).is_ok());
        assert!(roster.build(&game, &AgentSpec::new("plain")).is_err());
        assert!(roster.build(&game, &AgentSpec::new("plain").with("seats", 3)).is_ok());
        assert!(roster.entry("tuned").unwrap().is_tuned() && !roster.entry("plain").unwrap().is_tuned());
    }

    #[test]
    fn unusable_entries_are_refused() {
        let plays = |entry: AgentEntry| entry.plays(|_: &BoardGame, _| Random);
        const WRONG: &[Param] = &[Param { name: "x", about: "", default: "2", range: Range::Whole(0, 1) }];
        const TWICE: &[Param] = &[Param { name: "x", about: "", default: "", range: Range::Text }; 2];
        for (wrong, says) in [
            (plays(entry("planner")), "there is already an agent \"planner\""),
            (plays(entry("exec")), "can't be the name of an agent"),
            (plays(entry("two words")), "can't be the name of an agent"),
            (plays(entry("a:b")), "can't be the name of an agent"),
            (entry("idle"), "plays no game"),
            (plays(entry("wrong").with_params(WRONG)), "the default of x"),
            (plays(entry("twice").with_params(TWICE)), "x twice"),
        ] {
            let refused =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| Roster::default().with(wrong)));
            let message = *refused.expect_err(says).downcast::<String>().unwrap();
            assert!(message.contains(says), "{message}");
        }
    }
}
