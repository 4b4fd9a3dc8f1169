"""Games with the names of OpenSpiel, without depending on it.

>>> import random, ttr.openspiel
>>> game = ttr.openspiel.load_game("usa", seats=2)
>>> state = game.new_initial_state(seed=7)
>>> while not state.is_terminal():
...     assert not state.is_chance_node()
...     state.apply_action(random.choice(state.legal_actions()))
>>> sum(state.returns()) == game.utility_sum()
True

**Chance is inside `apply_action`** (OpenSpiel calls this sampled stochastic): the deck is shuffled by the
seed of `new_initial_state`, there are no chance nodes, and no probabilities of outcomes. Thus the same action
in a clone has the same outcome, and a search that expands clones knows the deck. Search
`resample_from_infostate(player, seed)` instead: a state that looks the same to the player, with everything
that is hidden drawn again. Algorithms that enumerate chance outcomes (CFR, exploitability) do not apply.

**There is no information-state tensor**: an observation has what a player with a perfect memory knows of the
cards and tickets, but not the history of all decisions, which perfect recall demands.
`information_state_tensor` is therefore the one name that is missing here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ttr import _native
from ttr._common import Reward, board, rewards

#: The players of nodes that are nobody's, as in `pyspiel.PlayerId`.
TERMINAL = -4


class Game:
    """The rules, and the deals. `reward` is `"rank"` (zero-sum), `"win"` or `"margin"`."""

    #: What distinguishes these games for algorithms, in OpenSpiel's words.
    chance_mode = "SAMPLED_STOCHASTIC"
    dynamics = "SEQUENTIAL"
    information = "IMPERFECT_INFORMATION"
    provides_information_state_tensor = False
    provides_observation_tensor = True

    def __init__(self, game: _native.Game, reward: Reward = "rank") -> None:
        rewards([0] * game.seats, [0] * game.seats, reward)
        self.game = game
        self.reward = reward

    def new_initial_state(self, seed: int) -> State:
        """A deal; the seed decides everything that chance decides."""
        return State(self, self.game.deal(seed))

    def num_players(self) -> int:
        return self.game.seats

    def num_distinct_actions(self) -> int:
        return self.game.num_actions

    def observation_tensor_size(self) -> int:
        return self.game.observation_size

    def observation_tensor_shape(self) -> list[int]:
        return [self.game.observation_size]

    def min_utility(self) -> float:
        return {"rank": -1.0, "win": 0.0}.get(str(self.reward), -np.inf)

    def max_utility(self) -> float:
        return {"rank": 1.0, "win": 1.0}.get(str(self.reward), np.inf)

    def utility_sum(self) -> float | None:
        """The sum of the returns if it is always the same, otherwise None."""
        return {"rank": 0.0, "win": 1.0}.get(str(self.reward))

    def __str__(self) -> str:
        return f"ttr({self.game.map},seats={self.game.seats})"


class State:
    """A position."""

    def __init__(self, game: Game, state: _native.State) -> None:
        self._game = game
        self._state = state

    def get_game(self) -> Game:
        return self._game

    def current_player(self) -> int:
        """The player to decide, or `TERMINAL`."""
        seat = self._state.turn
        return TERMINAL if seat is None else seat

    def is_terminal(self) -> bool:
        return self._state.turn is None

    def is_chance_node(self) -> bool:
        """Always false: chance is inside `apply_action`."""
        return False

    def is_simultaneous_node(self) -> bool:
        return False

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The legal actions of the player to decide, sorted; none for the others."""
        if player is not None and player != self.current_player():
            return []
        legal: list[int] = self._state.legal.tolist()
        return legal

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        mask = np.zeros(self._game.num_distinct_actions(), dtype=np.int8)
        mask[self.legal_actions(player)] = 1
        found: list[int] = mask.tolist()
        return found

    def apply_action(self, action: int) -> None:
        """Plays an action and everything that chance decides until the next decision."""
        self._state.play(action)

    def child(self, action: int) -> State:
        """The state after an action; the same for each call, because the deck lies in order."""
        state = self.clone()
        state.apply_action(action)
        return state

    def action_to_string(self, player: int, action: int) -> str:
        return self._state.view(player).describe(action)

    def string_to_action(self, player: int, text: str) -> int:
        return self._state.view(player).parse(text)

    def observation_tensor(self, player: int | None = None) -> NDArray[np.float32]:
        """What a player sees, as `view.obs`; the blocks are in `game.layout`."""
        return self._state.view(self._of(player)).obs

    def observation_string(self, player: int | None = None) -> str:
        return self._state.view(self._of(player)).text

    def _of(self, player: int | None) -> int:
        player = self.current_player() if player is None else player
        if player == TERMINAL:
            raise ValueError("the game is over; say which player observes")
        return player

    def returns(self) -> list[float]:
        """What each player has won; zeros before the end."""
        if not self.is_terminal():
            return [0.0] * self._game.num_players()
        return rewards(self._state.points, self._state.ranks, self._game.reward)

    def rewards(self) -> list[float]:
        """The same as `returns`: nothing is won before the end."""
        return self.returns()

    def player_return(self, player: int) -> float:
        return self.returns()[player]

    def clone(self) -> State:
        """A copy, including the order of the deck."""
        return State(self._game, self._state.copy())

    def resample_from_infostate(self, player: int, seed: int) -> State:
        """A state that looks the same to a player, with everything drawn again that the player does not
        know."""
        return State(self._game, self._state.view(player).determinize(seed))

    def __str__(self) -> str:
        return self._state.text


def load_game(
    map: Any = "usa",
    seats: int | None = None,
    *,
    depots: bool = False,
    rules: dict[str, Any] | None = None,
    reward: Reward = "rank",
) -> Game:
    """The game of a map, with the arguments of `ttr.Game`."""
    return Game(board(map, seats, depots, rules), reward)

