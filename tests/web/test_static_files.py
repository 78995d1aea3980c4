"""Style and scripts: whose they are, that nobody changed them, and how much a first page weighs."""

import gzip
import hashlib
import re
from pathlib import Path

import pytest

from tests.web.browser import Browser

STATIC = Path(__file__).parents[2] / "chalicelib" / "web" / "static"
MOST_FIRST_PAGE_BYTES = 120 * 1024
_ROW = re.compile(r"\| (\S+) \| (\S+) \S+, \S+ \| .*?, (\S+) \| ([0-9a-f]{64}) \|")


def listed() -> list[tuple[str, str, str]]:
    """Return file, licence file and checksum of each library that is named."""
    rows = _ROW.findall((STATIC / "README.md").read_text())
    return [(name, licence, checksum) for name, _, licence, checksum in rows]


@pytest.mark.parametrize(("name", "licence", "checksum"), listed(), ids=lambda value: value[:12])
def test_a_library_is_what_its_package_holds(name: str, licence: str, checksum: str) -> None:
    assert hashlib.sha256((STATIC / name).read_bytes()).hexdigest() == checksum
    assert (STATIC / licence).exists()


def test_every_script_and_style_is_ours_or_named() -> None:
    ours = {"app.css", "app.js", "charts.js", "README.md"}

    found = {path.name for path in STATIC.iterdir()} - ours

    assert found == {name for row in listed() for name in row[:2]}


def test_a_first_page_weighs_little(browser: Browser) -> None:
    text = browser.open("/app").text
    files = re.findall(r'(?:src|href)="(/app/static/[^"]+)"', text)

    answers = [browser.open(address) for address in files]

    weights = [len(gzip.compress(answer.response.body)) for answer in answers]
    assert {answer.status for answer in answers} == {200}
    assert "immutable" in answers[0].response.headers["Cache-Control"]
    assert len(gzip.compress(text.encode())) + sum(weights) <= MOST_FIRST_PAGE_BYTES


@pytest.mark.parametrize(
    "name", ["README.md", "..%2frendering.py", "nothing.js", "htmx.LICENSE.txt"]
)
def test_nothing_else_is_served(browser: Browser, name: str) -> None:
    assert browser.open(f"/app/static/{name}").status == 404
