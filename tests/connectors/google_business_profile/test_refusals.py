"""What the Google Business Profile connector makes of refusals, and how photos get there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

import pytest

from chalicelib.domain.outcome import Done, Failed, FailureCode
from tests.connectors.google_business_profile.answers import (
    HTML_404,
    LIMITED,
    NO_QUOTA,
    NOT_FOUND,
    TWIN,
    error,
    info,
    unfit,
)
from tests.connectors.google_business_profile.fake import LOCATION
from tests.connectors.google_business_profile.rig import PHOTO, GoogleRig
from tests.connectors.support.fake_platform import Answer, FakePlatform, Fault, Received
from tests.connectors.support.rig import PatternSource
from tests.support.frozen_clock import NOON

POST = f"POST /v4/{LOCATION}/localPosts"


def _names(rig: GoogleRig) -> list[str]:
    return [call.name for call in rig.platform.calls]


class TestRefusals:
    """What Google says no with."""

    @pytest.mark.parametrize(
        ("answer", "code"),
        [
            (unfit("summary"), FailureCode.CAPTION_REJECTED),
            (unfit("event.title"), FailureCode.CAPTION_REJECTED),
            (unfit("offer.terms_conditions"), FailureCode.CAPTION_REJECTED),
            (unfit("offer.redeemOnlineUrl"), FailureCode.INVALID_OPTIONS),
            (unfit("media[0]"), FailureCode.MEDIA_REJECTED),
            (unfit("media.0.media_format"), FailureCode.MEDIA_REJECTED),
            (unfit(None, 1001), FailureCode.MEDIA_REJECTED),
            (unfit("topic_type"), FailureCode.INVALID_OPTIONS),
            (unfit("local_post.call_to_action.url"), FailureCode.INVALID_OPTIONS),
            (unfit("callToAction.actionType"), FailureCode.INVALID_OPTIONS),
            (unfit("event.schedule.start_date"), FailureCode.INVALID_OPTIONS),
            (unfit("language_code"), FailureCode.INVALID_OPTIONS),
            (unfit(None, 1300), FailureCode.UNKNOWN),
            (unfit(None, 1301), FailureCode.ACCOUNT_RESTRICTED),
            (unfit(None, 1302), FailureCode.ACCOUNT_RESTRICTED),
            (unfit(None), FailureCode.UNKNOWN),
            (unfit("something_new"), FailureCode.UNKNOWN),
            (error(400, "INVALID_ARGUMENT", reason="badRequest"), FailureCode.UNKNOWN),
            (error(403, "PERMISSION_DENIED"), FailureCode.PERMISSION_MISSING),
            (
                Answer(403, {"error": {"code": 403, "message": "The location is not verified."}}),
                FailureCode.ACCOUNT_RESTRICTED,
            ),
            (
                info(403, "PERMISSION_DENIED", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"),
                FailureCode.PERMISSION_MISSING,
            ),
            (NOT_FOUND, FailureCode.ACCOUNT_RESTRICTED),
            (HTML_404, FailureCode.UNKNOWN),
            (TWIN, FailureCode.DUPLICATE_CONTENT),
        ],
        ids=lambda value: None if isinstance(value, Answer) else str(value),
    )
    def test_a_refusal_is_final_and_tells_why(
        self, rig: GoogleRig, answer: Answer, code: FailureCode
    ) -> None:
        rig.platform.refusals = [answer]

        end = rig.drive("text").run()

        assert isinstance(end, Failed)
        assert (end.code, end.is_transient) == (code, False)
        assert _names(rig) == [POST]

    @pytest.mark.parametrize(
        "answer", [unfit("media[0].source_url"), unfit(None, 1000)], ids=["field", "number alone"]
    )
    def test_a_photo_that_cannot_be_fetched_is_offered_three_times(
        self, rig: GoogleRig, answer: Answer
    ) -> None:
        rig.platform.refusals = [answer] * 9

        end = rig.drive("photo").run()

        assert isinstance(end, Failed)
        assert (end.code, end.is_transient) == (FailureCode.MEDIA_UNAVAILABLE, False)
        assert _names(rig) == [POST] * 3

    def test_a_photo_that_is_fetched_the_second_time_goes_out(self, rig: GoogleRig) -> None:
        rig.platform.refusals = [unfit("media[0].source_url")]

        assert isinstance(rig.drive("photo").run(), Done)

    @pytest.mark.parametrize(
        "answer",
        [
            NO_QUOTA,
            info(403, "PERMISSION_DENIED", "SERVICE_DISABLED"),
            error(403, "PERMISSION_DENIED", reason="accessNotConfigured"),
        ],
        ids=["a quota of nothing", "disabled", "not configured"],
    )
    def test_a_project_that_is_not_set_up_is_the_operators_to_mend(
        self, rig: GoogleRig, answer: Answer
    ) -> None:
        rig.platform.refusals = [answer]

        end = rig.drive("text").run()

        assert isinstance(end, Failed)
        assert (end.code, end.is_transient) == (FailureCode.PLATFORM_UNAVAILABLE, False)
        assert "operator" in end.message
        assert _names(rig) == [POST]

    @pytest.mark.parametrize(
        "answers",
        [[LIMITED], [error(409, "ABORTED")], [info(403, "PERMISSION_DENIED", "rateLimitExceeded")]],
        ids=["429", "two edits at once", "403"],
    )
    def test_a_spent_quota_is_left_alone_for_a_minute(
        self, rig: GoogleRig, answers: Sequence[Answer]
    ) -> None:
        rig.platform.refusals = list(answers)
        rig.platform.first_state = "LIVE"

        end = rig.drive("text").run()

        assert isinstance(end, Done)
        assert rig.clock() - NOON == timedelta(seconds=60)

    def test_a_withdrawn_sign_in_fails_the_post(self, rig: GoogleRig) -> None:
        rig.tokens = replace(rig.tokens, refresh=None)
        rig.__post_init__()
        rig.platform.strike(0, Fault.TOKEN_REFUSED)

        end = rig.drive("text").run()

        assert isinstance(end, Failed)
        assert end.code == FailureCode.AUTH_EXPIRED


class FileServer(FakePlatform):
    """A host of photos: one good, one behind a redirect, one that is a page, one far too small."""

    def answer(self, call: Received) -> Answer:
        jpeg = {"Content-Type": "image/jpeg"}
        return {
            "/good.jpg": Answer(200, b"\xff\xd8" + bytes(59_998), jpeg),
            "/moved.jpg": Answer(302, b"", {**jpeg, "Location": "/good.jpg"}),
            "/page.jpg": Answer(200, b"<html>" + bytes(59_994), {"Content-Type": "text/html"}),
            "/small.jpg": Answer(200, b"\xff\xd8", jpeg),
        }[call.path]


@dataclass(slots=True)
class NumberedSource(PatternSource):
    """A file whose every address is another."""

    link: str | None = "https://media.ours.example/p/abc.jpg?try="
    asked: list[timedelta] = field(default_factory=list)

    def public_url(self, lifetime: timedelta) -> str | None:
        self.asked.append(lifetime)
        return f"{self.link}{len(self.asked)}"


class TestFetching:
    """Google gets the photo from us."""

    @pytest.fixture
    def files(self) -> Iterator[FileServer]:
        served = FileServer()
        yield served
        served.close()

    def _offer(self, rig: GoogleRig, source: PatternSource) -> Done | Failed:
        photo = replace(PHOTO, source=source)
        rig.shapes = {"photo": replace(rig.shapes["photo"], media=photo)}
        return rig.drive("photo").run()

    def test_a_photo_is_fetched_from_where_we_say(self, rig: GoogleRig, files: FileServer) -> None:
        rig.platform.fetches = True

        end = self._offer(rig, PatternSource(60_000, f"{files.url}/good.jpg"))

        assert isinstance(end, Done)
        assert [call.name for call in files.calls] == ["GET /good.jpg"]

    @pytest.mark.parametrize("name", ["moved.jpg", "page.jpg", "small.jpg"])
    def test_what_is_no_photo_when_fetched_is_unavailable(
        self, rig: GoogleRig, files: FileServer, name: str
    ) -> None:
        rig.platform.fetches = True

        end = self._offer(rig, PatternSource(60_000, f"{files.url}/{name}"))

        assert isinstance(end, Failed)
        assert (end.code, len(files.calls)) == (FailureCode.MEDIA_UNAVAILABLE, 3)
        assert rig.platform.posts == {}

    def test_every_try_has_an_address_of_its_own_for_an_hour(self, rig: GoogleRig) -> None:
        """So that a photo whose first address ran out meanwhile can still be fetched."""
        rig.platform.refusals = [unfit("media[0].source_url")]
        source = NumberedSource(60_000)

        end = self._offer(rig, source)

        assert isinstance(end, Done)
        sent = [call.json["media"][0]["sourceUrl"] for call in rig.platform.calls[:2]]
        assert len(set(sent)) == 2
        assert set(source.asked) == {timedelta(hours=1)}
