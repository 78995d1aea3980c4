"""What leaves with a photo: its picture, its colours and its credits, whatever else was in it.

`tests/journeys/test_no_place_leaves.py` has exiftool read; here Pillow and a search for bytes do.
"""

import io
import struct
import zlib
from collections.abc import Callable

import pytest
from PIL import Image

from chalicelib.domain.media.cleaning.outcome import UncleanableError
from chalicelib.domain.media.cleaning.photos import clean_photo, is_clean
from chalicelib.domain.media.cleaning.profiles import MOST_BYTES
from chalicelib.domain.media.types import MediaType
from tests.support.sample_media import samples
from tests.support.telling_photos import (
    CREDITS,
    SECRETS,
    chunk,
    exif,
    plain_jpeg,
    profile,
    segment,
    telling_jpeg,
    telling_png,
    telling_webp,
    xmp,
)

JPEG, PNG, WEBP = MediaType.JPEG, MediaType.PNG, MediaType.WEBP
TELLING: list[tuple[MediaType, Callable[[], bytes]]] = [
    (JPEG, telling_jpeg),
    (JPEG, lambda: telling_jpeg(progressive=True)),
    (PNG, telling_png),
    (WEBP, telling_webp),
]


def pixels(photo: bytes) -> bytes:
    with Image.open(io.BytesIO(photo)) as picture:
        return picture.convert("RGBA").tobytes()


@pytest.mark.filterwarnings("ignore:Image appears to be a malformed MPO")
@pytest.mark.parametrize(("mime", "make"), TELLING)
def test_nothing_leaves_but_the_picture_its_colours_and_its_credits(
    mime: MediaType, make: Callable[[], bytes]
) -> None:
    photo = make()
    assert all(word in photo for word in (*SECRETS, *CREDITS[:2]))

    cleaned = clean_photo(mime, photo).data

    assert [] == [word for word in SECRETS if word in cleaned]
    assert all(word in cleaned for word in CREDITS)
    assert pixels(photo) == pixels(cleaned)
    with Image.open(io.BytesIO(cleaned)) as picture:
        assert profile() == picture.info["icc_profile"]
        assert {0x013B, 0x8298} == set(picture.getexif())


@pytest.mark.parametrize(("mime", "make"), TELLING)
def test_a_cleaned_photo_is_clean(mime: MediaType, make: Callable[[], bytes]) -> None:
    photo = make()

    assert not is_clean(mime, photo)
    assert is_clean(mime, clean_photo(mime, photo).data)


@pytest.mark.parametrize(
    ("mime", "make"), [(JPEG, telling_jpeg), (PNG, telling_png), (WEBP, telling_webp)]
)
@pytest.mark.parametrize("orientation", range(1, 9))
def test_the_turn_is_told_and_stands_in_no_tag(
    mime: MediaType, make: Callable[[int], bytes], orientation: int
) -> None:
    cleaned = clean_photo(mime, make(orientation))

    assert orientation == cleaned.turn
    assert 0x0112 not in Image.open(io.BytesIO(cleaned.data)).getexif()


@pytest.mark.parametrize(
    "name",
    [n for n, s in samples().items() if s.found is not None and s.found[1] is None],
)
def test_every_photo_that_is_taken_can_be_cleaned_and_shows_the_same(name: str) -> None:
    sample = samples()[name]
    assert sample.found is not None

    cleaned = clean_photo(sample.found[0], sample.data)

    assert pixels(sample.data) == pixels(cleaned.data)


@pytest.mark.parametrize("name", ["plain.jpg", "progressive.jpg", "alpha.png", "animated.webp"])
def test_a_photo_as_editors_export_it_is_clean_as_it_is(name: str) -> None:
    sample = samples()[name]
    assert sample.found is not None

    assert is_clean(sample.found[0], sample.data)


def test_segments_between_the_scans_of_a_picture_go() -> None:
    photo = plain_jpeg(progressive=True)
    second = photo.index(b"\xff\xda", photo.index(b"\xff\xda") + 2)
    second = photo.rindex(b"\xff\xc4", 0, second)

    cleaned = clean_photo(JPEG, photo[:second] + segment(0xE1, SECRETS[0]) + photo[second:])

    assert photo == cleaned.data


HOSTILE_EXIF = {
    "cut short": exif()[:30],
    "a directory far away": b"Exif\0\0II*\0\xff\xff\xff\x7f",
    "a directory that is itself": b"MM\0*\0\0\0\x08\xff\xff" + b"\x82\x98\0\2\xff\xff\xff\xff" * 99,
    "a credit that ends behind the block": b"MM\0*\0\0\0\x08\0\1\x82\x98\0\2\0\0\7\xff\0\0\0\x08",
    "no TIFF at all": b"\0\xff" * 200,
}


@pytest.mark.parametrize("block", HOSTILE_EXIF.values(), ids=HOSTILE_EXIF.keys())
def test_a_broken_exif_goes_and_the_photo_stays(block: bytes) -> None:
    plain = plain_jpeg()
    photo = plain[:2] + segment(0xE1, b"Exif\0\0" + block.removeprefix(b"Exif\0\0")) + plain[2:]

    cleaned = clean_photo(JPEG, photo)

    assert (plain, 1) == (cleaned.data, cleaned.turn)


HOSTILE_XMP = {
    "an entity of entities": xmp()
    .replace(b"<x:xmpmeta", b'<!DOCTYPE a [<!ENTITY a "&b;&b;">]><x:xmpmeta')
    .replace(CREDITS[0], b"&a;")
    .replace(CREDITS[1], b"&a;")
    .replace(CREDITS[2], b"&a;"),
    "no text": b"\xff\xfe" + "<dc:creator>".encode("utf-16-le"),
    "never closed": b"<dc:creator>" * 5_000,
    "a place where a credit stands": b'x photoshop:Credit="<exif:GPSLatitude>48</exif>"',
}


@pytest.mark.parametrize("packet", HOSTILE_XMP.values(), ids=HOSTILE_XMP.keys())
def test_a_broken_xmp_goes_and_the_photo_stays(packet: bytes) -> None:
    plain = plain_jpeg()
    named = b"http://ns.adobe.com/xap/1.0/\0" + packet
    photo = plain[:2] + segment(0xE1, named[:65_000]) + plain[2:]

    assert plain == clean_photo(JPEG, photo).data


def test_a_profile_of_fifty_megabytes_goes_and_the_photo_stays() -> None:
    plain = clean_photo(PNG, telling_png()).data
    huge = struct.pack(">I", 50_000_000) + profile()[4:] + bytes(50_000_000 - len(profile()))
    bomb = chunk(b"iCCP", b"icc\0\0" + zlib.compress(huge))
    at = plain.index(b"iCCP") - 4
    end = at + 12 + int.from_bytes(plain[at : at + 4])

    cleaned = clean_photo(PNG, plain[:at] + bomb + plain[end:])

    assert plain[:at] + plain[end:] == cleaned.data


def test_what_stands_behind_the_end_of_a_profile_goes() -> None:
    longer = profile() + SECRETS[0]
    photo = io.BytesIO()
    Image.new("RGB", (8, 8)).save(photo, "JPEG", icc_profile=longer)

    cleaned = clean_photo(JPEG, photo.getvalue()).data

    assert profile() == Image.open(io.BytesIO(cleaned)).info["icc_profile"]
    assert SECRETS[0] not in cleaned


def test_the_serial_number_of_a_display_goes_and_its_colours_stay() -> None:
    made = profile()
    count = int.from_bytes(made[128:132])
    moved = bytearray(made[:128] + struct.pack(">I", count + 1))
    for number in range(count):
        kind, at, size = struct.unpack_from(">4sII", made, 132 + 12 * number)
        moved += struct.pack(">4sII", kind, at + 12, size)
    body = b"mmod" + bytes(4) + SECRETS[1].ljust(32, b"\0")
    end = len(made) + 12
    moved += struct.pack(">4sII", b"mmod", end, len(body)) + made[132 + 12 * count :] + body
    moved[:4] = struct.pack(">I", len(moved))
    photo = io.BytesIO()
    Image.new("RGB", (8, 8)).save(photo, "JPEG", icc_profile=bytes(moved))

    cleaned = clean_photo(JPEG, photo.getvalue()).data

    assert SECRETS[1] not in cleaned
    kept = Image.open(io.BytesIO(cleaned)).info["icc_profile"]
    assert moved[100:end] == kept[100:end]
    assert is_clean(JPEG, cleaned)


@pytest.mark.parametrize("mime", [JPEG, PNG, WEBP])
@pytest.mark.parametrize("seed", range(8))
def test_a_photo_cut_or_changed_anywhere_is_cleaned_or_refused(mime: MediaType, seed: int) -> None:
    photo = {JPEG: telling_jpeg, PNG: telling_png, WEBP: telling_webp}[mime]()
    for at in range(seed, len(photo), 8):
        for broken in (photo[:at], photo[:at] + bytes((photo[at] ^ 0xFF,)) + photo[at + 1 :]):
            try:
                cleaned = clean_photo(mime, broken).data
            except UncleanableError:
                continue
            assert len(cleaned) <= len(broken) + MOST_BYTES
