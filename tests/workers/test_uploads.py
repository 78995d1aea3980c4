"""S3 events of direct uploads, as they arrive: twice, encoded oddly, or about something else."""

import json

import pytest
import requests

from chalicelib.domain.media.media import FileState
from chalicelib.workers.uploads import UploadWorker
from tests.services.media.file_host import run_file_host
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.media_rooms import WORKSPACE, MediaRooms, a_caller, media_rooms
from tests.support.sample_media import samples

ADA = a_caller()
PHOTO = samples()["plain.webp"].data


@pytest.fixture
def rooms(emulator: EmulatorProcess) -> MediaRooms:
    return media_rooms(make_resources(emulator.endpoint))


def event(*keys: str) -> str:
    return json.dumps({"Records": [{"s3": {"object": {"key": key}}} for key in keys]})


def arrived(rooms: MediaRooms) -> str:
    """Return the id of an upload whose file is in."""
    upload = rooms.direct.begin(ADA, filename="p.webp", size_bytes=len(PHOTO))
    requests.put(upload.url, data=PHOTO, timeout=240)
    return upload.id


@pytest.mark.parametrize("slash", ["/", "%2F"], ids=["as AWS writes it", "as moto writes it"])
def test_an_event_makes_the_file_ready(rooms: MediaRooms, slash: str) -> None:
    media_id = arrived(rooms)

    UploadWorker(rooms.direct, rooms.fetched).run(
        event(slash.join(["incoming", WORKSPACE, media_id]))
    )

    assert rooms.direct.state(ADA, media_id).state is FileState.READY


def test_a_message_that_asks_for_a_file_has_it_fetched(emulator: EmulatorProcess) -> None:
    with run_file_host() as host:
        rooms = media_rooms(make_resources(emulator.endpoint), trusted=frozenset({host.origin}))
        upload = rooms.fetched.begin(ADA, f"{host.origin}/bread.mp4")
        (message,) = rooms.messages()

        UploadWorker(rooms.direct, rooms.fetched).run(message)

    assert rooms.direct.state(ADA, upload.id).state is FileState.READY


def test_one_message_may_name_several_files_and_come_twice(rooms: MediaRooms) -> None:
    ids = [arrived(rooms), arrived(rooms)]
    message = event(*[f"incoming/{WORKSPACE}/{media_id}" for media_id in ids])

    UploadWorker(rooms.direct, rooms.fetched).run(message)
    UploadWorker(rooms.direct, rooms.fetched).run(message)

    assert {media.id for media in rooms.library.list_newest(ADA)} == set(ids)


@pytest.mark.parametrize(
    "message",
    [
        '{"Service": "Amazon S3", "Event": "s3:TestEvent"}',
        event(f"incoming/{WORKSPACE}/{'f' * 32}"),
        event("incoming/odd"),
        event(f"media/{WORKSPACE}/{'f' * 32}"),
    ],
    ids=["S3's own test", "an unknown upload", "no id", "another prefix"],
)
def test_what_is_no_upload_of_ours_is_passed_over(rooms: MediaRooms, message: str) -> None:
    UploadWorker(rooms.direct, rooms.fetched).run(message)

    assert rooms.is_empty()
