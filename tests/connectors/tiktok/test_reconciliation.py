"""What the TikTok connector answers when nobody knows whether a post went out."""

from collections.abc import Mapping
from datetime import timedelta

import pytest

from chalicelib.connectors.tiktok.media import LAST_CHUNK
from chalicelib.domain.outcome import Absent, Checkpoint, Done, Failed, FailureCode, Unknown, Wait
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.json_value import Json
from tests.connectors.support.fake_platform import Fault
from tests.connectors.support.rig import a_publication, a_video
from tests.connectors.tiktok.fake import USERNAME
from tests.connectors.tiktok.rig import TEXT, TikTokRig, in_doubt, names, reconcile
from tests.support.frozen_clock import NOON

RESTORED = Checkpoint("restored")


PRIVATE: Mapping[str, Json] = {"privacy_level": "SELF_ONLY"}


LATE = timedelta(hours=7)


class TestVideos:
    """A video has an id before its last chunk: its status decides."""

    def test_a_complete_one_is_found_by_its_status(self, rig: TikTokRig) -> None:
        checkpoint = in_doubt(rig, Fault.DROP_AFTER)
        rig.platform.polls_of_moderation = 1

        found = [reconcile(rig, "video", checkpoint) for _ in range(2)]

        (ours,) = rig.platform.posts
        assert isinstance(found[0], Wait)
        assert found[1] == Done(
            remote_id=ours, url=f"https://www.tiktok.com/@{USERNAME}/video/{ours}"
        )

    def test_one_that_lacks_bytes_is_absent_only_after_deadline_and_lag(
        self, rig: TikTokRig
    ) -> None:
        checkpoint = in_doubt(rig, Fault.DROP_BEFORE)
        over = timedelta(seconds=35) + FACTS[Platform.TIKTOK].read_lag

        early = reconcile(rig, "video", checkpoint, after=over - timedelta(seconds=1))
        late = reconcile(rig, "video", checkpoint, after=over)

        assert isinstance(early, Wait)
        assert early.delay == timedelta(seconds=1)
        assert late == Absent()

    def test_one_that_lacks_bytes_is_absent_whether_we_may_read_the_list_or_not(
        self, rig: TikTokRig
    ) -> None:
        checkpoint = in_doubt(rig, Fault.DROP_BEFORE)
        rig.platform.granted = "user.info.basic,video.publish"

        assert reconcile(rig, "video", checkpoint, after=LATE) == Absent()

    def test_one_that_tiktok_works_on_is_waited_for(self, rig: TikTokRig) -> None:
        checkpoint = in_doubt(rig, Fault.DROP_AFTER)
        rig.platform.polls_needed = 99

        found = reconcile(rig, "video", checkpoint, after=timedelta(minutes=30))

        assert isinstance(found, Wait)
        assert found.checkpoint.step == LAST_CHUNK

    def test_the_looks_go_on_at_least_every_minute(self, rig: TikTokRig) -> None:
        checkpoint = in_doubt(rig, Fault.DROP_AFTER)
        rig.platform.polls_needed = 999

        delays = []
        for _ in range(70):
            found = reconcile(rig, "video", checkpoint)
            assert isinstance(found, Wait)
            checkpoint = found.checkpoint
            delays.append(found.delay.total_seconds())

        assert (delays[0], delays[20], delays[-1]) == (5, 20, 60)

    def test_one_that_failed_is_not_completed_again_but_begun_anew(self, rig: TikTokRig) -> None:
        rig.platform.failures = ["internal"]
        drive = rig.drive("video")
        while drive.checkpoint is None or drive.checkpoint.step != LAST_CHUNK:
            drive._step()
        rig.platform.strike(0, Fault.DROP_AFTER)

        end = drive.run()

        assert isinstance(end, Done)
        assert list(rig.platform.posts) == [end.remote_id]
        assert [post.arrived for post in rig.platform.uploads.values()] == [2_500_000] * 2
        assert names(rig).count("PUT /video") == 2

    def test_one_that_failed_for_good_fails_with_its_reason(self, rig: TikTokRig) -> None:
        rig.platform.failures = ["spam_risk_text"]
        drive = rig.drive("video")
        while drive.checkpoint is None or drive.checkpoint.step != LAST_CHUNK:
            drive._step()
        rig.platform.strike(0, Fault.ERROR_AFTER)

        end = drive.run()

        assert isinstance(end, Failed)
        assert (end.code, end.final) == (FailureCode.CAPTION_REJECTED, True)
        assert names(rig).count("PUT /video") == 1

    def test_one_in_the_inbox_is_anybodys_guess(self, rig: TikTokRig) -> None:
        checkpoint = in_doubt(rig, Fault.DROP_AFTER)
        rig.platform.polls_needed, rig.platform.states = 1, ["SEND_TO_USER_INBOX"]

        assert reconcile(rig, "video", checkpoint) == Unknown()

    @pytest.mark.parametrize("step", ["processing", "resync", "chunk"])
    def test_a_later_retry_asks_the_upload_that_was_followed(
        self, rig: TikTokRig, step: str
    ) -> None:
        checkpoint = in_doubt(rig, Fault.DROP_AFTER)
        rig.platform.polls_needed = rig.platform.polls_of_moderation = 1

        found = reconcile(rig, "video", Checkpoint(step, checkpoint.data), after=LATE)

        assert isinstance(found, Done)
        assert [found.remote_id] == list(rig.platform.posts)

    @pytest.mark.parametrize("step", ["creator", "init"])
    def test_a_retry_knows_that_an_upload_that_was_given_up_had_failed(
        self, rig: TikTokRig, step: str
    ) -> None:
        rig.shapes = {"video": a_publication(rig.account, TEXT, a_video(), PRIVATE)}
        rig.platform.failures = ["internal"]
        drive = rig.drive("video")
        left = Checkpoint("none")
        while drive.sent is None or left.step != step:
            drive._step()
            left = drive.checkpoint or left

        found = reconcile(rig, "video", left, after=LATE)

        assert found == Absent()


class TestPhotos:
    """A photo's id comes with the answer that was lost."""

    def test_one_that_the_list_shows_is_found(self, rig: TikTokRig) -> None:
        rig.platform.lists_photos = True
        drive = rig.drive("photo")
        rig.platform.strike(1, Fault.DROP_AFTER)

        end = drive.run()

        assert isinstance(end, Done)
        assert list(rig.platform.posts) == [end.remote_id]

    @pytest.mark.parametrize("fault", [Fault.DROP_AFTER, Fault.DROP_BEFORE])
    def test_one_that_the_list_does_not_show_is_never_sent_again(
        self, rig: TikTokRig, fault: Fault
    ) -> None:
        rig.platform.strike(1, fault)

        end = rig.drive("photo").run()

        assert isinstance(end, Failed)
        assert end.code == FailureCode.OUTCOME_UNKNOWN
        assert names(rig).count("content/init") == 1
        assert rig.clock() - NOON >= timedelta(minutes=15)

    def test_an_upload_that_was_given_up_says_nothing_about_a_photo(self, rig: TikTokRig) -> None:
        """Its failure is not the failure of the photo whose answer is lost now."""
        rig.platform.failures, rig.platform.polls_needed = ["internal"], 1
        rig.platform.strike(4, Fault.DROP_AFTER)

        end = rig.drive("photo").run()

        assert names(rig)[4] == "content/init"
        assert isinstance(end, Failed)
        assert end.code == FailureCode.OUTCOME_UNKNOWN
        assert len(rig.platform.posts) == 1

    def test_without_leave_to_read_the_list_nobody_can_tell(self, rig: TikTokRig) -> None:
        rig.platform.granted = "user.info.basic,video.publish"

        found = reconcile(rig, "photo", Checkpoint("photo"), after=timedelta(minutes=15))

        assert found == Unknown()


def test_a_list_that_cannot_be_read_is_read_again_before_a_video_is_called_absent(
    rig: TikTokRig,
) -> None:
    rig.platform.strike(2, Fault.DROP_BEFORE)
    rig.platform.strike(6, Fault.ERROR_BEFORE)

    end = rig.drive("video").run()

    assert isinstance(end, Done)
    assert list(rig.platform.posts) == [end.remote_id]


def test_looks_change_nothing(rig: TikTokRig) -> None:
    checkpoint = in_doubt(rig, Fault.DROP_BEFORE)
    before = len(rig.platform.calls)

    reconcile(rig, "video", checkpoint, after=LATE)
    reconcile(rig, "video", RESTORED, after=LATE)
    reconcile(rig, "photo", Checkpoint("photo"), after=LATE)

    assert set(names(rig)[before:]) == {"status/fetch", "video/list"}
