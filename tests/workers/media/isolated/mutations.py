"""Converts changed files by the hundred, each in a confined child that is forked ready.

    python -m tests.workers.media.isolated.mutations FIRST LAST STEP

A child is what the service starts, but for the half second in which it loads its libraries: this
process has loaded them, and every child is a copy of it. Prints one JSON object.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from typing import Final

from chalicelib.workers.media import photo_fitting, pictures, video_copy
from chalicelib.workers.media.isolated import child
from chalicelib.workers.media.isolated.process import Child
from tests.support.ready_children import be_the_child
from tests.support.sample_media import samples
from tests.workers.media.isolated.bombs import mutated
from tests.workers.media.isolated.memory_places import ends

ORIGINALS: Final = (
    "index_first.mp4",
    "fragmented.mp4",
    "hevc.mp4",
    "plain.jpg",
    "plain.png",
    "plain.webp",
)
PLAINLY: Final = frozenset({"415", "unreadable", "same", "done", "short"})
_LOADED = (photo_fitting, pictures, video_copy)
_POLL_S = 0.001


class Forked:
    """A copy of this process that does a child's work and ends."""

    def __init__(self, answers: int, questions: int) -> None:
        self._status: int | None = None
        self._pid = os.fork()
        if self._pid == 0:
            be_the_child(answers, questions)

    def wait(self, timeout: float | None = None) -> int:
        ends_at = None if timeout is None else time.monotonic() + timeout
        while self._status is None:
            pid, status = os.waitpid(self._pid, os.WNOHANG)
            if pid:
                self._status = os.waitstatus_to_exitcode(status)
            elif ends_at is not None and time.monotonic() > ends_at:
                raise subprocess.TimeoutExpired("forked", timeout or 0)
            else:
                time.sleep(_POLL_S)
        return self._status

    def kill(self) -> None:
        if self._status is None:
            os.kill(self._pid, signal.SIGKILL)


def start(answers: int, questions: int) -> Child:
    """Begin a child."""
    return Forked(answers, questions)


def main(first: int, last: int, step: int) -> None:
    """Convert the files of some seeds and say how they ended, how long it took and how large."""
    child.load_all()
    originals = [samples()[name].data for name in ORIGINALS]
    counted: Counter[str] = Counter()
    slowest = 0.0
    for seed in range(first, last, step):
        began = time.monotonic()
        counted.update(ends(mutated(originals[seed % len(originals)], seed), start=start))
        slowest = max(slowest, time.monotonic() - began)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    sys.stdout.write(json.dumps({"ended": counted, "peak": peak, "slowest_s": slowest}))


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:4]))
