"""One process of the local stack: how it is started, watched and ended.

A child that dies is started again. One that dies often is started again only after a pause, so that
it leaves the processor to the others.
"""

import contextlib
import ctypes
import gc
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path

from chalicelib.kit.aws_on_sqlite.shared_sync import UNWRITABLE
from chalicelib.kit.dataclass import dataclass

PARENT = "GOLDENHOUR_PARENT_PID"
READY, TAKES_LONG = b"ready\n", b"takes long\n"
"""What the front tells the supervisor: it answers, or will do so only after some minutes."""
NO_THREADS = 71
"""The exit status of a program that could start no thread (EX_OSERR of sysexits.h)."""
_NO_THREAD = "can't start new thread"
_SET_PARENT_DEATH_SIGNAL = 1
_FUTEX_HASH, _SET_SLOTS = 78, 1
_SLOTS = 4_096
"""Twice the number of threads of a burst; it takes 256 KB of the kernel's memory."""
_WATCH_EVERY_S = 1.0
_LOOK_EVERY_S = 0.5
_TRIMMED_EVERY_S = 60.0
_BEGINS_WITHIN_S = 30.0
_COLLECTED_AFTER = (50_000, 20, 50)


def die_with_parent() -> None:
    """Make this process end with its parent, also if that ended before this was called.

    Linux lets children live on unless each asks for this itself: PR_SET_PDEATHSIG(2const).
    """
    parent = int(os.environ.get(PARENT) or os.getppid())
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    else:
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    if os.getppid() != parent:
        os._exit(1)


@contextlib.contextmanager
def needing_threads() -> Iterator[None]:
    """Exit with NO_THREADS if the system gives the block no thread, as at a start."""
    try:
        yield
    except RuntimeError as error:
        if str(error) != _NO_THREAD:  # Python has no class of its own for it
            raise
        os._exit(NO_THREADS)


@contextlib.contextmanager
def needing_disk() -> Iterator[None]:
    """Exit with UNWRITABLE if the disk fails the block, as at a start: it may be full."""
    from chalicelib.kit.aws_on_sqlite.engine import (  # noqa: PLC0415 - the supervisor has none
        DiskFailedError,
    )

    try:
        yield
    except DiskFailedError:
        os._exit(UNWRITABLE)


def keep_waiting_threads_apart() -> None:
    """Have the kernel find a waiting thread at once among thousands.

    Linux 6.16 and later keep the waiting threads of a process in lists of its own, 16 on two cores,
    and go through one of them whenever a lock is released (PR_FUTEX_HASH of linux/prctl.h). Older
    kernels share lists among all processes and lack this call.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_FUTEX_HASH, _SET_SLOTS, _SLOTS, 0, 0)


def leave_out_of_collections() -> None:
    """Exclude all objects loaded so far from Python's cycle collector, and let it run seldom.

    Requests' objects are freed by reference counts; collecting a large heap would stop every thread
    for a tenth of a second or more, even when a post is due (docs.python.org/3/library/gc.html).
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECTED_AFTER)


def await_end(descriptor: int, stopping: threading.Event) -> None:
    """Return when the pipe's other end is closed, or the process is told to stop."""
    while not stopping.is_set():
        if select.select([descriptor], [], [], _LOOK_EVERY_S)[0]:
            return


def give_memory_back() -> None:
    """Return freed memory to the system once a minute, if the C library can.

    It keeps freed blocks that lie between blocks in use: after a burst, tens of megabytes.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        threading.Thread(target=_trim, args=(trim,), daemon=True, name="trim").start()


def _trim(trim: Callable[[int], int]) -> None:
    while True:
        time.sleep(_TRIMMED_EVERY_S)
        trim(0)


def end_if_a_thread_never_begins(every_s: float = _BEGINS_WITHIN_S) -> None:
    """End the process once a thread was started and does not run: whoever started it is stuck.

    A thread that finds no memory as it begins tells nobody, and `Thread.start` waits for good, here
    with its whole pool (github.com/python/cpython/issues/140746).
    """
    watching = threading.Thread(target=_await_all, args=(every_s,), daemon=True, name="beginnings")
    watching.start()


def _await_all(every_s: float) -> None:
    waiting: set[threading.Thread] = set()
    while True:
        time.sleep(every_s)
        still = {thread for thread in threading.enumerate() if thread.ident is None}
        if waiting & still:
            os._exit(NO_THREADS)
        waiting = still


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_WATCH_EVERY_S)
    os._exit(1)


_DEATHS = 5
_WITHIN_S = 60.0
_REST_S = 10.0
PROJECT = Path(__file__).parents[3]


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """What a child runs."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(repr=False)
    descriptors: Sequence[int] = ()


class Child:
    """A running program."""

    def __init__(self, program: Program, clock: Callable[[], float] = time.monotonic) -> None:
        self.program = program
        self._clock = clock
        self._deaths: deque[float] = deque(maxlen=_DEATHS)
        self._starts_at: float | None = None
        self._process = self._start()

    def _start(self) -> "subprocess.Popen[bytes]":
        # A session of its own: Ctrl-C reaches the supervisor alone, which ends the children in
        # order. The child asks the kernel to die with us (`die_with_parent`).
        return subprocess.Popen(  # noqa: S603 (our own modules)
            self.program.command,
            env={**self.program.environment, PARENT: str(os.getpid())},
            cwd=PROJECT,
            pass_fds=tuple(self.program.descriptors),
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )

    @property
    def pid(self) -> int:
        """The process id of the present run."""
        return self._process.pid

    def has_died(self) -> bool:
        """Tell whether the process ended and was not started again yet; reaps it."""
        return self._starts_at is None and self._process.poll() is not None

    @property
    def could_not_write(self) -> bool:
        """Tell whether it ended because the disk could not be written."""
        return self._process.poll() == UNWRITABLE

    @property
    def had_no_thread(self) -> bool:
        """Tell whether it ended because it could start no thread."""
        return self._process.poll() == NO_THREADS

    def note_death(self) -> None:
        """Decide when it is started again: at once, or after a pause if it died often lately.

        A full disk may become writable at any time, and threads available: such deaths do not
        count.
        """
        now = self._clock()
        if not (self.could_not_write or self.had_no_thread):
            self._deaths.append(now)
        self._starts_at = now + _REST_S if self.dies_often else now

    @property
    def dies_often(self) -> bool:
        """Tell whether it died five times within the last minute."""
        return len(self._deaths) == _DEATHS and self._clock() - self._deaths[0] < _WITHIN_S

    @property
    def rests_s(self) -> float | None:
        """Return how long until it is started again; None while it runs."""
        return None if self._starts_at is None else max(0.0, self._starts_at - self._clock())

    def restart(self) -> None:
        """Start it again. Raises OSError if the system gives no process."""
        self._process, self._starts_at = self._start(), None

    def ask_to_end(self) -> None:
        """Send SIGTERM."""
        self._process.terminate()

    def end(self, until: float) -> None:
        """Wait until a monotonic time, then kill it with all the processes it started."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(max(0.0, until - time.monotonic()))
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
