"""Adobe RGB as cameras tell it: by EXIF alone, which leaves no photo; a profile says it as well.

DCF 2.0 (CIPA DC-009), section 4.3: the space is 65,535 (none of the known ones) and the index of
interoperability is R03. Some cameras write 2 as the space, which no standard names.
"""

import struct
from functools import cache
from typing import Final

from chalicelib.kit.colours.icc_profiles import rgb_profile

_PREFIX: Final = b"Exif\0\0"
_EXIF_DIRECTORY: Final = 0x8769
_INTEROPERABILITY: Final = 0xA005
_COLOUR_SPACE: Final = 0xA001
_INDEX: Final = 0x0001
_UNCALIBRATED, _ADOBE = 65_535, 2
_ENTRY: Final = 12
_MOST_ENTRIES: Final = 512


def profile_by_exif(block: bytes) -> bytes:
    """Return the profile of what a TIFF block says of a photo's colours, b"" for sRGB."""
    tiff = block.removeprefix(_PREFIX)
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(tiff[:4])
    if order is None:
        return b""
    try:
        return _adobe_rgb() if _is_adobe_rgb(tiff, order) else b""
    except struct.error:
        return b""


def _is_adobe_rgb(tiff: bytes, order: str) -> bool:
    first = _entries(tiff, order, *struct.unpack_from(f"{order}I", tiff, 4))
    told = _directory(tiff, order, first, _EXIF_DIRECTORY)
    if _COLOUR_SPACE not in told:
        return False
    (space,) = struct.unpack_from(f"{order}H", tiff, told[_COLOUR_SPACE])
    if space != _UNCALIBRATED:
        return bool(space == _ADOBE)
    index = _directory(tiff, order, told, _INTEROPERABILITY).get(_INDEX)
    return index is not None and tiff[index : index + 3] == b"R03"


def _directory(tiff: bytes, order: str, of: dict[int, int], tag: int) -> dict[int, int]:
    """Return the directory that a tag of another one leads to, an empty one where none does."""
    if tag not in of:
        return {}
    return _entries(tiff, order, *struct.unpack_from(f"{order}I", tiff, of[tag]))


def _entries(tiff: bytes, order: str, start: int) -> dict[int, int]:
    """Return where the value of each tag of a directory stands, or the way to it."""
    (count,) = struct.unpack_from(f"{order}H", tiff, start)
    places = [start + 2 + number * _ENTRY for number in range(min(count, _MOST_ENTRIES))]
    return {struct.unpack_from(f"{order}H", tiff, at)[0]: at + 8 for at in places}


@cache
def _adobe_rgb() -> bytes:
    """Adobe RGB (1998) 4.3.1: white, red, green and blue by x and y, and the exponent 563/256."""
    made = rgb_profile((0.3127, 0.3290), ((0.64, 0.33), (0.21, 0.71), (0.15, 0.06)), 563 / 256)
    return made or b""
