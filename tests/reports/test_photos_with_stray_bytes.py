"""Photos with bytes between their segments are taken, as everything that shows them takes them.

Reports: issues 121 and 308 of metadata-extractor (Java), whose photos have the rest of a Photoshop
segment, or two question marks, before the tables; three files of Pillow's own tests: junk in the
header, a broken one of Photoshop's, an APP14 that is cut. T.81 B.1.1.2 allows nothing there but FF;
libjpeg skips the rest with a warning, and browsers show what libjpeg reads.
"""

import io

import pytest
from PIL import Image

from chalicelib.domain.media.cleaning.photos import clean_photo
from chalicelib.domain.media.probing import probe
from chalicelib.domain.media.types import MediaType
from tests.support.telling_photos import plain_jpeg

STRAY = {
    "the rest of a segment": b"\0\x0eAdobe\0d\x80\0\0\0\1",
    "two signs": b"??",
    "a mark that is none": b"\xff\0\0\xff\0",
    "a place": b"52.5200 N, 13.4050 E" * 100,
}


def _with_stray(jpeg: bytes, stray: bytes) -> bytes:
    """Put bytes before the picture's first table."""
    table = jpeg.index(b"\xff\xdb")
    return jpeg[:table] + stray + jpeg[table:]


@pytest.mark.parametrize("name", STRAY)
def test_a_photo_with_stray_bytes_is_taken_and_leaves_without_them(name: str) -> None:
    usual = plain_jpeg()
    photo = _with_stray(usual, STRAY[name])

    probed = probe(lambda at, length: photo[at : at + length], len(photo))
    left = clean_photo(MediaType.JPEG, photo)

    with Image.open(io.BytesIO(photo)) as shown:
        assert sorted(shown.size) == sorted((probed.width, probed.height))
    assert left == clean_photo(MediaType.JPEG, usual)
    assert not probed.is_clean
