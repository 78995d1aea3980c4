"""Uploads from an address: fetched once through the guard, refused with a reason, nothing left."""

import json
from collections.abc import Iterator

import pytest

from chalicelib.domain.errors import AddressRefused
from chalicelib.domain.media.media import FileState
from chalicelib.storage.media.queues import read_fetch
from chalicelib.storage.media.store import file_key, incoming_key
from tests.services.media.file_host import VIDEO, FileHost, run_file_host
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.media_rooms import WORKSPACE, MediaRooms, a_caller, media_rooms

ADA = a_caller()


@pytest.fixture
def host() -> Iterator[FileHost]:
    with run_file_host() as running:
        yield running


@pytest.fixture
def rooms(emulator: EmulatorProcess, host: FileHost) -> MediaRooms:
    """Return media whose operator's settings trust the host, as a local stack's may."""
    settings = make_resources(emulator.endpoint)
    return media_rooms(settings, trusted=frozenset({host.origin}))


def fetched(rooms: MediaRooms, url: str) -> str:
    """Have a file fetched as its message does and return its id."""
    upload = rooms.fetched.begin(ADA, url)
    rooms.fetched.fetch(upload.id)
    return upload.id


def refusal(rooms: MediaRooms, url: str) -> tuple[str, str | None]:
    upload = rooms.direct.state(ADA, fetched(rooms, url))
    assert upload.source_url is None
    return upload.state.value, upload.code


def test_a_file_is_fetched_and_can_be_posted(rooms: MediaRooms, host: FileHost) -> None:
    media_id = fetched(rooms, f"{host.origin}/bread.mp4")

    media = rooms.library.get(ADA, media_id)
    assert (media.filename, media.size_bytes) == ("bread.mp4", len(VIDEO))
    assert rooms.direct.state(ADA, media_id).state is FileState.READY
    assert rooms.objects() == [file_key(WORKSPACE, media_id)]


def test_the_queue_is_asked_and_the_answer_is_that_it_waits(
    rooms: MediaRooms, host: FileHost
) -> None:
    upload = rooms.fetched.begin(ADA, f"{host.origin}/bread.mp4")

    assert upload.state is FileState.WAITING
    assert host.asked == []
    assert [read_fetch(json.loads(body)) for body in rooms.messages()] == [upload.id]


def test_a_message_that_comes_twice_fetches_once(rooms: MediaRooms, host: FileHost) -> None:
    media_id = fetched(rooms, f"{host.origin}/bread.mp4")

    rooms.fetched.fetch(media_id)

    assert host.asked == ["/bread.mp4"]
    assert rooms.objects() == [file_key(WORKSPACE, media_id)]


def test_the_event_of_what_was_fetched_changes_nothing(rooms: MediaRooms, host: FileHost) -> None:
    """S3 tells of the object below `incoming/` as of every other."""
    media_id = fetched(rooms, f"{host.origin}/bread.mp4")
    before = rooms.rows()

    rooms.direct.finish(media_id)

    assert rooms.rows() == before


def test_the_name_is_that_of_the_address_and_its_secrets_are_not_kept(
    rooms: MediaRooms, host: FileHost
) -> None:
    media_id = fetched(rooms, f"{host.origin}/Br%C3%B6t%20chen.webp?token=secret")

    assert rooms.library.get(ADA, media_id).filename == "Bröt chen.webp"
    assert "secret" not in str(rooms.rows())


def test_redirects_are_followed_three_times_and_no_more(rooms: MediaRooms, host: FileHost) -> None:
    three = fetched(rooms, f"{host.origin}/to/to/to/bread.mp4")

    assert rooms.direct.state(ADA, three).state is FileState.READY
    assert refusal(rooms, f"{host.origin}/to/to/to/to/bread.mp4") == (
        "refused",
        "address_unreachable",
    )


def test_a_redirect_to_another_host_of_ours_is_not_followed(
    rooms: MediaRooms, host: FileHost
) -> None:
    with run_file_host() as inner:
        port = inner.origin.rpartition(":")[2]

        told = refusal(rooms, f"{host.origin}/out/{port}")

    assert told == ("refused", "address_refused")
    assert inner.asked == []


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/a.jpg",
        "https://127.0.0.1/a.jpg",
        "https://[::1]/a.jpg",
        "https://169.254.169.254/latest/meta-data",
        "https://localhost/a.jpg",
        "https://user:secret@example.com/a.jpg",
        "file:///etc/passwd",
        "not an address",
        "",
    ],
)
def test_an_address_that_is_never_fetched_is_refused_at_once(rooms: MediaRooms, url: str) -> None:
    with pytest.raises(AddressRefused) as refused:
        rooms.fetched.begin(ADA, url)

    assert refused.value.field == "url"
    assert rooms.is_empty()


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("page.mp4", "unsupported_media"),
        ("empty.jpg", "unsupported_media"),
        ("missing.mp4", "address_unreachable"),
        ("longer/x", "address_unreachable"),
        ("broken/x", "address_unreachable"),
        ("huge/x", "file_too_large"),
        ("huge/digits", "file_too_large"),
        ("nowhere/x", "address_refused"),
    ],
)
def test_what_is_no_file_is_refused_with_the_reason_and_leaves_nothing(
    rooms: MediaRooms, host: FileHost, path: str, code: str
) -> None:
    assert refusal(rooms, f"{host.origin}/{path}") == ("refused", code)

    assert rooms.objects() == []
    assert rooms.open_parts() == 0


def test_nobody_at_the_address_is_told_as_such(emulator: EmulatorProcess) -> None:
    with run_file_host() as gone:
        origin = gone.origin
    rooms = media_rooms(make_resources(emulator.endpoint), trusted=frozenset({origin}))

    assert refusal(rooms, f"{origin}/bread.mp4") == ("refused", "address_unreachable")


def test_a_fetch_that_was_cut_off_is_begun_anew(rooms: MediaRooms, host: FileHost) -> None:
    """What a killed worker left below `incoming/` is written over."""
    upload = rooms.fetched.begin(ADA, f"{host.origin}/bread.mp4")
    rooms.s3.put_object(
        Bucket=rooms.settings.media_bucket,
        Key=incoming_key(WORKSPACE, upload.id),
        Body=b"half of it",
    )

    rooms.fetched.fetch(upload.id)

    assert rooms.library.get(ADA, upload.id).size_bytes == len(VIDEO)


def test_what_nobody_waits_for_is_not_fetched(rooms: MediaRooms) -> None:
    direct = rooms.direct.begin(ADA, filename="v.mp4", size_bytes=5)

    rooms.fetched.fetch(direct.id)
    rooms.fetched.fetch("f" * 32)

    assert rooms.direct.state(ADA, direct.id).state is FileState.WAITING
