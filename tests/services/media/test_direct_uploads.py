"""Uploads that go straight to S3: finished once, refused with a reason, never left behind."""

from datetime import timedelta

import pytest
import requests

from chalicelib.domain.errors import FileTooLarge, MediaNotFound
from chalicelib.domain.media.media import LARGEST_FILE_BYTES, FileState
from chalicelib.services.media.direct_uploads import DirectUpload
from chalicelib.storage.media.store import file_key
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.frozen_clock import FrozenClock
from tests.support.media_rooms import WORKSPACE, MediaRooms, a_caller, media_rooms
from tests.support.sample_media import samples

ADA = a_caller()
STRANGER = a_caller("9" * 32)
VIDEO = samples()["turned90.mp4"].data


@pytest.fixture
def rooms(emulator: EmulatorProcess) -> MediaRooms:
    return media_rooms(make_resources(emulator.endpoint), FrozenClock())


def begun(rooms: MediaRooms, data: bytes = VIDEO) -> DirectUpload:
    return rooms.direct.begin(ADA, filename="holiday.mp4", size_bytes=len(data))


def sent(rooms: MediaRooms, data: bytes = VIDEO) -> DirectUpload:
    upload = begun(rooms, data)
    assert requests.put(upload.url, data=data, timeout=240).status_code == 200
    return upload


def test_an_upload_waits_until_its_file_is_in(rooms: MediaRooms) -> None:
    upload = begun(rooms)

    rooms.direct.finish(upload.id)

    assert rooms.direct.state(ADA, upload.id).state is FileState.WAITING
    with pytest.raises(MediaNotFound):
        rooms.library.get(ADA, upload.id)


def test_an_arrived_file_becomes_a_record(rooms: MediaRooms) -> None:
    upload = sent(rooms)

    rooms.direct.finish(upload.id)

    media = rooms.library.get(ADA, upload.id)
    assert (media.filename, media.size_bytes, media.width) == ("holiday.mp4", len(VIDEO), 180)
    assert rooms.direct.state(ADA, upload.id).state is FileState.READY
    assert rooms.objects() == [file_key(WORKSPACE, upload.id)]


def test_a_second_event_changes_nothing(rooms: MediaRooms) -> None:
    upload = sent(rooms)
    rooms.direct.finish(upload.id)
    before = rooms.rows()

    rooms.direct.finish(upload.id)

    assert rooms.rows() == before
    assert rooms.objects() == [file_key(WORKSPACE, upload.id)]


def test_what_is_sent_after_the_end_is_dropped(rooms: MediaRooms) -> None:
    upload = sent(rooms)
    rooms.direct.finish(upload.id)
    requests.put(upload.url, data=VIDEO, timeout=240)

    rooms.direct.finish(upload.id)

    assert rooms.objects() == [file_key(WORKSPACE, upload.id)]


@pytest.mark.parametrize("name", ["program.mp4", "cut_no_index.mp4"])
def test_a_file_that_is_no_video_is_refused_with_the_reason(rooms: MediaRooms, name: str) -> None:
    upload = sent(rooms, samples()[name].data)

    rooms.direct.finish(upload.id)

    state = rooms.direct.state(ADA, upload.id)
    assert (state.state, state.code) == (FileState.REFUSED, "unsupported_media")
    assert state.message
    assert rooms.objects() == []


def test_more_than_a_gigabyte_is_refused_at_once(rooms: MediaRooms) -> None:
    with pytest.raises(FileTooLarge):
        rooms.direct.begin(ADA, filename="v.mp4", size_bytes=LARGEST_FILE_BYTES + 1)


def test_an_upload_of_another_workspace_does_not_exist(rooms: MediaRooms) -> None:
    upload = begun(rooms)

    with pytest.raises(MediaNotFound):
        rooms.direct.state(STRANGER, upload.id)


def test_an_event_about_nothing_of_ours_is_ignored(rooms: MediaRooms) -> None:
    rooms.direct.finish("f" * 32)

    assert rooms.is_empty()


def test_the_link_expires_in_an_hour(rooms: MediaRooms) -> None:
    upload = begun(rooms)

    assert upload.expires_at == FrozenClock().now + timedelta(hours=1)
