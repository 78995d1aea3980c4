"""What follows a post that is live: covers, first comments, closed comments; it stays live."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from chalicelib.domain.outcome import Done, Failed
from chalicelib.kit.json_value import Json
from tests.connectors.bluesky.rig import a_rig as bluesky
from tests.connectors.facebook.rig import a_rig as facebook
from tests.connectors.instagram.rig import a_rig as instagram
from tests.connectors.linkedin.fake import MEMBER, PAGE
from tests.connectors.linkedin.rig import a_rig as linkedin
from tests.connectors.support.fake_platform import Fault
from tests.connectors.support.rig import Rig, a_photo
from tests.connectors.x.rig import a_rig as x
from tests.connectors.youtube.rig import a_rig as youtube

TEXT = "Recipe below"


def _given(rig: Rig, shape: str, options: Mapping[str, Json]) -> Rig:
    """Give a shape more options, and its video a still cut from it."""
    found = rig.shapes[shape]
    media = found.media
    if media is not None and "cover_second" in options:
        media = replace(media, poster=replace(a_photo(), filename="still.jpg"))
    rig.shapes = {shape: replace(found, media=media, options={**found.options, **options})}
    return rig


def _kept(rig: Rig, name: str) -> Any:  # noqa: ANN401 - what a fake keeps, each its own
    return getattr(rig.platform, name)


def test_youtube_shows_the_cover_that_was_cut_from_the_video() -> None:
    rig = _given(youtube(), "video", {"cover_second": 4})

    end = rig.drive("video").run()

    rig.platform.close()
    assert isinstance(end, Done)
    assert list(_kept(rig, "covers")) == [end.remote_id]
    (call,) = [one for one in rig.platform.calls if one.path.endswith("thumbnails/set")]
    assert call.query == {"videoId": end.remote_id, "uploadType": "media"}


@pytest.mark.parametrize("shape", ["video", "film"])
def test_facebook_shows_the_cover_that_was_cut_from_the_video(shape: str) -> None:
    rig = _given(facebook(videos=True), shape, {"cover_second": 4})

    end = rig.drive(shape).run()

    rig.platform.close()
    assert isinstance(end, Done)
    assert list(_kept(rig, "covers")) == [end.remote_id]
    assert end.note is None


COMMENTED: dict[str, tuple[Callable[[], Rig], str]] = {
    "youtube": (youtube, "video"),
    "linkedin member": (lambda: linkedin(MEMBER), "text"),
    "linkedin page": (lambda: linkedin(PAGE), "photo"),
    "x": (x, "photo"),
    "bluesky": (bluesky, "text"),
}
NEVER_AGAIN = [name for name in COMMENTED if name != "bluesky"]
"""On Bluesky the same comment under the same key is one comment, however often it is written."""


@pytest.mark.parametrize("name", COMMENTED)
def test_a_first_comment_follows_the_post(name: str) -> None:
    make, shape = COMMENTED[name]
    rig = _given(make(), shape, {"first_comment": TEXT})

    end = rig.drive(shape).run()

    rig.platform.close()
    assert isinstance(end, Done)
    assert end.note is None
    assert _kept(rig, "comments") == [(end.remote_id, TEXT)]


@pytest.mark.parametrize("fault", [Fault.DROP_BEFORE, Fault.DROP_AFTER, Fault.ERROR_AFTER])
@pytest.mark.parametrize("name", NEVER_AGAIN)
def test_a_comment_whose_answer_is_lost_is_never_sent_twice(name: str, fault: Fault) -> None:
    make, shape = COMMENTED[name]
    calls = _calls_until_the_comment(make, shape)
    rig = _given(make(), shape, {"first_comment": TEXT})
    rig.platform.strike(calls, fault)

    end = rig.drive(shape).run()

    rig.platform.close()
    assert isinstance(end, Done)
    assert end.note is not None
    assert end.note.startswith("The first comment may be missing")
    assert len(_kept(rig, "comments")) <= 1
    assert len(rig.platform.posts) == 1


@pytest.mark.parametrize("fault", [Fault.DROP_BEFORE, Fault.DROP_AFTER, Fault.ERROR_AFTER])
def test_a_comment_on_bluesky_whose_answer_is_lost_is_there_once(fault: Fault) -> None:
    calls = _calls_until_the_comment(bluesky, "text")
    rig = _given(bluesky(), "text", {"first_comment": TEXT})
    rig.platform.strike(calls, fault)

    end = rig.drive("text").run()

    rig.platform.close()
    assert isinstance(end, Done)
    assert end.note is None
    assert _kept(rig, "comments") == [(end.remote_id, TEXT)]


@pytest.mark.parametrize("crash_after", range(1, 10))
def test_a_crash_leaves_one_post_on_bluesky_with_one_comment(crash_after: int) -> None:
    rig = _given(bluesky(), "text", {"first_comment": TEXT})

    end = rig.drive("text", crash_after=crash_after).run()

    rig.platform.close()
    assert isinstance(end, Done)
    assert (end.note, list(rig.platform.posts)) == (None, [end.remote_id])
    assert set(_kept(rig, "comments")) == {(end.remote_id, TEXT)}


@pytest.mark.parametrize("name", NEVER_AGAIN)
def test_a_comment_is_missed_aloud_where_its_post_is_found_by_its_text(name: str) -> None:
    """The post may be another target's, which nobody should answer: a person is told."""
    make, shape = COMMENTED[name]
    rig = _given(make(), shape, {"first_comment": TEXT})
    rig.platform.loses_next_post = True

    end = rig.drive(shape).run()

    rig.platform.close()
    assert isinstance(end, Done)
    assert (len(rig.platform.posts), _kept(rig, "comments")) == (1, [])
    assert end.note is not None
    assert end.note.startswith("The first comment may be missing")


def test_a_comment_that_bluesky_never_takes_leaves_the_post_live() -> None:
    calls = _calls_until_the_comment(bluesky, "text")
    rig = _given(bluesky(), "text", {"first_comment": TEXT})
    for place in range(calls, calls + 8):
        rig.platform.strike(place, Fault.ERROR_BEFORE)

    end = rig.drive("text").run()

    rig.platform.close()
    assert isinstance(end, Done)
    assert end.note is not None
    assert end.note.startswith("The first comment may be missing")
    assert list(rig.platform.posts) == [end.remote_id]


@pytest.mark.parametrize(
    ("make", "comment"),
    [(x, "wort " * 57), (x, "https://a.example " * 13), (bluesky, "é" * 301)],
    ids=["x, words", "x, links", "bluesky"],
)
def test_a_comment_that_is_too_long_is_refused_before_the_post(
    make: Callable[[], Rig], comment: str
) -> None:
    rig = _given(make(), "text", {"first_comment": comment})

    end = rig.drive("text").run()

    rig.platform.close()
    assert isinstance(end, Failed)
    assert (end.code, rig.platform.posts) == ("invalid_options", {})
    assert "first_comment" in end.message


def _calls_until_the_comment(make: Callable[[], Rig], shape: str) -> int:
    rig = _given(make(), shape, {"first_comment": TEXT})
    rig.drive(shape).run()
    rig.platform.close()
    return len(rig.platform.calls) - 1


def test_instagram_closes_the_comments_after_the_first() -> None:
    rig = _given(instagram(), "commented", {"disable_comments": True})

    end = rig.drive("commented").run()

    rig.platform.close()
    assert isinstance(end, Done)
    assert _kept(rig, "closed") == {end.remote_id: True}
    assert _kept(rig, "comments") == [TEXT]


def test_comments_that_may_still_be_open_are_told() -> None:
    rig = _given(instagram(), "photo", {"disable_comments": True})
    rig.drive("photo").run()
    calls = len(rig.platform.calls) - 1
    rig.platform.close()
    again = _given(instagram(), "photo", {"disable_comments": True})
    again.platform.strike(calls, Fault.DROP_BEFORE)

    end = again.drive("photo").run()

    again.platform.close()
    assert isinstance(end, Done)
    assert end.note is not None
    assert "still be open" in end.note


def test_bluesky_shows_a_videos_captions() -> None:
    text = "WEBVTT\n\n00:00.000 --> 00:02.000\nRye"
    rig = _given(bluesky(), "video", {"video_captions": [{"language": "de", "text": text}]})

    end = rig.drive("video").run()

    (post,) = rig.platform.posts.values()
    rig.platform.close()
    assert isinstance(end, Done)
    (caption,) = post["embed"]["captions"]
    assert caption["lang"] == "de"
    assert (caption["file"]["mimeType"], caption["file"]["size"]) == ("text/vtt", len(text))
