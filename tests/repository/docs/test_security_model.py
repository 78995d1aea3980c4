"""The pages of what is asked and promised: every row is there, and names a test that is."""

import re
from pathlib import Path

import pytest

from tests.repository.docs.security_model import PAGE, PAGES, every_test, written
from tests.repository.docs.security_rows import API_TOP_10, V8, V14, V16, Row

ROWS = [row for parts in PAGES.values() for part in parts.values() for row in part]
IN_CHAPTER = {
    "8": {1: 4, 2: 4, 3: 3, 4: 2},
    "14": {1: 2, 2: 8, 3: 3},
    "16": {1: 1, 2: 5, 3: 4, 4: 3, 5: 4},
}
"""How many rows each section of ASVS 5.0 has."""


def _numbers(chapter: str) -> list[str]:
    sections = IN_CHAPTER[chapter].items()
    return [f"{chapter}.{section}.{n}" for section, rows in sections for n in range(1, rows + 1)]


@pytest.mark.parametrize(("chapter", "rows"), [("8", V8), ("14", V14), ("16", V16)])
def test_every_row_of_a_chapter_is_there_once_and_in_order(
    chapter: str, rows: tuple[Row, ...]
) -> None:
    assert _numbers(chapter) == [row.number for row in rows]


def test_every_row_of_the_top_10_is_there() -> None:
    assert [f"API{n}" for n in range(1, 11)] == [row.number for row in API_TOP_10]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.number)
def test_each_row_is_answered_in_one_way(row: Row) -> None:
    answers = [row.tests, row.not_applicable, row.live, row.open]

    assert 1 == sum(1 for answer in answers if answer)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.number)
def test_each_test_that_a_row_names_is_in_one_file(row: Row) -> None:
    for test in row.tests:
        assert 1 == len(every_test().get(test, ())), test


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.name))
def test_its_tables_are_as_the_rows_say(path: Path) -> None:
    page = path.read_text(encoding="utf-8")

    assert written(page) == page, "Run `make tables`."
    assert set(PAGES[path]) == set(re.findall(r"<!-- table: (\w+) -->", page))


def test_it_counts_what_is_open() -> None:
    page = PAGE.read_text(encoding="utf-8")
    rows = [row for row in ROWS if row.level < 3]

    is_open = sum(1 for row in rows if row.open)
    waits = sum(1 for row in rows if row.live)
    counted = (
        "1 row of level 1 and 2 is" if is_open == 1 else f"{is_open} rows of level 1 and 2 are"
    )
    assert f"{counted} open" in page
    assert f"{waits} more can only be answered" in page


_USES_A_KEY = re.compile(r"AESGCM\(|hmac\.(?:new|digest)\(|generate_private_key\(")


def test_every_file_that_uses_a_key_is_in_the_table_of_keys() -> None:
    """A key that nobody listed has no life that anybody planned."""
    _, _, rest = PAGE.read_text(encoding="utf-8").partition("## Keys and their life")
    table, _, _ = rest.partition("\n## ")
    using = [
        file.as_posix()
        for file in sorted(Path("chalicelib").rglob("*.py"))
        if _USES_A_KEY.search(file.read_text(encoding="utf-8"))
    ]

    assert len(using) >= 6
    assert using == sorted(set(re.findall(r"`(chalicelib/[\w/]+\.py)`", table)))
