"""ICC profiles written for colours that a file only names or tells by numbers, and one tag of them.

ICC.1:2022: a matrix and one curve (section 8.3), adapted to D50 as its annex E says (Bradford), or
a table (section 10.10) for the light of HDR.
"""

import struct
import sys
from array import array
from collections.abc import Sequence
from functools import cache
from typing import Final

from chalicelib.kit.colours.hdr_table import STEPS, Source, Triple, light_steps

Point = tuple[float, float]
SRGB_CURVE: Final = 0.0
"""In the place of an exponent: the curve of IEC 61966-2-1."""

_D50: Final = (0.9642, 1.0, 0.8249)
_BRADFORD: Final = (
    (0.8951, 0.2664, -0.1614),
    (-0.7502, 1.7135, 0.0367),
    (0.0389, -0.0685, 1.0296),
)
_SRGB: Final = (2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
_HEADER: Final = 128
_ENTRY: Final = 12
_MOST_TAGS: Final = 256
_MOST_EXPONENT: Final = 16.0
_NOTHING: Final = 1e-6
_SRGB_COLUMNS: Final = (
    (0.43607, 0.22249, 0.01392),
    (0.38515, 0.71687, 0.09708),
    (0.14307, 0.06061, 0.71410),
)
_GAMMA: Final = 2.4
_FULL: Final = 65_535
_ONE: Final = 32_768
"""1.0 of X, Y and Z in a table."""
_CURVE_STEPS: Final = 4_096
_V2, _V4 = 0x02400000, 0x04400000
"""Black of a table of version 4 is that of paper: ICC.1:2022 section 6.3.3."""


def rgb_profile(white: Point, primaries: Sequence[Point], exponent: float) -> bytes | None:
    """Return the profile of colours told by x and y; None where no colours can have such numbers.

    Numbers stand for light by one exponent, or by `SRGB_CURVE`.
    """
    columns = _columns(white, primaries)
    if columns is None or not 0 <= exponent <= _MOST_EXPONENT:
        return None
    tags = [(b"desc", _text("RGB")), (b"cprt", _text("CC0")), (b"wtpt", _xyz(_D50))]
    names = (b"rXYZ", b"gXYZ", b"bXYZ")
    tags += [(name, _xyz(column)) for name, column in zip(names, columns, strict=True)]
    curve = _curve(exponent)
    tags += [(name, curve) for name in (b"rTRC", b"gTRC", b"bTRC")]
    return _profile_of(tags, _V4)


@cache
def light_profile(light: Source) -> bytes:
    """Return the profile of HDR as usual screens show it; it is for turning photos, not to keep."""
    numbers = array("H", (0, _FULL) * 3)
    for shares in light_steps(light):
        for row in zip(*_SRGB_COLUMNS, strict=True):
            seen = sum(factor * share for factor, share in zip(row, shares, strict=True))
            numbers.append(round(_FULL * min(1.0, max(0.0, seen)) ** (1 / _GAMMA)))
    powers = [round(_ONE * (step / (_CURVE_STEPS - 1)) ** _GAMMA) for step in range(_CURVE_STEPS)]
    numbers.extend(powers * 3)
    if sys.byteorder == "little":
        numbers.byteswap()
    same = b"".join(map(_fixed_point, (1, 0, 0, 0, 1, 0, 0, 0, 1)))
    head = b"mft2" + bytes(4) + bytes((3, 3, STEPS, 0)) + same + struct.pack(">HH", 2, _CURVE_STEPS)
    return _profile_of([(b"wtpt", _xyz(_D50)), (b"A2B0", head + numbers.tobytes())], _V2)


def code_points(profile: bytes) -> bytes:
    """Return the four code points of ITU-T H.273 that a profile names (`cicp`), b"" without any."""
    count = min(int.from_bytes(profile[_HEADER : _HEADER + 4]), _MOST_TAGS)
    for number in range(count):
        tag = profile[_HEADER + 4 + number * _ENTRY :][:_ENTRY]
        if tag[:4] == b"cicp":
            start = int.from_bytes(tag[4:8])
            body = profile[start : start + 12]
            return body[8:] if body[:4] == b"cicp" else b""
    return b""


def _columns(white: Point, primaries: Sequence[Point]) -> list[Triple] | None:
    """Return X, Y and Z of each primary, as seen where D50 is white."""
    if white[1] <= 0:
        return None
    lit = (white[0] / white[1], 1.0, (1 - white[0] - white[1]) / white[1])
    rays = [(x, y, 1 - x - y) for x, y in primaries]
    shares = _solve(rays, lit)
    cones, wanted = _cone_responses(lit), _cone_responses(_D50)
    if shares is None or min(abs(cone) for cone in cones) < _NOTHING:
        return None
    columns = []
    for ray, share in zip(rays, shares, strict=True):
        adapted = [
            cone * share * to / now
            for cone, to, now in zip(_cone_responses(ray), wanted, cones, strict=True)
        ]
        column = _solve(list(zip(*_BRADFORD, strict=True)), adapted)
        if column is None:
            return None
        columns.append(column)
    return columns


def _cone_responses(light: Sequence[float]) -> Triple:
    first, second, third = (
        sum(factor * value for factor, value in zip(row, light, strict=True)) for row in _BRADFORD
    )
    return first, second, third


def _solve(columns: Sequence[Sequence[float]], wanted: Sequence[float]) -> Triple | None:
    """Return how much of each column makes what is wanted (Cramer's rule)."""
    whole = _determinant(columns)
    if abs(whole) < _NOTHING:
        return None
    first, second, third = (
        _determinant([*columns[:place], wanted, *columns[place + 1 :]]) / whole
        for place in range(3)
    )
    return first, second, third


def _determinant(columns: Sequence[Sequence[float]]) -> float:
    (a, b, c), (d, e, f), (g, h, i) = columns
    return a * (e * i - f * h) - d * (b * i - c * h) + g * (b * f - c * e)


def _xyz(column: Triple) -> bytes:
    return b"XYZ " + bytes(4) + b"".join(map(_fixed_point, column))


def _curve(exponent: float) -> bytes:
    kind, numbers = (3, _SRGB) if exponent == SRGB_CURVE else (0, (exponent,))
    return b"para" + bytes(4) + struct.pack(">HH", kind, 0) + b"".join(map(_fixed_point, numbers))


def _text(words: str) -> bytes:
    wide = b"".join(ord(sign).to_bytes(2) for sign in words)  # a codec is a file to open
    return b"mluc" + bytes(4) + struct.pack(">II2s2sII", 1, 12, b"en", b"US", len(wide), 28) + wide


def _fixed_point(value: float) -> bytes:
    return struct.pack(">i", round(value * 65_536))


def _profile_of(tags: list[tuple[bytes, bytes]], version: int) -> bytes:
    at = _HEADER + 4 + _ENTRY * len(tags)
    table, bodies = struct.pack(">I", len(tags)), b""
    for name, body in tags:
        table += name + struct.pack(">II", at + len(bodies), len(body))
        bodies += body + bytes(-len(body) % 4)
    size = at + len(bodies)
    head = struct.pack(">I4sI4s4s4s", size, bytes(4), version, b"mntr", b"RGB ", b"XYZ ")
    head += struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + b"acsp" + bytes(28)
    head += b"".join(map(_fixed_point, _D50))
    return head + bytes(_HEADER - len(head)) + table + bodies
