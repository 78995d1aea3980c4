"""The Pinterest connector over a strict fake; `test_official.py` holds both to account.

What it refuses has `test_refusals.py`, looking for lost pins `test_reconciliation.py`,
accounts and figures `test_accounts.py`.
"""

import base64
import hashlib
import json
import tracemalloc
from datetime import timedelta
from typing import ClassVar

import pytest

from chalicelib.connectors.pinterest.post import LARGEST_PHOTO, LARGEST_VIDEO
from chalicelib.domain.outcome import Done, Failed, FailureCode
from tests.connectors.pinterest.fake import BOARD
from tests.connectors.pinterest.fake_media import xml_error
from tests.connectors.pinterest.fake_pins import SECTION
from tests.connectors.pinterest.rig import ON_BOARD, TEXT, PinterestRig, a_rig
from tests.connectors.support.checks import ConnectorChecks
from tests.connectors.support.fake_platform import Answer
from tests.connectors.support.rig import (
    PatternSource,
    a_photo,
    a_publication,
    a_video,
)

MOST_MEMORY = 6_000_000


class TestPinterest(ConnectorChecks):
    """What every connector must pass."""

    biggest: ClassVar[int] = LARGEST_VIDEO

    def make_rig(self) -> PinterestRig:
        return a_rig()


class TestPublishing:
    """What goes over the wire."""

    def test_a_photo_goes_out_in_one_call(self, rig: PinterestRig) -> None:
        end = rig.drive("photo").run()

        assert isinstance(end, Done)
        assert end.url == f"https://www.pinterest.com/pin/{end.remote_id}/"
        (call,) = rig.platform.calls
        assert call.name == "POST /v5/pins"
        assert call.headers["authorization"] == "Bearer pina_1"
        data = base64.b64encode(PatternSource(3_000).read(0, 3_000)).decode()
        source = {"source_type": "image_base64", "content_type": "image/jpeg", "data": data}
        assert call.json == {"board_id": BOARD, "description": TEXT, "media_source": source}

    def test_every_option_has_its_field(self, rig: PinterestRig) -> None:
        rig.drive("photo with all options").run()

        sent = rig.platform.calls[0].json
        del sent["media_source"]
        assert sent == {
            "board_id": BOARD,
            "board_section_id": SECTION,
            "title": "Harbour",
            "description": TEXT,
            "link": "https://shop.example/harbour",
            "alt_text": "boats in a row",
            "dominant_color": "#6E7874",
        }

    def test_the_largest_photo_arrives_whole_at_little_memory(self, rig: PinterestRig) -> None:
        photo = a_photo(LARGEST_PHOTO)
        rig.shapes = {"photo": a_publication(rig.account, TEXT, photo, ON_BOARD)}
        drive = rig.drive("photo")

        tracemalloc.start()
        end = drive.run()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()

        assert isinstance(end, Done)
        assert peak < MOST_MEMORY
        data = base64.b64encode(photo.source.read(0, LARGEST_PHOTO)).decode()
        source = {"source_type": "image_base64", "content_type": "image/jpeg", "data": data}
        whole = {"board_id": BOARD, "description": TEXT, "media_source": source}
        spelled = json.dumps(whole, separators=(",", ":")).encode()
        assert rig.platform.calls[0].digest == hashlib.sha256(spelled).hexdigest()

    def test_a_video_is_registered_stored_processed_and_pinned(self, rig: PinterestRig) -> None:
        end = rig.drive("video").run()

        assert isinstance(end, Done)
        media_id, upload = next(iter(rig.platform.uploads.kept.items()))
        assert [call.name for call in rig.platform.calls] == [
            "POST /v5/media",
            "POST /s3/",
            *[f"GET /v5/media/{media_id}"] * 3,
            "POST /v5/pins",
        ]
        assert upload.names == [*upload.form, "file"]
        stored = rig.platform.calls[1]
        assert "authorization" not in stored.headers
        assert (stored.parts[-1].filename, stored.parts[-1].mime) == ("oven.mp4", "video/mp4")
        assert len(stored.parts[-1].content) == 2_500_000
        assert rig.platform.calls[-1].json["media_source"] == {
            "source_type": "video_id",
            "media_id": media_id,
            "cover_image_key_frame_time": 3,
        }

    def test_a_video_without_a_chosen_cover_shows_its_first_second(self, rig: PinterestRig) -> None:
        rig.shapes = {"video": a_publication(rig.account, TEXT, a_video(), ON_BOARD)}

        end = rig.drive("video").run()

        assert isinstance(end, Done)
        assert rig.platform.calls[-1].json["media_source"]["cover_image_key_frame_time"] == 1

    def test_the_first_frame_can_be_the_cover(self, rig: PinterestRig) -> None:
        first = {**ON_BOARD, "cover_second": 0}
        rig.shapes = {"video": a_publication(rig.account, TEXT, a_video(), first)}

        rig.drive("video").run()

        assert rig.platform.calls[-1].json["media_source"]["cover_image_key_frame_time"] == 0

    def test_no_checkpoint_holds_the_signed_form(self, rig: PinterestRig) -> None:
        drive = rig.drive("video")
        kept = []

        while drive.checkpoint is None or drive.checkpoint.step != "pin":
            drive._step()
            assert drive.checkpoint is not None
            kept.append((drive.checkpoint.step, set(drive.checkpoint.data)))

        assert kept[:2] == [("upload", set()), ("processing", {"media_id", "polls"})]
        assert kept[-1] == ("pin", {"media_id"})

    def test_polls_come_ever_more_slowly(self, rig: PinterestRig) -> None:
        rig.platform.uploads.loses = 1
        drive = rig.drive("video")
        waits: list[float] = []

        while len(waits) < 7:
            before = rig.clock()
            drive._step()
            waits.append((rig.clock() - before).total_seconds())

        assert waits == [0, 2, 4, 8, 16, 20, 20]

    def test_after_a_crash_polling_goes_on_with_the_same_upload(self, rig: PinterestRig) -> None:
        end = rig.drive("video", crash_after=3).run()

        assert isinstance(end, Done)
        assert len(rig.platform.uploads.kept) == 1


class TestUploads:
    """What S3 and processing may say."""

    @pytest.mark.parametrize("code", ["AccessDenied", "ExpiredToken", "RequestTimeout"])
    def test_a_form_that_has_ended_is_asked_for_anew(self, rig: PinterestRig, code: str) -> None:
        rig.platform.uploads.refusal = xml_error(403, code)

        end = rig.drive("video").run()

        assert isinstance(end, Done)
        first, second = rig.platform.uploads.kept.values()
        assert (first.digests, len(second.digests)) == ([], 1)

    @pytest.mark.parametrize(
        ("refusal", "code"),
        [
            (xml_error(400, "EntityTooLarge"), FailureCode.MEDIA_TOO_LARGE),
            (xml_error(400, "EntityTooSmall"), FailureCode.MEDIA_REJECTED),
            (xml_error(403, "AllAccessDisabled"), FailureCode.UNKNOWN),
        ],
        ids=["too large", "too small", "unlisted"],
    )
    def test_what_s3_refuses_is_never_the_accounts_fault(
        self, rig: PinterestRig, refusal: Answer, code: FailureCode
    ) -> None:
        rig.platform.uploads.refusal = refusal

        end = rig.drive("video").run()

        assert isinstance(end, Failed)
        assert end.code == code
        assert rig.platform.posts == {}

    def test_a_page_of_a_network_in_between_refuses_nothing(self, rig: PinterestRig) -> None:
        rig.platform.uploads.refusal = Answer(403, b"<html>No.</html>")

        end = rig.drive("video").run()

        assert isinstance(end, Done)

    def test_an_upload_that_never_arrives_is_made_once_more(self, rig: PinterestRig) -> None:
        rig.platform.uploads.loses = 1

        end = rig.drive("video").run()

        assert isinstance(end, Done)
        assert len(rig.platform.uploads.kept) == 2
        assert timedelta(minutes=2) < rig.clock() - rig.shapes["video"].now < timedelta(minutes=4)

    def test_a_video_that_is_lost_twice_is_given_up(self, rig: PinterestRig) -> None:
        rig.platform.uploads.loses = 99

        end = rig.drive("video").run()

        assert isinstance(end, Failed)
        assert (end.code, end.message) == (
            FailureCode.MEDIA_UNAVAILABLE,
            "Pinterest has lost the video twice.",
        )
        assert len(rig.platform.uploads.kept) == 2

    def test_an_upload_that_pinterest_forgot_is_made_once_more(self, rig: PinterestRig) -> None:
        drive = rig.drive("video")
        while drive.checkpoint is None or drive.checkpoint.step != "processing":
            drive._step()
        rig.platform.uploads.kept.clear()

        end = drive.run()

        assert isinstance(end, Done)

    def test_a_video_that_pinterest_cannot_use_fails_unseen(self, rig: PinterestRig) -> None:
        rig.platform.uploads.fails = True

        end = rig.drive("video").run()

        assert isinstance(end, Failed)
        assert end.code is FailureCode.MEDIA_REJECTED
        assert rig.platform.posts == {}
