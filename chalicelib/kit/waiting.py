"""Who is about to wait says so, to whoever began it and wants to know.

A thread that computes keeps others from the processor; one that waits for a server or a disk does
not. What waits is far below what counts threads, so it says so through the context.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_Tell = Callable[[], None]
_WAITS: ContextVar[_Tell | None] = ContextVar("waits", default=None)
_WAITED: ContextVar[_Tell | None] = ContextVar("waited", default=None)


def about_to_wait() -> None:
    """Say that this thread is about to wait for something that needs no processor here."""
    _say(_WAITS.get())


def have_waited() -> None:
    """Say that the answer is there and computing goes on, for which there may be time."""
    _say(_WAITED.get())


def _say(tell: _Tell | None) -> None:
    if tell is not None:
        tell()


@contextmanager
def tell_of_waits(waits: _Tell, waited: _Tell | None = None) -> Iterator[None]:
    """Have `waits` called whenever this thread is about to wait in the block, then `waited`."""
    tokens = _WAITS.set(waits), _WAITED.set(waited)
    try:
        yield
    finally:
        _WAITS.reset(tokens[0])
        _WAITED.reset(tokens[1])
