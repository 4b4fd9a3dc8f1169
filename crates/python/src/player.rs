//! Agents written in Python, at the tables of this program.

use std::sync::Arc;

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use ttr_agents::{Agent, AgentSpec, Forfeit, Roster};
use ttr_engine::{Dice, Seat, View as _};
use ttr_sim::exec::ExecOptions;
use ttr_sim::table::{Entrant, agent_text};

use crate::batched::{BatchedSeat, Batcher};
use crate::errors::invalid;
use crate::game::Game;
use crate::kind::{Compiled, Kind};
use crate::runs::Failure;
use crate::view::View;

/// The name of the specification of an agent written in Python.
pub(crate) const PYTHON: &str = "python";

/// Who takes part.
pub(crate) enum Contestant {
    /// An agent of this program, or a process.
    Spec(AgentSpec),
    /// An agent written in Python.
    Player(Player),
}

/// An agent written in Python: a player, a class of players, or a function of view and dice.
pub(crate) struct Player {
    object: Py<PyAny>,
    label: String,
    game: Py<Game>,
    /// Whether it decides for many games at once.
    is_batched: bool,
}

impl Contestant {
    /// The contestant of a Python object.
    pub(crate) fn new(object: &Bound<'_, PyAny>, game: &Bound<'_, Game>) -> PyResult<Self> {
        if let Some(spec) = spec_of(object)? {
            return Ok(Self::Spec(spec));
        }
        let is_batched = object.hasattr("choose_batch")?;
        if !is_batched && !object.hasattr("choose")? && !object.is_callable() {
            return Err(invalid(format!(
                "expected an agent: a text such as \"planner\", a ttr.Player or a function of (view, rng); found {}",
                object.get_type()
            )));
        }
        let named = object.getattr_opt("name")?.and_then(|name| name.extract::<String>().ok());
        let label = match named {
            Some(name) => name,
            None => match object.getattr_opt("__name__")? {
                Some(name) => name.extract()?,
                None => object.get_type().name()?.to_string(),
            },
        };
        let label = label.trim_matches(|c| c == '<' || c == '>').to_owned();
        let (object, game) = (object.clone().unbind(), game.clone().unbind());
        Ok(Self::Player(Player { object, label, game, is_batched }))
    }

    /// Whether it decides for many games at once.
    pub(crate) fn is_batched(&self) -> bool {
        matches!(self, Self::Player(player) if player.is_batched)
    }

    /// The specification, as the plan of a run has it.
    pub(crate) fn spec(&self) -> Result<AgentSpec, Failure> {
        match self {
            Self::Spec(spec) => Ok(spec.clone()),
            Self::Player(player) => {
                Ok(AgentSpec { label: Some(player.label.clone()), ..AgentSpec::new(PYTHON) })
            }
        }
    }

    /// Seats it at tables of a game.
    pub(crate) fn entrant<G: Kind>(
        &self,
        game: &Arc<Compiled<G>>,
        processes: &ExecOptions,
    ) -> Result<Entrant<G>, Failure> {
        match self {
            Self::Spec(_) => {
                let spec = self.spec()?;
                Entrant::from_spec_with(game.game(), &spec, Roster::built_in(), processes)
                    .map_err(Failure::invalid)
            }
            Self::Player(player) => {
                let (object, py_game) =
                    Python::attach(|py| (player.object.clone_ref(py), player.game.clone_ref(py)));
                if player.is_batched {
                    let batcher = Arc::new(Batcher::new(game.clone(), object));
                    return Ok(Entrant::new(&player.label, move |_: &G| BatchedSeat(batcher.clone())));
                }
                let (rules, object) = (game.clone(), Arc::new((object, py_game)));
                Ok(Entrant::new(&player.label, move |_: &G| Seated::new(rules.clone(), &object)))
            }
        }
    }
}

/// An agent written in Python at one seat.
struct Seated<G: Kind> {
    game: Arc<Compiled<G>>,
    py_game: Py<Game>,
    /// The player, or why there is none.
    player: Result<Py<PyAny>, String>,
}

impl<G: Kind> Seated<G> {
    fn new(game: Arc<Compiled<G>>, object: &(Py<PyAny>, Py<Game>)) -> Self {
        Python::attach(|py| {
            let player = instance(object.0.bind(py)).map(Bound::unbind).map_err(|error| reason(py, &error));
            Self { game, py_game: object.1.clone_ref(py), player }
        })
    }
}

/// The specification of an agent of this program: of a text, an agent, or the dict of a specification.
pub(crate) fn spec_of(object: &Bound<'_, PyAny>) -> PyResult<Option<AgentSpec>> {
    let parse = |text: &str| agent_text::parse(Roster::built_in(), text).map_err(invalid).map(Some);
    if let Ok(text) = object.extract::<String>() {
        return parse(&text);
    }
    if let Ok(agent) = object.cast::<crate::agent::Agent>() {
        return parse(agent.get().text());
    }
    if !object.is_instance_of::<PyDict>() {
        return Ok(None);
    }
    let text: String = object.py().import("json")?.call_method1("dumps", (object,))?.extract()?;
    serde_json::from_str(&text).map(Some).map_err(|why| invalid(format!("the dict is no agent: {why}")))
}

/// The player itself, or a new one of a class.
pub(crate) fn instance<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if given.is_instance_of::<PyType>() { given.call0() } else { Ok(given.clone()) }
}

/// The text of an exception. An interruption stays one.
pub(crate) fn reason(py: Python<'_>, error: &PyErr) -> String {
    if error.is_instance_of::<PyKeyboardInterrupt>(py) {
        let _ = py.import("_thread").and_then(|thread| thread.call_method0("interrupt_main"));
    }
    error.to_string()
}

impl<G: Kind> Agent<G> for Seated<G> {
    fn begin(&mut self, _: &G, seat: Seat) {
        let Ok(player) = &self.player else { return };
        let begun = Python::attach(|py| {
            let begin = player.bind(py).getattr_opt("begin").map_err(|error| reason(py, &error))?;
            let begun = begin.map(|begin| begin.call1((self.py_game.clone_ref(py), seat.index())));
            begun.transpose().map(|_| ()).map_err(|error| reason(py, &error))
        });
        if let Err(why) = begun {
            self.player = Err(why);
        }
    }

    fn choose(&mut self, view: &G::Observation<'_>, dice: &mut Dice) -> Result<G::Action, Forfeit> {
        let seed = dice.next_u64();
        let player = self.player.as_ref().map_err(|why| Forfeit::new(why))?;
        let seen = self.game.seen(view);
        enum Answer {
            Index(i64),
            Text(String),
        }
        let answer = Python::attach(|py| {
            let choose = || {
                let view = Bound::new(py, View { seen: Box::new(seen), game: self.py_game.clone_ref(py) })?;
                let rng = py.import("random")?.getattr("Random")?.call1((seed,))?;
                let player = player.bind(py);
                let answer = match player.getattr_opt("choose")? {
                    Some(choose) => choose.call1((view, rng))?,
                    None => player.call1((view, rng))?,
                };
                if let Ok(text) = answer.extract::<String>() {
                    return Ok(Answer::Text(text));
                }
                crate::state::index(&answer).map(Answer::Index)
            };
            choose().map_err(|error: PyErr| Forfeit::new(&reason(py, &error)))
        })?;
        match answer {
            Answer::Text(text) => view.parse_action(&text).map_err(|why| Forfeit::new(&why.to_string())),
            Answer::Index(index) => self.game.choice(view, index),
        }
    }
}
