"""The Threads connector over a strict fake: what it sends."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.connectors.threads.connector import LARGEST_PHOTO
from chalicelib.domain.outcome import (
    Done,
    Failed,
    FailureCode,
    Json,
)
from tests.connectors.checks import ConnectorChecks
from tests.connectors.fake_platform import Fault
from tests.connectors.fake_threads import HANDLE, USER
from tests.connectors.places import names
from tests.connectors.rig import PatternSource, Rig, a_photo
from tests.connectors.threads_rig import TEXT, a_rig, platform
from tests.frozen_clock import NOON


@pytest.fixture
def rig() -> Iterator[Rig]:
    made = a_rig()
    yield made
    made.platform.close()


class TestThreads(ConnectorChecks):
    """What every connector must pass."""

    def make_rig(self) -> Rig:
        return a_rig()

    def big_uploads(self, rig: Rig) -> dict[str, int]:
        """Threads fetches files; nothing is sent."""
        del rig
        return {}


def test_a_video_goes_the_way_of_the_published_exchange(rig: Rig) -> None:
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


def test_options_become_fields(rig: Rig) -> None:
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


def test_a_first_comment_follows_the_post(rig: Rig) -> None:
    end = rig.drive("commented").run()

    assert isinstance(end, Done)
    (comment,) = platform(rig).comments
    assert (comment["text"], comment["reply_to_id"]) == ("Recipe below", end.remote_id)


@pytest.mark.parametrize(
    ("fault", "comments"),
    [(Fault.DROP_AFTER, 1), (Fault.DROP_BEFORE, 0), (Fault.ERROR_BEFORE, 0)],
)
def test_a_first_comment_is_never_sent_twice_and_never_harms_the_post(
    rig: Rig, fault: Fault, comments: int
) -> None:
    rig.platform.strike(9, fault)

    end = rig.drive("commented").run()

    assert isinstance(end, Done)
    assert rig.platform.calls[9].name == f"POST /v1.0/{USER}/threads_publish"
    assert len(platform(rig).comments) == comments


def test_a_file_without_a_public_address_fails_at_once(rig: Rig) -> None:
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
    rig: Rig, photo: object, code: FailureCode
) -> None:
    rig.shapes = {"photo": replace(rig.shapes["photo"], media=photo)}  # type: ignore[arg-type]

    end = rig.drive("photo").run()

    assert isinstance(end, Failed)
    assert (end.code, rig.platform.calls) == (code, [])


@pytest.mark.parametrize("failure", ["FAILED_DOWNLOADING_VIDEO", "UNKNOWN", "EXPIRED", "NEW_ONE"])
def test_a_container_that_failed_is_made_once_more(rig: Rig, failure: str) -> None:
    platform(rig).failures = [failure]

    end = rig.drive("video").run()

    assert isinstance(end, Done)
    assert len(platform(rig).containers) == 2


@pytest.mark.parametrize(
    ("failures", "code"),
    [
        (["INVALID_ASPEC_RATIO"], FailureCode.MEDIA_REJECTED),
        (["INVALID_DURATION"], FailureCode.MEDIA_REJECTED),
        (["FAILED_PROCESSING_AUDIO"] * 2, FailureCode.PROCESSING_FAILED),
        (["FAILED_DOWNLOADING_VIDEO"] * 2, FailureCode.MEDIA_UNAVAILABLE),
    ],
    ids=str,
)
def test_a_container_that_fails_for_good_fails_the_post(
    rig: Rig, failures: list[str], code: FailureCode
) -> None:
    made = len(failures)
    platform(rig).failures = failures

    end = rig.drive("video").run()

    assert isinstance(end, Failed)
    assert (end.code, end.is_transient) == (code, False)
    assert len(platform(rig).containers) == made
    assert rig.platform.posts == {}


def test_a_full_quota_is_waited_for_before_anything_is_shown(rig: Rig) -> None:
    platform(rig).quota = (250, 250)
    drive = rig.drive("text")
    while "quota" not in " ".join(drive.seen):
        assert drive._step() is None
    platform(rig).quota = (249, 250)

    end = drive.run()

    assert isinstance(end, Done)
    assert rig.clock() - NOON > timedelta(minutes=30)


def test_publishing_too_early_looks_again_and_at_last_makes_another_container(rig: Rig) -> None:
    platform(rig).publish_errors = [(24, 4279009)] * 4

    end = rig.drive("text").run()

    assert isinstance(end, Done)
    assert (len(rig.platform.posts), len(platform(rig).containers)) == (1, 2)


def test_a_block_that_took_the_post_all_the_same_ends_published(rig: Rig) -> None:
    platform(rig).publish_errors, platform(rig).taken_anyway = [(4, 2207051)], True

    end = rig.drive("text").run()

    assert isinstance(end, Done)
    assert list(rig.platform.posts) == [end.remote_id]


def test_a_block_is_believed_after_a_look_and_nothing_is_sent_again(rig: Rig) -> None:
    platform(rig).publish_errors = [(4, 2207051)]

    end = rig.drive("text").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.ACCOUNT_RESTRICTED
    sent = [name for name in names(rig) if name.endswith("threads_publish")]
    assert (len(sent), rig.platform.posts) == (1, {})


def test_a_missing_link_is_the_profile(rig: Rig) -> None:
    platform(rig).links = False

    end = rig.drive("text").run()

    assert isinstance(end, Done)
    assert end.url == f"https://www.threads.com/@{HANDLE}"
