"""Runs: the same bytes as the commands, with agents written in Python, and kept when they are interrupted."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import ttr

ROOT = Path(__file__).parents[2]


def command(tmp_path: Path, *arguments: str) -> None:
    program = os.environ.get("TTR_PROGRAM") or ROOT / "target/debug/ttr"
    if not Path(program).exists():
        pytest.skip(f"{program} is not built: cargo build, or set TTR_PROGRAM")
    subprocess.run([program, *arguments, "--quiet"], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)


def files(folder: Path) -> dict[str, bytes]:
    """All files of a run but the times of decisions, which differ from run to run."""
    times = {"timing.json", "decision_times.csv", "decision_times.parquet"}
    paths = [path for path in folder.rglob("*") if path.is_file() and path.name not in times]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def test_an_arena_has_the_bytes_of_the_command(tmp_path: Path) -> None:
    command(tmp_path, "arena", "--map", "usa", "--agents", "greedy,planner,random", "--games", "60", "--seed", "4",
            "--save-replays", "3", "--seat-tables", "--decisions", "--out", "a")  # fmt: skip
    run = ttr.arena(ttr.Game("usa"), ["greedy", "planner", "random"], games=60, seed=4, save_replays=3,
                    seat_tables=True, decisions=True, out=tmp_path / "b", threads=1)  # fmt: skip
    assert files(tmp_path / "a") == files(tmp_path / "b")
    assert run.path == tmp_path / "b" and len(run.replays) == 3
    assert ttr.Replay.load(run.replays[0]).points == ttr.Replay.load(run.replays[0]).states[-1].points
    assert run.report.startswith("<!DOCTYPE html>") or run.report.startswith("<!doctype html>")
    assert "iframe" in run._repr_html_()


def test_tickets_have_the_bytes_of_the_command(tmp_path: Path) -> None:
    command(tmp_path, "tickets", "--map", "nordic", "--games", "40", "--out", "a")
    ttr.tickets(ttr.Game("nordic"), games=40, out=tmp_path / "b")
    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_tuning_has_the_bytes_of_the_command(tmp_path: Path) -> None:
    options = ["--budget", "600", "--deals", "5", "--candidates", "4", "--confirm", "40", "--params", "ticket_cost"]
    command(tmp_path, "tune", "--map", "usa", *options, "--out", "a")
    ttr.tune(ttr.Game("usa"), out=tmp_path / "b", budget=600, deals=5, candidates=4, confirm=40, params=["ticket_cost"])
    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_ratings_have_the_bytes_of_the_command(tmp_path: Path) -> None:
    command(tmp_path, "rate", "greedy", "--only", "first-journey-usa-2", "--out", "a")
    run = ttr.rate("greedy", only=["first-journey-usa-2"], out=tmp_path / "b", threads=2)
    assert files(tmp_path / "a") == files(tmp_path / "b")
    assert len(run.ratings["table"]) > 0


def test_experiments_have_the_bytes_of_the_command(tmp_path: Path) -> None:
    spec = "title = 'Small'\nquestion = 'Which?'\n[[run]]\nname = 'one'\nmap = 'usa'\nagents = ['greedy', 'random']\ngames = 40\n"
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / "experiment.toml").write_text(spec)
    command(tmp_path, "experiment", "run", "a")
    run = ttr.experiment(tmp_path / "b")
    assert files(tmp_path / "a") == files(tmp_path / "b")
    assert len(run.results["run"]) > 0


class Claims(ttr.Player):
    name = "claims"

    def choose(self, view: ttr.View, rng: random.Random) -> int:
        kinds = view.game.actions["kind"]
        claims = [int(action) for action in view.legal if kinds[action] == "claim"]
        return rng.choice(claims or [int(action) for action in view.legal])


def first(view: ttr.View, rng: random.Random) -> str:
    return view.describe(view.legal[0])


def test_agents_of_python_take_part_and_threads_do_not_matter(tmp_path: Path) -> None:
    game = ttr.Game("usa")
    runs = [
        ttr.arena(game, ["random", Claims, first], games=24, seed=2, out=tmp_path / str(threads), threads=threads)
        for threads in (1, 3)
    ]
    assert files(runs[0].path) == files(runs[1].path)
    assert {agent["agent"] for agent in runs[0].summary["agents"]} == {"random", "claims", "first"}
    games = runs[0].games
    assert len(games["deal"]) == 24 * 1 and games["deal"].dtype == np.int64
    assert set(runs[0].tables) >= {"games", "seats", "agents"}


def test_exceptions_are_forfeits_with_their_message(tmp_path: Path) -> None:
    def broken(view: ttr.View, rng: random.Random) -> int:
        raise KeyError("no such thing")

    def illegal(view: ttr.View, rng: random.Random) -> int:
        return 1079

    for player, message in [(broken, "KeyError: 'no such thing'"), (illegal, "action 1079 is not legal")]:
        run = ttr.arena(ttr.Game("usa"), ["greedy", player], games=4, out=tmp_path / player.__name__)
        text = (run.path / "games.csv").read_text() + (run.path / "summary.json").read_text()
        assert message in text, text
        shutil.rmtree(run.path)


def test_bad_input_raises(usa: ttr.Game, tmp_path: Path) -> None:
    for make, message in [
        (lambda: ttr.arena(usa, "planner"), "expected a list of agents"),
        (lambda: ttr.arena(usa, []), "at least one agent"),
        (lambda: ttr.arena(usa, ["planer", "random"]), "did you mean"),
        (lambda: ttr.arena(usa, ["random", "random"]), "there twice"),
        (lambda: ttr.arena(usa, [3, "random"]), "expected an agent"),
        (lambda: ttr.arena(usa, ["random"] * 3, table=True), "the game 2 seats"),
        (lambda: ttr.arena(usa, ["random", "greedy"], games=0), "games from 1"),
        (lambda: ttr.arena(usa, ["random", "greedy"], threads=-1), "threads"),
        (lambda: ttr.arena(ttr.Game("usa", rules={"trains": 30}), ["random", "greedy"]), "map file"),
        (lambda: ttr.rate("planer", out=tmp_path / "r"), "did you mean"),
        (lambda: ttr.tune(usa, budget=1, out=tmp_path / "t"), "raise the budget"),
        (lambda: ttr.experiment(tmp_path / "nothing"), "nothing"),
        (lambda: ttr.Run(tmp_path), "no complete run"),
        (lambda: ttr.resume(tmp_path), "run.toml|no run|not a run"),
    ]:
        with pytest.raises((ValueError, RuntimeError), match=message):
            make()
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C raises an exception even where the tests run in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupted_run_is_kept_and_resumed(tmp_path: Path) -> None:
    game = ttr.Game("usa")

    def slow(view: ttr.View, rng: random.Random) -> int:
        time.sleep(0.0005)
        return int(view.legal[0])

    whole = ttr.arena(game, ["greedy", slow], games=12, out=tmp_path / "whole")
    played = 0

    def progress(games: int) -> None:
        nonlocal played
        played += games

    timer = threading.Timer(0.6, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        ttr.arena(game, ["greedy", slow], games=4000, out=tmp_path / "long", progress=progress, threads=1)
    timer.join()
    assert 0 < played < 4000 and list((tmp_path / "long").iterdir())
    with pytest.raises(ValueError, match="no complete run"):
        ttr.Run(tmp_path / "long")
    with pytest.raises(ValueError, match="was written in Python"):
        ttr.resume(tmp_path / "long")

    started = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    started.start()
    try:
        ttr.arena(game, ["greedy", slow], games=12, out=tmp_path / "part", threads=1)
        started.cancel()
    except KeyboardInterrupt:
        ttr.resume(tmp_path / "part", [slow])
    assert files(tmp_path / "part") == files(whole.path)


class Seeded(ttr.BatchPlayer):
    """A legal action by the seed of its row."""

    def __init__(self) -> None:
        self.rows: list[int] = []
        self.name = "seeded"

    def choose_batch(self, obs, mask, seats, seeds):  # type: ignore[no-untyped-def]
        assert obs.dtype == np.float32 and mask.dtype == np.int8 and seeds.dtype == np.uint64
        assert obs.shape[0] == mask.shape[0] == len(seats) == len(seeds)
        self.rows.append(len(obs))
        return [np.flatnonzero(row)[int(seed) % int(row.sum())] for row, seed in zip(mask, seeds)]


def test_a_batch_player_decides_for_many_games(tmp_path: Path) -> None:
    game, played = ttr.Game("europe", 3), {}
    for batch in (1, 9, 64):
        player = Seeded()
        out = tmp_path / str(batch)
        ttr.arena(game, ["greedy", player, "random"], games=90, seed=5, out=out, batch=batch, threads=1)
        played[batch] = files(out)
        assert max(player.rows) <= batch
        assert batch == 1 or max(player.rows) > 1, "no games were waiting together"
    assert played[1] == played[9] == played[64]


def test_a_batch_player_sees_what_a_player_sees(tmp_path: Path) -> None:
    game = ttr.Game("usa")

    class Wide(ttr.BatchPlayer):
        name, derived = "sums", True

        def choose_batch(self, obs, mask, seats, seeds):  # type: ignore[no-untyped-def]
            return [np.flatnonzero(row)[int(view.sum() * 64) % int(row.sum())] for row, view in zip(mask, obs)]

    def sums(view: ttr.View, _: random.Random) -> int:
        return int(view.legal[int(view.encode(derived=True).sum() * 64) % len(view.legal)])

    ttr.arena(game, ["greedy", Wide], games=20, out=tmp_path / "a")
    ttr.arena(game, ["greedy", sums], games=20, out=tmp_path / "b")
    assert files(tmp_path / "a") == files(tmp_path / "b")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda mask: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda mask: np.zeros(len(mask) + 1, dtype=int), "ValueError: expected "),
        (lambda mask: mask.argmin(axis=1), "is not legal: "),
        (lambda mask: np.full(len(mask), 10**6), "there is no action 1000000"),
    ],
)
def test_what_a_batch_player_gets_wrong_forfeits(tmp_path: Path, answer, reason) -> None:  # type: ignore[no-untyped-def]
    class Wrong(ttr.BatchPlayer):
        def choose_batch(self, obs, mask, seats, seeds):  # type: ignore[no-untyped-def]
            return answer(mask)

    run = ttr.arena(ttr.Game("usa"), ["greedy", Wrong()], games=20, out=tmp_path / "run")
    assert set(run.games["ending"]) == {"forfeit"}
    assert all(reason in why for why in run.games["forfeit_reason"])
