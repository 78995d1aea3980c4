"""From a video's last byte to its end on TikTok: every state and every reason to fail."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest

from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.connectors.tiktok.processing import progress_of
from chalicelib.domain.outcome import Checkpoint, Done, Failed, FailureCode
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import PlatformResponse
from tests.connectors.support.fake_platform import Fault
from tests.connectors.support.rig import a_publication, a_video
from tests.connectors.tiktok.fake import USERNAME
from tests.connectors.tiktok.rig import TEXT, TikTokRig, names
from tests.support.frozen_clock import NOON

PRIVATE: Mapping[str, Json] = {"privacy_level": "SELF_ONLY"}
PROFILE = f"https://www.tiktok.com/@{USERNAME}"


@pytest.mark.parametrize("said", ["²", "9" * 5000])
def test_bytes_that_are_no_number_are_not_told(said: str) -> None:
    body = json.dumps({"data": {"status": "PROCESSING_UPLOAD", "uploaded_bytes": said}})
    response = PlatformResponse(status=200, headers={}, body=body.encode())

    assert progress_of(response).arrived_bytes is None


class TestProcessing:
    """From the last byte to the end."""

    @pytest.mark.parametrize(
        ("reason", "code"),
        [
            ("file_format_check_failed", FailureCode.MEDIA_REJECTED),
            ("duration_check_failed", FailureCode.MEDIA_REJECTED),
            ("frame_rate_check_failed", FailureCode.MEDIA_REJECTED),
            ("picture_size_check_failed", FailureCode.MEDIA_REJECTED),
            ("spam_risk_text", FailureCode.CAPTION_REJECTED),
            ("spam_risk", FailureCode.ACCOUNT_RESTRICTED),
            ("publish_cancelled", FailureCode.PROCESSING_FAILED),
            ("auth_removed", FailureCode.AUTH_EXPIRED),
            ("something_new", FailureCode.PROCESSING_FAILED),
        ],
    )
    def test_a_post_that_failed_is_not_made_again(
        self, rig: TikTokRig, reason: str, code: FailureCode
    ) -> None:
        rig.platform.failures = [reason]

        end = rig.drive("video").run()

        assert isinstance(end, Failed)
        assert (end.code, end.proves_absence) == (code, True)
        assert names(rig).count("video/init") == 1

    @pytest.mark.parametrize("shape", ["video", "photo"])
    @pytest.mark.parametrize(
        "reason", ["video_pull_failed", "photo_pull_failed", "internal", "spam_risk_too_many_posts"]
    )
    def test_a_failure_that_may_pass_is_tried_once_more(
        self, rig: TikTokRig, shape: str, reason: str
    ) -> None:
        rig.platform.failures = [reason]

        end = rig.drive(shape).run()

        assert isinstance(end, Done)
        assert list(rig.platform.posts) == [end.remote_id]
        assert len(rig.platform.uploads) == 2

    @pytest.mark.parametrize(
        ("reason", "code"),
        [
            ("internal", FailureCode.PROCESSING_FAILED),
            ("photo_pull_failed", FailureCode.MEDIA_UNAVAILABLE),
        ],
    )
    def test_a_failure_that_does_not_pass_ends_the_third_time(
        self, rig: TikTokRig, reason: str, code: FailureCode
    ) -> None:
        rig.platform.failures = [reason] * 5

        end = rig.drive("photo").run()

        assert isinstance(end, Failed)
        assert (end.code, end.final) == (code, True)
        assert len(rig.platform.uploads) == 3

    def test_a_full_day_is_not_waited_for_longer_than_a_day(self, rig: TikTokRig) -> None:
        rig.platform.failures = ["spam_risk_too_many_posts"]
        rig.clock.pass_time(timedelta(hours=19))

        end = rig.drive("video").run()

        assert isinstance(end, Failed)
        assert (end.code, end.final) == (FailureCode.RATE_LIMITED, True)
        assert len(rig.platform.uploads) == 1

    @pytest.mark.parametrize("state", ["PROCESSING_DOWNLOAD", "SOMETHING_NEW", "UNDERWAY"])
    def test_a_state_that_nobody_knows_is_waited_out(self, rig: TikTokRig, state: str) -> None:
        rig.platform.states = [state] * 3

        assert isinstance(rig.drive("video").run(), Done)

    def test_a_post_in_the_inbox_is_not_published_and_not_sent_again(self, rig: TikTokRig) -> None:
        rig.platform.states = ["SEND_TO_USER_INBOX"]

        end = rig.drive("video").run()

        assert isinstance(end, Failed)
        assert (end.code, end.proves_absence) == (FailureCode.OUTCOME_UNKNOWN, False)
        assert len(rig.platform.uploads) == 1

    def test_a_post_is_looked_at_soon_then_steadily_then_hourly(self, rig: TikTokRig) -> None:
        rig.platform.states = ["PROCESSING_UPLOAD"] * 75
        drive, delays = rig.drive("video"), []
        while drive._step() is None:
            checkpoint = drive.checkpoint
            assert checkpoint is not None
            if checkpoint.step == "processing" and "looks" not in checkpoint.data:
                delays.append((rig.clock() - NOON).total_seconds())

        assert delays[:3] == [5, 10, 15]
        assert delays[11:14] == [60, 80, 100]
        assert delays[53] == 15 * 60
        assert delays[55] - delays[54] == 3_600

    @pytest.mark.parametrize(
        "fault", [Fault.DROP_BEFORE, Fault.ERROR_BEFORE, Fault.LIMITED, Fault.GARBLED_AFTER]
    )
    def test_a_status_that_cannot_be_read_for_an_hour_ends_nothing(
        self, rig: TikTokRig, fault: Fault
    ) -> None:
        for place in range(3, 60):
            rig.platform.strike(place, fault)

        end = rig.drive("video").run()

        assert isinstance(end, Done)
        assert len(rig.platform.uploads) == 1

    def test_an_upload_that_tiktok_forgot_ends_in_doubt_after_a_while(self, rig: TikTokRig) -> None:
        drive = rig.drive("video")
        while drive.checkpoint is None or drive.checkpoint.step != "processing":
            drive._step()
        rig.platform.uploads.clear()

        end = drive.run()

        assert isinstance(end, Failed)
        assert (end.code, end.proves_absence) == (FailureCode.OUTCOME_UNKNOWN, False)
        assert rig.clock() - NOON > timedelta(minutes=14)

    def test_a_private_post_is_done_without_an_id(self, rig: TikTokRig) -> None:
        rig.shapes = {"video": a_publication(rig.account, TEXT, a_video(), PRIVATE)}

        end = rig.drive("video").run()

        assert end == Done(remote_id="v_pub_file~v2-1.700", url=PROFILE)
        assert rig.clock() - NOON == timedelta(seconds=10)

    def test_a_complete_post_waits_a_minute_for_its_id_though_no_status_can_be_read(
        self, rig: TikTokRig
    ) -> None:
        for place in range(5, 30):
            rig.platform.strike(place, Fault.ERROR_BEFORE)

        end = rig.drive("video").run()

        assert end == Done(remote_id="v_pub_file~v2-1.700", url=PROFILE)
        assert rig.clock() - NOON == timedelta(seconds=70)

    def test_a_public_post_that_gets_no_id_is_found_in_the_list(self, rig: TikTokRig) -> None:
        rig.platform.polls_of_moderation = 1_000
        rig.platform.post_as_a_person("Rye day")

        end = rig.drive("video").run()

        _, ours = rig.platform.posts
        assert end == Done(remote_id=ours, url=f"{PROFILE}/video/{ours}")
        assert rig.clock() - NOON == timedelta(seconds=70)

    def test_a_public_post_that_shows_nowhere_is_done_under_the_profile(
        self, rig: TikTokRig
    ) -> None:
        rig.platform.polls_of_moderation = 1_000
        rig.platform.lag = timedelta(hours=1)

        end = rig.drive("video").run()

        assert end == Done(remote_id="v_pub_file~v2-1.700", url=PROFILE)

    def test_the_uploads_address_is_dropped_with_the_last_byte(self, rig: TikTokRig) -> None:
        drive, kept = rig.drive("video"), []
        while drive._step() is None:
            checkpoint = drive.checkpoint or Checkpoint("none")
            kept.append((checkpoint.step, "upload_url" in checkpoint.data))

        assert ("last_chunk", True) in kept
        assert ("processing", True) not in kept

    def test_a_step_answers_with_the_next_one_and_makes_one_call(self, rig: TikTokRig) -> None:
        drive, calls = rig.drive("video"), []
        while drive._step() is None:
            calls.append(len(rig.platform.calls))

        assert calls[0] == 0
        assert all(after - before == 1 for before, after in pairwise(calls))


class TestDrafts:
    """What goes to the creator's inbox: …/doc/content-posting-api-reference-upload-video."""

    @pytest.mark.parametrize("shape", ["video", "photo"])
    def test_a_draft_waits_in_the_inbox(self, rig: TikTokRig, shape: str) -> None:
        rig.platform.granted += ",video.upload"
        rig.shapes = {shape: replace(rig.shapes[shape], options={"draft": True})}

        end = rig.drive(shape).run()

        assert isinstance(end, Done)
        assert end.note is not None
        assert "inbox" in end.note
        names = [call.name for call in rig.platform.calls]
        opened = "inbox/video" if shape == "video" else "content"
        assert names.count(f"POST /v2/post/publish/{opened}/init/") == 1

    def test_a_video_draft_carries_nothing_but_the_file(self, rig: TikTokRig) -> None:
        rig.platform.granted += ",video.upload"
        rig.shapes = {"video": replace(rig.shapes["video"], options={"draft": True})}

        rig.drive("video").run()

        (call,) = [one for one in rig.platform.calls if one.path.endswith("inbox/video/init/")]
        assert set(call.json) == {"source_info"}

    def test_without_the_permission_it_fails(self, rig: TikTokRig) -> None:
        rig.shapes = {"video": replace(rig.shapes["video"], options={"draft": True})}

        end = rig.drive("video").run()

        assert isinstance(end, Failed)
        assert end.code is FailureCode.PERMISSION_MISSING

    @pytest.mark.parametrize(("scope", "login"), [("", "direct"), (",video.upload", "draft")])
    def test_a_sign_in_that_allows_none_is_known_ahead(
        self, rig: TikTokRig, scope: str, login: str
    ) -> None:
        granted = {"scope": f"user.info.basic,video.publish{scope}"}
        (found,) = rig.connector.identities(replace(rig.tokens, extra=granted), rig.clock())
        post = rig.shapes["video"]
        account = replace(post.account, settings=found.settings)

        end = rig.connector.start(replace(post, account=account, options={"draft": True}))

        assert found.settings == {"login": login}
        assert isinstance(end, Failed) is (login == "direct")

    @pytest.mark.parametrize("shape", ["video", "photo"])
    @pytest.mark.parametrize("fault", [Fault.DROP_AFTER, Fault.ERROR_AFTER])
    def test_a_lost_answer_never_makes_two_drafts(
        self, rig: TikTokRig, shape: str, fault: Fault
    ) -> None:
        rig.platform.granted += ",video.upload"
        rig.shapes = {shape: replace(rig.shapes[shape], options={"draft": True})}
        rig.platform.strike(2 if shape == "video" else 1, fault)

        end = rig.drive(shape).run()

        assert isinstance(end, Done | Failed)
        assert len([one for one in rig.platform.uploads.values() if one.post_id]) == 1

    def test_its_sign_in_asks_for_the_inbox(self, rig: TikTokRig) -> None:
        direct, draft = rig.connector.methods.values()
        client = Client("key", "secret")

        begun = [one.oauth.begin(client, "https://ours.example/back") for one in (direct, draft)]

        assert ["video.upload" in one.url for one in begun] == [False, True]
