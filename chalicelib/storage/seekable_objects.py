"""Objects as files that can be sought in, at constant memory: FFmpeg and Pillow read and write so.

A `SeekableObject` reads blocks and keeps a few; a `PatchableObject` streams into S3 and keeps only
its head back, where a video's index is written last.
"""

import os
from collections import OrderedDict

from chalicelib.domain.formats.ranged_file import Read
from chalicelib.storage.media_writer import PART_BYTES, ObjectWriter

BLOCK_BYTES = 4 * 1024 * 1024
BLOCKS_KEPT = 4
"""Two tracks that lie far apart, each on the border of two blocks."""


class SeekableObject:
    """Reads an object of known size."""

    def __init__(self, read: Read, size: int) -> None:
        self._read = read
        self._size = size
        self._at = 0
        self._blocks: OrderedDict[int, bytes] = OrderedDict()

    def read(self, length: int = -1, /) -> bytes:
        """Return the next bytes, at most to the end of a block unless all are wanted."""
        left = self._size - self._at
        wanted = left if length < 0 else min(length, left)
        pieces = []
        while wanted > 0:
            piece = self._piece(wanted)
            if not piece:
                break
            pieces.append(piece)
            self._at += len(piece)
            wanted -= len(piece)
        return b"".join(pieces)

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        """Go to a place."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        self._at = max(0, base + offset)
        return self._at

    def tell(self) -> int:
        """Return the place."""
        return self._at

    def _piece(self, length: int) -> bytes:
        number, skip = divmod(self._at, BLOCK_BYTES)
        if number in self._blocks:
            self._blocks.move_to_end(number)
        else:
            self._blocks[number] = self._read(number * BLOCK_BYTES, BLOCK_BYTES)
            if len(self._blocks) > BLOCKS_KEPT:
                self._blocks.popitem(last=False)
        return self._blocks[number][skip : skip + length]


class PatchableObject:
    """Writes an object whose head can be changed until `finish`."""

    def __init__(self, writer: ObjectWriter) -> None:
        self._writer = writer
        self._writer.leave_room_for_head()
        self._head = bytearray()
        self._held = PART_BYTES
        self._at = 0
        self._end = 0

    @property
    def size(self) -> int:
        """Return how many bytes there are."""
        return self._end

    def hold(self, head_bytes: int) -> None:
        """Keep at least this much of the head changeable; said before the first write."""
        self._held = max(self._held, head_bytes)

    def write(self, data: bytes, /) -> int:
        """Take bytes at the place; behind the head they only ever come at the end."""
        begin, self._at = self._at, self._at + len(data)
        within = data[: max(0, self._held - begin)]
        if within:
            missing = begin + len(within) - len(self._head)
            if missing > 0:
                self._head.extend(bytes(missing))
            self._head[begin : begin + len(within)] = within
        if len(within) < len(data):
            if max(begin, self._held) != max(self._end, self._held):
                raise ValueError("Only the head of an object can be written again.")
            self._writer.write(data[len(within) :])
        self._end = max(self._end, self._at)
        return len(data)

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        """Go to a place."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._end}[whence]
        self._at = base + offset
        return self._at

    def tell(self) -> int:
        """Return the place."""
        return self._at

    def finish(self) -> None:
        """Make the object visible, whole."""
        self._writer.finish(bytes(self._head))

    def abort(self) -> None:
        """Leave nothing behind."""
        self._writer.abort()
