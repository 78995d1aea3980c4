"""Which files cannot be converted is known from what their upload's probe found."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from chalicelib.domain.media.decoding import perhaps_unconvertible, unconvertible
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.recipes import PhotoRecipe, PosterRecipe, Recipe, VideoRecipe
from chalicelib.domain.media.types import MediaType

VIDEO = Media(
    id="1" * 32,
    workspace_id="2" * 32,
    mime=MediaType.MOV,
    filename="oven.mov",
    size_bytes=1_000,
    width=1920,
    height=1080,
    created_at=datetime(2026, 11, 22, tzinfo=UTC),
    duration_s=5.0,
    video_codec="h264",
    audio_codec="aac",
)
COPY, ENCODE = VideoRecipe(), VideoRecipe(encode=True)
PHOTO = PhotoRecipe(most_bytes=1, most_width=1, most_height=1)


@pytest.mark.parametrize(
    ("codec", "sound", "recipe", "told"),
    [
        ("h264", "aac", ENCODE, None),
        ("hevc", "mp3", ENCODE, None),
        ("vp9", "pcm", COPY, None),
        ("vp9", "aac", ENCODE, "coded as vp9"),
        ("rle", None, COPY, "coded as rle"),
        ("prores", None, None, None),
        ("prores", None, PosterRecipe(), None),
        ("h264", "opus", COPY, "sound of this video is encoded as opus"),
        (None, None, COPY, "something unknown"),
    ],
)
def test_a_copy_that_needs_another_decoder_is_refused_with_its_name(
    codec: str | None, sound: str | None, recipe: Recipe | None, told: str | None
) -> None:
    found = unconvertible(replace(VIDEO, video_codec=codec, audio_codec=sound), recipe)

    assert found is None if told is None else told in str(found)


def test_only_videos_whose_pictures_are_made_anew_have_a_largest_size() -> None:
    large = replace(VIDEO, width=7680, height=4320)

    assert "7,680 x 4,320" in str(unconvertible(large, ENCODE))
    assert unconvertible(large, COPY) is None


@pytest.mark.parametrize(
    ("mime", "side", "recipe", "doubtful"),
    [
        (MediaType.PNG, 10_000, PHOTO, True),
        (MediaType.WEBP, 10_000, PHOTO, True),
        (MediaType.PNG, 4_001, PHOTO, True),
        (MediaType.PNG, 4_000, PHOTO, False),
        (MediaType.JPEG, 10_000, PHOTO, False),
        (MediaType.PNG, 10_000, None, False),
    ],
)
def test_a_photo_that_is_unpacked_whole_is_doubtful_above_16_million_pixels(
    mime: MediaType, side: int, recipe: Recipe | None, *, doubtful: bool
) -> None:
    photo = replace(VIDEO, mime=mime, width=side, height=side)

    assert (perhaps_unconvertible(photo, recipe) is not None) is doubtful
