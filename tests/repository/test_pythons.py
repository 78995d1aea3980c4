"""`.ci/pythons` with a stand-in for `.ci/fresh`, and what people read of the Pythons it takes."""

import re
import shutil
import subprocess
from pathlib import Path

from chalicelib.local.server import commands

PROJECT = Path(__file__).parents[2]
GATE = PROJECT / ".ci/pythons"
_RANGE = re.compile(r"Python 3\.(\d+) to (?:3\.)?(\d+)")
_OF_EARLIER_DAYS = {"CHANGELOG.md"}


def test_whoever_names_a_range_names_the_pythons_of_the_gate() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "*.md", "*.py", "Makefile"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    named = {
        (name, *map(int, found))
        for name in set(listed.stdout.splitlines()) - _OF_EARLIER_DAYS
        for found in _RANGE.findall((PROJECT / name).read_text(encoding="utf-8"))
    }

    minors = _minors()
    assert {one[1:] for one in named} == {(minors[0], minors[-1])}, named
    assert {"README.md", "CONTRIBUTING.md", "Makefile"} <= {one[0] for one in named}


def test_only_what_the_gate_leaves_out_is_called_untested() -> None:
    minors = _minors()
    tested = re.findall(r'"Python 3\.(\d+)\."', (PROJECT / "Makefile").read_text(encoding="utf-8"))

    assert list(map(int, tested)) == minors
    assert commands._OLDEST == (3, minors[0])
    assert commands._UNTESTED == (3, minors[-1] + 1)


def test_each_python_that_is_here_is_taken_and_one_that_is_missing_is_said(tmp_path: Path) -> None:
    shutil.copy2(GATE, tmp_path)
    _write(tmp_path / "fresh", 'echo "all of it on $1"')
    *here, missing = _minors()
    pythons = [tmp_path / f"pyenv/versions/3.{minor}.2/bin/python" for minor in here]
    for python in pythons:
        _write(python, f"echo {python}")
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("bash", "dirname"):
        (programs / name).symlink_to(str(shutil.which(name)))

    done = subprocess.run(
        [programs / "bash", tmp_path / "pythons", "all"],
        env={"PATH": str(programs), "PYENV_ROOT": str(tmp_path / "pyenv")},
        capture_output=True,
        text=True,
        check=False,
    )

    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert [line for line in lines if line.startswith("all of it")] == [
        f"all of it on {python}" for python in pythons
    ]
    assert f"Python 3.{missing} was not tested: there is none here" in lines


def _minors() -> list[int]:
    """Return which of Python 3 the gate takes, as its loop names them."""
    found = re.search(r"^for version in ([\d. ]+);", GATE.read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    return [int(version.removeprefix("3.")) for version in found[1].split()]


def _write(program: Path, line: str) -> None:
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
    program.chmod(0o755)
