"""After an outage: what is late goes out in order and apart, what is a day late does not."""

from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from chalicelib.domain.platforms.platform import Platform
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room

MINUTE = timedelta(minutes=1)


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


def test_targets_of_one_account_missed_in_an_outage_go_a_minute_apart(room: EngineRoom) -> None:
    posts = [room.scheduled(f"Bread {n}", in_=MINUTE) for n in range(3)]
    room.clock.pass_time(timedelta(minutes=30))

    room.pass_time(timedelta(minutes=10))

    went_out = sorted(room.taken(post)[0].created_at for post in posts)
    assert [MINUTE, MINUTE] == [b - a for a, b in pairwise(went_out)]


def test_another_account_does_not_wait_for_the_one_that_catches_up(room: EngineRoom) -> None:
    for n in range(3):
        room.scheduled(f"Bread {n}", in_=MINUTE)
    other = room.scheduled("Cake", in_=MINUTE, platforms=(Platform.X,))
    room.clock.pass_time(timedelta(minutes=30))

    room.run_due()

    assert "published" == room.target(other).status


def test_a_target_found_a_little_late_goes_at_once(room: EngineRoom) -> None:
    posts = [room.scheduled(f"Bread {n}", in_=MINUTE) for n in range(3)]
    room.clock.pass_time(timedelta(minutes=9))

    room.run_due()

    assert ["published"] * 3 == [room.target(post).status for post in posts]


def test_a_target_put_off_to_catch_up_can_still_be_cancelled(room: EngineRoom) -> None:
    posts = [room.scheduled(f"Bread {n}", in_=MINUTE) for n in range(2)]
    room.clock.pass_time(timedelta(minutes=30))
    room.run_due()
    waiting = next(post for post in posts if room.target(post).status == "scheduled")

    room.deployment.posting.scheduling.cancel(room.caller, waiting.id)
    room.pass_time(timedelta(hours=1))

    assert [] == room.taken(waiting)


@pytest.mark.parametrize(
    ("late", "status", "code"),
    [
        (timedelta(hours=24), "published", None),
        (timedelta(hours=24, seconds=1), "failed", "too_late"),
    ],
    ids=["a day late", "a second more"],
)
def test_what_is_more_than_a_day_late_fails_and_says_so(
    room: EngineRoom, late: timedelta, status: str, code: str | None
) -> None:
    post = room.scheduled("Fresh bread", in_=MINUTE)
    room.clock.pass_time(MINUTE + late)

    room.run_due()

    assert (status, code) == (room.target(post).status, room.target(post).error_code)


def test_what_was_prepared_before_the_outage_goes_out_after_it(
    emulator: EmulatorProcess, tmp_path: Path
) -> None:
    """An outage of hours is longer than any step's timeout: 10 minutes on Threads."""
    room = an_engine_room(emulator, tmp_path, platforms=(Platform.THREADS,))
    posts = [
        room.scheduled(f"Bread {n}", in_=20 * MINUTE, platforms=(Platform.THREADS,))
        for n in range(3)
    ]
    room.pass_time(15 * MINUTE)
    assert all(room.target(post).progress.checkpoint for post in posts)

    room.clock.pass_time(timedelta(hours=3))
    room.pass_time(10 * MINUTE)

    ends = [(room.target(post).status, room.target(post).error_code) for post in posts]
    assert [("published", None)] * 3 == ends


@pytest.mark.parametrize(
    ("hours", "end"),
    [(3, ("published", None, 1)), (25, ("failed", "platform_unavailable", 0))],
)
def test_a_call_that_an_outage_cut_off_is_made_again_if_nothing_came_of_it(
    room: EngineRoom, hours: int, end: tuple[str, str | None, int]
) -> None:
    post = room.scheduled("Fresh bread sandbox:lost", in_=MINUTE)
    room.clock.pass_time(MINUTE)
    room.run_due()
    assert room.target(post).is_in_doubt

    room.clock.pass_time(timedelta(hours=hours))
    room.pass_time(MINUTE)

    target = room.target(post)
    assert (target.status, target.error_code, len(room.taken(post))) == end


def test_what_was_sent_before_the_outage_is_looked_for_however_late(room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread sandbox:ambiguous", in_=MINUTE)
    room.clock.pass_time(MINUTE)
    room.run_due()
    assert "publishing" == room.target(post).status

    room.clock.pass_time(timedelta(hours=30))
    room.run_due()

    assert "published" == room.target(post).status
    assert 1 == len(room.taken(post))
