"""What changes in a video that is cleaned where it lies: a few pieces of it, at their own length.

Nothing moves, so every offset in it stays right, and all that is not changed can be copied without
being read.
"""

from typing import Final

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.media_headers.boxes import Box
from chalicelib.kit.media_headers.ranged_file import RangedFile

FREE: Final = b"free"
_MOST_COMPARED: Final = 1024 * 1024
"""Of a longer piece nobody looks whether it is empty already."""


@dataclass(frozen=True, slots=True)
class Patch:
    """What stands from `at` on instead: `data`, or zeros where there is none."""

    at: int
    length: int
    data: bytes = b""


class Patches:
    """Gathers what has to change in one file, and nothing that is as it should be."""

    def __init__(self, file: RangedFile) -> None:
        self._file = file
        self.gathered: list[Patch] = []

    def add(self, patch: Patch) -> None:
        """Take a change."""
        self.gathered.append(patch)

    def write(self, at: int, data: bytes) -> None:
        """Let these bytes stand there."""
        if data and self._file.take(at, len(data)) != data:
            self.add(Patch(at, len(data), data))

    def blank(self, start: int, end: int) -> None:
        """Let zeros stand there."""
        length = end - start
        if length <= 0:
            return
        if length > _MOST_COMPARED or self._file.take(start, length).strip(b"\0"):
            self.add(Patch(start, length))

    def free(self, box: Box) -> None:
        """Leave of a box nothing but its room."""
        self.write(box.at + 4, FREE)
        self.blank(box.start, box.end)
