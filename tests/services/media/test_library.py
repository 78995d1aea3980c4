"""Uploading, looking at and removing files, as both doors do it."""

from dataclasses import replace
from urllib.parse import unquote

import pytest

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.errors import FileRemoved, FileTooLarge, MediaNotFound, UnsupportedMedia
from chalicelib.domain.media.media import LARGEST_FILE_BYTES
from chalicelib.domain.media.types import SNIFF_BYTES
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.storage.media.store import file_key
from chalicelib.storage.tables import media_use_key
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.media_rooms import WORKSPACE, MediaRooms, a_caller, media_rooms
from tests.support.sample_media import samples

ADA = a_caller()
STRANGER = a_caller("9" * 32)
VIDEO = samples()["index_last.mp4"].data
PHOTO = samples()["exif6.jpg"].data


@pytest.fixture
def rooms(emulator: EmulatorProcess) -> MediaRooms:
    return media_rooms(make_resources(emulator.endpoint))


def use(rooms: MediaRooms, media_id: str) -> None:
    key = media_use_key(media_id, "5" * 32)
    row = {name: {"S": value} for name, value in key.items()}
    rooms.dynamodb.put_item(TableName=rooms.settings.media_table, Item=row)


def test_an_uploaded_video_is_listed_with_what_it_is(rooms: MediaRooms) -> None:
    media = rooms.library.upload(ADA, "holiday.mp4", VIDEO)

    assert rooms.library.list_newest(ADA) == [media]
    assert rooms.library.get(ADA, media.id) == media
    assert (media.kind, media.duration_s) == (MediaKind.VIDEO, 4)
    assert (media.filename, media.size_bytes) == ("holiday.mp4", len(VIDEO))


def test_the_bytes_are_kept_as_they_came(rooms: MediaRooms) -> None:
    media = rooms.library.upload(ADA, "holiday.mp4", VIDEO)

    stored = rooms.store.read(file_key(WORKSPACE, media.id), 0, len(VIDEO) + 1)

    assert stored == VIDEO


@pytest.mark.parametrize("step", [1, 7, SNIFF_BYTES - 1, SNIFF_BYTES, 100_000])
def test_it_does_not_matter_in_which_pieces_a_file_comes(rooms: MediaRooms, step: int) -> None:
    upload = rooms.library.open_upload(ADA, "photo.jpg")
    pieces = [PHOTO[at : at + step] for at in range(0, len(PHOTO), step)]

    for piece in pieces:
        upload.write(piece)
    media = upload.finish()

    assert (media.width, media.height) == (30, 40)
    assert rooms.store.read(file_key(WORKSPACE, media.id), 0, 10**6) == PHOTO


@pytest.mark.parametrize("name", ["empty.mp4", "program.mp4", "cut_no_index.mp4", "cut_end.mp4"])
def test_a_refused_file_leaves_nothing_behind(rooms: MediaRooms, name: str) -> None:
    data = samples()[name].data

    with pytest.raises(UnsupportedMedia):
        rooms.library.upload(ADA, name, data)

    assert rooms.is_empty()


def test_a_hopeless_file_is_refused_before_it_is_stored(rooms: MediaRooms) -> None:
    upload = rooms.library.open_upload(ADA, "program.mp4")

    with pytest.raises(UnsupportedMedia):
        upload.write(b"MZ" + bytes(SNIFF_BYTES))

    assert rooms.is_empty()


def test_an_aborted_upload_leaves_nothing_behind(rooms: MediaRooms) -> None:
    upload = rooms.library.open_upload(ADA, "holiday.mp4")
    upload.write(VIDEO + bytes(20 * 1024 * 1024))

    upload.abort()

    assert rooms.is_empty()


def test_files_of_another_workspace_do_not_exist(rooms: MediaRooms) -> None:
    media = rooms.library.upload(ADA, "holiday.mp4", VIDEO)

    assert rooms.library.list_newest(STRANGER) == []
    with pytest.raises(MediaNotFound):
        rooms.library.file_url(STRANGER, media.id)
    with pytest.raises(MediaNotFound):
        rooms.library.remove(STRANGER, media.id)


def test_behind_a_public_address_a_link_leads_there_and_not_to_this_machine(
    emulator: EmulatorProcess,
) -> None:
    settings = replace(
        make_resources(emulator.endpoint), public_url="https://post.example", data_dir="."
    )
    deployment = Deployment(settings)
    media = deployment.media.library.upload(ADA, "Rye bread.jpg", PHOTO)

    link = deployment.media.library.file_url(ADA, media.id)

    begin, token, name = link.rsplit("/", 2)
    assert ("https://post.example/v1/pulled", "Rye%20bread.jpg") == (begin, name)
    opened = deployment.media.pulled_files.open(token, unquote(name))
    assert PHOTO == opened.stored.read(0, len(PHOTO))


def test_an_unused_file_is_gone_once_removed(rooms: MediaRooms) -> None:
    media = rooms.library.upload(ADA, "holiday.mp4", VIDEO)

    rooms.library.remove(ADA, media.id)

    assert rooms.is_empty()
    with pytest.raises(MediaNotFound):
        rooms.library.remove(ADA, media.id)


def test_a_used_file_keeps_its_record_without_the_file(rooms: MediaRooms) -> None:
    media = rooms.library.upload(ADA, "holiday.mp4", VIDEO)
    use(rooms, media.id)

    rooms.library.remove(ADA, media.id)
    rooms.library.remove(ADA, media.id)

    assert rooms.library.get(ADA, media.id) == replace(media, file_removed=True)
    assert rooms.objects() == []
    with pytest.raises(FileRemoved):
        rooms.library.file_url(ADA, media.id)


@pytest.mark.prove
def test_a_file_of_more_than_a_gigabyte_is_refused_at_the_limit(rooms: MediaRooms) -> None:
    upload = rooms.library.open_upload(ADA, "holiday.mp4")
    upload.write(VIDEO)
    block = bytes(8 * 1024 * 1024)
    for _ in range((LARGEST_FILE_BYTES - len(VIDEO)) // len(block)):
        upload.write(block)

    with pytest.raises(FileTooLarge):
        upload.write(block)

    upload.abort()
    assert rooms.is_empty()
