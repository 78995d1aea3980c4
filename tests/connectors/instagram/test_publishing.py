"""The Instagram connector over a strict fake, for both kinds of sign-in: what it sends."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from chalicelib.connectors.instagram.post import LARGEST_PHOTO
from chalicelib.connectors.shared.meta.graph import NO_COMMENT
from chalicelib.domain.outcome import Done, Failed, FailureCode
from chalicelib.kit.json_value import Json
from tests.connectors.instagram.fake import USER
from tests.connectors.instagram.rig import TEXT, InstagramRig, a_rig
from tests.connectors.support.checks import ConnectorChecks
from tests.connectors.support.fake_platform import Fault
from tests.connectors.support.places import names
from tests.connectors.support.rig import PatternSource, Rig, a_photo

IG = "/ig/v26.0"
FB = "/fb/v26.0"
CONTAINER = "18000000000000055"
MEDIA = "17900000000000077"


@pytest.fixture
def page_rig() -> Iterator[InstagramRig]:
    """Return an account behind a Facebook Page."""
    made = a_rig(by_facebook=True)
    yield made
    made.platform.close()


class TestByInstagram(ConnectorChecks):
    """What every connector must pass, at graph.instagram.com."""

    def make_rig(self) -> InstagramRig:
        return a_rig()

    def big_uploads(self, rig: Rig) -> dict[str, int]:
        """Instagram fetches files here; nothing is sent."""
        del rig
        return {}


class TestByFacebook(ConnectorChecks):
    """What every connector must pass, at graph.facebook.com, with reels sent to rupload."""

    biggest = 300_000_000

    def make_rig(self) -> InstagramRig:
        return a_rig(by_facebook=True)


def test_a_reel_goes_the_way_of_the_published_exchange(rig: InstagramRig) -> None:
    end = rig.drive("video").run()

    assert names(rig) == [
        f"POST {IG}/{USER}/media",
        f"GET {IG}/{CONTAINER}",
        f"GET {IG}/{CONTAINER}",
        f"GET {IG}/{USER}/content_publishing_limit",
        f"POST {IG}/{USER}/media_publish",
        f"GET {IG}/{MEDIA}",
    ]
    create, publish = rig.platform.calls[0], rig.platform.calls[4]
    assert create.headers["authorization"] == "Bearer IGTOK"
    assert create.json == {
        "media_type": "REELS",
        "video_url": "https://media.example/oven.mp4",
        "caption": TEXT,
        "share_to_feed": True,
    }
    assert publish.json == {"creation_id": CONTAINER}
    assert end == Done(remote_id=MEDIA, url="https://www.instagram.com/reel/DAbc77/")


def test_a_reel_of_an_account_behind_a_page_is_sent_and_not_fetched(page_rig: InstagramRig) -> None:
    page_rig.drive("video").run()

    create, upload = page_rig.platform.calls[:2]
    assert create.json["upload_type"] == "resumable"
    assert upload.name == f"POST /up/ig-api-upload/v26.0/{CONTAINER}"
    assert upload.headers["authorization"] == "OAuth IGTOK"
    assert (upload.headers["offset"], upload.headers["file_size"]) == ("0", "2500000")
    video = page_rig.shapes["video"].media
    assert video is not None
    assert page_rig.platform.containers[CONTAINER]["bytes"] == (video.size_bytes, upload.digest)


def test_handles_may_be_written_with_the_sign_of_a_mention(rig: InstagramRig) -> None:
    options: dict[str, Json] = {
        "collaborators": ["@pia", " @bo"],
        "user_tags": [{"username": "@nora", "x": 0.5, "y": 0.5}],
    }
    rig.shapes = {"photo": replace(rig.shapes["photo"], options=options)}

    rig.drive("photo").run()

    body = rig.platform.calls[0].json
    assert body["collaborators"] == ["pia", "bo"]
    assert body["user_tags"] == [{"username": "nora", "x": 0.5, "y": 0.5}]


def test_options_of_a_reel_become_fields(rig: InstagramRig) -> None:
    options: dict[str, Json] = {
        "post_type": "reel",
        "share_to_feed": False,
        "cover_offset_ms": 1500,
        "collaborators": ["pia"],
        "user_tags": [{"username": "nora", "x": 0.5, "y": 0.5}],
        "trial_reel": "MANUAL",
        "is_ai_generated": True,
        "alt_text": "photos only",
        "location_id": "accounts behind a Page only",
    }
    rig.shapes = {"video": replace(rig.shapes["video"], options=options)}

    rig.drive("video").run()

    assert rig.platform.calls[0].json == {
        "media_type": "REELS",
        "video_url": "https://media.example/oven.mp4",
        "caption": TEXT,
        "share_to_feed": False,
        "thumb_offset": 1500,
        "trial_params": {"graduation_strategy": "MANUAL"},
        "collaborators": ["pia"],
        "is_ai_generated": True,
        "user_tags": [{"username": "nora"}],
    }


def test_a_video_for_the_feed_stands_in_the_grid(rig: InstagramRig) -> None:
    options: dict[str, Json] = {"post_type": "feed", "share_to_feed": False}
    rig.shapes = {"video": replace(rig.shapes["video"], options=options)}

    rig.drive("video").run()

    assert rig.platform.calls[0].json["share_to_feed"] is True


def test_an_account_behind_a_page_can_tag_a_place(page_rig: InstagramRig) -> None:
    options: dict[str, Json] = {"location_id": "99"}
    page_rig.shapes = {"photo": replace(page_rig.shapes["photo"], options=options)}

    page_rig.drive("photo").run()

    assert page_rig.platform.calls[0].name == f"POST {FB}/{USER}/media"
    assert page_rig.platform.calls[0].json["location_id"] == "99"


def test_a_story_has_no_caption(rig: InstagramRig) -> None:
    end = rig.drive("story").run()

    assert rig.platform.calls[0].json == {
        "media_type": "STORIES",
        "image_url": "https://media.example/photo.jpg",
    }
    assert isinstance(end, Done)


def test_a_first_comment_follows_the_post_once(rig: InstagramRig) -> None:
    end = rig.drive("commented").run()

    assert isinstance(end, Done)
    assert rig.platform.comments == ["Recipe below"]


@pytest.mark.parametrize("fault", [Fault.DROP_AFTER, Fault.DROP_BEFORE, Fault.ERROR_AFTER])
def test_a_first_comment_that_is_lost_never_harms_the_post(rig: InstagramRig, fault: Fault) -> None:
    rig.platform.strike(6, fault)

    end = rig.drive("commented").run()

    assert isinstance(end, Done)
    assert end.note == NO_COMMENT
    assert rig.platform.calls[6].path.endswith("/comments")
    assert len(rig.platform.comments) == (0 if fault is Fault.DROP_BEFORE else 1)


def test_a_photo_without_a_public_address_fails_at_once(rig: InstagramRig) -> None:
    photo = a_photo()
    hidden = replace(photo, source=PatternSource(photo.size_bytes, link=None))
    rig.shapes = {"photo": replace(rig.shapes["photo"], media=hidden)}

    end = rig.drive("photo").run()

    assert isinstance(end, Failed)
    assert (end.code, end.is_transient) == (FailureCode.MEDIA_UNAVAILABLE, False)
    assert "GOLDENHOUR_PUBLIC_URL" in end.message
    assert rig.platform.calls == []


def test_a_reel_without_a_public_address_is_sent_by_instagrams_own_sign_in_too(
    rig: InstagramRig,
) -> None:
    video = rig.shapes["video"].media
    assert video is not None
    hidden = replace(video, source=PatternSource(video.size_bytes, link=None))
    rig.shapes = {"video": replace(rig.shapes["video"], media=hidden)}

    end = rig.drive("video").run()

    create, upload = rig.platform.calls[:2]
    assert isinstance(end, Done)
    assert create.json["upload_type"] == "resumable"
    assert upload.name == f"POST /up/ig-api-upload/v26.0/{CONTAINER}"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"media": a_photo(LARGEST_PHOTO + 1)}, FailureCode.MEDIA_TOO_LARGE),
        ({"media": replace(a_photo(), mime="image/png")}, FailureCode.MEDIA_REJECTED),
        ({"options": {"user_tags": [{"username": "nora"}]}}, FailureCode.INVALID_OPTIONS),
        ({"options": {"post_type": "reel"}}, FailureCode.INVALID_OPTIONS),
        ({"media": None}, FailureCode.MEDIA_REJECTED),
    ],
    ids=["too large", "no JPEG", "a tag without a place", "a reel of a photo", "no file"],
)
def test_what_instagram_does_not_take_is_refused_without_a_call(
    rig: InstagramRig, change: dict[str, object], code: FailureCode
) -> None:
    rig.shapes = {"photo": replace(rig.shapes["photo"], **change)}  # type: ignore[arg-type]

    end = rig.drive("photo").run()

    assert isinstance(end, Failed)
    assert (end.code, rig.platform.calls) == (code, [])


def test_an_upload_whose_answer_was_lost_goes_into_a_new_container(page_rig: InstagramRig) -> None:
    page_rig.platform.strike(1, Fault.DROP_AFTER)

    end = page_rig.drive("video").run()

    assert isinstance(end, Done)
    assert (len(page_rig.platform.containers), len(page_rig.platform.posts)) == (2, 1)


@pytest.mark.parametrize(
    ("text", "is_taken"),
    [
        ("#bread " * 30, True),
        ("#bread " * 31, False),
        ("@nora " * 20, True),
        ("@nora " * 21, False),
        ("a#b " * 40, True),
    ],
    ids=["30 hashtags", "31", "20 mentions", "21", "none"],
)
def test_too_many_hashtags_and_mentions_are_refused_before_the_clock(
    rig: InstagramRig, text: str, *, is_taken: bool
) -> None:
    rig.shapes = {"photo": replace(rig.shapes["photo"], text=text)}

    end = rig.drive("photo").run()

    assert isinstance(end, Done) == is_taken
    assert bool(rig.platform.calls) == is_taken
