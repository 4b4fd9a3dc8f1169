"""Whatever is given to whatever can be called: an ordinary exception or a result, and never a bug of the engine."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ttr

#: More for a longer search: TTR_FUZZ=100000 python -m pytest python/tests/test_fuzz.py
CALLS = int(os.environ.get("TTR_FUZZ", "3000"))


def values(rng: random.Random, game: ttr.Game) -> list[Callable[[], Any]]:
    """Ways to make an argument."""
    return [
        lambda: None,
        lambda: rng.choice([-(2**65), -1, 0, 1, 2, 5, 255, 2**31, 2**63, 2**64 - 1, 2**64, 10**30]),
        lambda: rng.randrange(game.num_actions),
        lambda: rng.choice([0.5, float("nan"), float("inf"), True, 1j]),
        lambda: rng.choice(["", "take red", "keep", "keep none", "claim ", "pass", "usa", "\0", "é" * 50, "uint8"]),
        lambda: bytes(rng.randrange(256) for _ in range(rng.randrange(40))),
        lambda: rng.choice([[], (), {}, [1, 2], ["random", "greedy"], {"trains": 3}, {"trains": "x"}, object()]),
        lambda: np.zeros(rng.choice([0, 3, 4]), rng.choice([np.int64, np.int8, np.float32, bool, object])),
        lambda: np.zeros((2, 2)),
        lambda: game,
        lambda: game.deal(rng.randrange(9)),
        lambda: game.deal(rng.randrange(9)).view(0),
        lambda: lambda *_: rng.randrange(5),
    ]


@pytest.mark.parametrize(("name", "seats"), [("usa", 2), ("europe+depots", 3), ("first-journey-usa", 2), ("card-game", 4)])
def test_no_call_is_a_bug(name: str, seats: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rng = random.Random(name)
    game = ttr.Game(name, seats)
    make = values(rng, game)
    state, actions = game.deal(1), []
    while state.turn is not None:
        actions.append(rng.choice(list(state.legal)))
        state.play(actions[-1])
    replay = ttr.Replay.record(game, 1, actions)
    agent = ttr.Agent("random", game)
    env = ttr.VecEnv(game, 4, threads=1)
    raised = done = 0
    state = game.deal(2)
    for _ in range(CALLS):
        if state.turn is None:
            state = game.deal(rng.randrange(100))
        subjects = [game, state, state.view(rng.randrange(seats)), agent, replay, env, ttr.Game, ttr.VecEnv, ttr.Agent]
        subject: Any = rng.choice(subjects)
        if isinstance(subject, type):
            called: Any = subject
        else:
            called = getattr(subject, rng.choice([name for name in dir(subject) if name not in SKIPPED]))
        if not callable(called):
            continue
        arguments = [rng.choice(make)() for _ in range(rng.randrange(3))]
        try:
            called(*arguments)
            done += 1
        except ttr.EngineError:
            raise
        except Exception:
            raised += 1
        if rng.random() < 0.3:
            state.play(rng.choice(list(state.legal)))
        if env.closed:
            env.reset()
        env.step(env.sample())
    assert raised > CALLS / 10 and done > CALLS / 20


#: What Python itself has a say in.
SKIPPED = {"__class__", "__init_subclass__", "__subclasshook__", "__new__", "__setattr__", "__delattr__", "__dir__"}
