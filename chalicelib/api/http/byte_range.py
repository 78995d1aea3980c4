"""The Range header of one GET (RFC 9110, 14): which bytes of a file are asked for.

`pulling` calls it. One range is understood; several, other units and what is no range at all are
ignored, as the RFC lets a server do, and then the whole file goes out.
"""

import re
from dataclasses import dataclass

_RANGE = re.compile(r"bytes=\s*(\d{0,18})-(\d{0,18})\s*", re.ASCII | re.IGNORECASE)


class UnsatisfiableError(Exception):
    """The file has no such bytes."""


@dataclass(frozen=True, slots=True)
class ByteRange:
    """The bytes from `first` to `last`, both included."""

    first: int
    last: int

    @property
    def length(self) -> int:
        """How many bytes these are."""
        return self.last - self.first + 1


def asked_range(header: str | None, size: int) -> ByteRange | None:
    """Return what part of `size` bytes is asked for, None for all. Raises UnsatisfiableError."""
    asked = _RANGE.fullmatch(header or "")
    if asked is None or asked[1] == asked[2] == "":
        return None
    if asked[1] == "":
        return _the_last(int(asked[2]), size)
    first = int(asked[1])
    last = int(asked[2]) if asked[2] else size - 1
    if asked[2] and last < first:
        return None
    if first >= size:
        raise UnsatisfiableError
    return ByteRange(first, min(last, size - 1))


def _the_last(count: int, size: int) -> ByteRange:
    if count == 0 or size == 0:
        raise UnsatisfiableError
    return ByteRange(max(0, size - count), size - 1)
