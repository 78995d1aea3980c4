"""A burst's messages come early enough for Lambda to begin its batches, and no earlier."""

from datetime import timedelta

import pytest

from benchmarks.capacity import limits
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.wake_queue import ARM_AHEAD
from chalicelib.workers.bursts import BATCH, FEW_AHEAD, MOST_AHEAD, ahead_of, in_bursts
from tests.support.frozen_clock import NOON

PLACES = 200


@pytest.mark.parametrize("targets", [501, 1_000, 5_000, 10_000, 15_000])
def test_by_the_time_to_arm_an_idle_event_source_has_begun_every_batch(targets: int) -> None:
    ahead_s = ahead_of(targets, PLACES).total_seconds()

    begun = limits.FIRST_BATCHES + limits.BATCHES_A_SECOND * (ahead_s - 5)
    assert begun * BATCH >= targets


@pytest.mark.parametrize("targets", [1, 100, 500])
def test_what_begins_at_once_waits_only_as_long_as_a_cold_start_takes(targets: int) -> None:
    assert ahead_of(targets, PLACES) == FEW_AHEAD
    slowest_start_s = 1 + 1.3 * limits.COLD_S + limits.FROZEN_S
    assert FEW_AHEAD.total_seconds() > slowest_start_s


def test_where_there_are_two_places_only_two_batches_begin_at_once() -> None:
    assert [ahead_of(200, 2), ahead_of(201, 2)] == [FEW_AHEAD, ARM_AHEAD]


def test_where_nobody_pays_for_waiting_all_come_as_usual() -> None:
    assert ahead_of(1, 0) == ARM_AHEAD


@pytest.mark.parametrize("targets", [501, 3_000])
def test_what_is_begun_in_time_anyway_comes_as_late_as_ever(targets: int) -> None:
    assert ahead_of(targets, PLACES) == ARM_AHEAD


def test_where_places_are_few_nothing_comes_early_to_wait_for_them() -> None:
    assert ahead_of(100_000, 2) == ARM_AHEAD


@pytest.mark.parametrize("places", [PLACES, 1_000])
def test_however_many_are_due_none_waits_longer_than_the_places_take_to_begin(places: int) -> None:
    assert ahead_of(1_000_000, places) <= MOST_AHEAD


def test_a_batch_that_is_not_full_takes_as_long_to_begin_as_one_that_is() -> None:
    thirty_one, one_more = ahead_of(31 * BATCH, PLACES), ahead_of(31 * BATCH + 1, PLACES)

    assert [thirty_one, one_more] == [timedelta(seconds=10.2), timedelta(seconds=10.4)]
    assert one_more == ahead_of(32 * BATCH, PLACES)


def test_only_the_crowded_second_comes_early_and_all_others_share_a_batch() -> None:
    crowded = [_ref(n, timedelta(minutes=2)) for n in range(700)]
    others = [_ref(n, timedelta(seconds=n)) for n in range(60)]

    found = dict(in_bursts([*others, *crowded], PLACES))

    assert found == {FEW_AHEAD: others, ahead_of(700 * 16, PLACES): crowded}


def test_what_is_due_within_one_second_is_one_burst() -> None:
    spread = [_ref(n, timedelta(minutes=2, milliseconds=n)) for n in range(700)]

    assert dict(in_bursts(spread, PLACES)) == {ahead_of(700 * 16, PLACES): spread}


def _ref(number: int, in_: timedelta) -> TargetRef:
    return TargetRef(f"{number}", f"{number}", "a", NOON + in_)
