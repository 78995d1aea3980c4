"""A file that is read by ranges, as from S3: few and limited reads, whatever its bytes claim.

Format parsers ask for exact pieces; this fetches, keeps and counts blocks. A file that needs more
than the budget, or that ends before a piece does, is refused as damaged.
"""

from collections import deque
from collections.abc import Callable

Read = Callable[[int, int], bytes]
"""Reads `length` bytes at `offset`; shorter only at the end of the file."""

BLOCK_BYTES = 256 * 1024
MOST_READS = 48
LARGEST_PIECE_BYTES = 8 * 1024 * 1024
MOST_BYTES = 24 * 1024 * 1024
_BLOCKS_KEPT = 8


class UnreadableError(Exception):
    """The file has a known type but cannot be read; the text tells a person why."""


def damage_error(why: str) -> UnreadableError:
    """Return the error for a file that cannot be read; `why` completes its sentence."""
    return UnreadableError(f"The file cannot be read: {why}.")


class RangedFile:
    """Returns pieces of a file of known size, with as few ranged reads as possible."""

    def __init__(
        self, read: Read, size: int, *, most_reads: int = MOST_READS, most_bytes: int = MOST_BYTES
    ) -> None:
        self.size = size
        self._most_reads = most_reads
        self._most_bytes = most_bytes
        self.reads = 0
        self._read = read
        self._bytes_read = 0
        self._blocks: deque[tuple[int, bytes]] = deque(maxlen=_BLOCKS_KEPT)

    def allow(self, reads: int) -> None:
        """Allow at most so many reads in all, including those already made."""
        self._most_reads = min(self._most_reads, reads)

    def take(self, offset: int, length: int) -> bytes:
        """Return exactly these bytes. Raises UnreadableError if the file ends before them."""
        for start, block in self._blocks:
            if start <= offset and offset + length <= start + len(block):
                return block[offset - start : offset - start + length]
        if offset < 0 or length < 0 or offset + length > self.size:
            raise damage_error("it is cut short")
        return self._fetch(offset, length)[:length]

    def upto(self, offset: int, length: int) -> bytes:
        """Return these bytes, or as many of them as the file has."""
        return self.take(offset, max(0, min(length, self.size - offset)))

    def tail(self, length: int) -> tuple[int, bytes]:
        """Return the offset of the file's last `length` bytes, and those bytes."""
        start = max(0, self.size - length)
        return start, self.take(start, self.size - start)

    def _fetch(self, offset: int, length: int) -> bytes:
        wanted = min(max(length, BLOCK_BYTES), self.size - offset)
        self.reads += 1
        self._bytes_read += wanted
        too_much = self._bytes_read > self._most_bytes or length > LARGEST_PIECE_BYTES
        if too_much or self.reads > self._most_reads:
            raise damage_error("its headers are too many or too large")
        block = self._read(offset, wanted)
        if len(block) < length:
            raise damage_error("it is cut short")
        self._blocks.appendleft((offset, block))
        return block
