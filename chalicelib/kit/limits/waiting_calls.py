"""Calls that wait for a place, in turns: servers one after the other, and owners at each of them.

A server that takes nobody is passed at once, however many wait for it. Where it does take some, the
rule of `bulkhead.py` can refuse a few owners only: each has a good part of the places already. If
nobody else waits, no server is asked, however many they wait for.
"""

from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import Context, copy_context
from dataclasses import field

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.limits.bulkhead import Bulkhead

Work = Callable[[], "Rest | None"]
"""A call; returns what is left to do after it."""
Rest = Callable[[], Work | None]
"""What keeps a call's outcome; returns the calls that follow."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call for an owner to a server; `done` tells the end of it and of its rest."""

    owner: str
    server: str
    work: Work
    # Looked up when it is made: the simulation has futures of its own.
    done: "Future[None]" = field(default_factory=lambda: Future())  # noqa: PLW0108
    context: Context = field(default_factory=copy_context, compare=False)
    """Of whoever brought it; each thread that makes a part of it has a copy of its own."""


class WaitingCalls:
    """Says whose call is next; its user holds the lock of the bounds."""

    def __init__(self) -> None:
        self._calls: dict[tuple[str, str], deque[Call]] = {}
        self._owners: dict[str, deque[str]] = {}
        """Whose turn it is next, at each server that is waited for."""
        self._servers: deque[str] = deque()
        self._waits: Counter[str] = Counter()
        """For how many servers each owner waits."""

    def __bool__(self) -> bool:
        return bool(self._servers)

    def add(self, call: Call) -> None:
        """Let a call wait after those of its owner to its server."""
        turn = (call.server, call.owner)
        if turn not in self._calls:
            self._wait_for(call.server).append(call.owner)
            self._calls[turn] = deque()
            self._waits[call.owner] += 1
        self._calls[turn].append(call)

    def put_back(self, call: Call) -> None:
        """Let a call wait before those of its owner to its server."""
        turn = (call.server, call.owner)
        if turn not in self._calls:
            self._wait_for(call.server).appendleft(call.owner)
            self._calls[turn] = deque()
            self._waits[call.owner] += 1
        self._calls[turn].appendleft(call)

    def take_next(self, bounds: Bulkhead) -> Call | None:
        """Return the next call that may begin, which waits no more."""
        if bounds.free < 1 or self._nobody_may(bounds):
            return None  # however many servers are waited for
        for _ in range(len(self._servers)):
            server = self._servers[0]
            call = self._next_to(server, bounds)
            self._servers.popleft()
            if self._owners[server]:
                self._servers.append(server)
            else:
                del self._owners[server]
            if call is not None:
                return call
        return None

    def _nobody_may(self, bounds: Bulkhead) -> bool:
        """Tell whether all who wait have too much already, where asking them is the shorter way."""
        if len(self._waits) >= len(self._servers):
            return False
        return not any(self._may(owner, bounds) for owner in self._waits)

    def _may(self, owner: str, bounds: Bulkhead) -> bool:
        """Tell whether an owner may begin a call at any server that takes one."""
        if bounds.takes_quick(owner):
            return True
        return any((server, owner) in self._calls for server in bounds.slow_servers)

    def has_quick_ones(self, bounds: Bulkhead) -> bool:
        """Tell whether anybody waits for a server that is not slow."""
        return any(not bounds.is_slow(server) for server in self._servers)

    def _wait_for(self, server: str) -> deque[str]:
        if server not in self._owners:
            self._owners[server] = deque()
            self._servers.append(server)
        return self._owners[server]

    def _next_to(self, server: str, bounds: Bulkhead) -> Call | None:
        if not bounds.takes_any(server):
            return None
        owners = self._owners[server]
        for _ in range(len(owners)):
            owner = owners.popleft()
            if not bounds.takes(owner, server):
                owners.append(owner)
                continue
            calls = self._calls[server, owner]
            call = calls.popleft()
            if calls:
                owners.append(owner)
            else:
                del self._calls[server, owner]
                self._waits[owner] -= 1
                if not self._waits[owner]:
                    del self._waits[owner]
            return call
        return None
