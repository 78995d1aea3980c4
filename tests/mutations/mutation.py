"""One deliberate break: a function, an operator that breaks it, and who notices.

    noticed_by(Mutation("workers.publishing.run", "Run.go", never(), (SIMULATION,)), folder)

The break is made in a copy of the package beside links to everything else, so that tests and
simulation run on it in processes of their own.
"""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.mutations.operators import Operator

PROJECT = Path(__file__).parents[2]
_PACKAGE = "chalicelib"
SIMULATION = "the simulation"
SEEDS = 8
QUIET_SEEDS = 6
_LONGEST_S = 1_200
_TESTS_FAILED = 1
"""What pytest ends with where tests failed, and Python where the simulation did."""
_JUDGE = """
import os, sys, pytest
ended = pytest.main(sys.argv[1:])
sys.stdout.flush()
os._exit(ended)
"""
"""Ends with what the tests said: threads that a break leaves waiting would keep Python for ever."""
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
class Unseen:
    """Why nobody can notice a break."""

    because: str


@dataclass(frozen=True, slots=True)
class Mutation:
    """A break of one function of the package; `by` are tests, or the simulation, that notice it.

    Without any, `because` says why nobody can.
    """

    module: str
    function: str
    operator: Operator
    by: tuple[str, ...]
    because: str = ""

    @property
    def name(self) -> str:
        """Say where it is and what it does."""
        return f"{self.module}.{self.function}: {self.operator.name}"

    @property
    def path(self) -> Path:
        """The file of the package that it breaks."""
        return Path(*self.module.split(".")).with_suffix(".py")

    def source(self) -> str:
        """Return the broken file. Raises ValueError unless its one place is there."""
        return _broken(self)


@cache
def _broken(mutation: Mutation) -> str:
    tree = ast.parse((PROJECT / _PACKAGE / mutation.path).read_text(encoding="utf-8"))
    try:
        function = _function(tree, mutation.function)
        before = ast.dump(function)
        mutation.operator.change(function)
    except ValueError as error:
        raise ValueError(f"{mutation.name}: {error}") from error
    if ast.dump(function) == before:
        raise ValueError(f"{mutation.name}: it changes nothing")
    return ast.unparse(tree)


def mutations_of(module: str, *rows: tuple[str | Operator | Unseen, ...]) -> Iterator[Mutation]:
    """Yield the mutations of a file, a row for each: function, operator, who notices."""
    for function, operator, *by in rows:
        assert isinstance(function, str)
        assert isinstance(operator, Operator)
        because = "".join(one.because for one in by if isinstance(one, Unseen))
        tests = tuple(one for one in by if isinstance(one, str))
        yield Mutation(module, function, operator, tests, because)


def _function(tree: ast.Module, name: str) -> ast.AST:
    """Return the function of a name, which says the classes and functions around it."""
    found: ast.AST = tree
    for part in name.split("."):
        inside = [one for one in _definitions(found) if one.name == part]
        if len(inside) != 1:
            raise ValueError(f"there are {len(inside)} definitions of {part}")
        found = inside[0]
    return found


def _definitions(node: ast.AST) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            yield child
        else:
            yield from _definitions(child)


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
    return ["-c", _JUDGE, "-x", "-q", "-n", "0", "-p", "no:cacheprovider", test]


def _copy(mutation: Mutation, folder: Path) -> None:
    for entry in PROJECT.iterdir():
        if entry.name != _PACKAGE:
            (folder / entry.name).symlink_to(entry)
    skipped = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PROJECT / _PACKAGE, folder / _PACKAGE, ignore=skipped)
    (folder / _PACKAGE / mutation.path).write_text(mutation.source(), encoding="utf-8")
