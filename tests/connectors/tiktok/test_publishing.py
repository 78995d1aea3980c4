"""The TikTok connector: the harness, and the fact sheet's exchange.

Uploads are in `test_uploads.py`, what follows in `test_processing.py`, `test_reconciliation.py`.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import pytest

from chalicelib.connectors.connector import Deletes, MediaFile
from chalicelib.connectors.tiktok.post import LARGEST_PHOTO, LARGEST_VIDEO
from chalicelib.domain.outcome import Checkpoint, Done, Failed, FailureCode, Wait
from chalicelib.kit.json_value import Json
from tests.connectors.support.checks import ConnectorChecks
from tests.connectors.support.rig import PatternSource, a_photo, a_publication, a_video
from tests.connectors.tiktok.fake import USERNAME
from tests.connectors.tiktok.rig import OPTIONS, SMALL, TEXT, TikTokRig, a_rig, names

PRIVATE: Mapping[str, Json] = {"privacy_level": "SELF_ONLY"}
PROFILE = f"https://www.tiktok.com/@{USERNAME}"


class TestVideo(ConnectorChecks):
    """A video in one piece."""

    biggest: ClassVar[int] = LARGEST_VIDEO

    def make_rig(self) -> TikTokRig:
        return a_rig("video")


class TestChunks(ConnectorChecks):
    """A video in several chunks."""

    def make_rig(self) -> TikTokRig:
        return a_rig("chunks", sizes=SMALL)


class TestPhoto(ConnectorChecks):
    """A photo, whose lost answer TikTok cannot be asked about."""

    def make_rig(self) -> TikTokRig:
        rig = a_rig("photo")
        rig.cannot_tell = True
        return rig


def options(rig: TikTokRig, chosen: Mapping[str, Json], media: MediaFile | None = None) -> None:
    """Let the rig's video go out with these options."""
    rig.shapes = {"video": a_publication(rig.account, TEXT, media or a_video(), chosen)}


class TestExchange:
    """The fact sheet's worked example, call by call."""

    def test_a_long_video_goes_up_in_seven_chunks_of_which_the_last_publishes(
        self, rig: TikTokRig
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

    def test_a_photo_is_fetched_by_tiktok(self, rig: TikTokRig) -> None:
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

    def test_without_a_text_there_is_no_title(self, rig: TikTokRig) -> None:
        rig.shapes = {"video": a_publication(rig.account, "", a_video(), PRIVATE)}

        rig.drive("video").run()

        assert "title" not in rig.platform.calls[1].json["post_info"]

    def test_tiktok_has_no_way_to_delete(self, rig: TikTokRig) -> None:
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
        self, rig: TikTokRig, media: MediaFile, code: FailureCode
    ) -> None:
        end = rig.connector.start(a_publication(rig.account, TEXT, media, OPTIONS))

        assert isinstance(end, Failed)
        assert (end.code, end.is_transient) == (code, False)
        assert rig.platform.calls == []

    def test_a_video_needs_no_address(self, rig: TikTokRig) -> None:
        options(rig, OPTIONS, replace(a_video(), source=PatternSource(2_500_000, None)))

        assert isinstance(rig.drive("video").run(), Done)


def test_start_leads_to_the_creators_settings(rig: TikTokRig) -> None:
    assert rig.connector.start(rig.shapes["video"]) == Wait(Checkpoint("creator"))
