"""A photo of 10 MB is cleaned in a tenth of a second: its head is written anew, nothing decoded."""

import random
import struct
import time
import zlib
from collections.abc import Callable

import pytest

from chalicelib.domain.media.cleaning.outcome import UncleanableError
from chalicelib.domain.media.cleaning.photos import clean_photo
from chalicelib.domain.media.types import MediaType
from tests.support.telling_photos import chunk, plain_jpeg, segment, telling_jpeg, telling_png

JPEG, PNG, WEBP = MediaType.JPEG, MediaType.PNG, MediaType.WEBP
LONGEST_S = 0.1


def test_a_photo_of_ten_megabytes_takes_a_tenth_of_a_second() -> None:
    photo = telling_jpeg()
    scan = photo.index(b"\xff\xda") + 14
    packed = random.Random(47).randbytes(10_000_000).replace(b"\xff", b"\xff\0")
    large = photo[:scan] + packed + photo[scan:]
    took = []

    for _ in range(5):
        began = time.perf_counter()
        clean_photo(MediaType.JPEG, large)
        took.append(time.perf_counter() - began)

    assert min(took) <= LONGEST_S


HURTS = 20_000_000
HISTORY = chunk(b"iTXt", b"XML:com.adobe.xmp\0\1\0\0\0" + zlib.compress(bytes(1_000_000)))
MADE_TO_HURT: dict[str, tuple[MediaType, Callable[[], bytes]]] = {
    "marks that fill": (JPEG, lambda: plain_jpeg()[:2] + b"\xff" * HURTS),
    "segments of nothing": (JPEG, lambda: plain_jpeg()[:2] + segment(0xFE, b"") * (HURTS // 4)),
    "scans of nothing": (JPEG, lambda: plain_jpeg()[:-2] + segment(0xDA, b"") * (HURTS // 4)),
    "chunks of nothing": (PNG, lambda: telling_png()[:33] + chunk(b"IDAT", b"") * (HURTS // 12)),
    "histories": (PNG, lambda: telling_png()[:33] + HISTORY * (HURTS // len(HISTORY))),
    "frames of nothing": (WEBP, lambda: _webp(b"ANMF" + bytes(4), HURTS // 8)),
}


def _webp(part: bytes, times: int) -> bytes:
    body = b"WEBPVP8X" + struct.pack("<I", 10) + bytes(10) + part * times
    return b"RIFF" + struct.pack("<I", len(body)) + body


@pytest.mark.parametrize("name", MADE_TO_HURT)
def test_a_photo_that_is_made_to_hurt_is_given_up_within_a_second(name: str) -> None:
    """Of CPU time: what else the machine does meanwhile is no cost of the photo."""
    mime, make = MADE_TO_HURT[name]
    photo = make()
    began = time.process_time()

    with pytest.raises(UncleanableError):
        clean_photo(mime, photo)

    assert time.process_time() - began <= 1
