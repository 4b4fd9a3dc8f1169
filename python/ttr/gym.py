"""Games as Gymnasium environments, one at a time or many in step (pip install ttr-engine[gym]).

>>> import ttr.gym
>>> env = ttr.gym.make("ttr/usa-2p-v1", opponents="random")      # or gymnasium.make after this import
>>> observation, info = env.reset(seed=7)
>>> over = False
>>> while not over:
...     action = env.action_space.sample(info["action_mask"])
...     observation, reward, over, truncated, info = env.step(action)
>>> sorted(info)
['action_mask', 'points', 'ranks', 'seat']

>>> envs = ttr.gym.make_vec("ttr/usa-2p-v1", num_envs=8, opponents="random")
>>> observations, infos = envs.reset(seed=7)
>>> observations.shape == (8, envs.game.observation_size), infos["action_mask"].shape
(True, (8, 1080))

The learner sits at a random seat, and the opponents decide inside `step`, in Rust. Rewards come at the end of
a game.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ttr import _native
from ttr._common import board, checked_render_mode, observations

_METADATA = {"render_modes": ["ansi", "svg"], "render_fps": 1}


class _Tables:
    """The part of both environments that does not depend on the number of games."""

    def _set_up(
        self,
        game: _native.Game,
        num_envs: int,
        render_mode: str | None,
        options: dict[str, Any],
    ) -> tuple[Any, Any]:
        """Sets up the games, and returns the spaces of one of them."""
        options = {"opponents": "greedy", **options, "copy": True}
        if options["opponents"] is None:
            raise ValueError(
                'expected opponents such as "greedy"; ttr.VecEnv and ttr.pettingzoo let one learner play all'
            )
        self.render_mode = checked_render_mode(render_mode)
        self.game = game
        self.tables = _native.VecEnv(game, num_envs, **options)
        derived, dtype = options.get("derived", False), options.get("dtype", "float32")
        return observations(game, derived, dtype), spaces.Discrete(game.num_actions)

    def _render(self, table: int, seat: int) -> Any:
        view = self.tables.state(table).view(seat)
        return view.svg() if self.render_mode == "svg" else view.text


class Env(_Tables, gymnasium.Env):
    """One game against opponents. `options` are those of `ttr.VecEnv`: `opponents="greedy"`, `reward="win"`,
    `dtype="float32"`, `derived=False` and `illegal="error"`, or `"random"` for libraries without masks.

    The mask of the legal actions is `info["action_mask"]` and `action_masks()`.
    """

    metadata = _METADATA

    def __init__(
        self,
        map: Any = "usa",
        seats: int | None = None,
        *,
        depots: bool = False,
        rules: dict[str, Any] | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        game = board(map, seats, depots, rules)
        self.observation_space, self.action_space = self._set_up(
            game, 1, render_mode, {"threads": 1, **options}
        )
        self._over = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        super().reset(seed=seed)
        if seed is not None or not self._over:
            # A game that ended was followed by a new deal in the same step, and that one is used up first.
            self.tables.reset(int(self.np_random.integers(2**63)) if seed is None else seed)
        self._over = False
        return self.tables.obs[0], self._info()

    def step(self, action: Any) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        if self._over:
            raise RuntimeError("the game is over; call reset")
        tables = self.tables
        tables.step([int(action)])
        self._over = bool(tables.done[0])
        if not self._over:
            return tables.obs[0], float(tables.reward[0]), False, False, self._info()
        info = {
            "action_mask": np.zeros(self.game.num_actions, dtype=np.int8),
            "seat": int(tables.final_seat[0]),
            "points": tables.final_points[0],
            "ranks": tables.final_ranks[0],
        }
        if tables.forfeits:
            info["forfeit"] = tables.forfeits[0][2]
        return tables.final_obs[0], float(tables.reward[0]), True, False, info

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.tables.mask[0], "seat": int(self.tables.seat[0])}

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, as MaskablePPO of sb3-contrib asks for them."""
        mask: NDArray[np.bool_] = self.tables.mask[0].astype(bool)
        return mask

    def render(self) -> Any:
        if self.render_mode is None:
            return None
        return self._render(0, int(self.tables.seat[0]))

    def close(self) -> None:
        self.tables.close()


class Envs(_Tables, VectorEnv):
    """Many games in step against opponents: `ttr.VecEnv` as a `gymnasium.vector.VectorEnv`.

    A game that ends is dealt again in the same step (SAME_STEP); `infos["final_obs"]`, `infos["final_info"]`
    and the mask `infos["_final_obs"]` have its end. Options are those of `Env`.
    """

    metadata = {**_METADATA, "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        map: Any = "usa",
        seats: int | None = None,
        num_envs: int = 1,
        *,
        depots: bool = False,
        rules: dict[str, Any] | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        game = board(map, seats, depots, rules)
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = self._set_up(
            game, num_envs, render_mode, options
        )
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._all = np.ones(num_envs, dtype=bool)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        super().reset(seed=seed)
        self.tables.reset(int(self.np_random.integers(2**63)) if seed is None else seed)
        return self.tables.obs, self._infos()

    def step(
        self, actions: Any
    ) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        tables = self.tables
        tables.step(actions)
        done, infos = tables.done, self._infos()
        if done.any():
            infos["final_obs"], infos["_final_obs"] = tables.final_obs, done
            infos["final_info"] = {
                "points": tables.final_points,
                "_points": done,
                "ranks": tables.final_ranks,
                "_ranks": done,
                "seat": tables.final_seat,
                "_seat": done,
            }
            if tables.forfeits:
                reasons = {table: why for table, _, why in tables.forfeits}
                infos["final_info"]["forfeit"] = np.array([reasons.get(table) for table in range(self.num_envs)])
                infos["final_info"]["_forfeit"] = np.isin(np.arange(self.num_envs), list(reasons))
            infos["_final_info"] = done
        return tables.obs, tables.reward.astype(np.float64), done, np.zeros_like(done), infos

    def _infos(self) -> dict[str, Any]:
        every = self._all
        return {
            "action_mask": self.tables.mask,
            "_action_mask": every,
            "seat": self.tables.seat,
            "_seat": every,
        }

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions by game and action."""
        return self.tables.mask.astype(bool)

    def render(self) -> Any:
        if self.render_mode is None:
            return None
        return tuple(self._render(table, int(seat)) for table, seat in enumerate(self.tables.seat))

    def close_extras(self, **kwargs: Any) -> None:
        self.tables.close()


def register() -> list[str]:
    """Registers every map with every number of seats, such as `ttr/usa-2p-v1` and
    `ttr/europe-depots-3p-v1`."""
    names = []
    for map in [name + depots for name in _native.maps for depots in ("", "+depots")]:
        for seats in range(2, 6):
            try:
                _native.Game(map, seats)
            except ValueError:
                continue
            names.append(f"ttr/{map.replace('+', '-')}-{seats}p-v1")
            if names[-1] not in gymnasium.registry:
                gymnasium.register(
                    names[-1],
                    entry_point="ttr.gym:Env",
                    vector_entry_point="ttr.gym:Envs",
                    kwargs={"map": map, "seats": seats},
                    disable_env_checker=True,
                )
    return names


#: The registered names.
names = register()


def make(name: str, **options: Any) -> Any:
    """One environment by its name: `gymnasium.make` without wrappers, so that `action_masks` is at hand."""
    return gymnasium.make(name, **options).unwrapped


def make_vec(name: str, num_envs: int, **options: Any) -> Any:
    """Many environments in step by their name, as `gymnasium.make_vec`."""
    return gymnasium.make_vec(name, num_envs, **options)
