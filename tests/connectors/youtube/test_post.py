"""How a video is described to YouTube, and what is refused before anything is uploaded."""

from dataclasses import replace

import pytest

from chalicelib.connectors.youtube.post import (
    path_of,
    precheck,
    resource,
    tags_length,
    title_of,
)
from chalicelib.domain.outcome import Failed, FailureCode
from chalicelib.kit.json_value import Json
from tests.connectors.support.rig import a_photo, a_publication, a_video
from tests.connectors.youtube.rig import TEXT, YouTubeRig


def test_a_cover_is_not_sent(rig: YouTubeRig) -> None:
    with_cover = replace(rig.shapes["video"], options={"cover": "https://a.example/b.jpg"})

    assert resource(with_cover) == resource(rig.shapes["video"])


@pytest.mark.parametrize(
    ("asked", "text", "filename", "title"),
    [
        ("Dawn", "Harbour", "oven.mp4", "Dawn"),
        (" ", "Harbour", "oven.mp4", "Harbour"),
        (None, "\n  Rye day \nmore", "oven.mp4", "Rye day"),
        (None, "é" * 120, "oven.mp4", "é" * 100),
        (None, "<3>\nRye", "oven.mp4", "3"),
        (None, "", "the oven.mp4", "the oven"),
        (None, "<>", "<>.mp4", "Video"),
    ],
    ids=["asked for", "blank", "first line", "cut", "angles", "file name", "nothing"],
)
def test_a_title_is_found_for_every_video(
    rig: YouTubeRig, asked: str | None, text: str, filename: str, title: str
) -> None:
    options: dict[str, Json] = {} if asked is None else {"title": asked}
    media = replace(a_video(), filename=filename)

    assert title_of(a_publication(rig.account, text, media, options), text) == title


@pytest.mark.parametrize(
    ("text", "options", "code"),
    [
        ("é" * 2_500, {}, None),
        ("é" * 2_501, {}, FailureCode.CAPTION_REJECTED),
        ("rye -> bread", {}, FailureCode.CAPTION_REJECTED),
        ("rye <3", {}, FailureCode.CAPTION_REJECTED),
        ("rye", {"tags": ["a" * 499, ""]}, None),
        ("rye", {"tags": ["a" * 498, "bc"]}, FailureCode.INVALID_OPTIONS),
        ("rye", {"tags": ["a" * 248 + " " + "b" * 250]}, FailureCode.INVALID_OPTIONS),
    ],
    ids=["5000 bytes", "5002 bytes", ">", "<", "tags fit", "with a comma", "with quotes"],
)
def test_what_youtube_would_refuse_is_refused_before_an_upload(
    rig: YouTubeRig, text: str, options: dict[str, Json], code: FailureCode | None
) -> None:
    refused = precheck(a_publication(rig.account, text, a_video(), options))

    assert (None if refused is None else refused.code) == code
    assert refused is None or refused.message.endswith(".")


def test_tags_are_counted_with_commas_and_quotes() -> None:
    assert tags_length([]) == 0
    assert tags_length(["rye", "sour dough"]) == len('rye,"sour dough"')


def test_a_photo_or_a_text_alone_is_refused(rig: YouTubeRig) -> None:
    for media in (None, a_photo()):
        refused = rig.connector.start(a_publication(rig.account, TEXT, media))

        assert isinstance(refused, Failed)
        assert (refused.code, refused.is_transient) == (FailureCode.MEDIA_REJECTED, False)


@pytest.mark.parametrize(
    ("width", "height", "seconds", "path"),
    [
        (720, 1280, 180.0, "/shorts/v"),
        (720, 720, 12.0, "/shorts/v"),
        (721, 720, 12.0, "/watch?v=v"),
        (720, 1280, 180.1, "/watch?v=v"),
        (720, 1280, None, "/watch?v=v"),
    ],
    ids=["three minutes", "square", "wide", "long", "of unknown length"],
)
def test_a_short_is_known_by_its_shape(
    width: int, height: int, seconds: float | None, path: str
) -> None:
    media = replace(a_video(), width=width, height=height, duration_s=seconds)

    assert path_of(media, "v") == path
