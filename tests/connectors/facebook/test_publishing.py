"""The Facebook connector over a strict fake: texts, links, photos and stories."""

from dataclasses import replace

import pytest

from chalicelib.connectors.facebook.connector import LARGEST_PHOTO
from chalicelib.connectors.shared.meta.graph import NO_COMMENT
from chalicelib.domain.outcome import Done, Failed, FailureCode
from chalicelib.kit.json_value import Json
from tests.connectors.facebook.fake import PAGE
from tests.connectors.facebook.rig import TEXT, FacebookRig, a_rig, paths
from tests.connectors.shared.meta.graph_answers import graph_error
from tests.connectors.support.checks import ConnectorChecks
from tests.connectors.support.fake_platform import Fault
from tests.connectors.support.rig import a_photo

PHOTO = "2000002"
POST = f"{PAGE}_3000003"


class TestPosts(ConnectorChecks):
    """What every connector must pass, for text, photos and stories."""

    def make_rig(self) -> FacebookRig:
        return a_rig()


def test_a_photo_goes_the_way_of_the_published_exchange(rig: FacebookRig) -> None:
    end = rig.drive("photo").run()

    assert paths(rig) == ["POST /page/photos", "POST /page/feed", f"GET /{POST}"]
    photo, feed, _ = rig.platform.calls
    assert [part.name for part in photo.parts] == ["published", "alt_text_custom", "source"]
    assert photo.parts[1].content == b"a loaf"
    assert photo.headers["authorization"] == "Bearer PAGETOK"
    assert feed.json == {"message": TEXT, "attached_media": [{"media_fbid": PHOTO}]}
    assert end == Done(remote_id=POST, url=f"https://www.facebook.com/{PAGE}/posts/3000003")


def test_options_of_a_post_become_fields(rig: FacebookRig) -> None:
    options: dict[str, Json] = {
        "link": "https://bakery.example",
        "place_id": "99",
        "targeting_countries": ["AT", "DE"],
        "title": "videos only",
    }
    rig.shapes = {"text": replace(rig.shapes["text"], options=options)}

    rig.drive("text").run()

    assert rig.platform.calls[0].json == {
        "message": TEXT,
        "link": "https://bakery.example",
        "place": "99",
        "targeting": {"geo_locations": {"countries": ["AT", "DE"]}},
    }


@pytest.mark.parametrize(
    ("photo", "code"),
    [
        (a_photo(LARGEST_PHOTO + 1), FailureCode.MEDIA_TOO_LARGE),
        (replace(a_photo(), mime="image/webp"), FailureCode.MEDIA_REJECTED),
    ],
    ids=["too large", "a format it does not know"],
)
def test_a_photo_that_facebook_does_not_take_is_refused_without_a_call(
    rig: FacebookRig, photo: object, code: FailureCode
) -> None:
    rig.shapes = {"photo": replace(rig.shapes["photo"], media=photo)}  # type: ignore[arg-type]

    end = rig.drive("photo").run()

    assert isinstance(end, Failed)
    assert (end.code, rig.platform.calls) == (code, [])


@pytest.mark.parametrize(
    ("errors", "code"),
    [
        ((506, None), FailureCode.DUPLICATE_CONTENT),
        ((100, 1609005), FailureCode.INVALID_OPTIONS),
        ((200, 1404078), FailureCode.ACCOUNT_RESTRICTED),
    ],
)
def test_a_refused_post_fails_for_good(
    rig: FacebookRig, errors: tuple[int, int | None], code: FailureCode
) -> None:
    rig.platform.feed_errors = [errors]

    end = rig.drive("text").run()

    assert isinstance(end, Failed)
    assert (end.code, len(rig.platform.calls)) == (code, 1)


@pytest.mark.parametrize("fault", [Fault.DROP_AFTER, Fault.DROP_BEFORE])
def test_a_first_comment_is_never_sent_twice(rig: FacebookRig, fault: Fault) -> None:
    rig.platform.strike(2, fault)

    end = rig.drive("commented").run()

    assert isinstance(end, Done)
    assert end.note == NO_COMMENT
    assert rig.platform.calls[2].path.endswith("/comments")
    assert len(rig.platform.comments) == (1 if fault is Fault.DROP_AFTER else 0)


@pytest.mark.parametrize(
    ("shape", "post_type"), [("text", "story"), ("text", "reel"), ("photo", "reel")]
)
def test_a_kind_of_post_that_cannot_be_made_of_it_is_refused_without_a_call(
    rig: FacebookRig, shape: str, post_type: str
) -> None:
    options: dict[str, Json] = {"post_type": post_type}
    rig.shapes = {shape: replace(rig.shapes[shape], options=options)}

    end = rig.drive(shape).run()

    assert isinstance(end, Failed)
    assert (end.code, rig.platform.calls) == (FailureCode.INVALID_OPTIONS, [])


def test_a_text_that_facebook_finds_too_long_is_said_to_be(rig: FacebookRig) -> None:
    answer = graph_error(100, message="(#100) The message too long for a post")
    rig.platform.script = {"POST feed": [answer]}

    end = rig.drive("text").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.CAPTION_REJECTED
