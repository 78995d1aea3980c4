"""Who is about to wait says so, to whoever began it and wants to know.

A thread that computes keeps others from the processor; one that waits for a server or a disk does
not. What waits is far below what counts threads, so it says so through the context.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_TELL: ContextVar[Callable[[], None] | None] = ContextVar("tell", default=None)


def about_to_wait() -> None:
    """Say that this thread is about to wait for something that needs no processor here."""
    tell = _TELL.get()
    if tell is not None:
        tell()


@contextmanager
def told_of_waits(tell: Callable[[], None]) -> Iterator[None]:
    """Have `tell` called whenever this thread is about to wait in the block."""
    token = _TELL.set(tell)
    try:
        yield
    finally:
        _TELL.reset(token)
