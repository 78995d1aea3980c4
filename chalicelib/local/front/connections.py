"""Keeps idle connections from taking the places of connections with requests.

The server below accepts a fixed number of connections, whatever their addresses. This app counts
the requests under way by address, and checks the open sockets of this process now and then. It
closes idle connections, and those whose answer nobody reads: after too long a time, when one
address has too many, and, the oldest first, when few places are left.

A trusted proxy has as many connections as it likes; requests that come through it are counted by
the address that it names. On loopback, where all clients have one address, only the number of
places counts.
"""

import asyncio
import logging
import os
import resource
import socket
import stat
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from ipaddress import IPv6Address, ip_address, ip_network
from pathlib import Path
from typing import Final

from chalicelib.kit.asgi.exchange import AsgiApp, Receive, Scope, Send
from chalicelib.local.front.busy import answer_busy
from chalicelib.local.front.proxies import Network, plain_address, trusts

MOST = 4_096
OF_AN_ADDRESS = 256
_OTHER_FILES = 512
_LONGEST_IDLE_S = 60.0
_INTERNET = (socket.AF_INET, socket.AF_INET6)
_LOOK_EVERY_S = 5.0
_LOOK_OFTEN_S = 0.5
_TOO_MANY: Final = "Too many requests of one address at once."

Peer = tuple[str, int]

log = logging.getLogger(__name__)


def room() -> int:
    """Return how many connections this process may have, after raising its limit to the most."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + _OTHER_FILES
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(128, min(MOST, soft - _OTHER_FILES))


class Connections:
    """An ASGI app that passes requests on, and closes connections that keep others out."""

    def __init__(
        self,
        inner: AsgiApp,
        port: int,
        trusted: tuple[Network, ...],
        *,
        most: int = MOST,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._inner = inner
        self._port = port
        self._trusted = trusted
        self._most = most
        self._seconds = seconds
        self._asking: Counter[Peer] = Counter()
        self._of_address: Counter[str] = Counter()
        self._idle_since: dict[Peer, float] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on, unless its address has too many under way."""
        client = scope.get("client")
        if not isinstance(client, tuple | list) or not client:
            await self._inner(scope, receive, send)
            return
        peer = (_plain(str(client[0])), int(client[1] or 0))
        address = self._address_counted(peer[0], scope)
        if self._of_address[address] >= OF_AN_ADDRESS and address:
            await answer_busy(send, _TOO_MANY)
            return
        self._asking[peer] += 1
        self._of_address[address] += 1
        try:
            await self._inner(scope, receive, send)
        finally:
            _less(self._asking, peer)
            _less(self._of_address, address)
            self._idle_since.pop(peer, None)

    async def watch(self) -> None:
        """Close connections that keep others out, until cancelled."""
        while True:
            wait_s = _LOOK_EVERY_S
            try:
                if await asyncio.to_thread(self.look) > self._most // 2:
                    wait_s = _LOOK_OFTEN_S
            except Exception:  # requests are answered without it, too
                log.exception("unexpected failure", extra={"action": "connections.look"})
            await asyncio.sleep(wait_s)

    def look(self) -> int:
        """Check all connections once; return how many there are."""
        now, found = self._seconds(), dict(self._connections())
        idle = {peer: self._idle_since.get(peer, now) for peer in found if not self._asking[peer]}
        self._idle_since = idle
        oldest_first = sorted(idle, key=lambda peer: idle[peer])
        addresses = Counter(_network(host) for host, _ in found)
        left = len(found)
        for peer in oldest_first:
            network = _network(peer[0])
            is_many = addresses[network] > OF_AN_ADDRESS and not trusts(self._trusted, peer[0])
            is_long = now - idle[peer] > _LONGEST_IDLE_S
            is_tight = left > self._most * 3 // 4
            if (is_long or is_many or is_tight) and not self._asking[peer]:
                _end_connection(found[peer], peer)
                addresses[network] -= 1
                left -= 1
        return len(found)

    def _address_counted(self, host: str, scope: Scope) -> str:
        """Return which address a request counts for; nothing for a machine's own programs."""
        if not trusts(self._trusted, host):
            return _network(host)
        headers = scope.get("headers")
        pairs = headers if isinstance(headers, list) else []
        said = [value for name, value in pairs if name == b"x-forwarded-for"]
        last = said[-1].decode("latin-1").rpartition(",")[2].strip() if said else ""
        return _network(last) if last else ""

    def _connections(self) -> Iterator[tuple[Peer, int]]:
        """Yield the other end and the descriptor of every connection to this server."""
        for entry in Path("/dev/fd").iterdir():
            with suppress(OSError, ValueError):
                descriptor = int(entry.name)
                if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                    with socket.socket(fileno=os.dup(descriptor)) as copy:
                        if copy.family in _INTERNET and copy.getsockname()[1] == self._port:
                            host, port, *_ = copy.getpeername()
                            yield (_plain(host), port), descriptor


def _end_connection(descriptor: int, peer: Peer) -> None:
    """End a connection, if the descriptor is still its own: a copy is checked and ended."""
    with suppress(OSError, ValueError), socket.socket(fileno=os.dup(descriptor)) as copy:
        host, port, *_ = copy.getpeername()
        if (_plain(host), port) == peer:
            copy.shutdown(socket.SHUT_RDWR)


def _less(counter: Counter[str] | Counter[Peer], key: str | Peer) -> None:
    counted: Counter[str | Peer] = counter  # type: ignore[assignment]
    counted[key] -= 1
    if not counted[key]:
        del counted[key]


def _plain(host: str) -> str:
    """Return an address as it is counted, whatever form the other end's has."""
    address = plain_address(host)
    return host if address is None else str(address)


def _network(host: str) -> str:
    """Return the addresses that one person has: one of IPv4, or 2^64 of IPv6."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    is_six = isinstance(address, IPv6Address)
    return str(ip_network((address, 64), strict=False)) if is_six else host
