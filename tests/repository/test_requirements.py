"""The requirements files: every package that is pulled in is pinned, and fits who pulls it in.

`make` installs them without resolving anything, so nothing else would notice a missing one.
"""

import re
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = Path(__file__).parents[2]
COMES_WITH_PYTHON = frozenset({"pip"})


def pinned(name: str) -> dict[str, str]:
    """Return the version of each package that a file and those it names pin."""
    found: dict[str, str] = {}
    for line in (PROJECT / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("-r "):
            found |= pinned(line.removeprefix("-r "))
        elif line and not line.startswith("#"):
            package, _, version = line.partition("#")[0].strip().partition("==")
            assert version, line
            assert canonicalize_name(package) not in found, line
            found[canonicalize_name(package)] = version
    return found


def pulled_in(package: str) -> Iterator[Requirement]:
    """Yield what a package pulls in on this machine, extras left out."""
    for line in distribution(package).requires or ():
        wanted = Requirement(line)
        if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
            yield wanted


@pytest.mark.parametrize(
    "name",
    ["requirements-run.txt", "requirements-telemetry.txt", "requirements-dev.txt"],
    ids=["run", "telemetry", "dev"],
)
def test_all_that_is_pulled_in_is_pinned_and_fits(name: str) -> None:
    versions = pinned(name)

    unfit = [
        f"{package} wants {wanted}"
        for package in versions
        for wanted in pulled_in(package)
        if wanted.name not in COMES_WITH_PYTHON
        if not wanted.specifier.contains(versions.get(canonicalize_name(wanted.name), "0"))
    ]

    assert unfit == []


def test_what_is_installed_is_what_is_pinned() -> None:
    versions = pinned("requirements-dev.txt")

    installed = {package: distribution(package).version for package in versions}

    assert versions == installed


@pytest.mark.parametrize(
    ("lock", "pins"),
    [
        ("requirements.lock", "requirements-run.txt"),
        ("requirements-telemetry.lock", "requirements-telemetry.txt"),
        ("requirements-dev.lock", "requirements-dev.txt"),
    ],
    ids=["run", "telemetry", "dev"],
)
def test_all_that_is_pinned_is_locked_by_hashes(lock: str, pins: str) -> None:
    """`make lock` writes it; nothing else is installed with `--require-hashes`."""
    text = (PROJECT / lock).read_text(encoding="utf-8")
    blocks = {block.split()[0]: block for block in re.split(r"\n(?=[A-Za-z0-9])", text.strip())}

    locked = {canonicalize_name(n.partition("==")[0]): n.partition("==")[2] for n in blocks}
    assert pinned(pins) == locked
    assert [name for name, block in blocks.items() if "--hash=sha256:" not in block] == []
    assert "://" not in text
