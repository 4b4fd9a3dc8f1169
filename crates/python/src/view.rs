//! `ttr.View`: what one seat may know.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::errors::{guard, invalid};
use crate::game::Game;
use crate::json;
use crate::kind::Seen;
use crate::state::{State, refused, sealed};

/// What one seat may know of a position, with a perfect memory. Nothing else is in it: it keeps a world that looks the
/// same to the seat, not the true one.
///
/// >>> import ttr
/// >>> state = ttr.Game("usa").deal(seed=1)
/// >>> view = state.view(0)
/// >>> view.to_move, len(view.legal), int(view.mask.sum())
/// (True, 4, 4)
/// >>> view.describe(view.legal[0])
/// 'keep Boston-Miami, Montréal-Atlanta'
/// >>> view.determinize(seed=3).view(0) == view
/// True
#[pyclass(module = "ttr", frozen)]
pub(crate) struct View {
    pub(crate) seen: Box<dyn Seen>,
    pub(crate) game: Py<Game>,
}

pub(crate) fn wrong_dtype(found: &str) -> PyErr {
    invalid(format!("expected the dtype \"float32\" or \"uint8\", found {found:?}"))
}

#[pymethods]
impl View {
    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// The seat that looks.
    #[getter]
    fn seat(&self) -> usize {
        self.seen.seat().index()
    }

    /// The seat that decides; None when the game is over.
    #[getter]
    fn turn(&self) -> PyResult<Option<usize>> {
        guard(|| self.seen.turn().map(|seat| seat.index()))
    }

    /// Whether the seat that looks decides.
    #[getter]
    fn to_move(&self) -> PyResult<bool> {
        guard(|| self.seen.turn() == Some(self.seen.seat()))
    }

    /// 1 for every legal action, 0 for the others, as int8; all 0 if another seat decides.
    #[getter]
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        Ok(PyArray1::from_vec(py, guard(|| self.seen.mask())?))
    }

    /// The indices of the legal actions, in order; none if another seat decides.
    #[getter]
    fn legal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i32>>> {
        Ok(PyArray1::from_vec(py, guard(|| self.seen.legal())?))
    }

    /// The view as a vector of float32, in the blocks of `game.layout`.
    #[getter]
    fn obs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        Ok(PyArray1::from_vec(py, guard(|| self.seen.encode_floats(false))?))
    }

    /// The view as a vector of uint8, in the blocks of `game.layout`.
    #[getter]
    fn obs_u8<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        Ok(PyArray1::from_vec(py, guard(|| self.seen.encode(false))?))
    }

    /// The view as a vector; `derived=True` adds the derived blocks of `game.derived_layout`.
    #[pyo3(signature = (*, derived=false, dtype="float32"))]
    fn encode<'py>(&self, py: Python<'py>, derived: bool, dtype: &str) -> PyResult<Bound<'py, PyAny>> {
        match dtype {
            "float32" => Ok(PyArray1::from_vec(py, guard(|| self.seen.encode_floats(derived))?).into_any()),
            "uint8" => Ok(PyArray1::from_vec(py, guard(|| self.seen.encode(derived))?).into_any()),
            other => Err(wrong_dtype(other)),
        }
    }

    /// Everything that the seat knows, as a dict with names.
    #[getter]
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &guard(|| self.seen.facts())?)
    }

    /// Everything that the seat knows, in words.
    #[getter]
    fn text(&self) -> PyResult<String> {
        guard(|| self.seen.text())
    }

    /// The index of a legal action from its text, such as "take red".
    ///
    /// Raises `ValueError` if the text is not understood, and `IllegalAction` if a rule forbids the action.
    fn parse(&self, text: &str) -> PyResult<usize> {
        guard(|| self.seen.parse(text))?.map_err(|why| self.refused(why))
    }

    /// The text of a legal action.
    fn describe(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        let index = crate::state::index(action)?;
        guard(|| self.seen.describe(index))?.map_err(|why| self.refused(why))
    }

    /// A random state that looks the same to the seat.
    fn determinize(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = crate::game::seed)] seed: u64,
    ) -> PyResult<State> {
        Ok(State { position: guard(|| self.seen.determinize(seed))?, game: self.game.clone_ref(py) })
    }

    /// The board as SVG; a game without a board has none.
    fn svg(&self) -> PyResult<Option<String>> {
        guard(|| self.seen.svg())
    }

    fn _repr_svg_(&self) -> PyResult<Option<String>> {
        self.svg()
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Self>() else { return Ok(false) };
        guard(|| self.seen.equals(&*other.get().seen))
    }

    fn __repr__(&self) -> String {
        format!("<ttr.View of {} from seat {}>", self.game.get().rules.map_id(), self.seat())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let view = slf.get();
        let bytes = sealed(view.game.get(), guard(|| view.seen.to_bytes())?);
        let restore = slf.get_type().getattr("_restore")?;
        (restore, (view.game.clone_ref(py), PyBytes::new(py, &bytes), view.seat())).into_pyobject(py)
    }

    /// The view of a pickle.
    #[staticmethod]
    fn _restore(game: Bound<'_, Game>, bytes: &Bound<'_, PyBytes>, seat: i64) -> PyResult<Self> {
        let py = game.py();
        State::restore(game, bytes.as_bytes())?.view(py, seat)
    }
}

impl View {
    fn refused(&self, why: crate::kind::Refused) -> PyErr {
        refused(why, self.game.get().rules.num_actions())
    }
}
