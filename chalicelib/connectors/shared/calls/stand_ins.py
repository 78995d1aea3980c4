"""Answers in place of a platform's, so that a connector's own steps can be made without it.

`answer_calls` gives every call of this thread, in a block, to a function instead of the network:
the sandbox asks a connector what it would send, and gives it answers. Nothing is sent meanwhile.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from chalicelib.connectors.shared.calls.exchanges import Exchange
from chalicelib.kit.transport.responses import PlatformResponse

StandIn = Callable[[Exchange], PlatformResponse]
_STAND_IN: ContextVar[StandIn | None] = ContextVar("stand_in", default=None)


@contextmanager
def answer_calls(stand_in: StandIn) -> Iterator[None]:
    """Let a function answer every call that this thread makes in the block."""
    token = _STAND_IN.set(stand_in)
    try:
        yield
    finally:
        _STAND_IN.reset(token)


def stand_in() -> StandIn | None:
    """Return the function that answers this thread's calls, usually None."""
    return _STAND_IN.get()
