"""What the adapters share: rewards, and bounds of observations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, Union

import numpy as np
from numpy.typing import NDArray

from ttr._native import Game

Reward = Union[Literal["win", "margin", "rank"], Callable[[list[int], list[int], int], float]]


def rewards(points: list[int], ranks: list[int], reward: Reward) -> list[float]:
    """The rewards of all seats at the end of a game, as in `ttr.VecEnv`.

    >>> rewards([100, 80, 80], [0, 1, 1], "win"), rewards([100, 80, 80], [0, 1, 1], "rank")
    ([1.0, 0.0, 0.0], [1.0, -0.5, -0.5])
    >>> rewards([100, 80, 80], [0, 1, 1], "margin")
    [0.2, -0.2, -0.2]
    """
    seats = range(len(points))
    if callable(reward):
        return [float(reward(points, ranks, seat)) for seat in seats]
    if reward == "win":
        return [1.0 / ranks.count(0) if ranks[seat] == 0 else 0.0 for seat in seats]
    if reward == "margin":
        return [(points[seat] - max(points[:seat] + points[seat + 1 :])) / 100 for seat in seats]
    if reward == "rank":
        return [_rank(ranks, rank) for rank in ranks]
    raise ValueError(f'expected reward "win", "margin", "rank" or a function, found {reward!r}')


def _rank(ranks: Sequence[int], rank: int) -> float:
    """From 1 for the first to -1 for the last; equal ranks share what they take up."""
    ahead = sum(other < rank for other in ranks)
    shared = sum(other == rank for other in ranks)
    return 1 - 2 * (ahead + (shared - 1) / 2) / (len(ranks) - 1)


def bounds(game: Game, derived: bool = False, dtype: str = "float32") -> NDArray[Any]:
    """The highest value of every number of an observation; the lowest is 0.

    >>> import ttr
    >>> game = ttr.Game("usa")
    >>> bool((game.deal(1).view(0).obs <= bounds(game)).all())
    True
    """
    layout = game.derived_layout if derived else game.layout
    blocks = layout.values()
    scales = [np.tile(np.array(block["scales"], dtype=np.float32), block["rows"]) for block in blocks]
    whole = np.concatenate(scales)
    return np.full(whole.shape, 255, dtype=np.uint8) if dtype == "uint8" else np.float32(255) / whole


def board(map: Any, seats: int | None, depots: bool = False, rules: dict[str, Any] | None = None) -> Game:
    """The game itself, or a new one of a map."""
    return map if isinstance(map, Game) else Game(map, seats, depots=depots, rules=rules)


def checked_render_mode(mode: str | None) -> str | None:
    """Checks how an environment is to be shown."""
    if mode not in (None, "ansi", "svg"):
        raise ValueError(f'expected render_mode None, "ansi" or "svg", found {mode!r}')
    return mode


def observations(game: Game, derived: bool = False, dtype: str = "float32") -> Any:
    """The space of observations of Gymnasium, which PettingZoo uses as well."""
    from gymnasium import spaces

    high = bounds(game, derived, dtype)
    return spaces.Box(np.zeros_like(high), high, dtype=high.dtype.type)
