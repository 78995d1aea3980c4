"""The books say what the code does: tables are current, and whatever is named exists."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from chalicelib.domain.platforms.facts import FACTS
from tests.repository.docs.tables import MISSED, PAGE, written

ROOT = Path(__file__).parents[3]
BOOKS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
_FILE = re.compile(r"`((?:chalicelib|tests|infra|benchmarks|docs|client)/[\w./-]+)`")
_LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#]+)(?:#[^)]*)?\)")
_CITED = re.compile(r"docs/(\w+)\.md \"([^\"]+)\"")


def test_the_tables_of_the_api_page_are_what_the_code_says() -> None:
    """After a change: `make tables`."""
    page = PAGE.read_text()

    assert written(page) == page, f"Run make tables. {MISSED}"


@pytest.mark.parametrize("name", ["accounts.md", "previews.md"])
def test_every_platform_has_a_row(name: str) -> None:
    rows = (ROOT / "docs" / name).read_text().splitlines()

    firsts = {row.split(" | ")[0].removeprefix("| ") for row in rows}

    assert {facts.name for facts in FACTS.values()} <= firsts, MISSED


def test_the_readme_names_every_platform() -> None:
    line = " · ".join(facts.name for facts in FACTS.values())

    assert f"**{line}**" in (ROOT / "README.md").read_text(), MISSED


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: str(book.relative_to(ROOT)))
def test_every_file_that_a_page_names_exists(book: Path) -> None:
    text = book.read_text()

    named = [ROOT / name for name in _FILE.findall(text)]
    linked = [book.parent / name for name in _LINK.findall(text)]

    assert [str(path) for path in (*named, *linked) if not path.exists()] == []


def test_every_chapter_that_code_cites_exists() -> None:
    missing = [
        f"{book}.md {chapter!r} in {path.relative_to(ROOT)}"
        for path, book, chapter in _citations()
        if chapter not in _headings(ROOT / "docs" / f"{book}.md")
    ]

    assert missing == []


def _citations() -> Iterator[tuple[Path, str, str]]:
    listed = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for path in (ROOT / name for name in listed.split()):
        if path.exists():
            flowing = re.sub(r"\s+", " ", path.read_text())
            for book, chapter in _CITED.findall(flowing):
                yield path, book, chapter


def _headings(page: Path) -> set[str]:
    return {line.lstrip("# ").strip() for line in page.read_text().splitlines() if "#" in line[:1]}


def test_the_index_of_decisions_names_each_by_its_own_title() -> None:
    index = (ROOT / "docs" / "adr" / "README.md").read_text(encoding="utf-8")
    pages = sorted((ROOT / "docs" / "adr").glob("0*.md"))

    titles = [page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ") for page in pages]
    listed = re.findall(r"^\| \[\d+\]\((.+)\) \| (.+) \|$", index, re.MULTILINE)

    assert listed == [
        (page.name, re.sub(r"^\d+\. ", "", title))
        for page, title in zip(pages, titles, strict=True)
    ]
