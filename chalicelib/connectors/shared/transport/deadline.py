"""Calls that end when they must, and that know whether they ever reached the platform.

requests' time-outs bound each wait on the socket, not the call. Here a timer shuts the socket down
at the deadline, whatever the call is doing; and since the connection says when it was made, "never
sent" is a fact rather than a reading of exceptions. `http.py` is the only caller.
"""

import math
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, ClassVar

import requests
from requests.adapters import HTTPAdapter
from requests.cookies import RequestsCookieJar
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection

from chalicelib.connectors.shared.transport.fence import check_fence

_BLOCK = 131_072
_POOLED = 32


class DeadlinePassed(Exception):
    """The call has taken all the time there was."""


class WatchedCall:
    """One call under way: whether it got through to the platform, and the end of its time."""

    def __init__(self, seconds: float) -> None:
        self.reached = False
        self._ends_at = time.monotonic() + seconds
        self._socket: socket.socket | None = None
        self._guard = threading.Lock()
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def require_time(self) -> float:
        """Return the seconds left. Raises DeadlinePassed when there are none."""
        left = self._ends_at - time.monotonic()
        if left <= 0:
            raise DeadlinePassed
        return left

    def take(self, connection: socket.socket) -> None:
        """Note the connection over which the call goes. Raises DeadlinePassed."""
        with self._guard:
            connection.settimeout(self.require_time())
            self._socket = connection
            self.reached = True

    def _end(self) -> None:
        with self._guard:
            if self._socket is not None:
                with suppress(OSError):
                    # The plain socket's own: a TLS socket's would pull its state from under a read.
                    socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def start(self) -> None:
        """Let the time run."""
        self._timer.start()

    def stop(self) -> None:
        """Forget the connection: it may go back to the pool."""
        self._timer.cancel()
        with self._guard:
            self._socket = None


_CALL: ContextVar[WatchedCall | None] = ContextVar("call", default=None)


@contextmanager
def watch_deadline(seconds: float) -> Iterator[WatchedCall]:
    """Bound every connection that this thread uses in the block by one deadline."""
    call = WatchedCall(seconds)
    token = _CALL.set(call)
    call.start()
    try:
        yield call
    finally:
        call.stop()
        _CALL.reset(token)


def _take(connection: HTTPConnection) -> None:
    call = _CALL.get()
    if call is not None and connection.sock is not None:
        call.take(connection.sock)


def _look_at_the_fence(connection: HTTPConnection, method: str) -> None:
    """Connect first, as that takes time; the look comes right before the first byte."""
    if connection.sock is None:
        connection.connect()
    check_fence(method)


class PlainConnection(HTTPConnection):
    """A connection that the call under way is told of."""

    rests_since = math.inf
    _unwritten: str | None = None

    def connect(self) -> None:
        """Connect, and say so."""
        super().connect()
        _take(self)

    def putrequest(self, method: str, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  # http.client's
        """Begin a request, over a new connection or one that was kept."""
        _take(self)
        self._unwritten = method
        super().putrequest(method, *args, **kwargs)

    def send(self, data: Any) -> None:  # noqa: ANN401  # http.client's
        """Write; the first bytes of a request only if the fence lets them go."""
        if self._unwritten is not None:
            _look_at_the_fence(self, self._unwritten)
            self._unwritten = None
        super().send(data)


class SecureConnection(PlainConnection, HTTPSConnection):
    """A connection over TLS that the call under way is told of."""


class PlainPool(HTTPConnectionPool):
    """Connections to one host, each kept for as long as no server is likely to close it.

    A request that crosses such an end is lost in a way that nobody can tell from a lost answer.
    """

    ConnectionCls = PlainConnection
    longest_rest_s: ClassVar[float] = 4.0
    """Some servers (Node's) close after five seconds."""

    def _get_conn(self, timeout: float | None = None) -> Any:  # noqa: ANN401  # urllib3's
        connection: Any = super()._get_conn(timeout)
        if time.monotonic() - connection.rests_since > self.longest_rest_s:
            connection.close()
        return connection

    def _put_conn(self, conn: Any) -> None:  # noqa: ANN401  # urllib3's
        if conn is not None:
            conn.rests_since = time.monotonic()
        super()._put_conn(conn)


class SecurePool(PlainPool, HTTPSConnectionPool):
    """Connections to one host over TLS."""

    ConnectionCls = SecureConnection


class WatchedAdapter(HTTPAdapter):
    """What makes requests' connections watched ones."""

    def __init__(self) -> None:
        super().__init__(pool_connections=_POOLED, pool_maxsize=_POOLED)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  # requests'
        """Pool watched connections."""
        super().init_poolmanager(*args, blocksize=_BLOCK, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": PlainPool, "https": SecurePool}


class _NoCookies(RequestsCookieJar):
    def set_cookie(self, *args: object, **kwargs: object) -> None:
        """Keep none: one account's session must never reach another's call."""


def a_session(
    adapter: HTTPAdapter | None = None, kind: type[requests.Session] = requests.Session
) -> requests.Session:
    """Return a session whose connections can be watched; it takes nothing from the environment.

    A proxy or a netrc entry would see or replace an account's token.
    """
    session = kind()
    session.trust_env = False
    session.cookies = _NoCookies()
    watched_adapter = adapter or WatchedAdapter()
    session.mount("https://", watched_adapter)
    session.mount("http://", watched_adapter)
    return session
