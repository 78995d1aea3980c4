"""Bytes as text for addresses, cookies and headers: RFC 4648's URL-safe Base64 without padding."""

import base64


def encode(raw: bytes) -> str:
    """Return bytes as text of letters, digits, `-` and `_`."""
    return base64.urlsafe_b64encode(raw).decode("ascii").rstrip("=")


def decode(text: str) -> bytes:
    """Return the bytes of a text. Raises ValueError for what is no such text."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
