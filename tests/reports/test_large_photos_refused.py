"""A phone's photo of 48 megapixels, or a panorama, was refused as if it were damaged.

The process that decodes it has 364 MB (ADR 0016): whoever holds its pixels twice has not enough.
An id with a number is a report to another program's tracker; others are sizes of sensors.
"""

import io

import pytest
from PIL import Image, ImageChops

from chalicelib.domain.platforms.platform import Platform
from chalicelib.workers.media.clean_source import CleanSource
from chalicelib.workers.media.shrinking import shrunk
from tests.support.copies import Copies
from tests.support.prepared_files import seekable

P = Platform
_TOP_IS_RIGHT = 6
RED, BLUE = (254, 0, 0), (0, 0, 254)


def a_jpeg(size: tuple[int, int], turn: int = 1) -> bytes:
    """Return a photo whose first rows, as stored, are red and whose last are blue."""
    picture = Image.new("RGB", size, BLUE)
    picture.paste(RED, (0, 0, size[0], size[1] // 2))
    exif = Image.Exif()
    exif[0x0112] = turn
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=90, exif=exif)
    return out.getvalue()


@pytest.mark.costly
@pytest.mark.parametrize(
    ("size", "turn", "platform", "expected"),
    [
        pytest.param((8000, 6000), 6, P.X, (3072, 4096), id="a phone held upright, for X"),
        pytest.param((8000, 6000), 1, P.LINKEDIN, (6000, 4500), id="a phone's, for LinkedIn"),
        pytest.param((8160, 6144), 8, P.LINKEDIN, (4518, 6000), id="a newer phone's, upright"),
        pytest.param((16_382, 2_000), 1, P.X, (4096, 500), id="mastodon/mastodon#6566"),
        pytest.param(
            (20_000, 5_000), 1, P.FACEBOOK, (4096, 1024), id="DagAgren/toot#338, a panorama"
        ),
    ],
)
def test_a_phones_largest_photo_is_made_to_fit(
    copies: Copies, size: tuple[int, int], turn: int, platform: Platform, expected: tuple[int, int]
) -> None:
    """Sensors: 8000 x 6000, 8160 x 6144. CIPA DC-008 says how a photo is turned."""
    sent = copies.sent(platform, a_jpeg(size, turn))

    assert sent is not None
    with Image.open(io.BytesIO(sent.data)) as found:
        assert found.size == pytest.approx(expected, abs=1)
        above_left, below_right = (20, 20), (found.width - 20, found.height - 20)
        first, last = (BLUE, RED) if turn == _TOP_IS_RIGHT else (RED, BLUE)
        assert found.getpixel(above_left) == pytest.approx(first, abs=4)
        assert found.getpixel(below_right) == pytest.approx(last, abs=4)


def test_bands_leave_no_seam() -> None:
    picture = Image.effect_noise((1600, 1200), 20)
    whole = picture.resize((1100, 825), Image.Resampling.LANCZOS)

    made = shrunk(picture, (1100, 1100))

    assert made.size == whole.size
    worst = max(ImageChops.difference(made, whole).tobytes())
    assert worst <= 1


def test_a_photo_is_held_once_while_it_is_decoded() -> None:
    photo = a_jpeg((640, 480))
    source = seekable(photo)

    CleanSource.of(source, len(photo))

    assert not source._blocks


@pytest.mark.parametrize("mode", ["LA", "RGBA"])
def test_a_picture_that_shines_through_has_no_seams_either(mode: str) -> None:
    """Pillow's own resize of the whole: bands are cut out with all that its filter sees."""
    size = (1500, 1300)
    shown = Image.merge("RGB", [Image.effect_noise(size, 60)] * 3).convert(mode)
    shown.putalpha(Image.effect_noise(size, 8))
    whole = shown.resize((750, 650), Image.Resampling.LANCZOS)

    made = shrunk(shown, (750, 750))

    assert made.tobytes() == whole.tobytes()
