"""A child of the local stack never outlives its parent, even one that was killed.

Every process of the stack calls `die_with_parent` first: the kernel then kills it together with
the process that started it (Linux; elsewhere it watches for being handed to another parent).
"""

import ctypes
import os
import signal
import sys
import threading
import time

PARENT = "GOLDENHOUR_PARENT_PID"
_SET_PARENT_DEATH_SIGNAL = 1
_WATCH_EVERY_S = 1.0


def die_with_parent() -> None:
    """Make this process end with its parent, also if that ended before this was called."""
    parent = int(os.environ.get(PARENT) or os.getppid())
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    else:
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    if os.getppid() != parent:
        os._exit(1)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_WATCH_EVERY_S)
    os._exit(1)
