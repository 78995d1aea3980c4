"""A video's metadata beside its tracks: copyright and author stay, all else is removed.

User data of QuickTime and 3GPP, iTunes' items, QuickTime's keys, and XMP. QuickTime File Format,
"User Data Atoms", "Metadata"; 3GPP TS 26.244 section 8; XMP Specification Part 3 section 1.2.7.
"""

import re
from collections.abc import Sequence
from typing import Final

from chalicelib.domain.media.cleaning.patches import FREE, Patches
from chalicelib.domain.media.cleaning.xmp_credits import xmp_credits
from chalicelib.kit.media_headers.boxes import Box, BoxReader
from chalicelib.kit.media_headers.ranged_file import UnreadableError

SPARE: Final = frozenset({FREE, b"skip", b"wide"})
_XMP_UUID: Final = bytes.fromhex("be7acfcb97a942e89c71999491e3afac")
_CREDITS: Final = frozenset({b"\xa9cpy", b"\xa9ART", b"\xa9aut", b"aART", b"cprt", b"auth"})
_ENCODERS: Final = {b"\xa9too": 16, b"\xa9swr": 4}
"""Where the encoder of the file is named, after this many bytes."""
_FFMPEG: Final = re.compile(rb"Lavf[\d.]*")
_CREDIT_KEYS: Final = re.compile(
    rb"(?:com\.apple\.quicktime\.)?(?:copyright|author|artist|credits?)"
)
_LONGEST: Final = 2_048
_MOST_XMP: Final = 4 * 1024 * 1024


class MovieTags:
    """Cleans the boxes of one file that contain neither picture nor sound."""

    def __init__(self, reader: BoxReader, patches: Patches) -> None:
        self._reader = reader
        self._patches = patches

    def user_data(self, udta: Box) -> None:
        """Clean user data; remove all of it if its parts are not consecutive."""
        children = self._parts(udta, udta.start)
        for box in children:
            if (box.kind in _CREDITS and box.length <= _LONGEST) or self._is_encoder(box):
                continue
            if box.kind == b"meta":
                self.metadata(box)
            elif box.kind == b"XMP_":
                self._xmp(box, box.start)
            else:
                self.drop(box)

    def metadata(self, meta: Box) -> None:
        """Clean a `meta` box, with or without a version before its children."""
        reader, patches = self._reader, self._patches
        is_quicktime = reader.payload(meta, most=8)[4:8] == b"hdlr"
        children = self._parts(meta, meta.start + (0 if is_quicktime else 4))
        keys = next((box for box in children if box.kind == b"keys"), None)
        kept = self._keys(keys) if keys is not None else frozenset()
        for box in children:
            if box.kind == b"ilst":
                self._items(box, kept)
            elif box.kind == b"hdlr":
                patches.blank(box.start + 24, box.end)
            elif box.kind != b"keys":
                self.drop(box)

    def extension(self, uuid: Box) -> None:
        """Clean an extended box: only XMP is known to contain credits."""
        if self._reader.payload(uuid, most=16) == _XMP_UUID:
            self._xmp(uuid, uuid.start + 16)
        else:
            self._patches.free(uuid)

    def drop(self, box: Box) -> None:
        """Replace a box by free space, or keep the allowed part of free space."""
        if box.kind in SPARE:
            self._patches.blank(box.start, box.end)
        else:
            self._patches.free(box)

    def _parts(self, parent: Box, start: int) -> Sequence[Box]:
        try:
            children = list(self._reader.walk(start, parent.end))
        except UnreadableError:
            self._patches.free(parent)
            return []
        self._patches.blank(children[-1].end if children else start, parent.end)
        return children

    def _xmp(self, box: Box, start: int) -> None:
        length = box.end - start
        said = self._reader.file.take(start, length) if length <= _MOST_XMP else b""
        kept = xmp_credits(said)
        if kept and len(kept) <= length:
            self._patches.write(start, kept.ljust(length))
        else:
            self._patches.free(box)

    def _keys(self, keys: Box) -> frozenset[int]:
        """Return the numbers of the keys that stay; the names of the others are removed, too."""
        data = self._reader.payload(keys)
        kept, at, number = set(), 8, 1
        while at + 8 <= len(data):
            size = int.from_bytes(data[at : at + 4])
            if size < 8 or at + size > len(data):  # noqa: PLR2004 - its own head
                break
            name = data[at + 8 : at + size]
            if _CREDIT_KEYS.fullmatch(name):
                kept.add(number)
            else:
                self._patches.write(keys.start + at + 8, b"-" * len(name))
            at, number = at + size, number + 1
        self._patches.blank(keys.start + min(at, len(data)), keys.end)
        return frozenset(kept)

    def _items(self, ilst: Box, kept: frozenset[int]) -> None:
        for item in self._parts(ilst, ilst.start):
            is_credit = item.kind in _CREDITS or int.from_bytes(item.kind) in kept
            if not (is_credit and item.length <= _LONGEST) and not self._is_encoder(item):
                self.drop(item)

    def _is_encoder(self, item: Box) -> bool:
        """Tell whether it names FFmpeg as the encoder, which reveals no device."""
        if item.kind not in _ENCODERS or item.length > _LONGEST:
            return False
        name = self._reader.payload(item)[_ENCODERS[item.kind] :]
        return _FFMPEG.fullmatch(name) is not None
