"""Keeps the steady clock's state in the data folder, so that a new process continues from it.

It is valid until the machine restarts: all its processes see the same time since its start. Time
asleep counts, if the system can tell.
"""

import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from chalicelib.kit.dataclass import dataclass

_FILE = "clock"
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_SINCE_BOOT = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def time_passed() -> float:
    """Return the seconds since the machine started."""
    return time.clock_gettime(_SINCE_BOOT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The wall clock's offset from the time that passed, and since when."""

    ahead_s: float
    since_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """The believed time's offset from the time that passed, and the offset before that.

    `step` is the wall clock's own offset, if it differs.
    """

    believed_s: float
    former_s: float
    step: Step | None = None


class KeptStand:
    """The state in a folder. If it is missing or cannot be written, nothing else fails."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / _FILE

    def read(self) -> Stand | None:
        """Return the state since this start of the machine, or None."""
        try:
            kept = json.loads(self._file.read_bytes())
            if not (boot_id() and kept["boot"] == boot_id()):
                return None
            step = kept["step"]
            return Stand(
                believed_s=float(kept["believed_s"]),
                former_s=float(kept["former_s"]),
                step=step and Step(ahead_s=float(step[0]), since_s=float(step[1])),
            )
        except (OSError, ValueError, LookupError, TypeError):
            return None

    def write(self, stand: Stand) -> None:
        """Keep the state; another process would write the same at this time."""
        step = stand.step and [stand.step.ahead_s, stand.step.since_s]
        kept = {
            "boot": boot_id(),
            "believed_s": stand.believed_s,
            "former_s": stand.former_s,
            "step": step,
        }
        part = self._file.with_name(f"{_FILE}.{os.getpid()}")
        with suppress(OSError):
            opened = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(opened, "w", encoding="ascii") as file:
                json.dump(kept, file)
            part.replace(self._file)


@cache
def boot_id() -> str:
    """Return an id of this start of the machine; nothing if the system has none."""
    if sys.platform == "darwin":
        command = ("/usr/sbin/sysctl", "-n", "kern.bootsessionuuid")
        with suppress(OSError, subprocess.SubprocessError):
            return subprocess.run(command, capture_output=True, check=True, text=True).stdout  # noqa: S603 - no shell, nothing of anybody's
        return ""
    with suppress(OSError):
        return _BOOT_ID.read_text(encoding="ascii")
    return ""
