"""PNG photos: size, rotation (`eXIf`), transfer function (`cICP`), animation (`acTL`), end marker.

A truncated file lacks the end marker. Chunks are read up to the picture's data; what follows it is
searched for near the end of the file. W3C PNG Specification, sections 5 and 11.
"""

import struct
import zlib

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.media_headers.exif import is_on_its_side
from chalicelib.kit.media_headers.ranged_file import RangedFile, damage_error

_MOST_CHUNKS = 1024
_LARGEST_EXIF = 1024 * 1024
_TAIL_BYTES = 128 * 1024
_SIGNATURE_BYTES = 8
_AROUND = 12
_CODE_POINTS = 4
_END_CHUNK = b"\0\0\0\0IEND\xaeB`\x82"
_DEPTHS = {0: {1, 2, 4, 8, 16}, 2: {8, 16}, 3: {1, 2, 4, 8}, 4: {8, 16}, 6: {8, 16}}


@dataclass(frozen=True, slots=True)
class Png:
    """Width and height as displayed; `transfer` is the number of H.273's transfer function."""

    width: int
    height: int
    transfer: int | None = None
    is_animated: bool = False


def read_png(file: RangedFile) -> Png:
    """Return what a file's headers say. Raises UnreadableError."""
    header = _chunk(file, _SIGNATURE_BYTES, 13)
    width, height, depth, colours = struct.unpack_from(">IIBB", header)
    if depth not in _DEPTHS.get(colours, set()):
        raise damage_error("its header is wrong")
    start, tail = file.tail(_TAIL_BYTES)
    if _END_CHUNK not in tail:
        raise damage_error("it is cut short")
    turned, transfer, is_animated = _read_before_picture(file)
    if turned or _is_turned_after_picture(file, start, tail):
        width, height = height, width
    return Png(width, height, transfer, is_animated)


def _chunk(file: RangedFile, at: int, length: int) -> bytes:
    """Return a chunk's data. Raises UnreadableError if its checksum is wrong."""
    chunk = file.take(at, length + _AROUND)
    if zlib.crc32(chunk[4:-4]) != int.from_bytes(chunk[-4:]):
        raise damage_error("its header is wrong")
    return chunk[8:-4]


def _read_before_picture(file: RangedFile) -> tuple[bool, int | None, bool]:
    """Return rotation, transfer function and animation from the chunks before the picture."""
    at, turned, transfer, is_animated = _SIGNATURE_BYTES, False, None, False
    for _ in range(_MOST_CHUNKS):
        length, kind = struct.unpack(">I4s", file.take(at, 8))
        if kind == b"IDAT":
            return turned, transfer, is_animated
        if kind == b"cICP" and length == _CODE_POINTS:
            transfer = _chunk(file, at, length)[1]
        is_animated = is_animated or kind == b"acTL"
        if kind == b"eXIf" and length <= _LARGEST_EXIF:
            turned = is_on_its_side(_chunk(file, at, length))
        at += length + _AROUND
    raise damage_error("it has too many parts")


def _is_turned_after_picture(file: RangedFile, start: int, tail: bytes) -> bool:
    found = tail.rfind(b"eXIf")
    if found < 4:  # noqa: PLR2004 - its length stands before it
        return False
    length = int.from_bytes(tail[found - 4 : found])
    if length > len(tail) - found - 8:
        return False
    chunk = file.take(start + found - 4, length + _AROUND)
    intact = zlib.crc32(chunk[4:-4]) == int.from_bytes(chunk[-4:])
    return intact and is_on_its_side(chunk[8:-4])
