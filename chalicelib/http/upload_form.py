"""The `multipart/form-data` body of an upload, taken in pieces: one file in the field `file`.

`front` feeds it from a stream; `read` takes a form that arrived whole. Whatever is wrong with it is
FileMissing, also an end before its last boundary: half a file is no file.
"""

import hashlib
from collections.abc import Iterator

from multipart import (  # type: ignore[import-untyped]  # it ships none
    MultipartError,
    MultipartSegment,
    PushMultipartParser,
    parse_options_header,
)

from chalicelib.domain.errors import FileMissing
from chalicelib.domain.media.media import LARGEST_FILE_BYTES
from chalicelib.kit.file_names import name_in_form

FIELD = "file"
FRAMING_BYTES = 64 * 1024
LARGEST_BODY_BYTES = LARGEST_FILE_BYTES + FRAMING_BYTES
"""The file, and what boundaries, headers and other small fields add to it."""

_MOST_PARTS = 64
_MOST_HEADER_BYTES = 8 * 1024
_LONGEST_TEXT = 1024
_CHANGING_CODINGS = ("base64", "quoted-printable")
_NO_BOUNDARY = (
    "The Content-Type of the form lacks its boundary. Leave that header to your HTTP library, "
    "which adds one."
)
_ONLY_TEXT = 'The field "file" holds a text. Send the bytes of the file in it, with a filename.'
_CODED = "Send the bytes of the file as they are, without a Content-Transfer-Encoding."


class UploadForm:
    """Feeds on a body and yields the file in it. Raises FileMissing when the form is wrong."""

    def __init__(self, content_type: str | None) -> None:
        kind, options = parse_options_header(content_type or "")
        boundary = options.get("boundary")
        if kind != "multipart/form-data":
            raise FileMissing
        if not boundary:
            raise FileMissing(_NO_BOUNDARY)
        self.filename: str | None = None
        self.found = False
        self._in_file = False
        self._is_named = False
        self._begins = b""
        self._bytes_in = 0
        self._file_bytes = 0
        self._parser = _parser(boundary)

    def feed(self, body: bytes) -> Iterator[bytes]:
        """Yield the pieces of the file that more of the body brings."""
        self._bytes_in += len(body)
        if body:
            try:
                yield from self._pieces(body)
            except MultipartError as error:
                raise _unreadable() from error
        if self._bytes_in - self._file_bytes > FRAMING_BYTES + len(body):
            raise _too_much_else()

    def read(self, body: bytes) -> bytes:
        """Return the file of a form that arrived whole."""
        data = b"".join(self.feed(body))
        self.close()
        return data

    @property
    def mark(self) -> str:
        """Return what tells this form from another, once it was read; nothing of a plain one."""
        return ""

    def close(self) -> None:
        """Check that the form has come to its end and held a file."""
        try:
            self._parser.close()
        except MultipartError as error:
            raise _unreadable() from error
        if not self.found:
            raise FileMissing
        if not self._is_named and self._file_bytes <= _LONGEST_TEXT and _is_text(self._begins):
            raise FileMissing(_ONLY_TEXT)

    def _pieces(self, body: bytes) -> Iterator[bytes]:
        for event in self._parser.parse(body):
            if isinstance(event, MultipartSegment):
                self._in_file = event.name == FIELD
                if self._in_file:
                    self._begin_file(event)
            elif event is None:
                self._in_file = False
            elif self._in_file:
                self._file_bytes += len(event)
                self._begins += event[: _LONGEST_TEXT - len(self._begins)]
                yield bytes(event)

    def _begin_file(self, part: MultipartSegment) -> None:
        if self.found:
            raise FileMissing('Send only one file in the form field "file".')
        coding = part.header("Content-Transfer-Encoding") or ""
        if coding.strip().lower() in _CHANGING_CODINGS:
            raise FileMissing(_CODED)
        self.found = True
        disposition = part.header("Content-Disposition") or ""
        self.filename = name_in_form(disposition, part.filename)
        self._is_named = self.filename is not None or part.filename is not None


class MarkedForm(UploadForm):
    """A form that can be told from another: of an upload that may be repeated with its key."""

    def __init__(self, content_type: str | None) -> None:
        super().__init__(content_type)
        self._digest = hashlib.sha256()

    def feed(self, body: bytes) -> Iterator[bytes]:
        """Yield the pieces of the file that more of the body brings."""
        for piece in super().feed(body):
            self._digest.update(piece)
            yield piece

    @property
    def mark(self) -> str:
        """Return a digest of the file and its name; of boundaries and other fields nothing."""
        whole = self._digest.copy()
        whole.update((self.filename or "").encode("utf-8", "surrogatepass"))
        return whole.hexdigest()


def _is_text(sent: bytes) -> bool:
    """Tell a path, or what programs make of a missing file, from the bytes of one."""
    try:
        return sent.decode().isprintable()
    except UnicodeDecodeError:
        return False


def _parser(boundary: str) -> PushMultipartParser:
    try:
        return PushMultipartParser(
            boundary,
            max_header_size=_MOST_HEADER_BYTES,
            max_segment_count=_MOST_PARTS,
            max_segment_size=LARGEST_BODY_BYTES,
            header_charset="latin-1",  # which has a sign for each byte
        )
    except MultipartError as error:
        raise FileMissing from error


def _unreadable() -> FileMissing:
    return FileMissing(
        "The multipart/form-data body is broken or compressed, or it ends early. "
        'Send one whole file in "file".'
    )


def _too_much_else() -> FileMissing:
    return FileMissing('The form contains too much besides the file in its field "file".')
