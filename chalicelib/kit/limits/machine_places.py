"""How many calls one machine has under way at once, by its memory and its file handles.

A thread that waits for an answer holds 41 KB of memory, whatever its stack may grow to (measured
with a thousand of them; over TLS about twice that). So memory bounds them, not threads.
"""

import os
import resource
from contextlib import suppress
from typing import Final

_SHARE_OF_MEMORY: Final = 16
_CALL_BYTES: Final = 98_304
FEWEST, MOST = 256, 1_536
"""One process claims no more than these while the first calls of a second or two last."""
_OTHER_FILES: Final = 512


def calls_at_once(memory: int, files: int) -> int:
    """Return how many calls may go on at once with so many bytes and file handles."""
    by_memory = memory // _SHARE_OF_MEMORY // _CALL_BYTES
    return max(FEWEST, min(by_memory, files - _OTHER_FILES, MOST))


def calls_here() -> int:
    """Return how many calls may go on at once in a process of this machine."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = MOST + _OTHER_FILES if hard == resource.RLIM_INFINITY else hard
    return calls_at_once(memory, files)


def open_files_for(calls: int) -> None:
    """Let this process have as many files open as so many calls need."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = calls + _OTHER_FILES
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    with suppress(ValueError, OSError):
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
