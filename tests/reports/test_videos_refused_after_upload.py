"""A video was called ready, uploaded, and only then refused by the platform, or looked wrong.

What each platform takes stands on its page of facts; sources are its own pages: X "Best
practices" of media, Instagram "Reel specifications", Threads "Video specifications", TikTok "Media
transfer guide", Facebook "Reels Publishing".
"""

import io
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import av
import pytest

from chalicelib.domain.media.media import Media
from chalicelib.domain.media.requirements import recipe_for
from chalicelib.domain.media.video_demands import why_no_copy
from chalicelib.domain.platforms.platform import Platform
from chalicelib.workers.media.pacing import Moment, Pace
from tests.support.copies import Copies, probed
from tests.support.films import Film, film

P = Platform


def copied(copies: Copies, platform: Platform, how: Film) -> tuple[bytes, Media]:
    sent = copies.sent(platform, film(how))
    assert sent is not None
    return sent.data, probed(sent.data)


@pytest.mark.parametrize("platform", [P.X, P.INSTAGRAM, P.LINKEDIN, P.TIKTOK, P.PINTEREST])
@pytest.mark.parametrize("pix_fmt", ["yuv444p", "yuv422p", "yuv420p10le", "yuvj444p", "gray"])
def test_an_editors_h264_becomes_what_every_phone_can_play(
    copies: Copies, platform: Platform, pix_fmt: str
) -> None:
    """Phones' own decoders play H.264 of 8 bits in 4:2:0 and nothing else; X says yuv420p."""
    _, found = copied(copies, platform, Film(pix_fmt=pix_fmt, seconds=1))

    assert ("h264", "4:2:0", 8) == (
        found.video_codec,
        found.coding.chroma,
        found.coding.bit_depth,
    )


@pytest.mark.costly
@pytest.mark.parametrize(
    ("fps", "platforms", "expected"),
    [
        (5, (P.INSTAGRAM, P.TIKTOK, P.THREADS, P.FACEBOOK), 25),
        (12, (P.INSTAGRAM, P.TIKTOK, P.THREADS, P.FACEBOOK), 24),
        (15, (P.INSTAGRAM, P.TIKTOK, P.THREADS, P.FACEBOOK), 30),
        (240, (P.INSTAGRAM, P.TIKTOK, P.THREADS, P.X, P.FACEBOOK), 60),
        (120, (P.INSTAGRAM, P.TIKTOK, P.THREADS, P.X), 60),
        (100, (P.INSTAGRAM, P.TIKTOK, P.THREADS, P.X), 50),
        (59.94, (P.INSTAGRAM, P.TIKTOK, P.THREADS, P.X, P.FACEBOOK), 59.94),
        (23.976, (P.INSTAGRAM, P.TIKTOK, P.THREADS, P.X, P.FACEBOOK), 23.976),
        (5, (P.X, P.YOUTUBE, P.REDDIT), 5),
        (240, (P.YOUTUBE, P.BLUESKY), 240),
    ],
)
def test_slow_motion_and_screen_recordings_have_as_many_pictures_as_are_taken(
    copies: Copies, fps: float, platforms: tuple[Platform, ...], expected: float
) -> None:
    how = Film(fps=fps, seconds=2, size=(360, 640))

    for platform in platforms:
        _, found = copied(copies, platform, how)

        assert expected == pytest.approx(found.fps, rel=0.02)
        assert found.duration_s == pytest.approx(2, abs=0.05)


def test_a_screen_that_stands_still_is_shown_for_as_long(copies: Copies) -> None:
    """Android's recorder writes a picture only when something moves: 4 a second on average."""
    how = Film(uneven=(33, 33, 1_400, 33), size=(360, 640), seconds=4.5)

    data, found = copied(copies, P.INSTAGRAM, how)

    with av.open(io.BytesIO(data), "r") as file:
        times = [float(frame.time or 0) for frame in file.decode(video=0)]
    assert found.duration_s == pytest.approx(4.497, abs=0.05)
    assert max(after - before for before, after in pairwise(times)) < 0.045
    assert 22.5 <= (found.fps or 0) <= 60


@pytest.mark.costly
def test_slides_of_a_second_each_are_shown_for_as_long(copies: Copies) -> None:
    """Minutes of one picture a second become thousands, whose index needs more room."""
    _, found = copied(copies, P.THREADS, Film(fps=1, seconds=200, size=(96, 64)))

    assert found.duration_s == pytest.approx(200, abs=0.1)
    assert 22.5 <= (found.fps or 0) <= 60


@pytest.mark.parametrize("platform", [P.X, P.TIKTOK, P.INSTAGRAM, P.BLUESKY])
def test_an_old_camcorders_film_comes_in_square_pixels(copies: Copies, platform: Platform) -> None:
    """X: "pixel aspect ratio 1:1". A DV camera's 16:9 is 720 x 576 pixels that are 64:45 wide."""
    _, found = copied(copies, platform, Film(size=(720, 576), squeeze=Fraction(64, 45), seconds=1))

    assert not found.coding.oblong_pixels
    assert (1024, 576) == (found.width, found.height)


@pytest.mark.parametrize("platform", [P.X, P.INSTAGRAM, P.THREADS])
def test_a_camcorders_two_fields_become_one_picture(copies: Copies, platform: Platform) -> None:
    """X, Instagram and Threads: "progressive scan"."""
    fields = (("flags", "+ildct+ilme"), ("x264-params", "tff=1"))
    how = Film(size=(720, 576), fps=25, seconds=1, options=fields)
    assert probed(film(how)).coding.interlaced

    _, found = copied(copies, platform, how)

    assert not found.coding.interlaced
    assert 25 == pytest.approx(found.fps)


@pytest.mark.parametrize("sound", ["pcm_s24be", "pcm_s24le", "pcm_s32le", "pcm_f32le", "pcm_s16be"])
@pytest.mark.parametrize("platform", [P.X, P.INSTAGRAM, P.THREADS, P.LINKEDIN, P.BLUESKY])
def test_a_cameras_uncompressed_sound_is_converted(
    copies: Copies, platform: Platform, sound: str
) -> None:
    _, found = copied(copies, platform, Film(sound=sound, container="mov", seconds=1))

    assert "aac" == found.audio_codec
    assert 2 == found.coding.channels


@pytest.mark.parametrize(
    ("layout", "hz"), [("5.1", 48_000), ("stereo", 96_000), ("mono", 88_200), ("quad", 44_100)]
)
@pytest.mark.parametrize("platform", [P.X, P.INSTAGRAM, P.THREADS])
def test_sound_of_many_channels_is_mixed_for_two(
    copies: Copies, platform: Platform, layout: str, hz: int
) -> None:
    """Instagram: "AAC, 48 kHz sample rate maximum, 1 or 2 channels"."""
    _, found = copied(copies, platform, Film(layout=layout, hz=hz, seconds=1))

    assert (found.coding.channels or 0) <= 2
    assert (found.coding.sound_hz or 0) <= 48_000


@pytest.mark.costly
@pytest.mark.parametrize("platform", [p for p in Platform if p is not P.GOOGLE_BUSINESS_PROFILE])
def test_a_silent_video_stays_silent(copies: Copies, platform: Platform) -> None:
    how = Film(sound=None, pix_fmt="yuv444p", size=(640, 640), seconds=5)

    data, found = copied(copies, platform, how)

    assert found.audio_codec is None
    with av.open(io.BytesIO(data), "r") as file:
        assert not file.streams.audio


@pytest.mark.costly
@pytest.mark.parametrize(
    ("platform", "size", "expected"),
    [
        (P.TIKTOK, (320, 180), (640, 360)),
        (P.TIKTOK, (202, 360), (360, 642)),
        (P.INSTAGRAM, (2560, 1440), (1920, 1080)),
        (P.THREADS, (2160, 3840), (1080, 1920)),
        (P.INSTAGRAM, (1080, 1920), (1080, 1920)),
        (P.YOUTUBE, (2560, 1440), (2560, 1440)),
    ],
)
def test_a_video_has_as_many_pixels_as_are_taken(
    copies: Copies, platform: Platform, size: tuple[int, int], expected: tuple[int, int]
) -> None:
    """TikTok: 360 to 4096 pixels a side. Instagram and Threads: 1920 columns at most."""
    _, found = copied(copies, platform, Film(size=size, seconds=0.5, sound=None))

    assert expected == (found.width, found.height)


def test_a_camera_writes_more_bits_a_second_than_instagram_takes() -> None:
    """Instagram: "video bitrate: 25 Mbps maximum"; a camera's 1080p has 50 and more."""
    media = probed(film(Film(size=(360, 640))))
    heavy = replace(media, size_bytes=40 * 1024 * 1024, is_clean=True)

    assert getattr(recipe_for(heavy, P.INSTAGRAM, {}), "encode", False)
    assert recipe_for(heavy, P.YOUTUBE, {}) is None


@pytest.mark.parametrize(
    ("platform", "seconds", "why"),
    [
        (P.X, 0.067, "at least 0.5 seconds and this one has 0.067"),
        (P.INSTAGRAM, 2.9, "at least 3 seconds and this one has 2.9"),
        (P.INSTAGRAM, 3.0, None),
        (P.YOUTUBE, 0.067, None),
    ],
)
def test_a_video_that_is_too_short_is_told_ahead(
    platform: Platform, seconds: float, why: str | None
) -> None:
    told = why_no_copy(platform, duration_s=seconds, width=1080, height=1920)

    assert (why is None and told is None) or (why or "") in (told or "")


@pytest.mark.parametrize(
    ("width", "refused"), [(3100, True), (3000, False), (320, True), (334, False)]
)
def test_a_banner_is_told_ahead(width: int, refused: bool) -> None:  # noqa: FBT001 - of a table
    """X: aspect 1:3 to 3:1."""
    told = why_no_copy(P.X, duration_s=9, width=width, height=1000)

    assert refused == (told is not None and "1:3" in told)


@pytest.mark.parametrize(
    ("rate", "pace", "expected"),
    [
        (Fraction(240), Pace(most=60), Fraction(60)),
        (Fraction(60_030, 1001), Pace(fewest=23, most=60), Fraction(60_030, 1001)),
        (Fraction(5), Pace(fewest=23, most=60), Fraction(25)),
        (Fraction(1), Pace(fewest=23, most=60), Fraction(23)),
        (Fraction(30), Pace(), Fraction(30)),
    ],
)
def test_a_pace_keeps_within_what_is_taken(rate: Fraction, pace: Pace, expected: Fraction) -> None:
    assert expected == pace.rate(rate)


def test_pictures_that_are_left_out_give_their_time_to_the_one_before() -> None:
    step = Fraction(1, 240)
    moments = [Moment(number, number * step, step) for number in range(10)]

    kept = list(Pace(most=60).kept_pictures(moments, Fraction(240)))

    assert [0, 4, 8] == [moment.picture for moment in kept]
    assert [4 * step, 4 * step, 2 * step] == [moment.lasts for moment in kept]
