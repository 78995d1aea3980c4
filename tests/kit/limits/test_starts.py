"""Few calls compute at once: who comes next waits for few, however many are due before it."""

import threading
from collections.abc import Callable
from queue import Queue

import pytest

from chalicelib.kit.limits.bulkhead import SLOW_AFTER_S, Running
from chalicelib.kit.limits.starts import Starts
from chalicelib.kit.limits.thread_places import Call, Rest, ThreadPlaces, Work
from chalicelib.kit.limits.thread_pool import ThreadPool
from chalicelib.kit.waiting import about_to_wait, have_waited, tell_of_waits

_AT_START, _MANY = 4, 1_000
_WITHIN_S = 240


class Computing:
    """Calls that compute until they are let go on, one at a time."""

    def __init__(self) -> None:
        self.begun: Queue[str] = Queue()
        self._go = threading.Semaphore(0)

    def call(self, owner: str, server: str = "well", then: Work = lambda: None) -> Call:
        """Return a call that computes, and then does what it is told."""

        def work() -> Rest | None:
            self.begun.put(owner)
            self._go.acquire(timeout=_WITHIN_S)
            return then()

        return Call(owner, server, work)

    def go_on(self, many: int) -> None:
        """Let so many go on."""
        self._go.release(many)

    def next(self, many: int) -> list[str]:
        """Return whose calls begin next."""
        return [self.begun.get(timeout=_WITHIN_S) for _ in range(many)]


def _places(
    rests: ThreadPlaces | None = None, clock: Callable[[], float] = lambda: 0.0
) -> tuple[ThreadPlaces, ThreadPool]:
    pool = ThreadPool(256)
    return ThreadPlaces(pool, 256, rests, clock, at_start=_AT_START), pool


def test_anothers_call_begins_next_though_a_thousand_are_due_before_it() -> None:
    computing = Computing()
    places, pool = _places()
    many = [computing.call("many", f"server {n % 4}") for n in range(_MANY)]
    places.begin(many)
    at_once = computing.next(_AT_START)
    threads = len(pool._threads)

    other = computing.call("other")
    places.begin([other])
    computing.go_on(5)
    following = computing.next(5)

    assert (at_once, threads) == (["many"] * _AT_START, _AT_START)
    assert "other" in following
    computing.go_on(_MANY)
    for call in (*many, other):
        call.done.result(_WITHIN_S)


def test_a_call_that_waits_for_its_server_lets_the_next_one_compute() -> None:
    computing, answer = Computing(), threading.Event()

    def wait() -> None:
        about_to_wait()
        answer.wait(_WITHIN_S)

    places, _ = _places()
    calls = [computing.call("many", then=wait) for _ in range(40)]
    places.begin(calls)

    computing.go_on(40)
    begun = computing.next(40)

    assert len(begun) == 40
    assert not any(call.done.done() for call in calls)
    answer.set()
    for call in calls:
        call.done.result(_WITHIN_S)


def test_what_follows_an_answer_waits_for_calls_whose_turn_it_is_to_begin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A second later the first of a thousand were answered, and the others began ever slower."""
    monkeypatch.setattr(f"{ThreadPlaces.__module__}._LETS_BEGIN_S", _WITHIN_S)
    computing, order = Computing(), list[str]()
    is_away, answer, is_back = threading.Event(), threading.Event(), threading.Event()

    def wait() -> None:
        about_to_wait()
        is_away.set()
        answer.wait(_WITHIN_S)
        is_back.set()
        have_waited()
        order.append("answered")

    def begun() -> None:
        order.append("begun")

    places, _ = _places()
    first, rest = (
        [computing.call("many", then=then) for _ in range(count)]
        for then, count in ((wait, 1), (begun, 3 * _AT_START))
    )
    places.begin(first)
    computing.go_on(1)
    is_away.wait(_WITHIN_S)
    places.begin(rest)
    computing.next(1 + _AT_START)
    answer.set()
    is_back.wait(_WITHIN_S)
    computing.go_on(3 * _AT_START)
    for call in (*first, *rest):
        call.done.result(_WITHIN_S)

    assert order.index("answered") >= 2 * _AT_START


def test_answers_that_come_without_a_wait_hold_up_no_call_whose_turn_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(f"{ThreadPlaces.__module__}._LETS_BEGIN_S", 2 * _WITHIN_S)
    places, _ = _places()
    calls = [Call("many", "refuses", have_waited) for _ in range(3 * _AT_START)]

    places.begin(calls)

    for call in calls:
        call.done.result(_WITHIN_S)


def test_calls_that_hang_without_a_word_do_not_hold_up_the_rest() -> None:
    computing, now = Computing(), [0.0]
    places, _ = _places(clock=lambda: now[0])
    places.begin([computing.call("many") for _ in range(2 * _AT_START)])
    computing.next(_AT_START)

    now[0] += SLOW_AFTER_S

    assert computing.next(_AT_START) == ["many"] * _AT_START
    computing.go_on(2 * _AT_START)


def test_outcomes_wait_for_calls_that_are_due_and_have_no_thread_yet() -> None:
    computing, done = Computing(), list[str]()
    places, _ = _places(ThreadPlaces(ThreadPool(4), 4))

    def keep() -> None:
        done.append("outcome")

    def answered() -> Callable[[], None]:
        done.append("call")
        return keep

    calls = [computing.call("many", then=answered) for _ in range(12)]
    computing.go_on(12)
    places.begin(calls)
    for call in calls:
        call.done.result(_WITHIN_S)

    assert done.count("call") == done.count("outcome") == 12
    assert "outcome" not in done[: 12 - _AT_START]


def _running(number: int) -> Running:
    return Running("owner", f"server {number}", 0.0)


def test_any_number_begins_where_none_is_said() -> None:
    starts = Starts(None, lambda: 0.0)
    for number in range(_MANY):
        starts.begin(_running(number))

    assert starts.may_begin()


def test_a_call_that_many_have_overtaken_counts_no_more() -> None:
    starts, stuck = Starts(2, lambda: 0.0), _running(0)
    starts.begin(stuck)
    free = []
    for number in range(1, 10):
        one = _running(number)
        starts.begin(one)
        free.append(starts.may_begin())
        starts.move_on(one)

    assert free == [False] * 8 + [True]
    assert not starts.move_on(stuck)


@pytest.mark.parametrize("moves", [0, 1])
def test_where_none_moves_on_for_two_seconds_those_that_began_count_no_more(moves: int) -> None:
    now = [0.0]
    starts = Starts(2, lambda: now[0])
    ones = [_running(number) for number in range(3)]
    now[0] += 10
    for one in ones[:2]:
        starts.begin(one)
    now[0] += SLOW_AFTER_S / 2
    for one in ones[:moves]:
        starts.move_on(one)
        starts.begin(ones[2])
    now[0] += SLOW_AFTER_S / 2

    assert starts.may_begin() is (moves == 0)


def test_who_waits_says_so_to_whoever_asked_and_to_nobody_after_it() -> None:
    told = list[str]()
    about_to_wait()
    with tell_of_waits(lambda: told.append("outer")):
        with tell_of_waits(lambda: told.append("inner")):
            about_to_wait()
        about_to_wait()
    about_to_wait()

    assert told == ["inner", "outer"]
