"""Counts of live TikTok posts, and what is told of those that cannot be counted."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.connectors.connector import LivePost
from chalicelib.connectors.shared.calls.failures import (
    RateLimitedError,
)
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.outcome import Done
from chalicelib.kit.json_value import Json
from tests.connectors.support.fake_platform import Fault
from tests.connectors.support.rig import a_publication, a_video
from tests.connectors.tiktok.rig import TEXT, TikTokRig, names

PRIVATE: Mapping[str, Json] = {"privacy_level": "SELF_ONLY"}


FIGURES = Metrics(views=912, likes=40, comments=3, shares=2)


def live(rig: TikTokRig, remote_id: str, target_id: str = "1") -> LivePost:
    """Return a post that went live earlier."""
    return replace(rig.live(Done(remote_id=remote_id, url=None)), target_id=target_id)


class TestCounts:
    """Metrics of live posts."""

    def test_counts_are_read_together(self, rig: TikTokRig) -> None:
        ids = [rig.platform.post_as_a_person(f"Number {number}") for number in range(2)]

        told = rig.connector.metrics([live(rig, one) for one in ids])

        assert told == [FIGURES, FIGURES]
        (call,) = rig.platform.calls
        assert call.query == {"fields": "id,view_count,like_count,comment_count,share_count"}
        assert call.json == {"filters": {"video_ids": ids}}

    def test_nothing_is_told_of_a_post_that_is_not_in_the_answer(self, rig: TikTokRig) -> None:
        here = rig.platform.post_as_a_person("Here")

        told = rig.connector.metrics([live(rig, "7512345678901234999"), live(rig, here)])

        assert told == [Metrics(), FIGURES]

    def test_a_count_that_is_left_out_is_not_zero(self, rig: TikTokRig) -> None:
        here = rig.platform.post_as_a_person("Here")
        rig.platform.untold = {"view_count", "share_count"}

        told = rig.connector.metrics([live(rig, here)])

        assert told == [Metrics(likes=40, comments=3)]

    def test_a_post_without_an_id_gets_its_own_as_soon_as_tiktok_tells(
        self, rig: TikTokRig
    ) -> None:
        rig.platform.polls_of_moderation, rig.platform.lag = 16, timedelta(hours=1)
        done = rig.drive("video").run()
        assert isinstance(done, Done)
        assert not done.remote_id.isdigit()
        nameless = live(rig, done.remote_id)

        before = rig.connector.metrics([nameless])
        after = rig.connector.metrics([nameless])

        assert (before, after) == ([Metrics()], [FIGURES])
        assert names(rig)[-3:] == ["status/fetch", "status/fetch", "video/query"]

    def test_a_private_post_is_reported_as_nothing(self, rig: TikTokRig) -> None:
        rig.shapes = {"video": a_publication(rig.account, TEXT, a_video(), PRIVATE)}
        done = rig.drive("video").run()
        assert isinstance(done, Done)

        assert rig.connector.metrics([live(rig, done.remote_id)]) == [Metrics()]
        assert names(rig)[-1] == "status/fetch"

    @pytest.mark.parametrize("fault", [Fault.ERROR_BEFORE, Fault.DROP_BEFORE])
    def test_an_id_that_cannot_be_asked_for_hides_no_other_post(
        self, rig: TikTokRig, fault: Fault
    ) -> None:
        here = rig.platform.post_as_a_person("Here")
        rig.platform.strike(0, fault)

        told = rig.connector.metrics([live(rig, "v_pub_file~v2-1.7"), live(rig, here)])

        assert told == [Metrics(), FIGURES]

    def test_an_upload_that_tiktok_forgot_is_reported_as_nothing(self, rig: TikTokRig) -> None:
        assert rig.connector.metrics([live(rig, "v_pub_file~v2-1.7")]) == [Metrics()]

    def test_a_limit_is_passed_on(self, rig: TikTokRig) -> None:
        rig.platform.strike(0, Fault.LIMITED)

        with pytest.raises(RateLimitedError):
            rig.connector.metrics([live(rig, "v_pub_file~v2-1.7")])

    def test_without_leave_to_read_counts_nobody_is_asked(self, rig: TikTokRig) -> None:
        here = live(rig, "7512345678901234567")
        extra = {**here.account.extra, "scope": "user.info.basic,video.publish"}

        told = rig.connector.metrics([replace(here, account=replace(here.account, extra=extra))])

        assert told == [Metrics()]
        assert rig.platform.calls == []
