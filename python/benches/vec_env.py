"""Decisions per CPU second of `ttr.VecEnv` on one thread: python python/benches/vec_env.py [MAP SEATS]"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

import ttr


def rate(game: ttr.Game, seconds: float = 2.0, **options: Any) -> float:
    """Decisions per CPU second, sampled in Rust."""
    env = ttr.VecEnv(game, 1024, threads=1, **options)
    for _ in range(200):
        env.step(env.sample())
    start, steps = time.process_time(), 0
    while time.process_time() - start < seconds:
        for _ in range(20):
            env.step(env.sample())
        steps += 20
    return steps * len(env) / (time.process_time() - start)


def chosen_by_numpy(game: ttr.Game, seconds: float = 2.0) -> float:
    """Decisions per CPU second, chosen by numpy from the mask."""
    env = ttr.VecEnv(game, 1024, threads=1)
    rng = np.random.default_rng(1)
    noise = rng.random(env.mask.shape, dtype=np.float32)
    start, steps = time.process_time(), 0
    while time.process_time() - start < seconds:
        env.step(np.argmax(env.mask * noise, axis=1))
        steps += 1
    return steps * len(env) / (time.process_time() - start)


def one_by_one(game: ttr.Game, seconds: float = 2.0) -> float:
    """Decisions per CPU second of single games: a view, its mask and its observation per decision."""
    start, decisions, seed = time.process_time(), 0, 0
    while time.process_time() - start < seconds:
        state, seed = game.deal(seed), seed + 1
        while (seat := state.turn) is not None:
            view = state.view(seat)
            view.obs, view.mask
            state.play(view.legal[0])
            decisions += 1
    return decisions / (time.process_time() - start)


def main() -> None:
    name, seats = (sys.argv[1], int(sys.argv[2])) if len(sys.argv) > 2 else ("usa", 2)
    game = ttr.Game(name, seats)
    print(f"{name}, {seats} seats, decisions per CPU second, one thread")
    for what, value in [
        ("mask and float32 observation", rate(game)),
        ("packed mask and uint8 observation", rate(game, dtype="uint8", packed_mask=True)),
        ("... with derived blocks", rate(game, dtype="uint8", packed_mask=True, derived=True)),
        ("mask and float32, chosen by numpy.argmax", chosen_by_numpy(game)),
        ("single games with State and View", one_by_one(game)),
    ]:
        print(f"{what:45} {value:12,.0f}")


if __name__ == "__main__":
    main()
