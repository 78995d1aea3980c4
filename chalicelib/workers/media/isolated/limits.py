"""What the child may do: compute, within limits of memory and time, and use its two pipes.

`setrlimit` limits it on every Unix. On Linux a filter (`system_calls`) also refuses every system
call that computing does not need; where no filter is allowed, the limits and the empty environment
remain.
"""

import ctypes
import os
import resource
import signal
import sys
from contextlib import suppress
from pathlib import Path

from chalicelib.workers.media.isolated.system_calls import filter_calls

MOST_MEMORY = 364 * 1024 * 1024
"""Of data; with the libraries' code the process stays below 400 MB."""

_FEW_FILES = 32
_MORE_THREADS = 64
_CPU_GRACE_S = 5
_DIE_WITH_PARENT = 1


def confine(cpu_seconds: int) -> bool:
    """Give up what converting does not need; return whether system calls are filtered too.

    All modules must have been imported before.
    """
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_NOFILE, _FEW_FILES)
    _limit(resource.RLIMIT_CPU, cpu_seconds, cpu_seconds + _CPU_GRACE_S)
    _limit(resource.RLIMIT_DATA, MOST_MEMORY)
    if sys.platform != "linux":
        return False
    _limit(resource.RLIMIT_NPROC, _threads_of_this_user() + _MORE_THREADS)
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    return filter_calls()


def _limit(which: int, soft: int, hard: int | None = None) -> None:
    _, allowed = resource.getrlimit(which)
    most = soft if hard is None else hard
    if allowed != resource.RLIM_INFINITY:
        soft, most = min(soft, allowed), min(most, allowed)
    resource.setrlimit(which, (soft, most))


def _threads_of_this_user() -> int:
    """Count what the kernel counts for its limit: the threads of all processes of one user.

    RLIMIT_NPROC knows no limit of one process (setrlimit(2)).
    """
    user, count = os.getuid(), 0
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if process.stat().st_uid == user:
                count += sum(1 for _ in (process / "task").iterdir())
    return count


def bare_environment() -> dict[str, str]:
    """Return what a child needs of the environment to load its libraries: no key is among it."""
    named = {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "LANG") if name in os.environ}
    # An empty path is the working directory, which is another one for the child.
    paths = (path or str(Path.cwd()) for path in sys.path)
    return {**named, "PYTHONPATH": os.pathsep.join(paths)}
