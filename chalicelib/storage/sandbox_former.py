"""Converts the sandbox of earlier releases: a SQLite file with a row for each post.

The first process to open the sandbox does it, while all others wait; the file is removed once all
of it is in the table. After an interruption it is complete for the next one.
"""

import fcntl
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import fields
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, Final

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.sandbox import SandboxEntry
from chalicelib.storage.sandbox import SandboxTable

FORMER: Final = "sandbox.db"
_NAMES: Final = frozenset(field.name for field in fields(SandboxEntry))
_TIMES: Final = ("created_at", "visible_at")
_JSON: Final = ("options", "sent", "files")
_AT_ONCE: Final = 25
"""Posts kept by one transaction: 10,000 then take 400 syncs of the disk and not 10,000."""


def take_over(file: Path, table: SandboxTable) -> None:
    """Copy the file's posts into the table, if there is a file, and remove it."""
    if not file.exists():
        return
    with _alone(file.with_name("sandbox.lock")):
        if file.exists():
            _take(file, table)


def _take(file: Path, table: SandboxTable) -> None:
    with closing(sqlite3.connect(file)) as former:
        former.row_factory = sqlite3.Row
        entries = map(_entry, former.execute("SELECT * FROM post ORDER BY place"))
        while some := list(islice(entries, _AT_ONCE)):
            table.take_all(some)
        for key, value in former.execute("SELECT key, value FROM counter"):
            table.count_from(key, value)
    for beside in ("-wal", "-shm", ""):  # the file last: it shows that there is work to do
        Path(f"{file}{beside}").unlink(missing_ok=True)


def _entry(row: sqlite3.Row) -> SandboxEntry:
    """Read a post; the oldest files lack `sent` and `files`, and all have unused columns."""
    values: dict[str, Any] = {name: row[name] for name in _NAMES.intersection(row.keys())}
    values |= {name: datetime.fromisoformat(values[name]) for name in _TIMES}
    values |= {name: json.loads(values[name] or "null") for name in _JSON if name in values}
    platform, removed = Platform(values["platform"]), bool(values["removed"])
    return SandboxEntry(**{**values, "platform": platform, "removed": removed})


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Wait until no other process converts the same file."""
    with lock.open("a", encoding="ascii") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    lock.unlink(missing_ok=True)
