"""Games that all tests share."""

from __future__ import annotations

import pytest

import ttr

#: The seats that a game may have, by map; the Card Game has no more than four.
SEATS = range(2, 6)


def every_game() -> list[tuple[str, int]]:
    """Every map with every number of seats, with and without depots."""
    games = []
    for name in [*ttr.maps, *(f"{name}+depots" for name in ttr.maps)]:
        for seats in SEATS:
            try:
                ttr.Game(name, seats)
            except ValueError:
                continue
            games.append((name, seats))
    return games


EVERY_GAME = every_game()


@pytest.fixture(params=EVERY_GAME, ids=lambda game: f"{game[0]}-{game[1]}", scope="session")
def game(request: pytest.FixtureRequest) -> ttr.Game:
    name, seats = request.param
    return ttr.Game(name, seats)


@pytest.fixture(scope="session")
def usa() -> ttr.Game:
    return ttr.Game("usa")
