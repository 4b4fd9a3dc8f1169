"""A research engine for Ticket to Ride: exact rules, fair views, millions of games.

>>> import ttr
>>> game = ttr.Game("europe", seats=3)
>>> state = game.deal(seed=7)
>>> while (seat := state.turn) is not None:
...     view = state.view(seat)                  # what the seat may know, and nothing else
...     state.play(view.legal[0])
>>> len(state.points)
3

Arrays of a `VecEnv` are overwritten by its next step: copy what you keep, or say ``copy=True``.
"""

from ttr._native import (
    Agent,
    EngineError,
    Game,
    IllegalAction,
    Replay,
    State,
    VecEnv,
    View,
    __version__,
    maps,
)
from ttr._players import BatchPlayer, Player
from ttr._runs import Run, arena, experiment, rate, resume, tickets, tune

__all__ = [
    "Agent",
    "BatchPlayer",
    "EngineError",
    "Game",
    "IllegalAction",
    "Player",
    "Replay",
    "Run",
    "State",
    "VecEnv",
    "View",
    "__version__",
    "arena",
    "experiment",
    "maps",
    "rate",
    "resume",
    "tickets",
    "tune",
]
