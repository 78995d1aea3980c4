"""The fence: the last check, right before a request's first byte, whether it may still be sent.

A caller opens one around an irreversible step. `deadline` asks it before the first byte of every
request, as does whatever stands in for a request. A process that was frozen after it saved the
doubt then sends nothing: by now, another process may have settled the doubt and made the call. Only
a few instructions lie between this check and the kernel's write.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from chalicelib.kit.transport.failures import FencedError

_CHANGES_NOTHING = frozenset({"GET", "HEAD", "OPTIONS"})


class Fence:
    """Allows or stops the requests of one irreversible step, and notes which it did."""

    def __init__(self, may_send: Callable[[], bool]) -> None:
        self._may_send = may_send
        self.only_connects = False
        self.has_sent = False
        self.has_stopped = False

    def check(self, method: str) -> None:
        """Note that a request is sent. Raises FencedError if it must not be."""
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
    """Let this thread's requests only open a connection; they then raise FencedError."""
    with fence_requests(lambda: False) as fence:
        fence.only_connects = True
        yield


def is_only_connecting() -> bool:
    """Tell whether this thread's requests are only to open their connections."""
    fence = _FENCE.get()
    return fence is not None and fence.only_connects


@contextmanager
def without_fence() -> Iterator[None]:
    """Allow requests that are not part of the step, such as renewing a sign-in."""
    token = _FENCE.set(None)
    try:
        yield
    finally:
        _FENCE.reset(token)


def check_fence(method: str = "POST") -> None:
    """Check this thread's fence, if there is one. Raises FencedError."""
    fence = _FENCE.get()
    if fence is not None:
        fence.check(method)
