"""WebP: picture, animation, transparency and profile stay, credits are rewritten.

Chunks that the format's document does not name are removed, also those inside an animation's
frames, and all bytes after the container. RFC 9649 section 2.
"""

import struct
from collections.abc import Iterator, Sequence
from typing import Final

from chalicelib.domain.media.cleaning.exif_credits import exif_credits, turn_of
from chalicelib.domain.media.cleaning.outcome import CleanPhoto, Credits, UncleanableError
from chalicelib.domain.media.cleaning.profiles import kept_profile
from chalicelib.domain.media.cleaning.xmp_credits import xmp_credits

_HEAD: Final = 12
_CHUNK_HEAD: Final = 8
_FRAME_HEAD: Final = 16
_MOST_CHUNKS: Final = 65_536
_PICTURES: Final = frozenset({b"VP8 ", b"VP8L", b"ALPH"})
_EXTENDED: Final = 10
_HAS_PROFILE, _HAS_EXIF, _HAS_XMP = 0x20, 0x08, 0x04


def clean_webp(data: bytes) -> CleanPhoto:
    """Return the photo without private metadata. Raises UncleanableError."""
    end = int.from_bytes(data[4:8], "little") + _CHUNK_HEAD
    if end > len(data):
        raise UncleanableError
    chunks = list(_chunks(data, _HEAD, end))
    profile = next((kept_profile(body) for kind, body in chunks if kind == b"ICCP"), None)
    exif, xmp = _first(chunks, b"EXIF"), _first(chunks, b"XMP ")
    kept = Credits(exif=exif_credits(exif), xmp=xmp_credits(xmp))
    flags = (
        (_HAS_PROFILE if profile is not None else 0)
        | (_HAS_EXIF if kept.exif else 0)
        | (_HAS_XMP if kept.xmp else 0)
    )
    pieces = [
        piece for kind, body in chunks for piece in _parts_to_keep(kind, body, flags, profile)
    ]
    if chunks[0][0] == b"VP8X":
        pieces += _chunk(b"EXIF", kept.exif) if kept.exif else []
        pieces += _chunk(b"XMP ", kept.xmp) if kept.xmp else []
    length = 4 + sum(len(piece) for piece in pieces)
    whole = b"".join([b"RIFF", struct.pack("<I", length), b"WEBP", *pieces])
    return CleanPhoto(whole, turn_of(exif) if exif else 1, kept)


def _chunks(data: bytes, start: int, end: int) -> Iterator[tuple[bytes, bytes]]:
    at = start
    for _ in range(_MOST_CHUNKS):
        if at + _CHUNK_HEAD > end:
            break
        kind, length = struct.unpack_from("<4sI", data, at)
        if at + _CHUNK_HEAD + length > end:
            raise UncleanableError
        yield kind, data[at + _CHUNK_HEAD : at + _CHUNK_HEAD + length]
        at += _CHUNK_HEAD + length + length % 2
    if at == start or at + _CHUNK_HEAD <= end:
        raise UncleanableError


def _first(chunks: Sequence[tuple[bytes, bytes]], wanted: bytes) -> bytes:
    return next((body for kind, body in chunks if kind == wanted), b"")


def _chunk(kind: bytes, body: bytes) -> list[bytes]:
    return [kind + struct.pack("<I", len(body)), body, bytes(len(body) % 2)]


def _parts_to_keep(kind: bytes, body: bytes, flags: int, profile: bytes | None) -> list[bytes]:
    """Return the kept parts of a chunk."""
    if kind == b"VP8X":
        if len(body) < _EXTENDED:
            raise UncleanableError
        others = body[0] & ~(_HAS_PROFILE | _HAS_EXIF | _HAS_XMP)
        return _chunk(kind, bytes((others | flags,)) + body[1:_EXTENDED])
    if kind == b"ICCP" and profile is not None:
        return _chunk(kind, profile)
    if kind == b"ANMF":
        inner = _chunks(body, _FRAME_HEAD, len(body))
        frame = b"".join(p for k, b in inner if k in _PICTURES for p in _chunk(k, b))
        return _chunk(kind, body[:_FRAME_HEAD] + frame)
    return _chunk(kind, body) if kind in _PICTURES or kind == b"ANIM" else []
