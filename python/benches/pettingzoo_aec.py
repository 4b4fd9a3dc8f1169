"""Steps per CPU second of the PettingZoo environment: python python/benches/pettingzoo_aec.py [MAP SEATS]"""

from __future__ import annotations

import sys
import time

import ttr.pettingzoo


def rate(env: ttr.pettingzoo.raw_env, seconds: float = 3.0) -> float:
    """Steps per CPU second: each with `last`, its observation and mask, and the first legal action of the mask."""
    steps, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        env.reset(seed=steps)
        for _ in env.agent_iter():
            observation, _, termination, _, _ = env.last()
            if termination:
                break
            env.step(observation["action_mask"].argmax())
            steps += 1
    return steps / (time.process_time() - start)


def main() -> None:
    name, seats = (sys.argv[1], int(sys.argv[2])) if len(sys.argv) > 2 else ("usa", 2)
    print(f"{name}, {seats} seats, steps per CPU second: {rate(ttr.pettingzoo.env(name, seats)):,.0f}")


if __name__ == "__main__":
    main()
