"""Who makes a copy, how long it counts, and that it leaves with its file."""

import threading
from datetime import timedelta

import pytest

from chalicelib.domain.ids import new_id
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.types import MediaType
from chalicelib.storage.media.prepared_copies import KEPT, MAKING, Claim, PreparedCopy
from chalicelib.storage.media.store import prepared_key
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.engines import needs_threads
from tests.support.frozen_clock import NOON
from tests.support.media_rooms import WORKSPACE, MediaRooms, media_rooms

RECIPE = "video1-start-180000"
SECOND = timedelta(seconds=1)


@pytest.fixture(scope="module")
def rooms(emulator: EmulatorProcess) -> MediaRooms:
    return media_rooms(make_resources(emulator.endpoint))


def a_copy(recipe: str = RECIPE) -> PreparedCopy:
    return PreparedCopy(
        recipe=recipe, made_at=NOON, size_bytes=9, width=3, height=4, duration_s=179.967
    )


def test_what_was_kept_is_found_until_it_is_old(rooms: MediaRooms) -> None:
    media_id = new_id(NOON)
    rooms.copies.keep(media_id, a_copy())

    assert a_copy() == rooms.copies.find(media_id, RECIPE, now=NOON + KEPT)
    assert rooms.copies.find(media_id, RECIPE, now=NOON + KEPT + SECOND) is None
    assert rooms.copies.find(media_id, "another", now=NOON) is None


@needs_threads
def test_one_of_many_makers_gets_the_claim(rooms: MediaRooms) -> None:
    media_id, won = new_id(NOON), []

    def claim(maker: str) -> None:
        if rooms.copies.claim(media_id, RECIPE, maker, now=NOON):
            won.append(maker)

    threads = [threading.Thread(target=claim, args=(f"maker-{n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert 1 == len(won)
    assert rooms.copies.find(media_id, RECIPE, now=NOON) is None


def test_a_maker_that_died_is_followed_by_itself_at_once_and_by_others_later(
    rooms: MediaRooms,
) -> None:
    media_id = new_id(NOON)
    rooms.copies.claim(media_id, RECIPE, "first", now=NOON)

    assert rooms.copies.claim(media_id, RECIPE, "first", now=NOON + SECOND)
    assert not rooms.copies.claim(media_id, RECIPE, "second", now=NOON + MAKING)
    assert rooms.copies.claim(media_id, RECIPE, "second", now=NOON + SECOND + MAKING)
    assert not rooms.copies.still_making(media_id, RECIPE, "first", now=NOON)


def test_a_maker_at_work_keeps_its_claim(rooms: MediaRooms) -> None:
    media_id = new_id(NOON)
    rooms.copies.claim(media_id, RECIPE, "first", now=NOON)
    work = Claim(rooms.copies, media_id, RECIPE, "first")

    for minute in range(10):
        work.alive(NOON + timedelta(minutes=minute))

    assert not rooms.copies.claim(media_id, RECIPE, "second", now=NOON + timedelta(minutes=10))


def test_a_claim_given_up_is_free(rooms: MediaRooms) -> None:
    media_id = new_id(NOON)
    rooms.copies.claim(media_id, RECIPE, "first", now=NOON)

    rooms.copies.give_up(media_id, RECIPE, "first", now=NOON)

    assert rooms.copies.claim(media_id, RECIPE, "second", now=NOON)


def test_every_copy_leaves_with_its_file_and_no_other(rooms: MediaRooms) -> None:
    gone, stays = a_file(), a_file()
    for media in (gone, stays):
        for recipe in (RECIPE, "video1-whole"):
            rooms.copies.keep(media.id, a_copy(recipe))
            key = prepared_key(WORKSPACE, media.id, recipe)
            rooms.store.put(key, b"copy", MediaType.MP4)

    rooms.copies.drop_all(gone)
    rooms.copies.drop_all(gone)

    assert rooms.copies.find(gone.id, RECIPE, now=NOON) is None
    assert 2 == len(rooms.objects())
    assert all(stays.id in key for key in rooms.objects())


def a_file() -> Media:
    return Media(
        id=new_id(NOON),
        workspace_id=WORKSPACE,
        mime=MediaType.MP4,
        filename="oven.mp4",
        size_bytes=1,
        width=1,
        height=1,
        created_at=NOON,
    )
