"""Copies that differ in nothing but what must not leave: what is read for them, and how long.

A large video is copied by the storage itself: the lane reads its head.
"""

import random
import time

import pytest

from chalicelib.domain.ids import new_id
from chalicelib.domain.media.cleaning.movies import is_clean_movie
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.types import MediaType
from chalicelib.domain.outcome import FailureCode
from chalicelib.kit.media_headers.ranged_file import RangedFile
from chalicelib.storage.media.copy_files import CopyPlaces
from chalicelib.storage.media.store import file_key
from chalicelib.workers.media.clean_copy import clean_copy
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.frozen_clock import NOON
from tests.support.media_rooms import MediaRooms, media_rooms
from tests.support.sample_media import Clip, box, encode, samples
from tests.support.telling_photos import CREDITS, SECRETS, telling_jpeg
from tests.support.telling_videos import SECRETS_OF_VIDEOS, telling_video, user_data

MILLION = 1_000_000
LARGE = 250 * MILLION
LONGEST_S = 10.0
MOST_READ = 3 * 8 * 1024 * 1024
"""The parts with the first and the last byte, and what is read to know what they must become."""


@pytest.fixture(scope="module")
def rooms(emulator: EmulatorProcess) -> MediaRooms:
    return media_rooms(make_resources(emulator.endpoint))


class Counted(CopyPlaces):
    """Counts the bytes that are read of the file."""

    bytes_read = 0

    def read(self, offset: int, length: int) -> bytes:
        found = super().read(offset, length)
        self.bytes_read += len(found)
        return found


def stored(rooms: MediaRooms, mime: MediaType, *pieces: bytes) -> tuple[Media, Counted]:
    media = Media(
        id=new_id(NOON),
        workspace_id="1" * 32,
        mime=mime,
        filename="oven",
        size_bytes=sum(map(len, pieces)),
        width=320,
        height=180,
        created_at=NOON,
        duration_s=4.0,
        video_codec="h264",
        audio_codec="aac",
    )
    writer = rooms.store.writer(file_key(media.workspace_id, media.id), mime)
    for piece in pieces:
        writer.write(piece)
    writer.finish()
    return media, Counted(rooms.store, media, "clean2")


def a_large_video() -> list[bytes]:
    """Return the pieces of a video whose last picture is that large, with a place in its index."""
    video = encode(Clip(seconds=2, with_sound=False))
    media, moov = video.index(b"mdat") - 4, video.rindex(b"moov") - 4
    size = int.from_bytes(video[media : media + 4]) + LARGE
    index = bytearray(video[moov + 8 :])
    table = index.index(b"stsz")
    last = table + 12 + 4 * int.from_bytes(index[table + 12 : table + 16])
    index[last : last + 4] = (int.from_bytes(index[last : last + 4]) + LARGE).to_bytes(4)
    head = video[:media] + size.to_bytes(4) + video[media + 4 : moov]
    filling = [b"\x47" * MILLION] * (LARGE // MILLION)
    return [head, *filling, box(b"moov", bytes(index), user_data())]


def test_of_a_large_video_the_lane_reads_its_head_and_its_index(rooms: MediaRooms) -> None:
    pieces = a_large_video()
    media, places = stored(rooms, MediaType.MP4, *pieces)
    began = time.perf_counter()

    made = clean_copy(media, places, lambda: None)

    took = time.perf_counter() - began
    assert media.size_bytes == made
    assert places.bytes_read <= MOST_READ
    assert took <= LONGEST_S
    index = places.read_copy(media.size_bytes - len(pieces[-1]), len(pieces[-1]))
    assert [] == [word for word in SECRETS_OF_VIDEOS if word in index]
    assert CREDITS[1] in index
    for at in (0, LARGE // 2, LARGE - MILLION):
        assert places.read(at, 4096) == places.read_copy(at, 4096)
    rooms.store.delete(file_key(media.workspace_id, media.id))
    places.drop()


def test_a_video_whose_parts_cannot_be_told_apart_is_packed_anew(rooms: MediaRooms) -> None:
    head, _, rest = telling_video().rpartition(b"stbl")
    media, places = stored(rooms, MediaType.MP4, head + b"stbx" + rest)

    made = clean_copy(media, places, lambda: None)

    assert isinstance(made, int)
    copy = places.read_copy(0, made)
    assert [] == [word for word in SECRETS_OF_VIDEOS if word in copy]
    assert is_clean_movie(RangedFile(places.read_copy, made))


def test_a_video_that_nobody_can_read_is_refused(rooms: MediaRooms) -> None:
    odd = telling_video().replace(b"stsz", b"stz2", 1)
    media, places = stored(rooms, MediaType.MP4, odd)

    assert clean_copy(media, places, lambda: None) is FailureCode.MEDIA_REJECTED


def test_a_clean_video_needs_no_copy(rooms: MediaRooms) -> None:
    media, places = stored(rooms, MediaType.MP4, samples()["index_last.mp4"].data)

    assert clean_copy(media, places, lambda: None) is None


def test_a_photo_of_ten_megabytes_is_copied_in_little_more_than_it_takes_to_write_it(
    rooms: MediaRooms,
) -> None:
    photo = telling_jpeg()
    scan = photo.index(b"\xff\xda") + 14
    packed = random.Random(47).randbytes(10_000_000).replace(b"\xff", b"\xff\0")
    media, places = stored(rooms, MediaType.JPEG, photo[:scan], packed, photo[scan:])

    began = time.perf_counter()
    made = clean_copy(media, places, lambda: None)
    took = time.perf_counter() - began

    assert isinstance(made, int)
    assert took <= 1
    copy = places.read_copy(0, made)
    assert packed in copy
    assert [] == [word for word in SECRETS if word in copy[: len(photo)]]


def test_a_damaged_photo_is_refused(rooms: MediaRooms) -> None:
    media, places = stored(rooms, MediaType.JPEG, telling_jpeg()[:900])

    assert clean_copy(media, places, lambda: None) is FailureCode.MEDIA_REJECTED
