"""Fetching from hosts that a stranger chose; nothing else may call them.

    pages = GuardedFetch(trusted)
    page = pages.read("https://example.com/bread", most_bytes=1_000_000, seconds=10)
    with pages.stream(url, most_bytes=GIGABYTE, seconds=600) as file: file.pieces

It uses https only, and only public IP addresses. A name is looked up once, and the connection goes
to the address that was checked, so that the name cannot change in between. No redirect is followed:
a redirect is returned, and the caller fetches the next address through here as well. Only what the
caller passes is sent, and size and time are limited. Origins that the operator's own settings name
are exempt, such as a local stack's fakes on loopback.
"""

import socket
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from functools import partial
from typing import Any, cast

import requests
from urllib3 import HTTPSConnectionPool, Timeout
from urllib3.exceptions import ConnectTimeoutError, HTTPError, NameResolutionError
from urllib3.exceptions import NewConnectionError as NoConnectionError
from urllib3.util.connection import create_connection

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.transport.deadline import (
    AnySession,
    DeadlinePassed,
    SecureConnection,
    SecurePool,
    WatchedAdapter,
    WatchedCall,
    a_session,
    watch_deadline,
)
from chalicelib.kit.transport.failures import NotSentError, PlatformError, UnansweredError
from chalicelib.kit.transport.network_rules import (
    ForbiddenAddressError,
    is_public,
    require_allowed,
)

_MOST_ADDRESSES = 3
_CONNECT_S = 5.0
_PIECE = 65_536
_MOST_DIGITS = 18


def _look_up(host: str, port: int) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


@dataclass(frozen=True, slots=True)
class Network:
    """How names are looked up and addresses connected to; tests replace it."""

    look_up: Callable[[str, int], list[str]] = _look_up
    connect: Callable[..., socket.socket] = create_connection


class _GuardedConnection(SecureConnection):
    network = Network()

    def _new_conn(self) -> socket.socket:
        """Connect to one of the addresses that were checked."""
        refused: Exception | None = None
        for address in self._checked_addresses():
            try:
                return self.network.connect(
                    (address, self.port), self.timeout, socket_options=self.socket_options
                )
            except TimeoutError as error:
                refused = ConnectTimeoutError(self, type(error).__name__)
            except OSError as error:
                refused = NoConnectionError(self, type(error).__name__)
        raise refused or NoConnectionError(self, "no address")

    def _checked_addresses(self) -> list[str]:
        sys.audit("http.client.connect", self, self.host, self.port)
        try:
            found = self.network.look_up(self.host, self.port)
        except (OSError, UnicodeError) as error:
            raise NameResolutionError(self.host, self, socket.gaierror(str(error))) from error
        public = [address for address in dict.fromkeys(found) if is_public(address)]
        if not public:
            raise ForbiddenAddressError("The address is not on the public internet.")
        return public[:_MOST_ADDRESSES]


class _GuardedPool(SecurePool):
    ConnectionCls = _GuardedConnection

    def __init__(self, *args: Any, network: Network, **kwargs: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **kwargs)
        self._network = network

    def _new_conn(self) -> _GuardedConnection:
        connection = cast("_GuardedConnection", super()._new_conn())
        connection.network = self._network
        return connection


class _GuardedAdapter(WatchedAdapter):
    def __init__(self, network: Network) -> None:
        self._network = network
        super().__init__()

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  # requests'
        super().init_poolmanager(*args, **kwargs)
        pool = cast("type[HTTPSConnectionPool]", partial(_GuardedPool, network=self._network))
        self.poolmanager.pool_classes_by_scheme = {"https": pool}

    def send(
        self,
        request: requests.PreparedRequest,
        *args: Any,  # noqa: ANN401  # requests'
        **kwargs: Any,  # noqa: ANN401  # requests'
    ) -> requests.Response:
        require_allowed(str(request.url))
        return super().send(request, *args, **kwargs)


class _GuardedSession(AnySession):
    def prepare_request(self, request: requests.Request) -> requests.PreparedRequest:
        """Return the request with its URL as it is sent. Raises ForbiddenAddressError."""
        try:
            return super().prepare_request(request)
        except (requests.RequestException, HTTPError, ValueError):
            raise ForbiddenAddressError("The address cannot be read.") from None


def guarded_session(
    trusted: frozenset[str] = frozenset(), network: Network | None = None
) -> requests.Session:
    """Return a session that reaches public hosts over https, and the operator's own origins.

    It raises ForbiddenAddressError for every other address.
    """
    guard = _GuardedAdapter(network or Network())
    session = a_session(guard, _GuardedSession)
    session.mount("", guard)
    for origin in trusted:
        # With the slash: `http://127.0.0.1:90` must not let port 9001 pass.
        session.mount(f"{origin}/", WatchedAdapter())
    return session


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A host's answer with any status; header names ignore case."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """An answer whose body is read in pieces."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    pieces: Iterator[bytes] = field(repr=False)


class GuardedFetch:
    """Fetches addresses that strangers chose; threads may share it.

    Its methods raise ForbiddenAddressError for an address that is not allowed, NotSentError if the
    host cannot be reached, and UnansweredError if the answer is too long, too slow or breaks off.
    """

    def __init__(
        self,
        trusted: frozenset[str] = frozenset(),
        network: Network | None = None,
        *,
        user_agent: str | None = None,
    ) -> None:
        self._session = guarded_session(trusted, network)
        self._own = {"Accept-Encoding": "identity"}
        if user_agent is not None:
            self._own["User-Agent"] = user_agent

    def read(
        self, url: str, *, most_bytes: int, seconds: float, headers: Mapping[str, str] | None = None
    ) -> Page:
        """Return a whole answer of at most so many bytes, within so many seconds in all."""
        with self.stream(url, most_bytes=most_bytes, seconds=seconds, headers=headers) as answer:
            body = b"".join(answer.pieces)
            return Page(status=answer.status, headers=answer.headers, body=body)

    def hand_over(
        self, url: str, body: bytes, *, most_bytes: int, seconds: float, headers: Mapping[str, str]
    ) -> Page:
        """Send a body with POST and return the whole answer, as `read` does."""
        with watch_deadline(seconds) as watch:
            with _explain_failures(watch):
                answer = self._ask("POST", url, seconds, headers, body)
            with answer:
                told = b"".join(_pieces(answer, most_bytes, watch))
                return Page(status=answer.status_code, headers=answer.headers, body=told)

    @contextmanager
    def stream(
        self, url: str, *, most_bytes: int, seconds: float, headers: Mapping[str, str] | None = None
    ) -> Iterator[Stream]:
        """Open an answer to read in pieces, of at most so many bytes, within so many seconds."""
        with watch_deadline(seconds) as watch:
            with _explain_failures(watch):
                answer = self._ask("GET", url, seconds, headers or {})
            with answer:
                pieces = _pieces(answer, most_bytes, watch)
                yield Stream(status=answer.status_code, headers=answer.headers, pieces=pieces)

    def _ask(
        self,
        method: str,
        url: str,
        seconds: float,
        headers: Mapping[str, str],
        body: bytes | None = None,
    ) -> requests.Response:
        return self._session.request(
            method,
            url,
            data=body,
            headers={**self._own, **headers},
            timeout=Timeout(connect=min(_CONNECT_S, seconds), read=seconds),  # type: ignore[arg-type]  # taken
            allow_redirects=False,
            stream=True,
        )


@contextmanager
def _explain_failures(watch: WatchedCall) -> Iterator[None]:
    """Raise NotSentError or UnansweredError for a failure, without its text: it may have a URL."""
    try:
        yield
    except (requests.RequestException, HTTPError, OSError, DeadlinePassed) as error:
        raise _error_without_answer(watch, type(error).__name__) from None


def _error_without_answer(watch: WatchedCall, what: str) -> PlatformError:
    return UnansweredError(what) if watch.reached else NotSentError(what)


def _pieces(answer: requests.Response, most: int, watch: WatchedCall) -> Iterator[bytes]:
    """Yield the body. Raises UnansweredError beyond the limits, or if it breaks off."""
    if (said_length(answer.headers) or 0) > most:
        raise UnansweredError(f"The answer is longer than {most:,} bytes.")
    taken = 0
    with _explain_failures(watch):
        # As it arrives, not in full pieces, so that a reader notices a slow host.
        while piece := answer.raw.read1(_PIECE, decode_content=True):
            watch.require_time()
            taken += len(piece)
            if taken > most:
                raise UnansweredError(f"The answer is longer than {most:,} bytes.")
            yield piece
        watch.require_time()


def said_length(headers: Mapping[str, str]) -> int | None:
    """Return an answer's Content-Length, None if it is missing or not a number.

    RFC 9110 allows any number of digits, Python reads at most 4,300: huge ones are `sys.maxsize`.
    """
    text = headers.get("Content-Length", "")
    if not (text.isascii() and text.isdigit()):
        return None
    return int(text) if len(text) <= _MOST_DIGITS else sys.maxsize
