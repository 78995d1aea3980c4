"""The bytes of files that were sent with the sandbox's posts, beside its table.

A name identifies a prepared file, so that one that is sent to twenty accounts is kept once. Copies
for platforms are swept after days; these stay as long as posts name them.
"""

import os
import re
import tempfile
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

_PIECE_BYTES = 1024 * 1024
_ABOUT_TO_BE_NAMED_S = 900.0
_NAME = re.compile(r"[0-9a-f]{64}")


class SandboxFiles:
    """A folder of files, each visible whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, name: str, pieces: Iterator[bytes]) -> None:
        """Write a file unless it is there; several processes may do so at once."""
        place = self.place_of(name)
        if place is None or place.exists():
            return
        self._folder.mkdir(mode=0o700, exist_ok=True)
        descriptor, unfinished = tempfile.mkstemp(dir=self._folder, prefix="unfinished-")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.writelines(pieces)
            Path(unfinished).replace(place)
        except BaseException:
            with suppress(FileNotFoundError):
                Path(unfinished).unlink()
            raise

    def read(self, name: str) -> Iterator[bytes] | None:
        """Return the pieces of a file, None if there is none of this name."""
        place = self.place_of(name)
        if place is None or not place.exists():
            return None
        return _pieces(place)

    def sweep(self, named: Collection[str]) -> None:
        """Delete all files except those that posts name, or may be about to name."""
        if not self._folder.exists():
            return
        for place in self._folder.iterdir():
            with suppress(FileNotFoundError):  # another process sweeps as well
                age_s = time.time() - place.stat().st_mtime
                if place.name not in named and age_s > _ABOUT_TO_BE_NAMED_S:
                    place.unlink()

    def place_of(self, name: str) -> Path | None:
        """Return the path of a file of this name, existing or not; None for an invalid name."""
        return self._folder / name if _NAME.fullmatch(name) else None


def _pieces(place: Path) -> Iterator[bytes]:
    with place.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            yield piece
