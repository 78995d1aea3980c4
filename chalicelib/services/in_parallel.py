"""Reads that do not rest on each other, made at once: a request waits for the longer one only."""

from collections.abc import Callable
from typing import TypeVar

from chalicelib.kit.limits.thread_pool import HelpedPool

_First = TypeVar("_First")
_Second = TypeVar("_Second")


def in_parallel(
    first: Callable[[], _First], second: Callable[[], _Second]
) -> tuple[_First, _Second]:
    """Return what both read, the second in a thread of its own; the first one's error wins."""
    with HelpedPool(1) as other:
        reading = other.submit(second)
        found = first()
        return found, reading.result()
