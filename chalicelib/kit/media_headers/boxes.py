"""Boxes of ISO base media files (MP4, MOV): a size, a four-letter kind, a payload, boxes inside.

Boxes are read lazily and counted: sizes are not trusted, and files with more than 60,000 boxes are
refused. ISO/IEC 14496-12 section 4.2; QuickTime File Format "Atoms".
"""

import struct
from collections.abc import Iterator

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.media_headers.ranged_file import RangedFile, damage_error

MOST_BOXES = 60_000
_HEADER = struct.Struct(">I4s")
_LONG_SIZE = 1
_TO_THE_END = 0


@dataclass(frozen=True, slots=True)
class Box:
    """Offsets of one box: `at` is its header, `start` to `end` its payload."""

    kind: bytes
    at: int
    start: int
    end: int

    @property
    def length(self) -> int:
        """Return the size of the payload in bytes."""
        return self.end - self.start


class BoxReader:
    """Reads the boxes of one file within a budget; methods raise UnreadableError."""

    def __init__(self, file: RangedFile) -> None:
        self.file = file
        self._boxes_left = MOST_BOXES

    def box_at(self, at: int, end: int) -> Box:
        """Return the box whose header begins at `at`; it must end by `end`."""
        self._boxes_left -= 1
        if self._boxes_left < 0:
            raise damage_error("it has too many parts")
        size, kind = _HEADER.unpack(self.file.take(at, 8))
        start = at + 8
        if size == _LONG_SIZE:
            size = int.from_bytes(self.file.take(start, 8))
            start += 8
        elif size == _TO_THE_END:
            size = end - at
        if size < start - at:
            raise damage_error("a part of it has an impossible size")
        if at + size > end:
            raise damage_error("it is cut short")
        return Box(kind, at, start, at + size)

    def walk(self, start: int, end: int) -> Iterator[Box]:
        """Yield the boxes between two offsets; up to 7 bytes of padding may follow them."""
        while end - start >= _HEADER.size:
            box = self.box_at(start, end)
            yield box
            start = box.end

    def inside(self, parent: Box) -> Iterator[Box]:
        """Yield the boxes directly in a box; QuickTime may end the list with four zero bytes."""
        return self.walk(parent.start, parent.end)

    def child(self, parent: Box, kind: bytes) -> Box | None:
        """Return the first box of the kind directly in the parent, None without one."""
        return next((box for box in self.inside(parent) if box.kind == kind), None)

    def require(self, parent: Box, *path: bytes) -> Box:
        """Return the box at the end of a path. Raises UnreadableError if there is none."""
        for kind in path:
            found = self.child(parent, kind)
            if found is None:
                raise damage_error("its index is incomplete")
            parent = found
        return parent

    def payload(self, box: Box, *, most: int | None = None) -> bytes:
        """Return the payload, or its first `most` bytes."""
        length = box.length if most is None else min(box.length, most)
        return self.file.take(box.start, length)
