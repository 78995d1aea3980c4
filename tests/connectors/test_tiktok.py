"""The TikTok connector: the harness, the fact sheet's exchange, settings, refusals.

Uploads are in `test_tiktok_uploads.py`, what follows in `…_processing.py` and `…_looking.py`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.connectors.connector import Deletes, MediaFile
from chalicelib.connectors.tiktok.post import LARGEST_PHOTO, LARGEST_VIDEO
from chalicelib.domain.outcome import Checkpoint, Done, Failed, FailureCode, Json, Wait
from tests.connectors.checks import ConnectorChecks
from tests.connectors.fake_platform import Fault
from tests.connectors.fake_tiktok import USERNAME
from tests.connectors.rig import PatternSource, Rig, a_photo, a_publication, a_video
from tests.connectors.tiktok_rig import OPTIONS, SMALL, TEXT, a_rig, fake_of, names, tiktok_of
from tests.frozen_clock import NOON

PRIVATE: Mapping[str, Json] = {"privacy_level": "SELF_ONLY"}
PROFILE = f"https://www.tiktok.com/@{USERNAME}"


@pytest.fixture
def rig() -> Iterator[Rig]:
    made = a_rig("video", "photo")
    yield made
    made.platform.close()


class TestVideo(ConnectorChecks):
    """A video in one piece."""

    def make_rig(self) -> Rig:
        return a_rig("video")


class TestChunks(ConnectorChecks):
    """A video in several chunks."""

    def make_rig(self) -> Rig:
        return a_rig("chunks", sizes=SMALL)


class TestPhoto(ConnectorChecks):
    """A photo, whose lost answer TikTok cannot be asked about."""

    def make_rig(self) -> Rig:
        rig = a_rig("photo")
        rig.cannot_tell = True
        return rig


def options(rig: Rig, chosen: Mapping[str, Json], media: MediaFile | None = None) -> None:
    """Let the rig's video go out with these options."""
    rig.shapes = {"video": a_publication(rig.account, TEXT, media or a_video(), chosen)}


class TestExchange:
    """The fact sheet's worked example, call by call."""

    def test_a_long_video_goes_up_in_seven_chunks_of_which_the_last_publishes(
        self, rig: Rig
    ) -> None:
        options(rig, OPTIONS, a_video(70_000_123))

        end = rig.drive("video").run()

        assert isinstance(end, Done)
        (post_id,) = rig.platform.posts
        assert end == Done(remote_id=post_id, url=f"{PROFILE}/video/{post_id}")
        assert int(post_id) > 2**53
        assert names(rig) == [
            "creator_info/query",
            "video/init",
            *["PUT /video"] * 7,
            *["status/fetch"] * 3,
        ]
        assert rig.platform.calls[1].json == {
            "post_info": {
                "title": TEXT,
                "privacy_level": "PUBLIC_TO_EVERYONE",
                "disable_comment": False,
                "disable_duet": True,
                "disable_stitch": True,
                "brand_content_toggle": False,
                "brand_organic_toggle": True,
            },
            "source_info": {
                "source": "FILE_UPLOAD",
                "video_size": 70_000_123,
                "chunk_size": 10_000_000,
                "total_chunk_count": 7,
            },
        }
        first, *_, last = rig.platform.calls[2:9]
        assert first.headers["content-range"] == "bytes 0-9999999/70000123"
        assert last.headers["content-range"] == "bytes 60000000-70000122/70000123"
        assert (last.headers["content-type"], last.size) == ("video/mp4", 10_000_123)
        assert rig.platform.calls[-1].json == {"publish_id": "v_pub_file~v2-1.700"}

    def test_a_photo_is_fetched_by_tiktok(self, rig: Rig) -> None:
        end = rig.drive("photo").run()

        assert isinstance(end, Done)
        assert end.url == f"{PROFILE}/photo/{end.remote_id}"
        assert names(rig)[:3] == ["creator_info/query", "content/init", "status/fetch"]
        assert rig.platform.calls[1].json == {
            "media_type": "PHOTO",
            "post_mode": "DIRECT_POST",
            "post_info": {
                "description": TEXT,
                "privacy_level": "PUBLIC_TO_EVERYONE",
                "disable_comment": False,
                "brand_content_toggle": False,
                "brand_organic_toggle": True,
            },
            "source_info": {
                "source": "PULL_FROM_URL",
                "photo_images": ["https://media.example/photo.jpg"],
                "photo_cover_index": 0,
            },
        }

    def test_without_a_text_there_is_no_title(self, rig: Rig) -> None:
        rig.shapes = {"video": a_publication(rig.account, "", a_video(), PRIVATE)}

        rig.drive("video").run()

        assert "title" not in rig.platform.calls[1].json["post_info"]

    def test_tiktok_has_no_way_to_delete(self, rig: Rig) -> None:
        assert not isinstance(rig.connector, Deletes)


class TestFiles:
    """What is refused before anything is sent."""

    @pytest.mark.parametrize(
        ("media", "code"),
        [
            (a_video(LARGEST_VIDEO + 1), FailureCode.MEDIA_TOO_LARGE),
            (a_photo(LARGEST_PHOTO + 1), FailureCode.MEDIA_TOO_LARGE),
            (replace(a_photo(), mime="image/png"), FailureCode.MEDIA_REJECTED),
            (replace(a_video(), mime="video/x-msvideo"), FailureCode.MEDIA_REJECTED),
            (replace(a_photo(), source=PatternSource(9, None)), FailureCode.MEDIA_UNAVAILABLE),
            (
                replace(a_photo(), source=PatternSource(9, "http://10.0.0.1/a.jpg")),
                FailureCode.MEDIA_UNAVAILABLE,
            ),
        ],
        ids=["film", "photo", "png", "avi", "no address", "no https"],
    )
    def test_what_tiktok_does_not_take_is_refused_unsent(
        self, rig: Rig, media: MediaFile, code: FailureCode
    ) -> None:
        end = rig.connector.start(a_publication(rig.account, TEXT, media, OPTIONS))

        assert isinstance(end, Failed)
        assert (end.code, end.is_transient) == (code, False)
        assert rig.platform.calls == []

    def test_a_video_needs_no_address(self, rig: Rig) -> None:
        options(rig, OPTIONS, replace(a_video(), source=PatternSource(2_500_000, None)))

        assert isinstance(rig.drive("video").run(), Done)


class TestSettings:
    """A post is held against the creator's settings right before it is sent."""

    def test_a_privacy_level_that_is_gone_is_refused_with_those_that_are_there(
        self, rig: Rig
    ) -> None:
        fake_of(rig).settings["privacy_level_options"] = ["FOLLOWER_OF_CREATOR", "SELF_ONLY"]

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
        self, rig: Rig, chosen: Mapping[str, Json]
    ) -> None:
        options(rig, chosen)

        end = rig.drive("video").run()

        assert isinstance(end, Failed)
        assert end.code == FailureCode.INVALID_OPTIONS
        assert rig.platform.posts == {}

    def test_what_the_creator_switched_off_stays_off(self, rig: Rig) -> None:
        wanted = {f"allow_{name}": True for name in ("comment", "duet", "stitch")}
        options(rig, {**PRIVATE, **wanted})
        fake_of(rig).settings["duet_disabled"] = True

        rig.drive("video").run()

        info = rig.platform.calls[1].json["post_info"]
        assert (info["disable_comment"], info["disable_duet"], info["disable_stitch"]) == (
            False,
            True,
            True,
        )

    def test_without_a_disclosure_nothing_is_disclosed(self, rig: Rig) -> None:
        options(rig, {**PRIVATE, "your_brand": True})

        rig.drive("video").run()

        info = rig.platform.calls[1].json["post_info"]
        assert (info["brand_content_toggle"], info["brand_organic_toggle"]) == (False, False)

    def test_a_video_longer_than_the_creator_may_post_is_refused(self, rig: Rig) -> None:
        fake_of(rig).settings["max_video_post_duration_sec"] = 11

        end = rig.drive("video").run()

        assert isinstance(end, Failed)
        assert end.code == FailureCode.VIDEO_TOO_LONG
        assert "11 seconds" in end.message

    def test_a_banned_creator_cannot_post(self, rig: Rig) -> None:
        fake_of(rig).cannot_post = "spam_risk_user_banned_from_posting"

        end = rig.drive("video").run()

        assert isinstance(end, Failed)
        assert end.code == FailureCode.ACCOUNT_RESTRICTED

    @pytest.mark.parametrize(
        ("code", "hours"), [("spam_risk_too_many_posts", 6), ("reached_active_user_cap", 3)]
    )
    def test_a_full_day_is_waited_for(self, rig: Rig, code: str, hours: int) -> None:
        fake_of(rig).cannot_post = code
        drive = rig.drive("video")
        while rig.clock() == NOON:
            drive._step()
        waited = rig.clock() - NOON
        fake_of(rig).cannot_post = None

        end = drive.run()

        assert waited == timedelta(hours=hours)
        assert isinstance(end, Done)

    @pytest.mark.parametrize(("shape", "step"), [("video", "init"), ("photo", "photo")])
    def test_settings_are_read_anew_when_the_post_had_to_wait(
        self, rig: Rig, shape: str, step: str
    ) -> None:
        drive = rig.drive(shape)
        while drive.checkpoint is None or drive.checkpoint.step != step:
            drive._step()
        rig.clock.pass_time(timedelta(minutes=16))
        fake_of(rig).settings["comment_disabled"] = True

        end = drive.run()

        assert isinstance(end, Done)
        assert names(rig).count("creator_info/query") == 2
        inits = [call for call in rig.platform.calls if "/init/" in call.path]
        assert [call.json["post_info"]["disable_comment"] for call in inits] == [True]

    def test_settings_that_cannot_be_read_leave_no_doubt_about_a_photo(self, rig: Rig) -> None:
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
        self, rig: Rig, shape: str, status: int, refusal: str, code: FailureCode
    ) -> None:
        fake_of(rig).init_refusal = (status, refusal)

        end = rig.drive(shape).run()

        assert isinstance(end, Failed)
        assert end.code == code
        assert rig.platform.posts == {}

    def test_an_address_that_nobody_verified_is_not_tried_again(self, rig: Rig) -> None:
        fake_of(rig).init_refusal = (403, "url_ownership_unverified")

        end = rig.drive("photo").run()

        assert isinstance(end, Failed)
        assert end.final
        assert names(rig).count("content/init") == 1

    def test_an_inner_error_of_tiktok_passes(self, rig: Rig) -> None:
        fake_of(rig).init_refusal = (200, "internal_error")
        drive = rig.drive("video")
        while drive.tries == 0:
            assert drive._step() is None
        fake_of(rig).init_refusal = None

        end = drive.run()

        assert isinstance(end, Done)

    def test_an_inner_error_of_tiktok_is_no_refusal_whatever_its_status(self, rig: Rig) -> None:
        fake_of(rig).init_refusal = (200, "internal_error")
        drive = rig.drive("photo")
        while not drive.unanswered:
            drive._step()

        assert drive.checkpoint is not None
        assert drive.checkpoint.step == "photo"


def test_start_leads_to_the_creators_settings(rig: Rig) -> None:
    assert tiktok_of(rig).start(rig.shapes["video"]) == Wait(Checkpoint("creator"))
