"""The maps are true: rooms, their order and their words are those that the code has."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "chalicelib"
GLOSSARY = "docs/glossary.md"
_QUOTED = re.compile(r"`([^`]+)`")
_WORD = re.compile(r"^\| (?!word \|)([a-zA-Z][^|]*) \|", re.MULTILINE)


def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def _rooms(folder: Path) -> set[str]:
    return {file.parent.name for file in folder.glob("*/__init__.py")}


def _rows(first: str) -> list[str]:
    """Return the rows of the tables of packages and kits whose first column names something."""
    rows = [line for line in _text("docs/architecture.md").splitlines() if line.startswith("|")]
    return [row for row in rows if f"`{first}`" in row.split("|")[1]]


def test_contributing_names_the_order_of_imports_that_is_checked() -> None:
    contracts = tomllib.loads(_text("pyproject.toml"))["tool"]["importlinter"]["contracts"]

    layers = next(one["layers"] for one in contracts if "containers" not in one)

    order = " → ".join(layers).replace("chalicelib.", "")
    assert f"`{order}`" in _text("CONTRIBUTING.md")


@pytest.mark.parametrize("room", sorted(_rooms(PACKAGE) - {"kit"}))
def test_the_map_has_every_package_and_all_of_its_rooms_or_none(room: str) -> None:
    rows = _rows(f"chalicelib/{room}")

    assert len(rows) == 1
    rooms, named = _rooms(PACKAGE / room), set(_QUOTED.findall(rows[0]))
    is_by_platform = room == "connectors"  # one folder each
    assert is_by_platform or not named & rooms or rooms <= named


def test_the_map_has_every_kit() -> None:
    kits = {path.name for path in (PACKAGE / "kit").iterdir() if path.name[0] not in "_."}

    assert {kit for kit in kits if len(_rows(f"chalicelib/kit/{kit}")) != 1} == set()


def test_every_word_of_the_glossary_is_used() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "*.py", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    others = [name for name in listed if name not in {GLOSSARY, "CHANGELOG.md"}]
    used = " ".join(_text(name) for name in others if (ROOT / name).is_file()).lower()
    flowing = re.sub(r"[\s#_-]+", " ", used)

    words = [word for row in _WORD.findall(_text(GLOSSARY)) for word in row.lower().split(", ")]

    assert len(words) > 50
    assert [word for word in words if word.replace("-", " ") not in flowing] == []
