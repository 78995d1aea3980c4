"""What the numbers of a photo mean: by a profile, by code points, or by what a PNG says of itself.

W3C PNG Specification (Third Edition), section 4.3: `cICP` goes before `iCCP`, that before `sRGB`,
that before `cHRM` and `gAMA`; nothing of them means sRGB. A JPEG without a profile may say by EXIF
that it is in Adobe RGB. Code points are those of ITU-T H.273.
"""

from collections.abc import Mapping
from typing import BinaryIO, Final, Protocol

from PIL import Image

from chalicelib.kit.colours.exif_colours import profile_by_exif
from chalicelib.kit.colours.hdr_table import Source
from chalicelib.kit.colours.icc_profiles import SRGB_CURVE, Point, code_points, rgb_profile
from chalicelib.kit.dataclass import dataclass

_D65: Final[Point] = (0.3127, 0.3290)
_C: Final[Point] = (0.310, 0.316)
_SRGB_PRIMARIES: Final = ((0.640, 0.330), (0.300, 0.600), (0.150, 0.060))
_P3: Final = ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
_SMPTE_170M: Final = ((0.630, 0.340), (0.310, 0.595), (0.155, 0.070))
_PRIMARIES: Final[Mapping[int, tuple[Point, tuple[Point, Point, Point]]]] = {
    1: (_D65, _SRGB_PRIMARIES),
    4: (_C, ((0.67, 0.33), (0.21, 0.71), (0.14, 0.08))),
    5: (_D65, ((0.64, 0.33), (0.29, 0.60), (0.15, 0.06))),
    6: (_D65, _SMPTE_170M),
    7: (_D65, _SMPTE_170M),
    8: (_C, ((0.681, 0.319), (0.243, 0.692), (0.145, 0.049))),
    9: (_D65, ((0.708, 0.292), (0.170, 0.797), (0.131, 0.046))),
    10: ((1 / 3, 1 / 3), ((1.0, 0.0), (0.0, 1.0), (0.0, 0.0))),
    11: ((0.314, 0.351), _P3),
    12: (_D65, _P3),
    22: (_D65, ((0.630, 0.340), (0.295, 0.605), (0.155, 0.077))),
}
"""White, red, green and blue by table 2 of H.273."""
_CURVES: Final[Mapping[int, float]] = {
    **dict.fromkeys((1, 6, 7, 11, 12, 13, 14, 15), SRGB_CURVE),
    4: 2.2,
    5: 2.8,
    8: 1.0,
    17: 2.6,
}
"""Table 3: those of television are shown as screens show sRGB, as players and browsers do."""
_LIGHTS: Final = {16: "pq", 18: "hlg"}
_LIT_PRIMARIES: Final = {1: "bt709", 9: "bt2020", 11: "p3", 12: "p3"}
_RED_GREEN_BLUE: Final = 0
_USUAL_GAMMA: Final = 1 / 2.2
_SAME_GAMMA: Final = 0.05
"""What programs that mean sRGB write as `gAMA`; libpng, too, passes by less than 5 %."""
_SAME_POINT: Final = 0.001
_MOST_CHUNKS: Final = 1_024
_FIRST_CHUNK: Final = 8
_AROUND: Final = 12


class _Reads(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...

    def seek(self, offset: int, whence: int = 0, /) -> int: ...

    def tell(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Meaning:
    """A profile, or the light of HDR; sRGB with neither. `is_narrow`: black is 16, white is 235."""

    profile: bytes | None = None
    light: Source | None = None
    is_narrow: bool = False


def meaning_of(photo: Image.Image, file: BinaryIO | _Reads) -> Meaning:
    """Return what the numbers of an open photo mean; the place in its file stays as it is."""
    meaning = meaning_by(photo.info, _code_points(file) if photo.format == "PNG" else b"")
    if photo.format != "JPEG" or photo.mode != "RGB" or "icc_profile" in photo.info:
        return meaning
    return Meaning(profile_by_exif(photo.info.get("exif", b"")) or None)


def meaning_by(info: Mapping[str | tuple[int, int], object], codes: bytes) -> Meaning:
    """Return what numbers mean by Pillow's `info` of a photo and the four bytes of its `cICP`."""
    told = _by_codes(codes)
    if told is not None:
        return told
    profile = info.get("icc_profile")
    if isinstance(profile, bytes):
        lit = _by_codes(code_points(profile))
        return Meaning(profile) if lit is None or lit.light is None else lit
    if "srgb" in info:
        return Meaning()
    return Meaning(_by_numbers(info.get("chromaticity"), info.get("gamma")))


def _by_codes(codes: bytes) -> Meaning | None:
    """Return what code points mean, None where they are none of colours that we know."""
    if len(codes) != 4 or codes[2] != _RED_GREEN_BLUE:  # noqa: PLR2004 - primaries, curve, matrix, range
        return None
    primaries, curve, _, is_full = codes
    if curve in _LIGHTS:
        lit = _LIT_PRIMARIES.get(primaries)
        return None if lit is None else Meaning(None, Source(_LIGHTS[curve], lit), not is_full)
    if primaries not in _PRIMARIES or curve not in _CURVES:
        return None
    is_srgb = primaries == 1 and _CURVES[curve] == SRGB_CURVE
    white, points = _PRIMARIES[primaries]
    profile = None if is_srgb else rgb_profile(white, points, _CURVES[curve])
    return Meaning(profile, None, not is_full)


def _by_numbers(chromaticity: object, gamma: object) -> bytes | None:
    """Return a profile by what `cHRM` and `gAMA` say, None where that is sRGB or impossible."""
    white, points, exponent = _D65, _SRGB_PRIMARIES, SRGB_CURVE
    if isinstance(chromaticity, tuple) and len(chromaticity) == 8:  # noqa: PLR2004 - x and y of four
        wx, wy, rx, ry, gx, gy, bx, by = chromaticity
        white, points = (wx, wy), ((rx, ry), (gx, gy), (bx, by))
    if isinstance(gamma, float) and gamma > 0 and abs(gamma / _USUAL_GAMMA - 1) > _SAME_GAMMA:
        exponent = 1 / gamma
    if exponent == SRGB_CURVE and _is_near((white, *points), (_D65, *_SRGB_PRIMARIES)):
        return None
    return rgb_profile(white, points, exponent)


def _is_near(points: tuple[Point, ...], others: tuple[Point, ...]) -> bool:
    return all(
        abs(one - other) <= _SAME_POINT
        for point, usual in zip(points, others, strict=True)
        for one, other in zip(point, usual, strict=True)
    )


def _code_points(file: BinaryIO | _Reads) -> bytes:
    """Return what is in the `cICP` chunk of a PNG, before its pixels; b"" without any."""
    place, at = file.tell(), _FIRST_CHUNK
    try:
        for _ in range(_MOST_CHUNKS):
            file.seek(at)
            head = file.read(_AROUND)
            if len(head) < _AROUND or head[4:8] == b"IDAT":
                break
            length = int.from_bytes(head[:4])
            if head[4:8] == b"cICP":
                return head[8:12] if length == 4 else b""  # noqa: PLR2004 - as long as it must be
            at += length + _AROUND
        return b""
    finally:
        file.seek(place)
