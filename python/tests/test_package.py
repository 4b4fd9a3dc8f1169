"""The package itself: examples in docstrings, and panics as exceptions."""

from __future__ import annotations

import doctest
import importlib
import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

import ttr
from ttr import _native


@pytest.mark.parametrize("name", ["ttr", "ttr._players", "ttr._records", "ttr._runs"])
def test_examples(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0 and result.attempted > 0 or name == "ttr._runs" and result.failed == 0


@pytest.mark.parametrize("name", ["Game", "State", "View", "Agent", "VecEnv", "Replay"])
def test_examples_of_the_engine(name: str) -> None:
    found = doctest.DocTestFinder(recurse=False).find(getattr(_native, name), name, globs={})
    runner = doctest.DocTestRunner()
    assert found and all(runner.run(example).failed == 0 for example in found)
    assert runner.tries > 0


def test_examples_of_the_documentation() -> None:
    file = Path(__file__).parents[2] / "docs/PYTHON.md"
    result = doctest.testfile(str(file), module_relative=False)
    assert result.attempted > 10 and result.failed == 0


def test_the_stubs_are_right() -> None:
    pytest.importorskip("mypy")
    check = [sys.executable, "-m", "mypy.stubtest", "ttr._native"]
    done = subprocess.run(check, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_exceptions_have_ordinary_bases() -> None:
    assert issubclass(ttr.EngineError, RuntimeError) and issubclass(ttr.IllegalAction, ValueError)
    assert ttr.EngineError.__module__ == "ttr"


def test_the_source_distribution_is_complete(tmp_path: Path) -> None:
    pytest.importorskip("maturin")
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-m", "maturin", "sdist", "--out", tmp_path], cwd=root, check=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(tmp_path, filter="data")
    (unpacked,) = (path for path in tmp_path.iterdir() if path.is_dir())
    for file in ("LICENSE-MIT", "LICENSE-APACHE", "python/ttr/py.typed", "python/ttr/_native.pyi"):
        assert (unpacked / file).exists(), f"{file} is missing"
    # Every crate that the extension needs is there, and the lock file is theirs.
    metadata = ["cargo", "metadata", "--locked", "--offline", "--format-version", "1"]
    done = subprocess.run(metadata, cwd=unpacked / "crates/python", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    crates = [package for package in json.loads(done.stdout)["packages"] if package["source"] is None]
    assert {"ttr-engine", "ttr-maps", "ttr-python"} <= {package["name"] for package in crates}
    for crate in crates:
        assert all(Path(target["src_path"]).exists() for target in crate["targets"])
