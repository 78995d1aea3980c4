"""A file's record: which platforms find it too long, and what name it keeps."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from chalicelib.domain.media.media import Media, tidy_filename, too_long_for
from chalicelib.domain.media.types import MediaType
from chalicelib.domain.platforms.platform import MediaKind, Platform

MEDIA_ID = "0192f0c1a7b87c3d9e5f60718293a4b5"


def a_file(*, mime: MediaType = MediaType.MP4, duration_s: float | None = 10) -> Media:
    return Media(
        id=MEDIA_ID,
        workspace_id="1" * 32,
        mime=mime,
        filename="holiday.mp4",
        size_bytes=1_000,
        width=1920,
        height=1080,
        duration_s=duration_s,
        created_at=datetime(2030, 5, 1, tzinfo=UTC),
    )


@pytest.mark.parametrize(
    ("seconds", "platforms"),
    [
        (140.0, []),
        (140.001, [Platform.X]),
        (180.0, [Platform.X]),
        (
            180.001,
            [Platform.INSTAGRAM, Platform.TIKTOK, Platform.YOUTUBE, Platform.X],
        ),
        (
            660.0,
            [
                *(Platform.INSTAGRAM, Platform.TIKTOK, Platform.YOUTUBE, Platform.LINKEDIN),
                *(Platform.X, Platform.FACEBOOK, Platform.THREADS),
            ],
        ),
    ],
)
def test_a_video_is_too_long_for_a_platform_beyond_its_limit(
    seconds: float, platforms: list[Platform]
) -> None:
    video = a_file(duration_s=seconds)

    assert platforms == list(too_long_for(video))


def test_the_limit_is_named_in_seconds() -> None:
    video = a_file(duration_s=150)

    assert too_long_for(video) == {Platform.X: 140}


def test_a_photo_is_never_too_long() -> None:
    photo = a_file(mime=MediaType.JPEG, duration_s=None)

    assert photo.kind is MediaKind.IMAGE
    assert too_long_for(photo) == {}


def test_a_removed_file_has_no_url() -> None:
    video = a_file()

    removed = replace(video, file_removed=True)

    assert video.url == f"/v1/media/{MEDIA_ID}/file"
    assert removed.url is None


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("holiday.mp4", "holiday.mp4"),
        ("été 夏 🌞.mov", "été 夏 🌞.mov"),
        ("C:\\fakepath\\v.mp4", "v.mp4"),
        ("../../etc/passwd", "passwd"),
        ("a\r\nSet-Cookie: b.mp4", "aSet-Cookie: b.mp4"),
        ("evil\u202e4pm.exe", "evil4pm.exe"),
        ("x" * 300, "x" * 255),
        ("x" * 300 + ".jpg", "x" * 251 + ".jpg"),
        ("Ba\u0308ckerei.jpg", "Bäckerei.jpg"),
        ("👩\u200d🍳.jpg", "👩\u200d🍳.jpg"),
        ("   ", "file"),
        ("", "file"),
        (None, "file"),
    ],
)
def test_a_name_is_kept_without_what_hides_or_misleads(sent: str | None, kept: str) -> None:
    assert kept == tidy_filename(sent)
