"""JPEG: picture, colours and credits are written anew, and the file ends where the picture ends.

If only EXIF says that the colours are Adobe RGB, a profile says so instead. Every other segment is
removed, known or not: EXIF with its location, thumbnails and maker notes, XMP and its
continuations, MPF, comments. So is everything after the end: clips, second pictures, gain maps.
ITU-T T.81 annex B; ICC.1 annex B.4.
"""

import re
from typing import Final

from chalicelib.domain.media.cleaning.exif_credits import exif_credits, turn_of
from chalicelib.domain.media.cleaning.iptc_credits import PHOTOSHOP, iptc_credits
from chalicelib.domain.media.cleaning.outcome import CleanPhoto, Credits, UncleanableError
from chalicelib.domain.media.cleaning.profiles import MOST_BYTES, kept_profile
from chalicelib.domain.media.cleaning.xmp_credits import xmp_credits
from chalicelib.kit.colours.exif_colours import profile_by_exif
from chalicelib.kit.media_headers.exif import EXIF_PREFIX
from chalicelib.kit.media_headers.jpeg import MOST_STRAY_BYTES, find_marker

_SOI, _EOI = b"\xff\xd8", b"\xff\xd9"
_APP0, _APP1, _APP2, _APP13, _APP14 = 0xE0, 0xE1, 0xE2, 0xED, 0xEE
_SCAN, _END = 0xDA, 0xD9
_PICTURE: Final = frozenset({*range(0xC0, 0xD0), *range(0xDA, 0xE0)} - {0xC8})
_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_BANDS_AT: Final = 7
_COLOURED: Final = 3
_ALONE: Final = frozenset({0x01, *range(0xD0, 0xD8)})
_NEXT_MARKER: Final = re.compile(rb"\xff[\x01-\xcf\xd8-\xfe]")
_XMP: Final = b"http://ns.adobe.com/xap/1.0/\0"
_ICC: Final = b"ICC_PROFILE\0"
_ICC_HEAD: Final = len(_ICC) + 2
_LONGEST: Final = 65_533
_MOST_PARTS: Final = 16_384
"""Segments before, between and behind the scans; restart marks are no parts."""


def clean_jpeg(data: bytes) -> CleanPhoto:
    """Return the photo without private metadata. Raises UncleanableError."""
    walk = _Walk(data)
    walk.to_the_end()
    return walk.result()


def with_credits(jpeg: bytes, kept: Credits) -> bytes:
    """Return a JPEG that an encoder wrote, with credits behind its first marker."""
    return jpeg[:2] + credit_segments(kept) + jpeg[2:]


def credit_segments(kept: Credits) -> bytes:
    """Return the segments that carry credits."""
    blocks = (
        (_APP1, EXIF_PREFIX, kept.exif),
        (_APP1, _XMP, kept.xmp),
        (_APP13, PHOTOSHOP, kept.iptc),
    )
    return b"".join(_segment(marker, name + block) for marker, name, block in blocks if block)


def _segment(marker: int, payload: bytes) -> bytes:
    if len(payload) > _LONGEST:
        return b""
    return bytes((0xFF, marker)) + (len(payload) + 2).to_bytes(2) + payload


class _Walk:
    """One pass through a file; kept parts are gathered in `_pieces`."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._view = memoryview(data)
        self._pieces: list[bytes | memoryview] = []
        self._head = b""
        self._profile: list[bytes] = []
        self._turn: int | None = None
        self._bands = 0
        self._told_profile = self._exif = self._xmp = self._iptc = b""

    def result(self) -> CleanPhoto:
        kept = Credits(exif=self._exif, xmp=self._xmp, iptc=self._iptc)
        head = [_SOI, self._head, credit_segments(kept), self._colours()]
        return CleanPhoto(b"".join([*head, *self._pieces]), self._turn or 1, kept)

    def to_the_end(self) -> None:
        data, at, shown = self._data, 2, False
        for _ in range(_MOST_PARTS):
            marker, at = self._marker(at)
            if marker == _END and shown:
                self._pieces.append(_EOI)
                return
            if marker in _ALONE:
                continue
            length = int.from_bytes(data[at : at + 2])
            end = at + length
            if marker == _END or length < 2 or end > len(data):  # noqa: PLR2004 - it counts itself
                raise UncleanableError
            if marker in _FRAMES and length > _BANDS_AT:
                self._bands = self._bands or data[at + _BANDS_AT]
            if marker in _PICTURE:
                self._pieces += [bytes((0xFF, marker)), self._view[at:end]]
            else:
                self._take(marker, data[at + 2 : end])
            at = end
            if marker == _SCAN:
                shown, at = True, self._pixels(at)
        raise UncleanableError

    def _marker(self, at: int) -> tuple[int, int]:
        """Return the next marker and where it ends; stray bytes before it are dropped."""
        found = find_marker(self._view[at : at + MOST_STRAY_BYTES])
        if found is None:
            raise UncleanableError
        return found[0], at + found[1]

    def _pixels(self, at: int) -> int:
        """Keep what is packed here and return where the next marker is."""
        found = _NEXT_MARKER.search(self._data, at)
        if found is None:
            raise UncleanableError
        self._pieces.append(self._view[at : found.start()])
        return found.start()

    def _take(self, marker: int, payload: bytes) -> None:
        """Keep the allowed part of a segment outside the picture."""
        if marker == _APP0 and payload.startswith(b"JFIF\0") and len(payload) >= 14:  # noqa: PLR2004
            self._head = self._head or _segment(_APP0, payload[:12] + bytes(2))
        elif marker == _APP14 and payload.startswith(b"Adobe"):
            self._pieces.append(_segment(_APP14, payload[:12]))
        elif marker == _APP1 and payload.startswith(EXIF_PREFIX):
            self._turn = turn_of(payload) if self._turn is None else self._turn
            self._exif = self._exif or exif_credits(payload)
            self._told_profile = self._told_profile or profile_by_exif(payload)
        elif marker == _APP1 and payload.startswith(_XMP):
            self._xmp = self._xmp or xmp_credits(payload.removeprefix(_XMP))
        elif marker == _APP13 and payload.startswith(PHOTOSHOP):
            self._iptc = self._iptc or iptc_credits(payload)
        elif marker == _APP2 and payload.startswith(_ICC):
            self._profile.append(payload)

    def _colours(self) -> bytes:
        """Return the profile's segments, unchanged if all of it may stay."""
        if not self._profile and self._bands == _COLOURED and self._told_profile:
            return _segment(_APP2, _ICC + b"\1\1" + self._told_profile)
        parts = sorted(self._profile, key=lambda part: part[len(_ICC) : _ICC_HEAD])
        whole = b"".join(part[_ICC_HEAD:] for part in parts)
        profile = kept_profile(whole) if len(whole) <= MOST_BYTES else None
        if profile is None:
            return b""
        if profile != whole:
            room = _LONGEST - _ICC_HEAD
            pieces = [profile[at : at + room] for at in range(0, len(profile), room)]
            parts = [
                _ICC + bytes((number, len(pieces))) + piece
                for number, piece in enumerate(pieces, start=1)
            ]
        return b"".join(_segment(_APP2, part) for part in parts)
