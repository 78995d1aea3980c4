"""`make` before anything is installed: which Python it takes, and when `.venv` is made anew.

A program stands in for Python: it says which version it is, and makes a folder in a moment.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
STAND_IN = """#!{python}
import os, pathlib, sys

if sys.argv[1:3] == ["-m", "venv"]:
    programs = pathlib.Path(sys.argv[3], "bin")
    programs.mkdir(parents=True)
    (programs / "python").symlink_to(sys.executable)
else:
    version = "{version}"
    sys.version, sys.version_info = version, tuple(map(int, version.split(".")))
    sys._base_executable = sys.executable = os.path.abspath(sys.argv[0])
    exec(sys.argv[2])
"""


def a_python(path: Path, version: str) -> Path:
    """Write a program that answers as this version of Python."""
    path.write_text(STAND_IN.format(python=sys.executable, version=version), encoding="utf-8")
    path.chmod(0o755)
    return path


def a_checkout(path: Path) -> Path:
    """Make a folder that holds the Makefile and nothing else."""
    path.mkdir()
    shutil.copy2(PROJECT / "Makefile", path)
    return path


def make(
    checkout: Path, python: Path, wanted: str = ".venv/.made"
) -> subprocess.CompletedProcess[str]:
    """Ask for `.venv` with this Python, where no package index is."""
    command = ["make", wanted, f"PYTHON={python}"]
    # `make test` hands its own options to every make below it.
    alone = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    alone["PIP_NO_INDEX"] = "1"
    return subprocess.run(
        command, cwd=checkout, env=alone, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("version", ["2.7.18", "3.6.15", "3.10.13"])
def test_a_python_that_is_not_supported_is_named_and_nothing_is_made(
    tmp_path: Path, version: str
) -> None:
    checkout, other = a_checkout(tmp_path / "here"), a_python(tmp_path / "other", version)

    made = make(checkout, other)

    assert made.returncode != 0
    first_line = made.stderr.splitlines()[0]
    wanted = "goldenhour runs on Python 3.11 to 3.14, and"
    assert f"{wanted} {other} is Python {version}. Name another: make PYTHON=" in first_line
    assert not (checkout / ".venv").exists()


@pytest.mark.parametrize("version", ["3.15.0", "3.16.2", "4.0.0"])
def test_a_newer_python_is_tried_with_one_line_of_warning(tmp_path: Path, version: str) -> None:
    checkout, newer = a_checkout(tmp_path / "here"), a_python(tmp_path / "newer", version)

    made, again = make(checkout, newer), make(checkout, newer)

    assert (made.returncode, again.returncode) == (0, 0)
    assert made.stderr == (
        "Nobody has tested goldenhour on this Python, which is newer than 3.14; it is tried.\n"
    )
    assert again.stderr == ""
    assert (checkout / ".venv/bin/python").exists()


@pytest.mark.parametrize("version", ["3.11.2", "3.12.1", "3.13.0", "3.14.0"])
def test_nothing_is_said_of_a_python_that_is_tested(tmp_path: Path, version: str) -> None:
    checkout, python = a_checkout(tmp_path / "here"), a_python(tmp_path / "python", version)

    assert make(checkout, python).stderr == ""


@pytest.mark.parametrize(("version", "is_told"), [("3.14.0", False), ("3.15.0", True)])
def test_whom_a_newer_python_lacks_packages_reads_last_what_to_do(
    tmp_path: Path, version: str, *, is_told: bool
) -> None:
    """Pydantic's core of November 2026 is not built for 3.15: compilers' lines came last."""
    checkout, python = a_checkout(tmp_path / "here"), a_python(tmp_path / "python", version)
    for lock in ("requirements.lock", "requirements-dev.lock"):
        (checkout / lock).write_text(f"bread==1 --hash=sha256:{'0' * 64}\n", encoding="utf-8")

    made = make(checkout, python, ".venv/.installed-run")

    told = "Not all packages can be had for this Python yet. Name another: make PYTHON=python3.14"
    assert made.returncode != 0
    assert made.stderr.splitlines()[-2].startswith(told) is is_told


def test_a_python_that_is_not_there_is_named(tmp_path: Path) -> None:
    checkout, missing = a_checkout(tmp_path / "here"), tmp_path / "missing"

    made = make(checkout, missing)

    assert made.returncode != 0
    assert made.stderr.startswith(f"There is no {missing} here: install Python 3.11 to 3.14")
    assert not (checkout / ".venv").exists()


def test_what_is_installed_stays_while_python_and_folder_do(tmp_path: Path) -> None:
    checkout, python = a_checkout(tmp_path / "here"), a_python(tmp_path / "python", "3.11.7")
    make(checkout, python)
    (checkout / ".venv/installed").touch()

    again = make(checkout, python)

    assert (again.returncode, again.stderr) == (0, "")
    assert (checkout / ".venv/installed").exists()


def test_an_environment_of_another_python_is_made_anew(tmp_path: Path) -> None:
    checkout = a_checkout(tmp_path / "here")
    make(checkout, a_python(tmp_path / "python", "3.11.7"))
    (checkout / ".venv/installed").touch()

    again = make(checkout, a_python(tmp_path / "newer", "3.13.0"))

    assert again.returncode == 0
    assert "Making .venv: Python 3.13.0" in again.stdout
    assert not (checkout / ".venv/installed").exists()


def test_an_environment_that_came_with_a_moved_folder_is_made_anew(tmp_path: Path) -> None:
    checkout, python = a_checkout(tmp_path / "here"), a_python(tmp_path / "python", "3.11.7")
    make(checkout, python)
    (checkout / ".venv/installed").touch()
    moved = checkout.rename(tmp_path / "there")

    again = make(moved, python)

    assert again.returncode == 0
    assert not (moved / ".venv/installed").exists()
    assert (moved / ".venv/bin/python").exists()


def test_an_environment_whose_python_is_gone_is_made_anew(tmp_path: Path) -> None:
    checkout, python = a_checkout(tmp_path / "here"), a_python(tmp_path / "python", "3.11.7")
    make(checkout, python)
    link = checkout / ".venv/bin/python"
    link.unlink()
    link.symlink_to(tmp_path / "uninstalled")

    again = make(checkout, python)

    assert again.returncode == 0
    assert link.exists()


def test_marks_by_which_make_finds_files_stand_in_these_files() -> None:
    """`test-node` and `test-oracles` read those files alone that name their mark."""
    elsewhere = {
        str(path.relative_to(PROJECT))
        for path in (PROJECT / "tests").rglob("*.py")
        if not path.name.startswith("test_")
        and re.search(r"mark\.(node|oracle)\b", path.read_text(encoding="utf-8"))
    }

    assert elsewhere == {"tests/support/exiftool.py"}  # its name is looked for, too
