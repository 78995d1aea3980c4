"""PNG: the picture's chunks stay, credits are rewritten, and nothing follows the end.

EXIF, texts, times, programs' private chunks and all bytes after IEND are removed; a file with an
unknown critical chunk must be re-encoded. W3C PNG Specification (Third Edition), sections 5, 11 and
13.
"""

import struct
import zlib
from collections.abc import Iterator
from typing import Final

from chalicelib.domain.media.cleaning.exif_credits import (
    ARTIST,
    COPYRIGHT,
    exif_credits,
    exif_of,
    turn_of,
)
from chalicelib.domain.media.cleaning.outcome import CleanPhoto, Credits, UncleanableError
from chalicelib.domain.media.cleaning.profiles import kept_profile, unpacked_profile
from chalicelib.domain.media.cleaning.xmp_credits import xmp_credits

_SIGNATURE: Final = 8
_AROUND: Final = 12
_SHOWN: Final = frozenset(
    {b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"cICP", b"mDCV"}
    | {b"cLLI", b"sBIT", b"bKGD", b"pHYs", b"acTL", b"fcTL", b"fdAT"}
)
_PACKED: Final = frozenset({b"iCCP", b"tEXt", b"zTXt", b"iTXt"})
_XMP: Final = b"XML:com.adobe.xmp"
_AUTHORS: Final = {b"Author": ARTIST, b"Artist": ARTIST, b"Creator": ARTIST}
_KEYWORDS: Final = {**_AUTHORS, b"Copyright": COPYRIGHT, b"Credit": 0}
_LONGEST: Final = 2_048
_MOST_CHUNKS: Final = 65_536
_MOST_UNPACKED: Final = 16
_MOST_XMP: Final = 1_048_576
_ANCILLARY: Final = 0x20


def clean_png(data: bytes) -> CleanPhoto:
    """Return the photo without private metadata. Raises UncleanableError."""
    walk = _Walk()
    pieces: list[bytes | memoryview] = [data[:_SIGNATURE]]
    pieces += [
        piece for kind, at, end in _chunks(data) for piece in walk.kept_chunks(data, kind, at, end)
    ]
    exif = walk.exif or exif_of({tag: text for tag, text in walk.texts.items() if tag})
    return CleanPhoto(b"".join(pieces), walk.turn or 1, Credits(exif=exif, xmp=walk.xmp))


def _chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield (kind, offset, end) of each chunk to the last."""
    at = _SIGNATURE
    for _ in range(_MOST_CHUNKS):
        if at + _AROUND > len(data):
            break
        length, kind = struct.unpack_from(">I4s", data, at)
        end = at + length + _AROUND
        if end > len(data):
            break
        yield kind, at, end
        if kind == b"IEND":
            return
        at = end
    raise UncleanableError


def _chunk(kind: bytes, body: bytes) -> bytes:
    crc = zlib.crc32(kind + body)
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", crc)


class _Walk:
    """One pass through a file, and what was found."""

    def __init__(self) -> None:
        self.turn: int | None = None
        self._unpacked = 0
        self.exif = self.xmp = b""
        self.texts: dict[int, bytes] = {}

    def kept_chunks(
        self, data: bytes, kind: bytes, at: int, end: int
    ) -> Iterator[bytes | memoryview]:
        if kind in _SHOWN:
            yield memoryview(data)[at:end]
        elif not kind[0] & _ANCILLARY:
            raise UncleanableError
        else:
            yield from self._rewritten(kind, data[at + 8 : end - 4])

    def _rewritten(self, kind: bytes, body: bytes) -> Iterator[bytes]:
        self._unpacked += kind in _PACKED
        if kind in _PACKED and self._unpacked > _MOST_UNPACKED:
            return
        match kind:
            case b"iCCP":
                yield from _profile(body)
            case b"eXIf":
                yield from self._exif(body)
            case b"tEXt" | b"zTXt" | b"iTXt":
                yield from self._text(kind, body)

    def _exif(self, body: bytes) -> Iterator[bytes]:
        self.turn = turn_of(body) if self.turn is None else self.turn
        kept = b"" if self.exif else exif_credits(body)
        if kept:
            self.exif = kept
            yield _chunk(b"eXIf", kept)

    def _text(self, kind: bytes, body: bytes) -> Iterator[bytes]:
        keyword, _, rest = body.partition(b"\0")
        if keyword not in _KEYWORDS and keyword != _XMP:
            return
        text = _unpack_text(kind, rest, _MOST_XMP if keyword == _XMP else _LONGEST)
        if keyword == _XMP:
            kept = b"" if self.xmp else xmp_credits(text)
            self.xmp = self.xmp or kept
            if kept:
                yield _chunk(b"iTXt", keyword + bytes(5) + kept)
        elif text.strip():
            self.texts.setdefault(_KEYWORDS[keyword], text)
            between = bytes(5) if kind == b"iTXt" else bytes(1)
            yield _chunk(b"iTXt" if kind == b"iTXt" else b"tEXt", keyword + between + text)


def _unpack_text(kind: bytes, rest: bytes, most: int) -> bytes:
    """Return the text of a chunk after its keyword, b"" if it is broken or too long."""
    packed, text = kind == b"zTXt", rest
    if kind == b"zTXt":
        text = rest[1:]
    elif kind == b"iTXt":
        packed = rest[:1] == b"\1"
        *_, text = rest[2:].split(b"\0", 2)
    if packed:
        unpacking = zlib.decompressobj()
        try:
            text = unpacking.decompress(text, most + 1)
        except zlib.error:
            return b""
    return text if len(text) <= most else b""


def _profile(body: bytes) -> Iterator[bytes]:
    """Keep a profile, under its standard's name instead of its own."""
    name, _, packed = body.partition(b"\0")
    profile = unpacked_profile(packed[1:])
    kept = None if profile is None else kept_profile(profile)
    if kept is None:
        return
    if kept == profile:
        yield _chunk(b"iCCP", name + b"\0" + packed)
    else:
        yield _chunk(b"iCCP", name + b"\0\0" + zlib.compress(kept))
