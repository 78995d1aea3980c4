"""Writes the table of docs/personal-data.md: `python -m tests.repository.docs.personal_data`.

Its rows are the declared kinds of rows and objects, so a new kind is on the page or a test fails.
"""

import re
from pathlib import Path

from chalicelib.storage.row_kinds import ROW_KINDS, RowKind, Store

PAGE = Path(__file__).parents[3] / "docs" / "personal-data.md"
_MARK = re.compile(r"<!-- table: kinds -->\n.*?<!-- end -->", re.DOTALL)
_PLACES = {
    Store.POSTS: "posts table",
    Store.DIRECTORY: "directory table",
    Store.MEDIA: "media table",
    Store.SANDBOX: "sandbox",
    Store.BUCKET: "bucket",
}


def written(page: str) -> str:
    """Return the page with the table as the code says it."""
    return _MARK.sub(lambda _: f"<!-- table: kinds -->\n{table()}\n<!-- end -->", page)


def table() -> str:
    """Return the table of all kinds."""
    head = (
        "what",
        "where",
        "whose",
        "exported",
        "goes with its workspace",
        "moves with its workspace",
        "in a backup of one machine",
    )
    lines = [head, ("---",) * len(head), *(_line(*named) for named in ROW_KINDS.items())]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _line(name: str, kind: RowKind) -> tuple[str, ...]:
    fate = (kind.owner, kind.exported, kind.erased, kind.moved, kind.backed_up)
    return name, _PLACES[kind.store], *map(str, fate)


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
