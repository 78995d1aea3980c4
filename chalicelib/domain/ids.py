"""Ids of everything the service makes: 32 lowercase hex characters in UUIDv7 layout.

The first 48 bits are the creation time in milliseconds, so "newest first" is a key query and an
id alone tells when its thing was made. SPEC "Conventions".
"""

import re
import secrets
from datetime import UTC, datetime

_ID = re.compile(r"[0-9a-f]{32}")
_VERSION_7 = 0x7 << 76
_VARIANT = 0b10 << 62


def new_id(now: datetime) -> str:
    """Return a new random id that sorts after every id made in an earlier millisecond."""
    milliseconds = int(now.timestamp() * 1000) & ((1 << 48) - 1)
    high = secrets.randbits(12) << 64
    low = secrets.randbits(62)
    return f"{milliseconds << 80 | _VERSION_7 | high | _VARIANT | low:032x}"


def is_id(text: str) -> bool:
    """Tell whether the text has the form of an id; anything else is simply not found."""
    return _ID.fullmatch(text) is not None


def made_at(identifier: str) -> datetime:
    """Return the moment (UTC) that stands in an id."""
    return datetime.fromtimestamp((int(identifier, 16) >> 80) / 1000, UTC)
