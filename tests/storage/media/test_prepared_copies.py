"""Who makes a copy, how long it counts, and that it leaves with its file."""

import threading
from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.domain.ids import new_id
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.recipes import Keep, PhotoRecipe, PosterRecipe, Recipe, VideoRecipe
from chalicelib.domain.media.types import MediaType
from chalicelib.domain.outcome import FailureCode
from chalicelib.storage.media.conversions import MAKING, AskedFor
from chalicelib.storage.media.prepared_copies import (
    ASKED_AGAIN_AFTER,
    KEPT,
    OUR_FAULT_KEPT,
    AskedCopy,
    PreparedCopy,
)
from chalicelib.storage.media.store import prepared_key
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.engines import needs_threads
from tests.support.frozen_clock import NOON
from tests.support.media_rooms import WORKSPACE, MediaRooms, media_rooms

TRIMMED = VideoRecipe(keep=Keep.START, longest_ms=180_000)
RECIPE = TRIMMED.name
SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)


@pytest.fixture(scope="module")
def rooms(emulator: EmulatorProcess) -> MediaRooms:
    return media_rooms(make_resources(emulator.endpoint))


def a_copy(recipe: str = RECIPE) -> PreparedCopy:
    return PreparedCopy(
        recipe=recipe, made_at=NOON, size_bytes=9, width=3, height=4, duration_s=179.967
    )


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


def asked(rooms: MediaRooms, media: Media, recipe: Recipe = TRIMMED) -> AskedFor:
    """Ask for a copy; return what the message would say."""
    rooms.conversions.ask(media, recipe, now=NOON)
    return AskedFor(workspace_id=WORKSPACE, media_id=media.id, recipe=recipe.name, asked_at=NOON)


def state(rooms: MediaRooms, asked: AskedFor) -> AskedCopy:
    found = rooms.copies.state(asked.media_id, asked.recipe, now=NOON)
    assert isinstance(found, AskedCopy)
    return found


def test_what_was_kept_is_found_until_it_is_old(rooms: MediaRooms) -> None:
    wanted = asked(rooms, a_file())
    rooms.conversions.claim(wanted, "first", now=NOON)

    assert rooms.conversions.keep(wanted, "first", a_copy())

    def find(age: timedelta) -> PreparedCopy | None:
        return rooms.copies.find(wanted.media_id, RECIPE, now=NOON + age)

    assert a_copy() == find(KEPT)
    assert find(KEPT + SECOND) is None
    assert rooms.copies.find(wanted.media_id, "another", now=NOON) is None


def test_a_refusal_that_is_our_own_fault_is_soon_tried_again(rooms: MediaRooms) -> None:
    wanted = asked(rooms, a_file())
    rooms.conversions.claim(wanted, "first", now=NOON)
    refused = replace(a_copy(), refused=FailureCode.PROCESSING_FAILED, detail="av is missing")

    rooms.conversions.keep(wanted, "first", refused)

    find = rooms.copies.find
    assert refused == find(wanted.media_id, RECIPE, now=NOON + OUR_FAULT_KEPT)
    assert find(wanted.media_id, RECIPE, now=NOON + OUR_FAULT_KEPT + SECOND) is None


@pytest.mark.parametrize(
    "recipe",
    [
        TRIMMED,
        VideoRecipe(encode=True),
        PhotoRecipe(most_bytes=9, most_width=8, most_height=7),
        PosterRecipe(),
    ],
    ids=lambda recipe: recipe.name,
)
def test_the_row_tells_the_maker_all_it_needs(rooms: MediaRooms, recipe: Recipe) -> None:
    media = a_file()
    wanted = asked(rooms, media, recipe)

    conversion = rooms.conversions.claim(wanted, "first", now=NOON)

    assert conversion is not None
    assert (media, recipe, 1) == (conversion.media, conversion.recipe, conversion.tries)


@needs_threads
def test_one_of_many_makers_gets_the_claim(rooms: MediaRooms) -> None:
    wanted = asked(rooms, a_file())
    won = []

    def claim(maker: str) -> None:
        if rooms.conversions.claim(wanted, maker, now=NOON):
            won.append(maker)

    threads = [threading.Thread(target=claim, args=(f"maker-{n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert 1 == len(won)
    assert rooms.copies.find(wanted.media_id, RECIPE, now=NOON) is None


def test_a_maker_that_died_is_asked_for_again_once_and_followed(rooms: MediaRooms) -> None:
    wanted, later = asked(rooms, a_file()), NOON + SECOND + MAKING
    rooms.conversions.claim(wanted, "first", now=NOON + SECOND)

    assert rooms.conversions.claim(wanted, "second", now=NOON + MAKING) is None
    assert not state(rooms, wanted).is_overlooked(NOON + MAKING)
    assert state(rooms, wanted).is_overlooked(later)
    assert rooms.conversions.ask_again(wanted.media_id, state(rooms, wanted), now=later)
    assert not state(rooms, wanted).is_overlooked(later + SECOND)
    assert rooms.conversions.claim(wanted, "second", now=later) is not None
    assert not rooms.conversions.still_making(wanted, "first", now=later)
    assert not rooms.conversions.keep(wanted, "first", a_copy())


def test_a_message_that_was_lost_is_sent_again_after_a_while(rooms: MediaRooms) -> None:
    wanted = asked(rooms, a_file())
    found = state(rooms, wanted)

    assert not found.is_overlooked(NOON + ASKED_AGAIN_AFTER - SECOND)
    assert found.is_overlooked(NOON + ASKED_AGAIN_AFTER)
    assert rooms.conversions.ask_again(wanted.media_id, found, now=NOON + ASKED_AGAIN_AFTER)
    assert not rooms.conversions.ask_again(wanted.media_id, found, now=NOON + ASKED_AGAIN_AFTER)


def test_who_asks_after_everything_stood_still_begins_to_wait(rooms: MediaRooms) -> None:
    wanted, soon, later = asked(rooms, a_file()), NOON + 10 * MINUTE, NOON + 21 * MINUTE

    assert rooms.conversions.ask_again(wanted.media_id, state(rooms, wanted), now=soon)
    assert state(rooms, wanted).since == NOON
    assert rooms.conversions.ask_again(wanted.media_id, state(rooms, wanted), now=later)
    assert state(rooms, wanted).since == later


def test_who_asks_while_a_long_copy_is_made_has_waited_since_the_first(rooms: MediaRooms) -> None:
    wanted = asked(rooms, a_file())
    rooms.conversions.claim(wanted, "first", now=NOON + 9 * MINUTE)

    assert not state(rooms, wanted).is_forgotten(NOON + 9 * MINUTE + MAKING + 10 * MINUTE)
    assert state(rooms, wanted).is_forgotten(NOON + 10 * MINUTE + MAKING + 10 * MINUTE)


def test_a_maker_at_work_keeps_its_claim(rooms: MediaRooms) -> None:
    wanted = asked(rooms, a_file())
    rooms.conversions.claim(wanted, "first", now=NOON)

    for n in range(10):
        now = NOON + n * MAKING / 2
        assert rooms.conversions.still_making(wanted, "first", now=now)

    assert rooms.conversions.claim(wanted, "second", now=now) is None


def test_a_claim_given_up_is_free_and_says_that_it_broke_off(rooms: MediaRooms) -> None:
    wanted = asked(rooms, a_file())
    rooms.conversions.claim(wanted, "first", now=NOON)

    rooms.conversions.give_up(wanted, "first")

    assert state(rooms, wanted).failed
    assert rooms.conversions.claim(wanted, "second", now=NOON) is not None


def test_nobody_makes_what_is_made_or_left(rooms: MediaRooms) -> None:
    made, left = asked(rooms, a_file()), asked(rooms, gone := a_file())
    rooms.conversions.claim(made, "first", now=NOON)
    rooms.conversions.keep(made, "first", a_copy())
    rooms.conversions.claim(left, "first", now=NOON)
    rooms.copies.drop_all(gone)

    assert rooms.conversions.claim(made, "second", now=NOON + 2 * MAKING) is None
    assert rooms.conversions.claim(left, "second", now=NOON + 2 * MAKING) is None
    assert not rooms.conversions.still_making(left, "first", now=NOON)
    assert not rooms.conversions.keep(left, "first", a_copy())
    assert rooms.conversions.is_gone(left)


def test_a_workspace_has_its_places_and_gets_back_those_of_the_dead(rooms: MediaRooms) -> None:
    def take(maker: str, now: timedelta = timedelta(0)) -> int | None:
        return rooms.conversions.places.take("w1", maker, places=(0, 1), now=NOON + now)

    assert (0, 1, None) == (take("a"), take("b"), take("c"))
    rooms.conversions.places.leave("w1", 0, "b")
    assert take("c") is None
    rooms.conversions.places.leave("w1", 1, "b")
    assert 1 == take("c")
    rooms.conversions.places.hold("w1", 1, "c", now=NOON + MAKING)
    assert (0, None) == (take("d", MAKING), take("e", MAKING))


def test_every_copy_leaves_with_its_file_and_no_other(rooms: MediaRooms) -> None:
    gone, stays = a_file(), a_file()
    for media in (gone, stays):
        for recipe in (TRIMMED, VideoRecipe()):
            asked(rooms, media, recipe)
            key = prepared_key(WORKSPACE, media.id, recipe.name)
            rooms.store.put(key, b"copy", MediaType.MP4)

    rooms.copies.drop_all(gone)
    rooms.copies.drop_all(gone)

    assert rooms.copies.state(gone.id, RECIPE, now=NOON) is None
    assert rooms.copies.state(stays.id, RECIPE, now=NOON) is not None
    assert 2 == len(rooms.objects())
    assert all(stays.id in key for key in rooms.objects())
