"""Two independent reads at the same time, so that a request waits only for the longer one."""

from collections.abc import Callable
from typing import TypeVar

from chalicelib.kit.limits.thread_pool import HelpedPool

_First = TypeVar("_First")
_Second = TypeVar("_Second")


def in_parallel(
    first: Callable[[], _First], second: Callable[[], _Second]
) -> tuple[_First, _Second]:
    """Return both results; the second read has its own thread. The first one's error is raised."""
    with HelpedPool(1) as other:
        reading = other.submit(second)
        found = first()
        return found, reading.result()
