"""Writes the tables of what is asked or promised, and of the tests that hold it.

They stand in docs/security-model.md and docs/callers.md:
`python -m tests.repository.docs.security_model`.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from tests.repository.docs import caller_rows, promise_rows
from tests.repository.docs.security_rows import Row

ROOT: Final = Path(__file__).parents[3]
PAGE: Final = ROOT / "docs" / "security-model.md"
PAGES: Final = {PAGE: promise_rows.PARTS, ROOT / "docs" / "callers.md": caller_rows.PARTS}
"""The parts of each page, by the names of their places."""
_PARTS: Final = {name: rows for parts in PAGES.values() for name, rows in parts.items()}
_MARK = re.compile(r"<!-- table: (\w+) -->\n.*?<!-- end -->", re.DOTALL)
_TEST = re.compile(r"^ *(?:async )?def (test_\w+)\(", re.MULTILINE)
_TESTS: Final = ("tests", "client/tests")


@cache
def every_test() -> Mapping[str, frozenset[str]]:
    """Return the files in which each test is, by its name."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for folder in _TESTS:
        for file in sorted((ROOT / folder).rglob("test_*.py")):
            for name in _TEST.findall(file.read_text(encoding="utf-8")):
                found[name].add(file.relative_to(ROOT).as_posix())
    return {name: frozenset(files) for name, files in found.items()}


def written(page: str) -> str:
    """Return the page with its tables as the rows say."""
    return _MARK.sub(lambda found: f"{_head(found[1])}{table(found[1])}\n<!-- end -->", page)


def _head(part: str) -> str:
    return f"<!-- table: {part} -->\n"


def table(part: str) -> str:
    """Return the table of a part."""
    head = ("row", "level", "what is asked", "answer")
    lines = [head, ("---",) * len(head), *(_line(row) for row in _PARTS[part])]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _line(row: Row) -> tuple[str, ...]:
    level = str(row.level) if row.number[0].isdigit() else ""
    return row.number, level, row.asks, _answer(row)


def _answer(row: Row) -> str:
    if row.not_applicable:
        return f"**not applicable**, because {row.not_applicable}"
    if row.live:
        return f"**open** until a deployment is looked at: {row.live}"
    if row.open:
        return f"**open**: {row.open}"
    return "; ".join(_named(test) for test in row.tests)


def _named(test: str) -> str:
    (file,) = every_test()[test]
    return f"[{test.removeprefix('test_').replace('_', ' ')}](../{file})"


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(written(page.read_text(encoding="utf-8")), encoding="utf-8")
