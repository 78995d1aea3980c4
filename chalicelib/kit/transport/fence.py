"""The last look at the time before a visible request is written, and what it let through.

A caller opens a fence around an irreversible call; it is asked before the first byte of every
request (`deadline.py`), and by whatever else takes the place of one. A process that stood still
since the doubt was saved sends nothing: by then another may have settled it and sent. What is left
between this look and the kernel's write are a few instructions.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from chalicelib.kit.transport.failures import FencedError

_CHANGES_NOTHING = frozenset({"GET", "HEAD", "OPTIONS"})


class Fence:
    """Decides over the requests of one irreversible step."""

    def __init__(self, may_send: Callable[[], bool]) -> None:
        self._may_send = may_send
        self.only_connects = False
        self.has_sent = False
        self.has_stopped = False

    def check(self, method: str) -> None:
        """Let a request go or raise FencedError."""
        if not self._may_send():
            self.has_stopped = True
            raise FencedError("The time for this call has passed.")
        self.has_sent = self.has_sent or method not in _CHANGES_NOTHING


_FENCE: ContextVar[Fence | None] = ContextVar("fence", default=None)


@contextmanager
def fence_requests(may_send: Callable[[], bool]) -> Iterator[Fence]:
    """Ask `may_send` before every request that this thread writes in the block."""
    fence = Fence(may_send)
    token = _FENCE.set(fence)
    try:
        yield fence
    finally:
        _FENCE.reset(token)


@contextmanager
def connect_only() -> Iterator[None]:
    """Let this thread's requests open a connection and go no further: they raise FencedError."""
    with fence_requests(lambda: False) as fence:
        fence.only_connects = True
        yield


def is_only_connecting() -> bool:
    """Tell whether this thread's requests are to open their connections and nothing more."""
    fence = _FENCE.get()
    return fence is not None and fence.only_connects


@contextmanager
def without_fence() -> Iterator[None]:
    """Let requests go that are no part of the step, such as the renewal of a sign-in."""
    token = _FENCE.set(None)
    try:
        yield
    finally:
        _FENCE.reset(token)


def check_fence(method: str = "POST") -> None:
    """Ask the fence of this thread, if there is one. Raises FencedError."""
    fence = _FENCE.get()
    if fence is not None:
        fence.check(method)
