"""Places whose threads are run by hand: nothing waits, so that what is wrong is told at once."""

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

import pytest

from chalicelib.kit.limits.bulkhead import SLOW_AFTER_S
from chalicelib.kit.limits.thread_places import Call, Rest, ThreadPlaces
from chalicelib.kit.waiting import about_to_wait, have_waited


class ByHand(Executor):
    """Keeps work until somebody does it."""

    def __init__(self) -> None:
        self.work: list[Callable[[], object]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **named: Any) -> "Future[Any]":  # noqa: ANN401 - as Python's
        self.work.append(lambda: fn(*args, **named))
        return Future()

    def do_next(self) -> None:
        self.work.pop(0)()


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[threading.Thread]:
    """Return the threads that were asked for; none of them runs."""
    asked: list[threading.Thread] = []

    def start(thread: threading.Thread) -> None:
        asked.append(thread)

    monkeypatch.setattr(threading.Thread, "start", start)
    return asked


def test_an_outcome_waits_while_calls_that_are_due_have_no_place_and_no_longer(
    started: list[threading.Thread],
) -> None:
    pool, outcomes, kept = ByHand(), ByHand(), list[str]()
    places = ThreadPlaces(pool, 1, ThreadPlaces(outcomes, 4, clock=lambda: 0.0), lambda: 0.0)
    may_go_on: list[bool] = []

    def seen(predicate: Callable[[], bool], within_s: float) -> bool:
        assert within_s > 0
        may_go_on.append(predicate())
        return True

    places._unpressed.wait_for = seen  # type: ignore[method-assign, assignment]

    def first() -> Rest:
        return lambda: kept.append("first")

    calls = [Call("one", "well", work) for work in (first, outcomes.do_next, lambda: None)]
    places.begin(calls)

    pool.do_next()

    assert may_go_on == [False]
    assert kept == ["first"]
    assert all(call.done.done() for call in calls)
    assert [thread.name for thread in started] == ["places"]


def test_somebody_looks_again_while_calls_wait_and_only_one(
    started: list[threading.Thread],
) -> None:
    pool = ByHand()
    places = ThreadPlaces(pool, 1, clock=lambda: 0.0)
    nothing = [Call("one", "well", lambda: None) for _ in range(4)]

    places.begin(nothing[:1])
    assert started == []
    places.begin(nothing[1:3])
    places.begin(nothing[3:])

    assert [thread.name for thread in started] == ["places"]
    assert len(pool.work) == 1


def test_threads_stand_by_for_as_many_calls_as_there_are_places_and_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(threading.Thread, "start", threading.Thread.run)
    pool = ByHand()
    places = ThreadPlaces(pool, 16, clock=lambda: 0.0)

    places.stand_by(5)
    assert len(pool.work) == 5
    places.stand_by(5)
    places.stand_by(3)
    assert len(pool.work) == 5
    places.stand_by(1_000)
    assert len(pool.work) == 5 + 16


@pytest.mark.usefixtures("started")
def test_whoever_looks_for_calls_is_woken_as_one_waits_for_its_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pool, woken = ByHand(), list[str]()
    places = ThreadPlaces(pool, 4, clock=lambda: 0.0, at_start=1)
    monkeypatch.setattr(places._moved_on, "notify", lambda: woken.append("woken"))

    def wait_twice() -> None:
        about_to_wait()
        assert woken == ["woken"]
        about_to_wait()

    places.begin([Call("one", "well", wait_twice), Call("one", "well", lambda: None)])
    assert (len(pool.work), woken) == (1, [])

    pool.do_next()

    assert woken == ["woken"]


def test_somebody_looks_again_whenever_calls_wait_anew(
    started: list[threading.Thread], monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = ByHand()
    places = ThreadPlaces(pool, 1, clock=lambda: 0.0)
    monkeypatch.setattr(places._moved_on, "wait", lambda _: pool.do_next())

    for times in (1, 2):
        places.begin([Call("one", "well", lambda: None) for _ in range(2)])
        assert len(started) == times
        started[-1].run()


def test_an_outcome_that_takes_long_makes_nobody_elses_at_its_server_slow() -> None:
    now, pool, outcomes = [0.0], ByHand(), ByHand()

    def clock() -> float:
        return now[0]

    places = ThreadPlaces(pool, 32, ThreadPlaces(outcomes, 8, clock=clock), clock)

    def make(owner: str, calls: int) -> None:
        places.begin([Call(owner, "well", lambda: lambda: None) for _ in range(calls)])
        while pool.work:
            pool.do_next()

    make("one", 1)
    now[0] += SLOW_AFTER_S
    make("two", 10)

    beside_a_quick_one = 5
    assert len(outcomes.work) == 1 + beside_a_quick_one


def test_a_call_that_ends_has_the_next_one_begin_by_its_thread() -> None:
    pool = ByHand()
    places = ThreadPlaces(pool, 4, clock=lambda: 0.0, at_start=1)
    calls = [Call("one", "well", lambda: None) for _ in range(3)]
    places.begin(calls)

    pool.do_next()

    assert all(call.done.done() for call in calls)
    assert pool.work == []


@pytest.mark.usefixtures("started")
def test_an_answer_that_came_without_a_wait_takes_nobodys_turn() -> None:
    pool, may_begin = ByHand(), list[bool]()
    places = ThreadPlaces(pool, 4, clock=lambda: 0.0, at_start=1)

    def seen(_: Callable[[], bool], within_s: float) -> bool:
        assert within_s > 0
        may_begin.append(places._starts.may_begin())
        return True

    places._all_begun.wait_for = seen  # type: ignore[method-assign, assignment]
    places.begin([Call("one", "well", have_waited), Call("one", "well", lambda: None)])

    pool.do_next()

    assert may_begin == [True]
