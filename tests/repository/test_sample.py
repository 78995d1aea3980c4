"""`pytest --sample SEED` runs a sixth of the files, `--costly SEED` a third of the costly tests."""

import subprocess
import sys
from pathlib import Path

from tests.support.sampled import runs_by

PROJECT = Path(__file__).parents[2]
ROOMS = ("tests/domain", "tests/local/power_cuts")
"""The quickest to read, and one whose tests compile."""


def files_of(seed: str) -> set[str]:
    """Return the files of these rooms that run by a seed."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "--sample", seed, *ROOMS]
    listed = subprocess.run(
        [*command, "-p", "no:cacheprovider"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    return {line.partition("::")[0] for line in listed.stdout.splitlines() if "::" in line}


def test_a_sixth_is_the_same_for_a_seed_and_has_all_that_compiles() -> None:
    first, again, other = files_of("7"), files_of("7"), files_of("8")

    compiled = {"tests/local/power_cuts/test_engine.py"}
    files = {
        *(path for room in ROOMS for path in map(str, (PROJECT / room).rglob("test_*.py"))),
    }
    assert first == again != other
    assert compiled <= first & other
    assert len(files) / 8 < len(first) < len(files) / 4


def test_a_third_of_the_costly_is_the_same_for_a_seed_and_others_bring_the_rest() -> None:
    costly = [f"tests/attacks/test_{number}.py::test_it" for number in range(90)]
    thirds = [[one for one in costly if runs_by(str(seed), one)] for seed in (7, 7, *range(30))]

    assert thirds[0] == thirds[1]
    assert all(len(costly) / 6 < len(third) < len(costly) / 2 for third in thirds)
    assert set(costly) == set().union(*thirds)
    assert costly == [one for one in costly if runs_by("all", one)]
