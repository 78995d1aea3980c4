"""Colour profiles as cameras, screens and programs write them: matrix and curve, or grey.

ICC.1:2022 sections 7 and 9.2; the numbers of the primaries are those of each space, adapted to D50.
"""

import struct

Column = tuple[float, float, float]
D50: Column = (0.9642, 1.0, 0.8249)
DISPLAY_P3 = (
    (0.51512, 0.24120, -0.00105),
    (0.29198, 0.69225, 0.04189),
    (0.15710, 0.06657, 0.78407),
)
ADOBE_RGB = ((0.60974, 0.31111, 0.01947), (0.20528, 0.62567, 0.06087), (0.14919, 0.06322, 0.74457))
PROPHOTO = ((0.79767, 0.28803, 0.0), (0.13519, 0.71188, 0.0), (0.03133, 0.00009, 0.82491))


def rgb_profile(columns: tuple[Column, Column, Column], gamma: float = 2.2) -> bytes:
    """Return the profile of a space with these primaries and one curve."""
    tags = [(b"wtpt", _xyz(D50)), (b"desc", _text(b"Made for a test"))]
    tags += [
        (name, _xyz(one)) for name, one in zip((b"rXYZ", b"gXYZ", b"bXYZ"), columns, strict=True)
    ]
    tags += [(name, _curve(gamma)) for name in (b"rTRC", b"gTRC", b"bTRC")]
    return _profile(b"RGB ", tags)


def grey_profile(gamma: float) -> bytes:
    """Return the profile of greys with a curve."""
    tags = [(b"wtpt", _xyz(D50)), (b"desc", _text(b"Made for a test")), (b"kTRC", _curve(gamma))]
    return _profile(b"GRAY", tags)


def _fixed(value: float) -> bytes:
    return struct.pack(">i", round(value * 65_536))


def _xyz(column: Column) -> bytes:
    return b"XYZ " + bytes(4) + b"".join(map(_fixed, column))


def _curve(gamma: float) -> bytes:
    return b"para" + bytes(4) + struct.pack(">HH", 0, 0) + _fixed(gamma)


def _text(words: bytes) -> bytes:
    wide = words.decode().encode("utf-16-be")
    return b"mluc" + bytes(4) + struct.pack(">II2s2sII", 1, 12, b"en", b"US", len(wide), 28) + wide


def _profile(space: bytes, tags: list[tuple[bytes, bytes]]) -> bytes:
    at = 128 + 4 + 12 * len(tags)
    table, bodies = struct.pack(">I", len(tags)), b""
    for name, body in tags:
        table += name + struct.pack(">II", at + len(bodies), len(body))
        bodies += body + bytes(-len(body) % 4)
    size = at + len(bodies)
    head = struct.pack(">I4sI4s4s4s", size, b"test", 0x04000000, b"mntr", space, b"XYZ ")
    head += (
        struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + b"acsp" + bytes(28) + b"".join(map(_fixed, D50))
    )
    return head + bytes(128 - len(head)) + table + bodies
