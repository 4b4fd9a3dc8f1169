//! `ttr.Game`: the rules of a map for a number of seats.

use std::collections::BTreeMap;
use std::sync::Arc;

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple, PyType};
use ttr_engine::board::BoardGame;
use ttr_engine::card_game::CardGame;
use ttr_engine::maps::{self, AnySpec, WITH_DEPOTS};
use ttr_engine::spec::MapError;
use ttr_engine::{Layout, Seat};

use crate::errors::{detached, guard, invalid};
use crate::json;
use crate::kind::{Compiled, Rules};
use crate::state::State;

/// The rules of a map for a number of seats.
///
/// `map` is the id of a shipped map or the path of a map file, `seats` the number of seats (the map's minimum by
/// default). `depots=True` adds the warehouses and depots of Europa 1912. `rules` changes rules of a board, with the
/// keys of a map file.
///
/// >>> import ttr
/// >>> game = ttr.Game("europe", seats=3, rules={"trains": 35})
/// >>> game.map, game.seats, game.num_actions
/// ('europe', 3, 2421)
/// >>> state = game.deal(seed=7)
/// >>> state.view(0).facts["seats"][1]["trains"]
/// 35
#[pyclass(module = "ttr", frozen, weakref)]
pub(crate) struct Game {
    pub(crate) rules: Arc<dyn Rules>,
    /// The map as it was given, with depots.
    pub(crate) given: String,
    /// The rules that were given, as JSON.
    changes: Option<String>,
    /// The texts of the map's file and of its bases, by path, as far as they are not shipped.
    files: Files,
}

/// Texts by path.
type Files = BTreeMap<String, String>;

/// The map of a file from its text. Its bases are taken from files, or read and added to them.
fn from_text(path: &str, text: &str, files: &mut Files) -> Result<AnySpec, MapError> {
    let is_card_game = toml::from_str::<toml::Table>(text)
        .is_ok_and(|table| table.get("game").and_then(toml::Value::as_str) == Some(maps::CARD_GAME));
    if is_card_game {
        maps::parse_card_game(path, text).map(AnySpec::CardGame)
    } else {
        maps::parse_among(path, text, files).map(AnySpec::Board)
    }
}

/// Merges tables key by key.
fn merge(into: &mut toml::Table, changes: toml::Table) {
    for (key, value) in changes {
        match (into.get_mut(&key), value) {
            (Some(toml::Value::Table(old)), toml::Value::Table(new)) => merge(old, new),
            (_, value) => {
                into.insert(key, value);
            }
        }
    }
}

impl Game {
    /// The game of a map whose files may be given as texts.
    fn build(
        map: &str,
        seats: Option<usize>,
        depots: bool,
        changes: Option<String>,
        mut files: Files,
    ) -> PyResult<Self> {
        let (name, depots) = match map.strip_suffix(WITH_DEPOTS) {
            Some(name) => (name, true),
            None => (map, depots),
        };
        let is_shipped = maps::all_ids().any(|id| id == name);
        let text = match files.get(name) {
            Some(text) => Some(text.clone()),
            None if is_shipped => None,
            // Its errors are better than those of a file that can't be read.
            None => {
                maps::find_any(name).map_err(invalid)?;
                let text = std::fs::read_to_string(name).map_err(invalid)?;
                files.insert(name.to_owned(), text.clone());
                Some(text)
            }
        };
        let mut spec = match (&text, &changes) {
            (None, None) => maps::find_any(name).map_err(invalid)?,
            (Some(text), None) => from_text(name, text, &mut files).map_err(invalid)?,
            (text, Some(changes)) => {
                let changes = serde_json::from_str::<toml::Table>(changes);
                let changes =
                    changes.map_err(|why| invalid(format!("rules: {why}; use the keys of a map file")))?;
                let mut table = match text {
                    Some(text) => toml::from_str::<toml::Table>(text).map_err(invalid)?,
                    None if name == maps::CARD_GAME => {
                        return Err(invalid(
                            "rules changes a board; for a Card Game of your own copy its map file",
                        ));
                    }
                    None => {
                        let map = maps::load(name).map_err(invalid)?;
                        let fields = [("name", map.name), ("base", name.to_owned())];
                        let mut table: toml::Table =
                            fields.into_iter().map(|(key, value)| (key.to_owned(), value.into())).collect();
                        table.insert("format".to_owned(), 1.into());
                        table
                    }
                };
                let rules = table.entry("rules").or_insert_with(|| toml::Table::new().into());
                match rules {
                    toml::Value::Table(rules) => merge(rules, changes),
                    _ => return Err(invalid("the map's rules are no table")),
                }
                let whole = toml::to_string(&table).map_err(invalid)?;
                // The file's name gives the map its id, and its folder finds its base.
                let path = if is_shipped { format!("{name}.toml") } else { name.to_owned() };
                from_text(&path, &whole, &mut files).map_err(invalid)?
            }
        };
        if depots {
            spec = match spec {
                AnySpec::Board(map) => AnySpec::Board(maps::with_depots(map).map_err(invalid)?),
                AnySpec::CardGame(_) => {
                    return Err(invalid("depots need a board, and the Card Game has none; leave out depots"));
                }
            };
        }
        let seats = seats.unwrap_or(spec.seats().min.into());
        let rules: Arc<dyn Rules> = match &spec {
            AnySpec::Board(map) => Arc::new(Compiled::new(BoardGame::new(map, seats).map_err(invalid)?)),
            AnySpec::CardGame(cards) => {
                Arc::new(Compiled::new(CardGame::new(cards, seats).map_err(invalid)?))
            }
        };
        let given = if depots { format!("{name}{WITH_DEPOTS}") } else { name.to_owned() };
        Ok(Self { rules, given, changes, files })
    }

    /// Whether rules were changed, so that the map alone does not say what is played.
    pub(crate) fn is_changed(&self) -> bool {
        self.changes.is_some()
    }

    /// Checks the number of a seat.
    pub(crate) fn seat(&self, seat: i64) -> PyResult<Seat> {
        let seats = self.rules.seats();
        usize::try_from(seat)
            .ok()
            .filter(|&seat| seat < seats)
            .map(Seat::new)
            .ok_or_else(|| invalid(format!("there is no seat {seat}; the seats are 0 to {}", seats - 1)))
    }
}

/// A seed of Python: any whole number from 0 to 2^64 - 1.
pub(crate) fn seed(seed: &Bound<'_, PyAny>) -> PyResult<u64> {
    seed.extract::<u64>().map_err(|_| {
        invalid(format!(
            "expected a seed from 0 to {}, found {}",
            u64::MAX,
            seed.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string())
        ))
    })
}

/// A layout as a dict of blocks.
fn layout<'py>(py: Python<'py>, layout: &Layout) -> PyResult<Bound<'py, PyDict>> {
    let blocks = PyDict::new(py);
    for block in layout.blocks() {
        let entry = PyDict::new(py);
        entry.set_item("start", block.start)?;
        entry.set_item("rows", block.rows)?;
        entry.set_item(
            "columns",
            block.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>(),
        )?;
        entry.set_item(
            "scales",
            block.columns.iter().map(|column| u32::from(column.scale)).collect::<Vec<_>>(),
        )?;
        blocks.set_item(block.name, entry)?;
    }
    Ok(blocks)
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (map, seats=None, *, depots=false, rules=None))]
    fn new(
        py: Python<'_>,
        map: &Bound<'_, PyAny>,
        seats: Option<i64>,
        depots: bool,
        rules: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let map: String = py.import("os")?.call_method1("fspath", (map,))?.extract()?;
        let seats = seats.map(|seats| {
            usize::try_from(seats).map_err(|_| invalid(format!("expected a number of seats, found {seats}")))
        });
        let seats = seats.transpose()?;
        let changes =
            rules.map(|rules| py.import("json")?.call_method1("dumps", (rules,))?.extract::<String>());
        let changes = changes.transpose()?;
        detached(py, || Self::build(&map, seats, depots, changes, Files::new()))?
    }

    /// The map's id.
    #[getter]
    fn map(&self) -> &str {
        self.rules.map_id()
    }

    /// The map's name for people.
    #[getter]
    fn name(&self) -> &str {
        self.rules.name()
    }

    /// Number of seats, the players' places at the table; they are numbered from 0.
    #[getter]
    fn seats(&self) -> usize {
        self.rules.seats()
    }

    /// A hash of all rules and data of the game.
    #[getter]
    fn rules_hash(&self) -> u64 {
        self.rules.rules_hash()
    }

    /// Number of actions: indices are 0 to this, exclusive.
    #[getter]
    fn num_actions(&self) -> usize {
        self.rules.num_actions()
    }

    /// Identifies the list of actions: with equal hashes, every index stands for the same action.
    #[getter]
    fn space_hash(&self) -> u64 {
        self.rules.space_hash()
    }

    /// The version of the order of actions.
    #[getter]
    fn space_version(&self) -> u32 {
        self.rules.space_version()
    }

    /// Length of `view.obs`.
    #[getter]
    fn observation_size(&self) -> usize {
        self.rules.layout(false).len()
    }

    /// The version of observations.
    #[getter]
    fn layout_version(&self) -> u32 {
        self.rules.layout_version()
    }

    /// Identifies the layout of observations: with equal hashes, every number has the same meaning and scale.
    #[getter]
    fn layout_hash(&self) -> u64 {
        self.rules.layout(false).hash()
    }

    /// The blocks of an observation by name: `start`, `rows`, names of `columns`, and the `scales` that bytes are
    /// divided by.
    #[getter]
    fn layout<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        layout(py, &self.rules.layout(false))
    }

    /// As `layout`, with the derived blocks.
    #[getter]
    fn derived_layout<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        layout(py, &self.rules.layout(true))
    }

    /// The blocks of `state.full()`.
    #[getter]
    fn hidden_layout<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        layout(py, self.rules.hidden_layout())
    }

    /// The actions as columns, one row per index; -1 stands for none. `keep` and `cards` are bits: of the offered
    /// tickets, and of card kinds.
    #[getter]
    fn actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let rows = self.rules.actions();
        let columns = PyDict::new(py);
        let kinds = PyList::new(py, rows.iter().map(|row| row.kind))?;
        columns.set_item("kind", py.import("numpy")?.call_method1("array", (kinds,))?)?;
        let id = |index: Option<usize>| index.map_or(-1, |index| index as i32);
        let column = |name: &str, values: Vec<i32>| columns.set_item(name, PyArray1::from_vec(py, values));
        column("keep", rows.iter().map(|row| row.keep.into()).collect())?;
        column("cards", rows.iter().map(|row| row.cards.into()).collect())?;
        column("count", rows.iter().map(|row| row.count.into()).collect())?;
        column("locomotives", rows.iter().map(|row| row.locomotives.into()).collect())?;
        column("sets", rows.iter().map(|row| row.sets.into()).collect())?;
        column("route", rows.iter().map(|row| id(row.route.map(|route| route.index()))).collect())?;
        column("city", rows.iter().map(|row| id(row.city.map(|city| city.index()))).collect())?;
        column("seat", rows.iter().map(|row| id(row.seat.map(Seat::index))).collect())?;
        column("ticket", rows.iter().map(|row| id(row.ticket.map(|ticket| ticket.index()))).collect())?;
        Ok(columns)
    }

    /// Map, rules and names: everything public, as a dict.
    #[getter]
    fn description<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.rules.description())
    }

    /// The routes as a list of dicts, in the order of the column `route` of `actions`; the Card Game has none.
    /// `to_polars()` and `to_pandas()` make it a data frame.
    #[getter]
    fn routes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.records(py, "routes")
    }

    /// The tickets as a list of dicts, in the order of the column `ticket` of `actions`.
    /// `to_polars()` and `to_pandas()` make it a data frame.
    #[getter]
    fn tickets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.records(py, "tickets")
    }

    /// The names of the cities, in the order of the column `city` of `actions`; the Card Game has none.
    #[getter]
    fn cities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.part(py, "cities")
    }

    /// Deals. The same seed gives the same deal, and with the same actions the same game.
    #[pyo3(signature = (seed))]
    fn deal(slf: Bound<'_, Self>, #[pyo3(from_py_with = crate::game::seed)] seed: u64) -> PyResult<State> {
        let rules = slf.get().rules.clone();
        Ok(State { position: guard(|| rules.deal(seed))?, game: slf.unbind() })
    }

    /// The board as SVG; a game without a board has none.
    fn svg(&self, py: Python<'_>) -> PyResult<Option<String>> {
        detached(py, || self.rules.svg())
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.svg(py)
    }

    fn __repr__(&self) -> String {
        let rules = self.changes.as_ref().map_or_else(String::new, |changes| format!(", rules={changes}"));
        format!("ttr.Game({:?}, seats={}{rules})", self.given, self.rules.seats())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Self>();
        other.is_ok_and(|other| {
            let other = other.get();
            self.rules.rules_hash() == other.rules.rules_hash() && self.rules.seats() == other.rules.seats()
        })
    }

    fn __hash__(&self) -> u64 {
        self.rules.rules_hash() ^ self.rules.seats() as u64
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let game = slf.get();
        let restore = slf.get_type().getattr("_restore")?;
        let arguments = (
            &game.given,
            game.rules.seats(),
            game.changes.as_deref(),
            game.files.clone(),
            game.rules.rules_hash(),
        );
        (restore, arguments).into_pyobject(py)
    }

    /// The game of a pickle.
    #[classmethod]
    fn _restore(
        _class: &Bound<'_, PyType>,
        map: &str,
        seats: usize,
        changes: Option<String>,
        files: Files,
        rules_hash: u64,
    ) -> PyResult<Self> {
        let game = guard(|| Self::build(map, Some(seats), false, changes, files))??;
        if game.rules.rules_hash() == rules_hash {
            return Ok(game);
        }
        Err(invalid(format!(
            "the rules of {map} are not those of this pickle: it was made by another version of ttr"
        )))
    }

    /// The state of a pickle.
    fn _state(slf: Bound<'_, Self>, bytes: &Bound<'_, PyBytes>) -> PyResult<State> {
        State::restore(slf, bytes.as_bytes())
    }
}

impl Game {
    /// A part of the description whose members are dicts.
    fn records<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        py.import("ttr._records")?.getattr("Records")?.call1((self.part(py, name)?,))
    }

    fn part<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let description = self.rules.description();
        json::to_python(py, description.get(name).unwrap_or(&serde_json::Value::Array(Vec::new())))
    }
}
