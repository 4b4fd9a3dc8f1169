"""Agents written in Python."""

from __future__ import annotations

import random

from ttr._native import Game, View


class Player:
    """The base class of agents written in Python: override `choose`.

    A player is a function of what it sees: the same view and dice must lead to the same decision, and `begin` must
    forget the last game. Give an object to share it among all seats and threads, or the class to give every seat one
    of its own. `name` is its label in tables.

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
