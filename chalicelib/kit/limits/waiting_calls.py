"""Calls that wait for a place take turns: by server, and by owner at each server.

A server that may not be called now is skipped at once, however many calls wait for it. Otherwise
the rule of `bulkhead.py` refuses only a few owners, who have a good part of the places already. One
such owner may wait for very many servers: so if fewer owners than servers have waiting calls, the
owners take turns, and each of them at its servers.

Of a few servers whose turn it is, the one with the fewest running calls is next. Those that answer
nothing keep their places, so a place that becomes free goes to those that answer.
"""

from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextvars import Context, copy_context
from dataclasses import field
from functools import partial
from itertools import islice
from typing import TypeVar

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.limits.bulkhead import Bulkhead

_T = TypeVar("_T")
_FEW = 16
"""More platforms than there are: all that wait are compared, unless each has servers of its own."""
_Turns = OrderedDict[str, OrderedDict[str, None]]
"""Those whose turn it is, the next one first, each with those that it is a turn with."""
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
        self._servers: _Turns = OrderedDict()
        """The servers that are waited for, and by whom."""
        self._owners: _Turns = OrderedDict()
        """Who waits, and for which servers."""

    def __bool__(self) -> bool:
        return bool(self._servers)

    def add(self, call: Call) -> None:
        """Let a call wait after those of its owner to its server."""
        self._waiting(call).append(call)

    def put_back(self, call: Call) -> None:
        """Let a call wait before those of its owner to its server."""
        waiting = self._waiting(call)
        if not waiting:
            self._servers[call.server].move_to_end(call.owner, last=False)
        waiting.appendleft(call)

    def _waiting(self, call: Call) -> deque[Call]:
        """Return the calls of an owner that wait for a server, in a turn of their own."""
        turn = (call.server, call.owner)
        if turn not in self._calls:
            self._calls[turn] = deque()
            self._servers.setdefault(call.server, OrderedDict())[call.owner] = None
            self._owners.setdefault(call.owner, OrderedDict())[call.server] = None
        return self._calls[turn]

    def take_next(self, bounds: Bulkhead) -> Call | None:
        """Return the next call that may begin, which waits no more."""
        if bounds.free < 1:
            return None  # however many are waited for
        if len(self._owners) < len(self._servers):
            return self._of_an_owner(bounds)
        for server in _least_busy_first(self._servers, bounds.running_at):
            owner = self._owner_at(server, bounds)
            if owner is not None:
                return self._take(server, owner)
        return None

    def _of_an_owner(self, bounds: Bulkhead) -> Call | None:
        """Return the next call of the next owner who may begin one."""
        for owner in _in_turn(self._owners):
            server = self._server_for(owner, bounds)
            if server is not None:
                return self._take(server, owner)
        return None

    def has_quick_ones(self, bounds: Bulkhead) -> bool:
        """Tell whether anybody waits for a server that is not slow."""
        return any(not bounds.is_slow(server) for server in self._servers)

    def _owner_at(self, server: str, bounds: Bulkhead) -> str | None:
        """Return who may begin a call to a server, if it takes any."""
        if not bounds.takes_any(server):
            return None
        owners = _in_turn(self._servers[server])
        return next((owner for owner in owners if bounds.takes(owner, server)), None)

    def _server_for(self, owner: str, bounds: Bulkhead) -> str | None:
        """Return where an owner may begin a call; who has too much can at slow servers at most."""
        waited_for, running = self._owners[owner], partial(bounds.running_at, owner=owner)
        servers: Iterable[str] = _least_busy_first(waited_for, running)
        if not bounds.takes_quick(owner):
            slow = (server for server in bounds.slow_servers if server in waited_for)
            servers = sorted(slow, key=running)
        return next((server for server in servers if bounds.takes(owner, server)), None)

    def _take(self, server: str, owner: str) -> Call:
        calls = self._calls[server, owner]
        call = calls.popleft()
        if not calls:
            del self._calls[server, owner]
            _leave(self._servers, server, owner)
            _leave(self._owners, owner, server)
        return call


def _in_turn(line: "OrderedDict[str, _T]") -> Iterator[str]:
    """Yield each of a line once, which goes to its end."""
    for _ in range(len(line)):
        one = next(iter(line))
        line.move_to_end(one)
        yield one


def _least_busy_first(line: "OrderedDict[str, _T]", running: Callable[[str], int]) -> Iterator[str]:
    """Yield each of a line once, which goes to its end; of the next few, the least busy first."""
    left = len(line)
    while left > 0:
        few = sorted(islice(line, min(_FEW, left)), key=running)
        for one in few:
            line.move_to_end(one)
            yield one
        left -= len(few)


def _leave(turns: _Turns, one: str, other: str) -> None:
    del turns[one][other]
    if not turns[one]:
        del turns[one]
