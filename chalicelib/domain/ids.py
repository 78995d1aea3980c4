"""Ids of everything the service makes: 32 lowercase hex characters in UUIDv7 layout.

They begin with the creation time, 48 bits of milliseconds and 12 of the fraction of one, so "newest
first" is a key query and an id alone tells when it was made. docs/api.md "Conventions".
"""

import re
import secrets
from datetime import UTC, datetime, timedelta

_ID = re.compile(r"[0-9a-f]{32}")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_VERSION_7 = 0x7 << 76
_VARIANT = 0b10 << 62


def new_id(now: datetime) -> str:
    """Return a new random id that sorts after every id made in an earlier microsecond."""
    return _id(now, secrets.randbits(62))


def id_with(at: datetime, random: bytes) -> str:
    """Return the id that follows from an instant and 8 bytes or more: always the same one."""
    return _id(at, int.from_bytes(random[:8]) >> 2)


def _id(now: datetime, random: int) -> str:
    microseconds = (now - _EPOCH) // _MICROSECOND
    milliseconds, rest = divmod(microseconds, 1000)
    fraction = rest * 4096 // 1000
    time = (milliseconds & ((1 << 48) - 1)) << 80 | fraction << 64
    return f"{time | _VERSION_7 | _VARIANT | random:032x}"


def is_id(text: str) -> bool:
    """Tell whether the text has the form of an id; anything else is simply not found."""
    return _ID.fullmatch(text) is not None


def made_at(identifier: str) -> datetime:
    """Return the time (UTC) in an id."""
    return datetime.fromtimestamp((int(identifier, 16) >> 80) / 1000, UTC)
