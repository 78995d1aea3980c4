"""Deadlines for whole calls, which also know whether they ever reached the platform.

The timeouts of requests limit each wait on the socket, not the call. Here, a thread shuts the
socket down at the deadline, whatever the call is doing. And since a connection notes that it was
made, "never sent" is certain and not concluded from exceptions. `guarded` and the connectors' calls
use it.
"""

import logging
import math
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from http import HTTPStatus
from http.client import HTTPResponse as FirstAnswer
from http.client import IncompleteRead
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
    """The call has used all its time."""


class WatchedCall:
    """One running call: whether it reached the platform, and when its time ends."""

    def __init__(self, seconds: float) -> None:
        self.reached = False
        self.ends_at = time.monotonic() + seconds
        self._socket: socket.socket | None = None
        self._guard = threading.Lock()

    def require_time(self) -> float:
        """Return the seconds left. Raises DeadlinePassed if there are none."""
        left = self.ends_at - time.monotonic()
        if left <= 0:
            raise DeadlinePassed
        return left

    def take(self, connection: socket.socket) -> None:
        """Note the call's socket, and that it reached the host. Raises DeadlinePassed."""
        while not _watch.watch(self):
            self.require_time()
            time.sleep(_THREAD_AGAIN_S)
        with self._guard:
            connection.settimeout(self.require_time())
            self._socket = connection
            self.reached = True

    def end(self) -> None:
        """Shut the socket down, since the time is over."""
        with self._guard:
            if self._socket is not None:
                with suppress(OSError):
                    # The plain socket's own: a TLS socket's would pull its state from under a read.
                    socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def stop(self) -> None:
        """Stop watching, so that the connection can go back to its pool."""
        _watch.leave(self)
        with self._guard:
            self._socket = None


class Watch:
    """Ends calls whose time is over, in one thread, which ends when no call is running.

    With a thread for each call, every call would wait until its thread has started.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._calls: dict[WatchedCall, None] = {}
        self._looks_at: float | None = None
        """When the thread checks next; None if there is no thread."""

    def watch(self, call: WatchedCall) -> bool:
        """Watch a call; return False if no thread could be started for it."""
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
        """Stop watching a call."""
        with self._changed:
            self._calls.pop(call, None)

    def _run(self) -> None:
        while over := self._wait():
            for call in over:
                call.end()

    def _wait(self) -> list[WatchedCall]:
        """Wait for calls whose time is over and return them; an empty list if no call is left."""
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
    """Give all calls that this thread makes in the block one deadline, in seconds from now."""
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
    """Connect first, which takes time, so that the check is right before the first byte."""
    if connection.sock is None:
        connection.connect()
    check_fence(method)


class FinalAnswer(FirstAnswer):
    """An answer behind every interim one (RFC 9110, 15.2), of which Python passes over 100 alone.

    It would take a 103 for the answer, and the answer for that to the connection's next call.
    """

    def begin(self) -> None:
        """Read heads up to the final answer's; a connection that changes its protocol ends."""
        super().begin()
        while self.status < HTTPStatus.OK and self.status != HTTPStatus.SWITCHING_PROTOCOLS:
            self.headers = self.msg = None  # type: ignore[assignment]  # as before the first head
            super().begin()
        self.will_close = self.will_close or self.status < HTTPStatus.OK

    def _safe_read(self, amt: int) -> bytes:
        """Read a chunk; a negative size would mean all that ever comes, or no answer at all."""
        if amt < 0:
            raise IncompleteRead(b"")
        read: bytes = super()._safe_read(amt)  # type: ignore[misc]  # it has that
        return read


class PlainConnection(HTTPConnection):
    """A connection that tells the running call when it is used."""

    response_class = FinalAnswer
    rests_since = (math.inf, math.inf)
    _unwritten: str | None = None

    def connect(self) -> None:
        """Connect, and tell the running call."""
        about_to_wait()
        super().connect()
        _take(self)

    def putrequest(self, method: str, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  # http.client's
        """Begin a request, over a new connection or one of the pool."""
        _take(self)
        self._unwritten = method
        super().putrequest(method, *args, **kwargs)

    def send(self, data: Any) -> None:  # noqa: ANN401  # http.client's
        """Write; the first bytes of a request only if the fence allows it. Raises FencedError."""
        if self._unwritten is not None:
            _look_at_the_fence(self, self._unwritten)
            self._unwritten = None
        super().send(data)

    def getresponse(self) -> HTTPResponse:  # type: ignore[override]  # as urllib3's
        """Wait for the answer."""
        about_to_wait()
        return super().getresponse()


class SecureConnection(PlainConnection, HTTPSConnection):
    """A TLS connection that tells the running call when it is used."""

    @property
    def is_connected(self) -> bool:
        """Tell whether the connection is still open.

        urllib3 takes a new connection for a closed one if TLS 1.3 session tickets wait unread on
        it; they are no sign of an end. What an answer had behind its end waits there deciphered.
        """
        if self.sock is None or (isinstance(self.sock, ssl.SSLSocket) and self.sock.pending()):
            return False
        if super().is_connected:
            return True
        self.sock.settimeout(0)
        try:
            self.sock.recv(1)
        except ssl.SSLWantReadError:
            return True
        except OSError:
            pass
        return False


class PlainPool(HTTPConnectionPool):
    """Connections to one host, each kept only as long as hardly any server would close it.

    A request sent while the server closes the connection cannot be told from a lost answer.
    """

    ConnectionCls = PlainConnection
    longest_rest_s: ClassVar[float] = 4.0
    """Some servers (Node's) close after five seconds."""

    @staticmethod
    def clocks() -> tuple[float, float]:
        """Return the monotonic time and the wall clock's, in seconds.

        While Lambda freezes a process between events, the first may stand still; the second may be
        set back. A connection that was idle too long by either is not used again.
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
        """Open one more connection for later, in place of the one that was idle longest."""
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
    """TLS connections to one host."""

    ConnectionCls = SecureConnection


class WatchedAdapter(HTTPAdapter):
    """An adapter of requests whose connections have deadlines and fences."""

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
        """Send a request; within `connect_only`, only open its connection and raise FencedError."""
        if is_only_connecting():
            self._connect_ahead(request, kwargs["verify"])
            check_fence(str(request.method))
        return super().send(request, *args, **kwargs)

    def _connect_ahead(self, request: requests.PreparedRequest, verify: Any) -> None:  # noqa: ANN401  # requests'
        pool: Any = self.get_connection_with_tls_context(request, verify)
        self.cert_verify(pool, request.url, verify, cert=None)  # type: ignore[no-untyped-call]
        pool.connect_ahead()


class AnySession(requests.Session):
    """A session that leaves redirects to its callers: none is read, and none is followed.

    The library reads a redirect's whole body and its address even where it is not to follow it.
    """

    def get_redirect_target(self, resp: requests.Response) -> None:
        """Find nowhere to go."""
        del resp


class _NoCookies(RequestsCookieJar):
    def set_cookie(self, *args: object, **kwargs: object) -> None:
        """Keep no cookies: those of one account must never be sent with another's call."""


def a_session(
    adapter: HTTPAdapter | None = None, kind: type[AnySession] = AnySession
) -> requests.Session:
    """Return a session with deadlines and fences that ignores the environment.

    A proxy or netrc entry from there could see or replace an account's token. Nothing is logged of
    addresses and answers: urllib3 would write whole ones, at DEBUG, and at WARNING for a head that
    it cannot read.
    """
    logging.getLogger("urllib3.connectionpool").setLevel(logging.INFO)
    logging.getLogger("urllib3.connection").setLevel(logging.ERROR)
    session = kind()
    session.trust_env = False
    session.cookies = _NoCookies()
    watched_adapter = adapter or WatchedAdapter()
    session.mount("https://", watched_adapter)
    session.mount("http://", watched_adapter)
    return session
