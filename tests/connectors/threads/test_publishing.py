"""The Threads connector over a strict fake: what it sends."""

from dataclasses import replace

import pytest

from chalicelib.connectors.shared.meta.graph import NO_COMMENT
from chalicelib.connectors.threads.connector import LARGEST_PHOTO
from chalicelib.domain.outcome import Done, Failed, FailureCode
from chalicelib.kit.json_value import Json
from tests.connectors.support.checks import ConnectorChecks
from tests.connectors.support.fake_platform import Answer, Fault
from tests.connectors.support.places import names
from tests.connectors.support.rig import PatternSource, Rig, a_photo, a_publication
from tests.connectors.threads.fake import HANDLE, USER
from tests.connectors.threads.rig import TEXT, ThreadsRig, a_rig

CONTAINER, TOO_LONG = "18050000000000010", "must be at most 500 characters"


class TestThreads(ConnectorChecks):
    """What every connector must pass."""

    def make_rig(self) -> ThreadsRig:
        return a_rig()

    def big_uploads(self, rig: Rig) -> dict[str, int]:
        """Threads fetches files; nothing is sent."""
        del rig
        return {}


def test_a_video_goes_the_way_of_the_published_exchange(rig: ThreadsRig) -> None:
    rig.shapes = {"video": replace(rig.shapes["video"], options={"reply_control": "everyone"})}

    end = rig.drive("video").run()

    container, media = "18050000000000010", "18060000000000020"
    assert names(rig) == [
        f"POST /v1.0/{USER}/threads",
        f"GET /v1.0/{container}",
        f"GET /v1.0/{container}",
        f"GET /v1.0/{USER}/threads_publishing_limit",
        f"POST /v1.0/{USER}/threads_publish",
        f"GET /v1.0/{media}",
    ]
    assert rig.platform.calls[0].form == {
        "media_type": "VIDEO",
        "video_url": "https://media.example/oven.mp4",
        "text": TEXT,
        "reply_control": "everyone",
    }
    assert rig.platform.calls[0].headers["authorization"] == "Bearer THTOK"
    assert rig.platform.calls[4].form == {"creation_id": container}
    assert end == Done(remote_id=media, url=f"https://www.threads.com/@{HANDLE}/post/DX20")


def test_options_become_fields(rig: ThreadsRig) -> None:
    options: dict[str, Json] = {
        "topic_tag": "baking",
        "link": "https://bakery.example",
        "location_id": "123",
        "countries": ["US", "CA"],
        "reply_approvals": True,
        "share_to_ig_story": True,
        "ghost": True,
        "spoiler": True,
        "alt_text": "only media has one",
    }
    rig.shapes = {"text": replace(rig.shapes["text"], options=options)}

    rig.drive("text").run()

    assert rig.platform.calls[0].form == {
        "media_type": "TEXT",
        "text": TEXT,
        "topic_tag": "baking",
        "link_attachment": "https://bakery.example",
        "location_id": "123",
        "allowlisted_country_codes": "US,CA",
        "enable_reply_approvals": "true",
        "crossreshare_to_ig": "true",
        "is_ghost_post": "true",
    }


def test_a_first_comment_follows_the_post(rig: ThreadsRig) -> None:
    end = rig.drive("commented").run()

    assert isinstance(end, Done)
    (comment,) = rig.platform.comments
    assert (comment["text"], comment["reply_to_id"]) == ("Recipe below", end.remote_id)


@pytest.mark.parametrize(
    ("fault", "comments"),
    [(Fault.DROP_AFTER, 1), (Fault.DROP_BEFORE, 0), (Fault.ERROR_BEFORE, 0)],
)
def test_a_first_comment_is_never_sent_twice_and_never_harms_the_post(
    rig: ThreadsRig, fault: Fault, comments: int
) -> None:
    rig.platform.strike(9, fault)

    end = rig.drive("commented").run()

    assert isinstance(end, Done)
    assert end.note == NO_COMMENT
    assert rig.platform.calls[9].name == f"POST /v1.0/{USER}/threads_publish"
    assert len(rig.platform.comments) == comments


def test_a_file_without_a_public_address_fails_at_once(rig: ThreadsRig) -> None:
    photo = replace(a_photo(), source=PatternSource(3_000, link=None))
    rig.shapes = {"photo": replace(rig.shapes["photo"], media=photo)}

    end = rig.drive("photo").run()

    assert isinstance(end, Failed)
    assert (end.code, end.is_transient) == (FailureCode.MEDIA_UNAVAILABLE, False)
    assert "GOLDENHOUR_PUBLIC_URL" in end.message
    assert rig.platform.calls == []


@pytest.mark.parametrize(
    ("photo", "code"),
    [
        (a_photo(LARGEST_PHOTO + 1), FailureCode.MEDIA_TOO_LARGE),
        (replace(a_photo(), mime="image/webp"), FailureCode.MEDIA_REJECTED),
    ],
    ids=["too large", "a format it does not know"],
)
def test_a_photo_that_threads_does_not_take_is_refused_without_a_call(
    rig: ThreadsRig, photo: object, code: FailureCode
) -> None:
    rig.shapes = {"photo": replace(rig.shapes["photo"], media=photo)}  # type: ignore[arg-type]

    end = rig.drive("photo").run()

    assert isinstance(end, Failed)
    assert (end.code, rig.platform.calls) == (code, [])


def test_a_missing_link_is_the_profile(rig: ThreadsRig) -> None:
    rig.platform.links = False

    end = rig.drive("text").run()

    assert isinstance(end, Done)
    assert end.url == f"https://www.threads.com/@{HANDLE}"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        ({"code": 100, "message": f"(#100) Param text {TOO_LONG} long."}, "caption_rejected"),
        ({"code": 100, "message": "THREADS_API__LINK_LIMIT_EXCEEDED"}, "caption_rejected"),
        ({"message": "Application does not have permission"}, "permission_missing"),
        ({"code": 100, "message": "(#100) A param is odd"}, "invalid_options"),
        ({"code": 36000, "error_subcode": 2207004, "message": "No."}, "media_too_large"),
    ],
    ids=["length", "links", "permission", "anything else", "size"],
)
def test_a_text_that_threads_refuses_fails_with_its_reason(
    rig: ThreadsRig, error: dict[str, Json], code: str
) -> None:
    rig.platform.script = {"POST threads": [Answer(400, {"error": error})]}

    end = rig.drive("text").run()

    assert isinstance(end, Failed)
    assert (end.code, end.is_transient) == (code, False)


@pytest.mark.parametrize(("number", "is_taken"), [(5, True), (6, False)])
def test_a_sixth_link_is_refused_before_the_clock(
    rig: ThreadsRig, number: int, *, is_taken: bool
) -> None:
    text = " ".join(f"https://bakery.example/{n}" for n in range(number))
    rig.shapes = {"text": a_publication(rig.account, f"{text} https://bakery.example/0")}

    end = rig.drive("text").run()

    assert isinstance(end, Done) == is_taken
    assert bool(rig.platform.calls) == is_taken
