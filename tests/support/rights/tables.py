"""The tables of this folder, by their rows and columns.

    EDITS["caption", "scheduled"] == "publish"
    KEYS["owner", "write"] == "scope_missing"
    ENDPOINTS["GET/v1/posts", "scope"] == "read"
    ROLES["viewer", "write"] == "no"
    FORMS["/app/settings/keys", "right"] == "accounts"
    PAGES["/app/settings/activity", "right"] == "accounts"

The client's tests read the same files.
"""

from collections.abc import Mapping
from pathlib import Path

Table = Mapping[tuple[str, str], str]


def read_table(name: str) -> Table:
    """Return a table's cells by row and column."""
    text = (Path(__file__).parent / name).read_text(encoding="utf-8")
    told = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    (_, *columns), *rows = told
    return {
        (row, column): cell
        for row, *cells in rows
        for column, cell in zip(columns, cells, strict=True)
    }


EDITS, KEYS = read_table("edits.txt"), read_table("keys.txt")
ENDPOINTS, ROLES = read_table("endpoints.txt"), read_table("roles.txt")
FORMS, PAGES = read_table("forms.txt"), read_table("pages.txt")
