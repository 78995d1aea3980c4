"""One deliberate break: a piece of the source, what stands in its place, and who notices.

    noticed_by(Mutation("workers/publishing/run.py", "if late:", "if False:"), folder)

The break is made in a copy of the package beside links to everything else, so that tests and
simulation run on it in processes of their own.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).parents[2]
_PACKAGE = "chalicelib"
SIMULATION = "the simulation"
SEEDS = 8
QUIET_SEEDS = 6
_LONGEST_S = 1_200
_TESTS_FAILED = 1
"""What pytest ends with where tests failed, and Python where the simulation did."""
_SIMULATE = f"""
from dataclasses import replace
from tests.simulation.faults import Plan, a_plan
from tests.simulation.run import run
quiet = [Plan(seed=n, targets=40, workspaces=2, faults=frozenset()) for n in range({QUIET_SEEDS})]
plans = [a_plan(seed) for seed in range(1, {SEEDS + 1})]
signed = [replace(plan, signed=True, twins=True) for plan in quiet[:2] + plans[:2]]
gone = [replace(plan, disconnects=True) for plan in plans]
restored = [replace(plan, restores=1, is_paused=False) for plan in plans]
on_lambda = [replace(plan, on_lambda=True) for plan in quiet[:2]]
approved = [replace(plan, approvals=True) for plan in quiet]
trial = [replace(plan, on_trial=True, key_ends=True) for plan in quiet[:2] + plans[:2]]
alone = [replace(plan, on_one_machine=True, on_lambda=False) for plan in plans]
hanging = [replace(quiet[n], hangs=True, on_one_machine=True) for n in (3, 4)]
shaped = [*trial, *alone, *hanging, *on_lambda, *approved, *signed, *restored, *gone]
for plan in [*quiet, *plans, *shaped]:
    broken = run(plan).broken
    assert not broken, broken
"""


@dataclass(frozen=True, slots=True)
class Mutation:
    """A break of one file of the package; `by` are tests, or the simulation, that notice it.

    Without any, `because` says why nobody can.
    """

    path: str
    old: str
    new: str
    by: tuple[str, ...] = (SIMULATION,)
    because: str = ""

    @property
    def name(self) -> str:
        """Say where it is and what it does."""
        return (
            f"{Path(self.path).name}: {' '.join(self.old.split())} -> {' '.join(self.new.split())}"
        )

    def source(self) -> str:
        """Return the broken file. Raises ValueError unless the piece is there exactly once."""
        text = (PROJECT / _PACKAGE / self.path).read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise ValueError(f"{self.name}: it is there {text.count(self.old)} times")
        return text.replace(self.old, self.new)


def noticed_by(mutation: Mutation, folder: Path) -> str | None:
    """Return the first of its tests that fails on the broken package, None if none does.

    Raises TimeoutExpired where a test does not end, and CalledProcessError where it could not be
    run: neither says that somebody noticed.
    """
    _copy(mutation, folder)
    for one in mutation.by:
        command = ["-c", _SIMULATE] if one == SIMULATION else _pytest(one)
        ended = subprocess.run(
            [sys.executable, *command],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(folder), "PYTHONHASHSEED": "0"},
            capture_output=True,
            timeout=_LONGEST_S,
            check=False,
        )
        if ended.returncode == _TESTS_FAILED:
            return one
        ended.check_returncode()
    return None


def _pytest(test: str) -> list[str]:
    return ["-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", test]


def _copy(mutation: Mutation, folder: Path) -> None:
    for entry in PROJECT.iterdir():
        if entry.name != _PACKAGE:
            (folder / entry.name).symlink_to(entry)
    skipped = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PROJECT / _PACKAGE, folder / _PACKAGE, ignore=skipped)
    (folder / _PACKAGE / mutation.path).write_text(mutation.source(), encoding="utf-8")
