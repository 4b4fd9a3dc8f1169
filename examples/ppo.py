"""Proximal policy optimisation on `ttr.VecEnv`, in one file: JAX on the CPU, and no other library.

    pip install 'ttr-engine[examples]'
    python examples/ppo.py --minutes 5 --save policy.npz > curve.csv

The tables are divided among the opponents, which decide in Rust. The policy is a network with two hidden
layers. Its output is not a logit per action but a vector that is multiplied with the embedding of every
action, and that is the sum of the embeddings of its columns in `game.actions` (kind, route, colour,
locomotives, ...): what is learned about a route or a colour counts for all their actions. Illegal actions are
masked. Now and then the policy without its randomness plays one game per table against each opponent, and a
line of CSV has its win shares.
"""

from __future__ import annotations

import argparse
import sys
import time
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

import ttr

EVALUATED = ["random", "greedy", "long-route", "planner"]
GAMMA, LAMBDA, CLIP, EPOCHS, MINIBATCHES = 1.0, 0.95, 0.2, 3, 8


def action_features(game: ttr.Game) -> np.ndarray:
    """One row per action: the one-hot codes of its columns in `game.actions`."""
    columns = []
    for values in game.actions.values():
        kinds, code = np.unique(values, return_inverse=True)
        columns.append(np.eye(len(kinds), dtype=np.float32)[code])
    return np.concatenate(columns, axis=1)


def initial(key: jax.Array, inputs: int, features: int, hidden: int) -> dict:
    """The weights of the network."""
    one, two, three, four = jax.random.split(key, 4)
    return {
        "first": jax.random.normal(one, (inputs, hidden)) * np.sqrt(2 / inputs),
        "first-bias": jnp.zeros(hidden),
        "second": jax.random.normal(two, (hidden, hidden)) * np.sqrt(2 / hidden),
        "second-bias": jnp.zeros(hidden),
        "actions": jax.random.normal(three, (features, hidden)) * 0.05,
        "actions-bias": jnp.zeros(features),
        "value": jax.random.normal(four, (hidden, 1)) * 0.1 / np.sqrt(hidden),
        "value-bias": jnp.zeros(1),
    }


def network(weights: dict, features: jax.Array, obs: jax.Array, mask: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The logarithms of the probabilities of all actions, and the value."""
    hidden = jax.nn.relu(obs @ weights["first"] + weights["first-bias"])
    hidden = jax.nn.relu(hidden @ weights["second"] + weights["second-bias"])
    logits = hidden @ (features @ weights["actions"]).T + features @ weights["actions-bias"]
    value = (hidden @ weights["value"] + weights["value-bias"])[:, 0]
    return jax.nn.log_softmax(jnp.where(mask > 0, logits, -1e9)), value


@jax.jit
def act(weights: dict, features: jax.Array, obs: jax.Array, mask: jax.Array, key: jax.Array) -> tuple:
    """Draws actions; returns them with the logarithms of their probabilities and the values."""
    logs, value = network(weights, features, obs, mask)
    action = jax.random.categorical(key, logs)
    return action, jnp.take_along_axis(logs, action[:, None], 1)[:, 0], value


@jax.jit
def best(weights: dict, features: jax.Array, obs: jax.Array, mask: jax.Array) -> jax.Array:
    """The most probable actions."""
    return network(weights, features, obs, mask)[0].argmax(1)


def loss(weights: dict, features: jax.Array, batch: dict, entropy: float) -> jax.Array:
    """The clipped objective of PPO, the error of the value, and a bonus for entropy."""
    logs, value = network(weights, features, batch["obs"], batch["mask"])
    log = jnp.take_along_axis(logs, batch["action"][:, None], 1)[:, 0]
    ratio, gain = jnp.exp(log - batch["log"]), batch["gain"]
    gain = (gain - gain.mean()) / (gain.std() + 1e-8)
    policy = jnp.minimum(ratio * gain, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * gain).mean()
    spread = -(jnp.exp(logs) * jnp.where(batch["mask"] > 0, logs, 0)).sum(1).mean()
    return ((value - batch["target"]) ** 2).mean() * 0.5 - policy - entropy * spread


@partial(jax.jit, donate_argnums=(0, 1, 2))
def improve(weights: dict, mean: dict, square: dict, step: int, rate: float, features: jax.Array, batch: dict) -> tuple:
    """One step of Adam with clipped gradients."""
    slope = jax.grad(loss)(weights, features, batch, 0.01)
    norm = jnp.sqrt(sum((part**2).sum() for part in slope.values()))
    slope = {name: part * jnp.minimum(1, 0.5 / (norm + 1e-8)) for name, part in slope.items()}
    mean = {name: 0.9 * mean[name] + 0.1 * slope[name] for name in slope}
    square = {name: 0.999 * square[name] + 0.001 * slope[name] ** 2 for name in slope}
    rate = rate * jnp.sqrt(1 - 0.999**step) / (1 - 0.9**step)
    weights = {name: weights[name] - rate * mean[name] / (jnp.sqrt(square[name]) + 1e-6) for name in slope}
    return weights, mean, square


class Tables:
    """Several `ttr.VecEnv`, one per opponent, as one. `obs` and `mask` are copies."""

    def __init__(self, game: ttr.Game, opponents: list[str], tables: int, seed: int, reward: str) -> None:
        share = tables // len(opponents)
        self.envs = [
            ttr.VecEnv(game, share, seed=seed + number, opponents=opponent, reward=reward, derived=True)
            for number, opponent in enumerate(opponents)
        ]
        self.size = share * len(opponents)
        self.see()

    def see(self) -> None:
        self.obs = np.concatenate([env.obs for env in self.envs])
        self.mask = np.concatenate([env.mask for env in self.envs])

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Plays one action per table; returns the rewards, and where games ended."""
        for env, chosen in zip(self.envs, np.split(actions, len(self.envs))):
            env.step(chosen)
        self.see()
        return np.concatenate([env.reward for env in self.envs]), np.concatenate([env.done for env in self.envs])


def advantages(rewards: np.ndarray, done: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Generalised advantage estimation by step and table; `values` has one step more. Games end at `done`."""
    gains = np.zeros_like(rewards)
    following = np.zeros(rewards.shape[1], dtype=np.float32)
    for step in reversed(range(len(rewards))):
        goes_on = 1.0 - done[step]
        error = rewards[step] + GAMMA * goes_on * values[step + 1] - values[step]
        gains[step] = following = error + GAMMA * LAMBDA * goes_on * following
    return gains


def evaluate(game: ttr.Game, weights: dict, features: jax.Array, opponent: str, games: int, seed: int) -> float:
    """The win share of the most probable actions in the first game of every table."""
    env = ttr.VecEnv(game, games, seed=seed, opponents=opponent, reward="win", derived=True)
    wins, over = np.zeros(games), np.zeros(games, dtype=bool)
    while not over.all():
        env.step(np.asarray(best(weights, features, env.obs, env.mask)))
        ended = env.done & ~over
        wins[ended] = env.reward[ended]
        over |= ended
    return float(wins.mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--map", default="usa")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--opponents", default="greedy,long-route", help="agents to learn against, with commas")
    parser.add_argument("--minutes", type=float, default=5.0, help="time to learn, without the evaluations")
    parser.add_argument("--updates", type=int, default=10**9, help="maximum number of updates")
    parser.add_argument("--tables", type=int, default=128)
    parser.add_argument("--steps", type=int, default=64, help="decisions per table and update")
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--reward", default="margin", choices=["win", "margin", "rank"])
    parser.add_argument("--evaluate", type=int, default=20, help="updates between two evaluations")
    parser.add_argument("--games", type=int, default=400, help="games per opponent and evaluation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", help="file for the weights (npz)")
    options = parser.parse_args()

    game = ttr.Game(options.map, options.seats)
    features = jnp.asarray(action_features(game))
    tables = Tables(game, options.opponents.split(","), options.tables, options.seed, options.reward)
    inputs, actions = tables.obs.shape[1], game.num_actions
    key, one = jax.random.split(jax.random.key(options.seed))
    weights = initial(one, inputs, features.shape[1], options.hidden)
    mean = {name: jnp.zeros_like(part) for name, part in weights.items()}
    square = {name: jnp.zeros_like(part) for name, part in weights.items()}
    dice = np.random.default_rng(options.seed)
    shape = (options.steps, tables.size)
    obs = np.zeros((*shape, inputs), dtype=np.float32)
    mask = np.zeros((*shape, actions), dtype=np.int8)
    chosen, log = np.zeros(shape, dtype=np.int32), np.zeros(shape, dtype=np.float32)
    rewards, done = np.zeros(shape, dtype=np.float32), np.zeros(shape, dtype=np.float32)
    values = np.zeros((options.steps + 1, tables.size), dtype=np.float32)

    print("updates", "decisions", "seconds", *EVALUATED, sep=",", flush=True)
    learned, adam, update = 0.0, 0, 0
    while True:
        progress = max(learned / (60 * options.minutes), update / options.updates)
        if update % options.evaluate == 0 or progress >= 1:
            shares = [evaluate(game, weights, features, who, options.games, 10**6) for who in EVALUATED]
            row = [f"{share:.3f}" for share in shares]
            print(update, update * obs.shape[0] * obs.shape[1], round(learned), *row, sep=",", flush=True)
        if progress >= 1:
            break
        began = time.perf_counter()
        for step in range(options.steps):
            key, one = jax.random.split(key)
            obs[step], mask[step] = tables.obs, tables.mask
            found = act(weights, features, tables.obs, tables.mask, one)
            chosen[step], log[step], values[step] = map(np.asarray, found)
            rewards[step], done[step] = tables.step(chosen[step])
        values[-1] = np.asarray(act(weights, features, tables.obs, tables.mask, key)[2])
        gains = advantages(rewards, done, values)
        whole = {"obs": obs, "mask": mask, "action": chosen, "log": log, "gain": gains, "target": gains + values[:-1]}
        flat = {name: part.reshape(-1, *part.shape[2:]) for name, part in whole.items()}
        for _ in range(EPOCHS):
            for rows in np.array_split(dice.permutation(chosen.size), MINIBATCHES):
                adam += 1
                batch = {name: part[rows] for name, part in flat.items()}
                rate = options.rate * (1 - progress)
                weights, mean, square = improve(weights, mean, square, adam, rate, features, batch)
        jax.block_until_ready(weights)
        update += 1
        learned += time.perf_counter() - began
    if options.save:
        np.savez(options.save, **{name: np.asarray(part) for name, part in weights.items()})
        print(f"the weights are in {options.save}", file=sys.stderr)


if __name__ == "__main__":
    main()
