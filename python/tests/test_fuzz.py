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


def sealed(data: bytes) -> bytes:
    """The bytes of a state with a checksum that is right, as in crates/engine/src/codec.rs."""
    hash = 0xCBF2_9CE4_8422_2325
    for byte in data:
        hash = (hash ^ byte) * 0x0000_0100_0000_01B3 % 2**64
    return data + ((hash ^ hash >> 32) * 0x9E37_79B9_7F4A_7C15 % 2**64).to_bytes(8, "little")


@pytest.mark.parametrize("name", ["usa", "europe+depots", "card-game"])
def test_forged_states_are_refused_or_played(name: str) -> None:
    """A forger can make positions that make no sense, but whatever they do is an ordinary exception."""
    game = ttr.Game(name)
    rng = random.Random(6)
    state = game.deal(1)
    for _ in range(70):
        state.play(rng.choice(list(state.legal)))
    _, (data,) = state.__reduce__()
    head, content = data[:19], data[19:-8]
    assert game._state(sealed(head + content)) == state
    refused = played = failed = 0
    for _ in range(CALLS // 6):
        forged = bytearray(content)
        for _ in range(rng.choice([1, 1, 3])):
            forged[rng.randrange(len(forged))] = rng.randrange(256)
        try:
            other = game._state(sealed(head + bytes(forged)))
        except ValueError:
            refused += 1
            continue
        try:
            for _ in range(60):
                if (seat := other.turn) is None:
                    break
                other.view(seat).determinize(1)
                other.play(rng.choice(list(other.legal)))
            played += 1
        except (ttr.EngineError, IndexError):
            failed += 1
    assert refused > 20 and played > 20, (refused, played, failed)
