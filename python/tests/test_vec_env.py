"""Games in step: the same as games one by one, on any number of threads."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import ttr

MAPS = [("usa", 2), ("europe", 3), ("nordic", 2), ("first-journey-usa", 4), ("card-game", 3), ("europe+depots", 2)]


@pytest.mark.parametrize(("name", "seats"), MAPS)
def test_a_batch_is_single_games_step_by_step(name: str, seats: int) -> None:
    game = ttr.Game(name, seats)
    env = ttr.VecEnv(game, 5, seed=3, threads=2)
    packed = ttr.VecEnv(game, 5, seed=3, threads=1, dtype="uint8", packed_mask=True)
    states = [env.state(table) for table in range(5)]
    ended = 0
    for _ in range(260):
        for table, state in enumerate(states):
            assert state.turn is not None
            view = state.view(state.turn)
            assert env.seat[table] == packed.seat[table] == view.seat
            assert np.array_equal(env.obs[table], view.obs) and np.array_equal(packed.obs[table], view.obs_u8)
            assert np.array_equal(env.mask[table], view.mask)
            assert np.array_equal(packed.mask[table], np.packbits(view.mask))
        actions = env.sample().copy()
        assert np.array_equal(actions, packed.sample())
        env.step(actions)
        packed.step(actions)
        for table, state in enumerate(states):
            seat = state.turn
            assert seat is not None
            state.play(actions[table])
            assert env.done[table] == (state.turn is None)
            if state.turn is None:
                ended += 1
                assert list(env.final_points[table]) == state.points
                assert list(env.final_ranks[table]) == state.ranks
                assert env.final_seat[table] == seat
                assert np.array_equal(env.final_obs[table], state.view(seat).obs)
                winners = state.ranks.count(0)
                rewards = [1 / winners if rank == 0 else 0 for rank in state.ranks]
                assert np.allclose(env.seat_rewards[table], rewards) and env.reward[table] == rewards[seat]
                states[table] = env.state(table)
            else:
                assert env.reward[table] == 0 and not env.seat_rewards[table].any()
                assert env.state(table) == state
    assert ended > 0 and env.statistics["games"] == ended and env.statistics["decisions"] == 5 * 260


def transcript(threads: int, opponents: Any) -> list[bytes]:
    env = ttr.VecEnv(ttr.Game("europe", 3), 7, seed=5, threads=threads, opponents=opponents, derived=True)
    seen = []
    for _ in range(400 if opponents is None else 120):
        actions = env.sample()
        seen += [array.tobytes() for array in (env.obs, env.mask, env.seat, actions)]
        env.step(actions)
        seen += [array.tobytes() for array in (env.reward, env.done, env.final_obs, env.final_points)]
    assert env.statistics["games"] > 0 and env.statistics["forfeits"] == 0
    return seen


class Last(ttr.Player):
    def choose(self, view: ttr.View, rng: random.Random) -> int:
        return int(view.legal[-1])


@pytest.mark.parametrize("opponents", [None, "greedy", ["planner", "random"], Last(), Last, lambda v, rng: v.legal[0]])
def test_threads_do_not_matter(opponents: Any) -> None:
    assert transcript(1, opponents) == transcript(2, opponents) == transcript(5, opponents)


def test_the_arrays_stay_the_same(usa: ttr.Game) -> None:
    env = ttr.VecEnv(usa, 4)
    names = ["obs", "mask", "seat", "reward", "seat_rewards", "done", "final_obs", "final_points", "final_seat"]
    arrays = [getattr(env, name) for name in names]
    before = env.obs.copy()
    env.step(env.sample())
    assert all(array is getattr(env, name) for name, array in zip(names, arrays))
    assert not np.array_equal(before, arrays[0])
    copies = ttr.VecEnv(usa, 4, copy=True)
    kept = copies.obs
    before = kept.copy()
    copies.step(copies.sample())
    assert np.array_equal(kept, before) and not np.array_equal(kept, copies.obs)


def test_rewards_and_statistics(usa: ttr.Game) -> None:
    def half(points: list[int], ranks: list[int], seat: int) -> float:
        return points[seat] / 2

    for reward in ["win", "margin", "rank", half]:
        env = ttr.VecEnv(usa, 16, seed=2, opponents="greedy", reward=reward)
        while env.statistics["games"] < 30:
            env.step(env.sample())
            for table in np.flatnonzero(env.done):
                points, ranks, seat = env.final_points[table], env.final_ranks[table], env.final_seat[table]
                expected = {
                    "win": float(ranks[seat] == 0) / (ranks == 0).sum(),
                    "margin": (points[seat] - points[1 - seat]) / 100,
                    "rank": 1.0 - 2.0 * ranks[seat] if ranks[0] != ranks[1] else 0.0,
                }.get(reward if isinstance(reward, str) else "", points[seat] / 2)
                assert env.reward[table] == pytest.approx(expected)
        assert env.statistics["win_share"] < 0.2 and env.statistics["margin"] < 0
    assert set(env.final_seat) == {0, 1}
    env.reset(seed=9)
    assert env.statistics["games"] == 0 and np.isnan(env.statistics["points"])
    other = ttr.VecEnv(usa, 16, seed=9, opponents="greedy")
    assert np.array_equal(env.obs, other.obs)


def test_a_failing_opponent_forfeits(usa: ttr.Game) -> None:
    def broken(view: ttr.View, rng: random.Random) -> int:
        raise RuntimeError("I can't")

    def illegal(view: ttr.View, rng: random.Random) -> int:
        return 1079

    for player, reason in [(broken, "RuntimeError: I can't"), (illegal, "action 1079 is not legal")]:
        # The learner decides first at some tables, so the failure comes with the first step.
        env = ttr.VecEnv(usa, 3, opponents=player)
        with pytest.warns(RuntimeWarning, match=reason):
            env.step(env.sample())
        assert env.forfeits and all(reason in why and env.done[table] for table, _, why in env.forfeits)
        assert env.statistics["forfeits"] == len(env.forfeits) and env.statistics["win_share"] == 1.0
    env = ttr.VecEnv(usa, 3, opponents="random")
    while not env.done.any():
        env.step(env.sample())
    assert env.forfeits == []


def test_bad_input_raises(usa: ttr.Game) -> None:
    env = ttr.VecEnv(usa, 3)
    before = env.obs.copy()
    good = env.sample().copy()
    for actions, message in [
        (good[:2], "expected 3 whole numbers"),
        (good.astype(float), "dtype float64"),
        (good.reshape(3, 1), "shape"),
        (["a", "b", "c"], "whole numbers"),
        (None, "whole numbers"),
        (np.array([True, False, True]), "dtype bool"),
        ([-1, 0, 0], "there is no action -1"),
        ([*good[:2], 10**6], "there is no action 1000000"),
        (np.array([2**64 - 1, 0, 0], dtype=np.uint64), "there is no action"),
    ]:
        with pytest.raises(ValueError, match=message):
            env.step(actions)
    with pytest.raises(ttr.IllegalAction, match="table 2: action 1079 is not legal") as caught:
        env.step([*good[:2], 1079])
    assert caught.value.rule is None
    assert np.array_equal(env.obs, before) and env.statistics["decisions"] == 0
    for dtype in [np.int8, np.uint16, np.int32, np.uint64]:
        if good.max() <= np.iinfo(dtype).max:
            ttr.VecEnv(usa, 3).step(good.astype(dtype))
    strided = np.zeros((3, 2), dtype=np.int64)
    strided[:, 0] = good
    env.step(strided[:, 0])
    for make, message in [
        (lambda: ttr.VecEnv(usa, 0), "num_envs"),
        (lambda: ttr.VecEnv(usa, -3), "num_envs"),
        (lambda: ttr.VecEnv(usa, 2**40), "num_envs"),
        (lambda: ttr.VecEnv(usa, 2, threads=-1), "threads"),
        (lambda: ttr.VecEnv(usa, 2, reward="points"), "reward"),
        (lambda: ttr.VecEnv(usa, 2, dtype="float64"), "dtype"),
        (lambda: ttr.VecEnv(usa, 2, illegal="pass"), "illegal"),
        (lambda: ttr.VecEnv(usa, 2, opponents="planer"), "did you mean"),
        (lambda: ttr.VecEnv(usa, 2, opponents=[3]), "expected an agent"),
        (lambda: env.state(3), "there is no table 3"),
    ]:
        with pytest.raises(ValueError, match=message):
            make()


def test_illegal_actions_can_be_replaced(usa: ttr.Game) -> None:
    env = ttr.VecEnv(usa, 4, illegal="random")
    rng = np.random.default_rng(1)
    for _ in range(100):
        env.step(rng.integers(0, usa.num_actions, 4))
    assert env.statistics["replaced"] > 300


def test_closed_environments_refuse(usa: ttr.Game) -> None:
    env = ttr.VecEnv(usa, 2)
    actions = env.sample().copy()
    env.close()
    assert env.closed
    for use in [lambda: env.step(actions), env.sample, lambda: env.state(0)]:
        with pytest.raises(ValueError, match="closed"):
            use()
    env.reset()
    env.step(env.sample())


def test_arrays_that_are_locked_raise(usa: ttr.Game) -> None:
    env = ttr.VecEnv(usa, 2)
    env.obs.setflags(write=False)
    with pytest.raises(ValueError):
        env.step(env.sample())
