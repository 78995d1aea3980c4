"""Posts on TikTok are held against the creator's settings, and against what TikTok refuses."""

from collections.abc import Mapping
from datetime import timedelta

import pytest

from chalicelib.domain.outcome import Done, Failed, FailureCode
from chalicelib.kit.json_value import Json
from tests.connectors.support.fake_platform import Fault
from tests.connectors.support.rig import a_publication, a_video
from tests.connectors.tiktok.rig import TEXT, TikTokRig, names
from tests.support.frozen_clock import NOON

PRIVATE: Mapping[str, Json] = {"privacy_level": "SELF_ONLY"}


def options(rig: TikTokRig, chosen: Mapping[str, Json]) -> None:
    """Let the rig's video go out with these options."""
    rig.shapes = {"video": a_publication(rig.account, TEXT, a_video(), chosen)}


class TestSettings:
    """A post is held against the creator's settings right before it is sent."""

    def test_a_privacy_level_that_is_gone_is_refused_with_those_that_are_there(
        self, rig: TikTokRig
    ) -> None:
        rig.platform.settings["privacy_level_options"] = ["FOLLOWER_OF_CREATOR", "SELF_ONLY"]

        end = rig.drive("video").run()

        assert isinstance(end, Failed)
        assert end.code == FailureCode.INVALID_OPTIONS
        assert end.message.endswith("Choose one of FOLLOWER_OF_CREATOR, SELF_ONLY.")
        assert names(rig) == ["creator_info/query"]

    @pytest.mark.parametrize(
        "chosen",
        [
            {},
            {"privacy_level": "SELF_ONLY", "branded_content": True, "disclose_commercial": True},
            {"privacy_level": "SELF_ONLY", "disclose_commercial": True},
        ],
        ids=["no level", "private branded content", "discloses nothing"],
    )
    def test_tiktoks_rules_hold_for_old_drafts_too(
        self, rig: TikTokRig, chosen: Mapping[str, Json]
    ) -> None:
        options(rig, chosen)

        end = rig.drive("video").run()

        assert isinstance(end, Failed)
        assert end.code == FailureCode.INVALID_OPTIONS
        assert rig.platform.posts == {}

    def test_what_the_creator_switched_off_stays_off(self, rig: TikTokRig) -> None:
        wanted = {f"allow_{name}": True for name in ("comment", "duet", "stitch")}
        options(rig, {**PRIVATE, **wanted})
        rig.platform.settings["duet_disabled"] = True

        rig.drive("video").run()

        info = rig.platform.calls[1].json["post_info"]
        assert (info["disable_comment"], info["disable_duet"], info["disable_stitch"]) == (
            False,
            True,
            True,
        )

    def test_without_a_disclosure_nothing_is_disclosed(self, rig: TikTokRig) -> None:
        options(rig, {**PRIVATE, "your_brand": True})

        rig.drive("video").run()

        info = rig.platform.calls[1].json["post_info"]
        assert (info["brand_content_toggle"], info["brand_organic_toggle"]) == (False, False)

    def test_a_video_longer_than_the_creator_may_post_is_refused(self, rig: TikTokRig) -> None:
        rig.platform.settings["max_video_post_duration_sec"] = 11

        end = rig.drive("video").run()

        assert isinstance(end, Failed)
        assert end.code == FailureCode.VIDEO_TOO_LONG
        assert "11 seconds" in end.message

    def test_a_banned_creator_cannot_post(self, rig: TikTokRig) -> None:
        rig.platform.cannot_post = "spam_risk_user_banned_from_posting"

        end = rig.drive("video").run()

        assert isinstance(end, Failed)
        assert end.code == FailureCode.ACCOUNT_RESTRICTED

    @pytest.mark.parametrize(
        ("code", "hours"), [("spam_risk_too_many_posts", 6), ("reached_active_user_cap", 3)]
    )
    def test_a_full_day_is_waited_for(self, rig: TikTokRig, code: str, hours: int) -> None:
        rig.platform.cannot_post = code
        drive = rig.drive("video")
        while rig.clock() == NOON:
            drive._step()
        waited = rig.clock() - NOON
        rig.platform.cannot_post = None

        end = drive.run()

        assert waited == timedelta(hours=hours)
        assert isinstance(end, Done)

    @pytest.mark.parametrize(("shape", "step"), [("video", "init"), ("photo", "photo")])
    def test_settings_are_read_anew_when_the_post_had_to_wait(
        self, rig: TikTokRig, shape: str, step: str
    ) -> None:
        drive = rig.drive(shape)
        while drive.checkpoint is None or drive.checkpoint.step != step:
            drive._step()
        rig.clock.pass_time(timedelta(minutes=16))
        rig.platform.settings["comment_disabled"] = True

        end = drive.run()

        assert isinstance(end, Done)
        assert names(rig).count("creator_info/query") == 2
        inits = [call for call in rig.platform.calls if "/init/" in call.path]
        assert [call.json["post_info"]["disable_comment"] for call in inits] == [True]

    def test_settings_that_cannot_be_read_leave_no_doubt_about_a_photo(
        self, rig: TikTokRig
    ) -> None:
        drive = rig.drive("photo")
        while drive.checkpoint is None or drive.checkpoint.step != "photo":
            drive._step()
        rig.clock.pass_time(timedelta(minutes=16))
        rig.platform.strike(0, Fault.DROP_AFTER)

        drive._step()
        in_doubt = drive.unanswered
        end = drive.run()

        assert not in_doubt
        assert isinstance(end, Done)
        assert list(rig.platform.posts) == [end.remote_id]


class TestRefusals:
    """What TikTok refuses a post with."""

    @pytest.mark.parametrize("shape", ["video", "photo"])
    @pytest.mark.parametrize(
        ("status", "refusal", "code"),
        [
            (
                403,
                "unaudited_client_can_only_post_to_private_accounts",
                FailureCode.PERMISSION_MISSING,
            ),
            (403, "privacy_level_option_mismatch", FailureCode.INVALID_OPTIONS),
            (400, "invalid_params", FailureCode.INVALID_OPTIONS),
            (403, "url_ownership_unverified", FailureCode.MEDIA_UNAVAILABLE),
            (401, "scope_permission_missed", FailureCode.PERMISSION_MISSING),
            (200, "invalid_param", FailureCode.INVALID_OPTIONS),
        ],
    )
    def test_a_refused_post_fails_unseen(
        self, rig: TikTokRig, shape: str, status: int, refusal: str, code: FailureCode
    ) -> None:
        rig.platform.init_refusal = (status, refusal)

        end = rig.drive(shape).run()

        assert isinstance(end, Failed)
        assert end.code == code
        assert rig.platform.posts == {}

    def test_an_address_that_nobody_verified_is_not_tried_again(self, rig: TikTokRig) -> None:
        rig.platform.init_refusal = (403, "url_ownership_unverified")

        end = rig.drive("photo").run()

        assert isinstance(end, Failed)
        assert end.final
        assert names(rig).count("content/init") == 1

    def test_an_inner_error_of_tiktok_passes(self, rig: TikTokRig) -> None:
        rig.platform.init_refusal = (200, "internal_error")
        drive = rig.drive("video")
        while drive.tries == 0:
            assert drive._step() is None
        rig.platform.init_refusal = None

        end = drive.run()

        assert isinstance(end, Done)

    def test_an_inner_error_of_tiktok_is_no_refusal_whatever_its_status(
        self, rig: TikTokRig
    ) -> None:
        rig.platform.init_refusal = (200, "internal_error")
        drive = rig.drive("photo")
        while not drive.unanswered:
            drive._step()

        assert drive.checkpoint is not None
        assert drive.checkpoint.step == "photo"
