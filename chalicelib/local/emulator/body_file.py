"""An object's bytes that stay on disk: read in slices, hashed while they arrive, moved by rename.

It stands in for `bytes` wherever ministack's S3 asks a body for its length or a slice of it.
"""

import hashlib
import os
import tempfile
import weakref
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

_CHUNK = 256 * 1024
_SLICE_IN_MEMORY = 1024 * 1024


class BodyFile:
    """A part of a file, or all of it; a temporary one goes when nobody holds it any longer."""

    def __init__(self, path: Path, *, offset: int = 0, size: int, md5: str | None = None) -> None:
        self.path = path
        self.offset = offset
        self._size = size
        self._md5 = md5
        self._cleanup: weakref.finalize[[Path, bool], BodyFile] | None = None

    @classmethod
    def whole(cls, path: Path) -> "BodyFile":
        """Return all of an existing file."""
        return cls(path, size=path.stat().st_size)

    def make_temporary(self) -> "BodyFile":
        """Remove the file when this object goes, unless it was moved or the process ends."""
        self._cleanup = weakref.finalize(self, Path.unlink, self.path, True)  # noqa: FBT003
        self._cleanup.atexit = False
        return self

    @property
    def is_temporary(self) -> bool:
        """Tell whether the file is nobody else's."""
        return self._cleanup is not None and self._cleanup.alive

    @property
    def md5(self) -> str:
        """The MD5 digest in hex."""
        if self._md5 is None:
            digest = hashlib.md5(usedforsecurity=False)
            for chunk in self.chunks():
                digest.update(chunk)
            self._md5 = digest.hexdigest()
        return self._md5

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, place: slice) -> "bytes | BodyFile":
        start, stop, _ = place.indices(self._size)
        size = max(0, stop - start)
        if size > _SLICE_IN_MEMORY:
            return BodyFile(self.path, offset=self.offset + start, size=size)
        with self.path.open("rb") as file:
            return os.pread(file.fileno(), size, self.offset + start)

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes piece by piece; the file may be unlinked meanwhile."""
        with self.path.open("rb") as file:
            file.seek(self.offset)
            left = self._size
            while left:
                chunk = file.read(min(_CHUNK, left))
                if not chunk:
                    raise EOFError(self.path.name)
                left -= len(chunk)
                yield chunk

    def move_to(self, target: Path) -> None:
        """Become the file at `target`, or copy there what belongs to somebody else."""
        if self.is_temporary:
            if self._cleanup is not None:
                self._cleanup.detach()
            self.path.replace(target)
        else:
            fresh = target.with_name(f"{target.name}.tmp")
            with fresh.open("wb") as file:
                append(file.fileno(), self)
            fresh.replace(target)
        self.path, self.offset = target, 0


class FileSync:
    """Brings files to the disk: their bytes, their names, and each folder above that is new."""

    def __init__(self, root: Path) -> None:
        """Take everything above `root` to be on the disk."""
        self._root = root
        self._known: set[tuple[Path, int]] = set()

    def sync(self, path: Path) -> None:
        """Return once a file is on the disk under its name."""
        _fsync(path)
        self.sync_folder(path.parent)

    def sync_folder(self, folder: Path) -> None:
        """Return once the names in a folder are on the disk, and the folder's own."""
        _fsync(folder)
        known = folder, folder.stat().st_ino
        if known not in self._known and folder != self._root:
            self.sync_folder(folder.parent)
            self._known.add(known)


def _fsync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def append(descriptor: int, body: BodyFile) -> None:
    """Copy a body to the end of an open file without taking it into memory."""
    with body.path.open("rb") as source:
        place, left = body.offset, len(body)
        while left:
            copied = os.sendfile(descriptor, source.fileno(), place, left)
            if copied == 0:
                raise EOFError(body.path.name)
            place += copied
            left -= copied


async def spool(chunks: AsyncIterator[bytes], folder: Path) -> BodyFile:
    """Write a body to a temporary file as it arrives."""
    descriptor, name = tempfile.mkstemp(dir=folder)
    digest, size = hashlib.md5(usedforsecurity=False), 0
    body = BodyFile(Path(name), size=0).make_temporary()
    with os.fdopen(descriptor, "wb") as file:
        async for chunk in chunks:
            file.write(chunk)
            digest.update(chunk)
            size += len(chunk)
    body._size, body._md5 = size, digest.hexdigest()  # noqa: SLF001
    return body
