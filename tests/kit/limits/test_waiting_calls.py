"""Whose call is next: a place that becomes free goes to a server that answers."""

from collections import Counter

import pytest

from chalicelib.kit.limits.bulkhead import Bulkhead, Running
from chalicelib.kit.limits.waiting_calls import Call, WaitingCalls

_STUCK = ("a", "b", "c", "d")
_PLACES = 16


def _waiting(owners: int, servers: tuple[str, ...], each: int) -> WaitingCalls:
    waiting = WaitingCalls()
    for _ in range(each):
        for server in servers:
            for owner in range(owners):
                waiting.add(Call(f"owner {owner}", server, lambda: None))
    return waiting


def _begun(waiting: WaitingCalls, bounds: Bulkhead) -> list[Running]:
    begun = []
    while (call := waiting.take_next(bounds)) is not None:
        begun.append(bounds.begin(call.owner, call.server))
    return begun


@pytest.mark.parametrize("owners", [1, 8], ids=["one owner", "more owners than servers"])
def test_beside_servers_that_hang_the_one_that_answers_has_its_part_of_the_places(
    owners: int,
) -> None:
    """In turn alone, each round left four more places with calls that do not end."""
    bounds = Bulkhead(_PLACES, clock=lambda: 0.0)
    waiting = _waiting(owners, (*_STUCK, "quick"), 40 // owners)

    rounds = []
    running = _begun(waiting, bounds)
    while ends := [one for one in running if one.server == "quick"]:
        rounds.append(len(ends))
        for one in ends:
            bounds.end(one)
        running = _begun(waiting, bounds)

    assert 40 == sum(rounds)
    assert min(rounds[:-1]) >= (_PLACES * 4 // 5) // 5


def test_of_very_many_servers_each_is_called_once_before_any_is_called_again() -> None:
    bounds, servers = Bulkhead(_PLACES, clock=lambda: 0.0), tuple(map(str, range(100)))
    waiting = _waiting(1, servers, 2)

    called = Counter[str]()
    for _ in range(100):
        call = waiting.take_next(bounds)
        assert call is not None
        called[call.server] += 1

    assert dict.fromkeys(servers, 1) == called
