"""Where the steady clock stands, kept in the data folder: a process that begins goes on from there.

It counts for as long as the machine runs: the time that passes since the machine's start is the
same for all its processes, one after the other. Sleep counts as time that passes, where the system
can tell.
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
    """Where the wall clock stands beside the time that passed, and since when."""

    ahead_s: float
    since_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """By how much the believed time is ahead of the time that passed, and was before that.

    `step` is what the wall clock says instead, if it does.
    """

    believed_s: float
    former_s: float
    step: Step | None = None


class KeptStand:
    """The stand in a folder. Without it, or where it cannot be written, nothing else fails."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / _FILE

    def read(self) -> Stand | None:
        """Return the stand of this start of the machine, or None."""
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
        """Keep a stand; another process's, written at the same time, would say the same."""
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
    """Return what names this start of the machine; nothing where the system does not say."""
    if sys.platform == "darwin":
        command = ("/usr/sbin/sysctl", "-n", "kern.bootsessionuuid")
        with suppress(OSError, subprocess.SubprocessError):
            return subprocess.run(command, capture_output=True, check=True, text=True).stdout  # noqa: S603 - no shell, nothing of anybody's
        return ""
    with suppress(OSError):
        return _BOOT_ID.read_text(encoding="ascii")
    return ""
