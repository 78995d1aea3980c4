"""How the TikTok connector goes on with uploads that were interrupted."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from chalicelib.connectors.tiktok.media import LAST_CHUNK
from chalicelib.domain.outcome import Done, Failed, FailureCode
from tests.connectors.support.driving import Drive
from tests.connectors.support.fake_platform import Fault
from tests.connectors.tiktok.fake_uploads import (
    Post,
)
from tests.connectors.tiktok.rig import SMALL, TikTokRig, a_rig, names
from tests.support.frozen_clock import NOON


@pytest.fixture
def rig() -> Iterator[TikTokRig]:
    made = a_rig("chunks", sizes=SMALL)
    yield made
    made.platform.close()


def until(drive: Drive, step: str, place: int = 0) -> None:
    """Go on to a step."""
    for _ in range(100):
        now = drive.checkpoint
        if now is not None and (now.step, now.data.get("place")) == (step, place):
            return
        assert drive._step() is None
    raise AssertionError(step)


def upload(rig: TikTokRig, place: int = 0) -> Post:
    """Return one of the uploads that were begun."""
    return list(rig.platform.uploads.values())[place]


class TestChunks:
    """Chunks before the last: nothing can be seen yet."""

    @pytest.mark.parametrize("by_place", [False, True], ids=["a count", "the last byte"])
    def test_a_chunk_that_arrived_unnoticed_is_passed_over(
        self, rig: TikTokRig, *, by_place: bool
    ) -> None:
        drive = rig.drive("chunks")
        until(drive, "chunk")
        upload(rig).counts_by_place = by_place
        rig.platform.strike(0, Fault.DROP_AFTER)

        end = drive.run()

        assert isinstance(end, Done)
        assert upload(rig).spans == [(0, 999_999), (1_000_000, 1_999_999), (2_000_000, 3_600_122)]
        assert names(rig).count("PUT /video") == 4
        assert "status/fetch" not in names(rig)[:6]

    def test_where_the_header_does_not_help_the_status_does(self, rig: TikTokRig) -> None:
        drive = rig.drive("chunks")
        until(drive, "chunk", 1)
        upload(rig).refuses = [416]

        end = drive.run()

        assert isinstance(end, Done)
        assert names(rig)[2:6] == ["PUT /video", "PUT /video", "status/fetch", "PUT /video"]

    @pytest.mark.parametrize("status", [403, 404])
    def test_an_address_that_ended_early_is_replaced(self, rig: TikTokRig, status: int) -> None:
        drive = rig.drive("chunks")
        until(drive, "chunk", 1)
        upload(rig).refuses = [status]

        end = drive.run()

        assert isinstance(end, Done)
        assert list(rig.platform.posts) == [end.remote_id]
        assert [upload(rig, place).arrived for place in (0, 1)] == [1_000_000, 3_600_123]

    def test_after_an_hour_there_is_a_new_address(self, rig: TikTokRig) -> None:
        drive = rig.drive("chunks")
        until(drive, "chunk", 1)
        rig.clock.pass_time(timedelta(hours=1))

        end = drive.run()

        assert isinstance(end, Done)
        assert len(rig.platform.uploads) == 2
        assert names(rig).count("creator_info/query") == 2

    def test_a_third_address_is_the_last(self, rig: TikTokRig) -> None:
        drive = rig.drive("chunks")
        for _ in range(3):
            until(drive, "chunk")
            upload(rig, -1).refuses = [404]
            drive._step()

        end = drive.run()

        assert isinstance(end, Failed)
        assert (end.code, end.proves_absence) == (FailureCode.PROCESSING_FAILED, True)
        assert len(rig.platform.uploads) == 3

    def test_a_chunk_that_tiktok_finds_miscut_is_our_fault(self, rig: TikTokRig) -> None:
        drive = rig.drive("chunks")
        until(drive, "chunk", 1)
        upload(rig).refuses = [400]

        end = drive.run()

        assert isinstance(end, Failed)
        assert (end.code, end.final) == (FailureCode.PROCESSING_FAILED, True)

    def test_an_upload_that_failed_meanwhile_is_begun_anew(self, rig: TikTokRig) -> None:
        drive = rig.drive("chunks")
        until(drive, "chunk", 1)
        upload(rig).refuses, upload(rig).failure = [404], "upload_expired"
        rig.platform.polls_needed = 1

        end = drive.run()

        assert isinstance(end, Done)
        assert list(rig.platform.posts) == [end.remote_id]

    def test_an_upload_that_tiktok_does_not_know_is_begun_anew(self, rig: TikTokRig) -> None:
        drive = rig.drive("chunks")
        until(drive, "chunk", 1)
        upload(rig).refuses = [404]
        drive._step()
        rig.platform.uploads = {"another": upload(rig)}

        end = drive.run()

        assert isinstance(end, Done)
        assert list(rig.platform.posts) == [end.remote_id]

    def test_an_upload_that_never_agrees_where_it_stands_is_begun_anew(
        self, rig: TikTokRig
    ) -> None:
        drive = rig.drive("chunks")
        until(drive, "chunk", 1)
        upload(rig).refuses = [416] * 50

        end = drive.run()

        assert isinstance(end, Done)
        assert list(rig.platform.posts) == [end.remote_id]
        assert len(rig.platform.uploads) == 2


class TestLastChunk:
    """The chunk that publishes: what happened to it TikTok's status says."""

    def test_a_last_chunk_that_did_not_arrive_goes_to_the_same_upload(self, rig: TikTokRig) -> None:
        drive = rig.drive("chunks")
        until(drive, LAST_CHUNK, 2)
        rig.platform.strike(0, Fault.DROP_BEFORE)

        end = drive.run()

        assert isinstance(end, Done)
        assert len(rig.platform.uploads) == 1
        assert upload(rig).arrived == 3_600_123

    @pytest.mark.parametrize("status", [206, 400, 403, 404, 416])
    def test_any_other_answer_is_checked_before_anything_is_sent_again(
        self, rig: TikTokRig, status: int
    ) -> None:
        drive = rig.drive("chunks")
        until(drive, LAST_CHUNK, 2)
        post = upload(rig)
        post.refuses, post.arrived = [status], post.size
        rig.platform.show(post)  # it was all there already

        end = drive.run()

        assert isinstance(end, Done)
        assert list(rig.platform.posts) == [end.remote_id]
        assert names(rig).count("PUT /video") == 3
        assert len(rig.platform.uploads) == 1

    def test_a_last_chunk_that_tiktok_does_not_take_for_the_last_is_not_the_end(
        self, rig: TikTokRig
    ) -> None:
        drive = rig.drive("chunks")
        until(drive, LAST_CHUNK, 2)
        upload(rig).refuses = [206]

        end = drive.run()

        assert isinstance(end, Done)
        assert names(rig).count("PUT /video") == 4
        assert rig.clock() - NOON < timedelta(minutes=1)

    def test_an_upload_that_lacks_a_chunk_goes_on_there(self, rig: TikTokRig) -> None:
        drive = rig.drive("chunks")
        until(drive, LAST_CHUNK, 2)
        upload(rig).arrived = 1_000_000

        end = drive.run()

        assert isinstance(end, Done)
        assert list(rig.platform.posts) == [end.remote_id]
        assert len(rig.platform.uploads) == 1

    def test_nothing_is_begun_anew_while_the_address_may_still_complete_it(
        self, rig: TikTokRig
    ) -> None:
        drive = rig.drive("chunks")
        until(drive, LAST_CHUNK, 2)
        upload(rig).refuses = [404] * 9

        while len(rig.platform.uploads) == 1:
            assert drive._step() is None
        begun_anew = rig.clock()
        end = drive.run()

        assert begun_anew >= NOON + timedelta(hours=1)
        assert isinstance(end, Done)
        assert list(rig.platform.posts) == [end.remote_id]

    def test_an_upload_whose_bytes_tiktok_does_not_count_is_never_begun_anew(
        self, rig: TikTokRig
    ) -> None:
        drive = rig.drive("chunks")
        until(drive, LAST_CHUNK, 2)
        upload(rig).refuses, rig.platform.counts_bytes = [404], False

        end = drive.run()

        assert isinstance(end, Failed)
        assert (end.code, end.proves_absence) == (FailureCode.OUTCOME_UNKNOWN, False)
        assert rig.clock() - NOON >= timedelta(hours=1)
        assert names(rig).count("PUT /video") == 3

    def test_an_upload_that_comes_up_short_too_late_fails_for_a_person_to_retry(
        self, rig: TikTokRig
    ) -> None:
        drive = rig.drive("chunks")
        until(drive, LAST_CHUNK, 2)
        rig.clock.pass_time(timedelta(minutes=61))

        end = drive.run()

        assert isinstance(end, Failed)
        assert (end.code, end.proves_absence) == (FailureCode.PLATFORM_UNAVAILABLE, True)
        assert rig.platform.posts == {}

    def test_a_status_that_the_lookup_cannot_read_sends_nothing(self, rig: TikTokRig) -> None:
        drive = rig.drive("chunks")
        until(drive, LAST_CHUNK, 2)
        rig.platform.strike(0, Fault.DROP_AFTER)
        for place in range(1, 8):
            rig.platform.strike(place, Fault.ERROR_BEFORE)

        end = drive.run()

        assert isinstance(end, Done)
        assert names(rig).count("PUT /video") == 3
        assert names(rig).count("video/init") == 1
