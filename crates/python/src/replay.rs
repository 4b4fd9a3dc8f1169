//! `ttr.Replay`: a recorded game.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};
use serde_json::Value as Json;
use ttr_cli::words::replay_text::Story;
use ttr_engine::{ActionSpace, Dice, Replay as Recorded, ReplayHeader, Seat, Turn, input_file};

use crate::errors::{detached, guard, invalid};
use crate::game::Game;
use crate::json;
use crate::kind::{At, Compiled, Kind, Position};
use crate::state::State;

/// A recorded game of any kind.
pub(crate) trait Record: Send + Sync {
    fn header(&self) -> &ReplayHeader;
    fn points(&self) -> &[i16];
    fn to_bytes(&self) -> Vec<u8>;
    fn text(&self) -> Result<String, String>;
    fn verify(&self) -> Result<(), String>;
    fn actions(&self) -> Vec<i64>;
    fn story(&self, eyes: Option<Seat>) -> Result<Json, String>;
    fn states(&self) -> Vec<Box<dyn Position>>;
}

struct RecordOf<G: Kind> {
    game: Arc<Compiled<G>>,
    replay: Recorded<G::Action>,
}

/// Reads a record, in bytes or as text, and plays it again.
pub(crate) fn read<G: Kind>(game: Arc<Compiled<G>>, record: &[u8]) -> Result<Box<dyn Record>, String> {
    let replay = Recorded::read(game.game(), record).map_err(|why| why.to_string())?;
    replay.verify(game.game()).map_err(|why| why.to_string())?;
    Ok(Box::new(RecordOf { game, replay }))
}

/// Records a game from its actions.
pub(crate) fn record<G: Kind>(
    game: Arc<Compiled<G>>,
    seed: u64,
    agents: Vec<String>,
    actions: &[i64],
) -> Result<Box<dyn Record>, String> {
    let rules = game.game();
    let mut chance = Dice::from_seed(seed);
    let mut state = rules.deal(&mut chance);
    let mut taken = Vec::new();
    for (number, &index) in actions.iter().enumerate() {
        if rules.turn(&state) == Turn::Over {
            return Err(format!("the game is over after {number} of {} actions", actions.len()));
        }
        let action = usize::try_from(index).ok().and_then(|index| game.numbers.space.action(index));
        let action = action.ok_or_else(|| format!("decision {}: there is no action {index}", number + 1))?;
        let played = rules.play(&mut state, action, &mut chance);
        played.map_err(|why| format!("decision {}: {why}", number + 1))?;
        taken.push(action);
    }
    if rules.turn(&state) != Turn::Over {
        return Err(format!("the game is not over after {} actions", actions.len()));
    }
    let header = ReplayHeader {
        map: rules.map_id().to_owned(),
        rules_hash: rules.rules_hash(),
        seats: rules.seats() as u8,
        seed,
        agents,
    };
    let points = rules.scores(&state).points.to_vec();
    Ok(Box::new(RecordOf { game, replay: Recorded { header, actions: taken, points } }))
}

impl<G: Kind> Record for RecordOf<G> {
    fn header(&self) -> &ReplayHeader {
        &self.replay.header
    }

    fn points(&self) -> &[i16] {
        &self.replay.points
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.replay.to_bytes()
    }

    fn text(&self) -> Result<String, String> {
        self.replay.to_text(self.game.game()).map_err(|why| why.to_string())
    }

    fn verify(&self) -> Result<(), String> {
        self.replay.verify(self.game.game()).map(|_| ()).map_err(|why| why.to_string())
    }

    fn actions(&self) -> Vec<i64> {
        let index = |&action| self.game.numbers.space.index(action).map_or(-1, |index| index as i64);
        self.replay.actions.iter().map(index).collect()
    }

    fn story(&self, eyes: Option<Seat>) -> Result<Json, String> {
        let story = Story::of(self.game.game(), &self.replay, eyes).map_err(|why| why.to_string())?;
        serde_json::to_value(&story).map_err(|why| why.to_string())
    }

    fn states(&self) -> Vec<Box<dyn Position>> {
        let rules = self.game.game();
        let mut dice = Dice::from_seed(self.replay.header.seed);
        let state = rules.deal(&mut dice);
        let mut at = At { game: self.game.clone(), state, dice };
        let mut states = vec![at.copy()];
        for &action in &self.replay.actions {
            rules.play_unchecked(&mut at.state, action, &mut at.dice);
            states.push(at.copy());
        }
        states
    }
}

/// A recorded game, verified: it is played again when it is loaded.
///
/// >>> import ttr
/// >>> game = ttr.Game("usa")
/// >>> state, actions = game.deal(seed=5), []
/// >>> while state.turn is not None:
/// ...     actions.append(state.legal[0])
/// ...     state.play(actions[-1])
/// >>> replay = ttr.Replay.record(game, seed=5, actions=actions, agents=["a", "b"])
/// >>> replay.points == state.points, len(replay.states) == len(actions) + 1
/// (True, True)
#[pyclass(module = "ttr", frozen)]
pub(crate) struct Replay {
    record: Box<dyn Record>,
    game: Py<Game>,
}

/// Most bytes of a record that is read. Real records have a few thousand.
const MOST_BYTES: u64 = 16 << 20;

/// Text inside HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[pymethods]
impl Replay {
    /// The record of some bytes, or of the text form. `game` is needed if its map is not shipped.
    #[classmethod]
    #[pyo3(signature = (record, game=None))]
    fn from_bytes(class: &Bound<'_, PyType>, record: &[u8], game: Option<Bound<'_, Game>>) -> PyResult<Self> {
        let py = class.py();
        let game = match game {
            Some(game) => game,
            None => {
                let (map, seats) = guard(|| ttr_engine::replay_game(record))?.map_err(invalid)?;
                let plain = map.strip_suffix(ttr_engine::maps::WITH_DEPOTS).unwrap_or(&map);
                if !ttr_engine::maps::all_ids().any(|id| id == plain) {
                    // A record must not choose which file is read.
                    return Err(invalid(format!(
                        "the game was played on the map {map:?}, which is not shipped; give the game it was played with"
                    )));
                }
                py.get_type::<Game>().call1((map, seats))?.cast_into::<Game>()?
            }
        };
        let rules = game.get().rules.clone();
        let read = detached(py, || rules.replay(record))?.map_err(invalid)?;
        Ok(Self { record: read, game: game.unbind() })
    }

    /// Records a game from the seed of its deal and the indices of its actions.
    #[staticmethod]
    #[pyo3(signature = (game, seed, actions, agents=None))]
    fn record(
        game: Bound<'_, Game>,
        #[pyo3(from_py_with = crate::game::seed)] seed: u64,
        actions: &Bound<'_, PyAny>,
        agents: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let actions =
            actions.try_iter()?.map(|action| crate::state::index(&action?)).collect::<PyResult<Vec<_>>>()?;
        let rules = game.get().rules.clone();
        let agents = agents.unwrap_or_else(|| vec!["python".to_owned(); rules.seats()]);
        if agents.len() != rules.seats() {
            return Err(invalid(format!(
                "expected the names of {} agents, found {}",
                rules.seats(),
                agents.len()
            )));
        }
        let record = guard(|| rules.record(seed, agents, &actions))?.map_err(invalid)?;
        Ok(Self { record, game: game.unbind() })
    }

    /// Loads and verifies a .ttr file, or the text form. `game` is needed if its map is not shipped.
    #[classmethod]
    #[pyo3(signature = (path, game=None))]
    fn load(class: &Bound<'_, PyType>, path: PathBuf, game: Option<Bound<'_, Game>>) -> PyResult<Self> {
        let record = input_file::read(&path, MOST_BYTES)?;
        Self::from_bytes(class, &record, game)
    }

    /// Writes a .ttr file.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        Ok(std::fs::write(path, self.record.to_bytes())?)
    }

    /// The board after a number of decisions, the last position by default; a game without a board has none.
    #[pyo3(signature = (decision=None))]
    fn svg(&self, decision: Option<i64>) -> PyResult<Option<String>> {
        let positions = guard(|| self.record.states())?;
        let last = positions.len() - 1;
        let at =
            decision.map_or(Some(last), |decision| usize::try_from(decision).ok().filter(|&at| at <= last));
        let at = at.ok_or_else(|| invalid(format!("expected a decision from 0 to {last}")))?;
        guard(|| positions[at].svg())
    }

    /// A page with a slider over the positions of the game.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        let story = guard(|| self.record.story(None))?.map_err(invalid)?;
        let decisions = story.get("decisions").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
        let caption = |step: &Json| {
            let action = step["action"].as_str().unwrap_or_default();
            // Seats are called as in the picture, from 1.
            let seat = step["seat"].as_u64().unwrap_or_default() + 1;
            format!("{}. seat {seat}: {action}", step["number"])
        };
        let captions: Vec<String> =
            std::iter::once("the deal".to_owned()).chain(decisions.iter().map(caption)).collect();
        let board = |position: Box<dyn Position>| {
            position.svg().unwrap_or_else(|| format!("<pre>{}</pre>", escaped(&position.text())))
        };
        let boards: Vec<String> = detached(py, || self.record.states().into_iter().map(board).collect())?;
        let Boards { pieces, boards, board_of } = Boards::new(&boards);
        let data = serde_json::json!({
            "captions": captions,
            "pieces": pieces,
            "boards": boards,
            "board_of": board_of,
        });
        let data = data.to_string();
        // So that nothing in it ends the script.
        Ok(include_str!("replay.html").replace("DATA", &data.replace('<', "\\u003c")))
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let page = escaped(&self.html(py)?);
        Ok(format!(r#"<iframe srcdoc="{page}" width="100%" height="720" style="border:0"></iframe>"#))
    }

    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// The seed of the deal.
    #[getter]
    fn seed(&self) -> u64 {
        self.record.header().seed
    }

    /// The agents by seat.
    #[getter]
    fn agents(&self) -> Vec<String> {
        self.record.header().agents.clone()
    }

    /// The points by seat.
    #[getter]
    fn points(&self) -> Vec<i16> {
        self.record.points().to_vec()
    }

    /// The indices of all actions.
    #[getter]
    fn actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        Ok(PyArray1::from_vec(py, guard(|| self.record.actions())?))
    }

    /// The states: before every decision, and at the end.
    #[getter]
    fn states(&self, py: Python<'_>) -> PyResult<Vec<State>> {
        let positions = guard(|| self.record.states())?;
        Ok(positions.into_iter().map(|position| State { position, game: self.game.clone_ref(py) }).collect())
    }

    /// The decisions and what came of them, as a list of dicts; with a seat, as that seat saw them.
    #[pyo3(signature = (seat=None))]
    fn steps<'py>(&self, py: Python<'py>, seat: Option<i64>) -> PyResult<Bound<'py, PyAny>> {
        let eyes = seat.map(|seat| self.game.get().seat(seat)).transpose()?;
        let story = guard(|| self.record.story(eyes))?.map_err(invalid)?;
        json::to_python(py, story.get("decisions").unwrap_or(&Json::Null))
    }

    /// The text form: a few lines about the game, then one per decision.
    #[getter]
    fn text(&self) -> PyResult<String> {
        guard(|| self.record.text())?.map_err(invalid)
    }

    /// The byte form, as in .ttr files.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.record.to_bytes())
    }

    /// Plays the game again. Raises `ValueError` if the record is wrong; one that was loaded never is.
    fn verify(&self) -> PyResult<()> {
        guard(|| self.record.verify())?.map_err(invalid)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| self.record.to_bytes() == other.get().record.to_bytes())
    }

    fn __repr__(&self) -> String {
        format!("<ttr.Replay of {}, {}>", self.game.get().given, self.record.header().agents.join(", "))
    }

    fn __len__(&self) -> usize {
        self.record.actions().len()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let restore = slf.get_type().getattr("from_bytes")?;
        let replay = slf.get();
        (restore, (replay.to_bytes(slf.py()), replay.game.clone_ref(slf.py()))).into_pyobject(slf.py())
    }
}

/// The pictures of a game: little changes from one to the next, so their elements are stored once.
#[derive(Default)]
struct Boards<'b> {
    /// All different elements.
    pieces: Vec<&'b str>,
    /// All different pictures, as the numbers of their elements.
    boards: Vec<Vec<usize>>,
    /// The number of the picture of each position.
    board_of: Vec<usize>,
}

impl<'b> Boards<'b> {
    fn new(pictures: &'b [String]) -> Self {
        let mut stored = Self::default();
        let (mut known_pieces, mut known_boards) = (HashMap::new(), HashMap::new());
        for picture in pictures {
            let at = *known_boards.entry(picture.as_str()).or_insert_with(|| {
                let pieces = picture.split_inclusive('>').map(|piece| {
                    *known_pieces.entry(piece).or_insert_with(|| {
                        stored.pieces.push(piece);
                        stored.pieces.len() - 1
                    })
                });
                stored.boards.push(pieces.collect());
                stored.boards.len() - 1
            });
            stored.board_of.push(at);
        }
        stored
    }
}
