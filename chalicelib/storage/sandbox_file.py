"""What the sandbox platform received, in a SQLite file outside the engine's.

It is the judge of "exactly once", so it must outlive any crash of anything else: each post is
synced to disk before `take` returns. Several processes and threads use it at once. A stage keeps
the same in a table (`storage/sandbox.py`).
"""

import json
import sqlite3
import threading
from collections.abc import Collection, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.sandbox import SandboxEntry
from chalicelib.kit.aws_on_sqlite.shared_sync import SharedSync, sync_folder
from chalicelib.storage.sandbox_bytes import SandboxFiles

_SCHEMA = """
CREATE TABLE IF NOT EXISTS post (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    remote_id TEXT NOT NULL, account_id TEXT NOT NULL, platform TEXT NOT NULL,
    handle TEXT NOT NULL, caption TEXT NOT NULL, media_id TEXT, media_kind TEXT,
    options TEXT NOT NULL, target_id TEXT NOT NULL,
    created_at TEXT NOT NULL, visible_at TEXT NOT NULL, removed INTEGER NOT NULL,
    sent TEXT, files TEXT NOT NULL DEFAULT '{}',
    UNIQUE (platform, remote_id)
);
CREATE INDEX IF NOT EXISTS post_by_target ON post (account_id, target_id);
CREATE TABLE IF NOT EXISTS counter (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
"""
_ADDED = {"sent": "TEXT", "files": "TEXT NOT NULL DEFAULT '{}'"}
"""Columns that files of earlier versions lack."""

_NAMES = tuple(field.name for field in fields(SandboxEntry))
_COLUMNS = ", ".join(_NAMES)
_TIMES = ("created_at", "visible_at")
_WAIT_FOR_LOCK_S = 30.0
_KEPT_OPEN = 8
"""Connections that wait for their next use; each takes memory, and a call needs one for moments."""


class SqliteSandboxStore:
    """The sandbox's memory in one file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.files = SandboxFiles(path.parent / f"{path.stem}-files")
        self._free: list[sqlite3.Connection] = []
        # SQLite lets one write at a time and has the others ask again; so threads take turns.
        self._turn = threading.Lock()
        self._closed = False
        with ExitStack() as opened:
            opened.callback(self._close_free)
            with self._connection() as connection:
                connection.execute("PRAGMA journal_mode=WAL")
                connection.executescript(_SCHEMA)
                _add_columns(connection)
            self._sync = opened.enter_context(closing(SharedSync(Path(f"{path}-wal"))))
            sync_folder(path.parent)
            opened.pop_all()  # `close` closes them from here on

    def close(self) -> None:
        """Let the file go once what is being written is; nobody may write any more."""
        with self._turn:
            self._close_free()
        self._sync.close()

    def take(self, entry: SandboxEntry) -> None:
        """Keep a post, durably, before returning."""
        row = _row(entry)
        marks = ", ".join("?" * len(row))
        with self._writing() as connection:
            query = f"INSERT INTO post ({_COLUMNS}) VALUES ({marks})"  # noqa: S608 - names of ours
            connection.execute(query, row)

    def keep_file(self, name: str, pieces: Iterator[bytes]) -> bool:
        """Keep a file's bytes under a name, once; tell that they are kept here."""
        self.files.keep(name, pieces)
        return True

    def read_file(self, name: str) -> Iterator[bytes] | None:
        """Return the bytes that are kept under a name, if there are any."""
        return self.files.read(name)

    def find(self, account_id: str, target_id: str) -> list[SandboxEntry]:
        """Return what was taken for a target, oldest first, removed ones too."""
        return self._select(
            "WHERE account_id = ? AND target_id = ? ORDER BY place", account_id, target_id
        )

    def get(self, platform: Platform, remote_id: str) -> SandboxEntry | None:
        """Return one post, or None."""
        found = self._select("WHERE platform = ? AND remote_id = ?", platform.value, remote_id)
        return found[0] if found else None

    def remove(self, platform: Platform, remote_id: str) -> bool:
        """Mark a post as deleted; tell whether it was there and live."""
        with self._writing() as connection:
            changed = connection.execute(
                "UPDATE post SET removed = 1 WHERE platform = ? AND remote_id = ? AND removed = 0",
                (platform.value, remote_id),
            )
            return changed.rowcount == 1

    def bump(self, key: str) -> int:
        """Count up a durable counter and return its new value, starting at 1."""
        with self._writing() as connection:
            (value,) = connection.execute(
                "INSERT INTO counter VALUES (?, 1) "
                "ON CONFLICT (key) DO UPDATE SET value = value + 1 RETURNING value",
                (key,),
            ).fetchone()
            return int(value)

    def forget(self, account_ids: Collection[str]) -> None:
        """Delete for good what accounts posted, and the files that no post names any more.

        SQLite leaves deleted words in free pages and in its log (sqlite.org/pragma.html,
        secure_delete and wal_checkpoint).
        """
        accounts = json.dumps(sorted(account_ids))
        with self._writing() as connection:
            connection.execute("PRAGMA secure_delete=ON")  # zeros instead of words, in free pages
            connection.execute(
                "DELETE FROM post WHERE account_id IN (SELECT value FROM json_each(?))", (accounts,)
            )
        with self._connection() as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # the log has the words too
            kept = connection.execute("SELECT value FROM post, json_each(post.files)").fetchall()
        self.files.sweep({str(name) for (name,) in kept})

    def newest(self, account_id: str | None = None, limit: int | None = None) -> list[SandboxEntry]:
        """Return what was taken, newest first; all of it unless limited."""
        most = -1 if limit is None else limit
        if account_id is None:
            return self._select("ORDER BY place DESC LIMIT ?", most)
        return self._select("WHERE account_id = ? ORDER BY place DESC LIMIT ?", account_id, most)

    def _select(self, rest: str, *values: str | int) -> "list[SandboxEntry]":
        with self._connection() as connection:
            query = f"SELECT {_COLUMNS} FROM post {rest}"  # noqa: S608 - names of ours
            rows = connection.execute(query, values).fetchall()
        return [_entry(row) for row in rows]

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection for one statement; return once what it wrote is on the disk."""
        with self._turn, self._connection() as connection:
            if self._closed:
                raise sqlite3.ProgrammingError(f"{self._path} was closed.")
            yield connection
        self._sync.wait()

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection; every statement is a transaction of its own."""
        try:
            connection = self._free.pop()
        except IndexError:
            connection = self._open()
        try:
            yield connection
        finally:
            if len(self._free) < _KEPT_OPEN:
                self._free.append(connection)
            else:
                connection.close()
            if self._closed:
                self._close_free()

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._path, timeout=_WAIT_FOR_LOCK_S, isolation_level=None, check_same_thread=False
        )
        try:
            connection.execute("PRAGMA synchronous=NORMAL")  # `SharedSync` syncs the log for all
        except BaseException:
            connection.close()
            raise
        return connection

    def _close_free(self) -> None:
        self._closed = True
        with suppress(IndexError):
            while True:
                self._free.pop().close()


def _add_columns(connection: sqlite3.Connection) -> None:
    """Give a file of an earlier version what it lacks; another process may do so at once."""
    there = {str(row[1]) for row in connection.execute("PRAGMA table_info(post)")}
    for name, kind in _ADDED.items():
        if name not in there:
            with suppress(sqlite3.OperationalError):
                connection.execute(f"ALTER TABLE post ADD COLUMN {name} {kind}")


def _row(entry: SandboxEntry) -> list[object]:
    values = {name: getattr(entry, name) for name in _NAMES}
    for name in _TIMES:
        values[name] = values[name].astimezone(UTC).isoformat()
    sent = None if entry.sent is None else json.dumps(dict(entry.sent), ensure_ascii=False)
    values |= {"options": json.dumps(dict(entry.options)), "sent": sent}
    return [*{**values, "files": json.dumps(dict(entry.files))}.values()]


def _entry(row: tuple[Any, ...]) -> SandboxEntry:
    values = dict(zip(_NAMES, row, strict=True))
    for name in _TIMES:
        values[name] = datetime.fromisoformat(values[name])
    values |= {"platform": Platform(values["platform"]), "options": json.loads(values["options"])}
    values |= {"sent": json.loads(values["sent"] or "null"), "files": json.loads(values["files"])}
    return SandboxEntry(**{**values, "removed": bool(values["removed"])})
