"""Files in S3: streamed in parts at constant memory, and never left half done."""

import os
from collections.abc import Iterator
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

from chalicelib.domain.media.types import MediaType
from chalicelib.storage.media.store import S3MediaStore, file_key
from chalicelib.storage.media.writer import PART_BYTES
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.engines import has_links, sends_parts
from tests.support.media_rooms import WORKSPACE, MediaRooms, media_rooms

KEY = file_key(WORKSPACE, "a" * 32)
BLOCK = os.urandom(1024 * 1024)


@pytest.fixture
def rooms(emulator: EmulatorProcess) -> MediaRooms:
    return media_rooms(make_resources(emulator.endpoint))


def written(store: S3MediaStore, blocks: Iterator[bytes] | list[bytes]) -> None:
    writer = store.writer(KEY, MediaType.MP4)
    for block in blocks:
        writer.write(block)
    writer.finish()


def test_a_small_file_is_one_put(rooms: MediaRooms) -> None:
    written(rooms.store, [b"ab", b"", b"cd"])

    assert rooms.store.read(KEY, 0, 100) == b"abcd"
    assert rooms.open_parts() == 0


@sends_parts
def test_a_file_of_several_parts_arrives_in_order(rooms: MediaRooms) -> None:
    blocks = [bytes([number]) * len(BLOCK) for number in range(2 * PART_BYTES // len(BLOCK) + 3)]

    written(rooms.store, blocks)

    assert rooms.store.size(KEY) == sum(len(block) for block in blocks)
    assert rooms.store.read(KEY, PART_BYTES - 2, 4) == bytes([7, 7, 8, 8])


def test_a_writer_tells_whether_more_would_fill_a_part(rooms: MediaRooms) -> None:
    writer = rooms.store.writer(KEY, MediaType.MP4)

    writer.write(BLOCK)

    assert writer.has_room(PART_BYTES - len(BLOCK) - 1)
    assert not writer.has_room(PART_BYTES - len(BLOCK))
    assert rooms.open_parts() == 0


@sends_parts
def test_nothing_is_visible_before_the_end(rooms: MediaRooms) -> None:
    writer = rooms.store.writer(KEY, MediaType.MP4)
    for _ in range(PART_BYTES // len(BLOCK) + 1):
        writer.write(BLOCK)

    assert rooms.store.size(KEY) is None
    writer.abort()


@pytest.mark.parametrize(
    "blocks", [0, 1, pytest.param(PART_BYTES // len(BLOCK) * 3 + 1, marks=sends_parts)]
)
def test_an_aborted_file_leaves_neither_object_nor_parts(rooms: MediaRooms, blocks: int) -> None:
    writer = rooms.store.writer(KEY, MediaType.MP4)
    for _ in range(blocks):
        writer.write(BLOCK)

    writer.abort()

    assert rooms.objects() == []
    assert rooms.open_parts() == 0


@sends_parts
def test_what_a_dead_upload_left_can_be_abandoned_later(rooms: MediaRooms) -> None:
    writer = rooms.store.writer(KEY, MediaType.MP4)
    for _ in range(PART_BYTES // len(BLOCK) + 1):
        writer.write(BLOCK)

    rooms.store.abandon(KEY)

    assert rooms.open_parts() == 0


@pytest.mark.parametrize(
    ("offset", "length", "expected"),
    [(0, 4, b"0123"), (3, 4, b"3456"), (8, 100, b"89"), (10, 5, b""), (50, 5, b""), (0, 0, b"")],
)
def test_a_range_ends_where_the_file_ends(
    rooms: MediaRooms, offset: int, length: int, expected: bytes
) -> None:
    written(rooms.store, [b"0123456789"])

    assert expected == rooms.store.read(KEY, offset, length)


@has_links
def test_a_link_shows_the_file_as_our_type_under_its_name(rooms: MediaRooms) -> None:
    written(rooms.store, [b"\xff\xd8\xff"])

    link = rooms.store.link(
        KEY, mime=MediaType.JPEG, filename='été "1".jpg', lifetime=timedelta(minutes=5)
    )
    answer = requests.get(link, timeout=240)

    assert answer.content == b"\xff\xd8\xff"
    assert answer.headers["Content-Type"] == "image/jpeg"
    asked = parse_qs(urlsplit(link).query)
    assert asked["response-content-disposition"] == [
        "inline; filename=\"_t_ _1_.jpg\"; filename*=UTF-8''%C3%A9t%C3%A9%20%221%22.jpg"
    ]
    assert asked["X-Amz-Expires"] == ["300"]


@has_links
def test_an_upload_link_takes_exactly_the_announced_bytes(rooms: MediaRooms) -> None:
    link = rooms.store.upload_link(KEY, size_bytes=4, lifetime=timedelta(minutes=5))

    answer = requests.put(link, data=b"abcd", timeout=240)

    assert answer.status_code == 200
    assert rooms.store.size(KEY) == 4
    assert "content-length" in parse_qs(urlsplit(link).query)["X-Amz-SignedHeaders"][0]


def test_a_copy_has_our_type(rooms: MediaRooms) -> None:
    rooms.s3.put_object(
        Bucket=rooms.settings.media_bucket, Key="incoming/x", Body=b"x", ContentType="text/html"
    )

    rooms.store.copy("incoming/x", KEY, MediaType.PNG)

    found = rooms.s3.head_object(Bucket=rooms.settings.media_bucket, Key=KEY)
    assert found["ContentType"] == "image/png"
