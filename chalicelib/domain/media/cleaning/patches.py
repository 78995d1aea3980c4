"""The changes of a video that is cleaned in place: a few pieces of unchanged length.

Nothing moves, so all offsets stay valid, and unchanged parts can be copied without being read.
"""

from typing import Final

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.media_headers.boxes import Box
from chalicelib.kit.media_headers.ranged_file import RangedFile

FREE: Final = b"free"
_MOST_COMPARED: Final = 1024 * 1024
"""A longer piece is not checked for being blank already."""


@dataclass(frozen=True, slots=True)
class Patch:
    """New bytes from `at` on: `data`, or zeros if there is none."""

    at: int
    length: int
    data: bytes = b""


class Patches:
    """Gathers the necessary changes of one file, and no others."""

    def __init__(self, file: RangedFile) -> None:
        self._file = file
        self.gathered: list[Patch] = []

    def add(self, patch: Patch) -> None:
        """Add a change."""
        self.gathered.append(patch)

    def write(self, at: int, data: bytes) -> None:
        """Write these bytes there."""
        if data and self._file.take(at, len(data)) != data:
            self.add(Patch(at, len(data), data))

    def blank(self, start: int, end: int) -> None:
        """Write zeros there."""
        length = end - start
        if length <= 0:
            return
        if length > _MOST_COMPARED or self._file.take(start, length).strip(b"\0"):
            self.add(Patch(start, length))

    def free(self, box: Box) -> None:
        """Replace a box by free space."""
        self.write(box.at + 4, FREE)
        self.blank(box.start, box.end)
