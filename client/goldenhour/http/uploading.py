"""Uploads: a file is read from disk while it is sent, and tells how far it is.

A small file goes through the API. A larger one goes straight to the service's storage, because some
deployments pass only a few megabytes through the API; where that is not offered, or leads to the
service's own machine and this is another, through the API.
"""

import io
import os
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Protocol, cast, final

from requests_toolbelt import MultipartEncoder

from goldenhour.errors import ApiError, FileChanged, NoAnswer
from goldenhour.models.answers import DirectUpload, Media, UploadState

Progress = Callable[[int, int], None]
"""Called with the bytes sent and the bytes in all."""

STRAIGHT_FROM_BYTES = 4 * 1024 * 1024
"""A Lambda function takes at most 6 MB, a third of it the encoding's."""

PUT_ATTEMPTS = 3
_NOT_OFFERED = frozenset({404, 405, 501})


def ignore(_sent: int, _total: int) -> None:
    """Tell nobody."""


class Uploads(Protocol):
    """The calls that an upload is made of; `resources.media` has them."""

    def upload_by_form(self, source: "Source", progress: Progress, key: str | None = None) -> Media:
        """Send the file through the API."""

    def begin_upload(
        self, *, filename: str, size_bytes: int, idempotency_key: str | None = None
    ) -> DirectUpload:
        """Return where the file goes."""

    def upload_state(self, media_id: str) -> UploadState:
        """Return how an upload stands."""

    def reaches(self, upload: DirectUpload) -> bool:
        """Tell whether this machine can reach that address."""

    def put(self, upload: DirectUpload, source: "Source", progress: Progress) -> None:
        """Send the file there."""

    def wait_until_ready(self, media_id: str) -> Media:
        """Return the file once it can be posted."""


@final
@dataclass(slots=True)
class Source:
    """An open file, its name and its size; it can be read again from the start."""

    file: BinaryIO
    filename: str
    size_bytes: int
    is_ours: bool

    @classmethod
    def of(cls, file: str | os.PathLike[str] | BinaryIO, filename: str | None) -> "Source":
        """Open a path, or take a file that is open. Raises OSError, ValueError."""
        is_ours = isinstance(file, (str, os.PathLike))
        opened = Path(file).open("rb") if isinstance(file, (str, os.PathLike)) else file  # noqa: SIM115 - __exit__ closes it
        name = filename or Path(str(getattr(opened, "name", "upload"))).name
        try:
            _require_bytes(opened, name)
            size = opened.seek(0, os.SEEK_END)
        except BaseException:
            if is_ours:
                opened.close()
            raise
        return cls(opened, name.encode("utf-8", "replace").decode(), size, is_ours=is_ours)

    def as_form(self, progress: Progress) -> tuple[object, str]:
        """Return a multipart body and its content type."""
        file = (self.filename, self.as_stream(progress), "application/octet-stream")
        form = MultipartEncoder({"file": file})
        return form, form.content_type

    def as_stream(self, progress: Progress) -> "CountedStream":
        """Return the bytes themselves."""
        self.file.seek(0)
        return CountedStream(self.file, self.size_bytes, progress)

    def __enter__(self) -> "Source":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.is_ours:
            self.file.close()


def _require_bytes(file: BinaryIO, name: str) -> None:
    if isinstance(cast("object", file), io.TextIOBase):
        raise TypeError(f"{name} is open as text: open it with mode 'rb'.")
    if not file.seekable():
        raise ValueError(f"{name} is a pipe, which can be read only once: save it as a file first.")


class CountedStream:
    """A file that tells how much of it was read; its length makes the Content-Length.

    Exactly that many bytes come, else FileChanged: with fewer the service waits for the rest, with
    more it takes them for another request.
    """

    def __init__(self, file: BinaryIO, size_bytes: int, progress: Progress) -> None:
        self._file, self._size_bytes, self._progress = file, size_bytes, progress
        self._sent_bytes = 0

    def __len__(self) -> int:
        return self._size_bytes - self._sent_bytes

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes. Raises FileChanged."""
        wanted = len(self) if size < 0 else min(size, len(self))
        chunk = self._file.read(wanted)
        is_last = len(chunk) == len(self)
        if wanted and (not chunk or (is_last and self._file.read(1))):
            raise FileChanged(
                "The file was written to while it was sent, so nothing was uploaded. Send it again"
                " once it is complete."
            )
        self._sent_bytes += len(chunk)
        self._progress(self._sent_bytes, self._size_bytes)
        return chunk


def upload(uploads: Uploads, source: Source, progress: Progress, key: str | None) -> Media:
    """Send a file by the way that suits its size and the service; return it once it is ready."""
    if source.size_bytes >= STRAIGHT_FROM_BYTES:
        media = _straight(uploads, source, progress, key)
        return media or uploads.upload_by_form(source, progress, key)
    try:
        return uploads.upload_by_form(source, progress, key)
    except ApiError as refusal:
        is_from_the_way = refusal.status == 413 and refusal.received_code == "http_413"  # noqa: PLR2004
        media = _straight(uploads, source, progress, key) if is_from_the_way else None
        if media is None:
            raise
        return media


def _straight(
    uploads: Uploads, source: Source, progress: Progress, key: str | None
) -> Media | None:
    """Send a file to the storage; None if the service does not offer it.

    All attempts go under one key, so that a lost answer leaves one file.
    """
    sent_key = key or f"py-{uuid.uuid4().hex}"
    for remaining in range(PUT_ATTEMPTS - 1, -1, -1):
        try:
            begun = uploads.begin_upload(
                filename=source.filename, size_bytes=source.size_bytes, idempotency_key=sent_key
            )
        except ApiError as refusal:
            if refusal.status in _NOT_OFFERED:
                return None
            raise
        if not uploads.reaches(begun):
            return None
        is_first = key is None and remaining == PUT_ATTEMPTS - 1
        if not is_first and uploads.upload_state(begun.media_id).state != "waiting":
            return uploads.wait_until_ready(begun.media_id)  # a call before this one sent it
        try:
            uploads.put(begun, source, progress)
        except NoAnswer:
            if not remaining:
                raise
            continue
        return uploads.wait_until_ready(begun.media_id)
    raise AssertionError("an attempt answers or raises")
