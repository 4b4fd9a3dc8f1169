//! `ttr.State`: a position, with everything in it.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use ttr_engine::codec;

use crate::errors::{guard, illegal, invalid};
use crate::game::Game;
use crate::json;
use crate::kind::{Position, Refused};
use crate::view::View;

/// The first bytes of a pickled state: what it is, and the version of its form.
const MAGIC: &[u8] = b"ttr-state-1";

/// A position of a game, with its chance: what `play` draws is determined by the seed of the deal.
///
/// A state is a value: copy it with `copy()`, compare it with `==`, pickle it.
///
/// >>> import ttr
/// >>> state = ttr.Game("usa").deal(seed=1)
/// >>> while (seat := state.turn) is not None:
/// ...     view = state.view(seat)
/// ...     state.play(view.legal[-1])
/// >>> len(state.points), min(state.ranks)
/// (2, 0)
#[pyclass(module = "ttr")]
pub(crate) struct State {
    pub(crate) position: Box<dyn Position>,
    pub(crate) game: Py<Game>,
}

/// The exception of an action that was not played.
pub(crate) fn refused(refused: Refused, num_actions: usize) -> PyErr {
    match refused {
        Refused::Index(index) => {
            invalid(format!("there is no action {index}; actions are 0 to {}", num_actions - 1))
        }
        Refused::Text(why) => invalid(why),
        Refused::Illegal(why) => illegal(&why),
    }
}

impl State {
    /// The state of bytes that `to_bytes` made for this game.
    pub(crate) fn restore(game: Bound<'_, Game>, bytes: &[u8]) -> PyResult<Self> {
        let rules = game.get().rules.clone();
        let damaged = |why: &str| invalid(format!("this is no state of {}: {why}", rules.map_id()));
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| damaged("it does not start like one"))?;
        let (content, checksum) = rest.split_last_chunk::<8>().ok_or_else(|| damaged("it was cut off"))?;
        if codec::checksum(&bytes[..bytes.len() - 8]) != u64::from_le_bytes(*checksum) {
            return Err(damaged("its checksum does not match"));
        }
        let (hash, content) = content.split_first_chunk::<8>().ok_or_else(|| damaged("it was cut off"))?;
        if u64::from_le_bytes(*hash) != rules.rules_hash() {
            return Err(damaged("its rules are others"));
        }
        let restored = guard(|| {
            let position = rules.clone().restore(content)?;
            position.touch();
            Ok::<_, String>(position)
        });
        match restored {
            Ok(Ok(position)) => Ok(Self { position, game: game.unbind() }),
            Ok(Err(why)) => Err(damaged(&why)),
            Err(_) => Err(damaged("it makes no sense")),
        }
    }

    fn num_actions(&self) -> usize {
        self.game.get().rules.num_actions()
    }
}

/// The bytes of a position for a pickle.
pub(crate) fn sealed(game: &Game, content: Vec<u8>) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(game.rules.rules_hash().to_le_bytes());
    bytes.extend(content);
    bytes.extend(codec::checksum(&bytes).to_le_bytes());
    bytes
}

#[pymethods]
impl State {
    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// The seat that decides; None when the game is over.
    #[getter]
    fn turn(&self) -> PyResult<Option<usize>> {
        guard(|| self.position.turn().map(|seat| seat.index()))
    }

    /// What a seat sees.
    pub(crate) fn view(&self, py: Python<'_>, seat: i64) -> PyResult<View> {
        let seat = self.game.get().seat(seat)?;
        Ok(View { seen: guard(|| self.position.view(seat))?, game: self.game.clone_ref(py) })
    }

    /// Plays an action of the seat that decides: its index, or its text such as "take red".
    ///
    /// Raises `IllegalAction` with the number of the rule in `rule`; the state is then unchanged.
    fn play(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let num_actions = self.num_actions();
        let position = &mut self.position;
        let played = if let Ok(text) = action.extract::<String>() {
            guard(|| position.play_text(&text))?
        } else {
            let index = index(action)?;
            guard(|| position.play(index))?
        };
        played.map_err(|why| refused(why, num_actions))
    }

    /// The indices of the legal actions, in order.
    #[getter]
    fn legal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i32>>> {
        Ok(PyArray1::from_vec(py, guard(|| self.position.legal())?))
    }

    /// Points by seat; before the end, as if the game ended now.
    #[getter]
    fn points(&self) -> PyResult<Vec<i16>> {
        guard(|| self.position.scores().points.to_vec())
    }

    /// Rank by seat, 0 for a winner; before the end, as if the game ended now.
    #[getter]
    fn ranks(&self) -> PyResult<Vec<u32>> {
        guard(|| self.position.scores().ranks.iter().map(|&rank| rank.into()).collect())
    }

    /// How each seat stands: points by source, tickets, routes; before the end, as if the game ended now.
    #[getter]
    fn score_sheet<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &guard(|| self.position.results())?)
    }

    /// Everything that is hidden, as a vector for critics: the blocks of `game.hidden_layout`, seats counted from
    /// `seat`. No view gives it: it is here only because you ask.
    #[pyo3(signature = (seat=0, *, dtype="float32"))]
    fn full<'py>(&self, py: Python<'py>, seat: i64, dtype: &str) -> PyResult<Bound<'py, PyAny>> {
        let seat = self.game.get().seat(seat)?;
        let (bytes, floats) = guard(|| self.position.hidden(seat))?;
        match dtype {
            "float32" => Ok(PyArray1::from_vec(py, floats).into_any()),
            "uint8" => Ok(PyArray1::from_vec(py, bytes).into_any()),
            other => Err(crate::view::wrong_dtype(other)),
        }
    }

    /// The position with everything open, as a dict.
    #[getter]
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &guard(|| self.position.open())?)
    }

    /// The position with everything open, in words.
    #[getter]
    fn text(&self) -> PyResult<String> {
        guard(|| self.position.text())
    }

    /// The board as SVG; a game without a board has none.
    fn svg(&self) -> PyResult<Option<String>> {
        guard(|| self.position.svg())
    }

    fn _repr_svg_(&self) -> PyResult<Option<String>> {
        self.svg()
    }

    /// Another state that is equal and goes its own way.
    fn copy(&self, py: Python<'_>) -> Self {
        Self { position: self.position.copy(), game: self.game.clone_ref(py) }
    }

    fn __copy__(&self, py: Python<'_>) -> Self {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy(py)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Self>() else { return false };
        other.try_borrow().is_ok_and(|other| self.position.equals(&*other.position))
    }

    fn __repr__(&self) -> PyResult<String> {
        let turn = match self.turn()? {
            Some(seat) => format!("seat {seat} decides"),
            None => "over".to_owned(),
        };
        Ok(format!("<ttr.State of {}, {turn}>", self.game.get().rules.map_id()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let bytes = sealed(self.game.get(), guard(|| self.position.to_bytes())?);
        (self.game.bind(py).getattr("_state")?, (PyBytes::new(py, &bytes),)).into_pyobject(py)
    }
}

/// The index of an action: any whole number, also of numpy.
pub(crate) fn index(action: &Bound<'_, PyAny>) -> PyResult<i64> {
    let wrong =
        || invalid(format!("expected the index or the text of an action, found {}", action.get_type()));
    if action.is_instance_of::<pyo3::types::PyBool>() {
        return Err(wrong());
    }
    action.extract::<i64>().map_err(|_| wrong())
}
