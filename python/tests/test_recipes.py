"""The recipes of docs/CLUSTER.md, executed with stand-ins for the schedulers: jobs are killed at random and started
again in another order, and the bytes are those of the undivided run."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from test_runs import ROOT, files

TEXT = (ROOT / "docs/CLUSTER.md").read_text("utf-8")
PROGRAM = Path(os.environ.get("TTR_PROGRAM") or ROOT / "target/debug/ttr")

pytestmark = [
    pytest.mark.skipif(not PROGRAM.exists(), reason=f"{PROGRAM} is not built: cargo build, or set TTR_PROGRAM"),
    pytest.mark.skipif(sys.platform == "win32", reason="the schedulers are those of Unix"),
]


def blocks(heading: str, language: str = "sh") -> list[str]:
    """The code blocks of a section."""
    (section,) = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    found: list[str] = re.findall(rf"^```{language}\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    return found


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with `ttr` and room for stand-ins on its path, and the undivided run for comparison."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/ttr").symlink_to(PROGRAM.resolve())
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    whole = "ttr arena --map usa --agents greedy,random --games 2000 --quiet --out undivided"
    subprocess.run(whole, shell=True, check=True, stdout=subprocess.DEVNULL)
    return tmp_path


def command(site: Path, name: str, text: str) -> None:
    """Puts a stand-in on the path."""
    path = site / "bin" / name
    path.write_text(text)
    path.chmod(0o755)


def sh(text: str, **environment: str) -> str:
    done = subprocess.run(["sh", "-ec", text], capture_output=True, text=True, env={**os.environ, **environment})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Attempts:
    """Starts jobs as a scheduler does, in a random order, and kills each some times."""

    def __init__(self, seed: int, kills: int = 3) -> None:
        self.rng = random.Random(seed)
        self.kills = kills
        self.killed = 0
        self.retried = 0

    def run(self, jobs: dict[str, tuple[str, dict[str, str]]]) -> None:
        """Runs jobs, shell commands with environments, until each has ended with 0."""
        left = {name: self.kills for name in jobs}
        waiting = list(jobs)
        while waiting:
            name = waiting.pop(self.rng.randrange(len(waiting)))
            text, environment = jobs[name]
            # A process group: what the job starts is killed with it.
            job = subprocess.Popen(
                ["sh", "-c", text], env={**os.environ, **environment}, start_new_session=True,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            )  # fmt: skip
            if left[name]:
                left[name] -= 1
                # On a quiet machine a shard takes a few milliseconds.
                time.sleep(self.rng.choice([0.0, 0.002, 0.005, 0.02, 0.25]))
                if job.poll() is None:
                    os.killpg(job.pid, self.rng.choice([signal.SIGTERM, signal.SIGUSR1, signal.SIGKILL]))
                    self.killed += 1
            _, problem = job.communicate(timeout=120)
            if job.returncode == 75:
                self.retried += 1
            assert job.returncode in (0, 75) or job.returncode < 0, f"{text}: {job.returncode}\n{problem}"
            if job.returncode != 0:
                waiting.append(name)


def merged(site: Path) -> None:
    (line,) = blocks("Merge")
    sh(line)
    assert files(site / "whole") == files(site / "undivided")


def test_one_command_per_shard(site: Path) -> None:
    (dry,) = blocks("How long does it take.")
    assert "proposed shards" in sh(dry)
    assert json.loads(sh(dry.strip() + " --json"))["games"] == 1_000_000
    (line,) = blocks("One command per shard")
    attempts = Attempts(1)
    attempts.run({str(i): (line.replace("1/4", f"{i}/4").replace("parts/1", f"parts/{i}"), {}) for i in range(1, 5)})
    assert attempts.killed > 0
    merged(site)


def test_slurm(site: Path) -> None:
    script, lines = blocks("Slurm")
    (site / "study.sbatch").write_text(script)
    command(site, "srun", '#!/bin/sh\nexec "$@"\n')
    command(site, "scontrol", f'#!/bin/sh\n[ "$1" = requeue ] && touch "{site}/requeued-$2"\n')
    # What sbatch does with its arguments is left to the test: it writes them down.
    command(site, "sbatch", f'#!/bin/sh\necho "$SHARDS $*" >> {site}/submitted\n')
    submit, merge, repair = lines.strip().split("\n")
    sh(submit)
    given = re.search(r"#SBATCH --array=(\S+)", script)
    assert given

    def array(tasks: list[int], shards: str = "") -> None:
        attempts = Attempts(len(tasks))
        attempts.run({
            str(task): ("sh study.sbatch", {
                "SHARDS": shards,
                "SLURM_ARRAY_JOB_ID": "100",
                "SLURM_ARRAY_TASK_ID": str(task),
                "SLURM_ARRAY_TASK_COUNT": str(len(tasks)),
                "SLURM_CPUS_PER_TASK": "2",
            })
            for task in tasks
        })  # fmt: skip
        # Who was interrupted has asked to be queued again.
        assert attempts.retried == 0 or list(site.glob("requeued-100_*"))

    array(numbers(given[1]))
    # Two shards are lost, and what merge reports can be pasted.
    sh("rm -r parts/2 parts/4")
    lost = subprocess.run(merge.split(), capture_output=True, text=True)
    assert lost.returncode == 2
    missing = lost.stderr.strip().rsplit(" ", 1)[1]
    assert f"--array={missing} " in repair
    sh(repair)
    *_, last = (site / "submitted").read_text().splitlines()
    assert last == "4 --array=2,4 study.sbatch"
    array(numbers(missing), shards="4")
    sh(merge)
    assert files(site / "whole") == files(site / "undivided")


def numbers(array: str) -> list[int]:
    """The numbers of `1-3,7`."""
    ranges = [part.split("-") for part in array.split(",")]
    return [number for ends in ranges for number in range(int(ends[0]), int(ends[-1]) + 1)]


def test_kubernetes(site: Path) -> None:
    (job,) = blocks("Kubernetes", "yaml")
    (completions,) = re.findall(r"completions: (\d+)", job)
    (folded,) = re.findall(r"- >-\n((?: {14}.*\n)+)", job)
    line = " ".join(folded.split()).replace("/parts/", f"{site}/parts/")
    assert "onExitCodes: { containerName: ttr, operator: In, values: [75] }" in job
    Attempts(2).run({
        str(index): (line, {"JOB_COMPLETION_INDEX": str(index)}) for index in range(int(completions))
    })  # fmt: skip
    merged(site)


def test_gnu_parallel(site: Path) -> None:
    (lines,) = blocks("GNU parallel")
    # Writes down its input and the command after its options.
    command(site, "parallel", f"#!{sys.executable}\nimport json, sys\n"
            f"json.dump([sys.stdin.read().split(), sys.argv[1:]], open('{site}/parallel.json', 'w'))\n")  # fmt: skip
    start, merge = lines.rsplit("\nttr merge", 1)
    sh(start)
    values, arguments = json.loads((site / "parallel.json").read_text())
    words = arguments[arguments.index("ttr") :]
    Attempts(3).run({value: ("exec " + " ".join(words).replace("{}", value), {}) for value in values})
    sh("ttr merge" + merge)
    assert files(site / "whole") == files(site / "undivided")


def test_invalid_input_is_not_retried(site: Path) -> None:
    (line,) = blocks("One command per shard")
    for wrong in [line.replace("greedy", "greddy"), line.replace("1/4", "5/4")]:
        assert subprocess.run(["sh", "-c", wrong], capture_output=True).returncode == 2
