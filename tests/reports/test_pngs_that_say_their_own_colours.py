"""A PNG that says its colours by `cICP`, `cHRM` or `gAMA` came out pale, dull or too dark.

Infrawrench/schist#48 (an iPhone's HDR), imazen/jxl-encoder#71, danbooru/danbooru#2870,
AOMediaCodec/libavif#1139.
Right values: W3C PNG (Third Edition) 4.3 says what goes first, ITU-T H.273 what the numbers mean;
colours by zimg, the library of FFmpeg's `zscale`, and again in the oracle below.
"""

import io
import shutil
import struct
import subprocess
import zlib

import pytest
from PIL import Image, ImageCms

from chalicelib.connectors.shared.card_pictures import as_jpeg
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from tests.support.colour_profiles import DISPLAY_P3, rgb_profile
from tests.support.copies import Copies, probed

pytestmark = pytest.mark.costly

P = Platform
RED = (231, 60, 40)
GREY = (128, 128, 128)
PHOTOGRAPHED = [platform for platform in Platform if FACTS[platform].photos is not None]
SRGB_POINTS = (0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06)
P3_POINTS = (0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def cicp(*codes: int) -> bytes:
    return chunk(b"cICP", bytes(codes))


def gama(exponent: float) -> bytes:
    return chunk(b"gAMA", struct.pack(">I", round(exponent * 100_000)))


def chrm(points: tuple[float, ...]) -> bytes:
    return chunk(b"cHRM", struct.pack(">8I", *(round(point * 100_000) for point in points)))


def iccp(profile: bytes) -> bytes:
    return chunk(b"iCCP", b"a\0\0" + zlib.compress(profile))


def png(colour: tuple[int, ...], *chunks: bytes, mode: str = "RGB") -> bytes:
    out = io.BytesIO()
    picture = Image.new("RGB", (320, 320), colour)
    picture = picture.quantize(2) if mode == "P" else picture.convert(mode)
    picture.save(out, "PNG")
    plain = out.getvalue()
    return plain[:33] + b"".join(chunks) + plain[33:]


def middle(photo: bytes) -> tuple[int, ...]:
    with Image.open(io.BytesIO(photo)) as opened:
        found = opened.convert("RGB").getpixel((opened.width // 2, opened.height // 2))
    assert isinstance(found, tuple)
    return found


def sent(copies: Copies, photo: bytes, platform: Platform = P.INSTAGRAM) -> bytes:
    made = copies.sent(platform, photo)
    assert made is not None
    return made.data


def near(found: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    return all(abs(one - other) <= 3 for one, other in zip(found, wanted, strict=True))


@pytest.mark.parametrize(
    ("chunks", "colour"),
    [
        pytest.param((cicp(12, 13, 0, 1),), (251, 31, 13), id="Display P3 of iOS and macOS"),
        pytest.param((cicp(9, 13, 0, 1),), (255, 0, 14), id="BT.2020"),
        pytest.param((cicp(5, 5, 0, 1),), (230, 36, 17), id="PAL"),
        pytest.param((cicp(1, 8, 0, 1),), (245, 134, 110), id="linear, of a renderer"),
        pytest.param((cicp(11, 13, 0, 1),), (246, 32, 16), id="DCI P3 with a cinema's white"),
        pytest.param((cicp(1, 13, 0, 1), iccp(rgb_profile(DISPLAY_P3))), RED, id="before iCCP"),
        pytest.param((cicp(1, 1, 0, 1),), RED, id="BT.709 as it is shown"),
        pytest.param((chrm(P3_POINTS), gama(0.45455)), (251, 31, 13), id="cHRM of Display P3"),
        pytest.param((chrm(P3_POINTS),), (251, 31, 13), id="cHRM without gAMA"),
        pytest.param((gama(1.0),), (245, 134, 110), id="gAMA of light itself"),
        pytest.param((chrm(SRGB_POINTS), gama(0.45455)), RED, id="sRGB as ImageMagick writes it"),
        pytest.param((gama(0.45455),), RED, id="sRGB as PHP writes it"),
        pytest.param((chunk(b"sRGB", b"\0"), gama(1.0)), RED, id="sRGB before gAMA"),
        pytest.param(
            (iccp(rgb_profile(DISPLAY_P3)), gama(1.0)), (251, 25, 0), id="iCCP before gAMA"
        ),
    ],
)
def test_a_png_has_the_colours_that_it_says(
    copies: Copies, chunks: tuple[bytes, ...], colour: tuple[int, int, int]
) -> None:
    found = middle(sent(copies, png(RED, *chunks)))

    assert near(found, colour), found


@pytest.mark.parametrize("mode", ["RGBA", "P", "L"])
def test_so_it_has_whatever_its_mode_is(copies: Copies, mode: str) -> None:
    """Light itself, of a renderer: 128 of 255 is 188 in sRGB."""
    found = middle(sent(copies, png(GREY, gama(1.0), mode=mode)))

    assert near(found, (188,) * 3), found


@pytest.mark.parametrize(
    "chunks",
    [
        pytest.param((cicp(12, 13, 1, 1),), id="not of red, green and blue"),
        pytest.param((cicp(2, 2, 0, 1),), id="nothing said"),
        pytest.param((cicp(99, 99, 0, 1),), id="unknown numbers"),
        pytest.param((chunk(b"cICP", b"\x0c"),), id="a chunk too short"),
        pytest.param((gama(0),), id="no exponent"),
        pytest.param((gama(0.0001),), id="an exponent beyond all"),
        pytest.param((chrm((0,) * 8),), id="no primaries"),
        pytest.param((chrm((0.3, 0.3) * 4),), id="primaries in one place"),
    ],
)
def test_what_no_colours_can_mean_is_left_aside(copies: Copies, chunks: tuple[bytes, ...]) -> None:
    """H.273 and W3C PNG 13.2: a decoder passes by what it cannot understand."""
    assert near(middle(sent(copies, png(RED, *chunks))), RED)


def test_a_grey_of_another_gamma_is_as_bright_as_it_says(copies: Copies) -> None:
    """danbooru#2870: `gAMA` 0.551, an old Mac's: (128/255) ** (1/0.551) of light is 146 in sRGB."""
    assert near(middle(sent(copies, png(GREY, gama(0.551), mode="L"))), (146,) * 3)


def test_a_still_of_a_video_with_black_at_16_is_not_pale(copies: Copies) -> None:
    """H.273, 8.3: without the flag of the full range black is 16 and white is 235."""
    for number, shown in ((16, 0), (126, 128), (235, 255)):
        assert near(middle(sent(copies, png((number,) * 3, cicp(1, 1, 0, 0)))), (shown,) * 3)


@pytest.mark.parametrize("platform", PHOTOGRAPHED)
def test_an_hdr_screenshot_is_grey_fog_nowhere(copies: Copies, platform: Platform) -> None:
    """No platform's page says that its servers read `cICP`: white paper as in the next test."""
    photo = png((148,) * 3, cicp(9, 16, 0, 1))

    assert near(middle(sent(copies, photo, platform)), (244,) * 3)


@pytest.mark.parametrize(
    ("codes", "number", "shown"),
    [
        pytest.param((9, 16), 148, 244, id="PQ, white paper"),
        pytest.param((12, 16), 148, 244, id="PQ in Display P3"),
        pytest.param((9, 18), 191, 244, id="HLG, white paper"),
        pytest.param((9, 16), 0, 0, id="PQ, black"),
        pytest.param((9, 16), 200, 255, id="PQ, a lamp of 2,000 cd/m2"),
    ],
)
def test_hdr_is_as_bright_as_the_recommendation_says(
    copies: Copies, codes: tuple[int, int], number: int, shown: int
) -> None:
    """Report BT.2408: white paper is 58 % of PQ, 75 % of HLG; BT.2446-1 C shows 0.907 of it."""
    found = middle(sent(copies, png((number,) * 3, cicp(*codes, 0, 1))))

    assert near(found, (shown,) * 3), found
    assert max(found) - min(found) <= 2


def test_hdr_is_known_at_the_upload_and_other_pngs_go_as_they_are(copies: Copies) -> None:
    plain, lit = png(RED), png(RED, cicp(9, 16, 0, 1))

    assert (None, "pq") == (probed(plain).coding.light, probed(lit).coding.light)
    assert plain == sent(copies, plain, P.BLUESKY)


def test_a_profile_with_code_points_is_read_by_them(copies: Copies) -> None:
    """ICC.1:2022, 9.2.17: `cicp` says what no curve of a profile can."""
    plain = bytearray(rgb_profile(DISPLAY_P3))
    body = b"cicp" + bytes(4) + bytes((9, 16, 0, 1))
    place = plain.index(b"desc")
    plain[place : place + 12] = b"cicp" + struct.pack(">II", len(plain), len(body))
    plain += body
    plain[:4] = struct.pack(">I", len(plain))

    assert near(middle(sent(copies, png((148,) * 3, iccp(bytes(plain))))), (244,) * 3)


@pytest.mark.parametrize(
    ("chunk_", "colour"),
    [(cicp(12, 13, 0, 1), (251, 31, 13)), (gama(1.0), (245, 134, 110))],
    ids=["cICP", "gAMA"],
)
def test_the_picture_of_a_link_card_has_them_too(
    chunk_: bytes, colour: tuple[int, int, int]
) -> None:
    card = as_jpeg([png(RED, chunk_, mode="RGBA")], 950_000)

    assert card is not None
    assert near(middle(card), colour)


def test_a_profile_is_srgb_by_what_it_does_and_not_by_its_name(copies: Copies) -> None:
    """GIMP's and Elle Stone's linear profiles have "sRGB" in their names; Pillow's has it not."""
    linear = rgb_profile(
        ((0.43607, 0.22249, 0.01392), (0.38515, 0.71687, 0.09708), (0.14307, 0.06061, 0.7141)), 1.0
    )
    named = linear.replace("Made for a test".encode("utf-16-be")[:8], b"sRGB-g10")
    usual = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()

    assert near(middle(sent(copies, png(GREY, iccp(named)))), (188,) * 3)
    assert near(middle(sent(copies, png(GREY, iccp(usual)))), GREY)


COLOURS = ((231, 60, 40), (128, 128, 128), (60, 180, 90), (200, 60, 40), (30, 40, 120))
"""What is beyond sRGB is cut off by both."""


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("codes", "primaries", "transfer"),
    [
        ((12, 13), "smpte432", "iec61966-2-1"),
        ((11, 13), "smpte431", "iec61966-2-1"),
        ((9, 13), "bt2020", "iec61966-2-1"),
        ((6, 13), "smpte170m", "iec61966-2-1"),
        ((4, 4), "bt470m", "bt470m"),
        ((5, 5), "bt470bg", "bt470bg"),
        ((1, 8), "bt709", "linear"),
    ],
)
def test_colours_are_those_of_zimg(
    copies: Copies, codes: tuple[int, int], primaries: str, transfer: str
) -> None:
    program = shutil.which("ffmpeg")
    if program is None:
        pytest.fail("ffmpeg is not installed: apt-get install ffmpeg")
    said = f"pin={primaries}:tin={transfer}:min=gbr:rin=full:p=bt709:t=iec61966-2-1:m=gbr:r=full"
    for colour in COLOURS:
        asked = [program, "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "64x64"]
        asked += ["-i", "-", "-vf", f"format=gbrpf32le,zscale={said},format=rgb24"]
        asked += ["-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
        raw = bytes(colour) * 64 * 64
        shown = subprocess.run(asked, input=raw, capture_output=True, check=True, timeout=60).stdout

        found = middle(sent(copies, png(colour, cicp(*codes, 0, 1))))

        assert near(found, tuple(shown[-3:])), (colour, found, tuple(shown[-3:]))
