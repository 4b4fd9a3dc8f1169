"""Runs on a Ray cluster: the bytes of undivided runs, also when workers and nodes die."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ttr
from test_runs import files

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
ray = pytest.importorskip("ray")
import ttr.cluster  # noqa: E402


@pytest.fixture(scope="module")
def local() -> Iterator[None]:
    """One local cluster for several tests, as a program has that uses Ray for other things too."""
    with ttr.cluster._cluster(None):
        yield


def test_a_cluster_is_started_on_loopback_and_ended(tmp_path: Path) -> None:
    game, agents = ttr.Game("usa"), ["greedy", "random"]
    seen: list[Any] = []

    def progress(finished: int, total: int) -> None:
        seen.append((finished, total, [node["NodeManagerAddress"] for node in ray.nodes()]))

    run = ttr.cluster.arena(game, agents, games=60, out=tmp_path / "a", pieces=4, progress=progress)
    assert not ray.is_initialized()
    assert [entry[:2] for entry in seen] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert {address for *_, addresses in seen for address in addresses} == {"127.0.0.1"}
    whole = ttr.arena(game, agents, games=60, out=tmp_path / "b")
    assert files(run.path) == files(whole.path)


def test_workers_and_nodes_may_die(tmp_path: Path) -> None:
    """A worker is killed, then a node with all its processes, while another one joins."""
    cluster_utils = pytest.importorskip("ray.cluster_utils")
    cluster = cluster_utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    doomed = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    marks = tmp_path / "marks"
    marks.mkdir()

    def slow(view: ttr.View, rng: random.Random) -> int:
        (marks / str(os.getpid())).touch()
        time.sleep(0.001)
        return int(view.legal[0])

    def kill_worker() -> None:
        os.kill(int(_new(marks).pop()), signal.SIGKILL)

    def lose_node(finished: int, total: int) -> None:
        # The other pieces that were handed out are being played there.
        if finished == 2:
            cluster.add_node(num_cpus=1)
            cluster.remove_node(doomed, allow_graceful=False)

    ray.init(address=cluster.address, log_to_driver=False)
    try:
        game = ttr.Game("usa")
        thread = threading.Thread(target=kill_worker)
        thread.start()
        run = ttr.cluster.arena(
            game, ["greedy", slow], games=60, out=tmp_path / "a", pieces=6, progress=lose_node
        )
        thread.join()
        assert len(list(marks.iterdir())) >= 3, "the worker that was killed, and workers on both nodes"
        whole = ttr.arena(game, ["greedy", slow], games=60, out=tmp_path / "b")
        assert files(run.path) == files(whole.path)
    finally:
        ray.shutdown()
        cluster.shutdown()


@pytest.mark.usefixtures("local")
def test_all_options_and_players_of_python(tmp_path: Path) -> None:
    class Last(ttr.Player):
        name = "last"

        def choose(self, view: ttr.View, rng: random.Random) -> int:
            return int(view.legal[-1])

    def first(view: ttr.View, rng: random.Random) -> str:
        return view.describe(view.legal[0])

    game = ttr.Game("europe", 2, depots=True)
    options: dict[str, Any] = {"seat_tables": True, "decisions": True, "save_replays": 2, "anchor": 1}
    agents = ["greedy", Last, first, ttr.Agent("hungry", game)]
    run = ttr.cluster.arena(game, agents, games=72, seed=5, out=tmp_path / "a", pieces=3, **options)
    whole = ttr.arena(game, agents, games=72, seed=5, out=tmp_path / "b", **options)
    assert files(run.path) == files(whole.path)


@pytest.mark.usefixtures("local")
def test_maps_and_agents_of_files_are_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text("format = 1\nname = 'Mine'\nbase = 'usa'\nrules.trains = 20\n")
    Path("agent.toml").write_text('name = "planner"\n[settings]\nticket_cost = 0.5\n')
    game, agents = ttr.Game("mine.toml"), ["planner@agent.toml", "greedy"]
    whole = ttr.arena(game, agents, games=20, out=tmp_path / "b")
    run = ttr.cluster.arena(game, agents, games=20, out=tmp_path / "a", pieces=2)
    assert files(run.path) == files(whole.path)


@pytest.mark.usefixtures("local")
def test_tickets_ratings_and_experiments(tmp_path: Path) -> None:
    nordic = ttr.Game("nordic")
    run = ttr.cluster.tickets(nordic, games=40, out=tmp_path / "a", pieces=3)
    assert files(run.path) == files(ttr.tickets(nordic, games=40, out=tmp_path / "b").path)

    only = ["first-journey-usa-2", "usa-2"]
    run = ttr.cluster.rate("greedy", only=only, out=tmp_path / "c")
    assert files(run.path) == files(ttr.rate("greedy", only=only, out=tmp_path / "d").path)

    spec = "title = 'Small'\nquestion = 'Which?'\n"
    for number, name in enumerate(["one", "two"]):
        spec += f"[[run]]\nname = '{name}'\nmap = 'usa'\nagents = ['greedy', 'random']\ngames = 40\nseed = {number}\n"
    for name in "ef":
        (tmp_path / name).mkdir()
        (tmp_path / name / "experiment.toml").write_text(spec)
    ttr.cluster.experiment(tmp_path / "e")
    ttr.experiment(tmp_path / "f")
    assert files(tmp_path / "e") == files(tmp_path / "f")


@pytest.mark.usefixtures("local")
def test_a_run_is_resumed_whatever_its_pieces_were(tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def stop(finished: int, total: int) -> None:
        if finished == 2:
            raise Enough

    game, agents = ttr.Game("usa"), ["greedy", "random"]
    with pytest.raises(Enough):
        ttr.cluster.arena(game, agents, games=200, out=tmp_path / "a", pieces=7, progress=stop)
    assert not (tmp_path / "a/summary.json").exists() and list((tmp_path / "a/parts").iterdir())
    run = ttr.cluster.arena(game, agents, games=200, out=tmp_path / "a", pieces=5)
    assert files(run.path) == files(ttr.arena(game, agents, games=200, out=tmp_path / "b").path)
    # A complete run is not played again, and another one is refused.
    assert ttr.cluster.arena(game, agents, games=200, out=tmp_path / "a").path == run.path
    with pytest.raises(ValueError, match="seed is 1 in one and 2 in the other"):
        ttr.cluster.arena(game, agents, games=200, seed=2, out=tmp_path / "a")


@pytest.mark.usefixtures("local")
def test_bad_input_raises_at_once(tmp_path: Path) -> None:
    usa = ttr.Game("usa")
    for wrong, message in [
        ({"agents": ["planer", "random"]}, "did you mean"),
        ({"agents": "planner"}, "expected a list of agents"),
        ({"games": 0}, "games from 1"),
        ({"sprt": (0, 1)}, "play it with ttr.arena"),
    ]:
        with pytest.raises(ValueError, match=message):
            ttr.cluster.arena(usa, **{"agents": ["random", "greedy"], "out": tmp_path / "a", **wrong})
    with pytest.raises(TypeError, match="no option colour"):
        ttr.cluster.arena(usa, ["random", "greedy"], out=tmp_path / "a", colour=3)
    assert not (tmp_path / "a").exists()


def _new(folder: Path) -> set[str]:
    """Waits for a file."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        if found := {path.name for path in folder.iterdir()}:
            return found
        time.sleep(0.05)
    raise TimeoutError("nothing happened")
