"""Photos by the device or program whose way of writing them they have, and why that is worth a try.

Each shows the same four fields of colour upright, whatever its file says of turning and colours.
"""

import io
import struct
import zlib
from collections.abc import Callable, Mapping
from typing import Final

from PIL import Image, ImageCms
from PIL.PngImagePlugin import PngInfo

from tests.support.colour_profiles import ADOBE_RGB, DISPLAY_P3, PROPHOTO, rgb_profile

SIZE: Final = (640, 480)
FIELDS: Final = ((196, 64, 54), (66, 150, 84), (60, 86, 172), (128, 128, 128))
"""Left above, right above, left below, right below, in sRGB."""

_T = Image.Transpose
_UNTURNED: Final = {
    1: None,
    2: _T.FLIP_LEFT_RIGHT,
    3: _T.ROTATE_180,
    4: _T.FLIP_TOP_BOTTOM,
    5: _T.TRANSPOSE,
    6: _T.ROTATE_90,
    7: _T.TRANSVERSE,
    8: _T.ROTATE_270,
}
"""How pixels lie in the file for each orientation of EXIF (CIPA DC-008, 4.6.5)."""

_ORIENTATION, _MAKE, _MODEL, _GPS, _EXIF = 0x0112, 0x010F, 0x0110, 0x8825, 0x8769
_P3, _ADOBE, _PROPHOTO = map(rgb_profile, (DISPLAY_P3, ADOBE_RGB, PROPHOTO))
_XMP: Final = (
    b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-'
    b'syntax-ns#"><rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/"'
    b' xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" hdrgm:Version="1.0"'
    b' photoshop:City="Nowhere"/></rdf:RDF></x:xmpmeta>'
)


def upright(mode: str = "RGB") -> Image.Image:
    """Return the picture as everybody is to see it."""
    picture = Image.new("RGB", SIZE)
    half = (SIZE[0] // 2, SIZE[1] // 2)
    for place, colour in enumerate(FIELDS):
        left, top = place % 2 * half[0], place // 2 * half[1]
        picture.paste(colour, (left, top, left + half[0], top + half[1]))
    return picture if mode == "RGB" else picture.convert(mode)


def _saved(picture: Image.Image, kind: str = "JPEG", **how: object) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **({"quality": 95, "subsampling": 0} if kind == "JPEG" else {}) | how)
    return out.getvalue()


def _exif(orientation: int = 1, *, little: bool = False, notes: int = 0) -> bytes:
    """Return EXIF of a phone: where, when, by what and how held."""
    exif = Image.Exif()
    exif.endian = "<" if little else ">"
    exif[_ORIENTATION], exif[_MAKE], exif[_MODEL] = orientation, "Nobody", "Phone 1"
    exif[_GPS] = {1: "N", 2: (47.0, 22.0, 3.0), 3: "E", 4: (8.0, 32.0, 1.0)}
    if notes:
        exif[_EXIF] = {0x927C: b"Notes\x00" * (notes // 6), 0xA431: "SN-0815"}
    return exif.tobytes()


def _held(orientation: int) -> Callable[[], bytes]:
    """Return a maker of a photo by a phone that was held like that."""

    def make() -> bytes:
        turn = _UNTURNED[orientation]
        picture = upright() if turn is None else upright().transpose(turn)
        return _saved(picture, exif=_exif(orientation))

    return make


def _in(profile: bytes, kind: str = "JPEG", mode: str = "RGB") -> Callable[[], bytes]:
    """Return a maker of a photo whose numbers mean colours of another space."""

    def make() -> bytes:
        space = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        turned = ImageCms.profileToProfile(
            upright(), ImageCms.createProfile("sRGB"), space, outputMode="RGB"
        )
        assert turned is not None
        return _saved(turned.convert(mode), kind, icc_profile=profile)

    return make


def _with_segment(marker: int, body: bytes) -> Callable[[], bytes]:
    """Return a maker of a JPEG with one more segment at its beginning."""

    def make() -> bytes:
        photo = _saved(upright())
        segment = b"\xff" + bytes((marker,)) + struct.pack(">H", len(body) + 2) + body
        return photo[:2] + segment + photo[2:]

    return make


def _before(tail: Callable[[], bytes]) -> Callable[[], bytes]:
    return lambda: _held(1)() + tail()


def _several() -> bytes:
    """Return two pictures in one file, as phones keep a depth or a gain map behind the first."""
    return _saved(upright(), "MPO", save_all=True, append_images=[upright("L").convert("RGB")])


def _png(depth: int, colour: int, row: bytes, *chunks: tuple[bytes, bytes]) -> bytes:
    """Return a PNG of equal rows, which Pillow does not write itself."""
    head = struct.pack(">IIBBBBB", *SIZE, depth, colour, 0, 0, 0)
    parts = [(b"IHDR", head), *chunks, (b"IDAT", zlib.compress(row)), (b"IEND", b"")]
    made = (
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(made)


def _sixteen_bits() -> bytes:
    """Return the picture in 16 bits a channel, as raw converters export it."""
    half = SIZE[0] // 2

    def line(left: tuple[int, ...], right: tuple[int, ...]) -> bytes:
        wide = [b"".join(bytes((v, v)) for v in colour) * half for colour in (left, right)]
        return b"\x00" + b"".join(wide)

    above, below = line(*FIELDS[:2]), line(*FIELDS[2:])
    half_height = SIZE[1] // 2
    return _png(16, 2, above * half_height + below * half_height)


def _photoshop() -> bytes:
    """Return what Photoshop keeps beside a picture: a city (IPTC 2:90)."""
    iptc = b"\x1c\x02\x5a" + struct.pack(">H", 7) + b"Nowhere"
    block = b"8BIM\x04\x04\x00\x00" + struct.pack(">I", len(iptc)) + iptc
    return b"Photoshop 3.0\x00" + block


def _texts() -> PngInfo:
    found = PngInfo()
    found.add_itxt("XML:com.adobe.xmp", _XMP.decode())
    found.add_text("Location", "Nowhere")
    return found


PHOTOS: Final[Mapping[str, Callable[[], bytes]]] = {
    **{f"phone, orientation {one}": _held(one) for one in range(1, 9)},
    "iPhone, wide colours": _in(_P3),
    "iPhone, a depth map behind": _several,
    "Pixel, a gain map told in XMP": _with_segment(
        0xE1, b"http://ns.adobe.com/xap/1.0/\x00" + _XMP
    ),
    "Pixel, a gain map behind": _before(lambda: _saved(upright("L"))),
    "Galaxy, its own trailer": _before(
        lambda: b"\x00\x00\x01\x0aName" + b"SEFH" + bytes(16) + struct.pack("<I", 20) + b"SEFT"
    ),
    "phone, zeros behind": _before(lambda: bytes(4_096)),
    "camera, little-endian": lambda: _saved(upright(), exif=_exif(little=True)),
    "camera, long notes of its maker": lambda: _saved(upright(), exif=_exif(notes=60_000)),
    "camera, Adobe RGB": _in(_ADOBE),
    "camera, black and white": lambda: _saved(
        Image.merge("RGB", [upright("L")] * 3).convert("L"), exif=_exif()
    ),
    "raw converter, ProPhoto": _in(_PROPHOTO),
    "raw converter, 16 bits": _sixteen_bits,
    "editor, progressive": lambda: _saved(upright(), progressive=True),
    "editor, restart marks": lambda: _saved(upright(), restart_marker_rows=1),
    "editor, coarse colours": lambda: _saved(upright(), subsampling=2),
    "Photoshop, a city": _with_segment(0xED, _photoshop()),
    "Photoshop, a comment": _with_segment(0xFE, b"Made by Nobody at Nowhere"),
    "print shop, CMYK": lambda: _saved(upright("CMYK")),
    "Mac, a screenshot": _in(_P3, "PNG"),
    "Mac, a window with its shadow": _in(_P3, "PNG", "RGBA"),
    "Windows, a screenshot": lambda: _saved(upright("RGBA"), "PNG"),
    "scanner, few colours": lambda: _saved(upright().quantize(4), "PNG"),
    "web, turned in a PNG": lambda: _saved(upright().transpose(_T.ROTATE_90), "PNG", exif=_exif(6)),
    "web, texts in a PNG": lambda: _saved(upright(), "PNG", pnginfo=_texts()),
    "web, WebP": lambda: _saved(upright(), "WEBP", quality=95),
    "web, WebP without loss, placed": lambda: _saved(
        upright(), "WEBP", lossless=True, exif=_exif()
    ),
    "web, WebP in wide colours": _in(_P3, "WEBP"),
}
GREY: Final = frozenset({"camera, black and white"})
