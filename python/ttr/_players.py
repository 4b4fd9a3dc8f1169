"""Agents written in Python."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ttr._native import Game, View


class Player:
    """The base class of agents written in Python: override `choose`.

    A player is a function of what it sees: the same view and dice must lead to the same decision, and
    `begin` must forget the last game. Give an object to share it among all seats and threads, or the class
    to give every seat one of its own. `name` is its label in tables.

    >>> import ttr
    >>> class Claims(ttr.Player):
    ...     '''Claims whatever it can.'''
    ...     def choose(self, view, rng):
    ...         kinds = view.game.actions["kind"]
    ...         claims = [action for action in view.legal if kinds[action] == "claim"]
    ...         return rng.choice(claims or list(view.legal))
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = ttr.arena(ttr.Game("usa"), ["random", Claims()], games=20, out=f"{folder}/run")
    ...     run.summary["games"]
    20
    """

    name: str | None = None

    def begin(self, game: Game, seat: int) -> None:
        """A new game begins, and this is the player's seat in it."""

    def choose(self, view: View, rng: random.Random) -> int | str:
        """Decides: the index of an action, or its text. An exception forfeits the game."""
        raise NotImplementedError("override choose(self, view, rng)")


class BatchPlayer:
    """The base class of agents that decide for many games at once, such as networks: override `choose_batch`.

    A run plays `batch` games at the same time, and one call decides for all that wait; their number varies.
    Every row must be decided by itself, so that results do not depend on which games wait together. The same
    object serves all seats. `name` is its label in tables, and `derived` asks for the blocks of
    `game.derived_layout`.

    >>> import numpy, ttr
    >>> class Last(ttr.BatchPlayer):
    ...     '''Takes the last legal action of every row.'''
    ...     def choose_batch(self, obs, mask, seats, seeds):
    ...         return mask.shape[1] - 1 - numpy.argmax(mask[:, ::-1], axis=1)
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = ttr.arena(ttr.Game("usa"), ["random", Last()], games=20, out=f"{folder}/run")
    ...     run.summary["games"]
    20
    """

    name: str | None = None
    derived: bool = False

    def choose_batch(
        self,
        obs: NDArray[np.float32],
        mask: NDArray[np.int8],
        seats: NDArray[np.int8],
        seeds: NDArray[np.uint64],
    ) -> ArrayLike | Any:
        """Decides: one index of an action per row. An exception forfeits all games of the batch.

        `obs` has a row per game in the blocks of `game.layout`, `mask` is 1 for every legal action, `seats`
        are the deciding seats, and `seeds` are random numbers that are the same whenever the game is played.
        """
        raise NotImplementedError("override choose_batch(self, obs, mask, seats, seeds)")
