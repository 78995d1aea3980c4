"""A stored file that libraries can seek and read, in blocks, of which a few are cached.

It imports nothing of AWS: converting processes read through it, too.
"""

import os
from collections import OrderedDict

from chalicelib.kit.media_headers.ranged_file import Read

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
        """Move to a position."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        self._at = max(0, base + offset)
        return self._at

    def tell(self) -> int:
        """Return the place."""
        return self._at

    def forget(self) -> None:
        """Drop the cached blocks, when all that is needed has been read."""
        self._blocks.clear()

    def _piece(self, length: int) -> bytes:
        number, skip = divmod(self._at, BLOCK_BYTES)
        if number in self._blocks:
            self._blocks.move_to_end(number)
        else:
            self._blocks[number] = self._read(number * BLOCK_BYTES, BLOCK_BYTES)
            if len(self._blocks) > BLOCKS_KEPT:
                self._blocks.popitem(last=False)
        return self._blocks[number][skip : skip + length]
