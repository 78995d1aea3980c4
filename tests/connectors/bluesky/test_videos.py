"""How a video gets to Bluesky's video service: in one request, or in parts."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from chalicelib.connectors.bluesky.account import BlueskyHosts
from chalicelib.connectors.bluesky.connector import BlueskyConnector
from chalicelib.connectors.bluesky.media_parts import PARTS_FROM
from chalicelib.domain.outcome import (
    Done,
    Failed,
    FailureCode,
)
from chalicelib.domain.workspace.accounts import Health
from tests.connectors.bluesky.rig import BlueskyRig, a_rig
from tests.connectors.support.fake_platform import Fault
from tests.connectors.support.rig import (
    a_video,
)


@pytest.fixture
def rig() -> Iterator[BlueskyRig]:
    made = a_rig()
    yield made
    made.platform.close()


def _called(rig: BlueskyRig) -> list[str]:
    """Return the calls to the video service, but for those that ask how a job is."""
    service = [call for call in rig.platform.calls if "app.bsky.video" in call.path]
    names = [call.path.rpartition(".")[2] for call in service]
    return [name for name in names if name != "getJobStatus"]


def test_a_video_arrives_whole_and_is_followed_until_it_is_encoded(rig: BlueskyRig) -> None:
    rig.drive("video").run()

    names = [call.name.rpartition(".")[2] for call in rig.platform.calls]
    assert names == [
        *("getServiceAuth", "uploadVideo"),
        *("getJobStatus", "getJobStatus", "getJobStatus"),
        "putRecord",
    ]
    video = rig.shapes["video"].media
    assert video is not None
    assert rig.platform.videos.jobs["job51"]["size"] == video.size_bytes


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        ("validation_failure", FailureCode.MEDIA_REJECTED),
        ("pds_upload_unsupported_blob_size", FailureCode.MEDIA_TOO_LARGE),
        ("something_new", FailureCode.PROCESSING_FAILED),
    ],
)
def test_a_video_that_cannot_be_encoded_fails(
    rig: BlueskyRig, failure: str, code: FailureCode
) -> None:
    rig.platform.videos.failure = failure

    end = rig.drive("video").run()

    assert isinstance(end, Failed)
    assert (end.code, rig.platform.posts) == (code, {})


def test_a_refusal_of_the_video_service_is_no_broken_sign_in(rig: BlueskyRig) -> None:
    """Its pass comes from the account's server; the account's own tokens work all the same."""
    fake = rig.platform
    fake.refuses_passes = True

    end = rig.drive("video").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.PLATFORM_UNAVAILABLE
    assert rig.store.health is Health.OK


def test_a_large_video_goes_in_parts(rig: BlueskyRig) -> None:
    end = rig.drive("film").run()

    assert isinstance(end, Done)
    assert _called(rig) == ["startUpload", *["uploadPart"] * 3, "finishUpload"]
    upload = rig.platform.videos.uploads["upload1"]
    film = rig.shapes["film"].require_media().source
    expected = {n: film.read((n - 1) * 40_000, upload.length_of(n)) for n in (1, 2, 3)}
    assert {number: part.body for number, part in upload.parts.items()} == expected


@pytest.mark.parametrize(
    ("size_bytes", "first"),
    [(PARTS_FROM - 1, "uploadVideo"), (PARTS_FROM, "startUpload")],
)
def test_parts_begin_where_bluesky_s_own_client_begins_them(
    rig: BlueskyRig, size_bytes: int, first: str
) -> None:
    url = rig.platform.url
    hosts = BlueskyHosts(bluesky=url, bluesky_directory=url, bluesky_appview=url, bluesky_video=url)
    rig.connector = BlueskyConnector(hosts, clock=rig.clock)
    rig.shapes = {"film": replace(rig.shapes["film"], media=a_video(size_bytes))}

    end = rig.drive("film").run()

    assert isinstance(end, Done)
    assert _called(rig)[0] == first


def test_a_service_without_parts_gets_the_file_in_one_request(rig: BlueskyRig) -> None:
    rig.platform.videos.takes_parts = False

    end = rig.drive("film").run()

    assert isinstance(end, Done)
    assert _called(rig) == ["startUpload", "uploadVideo"]


def test_a_part_that_got_lost_is_sent_again(rig: BlueskyRig) -> None:
    rig.platform.videos.loses_parts = {2}

    end = rig.drive("film").run()

    assert isinstance(end, Done)
    ended = ["finishUpload", "getUploadStatus", "uploadPart", "finishUpload"]
    assert _called(rig) == ["startUpload", *["uploadPart"] * 3, *ended]
    parts = [call.query["partNumber"] for call in rig.platform.calls if "partNumber" in call.query]
    assert parts == ["1", "2", "3", "2"]


def test_a_part_that_is_not_answered_three_times_ends_the_parts(rig: BlueskyRig) -> None:
    for place in (4, 6, 8):  # the mentions ask nobody; each call asks for a pass before
        rig.platform.strike(place - 1, Fault.DROP_BEFORE)

    end = rig.drive("film").run()

    assert isinstance(end, Done)
    assert _called(rig) == ["startUpload", *["uploadPart"] * 3, "abortUpload", "uploadVideo"]
    assert rig.platform.videos.uploads["upload1"].state == "aborted"


@pytest.mark.parametrize("state", ["expired", "aborted", "something_new"])
def test_an_upload_that_ended_early_is_made_in_one_request(rig: BlueskyRig, state: str) -> None:
    drive = rig.drive("film")
    while drive.checkpoint is None or drive.checkpoint.step != "finish":
        assert drive._step() is None
    rig.platform.videos.uploads["upload1"].state = state

    end = drive.run()

    assert isinstance(end, Done)
    assert _called(rig)[-3:] == ["finishUpload", "getUploadStatus", "uploadVideo"]


def test_the_same_film_twice_is_one_job(rig: BlueskyRig) -> None:
    """The service names the job that it has already."""
    first, again = rig.drive("film"), rig.drive("film")
    while first.checkpoint is None or first.checkpoint.step != "publish":
        assert first._step() is None

    end = again.run()

    assert isinstance(end, Done)
    assert list(rig.platform.videos.jobs) == ["job51"]


def test_a_film_that_the_service_refuses_is_told_of_at_once(rig: BlueskyRig) -> None:
    rig.platform.videos.refuses = "VideoTooLong"

    end = rig.drive("film").run()

    assert isinstance(end, Failed)
    assert (end.code, _called(rig)) == (FailureCode.MEDIA_REJECTED, ["startUpload"])
