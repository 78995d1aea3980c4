"""The limit of requests that wait for other servers at once: in all, and for each workspace.

Some requests call a platform, a private Bluesky server or a stranger's page, and that server
decides how long they take. Each takes a place of this limit, so that the other requests always find
a thread. Without a free place a request is refused at once (`Busy`, 503): waiting for one would
hold a thread as well.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from chalicelib.domain.errors import Busy
from chalicelib.kit.limits.bulkhead import Bulkhead

IN_ALL: Final = 8
"""A quarter of the threads that answer requests (`api/doors/front.py`)."""
OF_A_WORKSPACE: Final = 2
"""A quarter of these, so that only four waiting workspaces together use them up."""


class CallsOut:
    """Counts the requests of this process that wait for other servers; safe between threads."""

    def __init__(self) -> None:
        self._bulkhead = Bulkhead(IN_ALL, each=OF_A_WORKSPACE)

    @contextmanager
    def place(self, workspace_id: str) -> Iterator[None]:
        """Take a place for as long as the block runs. Raises Busy when there is none."""
        with self._bulkhead.enter(workspace_id) as has_place:
            if not has_place:
                raise Busy("Too many requests wait for other servers. Try again in a few seconds.")
            yield
