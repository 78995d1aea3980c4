"""One thread ends every call whose time is over, and no call goes on without it."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest

from chalicelib.kit.transport import deadline
from chalicelib.kit.transport.deadline import DeadlinePassed, Watch, WatchedCall
from tests.support.few_threads import FewThreads

_WITHIN_S = 240


class Pairs:
    """Connections of which the other end says nothing; `rests` once their watch waits."""

    def __init__(self, opened: ExitStack, rests: threading.Event) -> None:
        self._opened = opened
        self.rests = rests

    def one(self) -> socket.socket:
        """Return one more."""
        ours, theirs = socket.socketpair()
        for end in (ours, theirs):
            self._opened.enter_context(closing(end))
        return ours


class _Telling(threading.Condition):
    """Tells that somebody waits."""

    def __init__(self) -> None:
        super().__init__()
        self.rests = threading.Event()

    def wait(self, timeout: float | None = None) -> bool:
        self.rests.set()
        return super().wait(timeout)


@pytest.fixture
def pairs(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pairs]:
    watch, changed = Watch(), _Telling()
    watch._changed = changed
    monkeypatch.setattr(deadline, "_watch", watch)
    with ExitStack() as opened:
        yield Pairs(opened, changed.rests)


def _watching() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "deadlines"}


def test_each_of_many_calls_ends_at_its_own_time_by_one_thread(pairs: Pairs) -> None:
    before, connections = _watching(), [pairs.one() for _ in range(52)]
    many = [WatchedCall(2 * _WITHIN_S) for _ in connections[2:]]
    for call, connection in zip(many, connections[2:], strict=True):
        call.take(connection)
    assert pairs.rests.wait(_WITHIN_S)  # else the thread may find the next two by itself
    began = time.monotonic()
    sooner, later = WatchedCall(0.2), WatchedCall(0.6)
    sooner.take(connections[0])
    later.take(connections[1])
    for connection in connections[:2]:
        connection.settimeout(_WITHIN_S)  # else its own end may come before the thread's
    threads = _watching() - before

    connections[0].recv(1)
    sooner_s = time.monotonic() - began
    connections[1].recv(1)
    later_s = time.monotonic() - began
    for call in (*many, sooner, later):
        call.stop()

    assert len(threads) == 1
    assert 0.2 <= sooner_s
    assert 0.6 <= later_s


def test_a_call_that_is_over_in_time_keeps_its_connection(pairs: Pairs) -> None:
    call, connection = WatchedCall(0.1), pairs.one()
    call.take(connection)
    call.stop()
    connection.settimeout(0.3)

    with pytest.raises(TimeoutError):
        connection.recv(1)


def test_no_call_goes_on_unwatched(pairs: Pairs, monkeypatch: pytest.MonkeyPatch) -> None:
    system, call = FewThreads(monkeypatch), WatchedCall(0.3)

    with system.gives(0), pytest.raises(DeadlinePassed):
        call.take(pairs.one())
    call.stop()
    again = WatchedCall(_WITHIN_S)
    again.take(pairs.one())
    again.stop()

    assert not call.reached
    assert again.reached
