"""Objects as files: exact bytes at every place, and a head that can be written last."""

import os
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from botocore.exceptions import EndpointConnectionError

from chalicelib.domain.ids import new_id
from chalicelib.domain.media.cleaning.patches import Patch
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.types import MediaType
from chalicelib.storage.media import seekable
from chalicelib.storage.media.copy_files import CopyPlaces, CopyUnwritableError, PatchableObject
from chalicelib.storage.media.seekable import SeekableObject
from chalicelib.storage.media.store import S3MediaStore, file_key
from chalicelib.storage.media.stored_file import MediaUnreadableError, reason_of
from chalicelib.storage.media.writer import PART_BYTES
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.engines import sends_parts
from tests.support.frozen_clock import NOON
from tests.support.media_rooms import MediaRooms, media_rooms


@pytest.fixture(scope="module")
def rooms(emulator: EmulatorProcess) -> MediaRooms:
    return media_rooms(make_resources(emulator.endpoint))


def a_file(rooms: MediaRooms, data: bytes) -> tuple[Media, CopyPlaces]:
    """Store a video; return its record and where a copy of it is written."""
    media = Media(
        id=new_id(NOON),
        workspace_id="1" * 32,
        mime=MediaType.MP4,
        filename="oven.mp4",
        size_bytes=len(data),
        width=1,
        height=1,
        created_at=NOON,
    )
    with_parts = rooms.store.writer(file_key(media.workspace_id, media.id), media.mime)
    with_parts.write(data)
    with_parts.finish()
    return media, CopyPlaces(rooms.store, media, "clean2")


def test_a_file_that_cannot_be_read_or_copied_says_why(rooms: MediaRooms) -> None:
    media, places = a_file(rooms, b"bread")
    rooms.store.delete(file_key(media.workspace_id, media.id))

    with pytest.raises(MediaUnreadableError, match="NoSuchKey"):
        places.read(0, 5)
    with pytest.raises(CopyUnwritableError, match="NoSuchBucket"):
        CopyPlaces(S3MediaStore(rooms.s3, "no-such-bucket"), media, "clean2").put(b"", media.mime)


def test_why_a_bucket_was_not_reached_is_said_without_the_link() -> None:
    link = "https://bucket.s3.amazonaws.com/prepared/a?X-Amz-Signature=5c805d69"

    assert "EndpointConnectionError" == reason_of(EndpointConnectionError(endpoint_url=link))


def test_reads_are_exact_wherever_they_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seekable, "BLOCK_BYTES", 64)
    data = random.Random(5).randbytes(1000)
    asked: list[int] = []

    def read(offset: int, length: int) -> bytes:
        asked.append(offset)
        return data[offset : offset + length]

    file = SeekableObject(read, len(data))
    for place, length in ((0, 10), (60, 10), (990, 100), (5, 500), (999, 1), (1000, 5)):
        file.seek(place)
        assert data[place : place + length] == file.read(length)
        assert min(place + length, 1000) == file.tell()
    assert all(offset % 64 == 0 for offset in asked)


def test_a_place_can_be_named_from_the_end_and_from_here() -> None:
    file = SeekableObject(lambda offset, length: b"bread"[offset : offset + length], 5)

    file.seek(-3, os.SEEK_END)
    file.seek(1, os.SEEK_CUR)

    assert b"ad" == file.read()


def test_two_places_far_apart_are_read_in_turn_without_reading_blocks_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(seekable, "BLOCK_BYTES", 100)
    asked: list[int] = []

    def read(offset: int, length: int) -> bytes:
        asked.append(offset)
        return bytes(length)

    file = SeekableObject(read, 10_000)
    for step in range(10):
        for far in (0, 5_000):
            file.seek(far + step * 10)
            file.read(10)

    assert [0, 5_000] == asked


@sends_parts
@pytest.mark.parametrize("size", [10, PART_BYTES, PART_BYTES + 1, 3 * PART_BYTES + 5])
def test_a_head_written_last_stands_first(rooms: MediaRooms, size: int) -> None:
    body = random.Random(size).randbytes(size)
    file = PatchableObject(rooms.store.writer(f"prepared/{size}", MediaType.MP4))

    file.write(bytes(4))
    for start in range(4, size, 1_000_000):
        file.write(body[start : min(start + 1_000_000, size)])
    file.seek(0)
    file.write(body[:4])
    file.finish()

    assert size == file.size == rooms.store.size(f"prepared/{size}")
    assert body == rooms.store.whole(f"prepared/{size}")


@sends_parts
def test_a_larger_head_can_be_asked_for(rooms: MediaRooms) -> None:
    file = PatchableObject(rooms.store.writer("prepared/held", MediaType.MP4))
    file.hold(2 * PART_BYTES)

    file.seek(PART_BYTES + 1)
    file.write(bytes(2 * PART_BYTES))
    file.seek(PART_BYTES - 1)
    file.write(b"ab")
    file.finish()

    whole = rooms.store.whole("prepared/held")
    assert b"\0ab\0" == whole[PART_BYTES - 2 : PART_BYTES + 2]
    assert 3 * PART_BYTES + 1 == len(whole)


def test_what_lies_behind_the_head_cannot_be_changed(rooms: MediaRooms) -> None:
    file = PatchableObject(rooms.store.writer("prepared/fixed", MediaType.MP4))
    file.write(bytes(PART_BYTES + 10))

    file.seek(PART_BYTES + 1)
    with pytest.raises(ValueError, match="head"):
        file.write(b"late")


@sends_parts
def test_a_copy_that_is_given_up_leaves_nothing(rooms: MediaRooms) -> None:
    file = PatchableObject(rooms.store.writer("prepared/gone", MediaType.MP4))
    file.write(bytes(4 * PART_BYTES))

    file.abort()

    assert rooms.store.size("prepared/gone") is None
    assert 0 == rooms.open_parts()


def test_a_patched_copy_differs_from_its_file_where_it_is_patched_alone(rooms: MediaRooms) -> None:
    data = random.Random(47).randbytes(5 * PART_BYTES + 99)
    size, s3, bucket = len(data), rooms.s3, rooms.settings.media_bucket
    rooms.store.put("media/w/source", data, MediaType.MP4)
    patches = [
        Patch(3, 4, b"free"),
        Patch(PART_BYTES - 5, 10),
        Patch(3 * PART_BYTES + 1, 7),
        Patch(size - 9, 9),
    ]

    # Parts go out by boto3's own call, so that every engine can show it, moto among them.
    copy = replace(
        rooms.store.patched_copy("media/w/source", "prepared/w", MediaType.MP4, size, patches),
        send_part=lambda part, pieces: s3.upload_part(**part, Body=b"".join(pieces))["ETag"],
    )
    copy.write(lambda at, length: data[at : at + length], lambda: None)

    expected = bytearray(data)
    for patch in patches:
        expected[patch.at : patch.at + patch.length] = patch.data or bytes(patch.length)
    made = s3.get_object(Bucket=bucket, Key="prepared/w")
    assert (MediaType.MP4, size) == (made["ContentType"], made["ContentLength"])
    assert expected == made["Body"].read()


class SilentStore(S3MediaStore):
    """A bucket that does not answer when it is asked what it has."""

    def keys(self, prefix: str) -> Iterator[str]:
        raise EndpointConnectionError(endpoint_url=f"http://127.0.0.1/{prefix}")


def test_pieces_in_a_silent_bucket_are_unreadable_as_the_file_is(rooms: MediaRooms) -> None:
    """Else the worker would end as by a fault of its own, and log one."""
    media, _ = a_file(rooms, b"oven")
    silent = SilentStore(rooms.s3, rooms.settings.media_bucket)

    with pytest.raises(MediaUnreadableError):
        CopyPlaces(silent, media, "clean2").pieces.count()


@sends_parts
def test_a_patched_copy_that_breaks_off_leaves_nothing(rooms: MediaRooms) -> None:
    media, places = a_file(rooms, bytes(3 * PART_BYTES))
    left = iter([None])

    with pytest.raises(StopIteration):
        places.write_patched([Patch(3, 4, b"free")], lambda: next(left))

    assert [file_key(media.workspace_id, media.id)] == [
        key for key in rooms.objects() if media.id in key
    ]
