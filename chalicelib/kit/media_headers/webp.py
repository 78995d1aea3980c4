"""WebP photos: lossy, lossless and extended (animation, transparency, EXIF) headers.

The container says how long the file must be, so a truncated one is refused at once.
RFC 9649 sections 2 and 3.
"""

import struct
from collections.abc import Iterator

from chalicelib.kit.media_headers.exif import is_on_its_side
from chalicelib.kit.media_headers.ranged_file import RangedFile, damage_error

_MOST_CHUNKS = 4096
_READS_FOR_EXIF = 16
_LARGEST_EXIF = 1024 * 1024
_FIRST_CHUNK = 12
_HAS_EXIF, _IS_ANIMATED = 0x08, 0x02
_LOSSY_START = b"\x9d\x01\x2a"
_LOSSLESS_START = 0x2F
_PICTURES = frozenset({b"VP8 ", b"VP8L", b"ANMF"})


def read_webp(file: RangedFile) -> tuple[int, int]:
    """Return width and height as displayed. Raises UnreadableError."""
    if int.from_bytes(file.take(4, 4), "little") + 8 > file.size:
        raise damage_error("it is cut short")
    kind = file.take(_FIRST_CHUNK, 4)
    if kind == b"VP8L":
        return _lossless_size(file.take(_FIRST_CHUNK + 8, 5))
    head = file.take(_FIRST_CHUNK + 8, 10)
    if kind == b"VP8 ":
        return _lossy_size(head)
    width = int.from_bytes(head[4:7], "little") + 1
    height = int.from_bytes(head[7:10], "little") + 1
    turned = _is_turned(file, looks_for_exif=bool(head[0] & _HAS_EXIF))
    return (height, width) if turned else (width, height)


def is_animated_webp(file: RangedFile) -> bool:
    """Tell whether the header announces an animation."""
    is_extended = file.take(_FIRST_CHUNK, 4) == b"VP8X"
    return is_extended and bool(file.take(_FIRST_CHUNK + 8, 1)[0] & _IS_ANIMATED)


def _lossy_size(head: bytes) -> tuple[int, int]:
    if head[3:6] != _LOSSY_START:
        raise damage_error("its picture is missing")
    width, height = struct.unpack_from("<HH", head, 6)
    return width & 0x3FFF, height & 0x3FFF


def _lossless_size(head: bytes) -> tuple[int, int]:
    if head[0] != _LOSSLESS_START:
        raise damage_error("its picture is missing")
    packed = int.from_bytes(head[1:5], "little")
    return (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1


def _is_turned(file: RangedFile, *, looks_for_exif: bool) -> bool:
    """Tell whether EXIF after the picture turns it. Raises UnreadableError without a picture."""
    has_picture = False
    for kind, at, length in _chunks(file):
        if kind == b"EXIF" and length <= _LARGEST_EXIF:
            return has_picture and is_on_its_side(file.take(at, length))
        has_picture = has_picture or kind in _PICTURES
        if has_picture and (not looks_for_exif or file.reads > _READS_FOR_EXIF):
            return False
    if not has_picture:
        raise damage_error("its picture is missing")
    return False


def _chunks(file: RangedFile) -> Iterator[tuple[bytes, int, int]]:
    at = _FIRST_CHUNK
    for _ in range(_MOST_CHUNKS):
        if at + 8 > file.size:
            return
        kind, length = struct.unpack("<4sI", file.take(at, 8))
        yield kind, at + 8, length
        at += 8 + length + length % 2
