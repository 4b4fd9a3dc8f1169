"""Games as PettingZoo AEC environments (pip install ttr-engine[pettingzoo]).

>>> import ttr.pettingzoo
>>> env = ttr.pettingzoo.env("europe", seats=3)
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     over = termination or truncation
...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
>>> env.agents
[]

A turn can have several decisions, so an agent may be selected several times in a row. Rewards come at the end
of the game. Chance is part of a step: `reset(seed=7)` plays `game.deal(7)`, and later resets draw their own
seeds from it.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from ttr._common import Reward, board, checked_render_mode, observations, rewards
from ttr._native import Game, State, View

Observation = dict[str, Any]


class raw_env(AECEnv):
    """One game; agents are `player_0`, `player_1` and so on.

    An observation is a dict of `observation` (the vector of `view.obs`) and `action_mask`; the mask is also
    in the info of the agent to move. An illegal action raises `ttr.IllegalAction` and changes nothing.
    """

    metadata = {"name": "ttr_v1", "render_modes": ["ansi", "svg"], "is_parallelizable": False}

    def __init__(
        self,
        map: Any = "usa",
        seats: int | None = None,
        *,
        depots: bool = False,
        rules: dict[str, Any] | None = None,
        reward: Reward = "win",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game: Game = board(map, seats, depots, rules)
        self.reward = reward
        self.render_mode = checked_render_mode(render_mode)
        rewards([0] * self.game.seats, [0] * self.game.seats, reward)
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {agent: spaces.Discrete(self.game.num_actions) for agent in self.possible_agents}
        mask = spaces.Box(0, 1, (self.game.num_actions,), dtype=np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": observations(self.game), "action_mask": mask})
            for agent in self.possible_agents
        }
        self._seeds: random.Random | None = None
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None or self._seeds is None:
            self._seeds = random.Random(seed)
        self.state: State = self.game.deal(self._seeds.getrandbits(63) if seed is None else seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[0]
        self._select()

    def _select(self) -> None:
        """Selects the agent to move, or ends the game."""
        state = self.state
        seat = state.turn
        if seat is not None:
            self.agent_selection = agent = self.possible_agents[seat]
            self._view: View = state.view(seat)
            self._mask = self._view.mask
            self.infos[agent] = {"action_mask": self._mask}
            return
        values = rewards(state.points, state.ranks, self.reward)
        self.rewards = dict(zip(self.possible_agents, values))
        self._cumulative_rewards = self.rewards.copy()
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {agent: {} for agent in self.agents}

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self.state.play(action)
        self.infos[agent] = {}
        self._select()

    def observe(self, agent: str) -> Observation:
        if agent == self.agent_selection and not self.terminations[agent]:
            return {"observation": self._view.obs, "action_mask": self._mask}
        view = self.state.view(self._seats[agent])
        return {"observation": view.obs, "action_mask": view.mask}

    def render(self) -> str | None:
        return self.state.svg() if self.render_mode == "svg" else self.state.text if self.render_mode else None

    def close(self) -> None:
        """There is nothing to close."""

    def __str__(self) -> str:
        return f"ttr_{self.game.map}_{self.game.seats}p_v1"


#: The environment. It checks actions itself and needs none of PettingZoo's wrappers, which cost speed.
env = raw_env
