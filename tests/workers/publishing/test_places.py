"""A platform that hangs keeps its own places busy and nobody else's."""

import threading
from concurrent.futures import ThreadPoolExecutor

from chalicelib.workers.publishing.places import Places


def test_calls_of_other_platforms_go_on_beside_one_that_hangs() -> None:
    places = Places(ThreadPoolExecutor(8), 8)
    end = threading.Event()

    def hang() -> None:
        end.wait(30)

    hanging = [places.submit("hangs", hang) for _ in range(40)]

    healthy = [places.submit("well", lambda: None) for _ in range(40)]

    for one in healthy:
        one.result(10)
    assert not any(one.done() for one in hanging)
    end.set()
    for one in hanging:
        one.result(10)


def test_a_platform_whose_calls_go_on_for_long_counts_as_stalled() -> None:
    now = [0.0]
    places = Places(ThreadPoolExecutor(8), 8, clock=lambda: now[0])
    begun, end = threading.Event(), threading.Event()

    def hang() -> None:
        begun.set()
        end.wait(30)

    call = places.submit("hangs", hang)
    assert begun.wait(10)
    before = places.is_stalled("hangs")
    now[0] = 3.0

    assert (before, places.is_stalled("hangs"), places.is_stalled("well")) == (False, True, False)
    end.set()
    call.result(10)
    assert not places.is_stalled("hangs")


def test_what_a_call_raises_reaches_who_waits_for_its_end() -> None:
    places = Places(ThreadPoolExecutor(2), 2)

    def fail() -> None:
        raise LookupError("gone")

    assert isinstance(places.submit("x", fail).exception(10), LookupError)
