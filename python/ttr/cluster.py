"""Runs on many machines with Ray (pip install ttr-engine[ray]).

    import ttr
    import ttr.cluster

    run = ttr.cluster.arena(ttr.Game("usa"), ["planner", "ismcts:iters=500"], games=1_000_000, out="big")

The functions take the arguments of those of `ttr`, and write the same bytes. A run is cut into pieces.
Workers play them in directories of their own and send the results through Ray's object store, so no file
system needs to be shared. Workers and nodes may die, join and leave: pieces that were lost are played again.
The same call with the same `out` resumes a run that was interrupted.

Without an `address`, the cluster that the program is connected to is used, or a local one is started for the
duration of the call: on the loopback interface, without a dashboard and without usage statistics. With an
address, such as `"auto"` or `"10.0.0.1:6379"`, this package is sent to the workers, which need the same kind
of machine and Python. Whoever can reach the ports of a Ray cluster can run programs on it: see
docs/CLUSTER.md.
"""

from __future__ import annotations

import contextlib
import importlib
import itertools
import os
import secrets
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Union

from ttr import _native
from ttr._native import Agent, Game
from ttr._runs import AnyAgent, PathLike, Run, _best, _listed, resume

# Ray looks at it when it starts a cluster.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
import ray  # noqa: E402

#: A bar on the terminal, nothing, or a function of the numbers of finished pieces and of all.
Progress = Union[bool, Callable[[int, int], Any]]
#: Files by name, relative to their directory.
Files = list[tuple[str, bytes]]

#: Number of games of a piece, large enough that its start-up time does not matter.
PIECE = 10_000


def arena(
    game: Game,
    agents: Iterable[AnyAgent],
    games: int = 40_000,
    seed: int = 1,
    out: PathLike | None = None,
    threads: int = 1,
    *,
    pieces: int | None = None,
    address: str | None = None,
    retries: int = 20,
    progress: Progress = True,
    **options: Any,
) -> Run:
    """Plays an arena: `ttr.arena` with its options, and the same bytes.

    `pieces` is the number of pieces, each played by one task on `threads` cores; by default there are at
    least four per core of the cluster, of at most about 10,000 games. A piece whose worker died is played
    again up to `retries` times. A sequential test (`sprt`) can't be cut into pieces.
    """
    if options.get("sprt") is not None:
        raise ValueError("a sequential test decides game by game: play it with ttr.arena")
    options.update(games=games, seed=seed, out=out, threads=threads)
    return _in_pieces("arena", game, _listed(agents), options, pieces, address, retries, progress)


def tickets(
    game: Game,
    agents: Iterable[AnyAgent] | None = None,
    games: int = 20_000,
    seed: int = 1,
    out: PathLike | None = None,
    threads: int = 1,
    *,
    pieces: int | None = None,
    address: str | None = None,
    retries: int = 20,
    progress: Progress = True,
    **options: Any,
) -> Run:
    """Studies tickets, routes and cities: `ttr.tickets` with its options, and the same bytes.

    The other arguments are those of `arena`.
    """
    options.update(games=games, seed=seed, out=out, threads=threads)
    players = _listed(agents or [_best(game)])
    return _in_pieces("tickets", game, players, options, pieces, address, retries, progress)


def rate(
    agent: str,
    card_game: str | None = None,
    out: PathLike | None = None,
    threads: int = 1,
    *,
    only: Sequence[str] = (),
    times: int = 1,
    address: str | None = None,
    retries: int = 20,
    progress: Progress = True,
) -> Run:
    """Rates an agent, with the tables of the ladder in parallel: `ttr.rate`, and the same bytes."""
    entry = _portable(agent), None if card_game is None else _portable(card_game)
    parent = None if out is None else os.fspath(out)
    path = _native.play_rate(*entry, list(only), times, parent, 0, None, False, only_begins=True)
    tables = Path(path) / "tables"
    orders = [
        (name, (entry, name, times, threads))
        for name in _native.rate_tables(*entry, list(only))
        if not (tables / name / "summary.json").exists()
    ]
    with _cluster(address):
        for name, files in _played(_rate_table, orders, threads, retries, progress):
            _write(tables / name, files)
    return resume(path, threads=threads)


def experiment(
    path: PathLike,
    threads: int = 1,
    *,
    only: Sequence[str] = (),
    address: str | None = None,
    retries: int = 20,
    progress: Progress = True,
) -> Run:
    """Runs an experiment, with its runs in parallel: `ttr.experiment`, and the same bytes."""
    path = Path(path)
    folder = path if path.is_dir() else path.parent
    works = {name: Path(work) for name, work in _native.experiment_runs(path, list(only))}
    missing = [name for name, work in works.items() if not (work / "summary.json").exists()]
    with _cluster(address):
        inputs = ray.put(_files(folder))
        orders = [(name, (inputs, path.name if path.is_file() else "", name, threads)) for name in missing]
        for name, files in _played(_play_experiment_run, orders, threads, retries, progress):
            _write(works[name], files)
    return Run(_native.play_experiment(os.fspath(path), list(only), threads, None))


def _in_pieces(
    study: str,
    game: Game,
    agents: list[AnyAgent],
    options: dict[str, Any],
    pieces: int | None,
    address: str | None,
    retries: int,
    progress: Progress,
) -> Run:
    """Plays the pieces of a run, gathers their results in its directory, and finishes it there."""
    players = [_portable(agent) for agent in agents]
    # All processes of a run get their random numbers from one secret.
    options["exec_secret"] = options.get("exec_secret") or secrets.randbits(64)
    path, deals, options["exec_secret"] = _native.begin_run(study, game, players, dict(options))
    threads = options["threads"]
    with _cluster(address):
        if pieces is None:
            pieces = max(options["games"] // PIECE, 4 * _slots(threads))
        most = -(-deals // max(1, min(pieces, deals)))
        shared = ray.put((study, game, players, options))
        orders = (
            (f"{start}-{end}", (shared, (start, end)))
            for first, last in _native.missing_deals(path)
            for start, end in _cut(first, last, most)
        )
        for _, files in _played(_play_piece, list(orders), threads, retries, progress):
            _write(Path(path) / "parts", files)
    return resume(path, players, threads=threads)


def _cut(first: int, last: int, most: int) -> Iterator[tuple[int, int]]:
    """Cuts a range into pieces of at most this length.

    >>> list(_cut(3, 10, 4))
    [(3, 7), (7, 10)]
    """
    return ((start, min(start + most, last)) for start in range(first, last, most))


def _portable(agent: AnyAgent) -> Any:
    """The agent without anything that is only on this machine, such as a file with its settings."""
    return _native.resolved_agent(agent) if isinstance(agent, (str, Agent)) else agent


# On the workers


def _play_piece(shared: tuple[Any, ...], deals: tuple[int, int]) -> Files:
    study, game, players, options = shared
    with tempfile.TemporaryDirectory(prefix="ttr-") as folder:
        options = {**options, "part": deals, "out": f"{folder}/run"}
        return _files(Path(_native.play_run(study, game, players, options)) / "parts")


def _rate_table(entry: tuple[Any, Any], name: str, times: int, threads: int) -> Files:
    with tempfile.TemporaryDirectory(prefix="ttr-") as folder:
        _native.play_rate(*entry, [name], times, f"{folder}/run", threads, None, False)
        return _files(Path(folder) / "run/tables" / name)


def _play_experiment_run(inputs: Files, file: str, name: str, threads: int) -> Files:
    with tempfile.TemporaryDirectory(prefix="ttr-") as folder:
        _write(Path(folder), inputs)
        path = Path(folder) / file
        _native.play_experiment_run(path, name, threads, None)
        ((_, work),) = _native.experiment_runs(path, [name])
        return _files(Path(work))


def _files(folder: Path) -> Files:
    """All files of a folder but hidden ones."""
    paths = (path.relative_to(folder) for path in sorted(folder.rglob("*")) if path.is_file())
    shown = (path for path in paths if not any(part.startswith(".") for part in path.parts))
    return [(path.as_posix(), (folder / path).read_bytes()) for path in shown]


def _write(folder: Path, files: Files) -> None:
    """Writes files so that each is there as a whole or not at all. The summary of a run comes last."""
    for name, content in sorted(files, key=lambda file: file[0] == "summary.json"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        # Runs remove files of this name when they are resumed.
        temporary = path.with_name(f".{path.name}.{os.getpid()}-0.tmp")
        temporary.write_bytes(content)
        os.replace(temporary, path)


# The cluster


@contextlib.contextmanager
def _cluster(address: str | None) -> Iterator[None]:
    """Connects to a cluster, or starts one, unless the program is connected already."""
    if ray.is_initialized():
        yield
        return
    if address is None:
        _start_local()
    else:
        ray.init(address=address, runtime_env={"py_modules": [str(Path(__file__).parent)]})
    try:
        yield
    finally:
        ray.shutdown()


def _start_local() -> None:
    """Starts a cluster that only this machine can reach.

    On Linux, Ray listens on all interfaces unless it is configured as a cluster that no other node can join.
    """
    constants: Any = importlib.import_module("ray._private.ray_constants")
    before = constants.ENABLE_RAY_CLUSTER
    constants.ENABLE_RAY_CLUSTER = False
    try:
        ray.init(address="local", include_dashboard=False, log_to_driver=False)
    finally:
        constants.ENABLE_RAY_CLUSTER = before
    if any(node["NodeManagerAddress"] != "127.0.0.1" for node in ray.nodes()):
        ray.shutdown()
        raise RuntimeError("this version of Ray can't be kept on the loopback interface; start it, and give address=")


def _slots(threads: int) -> int:
    """Number of tasks that the cluster can play at the same time; nodes may join and leave."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)) // max(1, threads))


def _played(
    task: Callable[..., Files],
    orders: Sequence[tuple[str, tuple[Any, ...]]],
    threads: int,
    retries: int,
    progress: Progress,
) -> Iterator[tuple[str, Files]]:
    """The results of tasks as they are finished.

    Only a few tasks more than there are cores are handed out, so that neither tasks nor results pile up.
    """
    remote = ray.remote(num_cpus=threads, max_retries=retries)(task)
    waiting = iter(orders)
    running: dict[Any, str] = {}
    report = _reporter(progress, len(orders))
    finished = 0
    try:
        while True:
            room = 2 * _slots(threads) - len(running)
            for name, arguments in itertools.islice(waiting, max(0, room)):
                running[remote.remote(*arguments)] = name
            if not running:
                return
            done, _ = ray.wait(list(running), num_returns=1, timeout=1.0)
            for reference in done:
                name = running.pop(reference)
                yield name, ray.get(reference)
                finished += 1
                report(finished, len(orders))
    finally:
        for reference in running:
            ray.cancel(reference, force=True)


def _reporter(progress: Progress, total: int) -> Callable[[int, int], Any]:
    """The function that reports progress: given, a bar on the terminal, or none."""
    if callable(progress):
        return progress
    if not progress or not total or not sys.stderr.isatty():
        return lambda finished, total: None
    begun = time.monotonic()

    def bar(finished: int, total: int) -> None:
        left = (time.monotonic() - begun) / finished * (total - finished)
        filled = "#" * (40 * finished // total)
        end = "\n" if finished == total else ""
        line = f"\r{filled:40} {finished}/{total} pieces, {left:,.0f} s left "
        print(line, end=end, file=sys.stderr, flush=True)

    return bar
