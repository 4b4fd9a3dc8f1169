"""examples/cluster_cost.py: the simulated overhead agrees with a calculation, and nothing is played twice or lost."""

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

import pytest

PATH = Path(__file__).parents[2] / "examples" / "cluster_cost.py"


@pytest.fixture(scope="module")
def cost():
    spec = importlib.util.spec_from_file_location("cluster_cost", PATH)
    module = importlib.util.module_from_spec(spec)
    sys.modules["cluster_cost"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("restart", [False, True])
def test_overhead_of_failures_is_as_calculated(cost, restart):
    cluster = cost.Cluster(games=4e6, game=1.0, workers=50, shard=200, failure=7200, repair=300, restart=restart)
    outcome = cost.simulate(cluster)
    assert outcome.useful == 4e6
    assert outcome.failures == pytest.approx(4e6 / 7200, rel=0.2)
    assert outcome.overhead - outcome.idle / outcome.useful == pytest.approx(cost.expected(cluster), rel=0.2)


@pytest.mark.parametrize("seed", range(5))
def test_all_time_is_accounted_for(cost, seed):
    cluster = cost.Cluster(games=3e5, game=1.0, workers=40, shard=300, failure=900, repair=100, seed=seed)
    outcome = cost.simulate(cluster)
    spent = outcome.useful + outcome.repeated + outcome.starts + outcome.down + outcome.idle
    # A worker that is being replaced when the run ends is down for longer than the run.
    assert spent == pytest.approx(40 * outcome.span, abs=40 * 100)
    assert outcome.repeated <= outcome.failures * cluster.part


def test_workers_that_never_fail_only_start(cost):
    cluster = cost.Cluster(games=6e4, game=1.0, workers=10, shard=600, failure=1e15)
    outcome = cost.simulate(cluster)
    assert (outcome.failures, outcome.repeated, outcome.shards) == (0, 0.0, 100)
    assert outcome.overhead == pytest.approx(cluster.start / cluster.shard)
    assert outcome.span == pytest.approx(6e3 + 10 * cluster.start)
    assert cost.simulate(replace(cluster, workers=100)).span == pytest.approx(600 + cluster.start)
