"""The zips of an export: each is complete or absent, and none exceeds a size limit.

Lines become an entry once they are some megabytes, so memory stays small whatever is exported. An
interrupted part is thrown away and made again. Parts go to a folder, for operators, or to the
bucket, for owners in the app.
"""

import json
import zipfile
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from chalicelib.storage.media.writer import ObjectWriter

PART_BYTES: Final = 2_000_000_000
_GATHERED_BYTES: Final = 8_000_000


class FolderFile:
    """A part in a folder, for its owner alone."""

    def __init__(self, folder: Path, number: int) -> None:
        self._place = folder / f"part-{number:04}.zip"
        self._unfinished = folder / f"{self._place.name}.unfinished"
        self._file = self._unfinished.open("wb")
        self._unfinished.chmod(0o600)

    def write(self, data: bytes, /) -> None:
        """Take more bytes."""
        self._file.write(data)

    def finish(self) -> None:
        """Give it its name."""
        self._file.close()
        self._unfinished.replace(self._place)

    def give_up(self) -> None:
        """Remove it."""
        self._file.close()
        self._unfinished.unlink(missing_ok=True)


class BucketFile:
    """A part in the bucket, at constant memory."""

    def __init__(self, writer: ObjectWriter) -> None:
        self._writer = writer
        self.size_bytes = 0

    def write(self, data: bytes, /) -> None:
        """Take more bytes."""
        self._writer.write(data)
        self.size_bytes += len(data)

    def finish(self) -> None:
        """Complete the object."""
        self._writer.finish()

    def give_up(self) -> None:
        """Abort the upload."""
        self._writer.abort()


PartFile = FolderFile | BucketFile
"""Where the bytes of a part go, in order."""


class _Stream:
    """What zipfile asks of a file in which it cannot seek; after a part was given up, a sink."""

    def __init__(self, file: PartFile) -> None:
        self.file: PartFile | None = file

    def write(self, data: bytes, /) -> int:
        if self.file is not None:
            self.file.write(data)
        return len(data)

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass


class Part:
    """One zip in the making."""

    def __init__(self, file: PartFile, largest: int = PART_BYTES) -> None:
        self._file = file
        self._stream = _Stream(file)
        self._zip = zipfile.ZipFile(self._stream, "w", zipfile.ZIP_DEFLATED)
        self._largest = largest
        self._lines: dict[str, list[bytes]] = {}
        self._gathered = 0
        self._written = 0
        self._entries: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()

    def has_room_for(self, size: int) -> bool:
        """Tell whether this much more fits; into an empty part everything does."""
        used = self._written + self._gathered
        return used == 0 or used + size <= self._largest

    def add_line(self, file: str, told: Mapping[str, object]) -> None:
        """Add a document to a file of lines."""
        line = json.dumps(told, ensure_ascii=False, sort_keys=True).encode() + b"\n"
        self._lines.setdefault(file, []).append(line)
        self._gathered += len(line)
        self.counts[file] += 1
        if self._gathered >= _GATHERED_BYTES:
            self._flush()

    def add_file(self, name: str, pieces: Iterable[bytes]) -> None:
        """Add a file as it is."""
        about = zipfile.ZipInfo(f"media/{name}")
        with self._zip.open(about, "w", force_zip64=True) as entry:
            for piece in pieces:
                entry.write(piece)
                self._written += len(piece)
        self.counts["media"] += 1

    def close(self) -> None:
        """Finish it: from now on it is there."""
        self._flush()
        self._zip.close()
        self._file.finish()

    def give_up(self) -> None:
        """Throw it away."""
        self._stream.file = None
        self._zip.close()
        self._file.give_up()

    def _flush(self) -> None:
        for file, lines in self._lines.items():
            self._entries[file] += 1
            self._zip.writestr(f"{file}/{self._entries[file]:05}.jsonl", b"".join(lines))
        self._written += self._gathered
        self._lines, self._gathered = {}, 0
