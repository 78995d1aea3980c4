"""YouTube's resumable uploads: going on where one was cut off, and never a second video."""

import logging
from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.connectors.youtube.media import CHUNK, arrived_bytes
from chalicelib.domain.outcome import Done, Failed, FailureCode
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.kit.transport.responses import PlatformResponse
from tests.connectors.support.fake_platform import Answer, Fault, Received
from tests.connectors.support.rig import PatternSource, a_video
from tests.connectors.youtube.answers import refusal
from tests.connectors.youtube.fake import VIDEO
from tests.connectors.youtube.fake_uploads import STEP
from tests.connectors.youtube.rig import WIDE_BYTES, YouTubeRig, at_step
from tests.support.frozen_clock import NOON

FIRST = f"bytes 0-{CHUNK - 1}/{WIDE_BYTES}"
SECOND = f"bytes {CHUNK}-{2 * CHUNK - 1}/{WIDE_BYTES}"
REST = f"bytes {2 * CHUNK}-{WIDE_BYTES - 1}/{WIDE_BYTES}"
ASKED = f"bytes */{WIDE_BYTES}"


def _ranges(rig: YouTubeRig) -> list[str]:
    return [call.headers["content-range"] for call in rig.platform.calls if call.method == "PUT"]


def test_chunks_are_of_the_size_that_youtube_wants() -> None:
    assert CHUNK % STEP == 0


@pytest.mark.parametrize("size", [1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK])
def test_only_the_last_request_carries_the_last_byte(rig: YouTubeRig, size: int) -> None:
    video = replace(a_video(size), source=PatternSource(size))
    rig.shapes = {"video": replace(rig.shapes["video"], media=video)}

    drive = at_step(rig, "video", "last")

    assert rig.platform.posts == {}
    assert isinstance(drive.run(), Done)
    assert _ranges(rig)[-1].endswith(f"-{size - 1}/{size}")


def test_nothing_is_sent_before_the_session_is_kept(rig: YouTubeRig) -> None:
    drive = at_step(rig, "wide", "chunk")

    assert [call.name for call in rig.platform.calls] == ["POST /upload/youtube/v3/videos"]
    assert drive.checkpoint is not None
    assert "upload_id=UPL77" in str(drive.checkpoint.data["session"])
    assert "UPL77" not in repr(drive)


def test_a_chunk_whose_answer_was_lost_is_asked_for_and_not_sent_again(rig: YouTubeRig) -> None:
    rig.platform.strike(1, Fault.DROP_AFTER)

    end = rig.drive("wide").run()

    assert isinstance(end, Done)
    assert _ranges(rig) == [FIRST, ASKED, SECOND, REST]


def test_a_chunk_that_never_arrived_is_sent_again(rig: YouTubeRig) -> None:
    rig.platform.strike(2, Fault.ERROR_BEFORE)

    end = rig.drive("wide").run()

    assert isinstance(end, Done)
    assert _ranges(rig) == [FIRST, SECOND, ASKED, SECOND, REST]


@pytest.mark.parametrize("strict", [False, True], ids=["ignores overlaps", "refuses overlaps"])
def test_after_a_crash_an_overlapping_chunk_does_no_harm(rig: YouTubeRig, strict: bool) -> None:  # noqa: FBT001
    rig.platform.uploads.strict = strict
    drive = rig.drive("wide", crash_after=3)

    end = drive.run()

    assert isinstance(end, Done)
    asked = [ASKED] if strict else []
    assert _ranges(rig) == [FIRST, FIRST, *asked, SECOND, REST]


def test_youtube_s_range_is_trusted_over_what_was_sent(rig: YouTubeRig) -> None:
    rig.platform.uploads.keeps_only = STEP

    end = rig.drive("wide").run()

    assert isinstance(end, Done)
    assert _ranges(rig)[:2] == [FIRST, f"bytes {STEP}-{STEP + CHUNK - 1}/{WIDE_BYTES}"]


def test_a_308_may_ask_for_a_pause(rig: YouTubeRig) -> None:
    rig.platform.uploads.rests = 30
    drive = at_step(rig, "wide", "chunk")

    drive._step()

    assert rig.clock() - NOON == timedelta(seconds=30)


def test_a_range_that_is_none_is_an_unreadable_answer() -> None:
    response = PlatformResponse(status=308, headers={"Range": "bytes=0-²"}, body=b"")

    with pytest.raises(UnansweredError):
        arrived_bytes(response)


def test_a_308_may_move_the_session(rig: YouTubeRig) -> None:
    rig.platform.uploads.moves = True

    end = rig.drive("wide").run()

    assert isinstance(end, Done)
    ids = [call.query["upload_id"] for call in rig.platform.calls if call.method == "PUT"]
    assert ids == ["UPL77", "UPL77-moved", "UPL77-moved"]


def test_a_308_that_leads_to_another_host_is_none_of_youtubes(rig: YouTubeRig) -> None:
    """The bytes go with the account's token: a network's redirect must not get it."""
    drive = at_step(rig, "wide", "chunk")
    portal = Answer(308, b"", {"Location": "http://localhost:9/portal", "Range": "bytes=0-9"})
    rig.platform.uploads.receive = lambda *_: portal  # type: ignore[method-assign]  # in between

    end = drive.run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.PLATFORM_UNAVAILABLE
    assert "portal" not in repr(drive.checkpoint) + str(drive.checkpoint and drive.checkpoint.data)


def test_a_308_without_progress_is_tried_again_and_not_forever(rig: YouTubeRig) -> None:
    drive = at_step(rig, "wide", "chunk")
    rig.platform.uploads.receive = lambda *_: Answer(308, b"")  # type: ignore[method-assign]  # stuck

    end = drive.run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.PLATFORM_UNAVAILABLE
    assert len(rig.platform.calls) < 20


def test_bytes_that_are_refused_where_youtube_wants_them_are_not_sent_forever(
    rig: YouTubeRig,
) -> None:
    drive = at_step(rig, "wide", "chunk")
    uploads = rig.platform.uploads
    tell = uploads.receive

    def refuse_bytes(call: Received, url: str) -> Answer:
        return refusal(400, "invalidContentRange") if call.size else tell(call, url)

    uploads.receive = refuse_bytes  # type: ignore[method-assign]  # takes no bytes

    end = drive.run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.UNKNOWN
    assert _ranges(rig) == [FIRST, ASKED, FIRST]


def test_last_bytes_that_arrived_in_part_are_followed_by_the_rest(rig: YouTubeRig) -> None:
    drive = at_step(rig, "video", "last")
    rig.platform.uploads.keeps_only = STEP

    end = drive.run()

    assert end == Done(remote_id=VIDEO, url=f"https://www.youtube.com/shorts/{VIDEO}")
    assert _ranges(rig) == ["bytes 0-2499999/2500000", f"bytes {STEP}-2499999/2500000"]
    assert rig.clock() - NOON < timedelta(seconds=30)


@pytest.mark.parametrize("place", [1, 2], ids=["at the first chunk", "at the second chunk"])
def test_a_session_that_ends_before_the_last_byte_is_opened_anew(
    rig: YouTubeRig, place: int
) -> None:
    drive = at_step(rig, "wide", "chunk")
    for _ in range(place - 1):
        drive._step()
    rig.platform.uploads.over.add("UPL77")

    end = drive.run()

    assert isinstance(end, Done)
    assert list(rig.platform.posts) == [VIDEO]
    assert _ranges(rig)[-3:] == [FIRST, SECOND, REST]


def test_sessions_are_not_opened_forever(rig: YouTubeRig) -> None:
    rig.platform.uploads.over |= {f"UPL{number}" for number in range(77, 99)}

    end = rig.drive("wide").run()

    assert isinstance(end, Failed)
    assert (end.code, end.is_transient) == (FailureCode.PLATFORM_UNAVAILABLE, False)
    assert len(rig.platform.uploads.sessions) == 3


def test_last_bytes_that_find_no_session_go_out_anew_after_a_look(rig: YouTubeRig) -> None:
    drive = at_step(rig, "video", "last")
    rig.platform.uploads.over.add("UPL77")

    end = drive.run()

    looks = [call for call in rig.platform.calls if call.path == "/youtube/v3/playlistItems"]
    assert isinstance(end, Done)
    assert list(rig.platform.posts) == [VIDEO]
    assert looks
    assert timedelta(minutes=2) <= rig.clock() - NOON < timedelta(minutes=3)


def test_last_bytes_that_find_no_session_and_are_there_are_found(rig: YouTubeRig) -> None:
    drive = at_step(rig, "video", "last")
    rig.platform.strike(0, Fault.DROP_AFTER)
    drive._step()
    rig.platform.uploads.over.add("UPL77")

    end = drive.run()

    assert end == Done(remote_id=VIDEO, url=f"https://www.youtube.com/shorts/{VIDEO}")
    assert len(rig.platform.uploads.sessions) == 1


def test_a_refusal_of_the_last_bytes_is_final_and_leaves_nothing(rig: YouTubeRig) -> None:
    drive = at_step(rig, "video", "last")
    uploads = rig.platform.uploads
    uploads.receive = lambda *_: refusal(400, "badContent")  # type: ignore[method-assign]  # refuses

    end = drive.run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.MEDIA_REJECTED
    assert rig.platform.posts == {}


def test_the_address_of_an_upload_is_never_logged(
    rig: YouTubeRig, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        rig.platform.strike(2, Fault.DROP_BEFORE)
        rig.drive("wide").run()

    assert "UPL77" not in caplog.text
