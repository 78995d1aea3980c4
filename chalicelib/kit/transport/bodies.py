"""Request bodies: JSON, a form, a range of a file, multipart, or JSON that contains a file.

Files are read from storage in pieces while they are sent, so that a gigabyte takes no more memory
than a photo.
"""

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import BinaryIO, Protocol, cast
from urllib.parse import urlencode

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.failures import UnansweredError

_PIECE = 1_048_576
_BASE64_PIECE = 3 * 65_536


class Readable(Protocol):
    """Stored bytes that can be read by ranges."""

    def read(self, offset: int, length: int) -> bytes:
        """Return `length` bytes from `offset` on; fewer only at the end."""
        ...


class FileToSend(Protocol):
    """A file that is read while it is sent."""

    @property
    def size_bytes(self) -> int:
        """Its length in bytes."""
        ...

    @property
    def source(self) -> Readable:
        """Its bytes."""
        ...


class PieceReader:
    """A file-like object over pieces; its `len` is the number of bytes left, as requests needs."""

    def __init__(self, pieces: Iterator[bytes], length: int) -> None:
        self._pieces = pieces
        self._left = length
        self._piece = b""

    def __len__(self) -> int:
        return self._left

    def read(self, size: int = -1) -> bytes:
        """Return the next `size` bytes, or all; fewer only at the end."""
        size = self._left if size < 0 else min(size, self._left)
        taken = bytearray()
        while len(taken) < size:
            if not self._piece:
                self._piece = next(self._pieces)
            part = self._piece[: size - len(taken)]
            self._piece = self._piece[len(part) :]
            taken += part
            self._left -= len(part)
        return bytes(taken)


@dataclass(frozen=True, slots=True)
class JsonBody:
    """One JSON value."""

    value: Json
    mime: str = "application/json"


@dataclass(frozen=True, slots=True)
class FormBody:
    """Fields of a URL-encoded form, in order."""

    fields: Mapping[str, str] | Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class BytesBody:
    """Bytes, sent as they are."""

    content: bytes
    mime: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileBody:
    """A file, or a range of it, as the whole body."""

    file: FileToSend
    mime: str
    offset: int = 0
    length: int | None = None

    @property
    def size_bytes(self) -> int:
        """Return the length of the range in bytes."""
        rest = max(0, self.file.size_bytes - self.offset)
        return rest if self.length is None else min(self.length, rest)

    def reader(self) -> PieceReader:
        """Return a new reader of the range."""
        pieces = _pieces(self.file.source, self.offset, self.size_bytes)
        return PieceReader(pieces, self.size_bytes)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonFileBody:
    """A JSON object with a file, in base64, as the text at a path of keys."""

    value: Mapping[str, Json]
    path: tuple[str, ...]
    file: FileBody

    def reader(self) -> PieceReader:
        """Return a new reader of the whole JSON text."""
        head, tail = _up_to(self.value, self.path).encode(), b'"' + b"}" * len(self.path)
        length = len(head) + -(-self.file.size_bytes // 3) * 4 + len(tail)
        return PieceReader(_around(head, self.file.reader(), tail), length)


Body = JsonBody | FormBody | BytesBody | FileBody | MultipartBody | JsonFileBody


def encode_body(body: Body) -> tuple[bytes | BinaryIO, str]:
    """Return the bytes to send, or a stream of known length, and their content type."""
    match body:
        case JsonBody():
            return _to_json(body.value).encode(), body.mime
        case JsonFileBody():
            return _stream(body.reader()), "application/json"
        case FormBody():
            return urlencode(body.fields).encode(), "application/x-www-form-urlencoded"
        case BytesBody():
            return body.content, body.mime
        case FileBody():
            return _stream(body.reader()), body.mime
        case MultipartBody():
            # Few platforms take forms: only a process that sends one imports it.
            from requests_toolbelt import MultipartEncoder  # noqa: PLC0415

            encoder = MultipartEncoder([_field(part) for part in body.parts], body.boundary)
            return _stream(encoder), encoder.content_type


def _field(part: tuple[str, str] | FilePart) -> tuple[str, object]:
    if isinstance(part, FilePart):
        return part.name, (part.filename, part.body.reader(), part.body.mime)
    return part


def _stream(stream: object) -> BinaryIO:
    """Return the stream as the type that requests declares; `read` and a length are enough."""
    return cast("BinaryIO", stream)


def _pieces(source: Readable, offset: int, left: int) -> Iterator[bytes]:
    """Yield a range of a stored file. Raises UnansweredError if the file ends too early."""
    while left > 0:
        piece = source.read(offset, min(_PIECE, left))
        if not piece:
            raise UnansweredError("The stored file is shorter than its record says.")
        yield piece
        offset += len(piece)
        left -= len(piece)


def _around(head: bytes, file: PieceReader, tail: bytes) -> Iterator[bytes]:
    """Yield a file in base64 between two texts; only its last piece may have padding."""
    yield head
    while raw := file.read(_BASE64_PIECE):
        yield base64.b64encode(raw)
    yield tail


def _up_to(value: Mapping[str, Json], path: tuple[str, ...]) -> str:
    """Return an object as JSON up to where the text at `path` begins; that key comes last."""
    key, *deeper = path
    others = _to_json({name: value[name] for name in value if name != key})
    opened = f"{others[:-1]}{',' if len(others) > len('{}') else ''}{_to_json(key)}:"
    inner = value.get(key)
    if not deeper:
        return f'{opened}"'
    return opened + _up_to(inner if isinstance(inner, dict) else {}, tuple(deeper))


def _to_json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
