"""Moves the clock of a running stack from outside, as whoever sets a machine's clock does.

A small library is loaded into each of its processes before the C library. Wall time is moved,
monotonic time and waits are not. (Debian's libfaketime moves the waits, too: Python's sleeps fail.)
"""

import os
import struct
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

_SOURCE = Path(__file__).with_suffix(".c")


class WrongClock:
    """A file that says how far the clock of processes that read it is off."""

    def __init__(self, folder: Path) -> None:
        self._library, self._file = folder / "wrong_clock.so", folder / "wrong_clock"
        command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(self._library)]
        subprocess.run([*command, str(_SOURCE), "-lm"], check=True, timeout=240)
        self._file.write_bytes(struct.pack("d", 0.0))

    @property
    def environment(self) -> Mapping[str, str]:
        """What a process is started with for its clock to be off as the file says."""
        return {"LD_PRELOAD": str(self._library), "WRONG_CLOCK": str(self._file)}

    def set(self, off: timedelta) -> None:
        """Let the clock be off by so much from now on."""
        opened = os.open(self._file, os.O_WRONLY)
        os.pwrite(opened, struct.pack("d", off.total_seconds()), 0)
        os.close(opened)

    @contextmanager
    def off_by(self, step: timedelta) -> Iterator[None]:
        """Let it be wrong for the block, and right afterwards."""
        self.set(step)
        try:
            yield
        finally:
            self.set(timedelta(0))
