"""A test account's picture: a PNG of 8 by 8 pixels in one colour (w3.org/TR/png-3)."""

import struct
import zlib

_SIDE = 8


def square_of(colour: bytes) -> bytes:
    """Return the picture of a colour, three bytes of red, green and blue."""
    rows = (b"\0" + colour * _SIDE) * _SIDE
    size = struct.pack(">IIBBBBB", _SIDE, _SIDE, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", size), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(map(_chunk, *zip(*chunks, strict=True)))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
