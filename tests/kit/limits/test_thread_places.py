"""A platform that hangs keeps its own places busy and nobody else's."""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from queue import Queue

from chalicelib.kit.limits.bulkhead import SLOW_AFTER_S, Bulkhead
from chalicelib.kit.limits.thread_places import Call, ThreadPlaces, Work
from chalicelib.workers.publishing.alarm import Alarm
from tests.support.frozen_clock import FrozenClock

_AT_ONCE_S = 20
"""Long for a machine at work, and far from the four minutes for which calls hang here."""


def _places(threads: int, clock: Callable[[], float] = time.monotonic) -> ThreadPlaces:
    rests = ThreadPlaces(ThreadPoolExecutor(4), 4)
    return ThreadPlaces(ThreadPoolExecutor(threads), threads, rests, clock)


def test_calls_of_others_go_on_beside_one_that_hangs() -> None:
    places, end = _places(32), threading.Event()

    def hang() -> None:
        end.wait(240)

    hanging = [_submit(places, "one", "hangs", hang) for _ in range(40)]

    healthy = [_submit(places, "two", "well", lambda: None) for _ in range(40)]

    for one in healthy:
        one.result(240)
    assert not any(one.done() for one in hanging)
    end.set()
    for one in hanging:
        one.result(240)


def test_two_servers_that_hang_under_one_workspace_hold_up_no_other_workspace() -> None:
    """Not even until they count as slow: no time goes by here."""
    places, end = _places(16, lambda: 0.0), threading.Event()

    def hang() -> None:
        end.wait(240)

    hanging = [_submit(places, "many", f"hangs {number % 2}", hang) for number in range(60)]
    neighbour = _submit(places, "other", "hangs 0", lambda: None)

    neighbour.result(240)
    assert not any(one.done() for one in hanging)
    end.set()


def test_what_hangs_under_a_workspace_leaves_places_to_its_own_quick_calls() -> None:
    places, end = _places(32), threading.Event()

    def hang() -> None:
        end.wait(240)

    for number in range(60):
        _submit(places, "many", f"hangs {number % 2}", hang)
    time.sleep(SLOW_AFTER_S + 0.5)
    began = time.monotonic()
    quick = [_submit(places, "many", "well", lambda: None) for _ in range(40)]

    for one in quick:
        one.result(240)
    assert time.monotonic() - began < _AT_ONCE_S
    end.set()


def test_all_that_hangs_under_many_workspaces_leaves_half_of_the_places() -> None:
    places, end = _places(16), threading.Event()

    def hang() -> None:
        end.wait(240)

    for number in range(60):
        _submit(places, f"workspace {number}", f"hangs {number % 3}", hang)
    time.sleep(SLOW_AFTER_S + 0.5)
    began = time.monotonic()
    quick = [_submit(places, "other", "well", lambda: None) for _ in range(40)]

    for one in quick:
        one.result(240)
    assert time.monotonic() - began < _AT_ONCE_S
    end.set()


def test_what_waits_behind_calls_that_hang_begins_by_itself_once_they_are_slow() -> None:
    places, end = _places(16), threading.Event()

    def hang() -> None:
        end.wait(240)

    for number in range(8):
        _submit(places, f"workspace {number}", f"hangs {number % 2}", hang)
    began = time.monotonic()
    quick = _submit(places, "other", "well", lambda: None)

    quick.result(240)
    assert time.monotonic() - began < SLOW_AFTER_S + _AT_ONCE_S
    end.set()


def test_one_workspace_alone_has_four_fifths_of_the_places_at_once() -> None:
    places, end, begun = _places(20), threading.Event(), Queue[int]()

    def hang(number: int) -> Callable[[], None]:
        def call() -> None:
            begun.put(number)
            end.wait(240)

        return call

    calls = [_submit(places, "many", f"server {n % 3}", hang(n)) for n in range(40)]
    at_once = {begun.get(timeout=1) for _ in range(16)}
    others = [_submit(places, f"other {n}", "server 0", hang(100 + n)) for n in range(4)]

    assert len(at_once) == 16
    assert {begun.get(timeout=1) for _ in others[:3]} <= {100, 101, 102, 103}
    assert begun.empty()
    end.set()
    for call in (*calls, *others):
        call.result(240)


def test_whatever_a_workspace_has_that_hangs_another_and_its_quick_ones_find_a_place() -> None:
    now = [0.0]
    bounds = Bulkhead(20, lambda: now[0])
    for _ in range(20):
        if bounds.takes("many", "hangs"):
            bounds.begin("many", "hangs")
    now[0] += SLOW_AFTER_S

    assert bounds.free == 4
    assert not bounds.takes("many", "hangs")
    assert bounds.takes("many", "well")
    assert bounds.takes("other", "hangs")
    assert bounds.takes("other", "well")


def test_outcomes_that_a_workspaces_table_refuses_hold_up_no_other_outcome() -> None:
    places, end = _places(16), threading.Event()

    def refused() -> Callable[[], None]:
        return lambda: _none(end.wait(240))

    for _ in range(8):
        _submit(places, "refused", "well", refused)
    other = _submit(places, "other", "well", lambda: lambda: None)

    other.result(240)
    end.set()


def test_what_a_call_raises_reaches_who_waits_for_its_end() -> None:
    places = _places(2)

    def fail() -> None:
        raise LookupError("gone")

    assert isinstance(_submit(places, "one", "x", fail).exception(10), LookupError)


def test_anothers_one_call_waits_for_one_of_a_workspaces_many_only() -> None:
    places = _places(1)
    end, made = threading.Event(), []

    def hold() -> None:
        end.wait(240)

    def make(name: str) -> Callable[[], None]:
        return lambda: made.append(name)

    _submit(places, "many", "x", hold)
    calls = [_submit(places, "many", "x", make(f"many {n}")) for n in range(100)]
    calls.append(_submit(places, "one", "x", make("the one")))
    end.set()

    for call in calls:
        call.result(240)
    assert made.index("the one") <= 1


def test_outcomes_are_kept_once_every_call_that_is_due_has_begun() -> None:
    places = _places(1)
    end, done = threading.Event(), []

    def call(number: int) -> Callable[[], Callable[[], None]]:
        def make() -> Callable[[], None]:
            end.wait(240)
            done.append(f"call {number}")
            return lambda: done.append(f"outcome {number}")

        return make

    calls = [_submit(places, "one", "x", call(number)) for number in range(3)]
    end.set()

    for one in calls:
        one.result(240)
    assert done[:2] == ["call 0", "call 1"]
    assert {*done[2:]} == {"call 2", "outcome 0", "outcome 1", "outcome 2"}


def test_an_outcome_waits_only_so_long_for_calls_that_are_due() -> None:
    now = [0.0]
    places = _places(1, lambda: now[0])
    end, kept = threading.Event(), threading.Event()

    def call() -> Callable[[], None]:
        now[0] -= 10.0  # so that its outcome has waited long enough when it is looked at
        return kept.set

    def hold() -> None:
        now[0] += 20.0
        end.wait(240)

    first = _submit(places, "one", "x", call)
    others = [_submit(places, "one", "x", hold) for _ in range(2)]

    assert kept.wait(240)
    assert not any(other.done() for other in others)
    end.set()
    for one in (first, *others):
        one.result(240)


def test_calls_that_follow_an_outcome_take_a_place_again() -> None:
    places = _places(1)
    done: list[str] = []

    def follow() -> None:
        done.append("the next call")

    def keep() -> Callable[[], None]:
        done.append("outcome")
        return follow

    _submit(places, "one", "x", lambda: keep).result(240)

    assert done == ["outcome", "the next call"]


def test_calls_of_one_workspace_that_are_due_together_are_made_side_by_side() -> None:
    places = _places(48)
    together = threading.Barrier(6)
    calls = [Call("one", "well", lambda: _none(together.wait(240))) for _ in range(6)]

    places.begin(calls)

    assert [call.done.exception(10) for call in calls] == [None] * 6


def test_what_is_due_at_one_moment_is_begun_together_and_never_before_it() -> None:
    clock = FrozenClock()
    due, later = clock() + timedelta(milliseconds=60), clock() + timedelta(milliseconds=100)
    begun: Queue[tuple[datetime, list[str]]] = Queue()
    alarm = Alarm[str](clock, lambda all_: begun.put((clock(), list(all_))))

    alarm.at(later, "later")
    for name in ("one", "two"):
        alarm.at(due, name)

    clock.now = due
    assert begun.get(timeout=240) == (due, ["one", "two"])
    clock.now = later
    assert begun.get(timeout=240) == (later, ["later"])


def test_what_is_left_with_an_alarm_that_waits_for_something_later_is_begun_in_time() -> None:
    begun: Queue[list[str]] = Queue()
    alarm = Alarm[str](_now, lambda all_: begun.put(list(all_)))
    alarm.at(_now() + timedelta(seconds=20), "later")
    time.sleep(0.1)

    alarm.at(_now() + timedelta(milliseconds=20), "soon")

    assert begun.get(timeout=240) == ["soon"]


def test_an_alarm_goes_on_after_something_could_not_be_begun() -> None:
    begun: Queue[str] = Queue()

    def ring(due: Sequence[str]) -> None:
        if "broken" in due:
            raise LookupError
        begun.put(due[0])

    alarm = Alarm[str](_now, ring)
    alarm.at(_now(), "broken")
    alarm.at(_now() + timedelta(milliseconds=20), "whole")

    assert begun.get(timeout=240) == "whole"


def _now() -> datetime:
    return datetime.now(UTC)


def _none(_: object) -> None:
    """Return nothing, as a call that leaves nothing to be kept."""


def _submit(places: ThreadPlaces, workspace_id: str, platform: str, work: Work) -> "Future[None]":
    """Have one call made; return what tells its end."""
    call = Call(workspace_id, platform, work)
    places.begin([call])
    return call.done


def test_a_server_that_is_slow_takes_a_workspaces_calls_up_to_half_of_the_places() -> None:
    now = [0.0]
    bounds = Bulkhead(64, lambda: now[0])
    for _ in range(31):
        bounds.begin("one", "slow")
    now[0] += SLOW_AFTER_S

    thirty_one_go_on = bounds.takes("one", "slow")
    bounds.begin("one", "slow")

    assert thirty_one_go_on
    assert not bounds.takes("one", "slow")
    assert bounds.takes("two", "slow")
    assert bounds.takes("one", "quick")


def _looking() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "places"}


def test_one_thread_looks_again_while_calls_wait_and_none_where_nobody_does() -> None:
    before, places, end = _looking(), _places(8), threading.Event()

    def hang() -> None:
        end.wait(240)

    first = _submit(places, "one", "hangs", hang)
    while_none_waits = _looking()
    waiting = [_submit(places, "one", "hangs", hang) for _ in range(20)]
    while_some_wait = _looking()
    end.set()
    for call in (first, *waiting):
        call.result(240)

    assert not while_none_waits - before
    assert len(while_some_wait - before) == 1
