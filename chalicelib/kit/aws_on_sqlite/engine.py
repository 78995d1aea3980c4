"""The SQLite file that holds rows, messages and the names of files; several processes open it.

A write is one short transaction. Writers of one process take turns by a lock, those of several by a
file lock, which the kernel grants in order: SQLite alone would let them sleep and try again. No
acknowledged write is lost when a process is killed. An engine that is `synced` acknowledges a write
only once it would survive a power cut, too; waiting writers share one sync of the log, which begins
after their commits and blocks no other writer. A thread of its own copies the log into the file (a
checkpoint); no other thread does.
"""

import atexit
import fcntl
import json
import logging
import os
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

from botocore.exceptions import EndpointConnectionError

from chalicelib.kit.aws_on_sqlite.address import address_of, read_address
from chalicelib.kit.aws_on_sqlite.kept_stand import KeptStand
from chalicelib.kit.aws_on_sqlite.schema import ADDED, CONNECTION, READER, TABLES
from chalicelib.kit.aws_on_sqlite.shared_sync import SharedSync, sync_path
from chalicelib.kit.aws_on_sqlite.steady_clock import machine_clock
from chalicelib.kit.waiting import about_to_wait

FILE, FILES = "tables.db", "files"
_BUSY_S = 20.0
_READERS = 8
_STATEMENTS = 64
"""Several rows are read or written by one statement for each number of rows, of 1 KB a row: each of
a dozen connections came to keep hundreds. To compile one again takes 0.1 ms."""
_TOLD_AGAIN_AFTER_S = 60.0
_STOPS_WITHIN_S = 5.0
_UNWRITABLE = (
    "The data directory %s cannot be written (%s). Changes are refused until it can be; "
    "nothing that was answered is lost."
)
_UNREADABLE = (
    "The data directory %s cannot be read (%s). Requests are refused until it can be; if that does "
    "not pass, restore a backup."
)
_MISTAKES = (
    sqlite3.DataError,
    sqlite3.IntegrityError,
    sqlite3.InternalError,
    sqlite3.NotSupportedError,
    sqlite3.ProgrammingError,
)
"""What SQLite raises for a call of ours that is wrong, of the same class as the next ones."""
_FAILURES = (sqlite3.DatabaseError, OSError, MemoryError)
"""What it raises when disk, locks or memory fail; a read that fails is a file that is malformed."""
_LOG = logging.getLogger(__name__)
_MOST_PAGES = 6_000
_QUIET_S = 2.0
_WRITES = 256
"""After this many writes the log has grown by some megabytes and is copied into the file."""


class DiskFailedError(EndpointConnectionError):
    """The engine's file cannot be locked, read or written: to callers a service that is silent."""


class Engine:
    """One process's access to the file of a folder; every client of the process shares it.

    Opening, reading and writing raise DiskFailedError.
    """

    def __init__(self, folder: Path, *, synced: bool = False) -> None:
        self.folder = folder
        self.synced = synced
        self._file, self._log = folder / FILE, folder / f"{FILE}-wal"
        self._turn = threading.Lock()
        self._told_at = -_TOLD_AGAIN_AFTER_S
        self._readers: deque[sqlite3.Connection] = deque()
        self._reading = threading.BoundedSemaphore(_READERS)
        self._closed = self._is_gone = False
        self._sync: SharedSync | None = None
        try:
            self._open()
        except _MISTAKES:
            raise
        except _FAILURES as failure:  # whoever opens it says so
            raise self._failure_of(failure) from failure
        self.checkpoints = Checkpoints(self._connect, self.alone)

    def _open(self) -> None:
        for each in (self.folder, self.folder / FILES):
            each.mkdir(parents=True, exist_ok=True, mode=0o700)
        with ExitStack() as opened:
            way = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
            self._gate = os.open(self.folder / "turn", way, 0o600)
            opened.callback(os.close, self._gate)
            with self._others_away():
                if not self._file.exists():
                    self._file.touch(mode=0o600)  # SQLite gives its other files the same mode
                self._writer = opened.enter_context(closing(self._connect()))
                self._writer.executescript(TABLES)
                self._add_columns()
                if self.synced and os.fstat(self._gate).st_size > 0:
                    self._begin_log_anew()
            if self.synced:
                self._sync = opened.enter_context(closing(SharedSync(self._log, self._gate)))
                for each in (self.folder.parent, self.folder):
                    sync_path(each)
            opened.pop_all()  # `close` closes them from here on

    def _begin_log_anew(self) -> None:
        """Copy the log into the file and truncate it, as one of its syncs has failed.

        What the disk did not take is in memory and is read from there. To write it into the same
        place again does not help: ext4 then reads zeros there after a power cut.
        """
        (is_read, _, _) = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if is_read:
            raise OSError("the log, of which a sync failed, is being read")
        os.ftruncate(self._gate, 0)

    def _add_columns(self) -> None:
        """Add missing columns to tables of an earlier version; their rows stay."""
        for table, (name, kind) in ADDED.items():
            has = {row[1] for row in self._writer.execute(f"PRAGMA table_info({table})")}
            if name not in has:
                self._writer.execute(f"ALTER TABLE {table} ADD COLUMN {name} {kind}")

    @property
    def address(self) -> str:
        """Return the address that opens this engine."""
        return address_of(self.folder, synced=self.synced)

    @contextmanager
    def writing(self, *, lasting: bool = True) -> Iterator[sqlite3.Connection]:
        """Yield a connection within a transaction; commit it at the end, undo it on any error.

        A write that need not survive a power cut is not `lasting`.
        """
        with self._answering(), self.alone():
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
                self._writer.execute("COMMIT")
            except BaseException:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                raise
        if self._sync is not None and lasting:
            about_to_wait()
            self._sync.wait()
        self.checkpoints.count_write()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection that reads everything committed so far."""
        with self._answering(), self._reading:
            connection = self._a_reader()
            try:
                yield connection
            finally:
                self._readers.append(connection)
                if self._closed:
                    self._close_readers()

    def _a_reader(self) -> sqlite3.Connection:
        with suppress(IndexError):
            return self._readers.pop()
        connection = self._connect()
        connection.execute(READER)
        return connection

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """Raise as if the service did not answer when disk, locks, handles or memory fail."""
        try:
            yield
        except _MISTAKES:
            raise
        except _FAILURES as failure:
            raise self._no_answer(failure) from failure

    def make(self, kind: str, name: str, about: Mapping[str, Any]) -> bool:
        """Register a table, queue or bucket with its definition; tell whether it is new."""
        row = (kind, name, json.dumps(about))
        with self.writing() as connection:
            text = "INSERT OR IGNORE INTO made (kind, name, about) VALUES (?, ?, ?)"
            return connection.execute(text, row).rowcount > 0

    def make_as(self, kind: str, name: str, about: Mapping[str, Any]) -> None:
        """Change an existing queue or bucket to a newer template's definition."""
        found = self.find_made(kind, name)
        if found is not None and found[1] != about:
            with self.writing() as connection:
                text = "UPDATE made SET about = ? WHERE kind = ? AND name = ?"
                connection.execute(text, (json.dumps(about), kind, name))

    def find_made(self, kind: str, name: str) -> tuple[int, Any] | None:
        """Return the number and the definition of a table, queue or bucket, or None."""
        with self.reading() as connection:
            text = "SELECT id, about FROM made WHERE kind = ? AND name = ?"
            found = connection.execute(text, (kind, name)).fetchone()
        return None if found is None else (found[0], json.loads(found[1]))

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Wait for other writers, and be the only one, as sqlite.org/wal.html demands."""
        with self._turn:
            if self._is_gone:
                raise sqlite3.ProgrammingError(f"{self._file} was closed.")
            with self._others_away():
                yield

    def work_in_log(self) -> None:
        """Copy the log into the file now, after large transactions."""
        with suppress(*_FAILURES), self.alone():  # a full disk: then the next time
            self._writer.execute("PRAGMA wal_checkpoint(RESTART)").fetchone()

    def empty_log(self) -> None:
        """Copy the log into the file and truncate it, so that no deleted text stays in it.

        It waits for readers (sqlite.org/pragma.html#pragma_wal_checkpoint).
        """
        with self.alone():
            self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    def empty_quiet_log(self) -> None:
        """Empty the log if nothing was written for seconds, so that nobody waits for it.

        A busy engine overwrites its log anyway.
        """
        with suppress(DiskFailedError, *_FAILURES):
            seen = self._log.stat()
            if seen.st_size > 0 and time.time() - seen.st_mtime > _QUIET_S:
                with self.reading() as connection:  # beside writers; little is left then
                    connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
                self.empty_log()

    @contextmanager
    def _others_away(self) -> Iterator[None]:
        """Wait for other processes' writes to end, and take the turn."""
        fcntl.flock(self._gate, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(self._gate, fcntl.LOCK_UN)

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._file,
            timeout=_BUSY_S,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=_STATEMENTS,
        )
        try:
            connection.executescript(CONNECTION)
        except BaseException:
            connection.close()
            raise
        return connection

    def _no_answer(self, failure: Exception) -> DiskFailedError:
        now = time.monotonic()
        if now > self._told_at + _TOLD_AGAIN_AFTER_S:
            self._told_at = now
            told = _UNREADABLE if type(failure) is sqlite3.DatabaseError else _UNWRITABLE
            facts = {"action": "engine.unwritable"}
            _LOG.error(told, self.folder, _why(failure), extra=facts)
        return self._failure_of(failure)

    def _failure_of(self, failure: Exception) -> DiskFailedError:
        return DiskFailedError(endpoint_url=f"{self._file}: {_why(failure)}")

    def close(self) -> None:
        """Copy the log into the file and close it; the engine may not be used afterwards."""
        _open.pop(self.address, None)
        self.checkpoints.stop()
        self._close_readers()
        with self._turn:
            self._is_gone = True
            self._writer.close()
        if self._sync is not None:
            self._sync.close()
        os.close(self._gate)

    def close_at_exit(self) -> None:
        """Close the connections that no thread uses; a thread that is cut off keeps its own."""
        self.checkpoints.stop(_STOPS_WITHIN_S)
        self._close_readers()
        if self._turn.acquire(blocking=False):  # for good: nobody writes to a closed file
            self._writer.close()

    def _close_readers(self) -> None:
        self._closed = True
        with suppress(IndexError):
            while True:
                self._readers.pop().close()


def _why(failure: Exception) -> str:
    return str(failure) or "out of memory"


class Checkpoints:
    """Copies the log into the file whenever it has grown, beside readers and writers.

    The log restarts once all of it is copied, which writers that never pause prevent
    (sqlite.org/wal.html#avoiding_excessively_large_wal_files): beyond a certain size they wait for
    it.
    """

    def __init__(
        self,
        connect: Callable[[], sqlite3.Connection],
        alone: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._connect = connect
        self._alone = alone
        self._writes = count(1)
        self._asked = threading.Event()
        self._stopping = False
        self._is_refused = False
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    def count_write(self) -> None:
        """Have the log copied after a number of writes."""
        if next(self._writes) % _WRITES == 0 or self._is_refused:
            self._ask()

    def _ask(self) -> None:
        self._asked.set()
        with self._starting:
            self._is_refused = False
            if self._thread is None:
                thread = threading.Thread(target=self._run, name="checkpoints", daemon=True)
                try:
                    thread.start()
                except RuntimeError:  # the write is committed, and the next one tries again
                    self._is_refused = True
                else:
                    self._thread = thread

    def _run(self) -> None:
        try:
            connection = self._connect()
        except _FAILURES:  # no file can be opened: the next write tries again
            with self._starting:
                self._thread, self._is_refused = None, True
            return
        with closing(connection):
            while True:
                self._asked.wait()
                self._asked.clear()
                if self._stopping:
                    break
                with suppress(*_FAILURES):  # the disk is full, or another does it
                    if self._work_in(connection) > _MOST_PAGES:
                        with self._alone():
                            self._work_in(connection)

    def _work_in(self, connection: sqlite3.Connection) -> int:
        """Copy what was committed so far; return how many pages the log has."""
        (_, pages, _) = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        return int(pages)

    def stop(self, within_s: float | None = None) -> None:
        """End the thread."""
        self._stopping = True
        self._asked.set()
        if self._thread is not None:
            self._thread.join(within_s)


_open: dict[str, Engine] = {}
_opening = threading.Lock()


def open_engine(address: str) -> Engine:
    """Return this process's engine at an address."""
    with _opening:
        engine = _open.get(address)
        if engine is None:
            folder, synced = read_address(address)
            engine = Engine(folder, synced=synced)
            if not _open:
                machine_clock.keep(KeptStand(folder))
            _open[address] = engine
        return engine


@atexit.register
def _close_all() -> None:
    for engine in [*_open.values()]:
        engine.close_at_exit()
