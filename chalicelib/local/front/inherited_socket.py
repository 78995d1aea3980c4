"""Runs Granian in a process of ours, on a socket that the parent process opened.

It is compiled code: it needs a fraction of the time per request that an HTTP server in Python
needs.
"""

from granian._granian import SocketHolder
from granian.constants import HTTPModes, Interfaces, TaskImpl
from granian.http import HTTP1Settings
from granian.server.embed import Server

from chalicelib.kit.asgi.exchange import AsgiApp

_BACKLOG = 512
_GRACE_S = 2
_AT_ONCE_BYTES = 64 * 1024
"""What is read from a fast client at once, and the most that unfinished headers may take."""

_HEADERS_WITHIN_MS = 10_000


class InheritedSocketServer(Server):
    """Serves an ASGI app on this process's event loop."""

    def __init__(self, app: AsgiApp, descriptor: int, connections: int = _BACKLOG) -> None:
        super().__init__(
            app,
            interface=Interfaces.ASGINL,
            task_impl=TaskImpl.asyncio,
            websockets=False,
            log_enabled=False,
            backlog=_BACKLOG,
            backpressure=connections,
            http=HTTPModes.http1,
            http1_settings=HTTP1Settings(
                max_buffer_size=_AT_ONCE_BYTES, header_read_timeout=_HEADERS_WITHIN_MS
            ),
        )
        self.workers_kill_timeout = _GRACE_S
        self._descriptor = descriptor

    def _init_shared_socket(self) -> None:
        # Granian hands sockets to its own workers in the same way: descriptor, is_uds, backlog.
        self._shd = SocketHolder(self._descriptor, False, _BACKLOG)  # type: ignore[call-arg,assignment]  # noqa: FBT003
        self._sfd = self._descriptor  # type: ignore[assignment]
