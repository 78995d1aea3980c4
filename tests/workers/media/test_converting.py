"""The convert lane when things go wrong: workers die, messages double, files leave, places lack."""

import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from datetime import timedelta
from itertools import islice
from pathlib import Path

import pytest

from chalicelib.domain.media.media import Media
from chalicelib.domain.media.recipes import Recipe
from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.platforms.platform import Platform
from chalicelib.storage.media.conversions import MAKING
from chalicelib.storage.media.prepared_copies import OUR_FAULT_KEPT
from chalicelib.storage.media.queues import convert_message
from chalicelib.storage.media.store import S3MediaStore
from chalicelib.storage.media.stored_file import MediaUnreadableError
from chalicelib.workers.media.converting import MOST_TRIES, CopyMaker
from chalicelib.workers.media.isolated.converter import LibraryMissingError, MemoryShortError
from chalicelib.workers.media.shared_copies import (
    BeingMadeError,
    NotPreparedError,
)
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.engines import needs_threads
from tests.support.frozen_clock import NOON
from tests.support.media_rooms import MediaRooms, media_rooms
from tests.support.sample_media import samples
from tests.workers.media.lane import PHOTO, SECOND, VIDEO, Kept, Lane
from tests.workers.media.studio import TRIM, a_studio


@pytest.fixture(scope="module")
def rooms(emulator: EmulatorProcess) -> MediaRooms:
    return media_rooms(make_resources(emulator.endpoint))


@pytest.fixture
def lane(rooms: MediaRooms) -> Lane:
    return Lane(rooms)


def test_who_waits_comes_back_soon_first_and_later_less_often(lane: Lane) -> None:
    media, waits = lane.ask(), []

    for age in (0, 2, 20, 600):
        lane.clock.now = NOON + age * SECOND
        with pytest.raises(BeingMadeError) as waiting:
            lane.copies.find_or_request(media, PHOTO)
        waits.append(waiting.value.wait.total_seconds())

    assert waits == [0.25, 1, 10, 30]


def test_a_message_twice_makes_one_copy(lane: Lane) -> None:
    media = lane.ask()
    lane.queue.sent *= 2

    lane.deliver()
    lane.deliver()

    assert lane.maker.made == [media.id]
    assert not lane.waits(media)


def test_a_message_again_while_the_copy_is_being_made_does_nothing(lane: Lane) -> None:
    media = lane.ask()
    (asked,) = lane.queue.sent
    again = replace(lane.maker, during=lambda _: lane.worker().run(convert_message(asked)))

    lane.deliver(lane.worker(again))

    assert lane.maker.made == [media.id]
    assert not lane.waits(media)


def test_a_worker_that_died_is_followed_when_its_claim_ends(lane: Lane) -> None:
    media = lane.ask()
    died = lane.queue.sent.pop()
    assert lane.rooms.conversions.claim(died, "dead", now=NOON)

    lane.clock.now = NOON + MAKING - SECOND
    assert lane.waits(media)
    assert lane.queue.sent == []
    lane.clock.now = NOON + MAKING
    assert lane.waits(media)
    assert lane.waits(media)
    lane.deliver()

    assert lane.maker.made == [media.id]
    assert not lane.waits(media)


def test_a_file_that_left_before_its_message_is_not_converted(lane: Lane) -> None:
    media = lane.ask()
    lane.rooms.copies.drop_all(media)

    lane.deliver()

    assert lane.maker.made == []


@pytest.mark.parametrize("recipe", [PHOTO, VIDEO], ids=["photo", "video"])
def test_a_file_that_leaves_while_it_is_converted_leaves_nothing(
    lane: Lane, recipe: Recipe
) -> None:
    media = lane.ask(recipe)

    lane.deliver(lane.worker(replace(lane.maker, during=lane.rooms.copies.drop_all)))

    assert lane.maker.made == [media.id]
    assert lane.objects(media) == []
    assert lane.rooms.copies.state(media.id, recipe.name, now=NOON) is None


def test_a_bucket_that_does_not_answer_is_tried_again(lane: Lane) -> None:
    media = lane.ask()

    def unreachable(_: Media) -> None:
        raise MediaUnreadableError

    lane.deliver(lane.worker(replace(lane.maker, during=unreachable)))
    with pytest.raises(NotPreparedError) as failure:
        lane.copies.find_or_request(media, PHOTO)
    lane.deliver()

    assert failure.value.failed.code == FailureCode.MEDIA_UNAVAILABLE
    assert not lane.waits(media)


def test_what_breaks_every_worker_is_given_up(lane: Lane) -> None:
    media = lane.ask()

    def breaks(_: Media) -> None:
        raise RuntimeError

    worker = lane.worker(replace(lane.maker, during=breaks))
    for _ in range(MOST_TRIES):
        asked = lane.queue.sent[0]
        with pytest.raises(RuntimeError):
            worker.run(convert_message(asked))
    worker.run(convert_message(asked))

    copy = lane.copies.find_or_request(media, PHOTO)
    assert copy.refused == FailureCode.PROCESSING_FAILED
    assert lane.maker.made == [media.id] * MOST_TRIES


def test_a_missing_library_is_named_and_tried_anew_once_it_may_be_there(lane: Lane) -> None:
    media = lane.ask()

    def missing(_: Media) -> None:
        raise LibraryMissingError("No module named 'av'")

    lane.deliver(lane.worker(replace(lane.maker, during=missing)))
    copy = lane.copies.find_or_request(media, PHOTO)
    lane.clock.now += OUR_FAULT_KEPT + SECOND

    assert copy.refused == FailureCode.PROCESSING_FAILED
    assert "No module named 'av'" in str(copy.detail)
    assert lane.waits(media)
    lane.deliver()
    assert not lane.waits(media)


def test_a_file_that_memory_does_not_suffice_for_is_refused_with_the_reason_told_once(
    lane: Lane, caplog: pytest.LogCaptureFixture
) -> None:
    media = lane.ask()

    def ended_by_the_kernel(_: Media) -> None:
        raise MemoryShortError

    worker = lane.worker(replace(lane.maker, during=ended_by_the_kernel))
    asked = lane.queue.sent[-1]
    for _ in range(3):
        worker.run(convert_message(asked))
    copy = lane.copies.find_or_request(media, PHOTO)

    assert copy.refused == FailureCode.PROCESSING_FAILED
    assert "needs more memory" in str(copy.detail)
    told = [record for record in caplog.records if record.__dict__.get("action") == "media.memory"]
    assert len(told) == 1
    assert "media.unavailable" not in {r.__dict__.get("action") for r in caplog.records}


@needs_threads
def test_fifty_long_conversions_of_one_workspace_leave_room_for_anothers(lane: Lane) -> None:
    ends, running = threading.Event(), threading.Semaphore(0)
    noisy = [lane.ask(VIDEO, workspace_id="8" * 32).id for _ in range(50)]
    quiet = [lane.ask(VIDEO, workspace_id="9" * 32), lane.ask(PHOTO, workspace_id="9" * 32)]

    def long(media: Media) -> None:
        if media.id in noisy:
            running.release()
            assert ends.wait(240)

    worker = lane.worker(replace(lane.maker, during=long))
    messages = [convert_message(asked) for asked in lane.queue.sent]
    with ThreadPoolExecutor(4) as places:
        done = [places.submit(worker.run, message) for message in messages]
        for one in islice(as_completed(done, timeout=240), len(messages) - 2):
            one.result()
        waiting = [lane.waits(quiet[0], VIDEO), lane.waits(quiet[1], PHOTO)]
        begun = [media_id for media_id in lane.maker.made if media_id in noisy]
        ends.set()

    assert waiting == [False, False]
    assert len(begun) == 2
    assert len(lane.queue.sent) == len(messages) + 48


WORKSPACE = "1" * 32


def _hold_places(lane: Lane, *places: int) -> None:
    for place in places:
        assert lane.rooms.conversions.places.hold(WORKSPACE, place, "other", now=NOON)


def _leave_places(lane: Lane, *places: int) -> None:
    for place in places:
        lane.rooms.conversions.places.leave(WORKSPACE, place, "other")


def test_a_copy_waits_a_moment_for_a_place_that_is_about_to_be_free(lane: Lane) -> None:
    media, waited = lane.ask(VIDEO), []
    _hold_places(lane, 0, 1)

    def until_one_leaves(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 2:
            _leave_places(lane, 1)

    lane.deliver(lane.worker(wait=until_one_leaves))

    assert not lane.waits(media, VIDEO)
    assert sum(waited) == pytest.approx(0.4)
    _leave_places(lane, 0)


def test_what_finds_no_place_is_put_back_for_longer_each_time(lane: Lane) -> None:
    lane.ask(VIDEO)
    _hold_places(lane, 0, 1)
    waited: list[list[float]] = []

    for _ in range(7):
        waited.append([])
        lane.deliver(lane.worker(wait=waited[-1].append))

    delays = [delay.total_seconds() for delay in lane.queue.delays]
    assert delays == [0, 2, 3, 5, 8, 10, 10, 10]
    assert sum(waited[0]) < 1
    assert waited[1:] == [[]] * 6, "only what is new holds a function while it waits"
    _leave_places(lane, 0, 1)


def test_a_photo_leaves_its_workspaces_places_for_videos_free(lane: Lane) -> None:
    video, photo = lane.ask(VIDEO), lane.ask(PHOTO)
    _hold_places(lane, 0)
    of_video = convert_message(lane.queue.sent.pop(0))

    lane.deliver(lane.worker(replace(lane.maker, during=lambda _: lane.worker().run(of_video))))

    assert lane.maker.made == [photo.id, video.id]
    _leave_places(lane, 0)


def test_a_child_whose_libraries_do_not_load_says_which(
    rooms: MediaRooms, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a runtime whose C library is older than what the wheel was made for."""
    broken = tmp_path / "PIL"
    broken.mkdir()
    (broken / "__init__.py").write_text(
        'raise ImportError("/lib64/libc.so.6: version `GLIBC_2.28\' not found")'
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    lane = Lane(rooms)
    media = lane.ask()

    lane.deliver(lane.worker(CopyMaker(S3MediaStore(rooms.s3, rooms.settings.media_bucket))))

    copy = lane.copies.find_or_request(media, PHOTO)
    assert copy.refused == FailureCode.PROCESSING_FAILED
    assert "GLIBC_2.28" in str(copy.detail)


def test_a_target_whose_file_is_never_converted_ends(
    emulator: EmulatorProcess, tmp_path: Path
) -> None:
    studio = a_studio(emulator, tmp_path)
    studio.deployment.media.convert_queue = Kept()
    media = studio.upload(samples()["plain.webp"].data, "bread.webp")
    post = studio.post(media, {Platform.INSTAGRAM: TRIM})
    studio.room.pass_time(timedelta(minutes=50, seconds=1))

    studio.room.pass_time(timedelta(hours=2))

    assert studio.outcomes(post) == [("failed", "processing_timeout", False)]
    assert studio.room.target(post).progress.wakes == 0
