"""PettingZoo, Gymnasium, Stable-Baselines3 and the names of OpenSpiel."""

from __future__ import annotations

import doctest
import importlib
import random
import warnings
from typing import Any

import numpy as np
import pytest

import ttr
from ttr._common import bounds, rewards

MAPS = [*ttr.maps, "europe+depots"]
PACKAGES = {
    "ttr._common": None,
    "ttr._words": None,
    "ttr.gym": "gymnasium",
    "ttr.language": None,
    "ttr.openspiel": None,
    "ttr.pettingzoo": "pettingzoo",
}


@pytest.mark.parametrize("name", PACKAGES)
def test_examples(name: str) -> None:
    if package := PACKAGES[name]:
        pytest.importorskip(package)
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0 and result.attempted > 0


@pytest.mark.parametrize("seats", [2, 5])
@pytest.mark.parametrize("reward", ["win", "margin", "rank", lambda points, ranks, seat: points[seat] - ranks[seat]])
def test_rewards_are_those_of_the_vec_env(seats: int, reward: Any) -> None:
    env = ttr.VecEnv(ttr.Game("europe", seats), 8, seed=3, reward=reward)
    ended = 0
    while ended < 20:
        env.step(env.sample())
        for table in np.flatnonzero(env.done):
            expected = rewards(env.final_points[table].tolist(), env.final_ranks[table].tolist(), reward)
            assert np.allclose(env.seat_rewards[table], expected)
            ended += 1


def test_equal_ranks_share() -> None:
    assert rewards([5, 5, 1], [0, 0, 2], "rank") == [0.5, 0.5, -1.0]
    assert rewards([5, 5, 1], [0, 0, 2], "win") == [0.5, 0.5, 0.0]
    with pytest.raises(ValueError, match='"win", "margin", "rank"'):
        rewards([1, 2], [1, 0], "points")  # type: ignore[arg-type]


@pytest.mark.parametrize("derived", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "uint8"])
@pytest.mark.parametrize("name", MAPS)
def test_bounds(name: str, dtype: Any, derived: bool) -> None:
    env = ttr.VecEnv(ttr.Game(name), 8, dtype=dtype, derived=derived)
    high = bounds(env.game, derived, dtype)
    assert high.shape == env.obs.shape[1:] and high.dtype == env.obs.dtype
    while env.statistics["games"] < 8:
        env.step(env.sample())
        assert (env.obs <= high).all() and (env.obs >= 0).all()


def quiet(name: str) -> Any:
    """Warnings as errors, but for those that every environment with masks gets."""
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
    warnings.filterwarnings("ignore", message="Observation space for each agent probably should be")
    return importlib.import_module(name)


@pytest.mark.parametrize("name", MAPS)
def test_pettingzoo_checks(name: str) -> None:
    checks = pytest.importorskip("pettingzoo.test")
    with warnings.catch_warnings():
        module = quiet("ttr.pettingzoo")
        checks.api_test(module.env(name), num_cycles=40)
        checks.seed_test(lambda: module.env(name), num_cycles=40)


def test_pettingzoo_plays_the_game() -> None:
    pytest.importorskip("pettingzoo")
    from ttr import pettingzoo

    env = pettingzoo.env("europe", seats=3, reward="margin", render_mode="ansi")
    rng = random.Random(1)
    env.reset(seed=11)
    state = env.game.deal(11)
    while not env.terminations[env.agent_selection]:
        seat = state.turn
        assert env.agent_selection == f"player_{seat}"
        observation, reward, _, _, info = env.last()
        view = state.view(seat)
        assert reward == 0 and np.array_equal(observation["observation"], view.obs)
        assert np.array_equal(observation["action_mask"], view.mask) and info["action_mask"].any()
        assert observation in env.observation_space(env.agent_selection)
        other = f"player_{(seat + 1) % 3}"
        assert not env.observe(other)["action_mask"].any() and env.infos[other] == {}
        assert np.array_equal(env.observe(other)["observation"], state.view((seat + 1) % 3).obs)
        assert f"seat {seat + 1} to decide" in env.render()
        with pytest.raises(ttr.IllegalAction):
            env.step(np.flatnonzero(view.mask == 0)[0])
        action = rng.choice(view.legal.tolist())
        env.step(action)
        state.play(action)
    assert [env.rewards[agent] for agent in env.possible_agents] == rewards(state.points, state.ranks, "margin")
    for _ in range(3):
        env.step(None)
    assert env.agents == []
    env.reset()
    second = env.state
    env.reset(seed=11)
    env.reset()
    assert env.state == second != env.game.deal(11)
    with pytest.raises(ValueError, match="render_mode"):
        pettingzoo.env(render_mode="human")


@pytest.mark.parametrize("name", MAPS)
def test_gymnasium_checks(name: str) -> None:
    checker = pytest.importorskip("gymnasium.utils.env_checker")
    with warnings.catch_warnings():
        gym = quiet("ttr.gym")
        checker.check_env(gym.make(f"ttr/{name.replace('+', '-')}-2p-v1", illegal="random"))


def test_gymnasium_one_game() -> None:
    pytest.importorskip("gymnasium")
    from ttr import gym

    env = gym.make("ttr/usa-3p-v1", opponents=["greedy", "random"], reward="rank")
    first, info = env.reset(seed=5)
    over, decisions, again = False, [], []
    while not over:
        assert np.array_equal(env.action_masks(), info["action_mask"].astype(bool))
        decisions.append(int(np.flatnonzero(info["action_mask"])[-1]))
        last, reward, over, truncated, info = env.step(decisions[-1])
        assert not truncated and last in env.observation_space and (over or reward == 0)
    points, ranks = info["points"].tolist(), info["ranks"].tolist()
    assert reward == pytest.approx(rewards(points, ranks, "rank")[info["seat"]])
    assert not info["action_mask"].any()
    with pytest.raises(RuntimeError, match="call reset"):
        env.step(0)
    following, _ = env.reset()
    assert not np.array_equal(following, first)
    same, info = env.reset(seed=5)
    assert np.array_equal(same, first)
    for action in decisions:
        again.append(env.step(action))
    assert again[-1][2] and np.array_equal(again[-1][0], last) and again[-1][1] == reward
    with pytest.raises(ttr.IllegalAction):
        env.reset(seed=5)
        env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    with pytest.raises(ValueError, match="opponents"):
        gym.make("ttr/usa-2p-v1", opponents=None)


def test_gymnasium_vector() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.vector import AutoresetMode
    from gymnasium.wrappers.vector import RecordEpisodeStatistics

    from ttr import gym

    options: dict[str, Any] = {"opponents": "greedy", "reward": "margin"}
    plain = gym.make_vec("ttr/usa-2p-v1", 6, **options)
    envs = RecordEpisodeStatistics(gymnasium.make_vec("ttr/usa-2p-v1", 6, **options))
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    tables = ttr.VecEnv(ttr.Game("usa"), 6, seed=4, **options)
    observations, infos = envs.reset(seed=4)
    plain.reset(seed=4)
    ended, kept, copies = 0, [], []
    while ended < 12:
        assert observations in envs.observation_space and np.array_equal(observations, tables.obs)
        assert np.array_equal(infos["action_mask"], tables.mask) and infos["_action_mask"].all()
        kept.append(observations)
        copies.append(observations.copy())
        actions = tables.sample().copy()
        assert actions in envs.action_space
        observations, reward, done, truncated, infos = envs.step(actions)
        others = plain.step(actions)
        assert np.array_equal(observations, others[0]) and np.array_equal(reward, others[1])
        tables.step(actions)
        assert np.allclose(reward, tables.reward) and np.array_equal(done, tables.done) and not truncated.any()
        assert ("final_obs" in infos) == done.any() and ("episode" in infos) == done.any()
        for table in np.flatnonzero(done):
            ended += 1
            assert infos["_final_obs"][table] and np.array_equal(infos["final_obs"][table], tables.final_obs[table])
            assert infos["episode"]["r"][table] == pytest.approx(reward[table])
            seat, points = infos["final_info"]["seat"][table], infos["final_info"]["points"][table]
            assert reward[table] == pytest.approx((points[seat] - points[1 - seat]) / 100)
    assert all(np.array_equal(one, other) for one, other in zip(kept, copies))
    blind = gym.make_vec("ttr/card-game-2p-v1", 3, illegal="random")
    blind.reset(seed=1)
    blind.action_space.seed(1)
    for _ in range(100):
        blind.step(blind.action_space.sample())
    blind.close()
    blind.close()


def test_gymnasium_names() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from ttr import gym

    assert {"ttr/usa-5p-v1", "ttr/europe-depots-2p-v1", "ttr/card-game-4p-v1"} < set(gym.names)
    assert "ttr/card-game-5p-v1" not in gym.names and set(gym.names) <= set(gymnasium.registry)
    assert gym.make("ttr/europe-depots-4p-v1").game == ttr.Game("europe", 4, depots=True)
    assert gym.register() == gym.names


@pytest.mark.learning
def test_maskable_ppo() -> None:
    maskable = pytest.importorskip("sb3_contrib", reason="pip install ttr-engine[sb3]")
    from ttr import gym, sb3

    envs = sb3.VecEnv("usa", 2, num_envs=8, opponents="random", threads=1)
    assert np.array_equal(np.stack(envs.env_method("action_masks")), envs.envs.tables.mask.astype(bool))
    maskable.MaskablePPO("MlpPolicy", envs, n_steps=32, batch_size=64, n_epochs=1).learn(1024)
    envs.reset()
    ended = 0
    while ended < 8:
        masks = np.stack(envs.env_method("action_masks"))
        _, reward, done, infos = envs.step(masks.argmax(1))
        for table in np.flatnonzero(done):
            assert infos[table]["terminal_observation"] in envs.observation_space
            ended += 1
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(gym.make("ttr/usa-2p-v1", illegal="random"))
    single = gym.make("ttr/usa-2p-v1", opponents="random")
    maskable.MaskablePPO("MlpPolicy", single, n_steps=64, batch_size=64, n_epochs=1).learn(128)


@pytest.mark.parametrize("name", MAPS)
def test_openspiel(name: str) -> None:
    from ttr import openspiel

    game = openspiel.load_game(name, 2)
    rng = random.Random(3)
    state = game.new_initial_state(seed=2)
    truth = game.game.deal(2)
    decisions = 0
    while not state.is_terminal():
        player = state.current_player()
        assert player == truth.turn and not state.is_chance_node() and state.returns() == [0.0, 0.0]
        legal = state.legal_actions()
        assert legal == truth.view(player).legal.tolist() and state.legal_actions(1 - player) == []
        mask = state.legal_actions_mask(player)
        assert [action for action, bit in enumerate(mask) if bit] == legal and len(mask) == game.num_distinct_actions()
        assert np.array_equal(state.observation_tensor(), truth.view(player).obs)
        assert len(state.observation_tensor(1 - player)) == game.observation_tensor_size()
        action = rng.choice(legal)
        assert state.string_to_action(player, state.action_to_string(player, action)) == action
        clone, child = state.clone(), state.child(action)
        guess = state.resample_from_infostate(player, decisions)
        assert np.array_equal(guess.observation_tensor(player), state.observation_tensor(player))
        state.apply_action(action)
        truth.play(action)
        assert str(child) == str(state) and (decisions > 3 or str(clone) != str(state))
        decisions += 1
    assert state.current_player() == openspiel.TERMINAL and state.legal_actions() == []
    assert state.returns() == rewards(truth.points, truth.ranks, "rank") == state.rewards()
    assert sum(state.returns()) == game.utility_sum() == 0
    assert game.min_utility() <= state.player_return(0) <= game.max_utility()
    assert not hasattr(state, "information_state_tensor") and not game.provides_information_state_tensor
    with pytest.raises(ValueError, match="say which player"):
        state.observation_tensor()
