"""A photo carried words that its owner did not mean to publish, and the platform kept them.

docs.bsky.app, "Posts": whoever sends a photo is to take out what tells of its owner. Where a photo
is turned, or its parts cannot be told apart, it is made anew: nothing may come along then either.
"""

import io

import pytest
from PIL import Image

from chalicelib.domain.media.cleaning.outcome import UncleanableError
from chalicelib.domain.media.cleaning.photos import clean_photo, is_clean
from chalicelib.domain.media.types import MediaType
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from tests.support.copies import Copies
from tests.support.telling_photos import chunk

WORDS = b"48.2082 N, taken by Nobody"
LEFT, RIGHT = (200, 30, 30), (30, 30, 200)
TAKE_PHOTOS = [platform for platform in Platform if FACTS[platform].photos is not None]


def a_photo(turn: int, kind: str = "JPEG") -> bytes:
    """Return a photo of two colours beside each other that says its words in a comment and EXIF."""
    picture = Image.new("RGB", (640, 480), LEFT)
    picture.paste(RIGHT, (320, 0, 640, 480))
    told = Image.Exif()
    told[0x0112], told[0x010E] = turn, WORDS.decode()
    out = io.BytesIO()
    picture.save(out, kind, quality=95, comment=WORDS, exif=told.tobytes())
    assert WORDS in out.getvalue()
    return out.getvalue()


def unknown(turn: int) -> bytes:
    """Return a PNG with a chunk that a viewer has to know, and none does: W3C PNG, 5.4."""
    photo = a_photo(turn, "PNG")
    end = photo.rindex(b"IEND") - 4
    photo = photo[:end] + chunk(b"NEWS", WORDS) + photo[end:]
    with pytest.raises(UncleanableError):
        clean_photo(MediaType.PNG, photo)
    return photo


@pytest.mark.parametrize("platform", TAKE_PHOTOS)
@pytest.mark.parametrize("photo", [a_photo(6), unknown(6)], ids=["turned", "cannot be told apart"])
def test_a_photo_that_is_made_anew_leaves_its_words_behind(
    copies: Copies, platform: Platform, photo: bytes
) -> None:
    """EXIF 2.32, orientation 6: what was left is on top."""
    sent = copies.sent(platform, photo)

    assert sent is not None
    assert WORDS not in sent.data
    with Image.open(io.BytesIO(sent.data)) as shown:
        assert not {"comment", "exif"} & set(shown.info)
        width, height = shown.size
        ends = [shown.getpixel((width // 2, row)) for row in (height // 4, height * 3 // 4)]
    assert height > width
    for found, colour in zip(ends, (LEFT, RIGHT), strict=True):
        assert isinstance(found, tuple)
        assert all(abs(a - b) <= 4 for a, b in zip(found, colour, strict=True)), ends


@pytest.mark.parametrize("platform", TAKE_PHOTOS)
def test_a_photo_that_stands_upright_and_cannot_be_told_apart_is_made_anew(
    copies: Copies, platform: Platform
) -> None:
    sent = copies.sent(platform, unknown(1))

    assert sent is not None
    assert WORDS not in sent.data
    assert is_clean(MediaType.JPEG, sent.data), sent.data[:40]
