"""What the TikTok connector answers of targets that a restored backup brought back."""

from collections.abc import Mapping
from datetime import timedelta

import pytest

from chalicelib.connectors.tiktok.reconciliation import LISTED_WITHIN
from chalicelib.domain.outcome import Absent, Checkpoint, Unknown, Wait
from chalicelib.kit.json_value import Json
from tests.connectors.support.fake_platform import Fault
from tests.connectors.support.rig import a_photo, a_publication, a_video
from tests.connectors.tiktok.rig import OPTIONS, TEXT, TikTokRig, in_doubt, reconcile
from tests.support.frozen_clock import NOON

RESTORED = Checkpoint("restored")


PRIVATE: Mapping[str, Json] = {"privacy_level": "SELF_ONLY"}


LATE = timedelta(hours=7)


class TestRestored:
    """After a restore from a backup the checkpoint may be older than what was sent."""

    def test_a_public_video_is_found_in_the_list(self, rig: TikTokRig) -> None:
        rig.platform.post_as_a_person("Something else")
        ours = rig.drive("video").run()

        assert reconcile(rig, "video", RESTORED, after=timedelta(hours=1)) == ours

    def test_a_text_that_is_cut_in_the_list_is_found(self, rig: TikTokRig) -> None:
        text = "Rye bread, " * 40
        rig.shapes = {"video": a_publication(rig.account, text, a_video(), OPTIONS)}
        ours = rig.drive("video").run()

        assert reconcile(rig, "video", RESTORED, after=timedelta(hours=1)) == ours

    @pytest.mark.parametrize("theirs", ["Rye day", "Rye day #bread #oven", "Rye day #BREAD", ""])
    def test_a_text_that_is_only_like_ours_is_not_ours(self, rig: TikTokRig, theirs: str) -> None:
        rig.platform.post_as_a_person(theirs)

        assert reconcile(rig, "video", RESTORED, after=LATE) == Absent()

    def test_a_video_from_before_is_not_ours(self, rig: TikTokRig) -> None:
        rig.clock.now = NOON - timedelta(minutes=2)
        rig.platform.post_as_a_person(TEXT)

        assert reconcile(rig, "video", RESTORED, after=LATE) == Absent()

    def test_that_the_list_does_not_show_a_video_proves_nothing_for_hours(
        self, rig: TikTokRig
    ) -> None:
        early = reconcile(rig, "video", RESTORED, after=LISTED_WITHIN - timedelta(seconds=1))
        late = reconcile(rig, "video", RESTORED, after=LISTED_WITHIN)

        assert early == Wait(RESTORED, timedelta(seconds=60))
        assert late == Absent()

    def test_a_list_full_of_later_videos_proves_nothing(self, rig: TikTokRig) -> None:
        for number in range(20):
            rig.platform.post_as_a_person(f"Number {number}")

        found = reconcile(rig, "video", RESTORED, after=LATE)

        assert found == Unknown()

    def test_without_leave_to_read_the_list_nothing_is_proven(self, rig: TikTokRig) -> None:
        rig.platform.granted = "user.info.basic,video.publish"

        found = reconcile(rig, "video", RESTORED, after=LATE)

        assert found == Unknown()

    @pytest.mark.parametrize("shape", ["video", "photo"])
    def test_a_private_post_cannot_be_looked_for(self, rig: TikTokRig, shape: str) -> None:
        media = a_video() if shape == "video" else a_photo()
        rig.shapes = {shape: a_publication(rig.account, TEXT, media, PRIVATE)}

        assert reconcile(rig, shape, RESTORED, after=LATE) == Unknown()
        assert rig.platform.calls == []

    def test_a_later_upload_than_the_backup_knows_is_found(self, rig: TikTokRig) -> None:
        checkpoint = in_doubt(rig, Fault.DROP_BEFORE)
        ours = rig.drive("video").run()

        found = reconcile(rig, "video", checkpoint, after=timedelta(hours=1))

        assert found == ours
