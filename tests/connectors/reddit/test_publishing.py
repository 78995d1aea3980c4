"""The Reddit connector over a strict fake; `test_official.py` holds that against PRAW."""

from dataclasses import replace
from datetime import timedelta
from typing import ClassVar

import pytest

from chalicelib.connectors.reddit.post import LARGEST_VIDEO
from chalicelib.domain.engine.verdicts import LONGEST_RETRY_AFTER
from chalicelib.domain.outcome import Done, Failed, FailureCode, Outcome
from chalicelib.domain.version import VERSION
from chalicelib.kit.json_value import Json
from tests.connectors.reddit.answers import bad_request, refused
from tests.connectors.reddit.fake import FLAIR_ID, USERNAME
from tests.connectors.reddit.rig import COMMON, IN_TEST, RedditRig, a_film, a_rig
from tests.connectors.support.checks import ConnectorChecks
from tests.connectors.support.fake_platform import Answer
from tests.connectors.support.rig import a_publication, a_video
from tests.support.frozen_clock import NOON

AGENT = f"server:goldenhour.bakery-client:{VERSION} (by /u/{USERNAME})"
SUBMIT = "POST /api/submit"
UPLOAD = ["POST /api/media/asset.json", "POST /"]
PROFILE, COMMUNITY = f"GET /user/{USERNAME}/submitted", "GET /r/test/new"


class TestReddit(ConnectorChecks):
    """What every connector must pass."""

    biggest: ClassVar[int] = LARGEST_VIDEO

    def make_rig(self) -> RedditRig:
        return a_rig()


class TestPublishing:
    """What goes over the wire."""

    def test_a_text_goes_out_in_one_call_under_its_first_line(self, rig: RedditRig) -> None:
        end = rig.drive("text").run()

        assert isinstance(end, Done)
        place = f"comments/{end.remote_id.removeprefix('t3_')}/rye_spelt/"
        assert end.url == f"https://www.reddit.com/r/test/{place}"
        (call,) = rig.platform.calls
        assert (call.name, call.query) == (SUBMIT, {"raw_json": "1"})
        assert call.headers["authorization"] == "Bearer AT1"
        body = "Baked \\<today\\>, with \\*love\\*."
        assert call.form == {**COMMON, "kind": "self", "title": "Rye & spelt", "text": body}

    def test_a_link_goes_out_with_its_address_and_no_empty_text(self, rig: RedditRig) -> None:
        end = rig.drive("link").run()

        assert isinstance(end, Done)
        link = {"kind": "link", "title": "Our menu", "url": "https://bakery.example/menu"}
        assert [call.form for call in rig.platform.calls] == [{**COMMON, **link}]

    def test_an_image_is_leased_uploaded_submitted_and_found(self, rig: RedditRig) -> None:
        end = rig.drive("photo").run()

        assert isinstance(end, Done)
        assert end.url == f"https://www.reddit.com{rig.platform.posts[end.remote_id]['permalink']}"
        names = [call.name for call in rig.platform.calls]
        assert names == [*UPLOAD, SUBMIT, PROFILE, COMMUNITY]
        lease, upload, submission, look, _ = rig.platform.calls
        about = {"api_type": "json", "filepath": "image.jpg", "mimetype": "image/jpeg"}
        assert lease.form == about
        assert "authorization" not in upload.headers
        sent = [part.name for part in upload.parts]
        assert sent == [*dict(rig.platform.uploads.leases["fk7asset01"].fields), "file"]
        url = f"https:{rig.platform.uploads.action}/fk7asset01"
        image = {"kind": "image", "title": "Harbour", "url": url}
        assert submission.form == {**COMMON, **image}
        assert look.query == {"sort": "new", "limit": "100", "show": "all", "raw_json": "1"}

    def test_a_video_goes_up_with_its_still(self, rig: RedditRig) -> None:
        film = replace(a_video(70_000), poster=a_film().poster)
        rig.shapes = {**rig.shapes, "video": replace(rig.shapes["video"], media=film)}

        end = rig.drive("video").run()

        assert isinstance(end, Done)
        names = [call.name for call in rig.platform.calls]
        assert names[:5] == [*UPLOAD, *UPLOAD, SUBMIT]
        video, still = rig.platform.uploads.leases.values()
        assert (video.mime, still.mime) == ("video/mp4", "image/jpeg")
        file = rig.platform.calls[1].parts[-1].content
        assert file == film.source.read(0, 70_000)
        form, action = rig.platform.calls[4].form, rig.platform.uploads.action
        assert form["url"] == f"https:{action}/{video.asset}"
        assert form["video_poster_url"] == f"https:{action}/{still.asset}"

    def test_a_post_with_a_file_is_looked_for_after_five_ten_twenty_and_thirty_seconds(
        self, rig: RedditRig
    ) -> None:
        rig.drive("video").run()

        assert rig.clock() == NOON + timedelta(seconds=5 + 10 + 20 + 30)
        assert [call.name for call in rig.platform.calls[5:]] == [PROFILE, COMMUNITY] * 2

    def test_every_call_says_who_calls(self, rig: RedditRig) -> None:
        rig.drive("video").run()

        named = {c.headers["user-agent"] for c in rig.platform.calls if c.name != "POST /"}
        assert named == {AGENT}


class TestRefused:
    """What Reddit says no to: nothing is live, and nothing is sent again by itself."""

    @pytest.mark.parametrize(
        ("answer", "code"),
        [
            (refused(("SUBREDDIT_NOTALLOWED", "No.", "sr")), FailureCode.PERMISSION_MISSING),
            (
                refused(("SUBMIT_VALIDATION_FLAIR_REQUIRED", "must contain flair", "flair")),
                FailureCode.INVALID_OPTIONS,
            ),
            (
                bad_request("SUBMIT_VALIDATION_TITLE_BLACKLISTED_STRING"),
                FailureCode.CAPTION_REJECTED,
            ),
            (bad_request("SUBMIT_VALIDATION_BODY_REQUIRED"), FailureCode.CAPTION_REJECTED),
            (bad_request("SUBMIT_VALIDATION_LINK_NOT_ALLOWED"), FailureCode.INVALID_OPTIONS),
            (refused(("SOMETHING_NEW", "No.", "sr")), FailureCode.UNKNOWN),
            (Answer(403, {"message": "Forbidden", "error": 403}), FailureCode.PERMISSION_MISSING),
        ],
        ids=["not allowed", "flair wanted", "title", "body", "link", "unheard of", "banned"],
    )
    def test_a_listed_error_is_a_refusal(
        self, rig: RedditRig, answer: Answer, code: FailureCode
    ) -> None:
        rig.platform.refusal = answer

        end = rig.drive("text").run()

        assert _code(end) is code
        assert [call.name for call in rig.platform.calls] == [SUBMIT]

    def test_a_bare_400_with_a_flair_is_about_the_flair(self, rig: RedditRig) -> None:
        options: dict[str, Json] = {**IN_TEST, "flair_id": FLAIR_ID.replace("0f", "ff")}
        rig.shapes = {"text": a_publication(rig.account, "Rye", None, options)}

        end = rig.drive("text").run()

        assert _code(end) is FailureCode.INVALID_OPTIONS

    def test_a_new_file_that_is_there_already_is_one_of_a_kind_that_is_not_wanted(
        self, rig: RedditRig
    ) -> None:
        rig.platform.refusal = refused(("ALREADY_SUB", "no videos allowed", "url"))

        end = rig.drive("video").run()

        assert _code(end) is FailureCode.INVALID_OPTIONS

    def test_a_link_that_is_there_already_is_a_duplicate(self, rig: RedditRig) -> None:
        rig.platform.refusal = refused(("ALREADY_SUB", "already submitted", "url"))

        end = rig.drive("link").run()

        assert _code(end) is FailureCode.DUPLICATE_CONTENT

    @pytest.mark.parametrize(
        ("answer", "seconds"),
        [
            (refused(("RATELIMIT", "Take a break for 9 minutes.", "ratelimit")), 540),
            (refused(("RATELIMIT", "try again in 40 seconds.", "ratelimit"), ratelimit=61.5), 61.5),
            (refused(("SUBREDDIT_RATELIMIT", "in 1 hour", "ratelimit")), 3600),
            (refused(("QUOTA_FILLED", "Please try again in an hour.", "sr")), 3600),
            (Answer(429, b"<html>", {"X-Ratelimit-Reset": "307.0"}), 307),
            (Answer(429, b"", {"Retry-After": "30", "X-Ratelimit-Reset": "307"}), 30),
        ],
        ids=["sentence", "number", "hour", "quota", "reset", "retry after"],
    )
    def test_a_limit_lasts_as_long_as_reddit_says(
        self, rig: RedditRig, answer: Answer, seconds: float
    ) -> None:
        rig.platform.refusal = answer

        end = rig.drive("text").run()

        assert isinstance(end, Done)
        assert rig.clock() - NOON == timedelta(seconds=seconds)

    def test_the_longest_limit_does_not_end_the_step(self, rig: RedditRig) -> None:
        assert rig.connector.step_timeout > LONGEST_RETRY_AFTER


def _code(outcome: Outcome) -> str | None:
    return outcome.code if isinstance(outcome, Failed) else None
