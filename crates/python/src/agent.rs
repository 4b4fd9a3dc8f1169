//! `ttr.Agent`: an agent of this program.

use std::sync::Mutex;

use pyo3::prelude::*;

use crate::errors::{detached, failed, guard, invalid};
use crate::game::Game;
use crate::json;
use crate::kind::Chooser;
use crate::view::View;

/// An agent of this program, such as "planner" or "ismcts:iters=500", or a process "exec:COMMAND".
///
/// >>> import ttr
/// >>> game = ttr.Game("usa")
/// >>> planner = ttr.Agent("planner", game)
/// >>> state = game.deal(seed=1)
/// >>> while (seat := state.turn) is not None:
/// ...     state.play(planner.choose(state.view(seat), seed=1))
/// >>> max(state.points) > 60
/// True
#[pyclass(module = "ttr", frozen)]
pub(crate) struct Agent {
    chooser: Mutex<Box<dyn Chooser>>,
    spec: String,
    game: Py<Game>,
}

impl Agent {
    /// The agent as text.
    pub(crate) fn text(&self) -> &str {
        &self.spec
    }

    fn ask<T: Send>(
        &self,
        view: &Bound<'_, View>,
        ask: impl FnOnce(&mut dyn Chooser, &View) -> Option<Result<T, String>> + Send,
    ) -> PyResult<T> {
        let py = view.py();
        let view = view.get();
        if view.seen.turn() != Some(view.seen.seat()) {
            return Err(invalid("the seat of this view does not decide"));
        }
        let answer = detached(py, || {
            // A panic is an exception, and every decision begins anew.
            let mut chooser = self.chooser.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            ask(&mut **chooser, view)
        })?;
        let other = || invalid(format!("the view is not of {}", self.game.get().rules.map_id()));
        answer.ok_or_else(other)?.map_err(failed)
    }
}

#[pymethods]
impl Agent {
    #[new]
    fn new(spec: &str, game: Bound<'_, Game>) -> PyResult<Self> {
        let rules = game.get().rules.clone();
        let chooser = guard(|| rules.agent(spec))?.map_err(invalid)?;
        Ok(Self { chooser: Mutex::new(chooser), spec: spec.to_owned(), game: game.unbind() })
    }

    /// The agent as text.
    #[getter]
    fn spec(&self) -> &str {
        &self.spec
    }

    /// The index of its choice. The same view and seed give the same choice.
    #[pyo3(signature = (view, seed=0))]
    fn choose(
        &self,
        view: &Bound<'_, View>,
        #[pyo3(from_py_with = crate::game::seed)] seed: u64,
    ) -> PyResult<usize> {
        self.ask(view, move |chooser, view| chooser.choose(&*view.seen, seed))
    }

    /// Its choice and its reasons: a dict with `action`, `text`, `notes` and the `candidates`, best first.
    #[pyo3(signature = (view, seed=0))]
    fn explain<'py>(
        &self,
        view: &Bound<'py, View>,
        #[pyo3(from_py_with = crate::game::seed)] seed: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = view.py();
        json::to_python(py, &self.ask(view, move |chooser, view| chooser.explain(&*view.seen, seed))?)
    }

    fn __repr__(&self) -> String {
        format!("ttr.Agent({:?}, {})", self.spec, self.game.get().given)
    }
}
