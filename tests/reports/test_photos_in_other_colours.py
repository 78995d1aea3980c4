"""A photo came out in other colours than it has on the screen where it was made."""

import io
import struct
import zlib

import pytest
from PIL import Image, ImageCms

from chalicelib.connectors.shared.card_pictures import as_jpeg
from chalicelib.domain.media.cleaning.jpegs import clean_jpeg
from chalicelib.domain.media.media import Media
from chalicelib.domain.platforms.platform import Platform
from tests.support.colour_profiles import (
    ADOBE_RGB,
    DISPLAY_P3,
    PROPHOTO,
    grey_profile,
    rgb_profile,
)
from tests.support.copies import Copies, probed

pytestmark = pytest.mark.costly

P = Platform
RED_ON_A_MAC = (231, 60, 40)
P3 = rgb_profile(DISPLAY_P3)


def saved(picture: Image.Image, kind: str, **how: object) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **how)
    return out.getvalue()


def middle(photo: bytes) -> tuple[int, ...]:
    with Image.open(io.BytesIO(photo)) as opened:
        found = opened.convert("RGB").getpixel((opened.width // 2, opened.height // 2))
    assert isinstance(found, tuple)
    return found


def sent(copies: Copies, photo: bytes, platform: Platform = P.INSTAGRAM) -> bytes:
    made = copies.sent(platform, photo)
    assert made is not None
    return made.data


@pytest.mark.parametrize(
    ("kind", "mode"),
    [
        *(("PNG", "RGB"), ("PNG", "RGBA"), ("PNG", "P")),
        *(("WEBP", "RGB"), ("WEBP", "RGBA"), ("JPEG", "RGB")),
    ],
)
@pytest.mark.parametrize(
    ("profile", "expected"),
    [
        (P3, (252, 25, 0)),
        (rgb_profile(ADOBE_RGB), (255, 57, 34)),
        (rgb_profile(PROPHOTO, 1.8), (255, 0, 42)),
    ],
    ids=["Display P3", "Adobe RGB", "ProPhoto"],
)
def test_a_macs_screenshot_keeps_its_red_whatever_its_mode_is(
    copies: Copies, kind: str, mode: str, profile: bytes, expected: tuple[int, int, int]
) -> None:
    """ICC.1; right values by `colour-science` 0.4.7, cut off where sRGB ends."""
    picture = Image.new("RGB", (320, 320), RED_ON_A_MAC)
    picture = picture.quantize(2) if mode == "P" else picture.convert(mode)
    how = {"lossless": True} if kind == "WEBP" else {"quality": 97} if kind == "JPEG" else {}

    found = middle(sent(copies, saved(picture, kind, icc_profile=profile, **how)))

    assert all(abs(a - b) <= 3 for a, b in zip(found, expected, strict=True)), found


def test_what_is_clear_is_white_and_what_is_half_clear_is_half_so(copies: Copies) -> None:
    picture = Image.new("RGBA", (320, 320), (0, 0, 0, 0))
    picture.paste((0, 0, 0, 128), (0, 100, 320, 220))

    photo = sent(copies, saved(picture, "PNG", icc_profile=P3))

    with Image.open(io.BytesIO(photo)) as opened:
        colours = [opened.getpixel((160, row)) for row in (20, 160)]
    assert [(255,) * 3, (127,) * 3] == colours


@pytest.mark.parametrize("platform", [P.INSTAGRAM, P.X, P.FACEBOOK, P.BLUESKY, P.LINKEDIN])
def test_a_printers_photo_is_shown_on_screens_everywhere(
    copies: Copies, platform: Platform
) -> None:
    """CMYK JPEGs are shown in false colours, or not at all, by browsers and apps."""
    picture = Image.new("RGB", (400, 400), (200, 60, 40)).convert("CMYK")

    photo = sent(copies, saved(picture, "JPEG", quality=95), platform)

    with Image.open(io.BytesIO(photo)) as opened:
        assert "RGB" == opened.mode
    assert all(abs(a - b) <= 4 for a, b in zip(middle(photo), (200, 60, 40), strict=True))


def a_grey_png(value: int, *, clear: int | None = None) -> bytes:
    """Return a PNG of 16 bits a grey, as scanners and telescopes write it."""
    row = b"\0" + struct.pack(">H", value) * 320

    def chunk(kind: bytes, data: bytes) -> bytes:
        sums = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + sums

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 320, 320, 16, 0, 0, 0, 0))
    key = b"" if clear is None else chunk(b"tRNS", struct.pack(">H", clear))
    body = chunk(b"IDAT", zlib.compress(row * 320))
    return b"\x89PNG\r\n\x1a\n" + head + key + body + chunk(b"IEND", b"")


@pytest.mark.parametrize(("value", "shown"), [(32_768, 128), (0, 0), (65_535, 255), (5_000, 19)])
def test_a_grey_of_16_bits_stays_that_grey(copies: Copies, value: int, shown: int) -> None:
    photo = a_grey_png(value)

    assert (shown,) * 3 == middle(sent(copies, photo))
    card = as_jpeg([photo], 950_000)
    assert card is not None
    assert (shown,) * 3 == middle(card)


def test_a_grey_of_16_bits_that_is_clear_becomes_white(copies: Copies) -> None:
    assert (255,) * 3 == middle(sent(copies, a_grey_png(32_768, clear=32_768)))


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_a_grey_photos_own_curve_counts(copies: Copies, kind: str) -> None:
    """A grey of 128 by a curve of 1.0 is 50 % of light: 188 in sRGB."""
    photo = saved(Image.new("L", (320, 320), 128), kind, icc_profile=grey_profile(1.0))

    assert 188 == pytest.approx(middle(sent(copies, photo))[0], abs=2)


def by_exif(space: int, index: str | None) -> bytes:
    """Return EXIF as a camera writes it that is set to Adobe RGB: no profile says so."""
    made = Image.Exif()
    details = made.get_ifd(0x8769)
    details[0xA001] = space
    if index is not None:
        details[0xA005] = {1: index, 2: b"0100"}
    return made.tobytes()


@pytest.mark.parametrize("platform", [P.INSTAGRAM, P.THREADS])
@pytest.mark.parametrize(
    ("space", "index", "shown"),
    [
        *((65_535, "R03", (255, 57, 34)), (2, None, (255, 57, 34))),
        *((1, "R98", RED_ON_A_MAC), (65_535, None, RED_ON_A_MAC), (65_535, "R98", RED_ON_A_MAC)),
    ],
)
def test_a_cameras_adobe_rgb_that_only_exif_tells_is_not_dull(
    copies: Copies, platform: Platform, space: int, index: str | None, shown: tuple[int, int, int]
) -> None:
    """immich-app/immich#3136. DCF 2.0, 4.3: R03 beside 65,535. Right values as with a profile."""
    picture = Image.new("RGB", (320, 320), RED_ON_A_MAC)
    photo = saved(picture, "JPEG", quality=97, exif=by_exif(space, index))

    found = middle(sent(copies, photo, platform))

    assert all(abs(a - b) <= 3 for a, b in zip(found, shown, strict=True)), found
    card = as_jpeg([photo], 950_000)
    assert card is not None
    assert all(abs(a - b) <= 3 for a, b in zip(middle(card), shown, strict=True)), middle(card)


@pytest.mark.parametrize("turn", [1, 6])
def test_elsewhere_a_profile_says_what_exif_said_before_it_went(copies: Copies, turn: int) -> None:
    """Bluesky and X show a JPEG by its profile; littleCMS turns it to what sRGB has for it."""
    made = Image.Exif()
    made.load(by_exif(65_535, "R03"))
    made[0x0112] = turn
    picture = Image.new("RGB", (320, 320), RED_ON_A_MAC)

    photo = sent(copies, saved(picture, "JPEG", quality=97, exif=made.tobytes()), P.BLUESKY)

    with Image.open(io.BytesIO(photo)) as opened:
        told = ImageCms.ImageCmsProfile(io.BytesIO(opened.info["icc_profile"]))
        seen = ImageCms.profileToProfile(opened, told, ImageCms.createProfile("sRGB"))
        assert 0xA001 not in opened.getexif().get_ifd(0x8769)
    assert seen is not None
    found = seen.getpixel((160, 160))
    assert isinstance(found, tuple)
    assert all(abs(a - b) <= 3 for a, b in zip(found, (255, 57, 34), strict=True)), found


def test_a_broken_exif_says_nothing_of_colours() -> None:
    whole = by_exif(65_535, "R03")
    picture = Image.new("RGB", (320, 320), RED_ON_A_MAC)
    photo = saved(picture, "JPEG", quality=97)

    for end in range(6, len(whole), 7):
        block = struct.pack(">H", end + 2) + whole[:end]
        cleaned = clean_jpeg(photo[:2] + b"\xff\xe1" + block + photo[2:])
        assert b"ICC_PROFILE" not in cleaned.data or end > len(whole) - 14


def test_the_picture_of_a_link_card_keeps_its_red() -> None:
    picture = Image.new("RGBA", (320, 320), RED_ON_A_MAC)

    card = as_jpeg([saved(picture, "PNG", icc_profile=P3)], 950_000)

    assert card is not None
    assert all(abs(a - b) <= 3 for a, b in zip(middle(card), (251, 25, 0), strict=True))


def test_a_profile_for_another_mode_is_left_aside(copies: Copies) -> None:
    photo = saved(Image.new("RGB", (320, 320), (10, 200, 30)), "PNG", icc_profile=grey_profile(1.8))

    assert all(
        abs(a - b) <= 3 for a, b in zip(middle(sent(copies, photo)), (10, 200, 30), strict=True)
    )


def test_an_editors_history_in_a_png_is_no_reason_to_refuse_it(copies: Copies) -> None:
    """W3C PNG 13.2: decoders pass by what is ancillary. The history is 3 MB once it is unpacked."""
    history = b"step " * 600_000
    text = b"history\0\1\0\0\0" + zlib.compress(history)
    chunk = struct.pack(">I", len(text)) + b"iTXt" + text
    chunk += struct.pack(">I", zlib.crc32(b"iTXt" + text))
    plain = saved(Image.new("RGB", (320, 320), (200, 60, 40)), "PNG")
    photo = plain[:33] + chunk + plain[33:]

    for platform in (P.INSTAGRAM, P.X):
        found = sent(copies, photo, platform)
        assert (200, 60, 40) == pytest.approx(middle(found), abs=3)
        assert b"history" not in found


def test_a_photo_for_print_is_known_at_its_upload() -> None:
    picture = Image.new("CMYK", (64, 64))
    found: Media = probed(saved(picture, "JPEG"))

    assert found.for_print
    assert not probed(saved(picture.convert("RGB"), "JPEG")).for_print
