"""What a test or a fixture opens is closed when that very test or fixture ends.

    sandbox = closed_at_end(SandboxHere(folder))

So a builder deep below a fixture need not hand back what is to be closed. `tests/conftest.py` says
which test or fixture it is that opens something; outside of both it is closed with the process.
"""

import atexit
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Protocol, TypeVar


class Closes(Protocol):
    """Anything that is closed."""

    def close(self) -> None:
        """Let it go."""


T = TypeVar("T", bound=Closes)
_ENDS = [ExitStack()]
"""What is closed at the end of each test or fixture that has begun, the innermost last."""
atexit.register(_ENDS[0].close)


def closed_at_end(opened: T) -> T:
    """Return what was opened, to be closed at the end of the test or fixture that asked for it."""
    _ENDS[-1].callback(opened.close)
    return opened


@contextmanager
def opening(end: ExitStack) -> Iterator[None]:
    """Have `end` close what is opened meanwhile."""
    _ENDS.append(end)
    try:
        yield
    finally:
        _ENDS.remove(end)
