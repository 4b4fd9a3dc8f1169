"""The package itself: examples in docstrings, and panics as exceptions."""

from __future__ import annotations

import doctest
import importlib
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
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
    # Every crate that the extension needs is there, with the versions that were tested.
    metadata = ["cargo", "metadata", "--offline", "--format-version", "1"]
    done = subprocess.run(metadata, cwd=unpacked / "crates/python", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    packages = json.loads(done.stdout)["packages"]
    crates = [package for package in packages if package["source"] is None]
    assert {"ttr-engine", "ttr-maps", "ttr-python"} <= {package["name"] for package in crates}
    assert locked(unpacked) <= locked(root)
    for crate in crates:
        for target in crate["targets"]:
            assert Path(target["src_path"]).exists()
        # Maps, pages and documentation that become part of the library.
        sources = Path(crate["manifest_path"]).parent.rglob("*.rs")
        for source in (path for path in sources if "tests" not in path.parts):
            text = re.sub(r"#\[cfg\(doctest\)\]\n.*", "", source.read_text("utf-8"))
            for name in re.findall(r'include_(?:str|bytes)!\(\s*"([^"]+)"', text):
                assert (source.parent / name).exists(), f"{source.relative_to(unpacked)} needs {name}"


def locked(folder: Path) -> set[tuple[str, str, str]]:
    """The packages of a lock file."""
    text = (folder / "Cargo.lock").read_text("utf-8")
    found = re.findall(r'name = "([^"]+)"\nversion = "([^"]+)"(?:\nsource = "[^"]+"\nchecksum = "([^"]+)")?', text)
    return set(found)


@pytest.mark.slow
def test_the_source_distribution_builds(tmp_path: Path) -> None:
    """A wheel of the archive alone, with the compiled dependencies of this checkout."""
    pytest.importorskip("maturin")
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-m", "maturin", "sdist", "--out", tmp_path], cwd=root, check=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    environment = {**os.environ, "MATURIN_PEP517_ARGS": "--profile dev"}
    environment.setdefault("CARGO_TARGET_DIR", str(root / "target"))
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--quiet", "--wheel-dir", tmp_path, archive]
    subprocess.run(build, check=True, env=environment)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {"ttr/__init__.py", "ttr/py.typed"} <= set(names) and any("_native" in name for name in names)
