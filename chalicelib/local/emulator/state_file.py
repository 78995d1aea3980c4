"""What the emulator knows, in one SQLite file: written before an answer goes out, read at start.

SQLite's write-ahead log is the journal and its checkpoints are the snapshots, so a `kill -9` at
any moment loses nothing that was acknowledged and a torn last write is as if it never was. With
`synced` that also holds for a power cut: each transaction is on the disk when it returns. One
request is one transaction, or many share one: a sync takes milliseconds, whatever it writes, so the
changes of further requests gather while one is under way, and each answer waits for its own. Reads
wait too for what they may have seen.
"""

import asyncio
import json
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from chalicelib.local.processes.process import UNWRITABLE

_SCHEMA = """
CREATE TABLE IF NOT EXISTS item (
    table_arn TEXT, partition TEXT, sort TEXT, body TEXT NOT NULL,
    PRIMARY KEY (table_arn, partition, sort)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS document (name TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
"""
_PRAGMAS = ("journal_mode=WAL", "busy_timeout=5000")

ItemKey = tuple[str, str, str]
"""Table ARN, partition value, sort value."""


@dataclass(slots=True)
class Changes:
    """What one request changed; `None` stands for a deletion."""

    items: dict[ItemKey, str | None] = field(default_factory=dict)
    documents: dict[str, str | None] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.items or self.documents)

    def take(self, later: "Changes") -> None:
        """Add later changes; what both change is as the later ones say."""
        self.items.update(later.items)
        self.documents.update(later.documents)


class StateFile:
    """The file; every method is one transaction."""

    def __init__(self, path: Path, *, synced: bool = False) -> None:
        self._guard = threading.Lock()
        try:
            self._connection = self._opened(path, synced=synced)
        except sqlite3.OperationalError:
            os._exit(UNWRITABLE)

    def _opened(self, path: Path, *, synced: bool) -> sqlite3.Connection:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        for pragma in (*_PRAGMAS, f"synchronous={'FULL' if synced else 'NORMAL'}"):
            connection.execute(f"PRAGMA {pragma}")
        connection.executescript(_SCHEMA)
        return connection

    def write(self, changes: Changes) -> None:
        """Write all changes, or end the process before anybody hears of what was not written.

        The emulator has them in memory already: only a start from the file makes both agree. The
        supervisor says why, and starts it again.
        """
        try:
            with self._guard:
                self._connection.execute("BEGIN IMMEDIATE")
                for key, body in changes.items.items():
                    self._write_item(key, body)
                for name, body in changes.documents.items():
                    self._write_document(name, body)
                self._connection.execute("COMMIT")
        except sqlite3.Error:
            os._exit(UNWRITABLE)

    def _write_item(self, key: ItemKey, body: str | None) -> None:
        if body is None:
            self._connection.execute(
                "DELETE FROM item WHERE table_arn = ? AND partition = ? AND sort = ?", key
            )
        else:
            self._connection.execute(
                "INSERT OR REPLACE INTO item VALUES (?, ?, ?, ?)", (*key, body)
            )

    def _write_document(self, name: str, body: str | None) -> None:
        if body is None:
            self._connection.execute("DELETE FROM document WHERE name = ?", (name,))
        else:
            self._connection.execute("INSERT OR REPLACE INTO document VALUES (?, ?)", (name, body))

    def items(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield table ARN, partition value, sort value and body of every item."""
        yield from self._connection.execute("SELECT table_arn, partition, sort, body FROM item")

    def document(self, name: str) -> str | None:
        """Return one document."""
        row = self._connection.execute(
            "SELECT body FROM document WHERE name = ?", (name,)
        ).fetchone()
        return None if row is None else str(row[0])

    def documents(self, prefix: str) -> dict[str, str]:
        """Return all documents whose name starts with the prefix."""
        rows = self._connection.execute(
            "SELECT name, body FROM document WHERE substr(name, 1, ?) = ?", (len(prefix), prefix)
        )
        return dict(rows.fetchall())

    def forget_tables(self, existing: Iterable[str]) -> None:
        """Drop the items of tables that exist no longer."""
        self._connection.execute(
            "DELETE FROM item WHERE table_arn NOT IN (SELECT value FROM json_each(?))",
            (json.dumps(list(existing)),),
        )

    def close(self) -> None:
        """Fold the log into the file and close it."""
        self._connection.close()


class GroupCommit:
    """Writes changes in the order in which they were made; used from the event loop only."""

    def __init__(self, state: StateFile, loop: asyncio.AbstractEventLoop) -> None:
        self._state = state
        self._loop = loop
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="commit")
        self._gathered = Changes()
        self._next: asyncio.Future[None] | None = None
        self._running: asyncio.Future[None] | None = None

    async def written(self, changes: Changes) -> None:
        """Return once these changes, and all that were made before them, are on the disk."""
        self.add(changes)
        waited = self._next or self._running
        if waited is not None:
            await asyncio.shield(waited)

    def add(self, changes: Changes) -> None:
        """Take changes for the next sync without waiting for it."""
        if not changes:
            return
        self._gathered.take(changes)
        if self._next is None:
            self._next = self._loop.create_future()
        if self._running is None:
            self._begin()

    def write_now(self) -> None:
        """Write what is gathered and wait for it: at the end of the process."""
        self._thread.shutdown(wait=True)
        self._state.write(self._gathered)
        self._gathered = Changes()

    def _begin(self) -> None:
        gathered, self._gathered = self._gathered, Changes()
        self._running, self._next = self._next, None
        write = self._loop.run_in_executor(self._thread, self._state.write, gathered)
        write.add_done_callback(lambda _: self._end())

    def _end(self) -> None:
        """Tell those who wait; a failed write has ended the process already."""
        if self._running is not None:
            self._running.set_result(None)
        self._running = None
        if self._gathered:
            self._begin()
