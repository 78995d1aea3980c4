"""A target whose copy is being made: how often it looks, and what each look costs."""

from datetime import datetime, timedelta
from pathlib import Path

from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.post import Post
from tests.support.emulator import EmulatorProcess
from tests.support.sample_media import samples
from tests.workers.media.lane import SECOND, Kept
from tests.workers.media.studio import TRIM, Studio, a_studio


def test_what_is_due_later_looks_for_its_copy_less_often(
    emulator: EmulatorProcess, tmp_path: Path
) -> None:
    studio, post = _waiting_for_its_copy(emulator, tmp_path, timedelta(minutes=10))

    studio.room.run_due()

    wakes_at = studio.room.target(post).progress.wake_at
    assert wakes_at == studio.room.clock() + timedelta(seconds=5)
    assert studio.room.waited == []


def test_near_its_second_a_copy_is_waited_for_without_a_message(
    emulator: EmulatorProcess, tmp_path: Path
) -> None:
    studio, post = _waiting_for_its_copy(emulator, tmp_path, timedelta(seconds=14))

    studio.room.run_due()

    wakes_at = studio.room.target(post).progress.wake_at
    assert wakes_at is not None
    assert wakes_at - studio.room.clock() > SECOND
    assert 2 < sum(studio.room.waited) < 3


def test_a_copy_that_takes_forty_seconds_costs_nine_messages(
    emulator: EmulatorProcess, tmp_path: Path
) -> None:
    """Lambda ends a chain of messages after sixteen (docs/operations.md): this took 21."""
    studio, post = _waiting_for_its_copy(emulator, tmp_path, timedelta(0))
    begun, messages = studio.room.clock(), 0

    while studio.room.clock() < begun + timedelta(seconds=40):
        studio.room.run_due()
        messages += 1
        wakes_at = studio.room.target(post).progress.wake_at
        assert wakes_at is not None
        studio.room.clock.now = wakes_at

    assert messages <= 9


def test_what_an_outage_made_late_has_its_hour_from_its_first_look(
    emulator: EmulatorProcess, tmp_path: Path
) -> None:
    """Both what nobody had asked for before it, and what was being waited for when it began."""
    studio, post = _waiting_for_its_copy(emulator, tmp_path, -timedelta(hours=2))
    first_look = studio.room.clock()

    assert _waits_until(studio, post) - first_look >= timedelta(hours=1)

    again = tmp_path / "again"
    again.mkdir()
    studio, post = _waiting_for_its_copy(emulator, again, timedelta(minutes=5))
    studio.room.run_due()
    studio.room.clock.now += timedelta(hours=3)
    first_look = studio.room.clock()

    assert _waits_until(studio, post) - first_look >= timedelta(hours=1)


def _waits_until(studio: Studio, post: Post) -> datetime:
    """Return the last moment at which a target still waited for its copy."""
    while True:
        studio.room.run_due()
        target = studio.room.target(post)
        if target.progress.wake_at is None:
            assert target.error_code == FailureCode.PROCESSING_TIMEOUT
            return studio.room.clock()
        studio.room.clock.now = target.progress.wake_at


def _waiting_for_its_copy(
    emulator: EmulatorProcess, folder: Path, ahead: timedelta
) -> tuple[Studio, Post]:
    """Return a post that is due so much later, whose copy nobody makes."""
    studio = a_studio(emulator, folder)
    studio.deployment.media.convert_queue = Kept()
    media = studio.upload(samples()["plain.webp"].data, "bread.webp")
    post = studio.post(media, {Platform.INSTAGRAM: TRIM})
    due_at = studio.room.target(post).due_at
    assert due_at is not None
    studio.room.clock.now = due_at - ahead
    return studio, post
