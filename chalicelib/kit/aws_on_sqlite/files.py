"""The files of a folder, each written once under a name of its own that never changes."""

import os
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from botocore.exceptions import EndpointConnectionError

from chalicelib.kit.aws_on_sqlite.shared_sync import sync_path

File = tuple[str, int]
"""A file's name and size."""


class Files:
    """An engine's files; with `synced` they survive a power cut."""

    def __init__(self, folder: Path, *, synced: bool) -> None:
        self._folder = folder
        self._synced = synced

    def keep(self, pieces: Iterable[bytes | bytearray]) -> tuple[File, str]:
        """Write a file; return its name, size and ETag. Raises as if the service did not answer.

        The ETag is the name, which is never used for other content. For encrypted objects S3
        promises no more than that, and a digest took half of an upload's processor time.
        """
        name, size = uuid.uuid4().hex, 0
        with self._answering(name):
            opened = os.open(self._folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(opened, "wb") as file:
                for piece in pieces:
                    file.write(piece)
                    size += len(piece)
                if self._synced:
                    file.flush()
                    os.fsync(file.fileno())
            self._sync_names()
        return (name, size), f'"{name}"'

    def link(self, files: Sequence[File]) -> list[File]:
        """Give files second names; return them. Raises as `keep` does."""
        linked = [(uuid.uuid4().hex, size) for _, size in files]
        with self._answering(*(new for new, _ in linked)):
            for (old, _), (new, _) in zip(files, linked, strict=True):
                os.link(self._folder / old, self._folder / new)
            self._sync_names()
        return linked

    def read(self, files: Sequence[File], offset: int, length: int) -> bytes:
        """Return a range of several files' bytes, one after the other. Raises as `keep` does."""
        pieces: list[bytes] = []
        for name, size in files:
            wanted = min(length, size - offset)
            if wanted > 0:
                with self._answering(), (self._folder / name).open("rb") as file:
                    file.seek(offset)
                    pieces.append(file.read(wanted))
                length -= wanted
            offset = max(0, offset - size)
        return b"".join(pieces)

    def drop(self, names: Iterable[str]) -> None:
        """Remove those of the files that exist; one that cannot be, nothing names: it is swept."""
        for name in names:
            with suppress(OSError):
                (self._folder / name).unlink(missing_ok=True)

    @contextmanager
    def _answering(self, *fresh: str) -> Iterator[None]:
        """Drop fresh files and raise as if the service did not answer, when the disk fails."""
        try:
            yield
        except OSError as failure:
            self.drop(fresh)
            url = f"{self._folder}: {failure.strerror}"
            raise EndpointConnectionError(endpoint_url=url) from failure

    def _sync_names(self) -> None:
        if self._synced:
            sync_path(self._folder)
