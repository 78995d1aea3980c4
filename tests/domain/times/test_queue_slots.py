"""Queue times as instants: what the clock shows, what it skips, and what it shows twice."""

from datetime import UTC, datetime, timedelta

import pytest

from chalicelib.domain.times.queue_slots import (
    HORIZON,
    QueueSlot,
    default_slots,
    next_free,
    upcoming,
)

FRIDAY_NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
EVERY_DAY = (0, 1, 2, 3, 4, 5, 6)


def a_slot(time: str = "09:00", weekdays: tuple[int, ...] = EVERY_DAY) -> QueueSlot:
    return QueueSlot(id="0192f0c1a7b87c3d9e5f60718293a4b5", weekdays=weekdays, time=time)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def first(slot: QueueSlot, timezone: str, now: str, count: int = 1) -> list[datetime]:
    times = upcoming([slot], timezone, utc(now))
    return [next(times) for _ in range(count)]


def test_a_new_workspace_goes_out_at_nine_at_seven_and_saturdays_at_ten() -> None:
    slots = default_slots(FRIDAY_NOON)

    times = [(slot.weekdays, slot.time, slot.label) for slot in slots]
    assert times == [
        ((0, 1, 2, 3, 4), "09:00", ""),
        ((0, 1, 2, 3, 4, 5, 6), "19:00", ""),
        ((5,), "10:00", ""),
    ]
    assert sorted(slots, key=lambda slot: slot.id) == list(slots)


def test_slots_of_a_new_workspace_are_met_in_the_order_of_time() -> None:
    times = upcoming(default_slots(FRIDAY_NOON), "UTC", FRIDAY_NOON)

    assert [next(times) for _ in range(4)] == [
        utc("2026-11-20T19:00"),
        utc("2026-11-21T10:00"),
        utc("2026-11-21T19:00"),
        utc("2026-11-22T19:00"),
    ]


@pytest.mark.parametrize(
    ("time", "timezone", "now", "expected"),
    [
        pytest.param("09:00", "Asia/Kolkata", "2026-11-20", "2026-11-20T03:30", id="half-hour"),
        pytest.param("02:30", "Europe/Paris", "2026-03-29", "2026-03-29T01:00", id="skipped"),
        pytest.param("02:00", "Europe/Paris", "2026-03-29", "2026-03-29T01:00", id="gap's-start"),
        pytest.param("03:00", "Europe/Paris", "2026-03-29", "2026-03-29T01:00", id="gap's-end"),
        pytest.param("01:59", "Europe/Paris", "2026-03-29", "2026-03-29T00:59", id="before-gap"),
        pytest.param("02:30", "Europe/Paris", "2026-10-25", "2026-10-25T00:30", id="comes-twice"),
        pytest.param("03:00", "Europe/Paris", "2026-10-25", "2026-10-25T02:00", id="after-twice"),
        pytest.param(
            "02:10", "Australia/Lord_Howe", "2026-10-03", "2026-10-03T15:30", id="half-hour-gap"
        ),
        pytest.param(
            "00:15", "America/Santiago", "2026-09-05T12:00", "2026-09-06T04:00", id="no-midnight"
        ),
        pytest.param(
            "00:30", "America/Havana", "2026-11-01T03:00", "2026-11-01T04:30", id="midnight-twice"
        ),
    ],
)
def test_a_slot_is_the_first_instant_its_clock_shows_that_time_or_a_later_one(
    time: str, timezone: str, now: str, expected: str
) -> None:
    found = first(a_slot(time), timezone, now)

    assert found == [utc(expected)]


def test_a_time_that_comes_twice_is_over_after_the_first() -> None:
    found = first(a_slot("02:30"), "Europe/Paris", "2026-10-25T00:30")

    assert found == [utc("2026-10-26T01:30")]


def test_a_day_that_a_zone_skipped_is_made_up_for_once_at_its_end() -> None:
    found = first(a_slot("09:00"), "Pacific/Apia", "2011-12-29T20:00", count=2)

    assert found == [utc("2011-12-30T10:00"), utc("2011-12-30T19:00")]


def test_now_is_not_the_future() -> None:
    assert first(a_slot("12:00"), "UTC", "2026-11-20T12:00") == [utc("2026-11-21T12:00")]
    assert first(a_slot("12:00"), "UTC", "2026-11-20T11:59:59.999999") == [utc("2026-11-20T12:00")]


def test_slots_that_meet_are_one_time() -> None:
    slots = [a_slot("02:30"), a_slot("03:00"), a_slot("03:00", weekdays=(6,))]

    times = upcoming(slots, "Europe/Paris", utc("2026-03-29"), timedelta(hours=20))

    assert list(times) == [utc("2026-03-29T01:00")]


def test_the_horizon_is_included_and_nothing_beyond_it() -> None:
    times = list(upcoming([a_slot("12:00", weekdays=(4,))], "UTC", utc("2026-11-20T12:00")))

    assert times[0] == utc("2026-11-27T12:00")
    assert times[-1] == utc("2027-01-15T12:00")
    assert utc("2026-11-20T12:00") + HORIZON == utc("2027-01-19T12:00")
    on_the_edge = upcoming([a_slot("12:00", weekdays=(1,))], "UTC", utc("2026-11-20T12:00"))
    assert list(on_the_edge)[-1] == utc("2027-01-19T12:00")


def test_without_slots_there_is_no_time() -> None:
    assert list(upcoming([], "UTC", FRIDAY_NOON)) == []


def test_only_what_is_asked_for_is_worked_out() -> None:
    """A thousand years of slots would take minutes."""
    a_thousand_years = timedelta(days=365_000)

    soonest = next(upcoming([a_slot()], "Europe/Paris", FRIDAY_NOON, a_thousand_years))

    assert soonest == utc("2026-11-21T08:00")


def test_the_next_free_time_is_the_first_that_is_not_taken() -> None:
    taken = {utc("2026-11-21T09:00"), utc("2026-11-22T09:00"), utc("2026-11-24T09:00")}

    assert next_free([a_slot()], "UTC", FRIDAY_NOON, taken) == utc("2026-11-23T09:00")


def test_a_full_queue_has_no_free_time() -> None:
    slots = [a_slot()]
    taken = set(upcoming(slots, "UTC", FRIDAY_NOON))

    assert len(taken) == 60
    assert next_free(slots, "UTC", FRIDAY_NOON, taken) is None
