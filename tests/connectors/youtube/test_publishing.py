"""The YouTube connector over a strict fake: what it sends, and what it makes of the answers."""

import hashlib
import logging
from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.connectors.youtube.connector import NO_PLAYLIST
from chalicelib.connectors.youtube.media import CHUNK
from chalicelib.domain.outcome import Done, Failed, FailureCode
from chalicelib.kit.json_value import Json
from tests.connectors.support.checks import ConnectorChecks
from tests.connectors.support.fake_platform import Answer, Fault
from tests.connectors.support.rig import PatternSource
from tests.connectors.youtube.answers import refusal
from tests.connectors.youtube.fake import PLAYLIST, VIDEO
from tests.connectors.youtube.rig import TEXT, WIDE_BYTES, YouTubeRig, a_rig, at_step
from tests.support.frozen_clock import NOON

SHORT = f"https://www.youtube.com/shorts/{VIDEO}"
UPLOAD = "/upload/youtube/v3/videos"
LOOKS = ["GET /youtube/v3/videos"] * 3


class TestYouTube(ConnectorChecks):
    """What every connector must pass."""

    def make_rig(self) -> YouTubeRig:
        return a_rig()


def _names(rig: YouTubeRig) -> list[str]:
    return [call.name for call in rig.platform.calls]


def test_a_short_goes_the_way_of_the_published_exchange(rig: YouTubeRig) -> None:
    end = rig.drive("video").run()

    opened, sent, look = rig.platform.calls[:3]
    assert _names(rig) == [f"POST {UPLOAD}", f"PUT {UPLOAD}", *LOOKS]
    assert opened.query == {
        "uploadType": "resumable",
        "part": "snippet,status",
        "notifySubscribers": "true",
    }
    assert opened.headers["content-type"] == "application/json; charset=UTF-8"
    assert opened.headers["x-upload-content-type"] == "video/mp4"
    assert opened.headers["x-upload-content-length"] == "2500000"
    assert opened.json == {
        "snippet": {"title": "Harbour at dawn", "description": TEXT},
        "status": {"privacyStatus": "public", "selfDeclaredMadeForKids": False},
    }
    assert sent.query["upload_id"] == "UPL77"
    assert sent.headers["authorization"] == "Bearer ya29.first"
    assert sent.headers["content-range"] == "bytes 0-2499999/2500000"
    assert look.query == {"part": "status,processingDetails", "id": VIDEO}
    assert end == Done(remote_id=VIDEO, url=SHORT)


def test_a_wide_video_goes_up_in_chunks_and_arrives_whole(rig: YouTubeRig) -> None:
    end = rig.drive("wide").run()

    ranges = [call.headers["content-range"] for call in rig.platform.calls[1:4]]
    whole = hashlib.sha256(PatternSource(WIDE_BYTES).read(0, WIDE_BYTES))
    assert ranges == [
        f"bytes 0-{CHUNK - 1}/{WIDE_BYTES}",
        f"bytes {CHUNK}-{2 * CHUNK - 1}/{WIDE_BYTES}",
        f"bytes {2 * CHUNK}-{WIDE_BYTES - 1}/{WIDE_BYTES}",
    ]
    assert rig.platform.uploads.sessions["UPL77"].content.digest() == whole.digest()
    assert end == Done(remote_id=VIDEO, url=f"https://www.youtube.com/watch?v={VIDEO}")


def test_options_are_fields_and_the_playlist_comes_last(rig: YouTubeRig) -> None:
    rig.drive("options").run()

    opened, added = rig.platform.calls[0], rig.platform.calls[-1]
    assert opened.query["notifySubscribers"] == "false"
    assert opened.json == {
        "snippet": {
            "title": "Dawn",
            "description": TEXT,
            "tags": ["rye", "sour dough"],
            "categoryId": "22",
        },
        "status": {
            "privacyStatus": "unlisted",
            "selfDeclaredMadeForKids": True,
            "containsSyntheticMedia": False,
            "embeddable": False,
            "license": "creativeCommon",
        },
    }
    assert added.name == "POST /youtube/v3/playlistItems"
    assert added.query == {"part": "snippet"}
    assert added.json == {
        "snippet": {
            "playlistId": PLAYLIST,
            "resourceId": {"kind": "youtube#video", "videoId": VIDEO},
        }
    }
    assert rig.platform.playlists == {PLAYLIST: [VIDEO]}


def test_a_playlist_that_is_not_there_fails_no_post(rig: YouTubeRig) -> None:
    rig.platform.playlists.clear()

    end = rig.drive("options").run()

    assert end == Done(remote_id=VIDEO, url=SHORT, note=NO_PLAYLIST)


@pytest.mark.parametrize(
    ("fault", "listed"), [(Fault.DROP_AFTER, [VIDEO]), (Fault.DROP_BEFORE, [])], ids=str
)
def test_a_lost_answer_puts_no_video_into_a_playlist_twice(
    rig: YouTubeRig, fault: Fault, listed: list[str]
) -> None:
    rig.platform.strike(5, fault)

    end = rig.drive("options").run()

    assert end == Done(remote_id=VIDEO, url=SHORT, note=NO_PLAYLIST)
    assert rig.platform.calls[5].name == "POST /youtube/v3/playlistItems"
    assert rig.platform.playlists == {PLAYLIST: listed}


def test_a_crash_puts_no_video_into_a_playlist_twice(rig: YouTubeRig) -> None:
    drive = at_step(rig, "options", "playlist")
    drive.crash_after = drive.calls + 1

    end = drive.run()

    assert end == Done(remote_id=VIDEO, url=SHORT, note=NO_PLAYLIST)
    assert rig.platform.playlists == {PLAYLIST: [VIDEO]}


@pytest.mark.parametrize(
    ("ends", "code"),
    [
        ({"uploadStatus": "rejected", "rejectionReason": "duplicate"}, "duplicate_content"),
        ({"uploadStatus": "rejected", "rejectionReason": "length"}, "video_too_long"),
        ({"uploadStatus": "rejected", "rejectionReason": "copyright"}, "media_rejected"),
        ({"uploadStatus": "failed", "failureReason": "codec"}, "media_rejected"),
        ({"uploadStatus": "failed", "failureReason": "conversion"}, "processing_failed"),
        (
            {"uploadStatus": "rejected", "rejectionReason": "uploaderAccountSuspended"},
            "account_restricted",
        ),
        ({"uploadStatus": "deleted"}, "processing_failed"),
    ],
    ids=str,
)
@pytest.mark.parametrize("fault", [None, Fault.DROP_AFTER], ids=["answered", "answer lost"])
def test_a_video_that_youtube_does_not_keep_fails_with_its_reason(
    rig: YouTubeRig, ends: dict[str, Json], code: str, fault: Fault | None
) -> None:
    rig.platform.ends = dict(ends)
    if fault is not None:
        rig.platform.strike(1, fault)

    end = rig.drive("video").run()

    assert isinstance(end, Failed)
    assert (end.code, end.is_transient) == (code, False)
    assert len(rig.platform.uploads.sessions) == 1


def test_what_takes_longer_than_ten_minutes_is_published_meanwhile(rig: YouTubeRig) -> None:
    rig.platform.ends = {"uploadStatus": "uploaded"}

    end = rig.drive("video").run()

    waited = rig.clock() - NOON
    assert end == Done(remote_id=VIDEO, url=SHORT)
    assert timedelta(minutes=10) <= waited < timedelta(minutes=11)
    assert len([call for call in rig.platform.calls if call.method == "GET"]) < 25


@pytest.mark.parametrize("status", ["succeeded", "terminated"])
def test_processing_of_which_nothing_more_is_told_has_ended(rig: YouTubeRig, status: str) -> None:
    rig.platform.ends = {"uploadStatus": "uploaded"}
    rig.platform.processing = {"processingStatus": status}

    end = rig.drive("video").run()

    assert end == Done(remote_id=VIDEO, url=SHORT)
    assert rig.clock() == NOON


def test_processing_that_failed_without_a_reason_fails(rig: YouTubeRig) -> None:
    rig.platform.ends = {"uploadStatus": "uploaded"}
    rig.platform.processing = {"processingStatus": "failed", "processingFailureReason": "other"}

    end = rig.drive("video").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.PROCESSING_FAILED


def test_a_video_whose_processing_cannot_be_asked_is_published_all_the_same(
    rig: YouTubeRig,
) -> None:
    drive = at_step(rig, "video", "processing")
    rig.platform.next_refusals = [refusal(403, "quotaExceeded")] * 50

    end = drive.run()

    assert end == Done(remote_id=VIDEO, url=SHORT)


def test_a_video_that_is_kept_private_is_published_and_told_to_operators(
    rig: YouTubeRig, caplog: pytest.LogCaptureFixture
) -> None:
    rig.platform.keeps_private = True

    end = rig.drive("video").run()

    told = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    note = "YouTube made the video private, although public was asked for."
    assert end == Done(remote_id=VIDEO, url=SHORT, note=note)
    assert told == ["YouTube keeps a video private that was to be public."]


@pytest.mark.parametrize(
    ("answer", "wait"),
    [
        (refusal(403, "quotaExceeded"), timedelta(hours=20)),
        (refusal(403, "dailyLimitExceeded"), timedelta(hours=20)),
        (refusal(400, "uploadLimitExceeded"), timedelta(hours=23)),
        (refusal(403, "userRateLimitExceeded"), timedelta(0)),
        (
            replace(refusal(403, "quotaExceeded"), headers={"Retry-After": "60"}),
            timedelta(minutes=1),
        ),
    ],
    ids=["project's day", "old name", "channel's day", "a moment", "told"],
)
def test_a_spent_quota_is_waited_for_as_long_as_it_stays_spent(
    rig: YouTubeRig, answer: Answer, wait: timedelta
) -> None:
    drive = rig.drive("video")
    drive._step()
    rig.platform.next_refusals = [answer]

    drive._step()

    assert (drive.tries, rig.clock() - NOON) == (1, max(wait, timedelta(seconds=5)))
