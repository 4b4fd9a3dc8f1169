"""What a large run costs on many workers that fail: a discrete-event simulation.

    python examples/cluster_cost.py --games 1e12 --game-ms 0.12 --workers 10000

Workers take shards from a queue. A worker fails at random; its replacement comes after a while, and the shard goes
back into the queue. With --restart the shard starts again, as on a worker's own disk; otherwise all parts that were
written survive, and only the last few seconds are played again. The sum of the useful time is known, so whatever
else the workers did is overhead.
"""

from __future__ import annotations

import argparse
import heapq
import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Cluster:
    """A run and the workers that play it; times are in seconds, a worker is one core."""

    games: float
    game: float
    workers: int = 10_000
    shard: float = 600.0
    """Playing time of a shard."""
    part: float = 5.0
    """Playing time of a part: `ttr` writes one every five seconds."""
    start: float = 0.02
    """From the start of the process to its first game."""
    failure: float = 24 * 3600.0
    """Mean time between failures of a worker; a pre-emption is a failure."""
    repair: float = 120.0
    """Until a failed worker is replaced."""
    restart: bool = False
    """Whether a failed shard starts again."""
    seed: int = 1


@dataclass
class Outcome:
    """The course of a simulated run, in seconds of all workers together."""

    useful: float = 0.0
    repeated: float = 0.0
    starts: float = 0.0
    down: float = 0.0
    idle: float = 0.0
    span: float = 0.0
    shards: int = 0
    failures: int = 0

    @property
    def overhead(self) -> float:
        """Time that was not useful, relative to the useful time."""
        return (self.repeated + self.starts + self.down + self.idle) / self.useful


def simulate(cluster: Cluster) -> Outcome:
    """Plays a run. Workers take shards in the order in which they become free."""
    rng = random.Random(cluster.seed)
    work = cluster.games * cluster.game
    shards = max(1, round(work / cluster.shard))
    fresh = shards
    # What failed workers left: when it comes back to the queue, and how much is to be played.
    returned: list[tuple[float, float]] = []
    outcome = Outcome(useful=work, shards=shards)
    # Each worker: the time at which it is free, and that of its next failure.
    workers = [(0.0, rng.expovariate(1 / cluster.failure)) for _ in range(cluster.workers)]
    heapq.heapify(workers)

    def replace(failed: float) -> None:
        outcome.failures += 1
        outcome.down += cluster.repair
        back = failed + cluster.repair
        heapq.heappush(workers, (back, back + rng.expovariate(1 / cluster.failure)))

    while fresh or returned:
        free, fails = heapq.heappop(workers)
        now = max(free, returned[0][0]) if returned and not fresh else free
        outcome.idle += min(now, fails) - free
        if fails <= now:
            replace(fails)
            continue
        if returned and returned[0][0] <= now:
            left = heapq.heappop(returned)[1]
        else:
            left = work / shards
            fresh -= 1
        outcome.starts += min(cluster.start, fails - now)
        done = now + cluster.start + left
        if done <= fails:
            outcome.span = max(outcome.span, done)
            heapq.heappush(workers, (done, fails))
            continue
        played = max(0.0, fails - now - cluster.start)
        kept = 0.0 if cluster.restart else played - played % cluster.part
        outcome.repeated += played - kept
        heapq.heappush(returned, (fails, left - kept))
        replace(fails)
    # At the end, workers wait for the last one.
    outcome.idle += sum(max(0.0, outcome.span - free) for free, _ in workers)
    return outcome


def expected(cluster: Cluster) -> float:
    """The overhead that a worker has by itself, without the wait for the last shard, to first order."""
    per_shard = cluster.start / cluster.shard
    lost = cluster.shard / 2 if cluster.restart else cluster.part / 2
    return per_shard + (lost + cluster.repair + cluster.start) / cluster.failure


def main() -> None:
    """Prints the cost of a run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=float, required=True, help="number of games, such as 1e12")
    parser.add_argument("--game-ms", type=float, required=True, help="milliseconds of a core per game")
    parser.add_argument("--game-bytes", type=float, default=104, help="bytes of parts per game [default: 104]")
    parser.add_argument("--workers", type=int, default=10_000, help="number of cores [default: 10000]")
    parser.add_argument("--shard-minutes", type=float, default=10, help="playing time of a shard [default: 10]")
    parser.add_argument("--failure-hours", type=float, default=24, help="mean time between failures [default: 24]")
    parser.add_argument("--repair-minutes", type=float, default=2, help="until a worker is replaced [default: 2]")
    parser.add_argument("--start-seconds", type=float, default=0.02, help="start of a process [default: 0.02]")
    parser.add_argument("--merge-rate", type=float, default=134_000, help="games merged per second [default: 134000]")
    parser.add_argument("--restart", action="store_true", help="a failed shard starts again")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    cluster = Cluster(
        games=args.games,
        game=args.game_ms / 1e3,
        workers=args.workers,
        shard=args.shard_minutes * 60,
        start=args.start_seconds,
        failure=args.failure_hours * 3600,
        repair=args.repair_minutes * 60,
        restart=args.restart,
        seed=args.seed,
    )
    outcome = simulate(cluster)
    hours = outcome.useful / 3600
    print(f"useful       {hours:,.1f} core hours")
    for name in ("repeated", "starts", "down", "idle"):
        seconds = getattr(outcome, name)
        print(f"{name:12} {seconds / 3600:,.1f} core hours, {100 * seconds / outcome.useful:.3f} %")
    print(f"overhead     {100 * outcome.overhead:.2f} % ({100 * expected(cluster):.2f} % without the wait at the end)")
    print(f"time         {outcome.span / 3600:,.2f} hours on {args.workers:,} cores")
    print(f"shards       {outcome.shards:,}, failures {outcome.failures:,}")
    print(f"parts        {args.games * args.game_bytes / 1e9:,.1f} GB, {hours * 3600 / cluster.part:,.0f} files")
    print(f"merge        {args.games / args.merge_rate / 3600:,.2f} hours on one core")


if __name__ == "__main__":
    main()
