"""The rule of the places: free while nobody waits, and a place for whoever comes next."""

import random
import sys
from collections import Counter
from collections.abc import Callable

import pytest

from chalicelib.kit.limits.bulkhead import SLOW_AFTER_S, Bulkhead, Running, Taken, may_begin
from chalicelib.kit.limits.waiting_calls import Call, WaitingCalls

QUICK, SLOW = False, True


@pytest.mark.parametrize(
    ("taken", "may"),
    [
        (Taken(free=1, own=0, at_server=0, slow=0, is_slow=QUICK), True),
        (Taken(free=0, own=0, at_server=0, slow=0, is_slow=QUICK), False),
        (Taken(free=1, own=1, at_server=1, slow=0, is_slow=QUICK), False),
        (Taken(free=2, own=4, at_server=4, slow=0, is_slow=QUICK), True),
        (Taken(free=2, own=5, at_server=5, slow=0, is_slow=QUICK), False),
        (Taken(free=2, own=0, at_server=16, slow=0, is_slow=QUICK), True),
        (Taken(free=2, own=0, at_server=17, slow=0, is_slow=QUICK), False),
        (Taken(free=2, own=0, at_server=0, slow=99, is_slow=QUICK), True),
        (Taken(free=1, own=0, at_server=0, slow=0, is_slow=SLOW), True),
        (Taken(free=2, own=1, at_server=1, slow=1, is_slow=SLOW), True),
        (Taken(free=2, own=2, at_server=2, slow=2, is_slow=SLOW), False),
        (Taken(free=2, own=0, at_server=1, slow=8, is_slow=SLOW), True),
        (Taken(free=2, own=0, at_server=1, slow=9, is_slow=SLOW), False),
    ],
)
def test_a_call_begins_if_it_leaves_enough_to_others(taken: Taken, *, may: bool) -> None:
    assert may_begin(taken) is may


def test_many_that_take_all_they_may_share_as_the_published_rule_says() -> None:
    """Choudhury and Hahne 1998: of M places, each of n queues gets aM / (1 + an)."""
    places, owners = 3_300, 8
    bounds = Bulkhead(places, lambda: 0.0)
    began = Counter[str]()

    while bounds.free > 0 and _all_try(bounds, owners, began):
        pass

    assert {*began.values()} == {4 * places // (1 + 4 * owners)}


def _all_try(bounds: Bulkhead, owners: int, began: Counter[str]) -> bool:
    """Let each owner in turn begin a call to a server of his own; tell whether anybody could."""
    before = bounds.free
    for owner in (f"owner {number}" for number in range(owners)):
        if bounds.takes(owner, owner):
            bounds.begin(owner, owner)
            began[owner] += 1
    return bounds.free < before


def test_the_sums_that_are_kept_are_those_of_the_calls_that_go_on() -> None:
    chance, now, running = random.Random(3), [0.0], list[Running]()
    bounds = Bulkhead(40, lambda: now[0])

    for _ in range(4_000):
        now[0] += chance.random() / 4
        owner, server = f"owner {chance.randrange(6)}", f"server {chance.randrange(4)}"
        if running and chance.random() < 0.4:
            bounds.end(running.pop(chance.randrange(len(running))))
        expected = _expected(running, owner, server, 40, now[0])
        assert bounds.takes(owner, server) is may_begin(expected)
        if may_begin(expected):
            running.append(bounds.begin(owner, server))
    for one in running:
        bounds.end(one)

    assert bounds.free == 40
    assert not any((bounds._own, bounds._totals, bounds._servers, bounds._slow_calls, bounds._slow))


def _expected(running: list[Running], owner: str, server: str, places: int, now: float) -> Taken:
    slow = {one.server for one in running if one.begun <= now - SLOW_AFTER_S}
    is_slow = server in slow
    own = [one for one in running if one.owner == owner and (one.server in slow) is is_slow]
    return Taken(
        free=places - len(running),
        own=len(own),
        at_server=sum(one.server == server for one in running),
        slow=sum(one.server in slow for one in running),
        is_slow=is_slow,
    )


def test_calls_that_are_quick_cost_the_same_however_many_wait_for_a_server_that_hangs() -> None:
    few, many = (_lines_run(_hundred_beside(waiting)) for waiting in (100, 3_000))

    assert many <= 1.3 * few


def _hundred_beside(waiting: int) -> Callable[[], None]:
    """Return what makes a hundred calls begin and end while others wait for a server that hangs."""
    now = [0.0]
    bounds, calls = Bulkhead(128, lambda: now[0]), WaitingCalls()
    for number in range(waiting + 128):
        calls.add(Call(f"workspace {number}", "hangs", _nothing))
    while (begun := calls.take_next(bounds)) is not None:
        bounds.begin(begun.owner, begun.server)
    now[0] += SLOW_AFTER_S

    def make() -> None:
        for _ in range(100):
            calls.add(Call("healthy", "well", _nothing))
            call = calls.take_next(bounds)
            assert call is not None
            bounds.end(bounds.begin(call.owner, call.server))
            assert calls.take_next(bounds) is None

    return make


@pytest.mark.parametrize(
    ("owners", "servers"),
    [(1, 1), (3_000, 1), (1, 3_000), (3, 3_000), (3_000, 3_000)],
    ids=["one owner", "many owners", "many servers", "many servers of a few", "many of both"],
)
def test_a_place_that_is_free_again_costs_the_same_however_many_calls_wait(
    owners: int, servers: int
) -> None:
    few, many = (
        _lines_run(_hundred_one_after_the_other(waiting, owners, servers))
        for waiting in (100, 3_000)
    )

    assert many <= 1.3 * few


def _hundred_one_after_the_other(waiting: int, owners: int, servers: int) -> Callable[[], None]:
    """Return what ends calls while all places are taken, so that others begin."""
    bounds, calls, running = Bulkhead(128, lambda: 0.0), WaitingCalls(), list[Running]()
    for number in range(waiting + 228):
        owner, server = f"owner {number % owners}", f"server {number % servers}"
        calls.add(Call(owner, server, _nothing))

    def begin() -> None:
        while (call := calls.take_next(bounds)) is not None:
            running.append(bounds.begin(call.owner, call.server))
        calls.has_quick_ones(bounds)

    def make() -> None:
        for one in running[:100]:
            bounds.end(one)
            begin()

    begin()
    return make


@pytest.mark.parametrize("is_slow", [QUICK, SLOW])
def test_a_neighbours_call_costs_the_same_however_many_servers_another_waits_for(
    *, is_slow: bool
) -> None:
    few, many = (
        _lines_run(_a_neighbours_beside(waiting, is_slow=is_slow)) for waiting in (100, 3_000)
    )

    assert many <= 1.3 * few


def _a_neighbours_beside(waiting: int, *, is_slow: bool) -> Callable[[], None]:
    """Return what makes a neighbour's call while an owner with too much waits for many servers.

    One of them may be slow and take nobody.
    """
    now = [0.0]
    bounds, calls = Bulkhead(128, lambda: now[0]), WaitingCalls()
    if is_slow:
        while bounds.takes("other", "slow"):
            bounds.begin("other", "slow")
        calls.add(Call("many", "slow", _nothing))
    now[0] += SLOW_AFTER_S
    while bounds.takes_quick("many"):
        bounds.begin("many", "one of them")
    for number in range(waiting):
        calls.add(Call("many", f"server {number}", _nothing))

    def make() -> None:
        for _ in range(20):
            assert calls.take_next(bounds) is None
            calls.add(Call("neighbour", "well", _nothing))
            call = calls.take_next(bounds)
            assert call is not None
            assert call.owner == "neighbour"

    return make


def test_where_few_wait_for_many_servers_each_owner_has_its_turn_and_each_server() -> None:
    bounds, calls = Bulkhead(1_000, lambda: 0.0), WaitingCalls()
    for number in range(6):
        calls.add(Call("many", f"server {number % 3}", _nothing))
    calls.add(Call("one", "another", _nothing))

    begun = _all_begun(calls, bounds)

    servers = [call.server for call in begun if call.owner == "many"]
    assert [call.owner for call in begun[:2]] == ["many", "one"]
    assert servers == [f"server {number % 3}" for number in range(6)]


def _nothing() -> None:
    """Make no call."""


def _lines_run(work: Callable[[], None]) -> int:
    """Count the lines of Python that run."""
    lines = 0

    def trace(_frame: object, event: str, _argument: object) -> object:
        nonlocal lines
        lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)  # type: ignore[arg-type]
    try:
        work()
    finally:
        sys.settrace(before)
    return lines


def test_an_owner_at_its_limit_has_its_calls_to_a_slow_server_made_all_the_same() -> None:
    now = [0.0]
    bounds, calls = Bulkhead(10, lambda: now[0]), WaitingCalls()
    bounds.begin("other", "slow")
    now[0] += SLOW_AFTER_S
    for number in range(20):
        calls.add(Call("owner", f"server {number}", _nothing))
    begun = _all_begun(calls, bounds)

    calls.add(Call("owner", "slow", _nothing))

    assert 0 < len(begun) < 20
    assert [call.server for call in _all_begun(calls, bounds)] == ["slow"]


def test_what_a_few_owners_wait_for_begins_as_their_calls_end() -> None:
    bounds, calls = Bulkhead(10, lambda: 0.0), WaitingCalls()
    for number in range(60):
        calls.add(Call(f"owner {number % 2}", f"server {number}", _nothing))
    made = list[Call]()

    while begun := [
        (call, bounds.begin(call.owner, call.server)) for call in _taken(calls, bounds)
    ]:
        made += [call for call, _ in begun]
        for _, running in begun:
            bounds.end(running)

    assert sorted(call.server for call in made) == sorted(f"server {n}" for n in range(60))
    assert not calls


@pytest.mark.parametrize(
    ("servers", "are_quick"), [((), False), (("slow",), False), (("slow", "well"), True)]
)
def test_those_that_wait_for_a_slow_server_alone_hurry_nobody(
    servers: tuple[str, ...], *, are_quick: bool
) -> None:
    now = [0.0]
    bounds, calls = Bulkhead(10, lambda: now[0]), WaitingCalls()
    bounds.begin("other", "slow")
    now[0] += SLOW_AFTER_S
    for server in servers:
        calls.add(Call("owner", server, _nothing))

    assert calls.has_quick_ones(bounds) is are_quick


def _taken(calls: WaitingCalls, bounds: Bulkhead) -> list[Call]:
    """Take the next call, if one may begin."""
    call = calls.take_next(bounds)
    return [] if call is None else [call]


def _all_begun(calls: WaitingCalls, bounds: Bulkhead) -> list[Call]:
    """Begin all that may begin now."""
    begun = list[Call]()
    while (call := calls.take_next(bounds)) is not None:
        bounds.begin(call.owner, call.server)
        begun.append(call)
    return begun


@pytest.mark.parametrize(
    ("free", "own", "may"),
    [(1, 0, True), (0, 0, False), (9, 1, True), (9, 2, False), (1, 2, False)],
)
def test_where_shares_are_fixed_an_owner_has_so_many_and_no_more(
    free: int, own: int, *, may: bool
) -> None:
    taken = Taken(free=free, own=own, at_server=99, slow=99, is_slow=SLOW)

    assert may_begin(taken, each=2) is may


def test_a_place_that_is_held_for_long_counts_for_its_owner_all_the_same() -> None:
    now = [0.0]
    bulkhead = Bulkhead(4, lambda: now[0], each=2)
    held = [bulkhead.begin("eve") for _ in range(2)]

    now[0] += 2 * SLOW_AFTER_S

    assert (bulkhead.takes("eve"), bulkhead.takes("adam")) == (False, True)
    bulkhead.end(held[0])
    assert bulkhead.takes("eve")


def test_a_call_that_is_ended_twice_is_counted_once() -> None:
    bounds = Bulkhead(8, each=1)
    one = bounds.begin("bakery")
    bounds.end(one)
    bounds.end(one)

    bounds.begin("bakery")

    assert not bounds.takes("bakery")
