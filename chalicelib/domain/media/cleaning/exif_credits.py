"""EXIF: a photo's maker, copyright and orientation; nothing else is read or kept.

A new TIFF block of two or three entries is written, so that no thumbnail, maker note or unknown
directory remains. CIPA DC-008, TIFF 6.0 sections 2 and 8.
"""

import struct
from collections.abc import Iterator, Mapping
from typing import Final

from chalicelib.kit.media_headers.exif import EXIF_PREFIX

ARTIST: Final = 0x013B
COPYRIGHT: Final = 0x8298
_XP_AUTHOR: Final = 0x9C9D
_ORIENTATION: Final = 0x0112
_BYTE, _ASCII, _SHORT, _UTF8 = 1, 2, 3, 129
_KEPT: Final = {ARTIST: {_ASCII, _UTF8}, COPYRIGHT: {_ASCII, _UTF8}, _XP_AUTHOR: {_BYTE}}
_LONGEST: Final = 2_048
_MOST_ENTRIES: Final = 512
_INLINE: Final = 4
_ENTRY: Final = 12
_TURNS: Final = range(2, 9)


def turn_of(block: bytes) -> int:
    """Return the orientation in a TIFF block, 1 if missing or invalid."""
    tiff, order = _without_prefix(block)
    for tag, kind, count, at in _entries(tiff, order):
        if tag == _ORIENTATION and kind == _SHORT and count == 1:
            (value,) = struct.unpack_from(f"{order}H", tiff, at)
            return int(value) if value in _TURNS else 1
    return 1


def exif_credits(block: bytes) -> bytes:
    """Return a TIFF block with the credits of this one alone, b"" if it has none."""
    tiff, order = _without_prefix(block)
    found: dict[int, tuple[int, bytes]] = {}
    for tag, kind, count, at in _entries(tiff, order):
        if tag not in found and kind in _KEPT.get(tag, ()) and 0 < count <= _LONGEST:
            where = at
            if count > _INLINE:
                (where,) = struct.unpack_from(f"{order}I", tiff, at)
            value = tiff[where : where + count]
            if len(value) == count and value.strip(b"\0 "):
                found[tag] = (kind, value)
    return _block_of(found)


def exif_of(texts: Mapping[int, bytes]) -> bytes:
    """Return a TIFF block of texts by tag, b"" for none."""
    return _block_of({tag: (_ASCII, text + b"\0") for tag, text in texts.items() if text})


def _without_prefix(block: bytes) -> tuple[bytes, str]:
    tiff = block.removeprefix(EXIF_PREFIX)
    return tiff, {b"II*\0": "<", b"MM\0*": ">"}.get(tiff[:4], "")


def _entries(tiff: bytes, order: str) -> Iterator[tuple[int, int, int, int]]:
    """Yield (tag, type, count, where the value or its offset stands) of the first directory."""
    if not order:
        return
    try:
        (directory,) = struct.unpack_from(f"{order}I", tiff, 4)
        (entries,) = struct.unpack_from(f"{order}H", tiff, directory)
        for number in range(min(entries, _MOST_ENTRIES)):
            at = directory + 2 + number * _ENTRY
            tag, kind, count, _ = struct.unpack_from(f"{order}HHII", tiff, at)
            yield tag, kind, count, at + 8
    except struct.error:
        return


def _block_of(found: Mapping[int, tuple[int, bytes]]) -> bytes:
    if not found:
        return b""
    entries, values = b"", b""
    behind = 8 + 2 + _ENTRY * len(found) + 4
    for tag, (kind, value) in sorted(found.items()):
        place = value.ljust(_INLINE, b"\0")
        if len(value) > _INLINE:
            place = struct.pack(">I", behind + len(values))
            values += value + b"\0" * (len(value) % 2)
        entries += struct.pack(">HHI", tag, kind, len(value)) + place
    return b"MM\0*" + struct.pack(">IH", 8, len(found)) + entries + bytes(4) + values
