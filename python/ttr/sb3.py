"""Many games in step as a VecEnv of Stable-Baselines3 (pip install ttr-engine[sb3]).

    import ttr.sb3
    from sb3_contrib import MaskablePPO

    envs = ttr.sb3.VecEnv("usa", seats=2, num_envs=64, opponents="greedy")
    model = MaskablePPO("MlpPolicy", envs).learn(100_000)

`ttr.gym.Env` works with Stable-Baselines3 as it is; this class steps all games with one call.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnv as BaseVecEnv

from ttr.gym import Envs


class VecEnv(BaseVecEnv):
    """`ttr.gym.Envs` for Stable-Baselines3, with `action_masks` for MaskablePPO."""

    def __init__(self, map: Any = "usa", seats: int | None = None, num_envs: int = 64, **options: Any) -> None:
        self.render_mode = options.get("render_mode")
        self.envs = Envs(map, seats, num_envs, **options)
        super().__init__(num_envs, self.envs.single_observation_space, self.envs.single_action_space)
        self._chosen: Any = None

    def reset(self) -> Any:
        seed = self._seeds[0]
        self._reset_seeds()
        return self.envs.reset(seed=seed)[0]

    def step_async(self, actions: Any) -> None:
        self._chosen = actions

    def step_wait(self) -> Any:
        observations, rewards, done, _, found = self.envs.step(self._chosen)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for table in np.flatnonzero(done):
            final = found["final_info"]
            infos[table] = {
                "terminal_observation": found["final_obs"][table],
                "points": final["points"][table],
                "ranks": final["ranks"][table],
                "seat": int(final["seat"][table]),
            }
        return observations, rewards.astype(np.float32), done, infos

    def close(self) -> None:
        self.envs.close()

    def has_attr(self, attr_name: str) -> bool:
        return hasattr(self.envs, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        value = getattr(self.envs, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(f"{attr_name} cannot be set: the games are played in Rust")

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """The only method that has a result for each game is `action_masks`."""
        if method_name != "action_masks":
            raise AttributeError(f"expected the method action_masks, found {method_name}")
        masks = self.envs.action_masks()
        return [masks[table] for table in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[Any]:
        raise NotImplementedError("a game has no images of pixels; ttr.gym.Env renders it as SVG")
