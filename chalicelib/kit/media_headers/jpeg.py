"""JPEG photos: size and coding from the frame header, rotation from EXIF, and a check for the end.

The segments before the picture are read; the picture itself is only searched for its end, so that a
truncated photo is refused. ITU-T T.81 annex B. Bytes between segments, which some editors and
phones leave there, are skipped, as libjpeg and so most programs do.
"""

import re
from collections.abc import Iterator
from typing import Final

from chalicelib.kit.media_headers.exif import EXIF_PREFIX, is_on_its_side
from chalicelib.kit.media_headers.ranged_file import RangedFile, UnreadableError, damage_error

_MOST_SEGMENTS = 4096
_FEW_BYTES, MOST_STRAY_BYTES = 64, 65_536
_MARKER: Final = re.compile(rb"\xff[^\x00\xff]")
_APP1, _START_OF_SCAN, _END = 0xE1, 0xDA, 0xD9
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_USUAL = frozenset({0xC0, 0xC1, 0xC2})
"""Baseline, extended and progressive, coded by Huffman: all that browsers and platforms read."""
_DECODED = _USUAL | {0xC9, 0xCA}
"""libjpeg decodes arithmetic coding, too; what is lossless only in full size, the rest never."""
_PROGRESSIVE = frozenset({0xC2, 0xCA})
_FRAME_BYTES, _BITS, _BANDS = 6, 8, frozenset({1, 3, 4})
_ODD = (
    "This JPG is coded as few programs read it, such as lossless or with 12 bits a colour. Save it "
    "again as a usual JPG, of 8 bits, baseline or progressive, or as PNG."
)
_WITHOUT_LENGTH = frozenset({0x01, *range(0xD0, 0xD9)})
_END_MARK = b"\xff\xd9"
_SCAN_MARK = b"\xff\xda"
_MOST_SCANS = 100
"""Cameras and tools make ten. Decoding each goes through the whole picture, even if it is empty."""

_MOST_SEARCHED = 64 * 1024 * 1024
_TAIL_BYTES = 64 * 1024
_SEARCH_BYTES = 1024 * 1024


def read_jpeg(file: RangedFile) -> tuple[int, int]:
    """Return width and height as displayed. Raises UnreadableError."""
    size: tuple[int, int] | None = None
    turned = is_progressive = False
    for marker, at, length in _segments(file):
        if marker in _FRAMES and size is None:
            size = _frame_size(marker, file.take(at, length))
            is_progressive = marker in _PROGRESSIVE
        elif marker == _APP1 and file.take(at, min(length, 6)) == EXIF_PREFIX:
            turned = turned or is_on_its_side(file.take(at, length))
        elif marker == _START_OF_SCAN:
            _check_end(file, at + length)
            if is_progressive:
                _check_scans(file, at + length)
    if size is None:
        raise damage_error("its picture has no size")
    return size[::-1] if turned else size


def is_for_screens(file: RangedFile) -> bool:
    """Tell whether browsers read a photo that `read_jpeg` accepted.

    They read no arithmetic coding, and four colours, as for print (CMYK), each in its own way.
    """
    frames = ((mark, at, length) for mark, at, length in _segments(file) if mark in _FRAMES)
    marker, at, length = next(frames)
    return marker in _USUAL and file.take(at, length)[5:6] != b"\4"


def _segments(file: RangedFile) -> Iterator[tuple[int, int, int]]:
    """Yield (marker, payload offset, payload length) up to the first scan."""
    at = 2
    for _ in range(_MOST_SEGMENTS):
        marker, at = _marker(file, at)
        if marker in _WITHOUT_LENGTH:
            continue
        length = int.from_bytes(file.take(at, 2))
        if marker == _END or length < 2:  # noqa: PLR2004 - the length counts itself
            raise damage_error("its picture is missing")
        yield marker, at + 2, length - 2
        if marker == _START_OF_SCAN:
            return
        at += length
    raise damage_error("it has too many parts")


def _marker(file: RangedFile, at: int) -> tuple[int, int]:
    """Return the next marker and where it ends."""
    for most in (_FEW_BYTES, MOST_STRAY_BYTES):
        found = find_marker(file.upto(at, most))
        if found is not None:
            return found[0], at + found[1]
    raise damage_error("its parts do not follow each other")


def find_marker(data: bytes | memoryview) -> tuple[int, int] | None:
    """Return the first marker and where it ends, None without one; FF 00 and FF FF are none."""
    found = _MARKER.search(data)
    return None if found is None else (data[found.end() - 1], found.end())


def _frame_size(marker: int, frame: bytes) -> tuple[int, int]:
    """Return width and height, from precision, height, width and components."""
    if len(frame) < _FRAME_BYTES:
        raise damage_error("its picture has no size")
    if marker not in _DECODED or frame[0] != _BITS or frame[5] not in _BANDS:
        raise UnreadableError(_ODD)
    return int.from_bytes(frame[3:5]), int.from_bytes(frame[1:3])


def _check_end(file: RangedFile, scan: int) -> None:
    """Check that an end marker follows the scan. Raises UnreadableError.

    It is nearly always at the very end of the file. A motion photo has a video after it, so then
    the scan is searched from its start, where FF D9 can be nothing else.
    """
    start, tail = file.tail(min(_TAIL_BYTES, file.size - scan))
    if _END_MARK in tail:
        return
    at = scan
    while at < start:
        if _END_MARK in file.upto(at, _SEARCH_BYTES + 1):
            return
        at += _SEARCH_BYTES
    raise damage_error("it is cut short")


def _check_scans(file: RangedFile, scan: int) -> None:
    """Check the number of scans, the first of which begins at `scan`. Raises UnreadableError."""
    scans = 1
    for at in range(scan, min(file.size, scan + _MOST_SEARCHED), _SEARCH_BYTES):
        piece = file.upto(at, _SEARCH_BYTES + 1)
        end = piece.find(_END_MARK)
        scans += piece.count(_SCAN_MARK, 0, len(piece) if end < 0 else end)
        if scans > _MOST_SCANS:
            raise damage_error(f"it has more than {_MOST_SCANS} scans")
        if end >= 0:
            return
