"""Whoever makes the calls hears ahead of many that are due at one moment, and of nothing else."""

import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from queue import Queue
from threading import Semaphore

from chalicelib.workers.publishing.alarm import Alarm
from tests.support.frozen_clock import FrozenClock

_SECOND = timedelta(seconds=1)
_WITHIN_S = 240


class Rung:
    """Notes what rings."""

    def __init__(self) -> None:
        self.names = Queue[str]()

    def __call__(self, names: Sequence[str]) -> None:
        for name in names:
            self.names.put(name)


class LookedAt(FrozenClock):
    """Lets a test wait until it was looked at so many times: the alarm has decided before each."""

    def __init__(self) -> None:
        super().__init__()
        self._looks = Semaphore(0)

    def __call__(self) -> datetime:
        self._looks.release()
        return self.now

    def wait_for_looks(self, number: int) -> None:
        while self._looks.acquire(blocking=False):
            pass
        for _ in range(number):
            assert self._looks.acquire(timeout=_WITHIN_S)


def test_many_of_one_moment_are_told_of_before_it_and_again_once_they_are_twice_as_many() -> None:
    clock, told = LookedAt(), Queue[int]()
    alarm = Alarm(clock, Rung(), told.put)
    due = clock() + 2 * _SECOND

    alarm.at_each([(due, "one")] * 20)
    first = told.get(timeout=_WITHIN_S)
    alarm.at_each([(due, "more")] * 19)
    clock.wait_for_looks(2)
    alarm.at(due, "the fortieth")

    assert (first, told.get(timeout=_WITHIN_S)) == (20, 40)
    assert told.empty()


def test_few_and_those_of_other_moments_are_not_told_of() -> None:
    clock, told = FrozenClock(), Queue[int]()
    alarm = Alarm(clock, Rung(), told.put)
    due = clock() + 2 * _SECOND

    alarm.at_each([(due, "few")] * 15)
    alarm.at_each([(due + _SECOND, "later")] * 16)
    alarm.at(due, "the sixteenth")

    assert told.get(timeout=_WITHIN_S) == 16
    assert told.empty()


def test_what_is_far_ahead_is_told_of_when_its_moment_comes_near() -> None:
    clock, told, rung = FrozenClock(), Queue[int](), Rung()
    alarm = Alarm(clock, rung, told.put)
    due = clock() + 60 * _SECOND
    alarm.at_each([(due, "far")] * 16)
    alarm.at(clock() + _SECOND, "near")

    clock.pass_time(_SECOND)
    assert rung.names.get(timeout=_WITHIN_S) == "near"
    is_silent = told.empty()
    clock.pass_time(56 * _SECOND)

    assert is_silent
    assert told.get(timeout=_WITHIN_S) == 16


def test_what_is_due_before_all_that_is_armed_is_not_kept_waiting() -> None:
    """Unless it is told, whoever waits for the next moment looks again after a second only."""
    clock, rung = FrozenClock(), Rung()
    alarm = Alarm(clock, rung)
    alarm.at(clock() + 60 * _SECOND, "far")
    began = time.monotonic()

    for number in range(20):
        alarm.at(clock(), f"at once {number}")
        assert rung.names.get(timeout=_WITHIN_S) == f"at once {number}"

    assert time.monotonic() - began < 10


def test_what_has_rung_is_told_of_no_more() -> None:
    clock, told, rung = FrozenClock(), Queue[int](), Rung()
    alarm = Alarm(clock, rung, told.put)
    due = clock()
    alarm.at_each([(due, "rung")] * 15)
    for _ in range(15):
        rung.names.get(timeout=_WITHIN_S)

    clock.now = due - _SECOND
    alarm.at(due, "one more")
    clock.now = due

    assert rung.names.get(timeout=_WITHIN_S) == "one more"
    assert told.empty()


def test_what_is_due_at_one_moment_begins_in_the_order_in_which_it_came() -> None:
    """Calls have no order of their own."""
    clock, rung = FrozenClock(), Queue[Sequence[object]]()
    alarm = Alarm[object](clock, rung.put)
    ones = [object() for _ in range(20)]

    alarm.at_each([(clock() + _SECOND, one) for one in ones])
    clock.pass_time(_SECOND)

    assert list(rung.get(timeout=_WITHIN_S)) == ones


def test_nothing_is_kept_of_a_moment_that_is_over() -> None:
    clock, rung = FrozenClock(), Rung()
    alarm = Alarm(clock, rung)

    for second in range(3):
        alarm.at(clock() - second * _SECOND, f"due {second}")
        rung.names.get(timeout=_WITHIN_S)

    assert not alarm._moments
