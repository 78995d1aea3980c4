"""What a file says twice is read where decoders read it; no more is asked for than is needed.

Three videos of Android phones among the tests of androidx/media (Apache-2.0; mv_with_2_top_shots,
h265_with_metadata_track and pixel-motion-photo-2-hevc-tracks) have a 0 in the head of `hvcC`
where ISO/IEC 14496-15 wants the chroma format: they counted as monochrome and were made anew for
every platform. one_color_no_palette.webp of webmproject/libwebp-test-data (BSD-3-Clause) is whole
with 28 bytes, and was "cut short". Both are made anew here.
"""

import io

import pytest
from PIL import Image

from chalicelib.domain.media.requirements import recipe_for
from chalicelib.domain.platforms.platform import Platform
from tests.support.copies import probed
from tests.support.films import Film, film

_CHROMA_AT, _DEPTH_AT = 16, 17
PHONE = Film(codec="libx265", tag="hvc1", seconds=1, sound=None)
DEEP = Film(codec="libx265", tag="hvc1", seconds=1, sound=None, pix_fmt="yuv420p10le")
FINE = Film(codec="libx265", tag="hvc1", seconds=1, sound=None, pix_fmt="yuv422p10le")


def _with_empty_head(video: bytes) -> bytes:
    """Return the video without the chroma format and the depth in the head of its `hvcC`."""
    head = video.index(b"hvcC") + 4
    changed = bytearray(video)
    changed[head + _CHROMA_AT], changed[head + _DEPTH_AT] = 0xFC, 0xF8
    return bytes(changed)


@pytest.mark.parametrize(
    ("how", "coded"), [(PHONE, ("4:2:0", 8)), (DEEP, ("4:2:0", 10)), (FINE, ("4:2:2", 10))]
)
def test_a_parameter_set_is_believed_rather_than_the_head(
    how: Film, coded: tuple[str, int]
) -> None:
    coding = probed(_with_empty_head(film(how))).coding

    assert coded == (coding.chroma, coding.bit_depth)


def test_a_phones_hevc_is_not_made_anew_for_a_platform_that_takes_it() -> None:
    media = probed(_with_empty_head(film(PHONE)))

    assert recipe_for(media, Platform.INSTAGRAM, {}) == recipe_for(
        probed(film(PHONE)), Platform.INSTAGRAM, {}
    )


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L"])
@pytest.mark.parametrize("size", [(1, 1), (100, 60)])
def test_a_webp_of_one_colour_is_whole(mode: str, size: tuple[int, int]) -> None:
    out = io.BytesIO()
    Image.new(mode, size, 255).save(out, "WEBP", lossless=True, quality=100, method=6)

    media = probed(out.getvalue())

    assert size == (media.width, media.height)
    assert not media.is_animated
