"""The still that goes along with a video."""

import io
from pathlib import Path

import pytest
from PIL import Image

from chalicelib.domain.platforms.platform import Platform
from chalicelib.workers.media.pictures import cut_poster
from chalicelib.workers.media.video_file import UnreadableVideoError
from tests.support.emulator import EmulatorProcess
from tests.support.prepared_files import Numbered, number_of, numbered_video, seekable
from tests.support.sample_media import turned
from tests.workers.media.studio import IN_TIME, LONG, TRIM, Studio, a_studio


@pytest.fixture
def studio(emulator: EmulatorProcess, tmp_path: Path) -> Studio:
    return a_studio(emulator, tmp_path)


def still_of(video: bytes) -> Image.Image:
    """Return the poster of a video."""
    return Image.open(io.BytesIO(cut_poster(seekable(video), lambda: None)), formats=("JPEG",))


@pytest.mark.parametrize(
    ("how", "number"),
    [
        (Numbered(seconds=3), 30),
        (Numbered(seconds=1), 15),
        (Numbered(seconds=3, gop=500, codec="libx265"), 30),
    ],
)
def test_the_poster_shows_the_first_second_or_the_middle(how: Numbered, number: int) -> None:
    assert number == number_of(still_of(numbered_video(how)))


@pytest.mark.parametrize(("second", "number"), [(0, 0), (2, 60), (99, 89)])
def test_a_cover_shows_the_second_that_was_asked_for(second: int, number: int) -> None:
    video = seekable(numbered_video(Numbered(seconds=3)))

    still = Image.open(io.BytesIO(cut_poster(video, lambda: None, second)))

    assert number == number_of(still)


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_the_poster_stands_upright(degrees: int) -> None:
    video = turned(numbered_video(Numbered(seconds=3)), degrees)

    still = still_of(video)

    assert still.size == ((96, 160) if degrees % 180 else (160, 96))
    assert 30 == number_of(still.rotate(degrees, expand=True))


def test_a_large_video_has_a_poster_within_1920_pixels() -> None:
    video = numbered_video(Numbered(seconds=1, fps=5, size=(2560, 1440), sound=None))

    assert (1920, 1080) == still_of(video).size


def test_a_video_that_cannot_be_decoded_has_no_poster() -> None:
    with pytest.raises(UnreadableVideoError):
        still_of(numbered_video(Numbered()).replace(b"avc1", b"zzz1"))


@pytest.mark.costly
def test_a_video_takes_a_still_of_its_first_second_along_where_the_platform_demands_it(
    studio: Studio,
) -> None:
    post = studio.post(studio.upload(numbered_video(LONG)), {Platform.REDDIT: {}, Platform.X: TRIM})

    studio.room.pass_time(IN_TIME)

    assert [("published", None, False), ("published", None, True)] == studio.outcomes(post)
    still = studio.sent(Platform.REDDIT)[0].poster
    assert still is not None
    assert ("image/jpeg", "film.jpg", None) == (still.mime, still.filename, still.duration_s)
    data = b"".join(still.source.stream())
    assert still.size_bytes == len(data)
    with Image.open(io.BytesIO(data)) as picture:
        assert (still.width, still.height) == picture.size
        assert LONG.fps == number_of(picture)
    assert studio.sent(Platform.X)[0].poster is None


def test_a_video_of_which_no_still_can_be_cut_goes_without(studio: Studio) -> None:
    video = numbered_video(LONG).replace(b"avc1", b"zzz1")
    post = studio.post(studio.upload(video), {Platform.REDDIT: {}})

    studio.room.pass_time(IN_TIME)

    assert [("published", None, False)] == studio.outcomes(post)
    assert studio.sent(Platform.REDDIT)[0].poster is None
