"""Colour profiles: valid ones stay, except a display's serial number.

An invalid profile, one that is too large, or one with data after its end is removed. ICC.1:2022
section 7.2; `mmod` is Apple's.
"""

import zlib
from typing import Final

MOST_BYTES: Final = 4 * 1024 * 1024
"""Profiles of printing presses have two to three."""
_HEADER: Final = 128
_SIGNATURE_AT: Final = 36
_ID: Final = slice(84, 100)
_TAG: Final = 12
_MOST_TAGS: Final = 256
_MAKE_AND_MODEL: Final = b"mmod"


def kept_profile(profile: bytes) -> bytes | None:
    """Return the cleaned profile, None if there is no valid one."""
    size = int.from_bytes(profile[:4])
    named = profile[_SIGNATURE_AT : _SIGNATURE_AT + 4] == b"acsp"
    if not named or not _HEADER <= size <= min(len(profile), MOST_BYTES):
        return None
    return _without_serial(profile[:size])


def unpacked_profile(packed: bytes) -> bytes | None:
    """Return a profile compressed by zlib, None if it is broken or far too large."""
    unpacking = zlib.decompressobj()
    try:
        profile = unpacking.decompress(packed, MOST_BYTES + 1)
    except zlib.error:
        return None
    return profile if unpacking.eof and len(profile) <= MOST_BYTES else None


def _without_serial(profile: bytes) -> bytes:
    count = min(int.from_bytes(profile[_HEADER : _HEADER + 4]), _MOST_TAGS)
    for number in range(count):
        tag = profile[_HEADER + 4 + number * _TAG :][:_TAG]
        start, size = int.from_bytes(tag[4:8]), int.from_bytes(tag[8:12])
        body = profile[start + 8 : start + size]
        if tag[:4] == _MAKE_AND_MODEL and body.strip(b"\0"):
            rest = profile[start + 8 + len(body) :]
            cleaned = bytearray(profile[: start + 8] + bytes(len(body)) + rest)
            cleaned[_ID] = bytes(16)  # "not computed": the id was computed with the serial number
            return bytes(cleaned)
    return profile
