"""What becomes of a target, for each thing that the sandbox platform can do to it."""

from datetime import timedelta
from pathlib import Path

import pytest

from tests.emulator import EmulatorProcess
from tests.engine_room import EngineRoom, an_engine_room

MINUTES_5 = timedelta(minutes=5)
HOURS_2 = timedelta(hours=2)


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


def test_a_scheduled_target_goes_out_at_its_second_and_not_before(room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread", in_=MINUTES_5)

    room.pass_time(MINUTES_5 - timedelta(milliseconds=1))
    before = room.taken(post)
    room.pass_time(timedelta(milliseconds=1))

    assert before == []
    assert "published" == room.target(post).status
    assert [room.target(post).due_at] == [entry.created_at for entry in room.taken(post)]


@pytest.mark.parametrize(
    ("words", "status", "code", "taken"),
    [
        ("sandbox:fail:caption_rejected", "failed", "caption_rejected", 0),
        ("sandbox:flaky:3", "published", None, 1),
        ("sandbox:slow:120", "published", None, 1),
        ("sandbox:ambiguous", "published", None, 1),
        ("sandbox:taken_5xx", "published", None, 1),
        ("sandbox:lost", "published", None, 1),
        ("sandbox:hidden:90", "published", None, 1),
        ("sandbox:untellable", "failed", "outcome_unknown", 1),
        ("sandbox:hang:3", "published", None, 1),
        ("sandbox:hang:50", "published", None, 1),
        ("sandbox:limit:600", "published", None, 1),
        ("sandbox:limit:20000", "published", None, 1),
        ("sandbox:slow_upload:40", "published", None, 1),
        ("sandbox:expired", "failed", "auth_expired", 0),
    ],
)
def test_every_behaviour_of_the_platform_ends_in_the_truth(
    room: EngineRoom, words: str, status: str, code: str | None, taken: int
) -> None:
    post = room.scheduled(f"Fresh bread {words}")

    room.pass_time(timedelta(hours=8))

    target = room.target(post)
    assert (status, code, taken) == (target.status, target.error_code, len(room.taken(post)))
    assert target.motion.wake_at is None
