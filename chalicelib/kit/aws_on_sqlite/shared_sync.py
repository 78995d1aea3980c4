"""Makes writes survive a power cut: small files, names in folders, and SQLite's log.

Whatever was appended to the log before a sync began is on the disk when it ends. So a writer waits
for the first sync that begins after its commit, and one thread at a time makes it for all.
"""

import logging
import os
import threading
from contextlib import suppress
from pathlib import Path

UNWRITABLE = 73
"""The exit status of a program that could not write its state (EX_CANTCREAT of sysexits.h)."""

_LOG = logging.getLogger(__name__)
_NOT_SYNCED = (
    "The disk did not take what was written to %s (%s), so this process ends. Mend the disk, and "
    "see whether the last change is there before you repeat it."
)
_sync = getattr(os, "fdatasync", os.fsync)


class SharedSync:
    """The syncs of one file by one process.

    `mark` is an open file, empty until a sync fails; from then on it has a byte, which takes no
    room on the disk.
    """

    def __init__(self, file: Path, mark: int) -> None:
        self._file, self._mark = file, mark
        self._descriptor = os.open(file, os.O_RDONLY)
        self._changed = threading.Condition()
        self._begun = 0
        self._ended = 0
        self._closed = False

    def wait(self) -> None:
        """Return once everything written before the call would survive a power cut."""
        with self._changed:
            wanted = self._begun + 1
            while self._ended < wanted:
                if self._closed:
                    raise ValueError("The file was closed before what was written was synced.")
                if self._begun > self._ended:
                    self._changed.wait()
                else:
                    self._sync()

    def _sync(self) -> None:
        """Make the next sync; threads that arrive meanwhile wait for the one after it."""
        self._begun += 1
        self._changed.release()
        try:
            _sync(self._descriptor)
        except OSError as failure:
            # What the disk lost, no later sync brings back, even if it succeeds
            # (wiki.postgresql.org/wiki/Fsync_Errors): whoever sees the mark begins a new log.
            with suppress(OSError):
                os.ftruncate(self._mark, 1)
            facts = {"action": "engine.unsynced"}
            _LOG.critical(_NOT_SYNCED, self._file, failure.strerror, extra=facts)
            os._exit(UNWRITABLE)
        finally:
            self._changed.acquire()
        self._ended = self._begun
        self._changed.notify_all()

    def close(self) -> None:
        """Close the file once the running sync has ended; those who still wait get a ValueError."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended == self._begun)
            self._closed = True
            os.close(self._descriptor)
            self._changed.notify_all()


def write_safely(path: Path, text: str, *, mode: int = 0o600) -> None:
    """Write a small file so that a power cut leaves the old one or the new one."""
    fresh = path.with_name(f"{path.name}.new")
    opened = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with os.fdopen(opened, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    sync_path(path.parent)


def sync_all_of(folder: Path) -> None:
    """Return once everything below a folder would survive a power cut."""
    for path in (*folder.rglob("*"), folder):
        sync_path(path)


def sync_path(path: Path) -> None:
    """Return once a file's bytes, or the names in a folder, would survive a power cut.

    The sync of a file leaves out its name: fsync(2).
    """
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
