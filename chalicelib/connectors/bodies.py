"""What a call carries: JSON, a form, a range of a file, or several parts.

Files are read from storage while they are sent, a piece at a time, so that a gigabyte takes no
more memory than a photo.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO, cast
from urllib.parse import urlencode

from requests_toolbelt import MultipartEncoder

from chalicelib.connectors.connector import MediaFile, MediaSource
from chalicelib.connectors.replies import UnansweredError
from chalicelib.domain.outcome import Json

_PIECE = 1_048_576


class FileReader:
    """A range of a stored file as a file-like object; its length is what is left of it."""

    def __init__(self, source: MediaSource, offset: int, length: int) -> None:
        self._source = source
        self._offset = offset
        self._left = length
        self._piece = b""

    def __len__(self) -> int:
        return self._left

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, at most `size`; nothing at the end of the range."""
        size = self._left if size < 0 else min(size, self._left)
        taken = bytearray()
        while len(taken) < size:
            if not self._piece:
                self._piece = self._next_piece()
            part = self._piece[: size - len(taken)]
            self._piece = self._piece[len(part) :]
            taken += part
            self._left -= len(part)
        return bytes(taken)

    def _next_piece(self) -> bytes:
        piece = self._source.read(self._offset, min(_PIECE, self._left))
        if not piece:
            raise UnansweredError("The stored file is shorter than its record says.")
        self._offset += len(piece)
        return piece


@dataclass(frozen=True, slots=True)
class JsonBody:
    """One JSON value."""

    value: Json
    mime: str = "application/json"


@dataclass(frozen=True, slots=True)
class FormBody:
    """Form fields, in order."""

    fields: Mapping[str, str] | Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class BytesBody:
    """A few bytes as they are."""

    content: bytes
    mime: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileBody:
    """A file, or a range of it, as the whole body."""

    file: MediaFile
    mime: str
    offset: int = 0
    length: int | None = None

    def reader(self) -> FileReader:
        """Return the range from its beginning."""
        rest = self.file.size_bytes - self.offset
        length = rest if self.length is None else min(self.length, rest)
        return FileReader(self.file.source, self.offset, length)


@dataclass(frozen=True, slots=True)
class FilePart:
    """A file, or a range of it, as one part of a multipart body."""

    name: str
    body: FileBody
    filename: str


@dataclass(frozen=True, slots=True)
class MultipartBody:
    """Parts of `multipart/form-data`, in order: pairs of field and text, and files."""

    parts: tuple[tuple[str, str] | FilePart, ...]
    boundary: str | None = field(default=None)


Body = JsonBody | FormBody | BytesBody | FileBody | MultipartBody


def encoded(body: Body) -> tuple[bytes | BinaryIO, str]:
    """Return what goes over the wire, bytes or a stream of known length, and its type."""
    match body:
        case JsonBody():
            text = json.dumps(body.value, ensure_ascii=False, separators=(",", ":"))
            return text.encode(), body.mime
        case FormBody():
            return urlencode(body.fields).encode(), "application/x-www-form-urlencoded"
        case BytesBody():
            return body.content, body.mime
        case FileBody():
            return _stream(body.reader()), body.mime
        case MultipartBody():
            encoder = MultipartEncoder([_field(part) for part in body.parts], body.boundary)
            return _stream(encoder), encoder.content_type


def _field(part: tuple[str, str] | FilePart) -> tuple[str, object]:
    if isinstance(part, FilePart):
        return part.name, (part.filename, part.body.reader(), part.body.mime)
    return part


def _stream(stream: object) -> BinaryIO:
    """Call it what requests takes: anything with `read` and a length will do."""
    return cast("BinaryIO", stream)
