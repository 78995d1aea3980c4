"""Whether the machine under an embedded stack is fit for it: disk, clock, sync, a fresh backup.

A post goes out by this machine's clock, so a clock that nobody sets is the end of "at the second".
"""

import ctypes
import json
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from chalicelib.doctor.examination import Finding, fine, warning, wrong
from chalicelib.domain.clock import Clock

LAST_BACKUP = "last-backup.json"
SYNC_MODE = "sync"
"""The note of how the stack on a data directory was started last: `full` or `normal`."""
LEAST_FREE_BYTES = 2 * 1_073_741_824
NO_ROOM_BYTES = 100 * 1_048_576
OLDEST_BACKUP = timedelta(days=2)
LARGEST_ERROR = timedelta(milliseconds=100)
_UNSYNCHRONISED = 0x40


class _Timex(ctypes.Structure):
    """The beginning of Linux's `struct timex`, adjtimex(2)."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("rest", ctypes.c_byte * 256),
    )


def clock_error() -> timedelta | None:
    """Return how far off the kernel takes its clock to be, None where nothing sets the clock."""
    if sys.platform != "linux":
        return timedelta(0)
    state = _Timex()
    ctypes.CDLL(None).adjtimex(ctypes.byref(state))
    if state.status & _UNSYNCHRONISED:
        return None
    return timedelta(microseconds=state.esterror)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerChecks:
    """The machine's side of one data directory."""

    data_dir: Path
    clock: Clock
    free_bytes: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free
    clock_error: Callable[[], timedelta | None] = clock_error

    def run(self) -> Iterator[Finding]:
        """Examine the disk, the clock, the sync mode and the last backup."""
        yield self._disk()
        yield self._time()
        yield from self._sync()
        yield self._backup()

    def _disk(self) -> Finding:
        free = self.free_bytes(self.data_dir)
        message = f"{free / 1_073_741_824:.1f} GB free in {self.data_dir}"
        if free < NO_ROOM_BYTES:
            advice = "Free some at once: what cannot be written stops the service."
            return wrong("disk", message, advice)
        if free < LEAST_FREE_BYTES:
            return warning("disk", message, "Free some, or give the directory a larger disk.")
        return fine("disk", message)

    def _time(self) -> Finding:
        error = self.clock_error()
        if error is None:
            message = "Nothing sets this machine's clock: posts would go out early or late."
            return warning("clock", message, "Start chrony or systemd-timesyncd.")
        told = f"off by about {error.total_seconds() * 1000:.0f} ms"
        if error > LARGEST_ERROR:
            return warning("clock", told, "Look after chrony or systemd-timesyncd.")
        return fine("clock", told)

    def _sync(self) -> Iterator[Finding]:
        try:
            mode = (self.data_dir / SYNC_MODE).read_text(encoding="ascii").strip()
        except (OSError, ValueError):
            return  # no stack ran here since the note is kept
        if mode == "full":
            yield fine("sync", "full: what was answered is on the disk")
        else:
            message = f"{mode}: a power cut can lose the last moments, and a post may go out twice."
            advice = "Start it with `python -m chalicelib serve`, or set GOLDENHOUR_SYNC=full."
            yield warning("sync", message, advice)

    def _backup(self) -> Finding:
        advice = "Run `backup FILE`, or start the timer of infra/server."
        try:
            note = json.loads((self.data_dir / LAST_BACKUP).read_text(encoding="utf-8"))
            age = self.clock() - datetime.fromisoformat(note["taken_at"])
        except (OSError, ValueError, KeyError, TypeError):
            return warning("backup", "There is no backup of this directory yet.", advice)
        hours = age.total_seconds() / 3600
        if age > OLDEST_BACKUP:
            return warning("backup", f"The last one is {hours:.0f} hours old.", advice)
        return fine("backup", f"{hours:.0f} hours old")
