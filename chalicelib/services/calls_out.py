"""How many requests may wait for other people's servers at once, and how many of one workspace.

Signing in at a Bluesky server of somebody's own, reading strangers' pages, asking platforms: who
owns the other end says how long it takes. Services take a place for it, so that requests which ask
nobody always find a thread. There is no line to wait in: who waits holds a thread, too.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from chalicelib.domain.errors import Busy
from chalicelib.kit.limits.bulkhead import Bulkhead

IN_ALL: Final = 8
OF_A_WORKSPACE: Final = 2


class CallsOut:
    """Counts the requests of this process that wait for others; safe to share between threads."""

    def __init__(self, in_all: int = IN_ALL, each: int = OF_A_WORKSPACE) -> None:
        self._bulkhead = Bulkhead(in_all, each=each)

    @contextmanager
    def place(self, workspace_id: str) -> Iterator[None]:
        """Take a place for as long as the block runs. Raises Busy when there is none."""
        with self._bulkhead.enter(workspace_id) as has_place:
            if not has_place:
                raise Busy("Too many requests wait for other servers. Try again in a few seconds.")
            yield
