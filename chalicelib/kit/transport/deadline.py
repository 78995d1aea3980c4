"""Calls that end when they must, and that know whether they ever reached the platform.

requests' time-outs bound each wait on the socket, not the call. Here a thread shuts the socket down
at the deadline, whatever the call is doing; and since the connection says when it was made, "never
sent" is a fact rather than a reading of exceptions. `http.py` is the only caller.
"""

import math
import socket
import ssl
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
from urllib3.response import HTTPResponse

from chalicelib.kit.transport.fence import check_fence, is_only_connecting
from chalicelib.kit.waiting import about_to_wait

_BLOCK = 131_072
_POOLED = 32
_AHEAD_WITHIN_S = 1.5
_THREAD_AGAIN_S = 0.1
"""How long it may take to connect ahead: it is over before the call is due."""


class DeadlinePassed(Exception):
    """The call has taken all the time there was."""


class WatchedCall:
    """One call under way: whether it got through to the platform, and the end of its time."""

    def __init__(self, seconds: float) -> None:
        self.reached = False
        self.ends_at = time.monotonic() + seconds
        self._socket: socket.socket | None = None
        self._guard = threading.Lock()

    def require_time(self) -> float:
        """Return the seconds left. Raises DeadlinePassed when there are none."""
        left = self.ends_at - time.monotonic()
        if left <= 0:
            raise DeadlinePassed
        return left

    def take(self, connection: socket.socket) -> None:
        """Note the connection over which the call goes. Raises DeadlinePassed."""
        while not _watch.watch(self):
            self.require_time()
            time.sleep(_THREAD_AGAIN_S)
        with self._guard:
            connection.settimeout(self.require_time())
            self._socket = connection
            self.reached = True

    def end(self) -> None:
        """Shut the connection down: the time is over."""
        with self._guard:
            if self._socket is not None:
                with suppress(OSError):
                    # The plain socket's own: a TLS socket's would pull its state from under a read.
                    socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def stop(self) -> None:
        """Forget the connection: it may go back to the pool."""
        _watch.leave(self)
        with self._guard:
            self._socket = None


class Watch:
    """Ends calls whose time is over, in one thread for all; it ends once none is under way.

    A thread for each would be begun right before the call, which waits until it runs.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._calls: dict[WatchedCall, None] = {}
        self._looks_at: float | None = None
        """When the thread looks next; None without one."""

    def watch(self, call: WatchedCall) -> bool:
        """Have a call's time watched; tell whether there is a thread that does."""
        with self._changed:
            self._calls[call] = None
            if self._looks_at is None:
                self._looks_at = call.ends_at
                try:
                    threading.Thread(target=self._run, name="deadlines", daemon=True).start()
                except RuntimeError:
                    self._looks_at = None
            elif call.ends_at < self._looks_at:
                self._looks_at = call.ends_at
                self._changed.notify()
            return self._looks_at is not None

    def leave(self, call: WatchedCall) -> None:
        """Watch a call no more."""
        with self._changed:
            self._calls.pop(call, None)

    def _run(self) -> None:
        while over := self._wait():
            for call in over:
                call.end()

    def _wait(self) -> list[WatchedCall]:
        """Return the calls whose time is over, once there are any; none when none is left."""
        with self._changed:
            while self._calls:
                now = time.monotonic()
                if over := [call for call in self._calls if call.ends_at <= now]:
                    for call in over:
                        del self._calls[call]
                    return over
                self._looks_at = min(call.ends_at for call in self._calls)
                self._changed.wait(self._looks_at - now)
            self._looks_at = None
            return []


_watch = Watch()
_CALL: ContextVar[WatchedCall | None] = ContextVar("call", default=None)


@contextmanager
def watch_deadline(seconds: float) -> Iterator[WatchedCall]:
    """Bound every connection that this thread uses in the block by one deadline."""
    call = WatchedCall(seconds)
    token = _CALL.set(call)
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

    rests_since = (math.inf, math.inf)
    _unwritten: str | None = None

    def connect(self) -> None:
        """Connect, and say so."""
        about_to_wait()
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

    def getresponse(self) -> HTTPResponse:  # type: ignore[override]  # as urllib3's
        """Wait for the answer."""
        about_to_wait()
        return super().getresponse()


class SecureConnection(PlainConnection, HTTPSConnection):
    """A connection over TLS that the call under way is told of."""

    @property
    def is_connected(self) -> bool:
        """Tell whether nothing has ended it; what TLS sends by itself after a handshake is no end.

        urllib3 takes a new connection on which TLS 1.3's tickets wait unread for one that is over.
        """
        if self.sock is None or super().is_connected:
            return self.sock is not None
        self.sock.settimeout(0)
        try:
            self.sock.recv(1)
        except ssl.SSLWantReadError:
            return True
        except OSError:
            pass
        return False


class PlainPool(HTTPConnectionPool):
    """Connections to one host, each kept for as long as no server is likely to close it.

    A request that crosses such an end is lost in a way that nobody can tell from a lost answer.
    """

    ConnectionCls = PlainConnection
    longest_rest_s: ClassVar[float] = 4.0
    """Some servers (Node's) close after five seconds."""

    @staticmethod
    def clocks() -> tuple[float, float]:
        """Return the time that this process saw pass, and that of the world.

        Lambda freezes a process between two events: the first may stand still while the server
        waits on. The second may be set back. What rested too long by either is not used again.
        """
        return time.monotonic(), time.time()

    def _get_conn(self, timeout: float | None = None) -> Any:  # noqa: ANN401  # urllib3's
        connection: Any = super()._get_conn(timeout)
        if self._has_slept(connection):
            connection.close()
        return connection

    def _has_slept(self, connection: Any) -> bool:  # noqa: ANN401  # urllib3's
        pairs = zip(self.clocks(), connection.rests_since, strict=True)
        return any(now - since > self.longest_rest_s for now, since in pairs)

    def _is_open(self, connection: Any) -> bool:  # noqa: ANN401  # urllib3's
        if connection is None or connection.sock is None:
            return False
        return not self._has_slept(connection)

    def connect_ahead(self) -> None:
        """Have one more connection wait, in the place of the one that waited longest."""
        waiting: Any = self.pool
        if all(self._is_open(one) for one in tuple(waiting.queue)):
            return
        connection: Any = self._new_conn()
        connection.timeout = _AHEAD_WITHIN_S
        connection.connect()
        connection.rests_since = self.clocks()
        with waiting.mutex:
            replaced = waiting.queue.pop(0) if waiting.queue else None
            waiting.queue.append(connection)
        if replaced is not None:
            replaced.close()

    def _put_conn(self, conn: Any) -> None:  # noqa: ANN401  # urllib3's
        if conn is not None:
            conn.rests_since = self.clocks()
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

    def send(
        self,
        request: requests.PreparedRequest,
        *args: Any,  # noqa: ANN401  # requests'
        **kwargs: Any,  # noqa: ANN401  # requests'
    ) -> requests.Response:
        """Send a request, or open the connection that it would take. Raises FencedError then."""
        if is_only_connecting():
            self._connect_ahead(request, kwargs["verify"])
            check_fence(str(request.method))
        return super().send(request, *args, **kwargs)

    def _connect_ahead(self, request: requests.PreparedRequest, verify: Any) -> None:  # noqa: ANN401  # requests'
        pool: Any = self.get_connection_with_tls_context(request, verify)
        self.cert_verify(pool, request.url, verify, cert=None)  # type: ignore[no-untyped-call]
        pool.connect_ahead()


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
