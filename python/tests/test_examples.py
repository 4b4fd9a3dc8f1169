"""The examples: the notebook is executed, and PPO learns a little where JAX is installed."""

from __future__ import annotations

import ast
import contextlib
import csv
import importlib.util
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def shown(source: str, names: dict[str, Any]) -> Any:
    """Executes a cell as a notebook does, and returns the value of its last expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def test_the_tour() -> None:
    notebook = json.loads((EXAMPLES / "tour.ipynb").read_text(encoding="utf-8"))
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) == 10
    names: dict[str, Any] = {}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        values = [shown(cell, names) for cell in cells]
    assert "europe" in values[0] and values[1]._repr_svg_().startswith("<svg")
    assert "seat 3 to decide: opening tickets" in printed.getvalue()
    assert all(action.startswith("keep ") for action in values[3])
    assert values[4].turn is None and len(values[5]) == 3
    assert values[6]["games"] >= 500 and values[6]["win_share"] < 0.5
    assert values[7] == 600 and values[8]["planner"][0] > values[8]["random"][2]
    figure = values[9]._repr_svg_()
    assert figure.count("<rect") == 4 and "planner" in figure
    names["folder"].cleanup()
    # The outputs are not part of the repository.
    assert not any(cell.get("outputs") for cell in notebook["cells"])


def ppo() -> Any:
    pytest.importorskip("jax", reason="pip install jax")
    spec = importlib.util.spec_from_file_location("ppo", EXAMPLES / "ppo.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_advantages_stop_at_the_end_of_a_game() -> None:
    rewards = np.array([[0.0], [1.0], [0.0]], dtype=np.float32)
    done = np.array([[0.0], [1.0], [0.0]], dtype=np.float32)
    values = np.array([[0.2], [0.4], [0.5], [0.9]], dtype=np.float32)
    gains = ppo().advantages(rewards, done, values)
    last, end = 0.9 - 0.5, 1.0 - 0.4
    assert np.allclose(gains[:, 0], [0.4 - 0.2 + 0.95 * end, end, last])


@pytest.mark.learning
def test_ppo_learns(tmp_path: Path) -> None:
    ppo()
    weights = tmp_path / "policy.npz"
    options = ["--updates=6", "--evaluate=6", "--tables=64", "--games=100", f"--save={weights}"]
    done = subprocess.run([sys.executable, EXAMPLES / "ppo.py", *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    first, last = csv.DictReader(done.stdout.splitlines())
    assert int(last["decisions"]) == 6 * 64 * 64
    assert float(last["random"]) > max(0.8, float(first["random"]))
    with np.load(weights) as saved:
        assert saved["first"].shape[1] == 256
