"""Uploads and downloads: both ways, progress, refusals, broken connections."""

import hashlib
import io
import os
import sys
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path

import pytest
from answering import DROP, Answering
from conftest import SharedFolder, png

from goldenhour import Client, FileChanged, Invalid, NoAnswer
from goldenhour.error_codes import (
    AddressRefused,
    AddressUnreachable,
    FileMissing,
    UnsupportedMedia,
)
from goldenhour.http.uploading import STRAIGHT_FROM_BYTES, Source
from goldenhour.models.answers import DirectUpload

MEDIA = {
    "id": "1" * 32, "kind": "image", "filename": "a.png", "size_bytes": 5, "duration_s": None,
    "width": 1, "height": 1, "too_long_for": {}, "url": None, "file_removed": False,
    "created_at": "2031-03-04T09:00:00+00:00",
}  # fmt: skip
WAITING = {"state": "waiting", "code": None, "message": None}


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """Return a photo that is large enough to go straight to the storage."""
    path = tmp_path / "large.png"
    path.write_bytes(png(100, 100, noise=os.urandom(STRAIGHT_FROM_BYTES)))
    return path


@pytest.mark.parametrize("name", ["photo", "large"])
def test_a_file_is_uploaded_with_its_progress_and_comes_back_whole(
    name: str, client: Client, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    file: Path = request.getfixturevalue(name)
    told: list[tuple[int, int]] = []

    media = client.media.upload(file, progress=lambda sent, total: told.append((sent, total)))
    back = client.media.download(media.id, tmp_path / "back.png")

    size = file.stat().st_size
    assert (size, "image", file.name) == (media.size_bytes, media.kind, media.filename)
    assert sorted(told) == told
    assert (size, size) == told[-1]
    assert digest(file) == digest(back)
    assert media in client.media.list()


def test_an_open_file_is_uploaded_under_the_name_that_is_given(client: Client) -> None:
    media = client.media.upload(io.BytesIO(png(5, 5)), filename="drawn.png")

    assert "drawn.png" == media.filename
    client.media.remove(media.id)
    assert media.id not in [each.id for each in client.media.list()]


def test_a_file_is_fetched_from_an_address(
    client: Client, photo: Path, shared_folder: SharedFolder
) -> None:
    photo.rename(shared_folder.path / "linked.png")

    media = client.media.upload_from_url(f"{shared_folder.origin}/linked.png")

    assert ("linked.png", "image", 320) == (media.filename, media.kind, media.width)


def test_an_address_without_a_file_is_told_as_such(
    client: Client, shared_folder: SharedFolder
) -> None:
    with pytest.raises(AddressUnreachable, match="answered 404"):
        client.media.upload_from_url(f"{shared_folder.origin}/missing.png")


@pytest.mark.parametrize(
    "url", ["https://127.0.0.1/a.png", "http://example.com/a.png", "https://10.0.0.1/a.png"]
)
def test_an_address_within_the_services_network_is_refused(url: str, client: Client) -> None:
    with pytest.raises(AddressRefused) as refused:
        client.media.upload_from_url(url)

    assert "url" == refused.value.field


def test_what_is_no_media_is_refused_on_both_ways(client: Client, tmp_path: Path) -> None:
    for size in (100, STRAIGHT_FROM_BYTES):
        file = tmp_path / "text.png"
        file.write_bytes(b"words " * size)

        with pytest.raises(UnsupportedMedia) as refused:
            client.media.upload(file)

        assert isinstance(refused.value, Invalid)


def test_an_empty_file_is_refused(client: Client, tmp_path: Path) -> None:
    (tmp_path / "empty.png").touch()

    with pytest.raises((UnsupportedMedia, FileMissing)):
        client.media.upload(tmp_path / "empty.png")


def test_a_large_file_is_never_held_in_memory(answering: Answering, tmp_path: Path) -> None:
    file = tmp_path / "huge.mp4"
    with file.open("wb") as out:
        out.truncate(200 * 1024 * 1024)
    answering.will(201, MEDIA)
    source = Source.of(file, None)

    tracemalloc.start()
    with source:
        body, _ = source.as_form(lambda _sent, _total: None)
        while body.read(64 * 1024):  # type: ignore[attr-defined]
            pass
        stream = source.as_stream(lambda _sent, _total: None)
        while stream.read(64 * 1024):
            pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 2 * 1024 * 1024


def test_a_service_without_direct_uploads_gets_large_files_by_form(
    answering: Answering, large: Path
) -> None:
    answering.will(404, {"error": {"code": "not_found", "message": "No."}})
    answering.will(201, MEDIA)

    Client(answering.base_url, "k").media.upload(large)

    assert ["/v1/media/uploads", "/v1/media"] == [each.path for each in answering.received]


@pytest.mark.parametrize(
    ("base_url", "link", "is_reached"),
    [
        ("https://posts.example.com", "https://bucket.s3.amazonaws.com/a", True),
        ("https://posts.example.com", "http://127.0.0.1:4566/bucket/a", False),
        ("https://posts.example.com", "http://localhost:4566/bucket/a", False),
        ("http://127.0.0.1:8000", "http://127.0.0.1:4566/bucket/a", True),
        ("http://localhost:8000", "http://127.0.0.1:4566/bucket/a", True),
    ],
    ids=["storage of its own", "one server", "one server by name", "this machine", "localhost"],
)
def test_an_address_of_the_services_own_machine_is_reached_from_there_alone(
    base_url: str, link: str, *, is_reached: bool
) -> None:
    begun = DirectUpload(
        media_id="1" * 32, method="PUT", url=link, headers={}, expires_at=datetime.now(UTC)
    )

    assert is_reached == Client(base_url, "k").media.reaches(begun)


def test_a_large_file_goes_by_form_where_the_storage_is_out_of_reach(
    answering: Answering, large: Path
) -> None:
    answering.will(201, {**begun(answering), "url": "http://127.0.0.1:1/"})
    answering.will(201, MEDIA)
    client = Client(answering.base_url.replace("127.0.0.1", "127.1"), "k", insecure_http=True)

    client.media.upload(large)

    assert ["/v1/media/uploads", "/v1/media"] == [each.path for each in answering.received]


def test_a_small_file_that_a_gateway_refuses_goes_straight_to_the_storage(
    answering: Answering, photo: Path
) -> None:
    answering.will(413)
    answering.will(201, begun(answering))
    answering.will(200)
    answering.will(200, {"state": "ready", "code": None, "message": None})
    answering.will(200, MEDIA)

    Client(answering.base_url, "gh_live_key").media.upload(photo)

    put = answering.received[2]
    assert ("PUT", photo.read_bytes()) == (put.method, put.body)
    assert ("signed", None) == (put.headers["X-Signature"], put.headers["Authorization"])


def test_a_direct_upload_that_breaks_is_begun_anew(answering: Answering, large: Path) -> None:
    answering.will(201, begun(answering))
    answering.will(DROP)
    answering.will(201, begun(answering))
    answering.will(200, WAITING)
    answering.will(200)
    answering.will(200, {**WAITING, "state": "ready"})
    answering.will(200, MEDIA)

    media = Client(answering.base_url, "k").media.upload(large)

    assert "a.png" == media.filename
    assert large.stat().st_size == len(answering.received[4].body)


def test_a_direct_upload_whose_answer_is_lost_leaves_one_file(
    answering: Answering, large: Path
) -> None:
    answering.will(201, begun(answering))
    answering.will(DROP)
    answering.will(201, begun(answering))
    answering.will(200, {**WAITING, "state": "ready"})
    answering.will(200, {**WAITING, "state": "ready"})
    answering.will(200, MEDIA)

    Client(answering.base_url, "k").media.upload(large)

    posted = [each for each in answering.received if each.method == "POST"]
    assert 1 == len({each.headers["Idempotency-Key"] for each in posted})
    assert 1 == sum(each.method == "PUT" for each in answering.received)


@pytest.mark.parametrize("size", [300_000, STRAIGHT_FROM_BYTES], ids=["by form", "straight"])
@pytest.mark.parametrize("change", [-1000, 1000], ids=["shorter", "longer"])
def test_a_file_that_changes_while_it_is_sent_is_no_upload(
    change: int, size: int, client: Client, tmp_path: Path
) -> None:
    file = tmp_path / "written.png"
    file.write_bytes(png(9, 9, noise=os.urandom(size)))
    before = [each.id for each in client.media.list()]
    whole = file.stat().st_size

    with pytest.raises(FileChanged, match="nothing was uploaded"):
        client.media.upload(file, progress=lambda _sent, _total: os.truncate(file, whole + change))

    assert before == [each.id for each in client.media.list()]


def test_a_pipe_and_a_text_are_told_from_files(client: Client, tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(write)
    (tmp_path / "photo.png").write_bytes(png(5, 5))

    with os.fdopen(read, "rb") as pipe, pytest.raises(ValueError, match="is a pipe"):
        client.media.upload(pipe, filename="photo.png")
    with (
        (tmp_path / "photo.png").open(encoding="latin-1") as text,
        pytest.raises(TypeError, match="mode 'rb'"),
    ):
        client.media.upload(text)  # type: ignore[arg-type]


@pytest.mark.skipif(sys.platform != "linux", reason="its file names are bytes")
def test_a_file_whose_name_is_not_unicode_is_uploaded(client: Client, tmp_path: Path) -> None:
    file = tmp_path / os.fsdecode(b"caf\xe9.png")
    file.write_bytes(png(5, 5))

    assert "caf?.png" == client.media.upload(file).filename


def test_a_download_that_breaks_leaves_nothing_behind(answering: Answering, tmp_path: Path) -> None:
    answering.will(302, None, Location=f"{answering.base_url}/storage")
    answering.will(DROP)

    with pytest.raises(NoAnswer, match="during the download"):
        Client(answering.base_url, "k").media.download("1" * 32, tmp_path / "back.png")

    assert [] == list(tmp_path.iterdir())


def test_an_upload_by_form_that_breaks_is_sent_again_under_the_same_key(
    answering: Answering, photo: Path
) -> None:
    answering.will(DROP)
    answering.will(201, MEDIA)

    media = Client(answering.base_url, "k", sleep=lambda _: None).media.upload(photo)

    assert "a.png" == media.filename
    keys = {each.headers["Idempotency-Key"] for each in answering.received}
    assert (2, 1) == (len(answering.received), len(keys))


def begun(answering: Answering) -> dict[str, object]:
    return {
        "media_id": "1" * 32,
        "method": "PUT",
        "url": f"{answering.base_url}/storage",
        "headers": {"X-Signature": "signed"},
        "expires_at": "2031-03-04T09:00:00+00:00",
    }


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_busy_address_is_tried_again_when_it_says_so(answering: Answering, large: Path) -> None:
    answering.will(201, begun(answering))
    answering.will(503, {"error": {"code": "busy", "message": "Later."}}, Retry_After="0")
    answering.will(200)
    answering.will(200, {"state": "ready", "code": None, "message": None})
    answering.will(200, MEDIA)

    Client(answering.base_url, "k").media.upload(large)

    assert ["POST", "PUT", "PUT", "GET", "GET"] == [each.method for each in answering.received]
