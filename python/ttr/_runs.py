"""Runs: the studies of the commands, with their results as Python objects."""

from __future__ import annotations

import csv
import html
import importlib
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Union

import numpy as np

from ttr import _native
from ttr._native import Agent, Game
from ttr._players import BatchPlayer, Player

PathLike = Union[str, "os.PathLike[str]"]
AnyPlayer = Union[Player, type[Player], BatchPlayer, type[BatchPlayer], Callable[..., Any]]
AnyAgent = Union[str, Agent, AnyPlayer]


class Table(Mapping[str, "np.ndarray[Any, Any]"]):
    """A table of a run: its columns as numpy arrays. `to_polars()` and `to_pandas()` read Parquet."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._columns: dict[str, np.ndarray[Any, Any]] | None = None

    @property
    def columns(self) -> dict[str, np.ndarray[Any, Any]]:
        """The columns by name: whole numbers, floats (NaN for none) or text."""
        if self._columns is None:
            with open(self.path, newline="", encoding="utf-8") as file:
                names, *rows = csv.reader(file)
            columns = zip(*rows) if rows else [()] * len(names)
            self._columns = {name: _column(values) for name, values in zip(names, columns)}
        return self._columns

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        return self.columns[name]

    def __iter__(self) -> Any:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def _parquet(self) -> Path:
        parquet = self.path.with_suffix(".parquet")
        if not parquet.exists():
            raise FileNotFoundError(f"{self.path.name} has no Parquet file beside it")
        return parquet

    def to_polars(self) -> Any:
        """The table as a polars.DataFrame (pip install ttr-engine[polars])."""
        polars: Any = importlib.import_module("polars")
        parquet = self.path.with_suffix(".parquet")
        return polars.read_parquet(parquet) if parquet.exists() else polars.read_csv(self.path)

    def to_pandas(self) -> Any:
        """The table as a pandas.DataFrame (pip install ttr-engine[pandas])."""
        pandas: Any = importlib.import_module("pandas")
        parquet = self.path.with_suffix(".parquet")
        return pandas.read_parquet(parquet) if parquet.exists() else pandas.read_csv(self.path)

    def to_arrow(self) -> Any:
        """The table as a pyarrow.Table (pip install ttr-engine[arrow])."""
        parquet: Any = importlib.import_module("pyarrow.parquet")
        return parquet.read_table(self._parquet())

    def __repr__(self) -> str:
        return f"<ttr table {self.path.name}: {', '.join(self.columns)}>"


def _column(values: Sequence[str]) -> np.ndarray[Any, Any]:
    filled = [value for value in values if value]
    for kind in (int, float):
        try:
            for value in filled:
                kind(value)
        except ValueError:
            continue
        if kind is int and len(filled) == len(values):
            try:
                return np.array([int(value) for value in values], dtype=np.int64)
            except OverflowError:
                break
        return np.array([float(value) if value else np.nan for value in values])
    return np.array(values, dtype=str)


class Run:
    """The directory of a complete run. In a notebook it shows its report.

    `summary` is the dict of summary.json, and every table is an attribute: `run.games`, `run.seats`,
    `run.agents`.
    """

    def __init__(self, path: PathLike) -> None:
        self.path = Path(path)
        if not (self.path / "summary.json").exists() and not (self.path / "results.csv").exists():
            raise ValueError(f"{self.path} is no complete run; ttr.resume plays what is missing")

    @property
    def summary(self) -> dict[str, Any]:
        """The results as a dict; the same numbers as in the report."""
        with open(self.path / "summary.json", encoding="utf-8") as file:
            summary: dict[str, Any] = json.load(file)
        return summary

    @property
    def report(self) -> str:
        """The report as HTML."""
        return (self.path / "report.html").read_text(encoding="utf-8")

    @property
    def tables(self) -> dict[str, Table]:
        """All tables by name."""
        return {path.stem: Table(path) for path in sorted(self.path.glob("*.csv"))}

    @property
    def replays(self) -> list[Path]:
        """The files of saved replays, for `ttr.Replay.load`."""
        return sorted(self.path.glob("**/*.ttr"))

    def __getattr__(self, name: str) -> Table:
        if not name.startswith("_") and (path := self.path / f"{name}.csv").exists():
            return Table(path)
        raise AttributeError(f"{self!r} has no table {name!r}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.tables]

    def __repr__(self) -> str:
        return f"ttr.Run({str(self.path)!r})"

    def _repr_html_(self) -> str:
        return _frame(self.report)


def arena(
    game: Game,
    agents: Iterable[AnyAgent],
    games: int = 40_000,
    seed: int = 1,
    out: PathLike | None = None,
    threads: int = 0,
    *,
    table: bool = False,
    save_replays: int = 0,
    seat_tables: bool = False,
    decisions: bool = False,
    stop_on_forfeit: bool = False,
    anchor: int | None = None,
    sprt: tuple[int, int] | None = None,
    elo0: float = 0.0,
    elo1: float = 10.0,
    time_limit: float = 10.0,
    exec_secret: int | None = None,
    batch: int = 128,
    progress: Callable[[int], Any] | None = None,
) -> Run:
    """Plays agents against each other on identical deals: `ttr arena`, and the same bytes.

    Agents are texts ("planner", "exec:python3 bot.py"), players or functions of (view, rng). With
    `table=True` they are a single line-up, with an agent per seat. `anchor` and `sprt` are indices of agents.
    With a `BatchPlayer`, `batch` games are played at once. `progress` is called with numbers of games. An
    interruption keeps what was played: `ttr.resume(out)` resumes it.

    >>> import tempfile, ttr
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = ttr.arena(ttr.Game("usa"), ["greedy", "random"], games=100, out=f"{folder}/run")
    ...     share = run.summary["agents"][0]["win_share"]["value"]
    ...     rows = len(run.games["deal"])
    >>> share > 0.9, rows
    (True, 100)
    """
    options: dict[str, Any] = {
        "games": games,
        "seed": seed,
        "out": out,
        "threads": threads,
        "table": table,
        "save_replays": save_replays,
        "seat_tables": seat_tables,
        "decisions": decisions,
        "stop_on_forfeit": stop_on_forfeit,
        "anchor": anchor,
        "time_limit": time_limit,
        "exec_secret": exec_secret,
        "batch": batch,
        "progress": progress,
    }
    if sprt is not None:
        options.update(sprt=sprt, elo0=elo0, elo1=elo1)
    return Run(_native.play_run("arena", game, _listed(agents), options))


def tickets(
    game: Game,
    agents: Iterable[AnyAgent] | None = None,
    games: int = 20_000,
    seed: int = 1,
    out: PathLike | None = None,
    threads: int = 0,
    *,
    forced: bool = False,
    batch: int = 128,
    progress: Callable[[int], Any] | None = None,
) -> Run:
    """Estimates the value of tickets, routes and cities: `ttr tickets`, and the same bytes."""
    options = {
        "games": games,
        "seed": seed,
        "out": out,
        "threads": threads,
        "forced": forced,
        "batch": batch,
        "progress": progress,
    }
    return Run(_native.play_run("tickets", game, _listed(agents or [_best(game)]), options))


def tune(
    game: Game,
    agent: str | None = None,
    against: Iterable[str] = (),
    out: PathLike | None = None,
    threads: int = 0,
    *,
    params: Sequence[str] = (),
    budget: int = 200_000,
    deals: int = 100,
    candidates: int = 16,
    step: float = 0.1,
    confirm: int = 20_000,
    seed: int = 1,
    progress: Callable[[int], Any] | None = None,
) -> Run:
    """Tunes the weights of an agent by self-play: `ttr tune`, and the same bytes."""
    options = {
        "seed": seed,
        "out": out,
        "threads": threads,
        "params": list(params),
        "budget": budget,
        "deals": deals,
        "candidates": candidates,
        "step": step,
        "confirm": confirm,
        "progress": progress,
    }
    return Run(_native.play_run("tune", game, [agent or _best(game), *_listed(against)], options))


def rate(
    agent: str,
    card_game: str | None = None,
    out: PathLike | None = None,
    threads: int = 0,
    *,
    only: Sequence[str] = (),
    times: int = 1,
    progress: Callable[[int], Any] | None = None,
) -> Run:
    """Rates an agent on the ladder of fixed opponents: `ttr rate`, and the same bytes."""
    path = None if out is None else os.fspath(out)
    return Run(_native.play_rate(agent, card_game, list(only), times, path, threads, progress, False))


def experiment(
    path: PathLike,
    threads: int = 0,
    *,
    only: Sequence[str] = (),
    progress: Callable[[int], Any] | None = None,
) -> Run:
    """Runs an experiment and writes results next to its file: `ttr experiment run`, and the same bytes."""
    return Run(_native.play_experiment(os.fspath(path), list(only), threads, progress))


def resume(
    path: PathLike,
    agents: Iterable[AnyAgent] = (),
    threads: int = 0,
    *,
    batch: int = 128,
    progress: Callable[[int], Any] | None = None,
) -> Run:
    """Plays what is missing of an interrupted run. Agents that were written in Python must be given again."""
    map, seats, study, _ = _native.plan_of(os.fspath(path))
    if study == "rate":
        return Run(_native.play_rate("", None, [], 1, os.fspath(path), threads, progress, True))
    options = {"out": path, "threads": threads, "batch": batch, "progress": progress}
    return Run(_native.play_run("resume", Game(map, seats), list(agents), options))


def _best(game: Game) -> str:
    """The best agent without search."""
    return "planner" if game.routes else "yard"


def _listed(agents: Iterable[AnyAgent]) -> list[AnyAgent]:
    if isinstance(agents, str):
        raise ValueError(f"expected a list of agents, found {agents!r}")
    return list(agents)


def _frame(page: str, height: int = 720) -> str:
    """A page inside a notebook, apart from the styles and scripts around it."""
    return f'<iframe srcdoc="{html.escape(page)}" width="100%" height="{height}" style="border:0"></iframe>'
