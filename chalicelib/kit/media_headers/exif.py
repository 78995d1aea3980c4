"""Whether a picture is turned by 90 or 270 degrees, the only thing read from EXIF.

It is called with the TIFF block of JPEG, PNG and WebP files. A broken block means "not turned":
cameras and editors write broken ones, and viewers ignore them too. CIPA DC-008 section 4.6.
"""

import struct

_ORIENTATION = 0x0112
_SHORT = 3
_ON_ITS_SIDE = frozenset({5, 6, 7, 8})
_MOST_ENTRIES = 512
_ENTRY_BYTES = 12
EXIF_PREFIX = b"Exif\0\0"


def is_on_its_side(block: bytes) -> bool:
    """Tell whether the orientation in a TIFF block swaps width and height."""
    tiff = block.removeprefix(EXIF_PREFIX)
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(tiff[:4])
    if order is None:
        return False
    try:
        return _orientation(tiff, order) in _ON_ITS_SIDE
    except struct.error:
        return False


def _orientation(tiff: bytes, order: str) -> int:
    (directory,) = struct.unpack_from(f"{order}I", tiff, 4)
    (entries,) = struct.unpack_from(f"{order}H", tiff, directory)
    for number in range(min(entries, _MOST_ENTRIES)):
        at = directory + 2 + number * _ENTRY_BYTES
        tag, kind, _, value = struct.unpack_from(f"{order}HHIH", tiff, at)
        if tag == _ORIENTATION and kind == _SHORT:
            return int(value)
    return 1
