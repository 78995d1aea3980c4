"""Photos that cost little to send and much to decode."""

import io

from PIL import Image

_SCAN = bytes.fromhex("ffda 0008 01 01 00 01 3f 00".replace(" ", ""))
"""The header of a progressive scan of one component's details; nothing follows it."""


def of_many_scans(count: int, side: int = 4_000) -> bytes:
    """Return a progressive JPEG with so many empty scans: each walks through the whole picture."""
    out = io.BytesIO()
    Image.new("RGB", (side, side), "white").save(out, "JPEG", progressive=True, quality=30)
    photo = out.getvalue()
    assert photo.endswith(b"\xff\xd9")
    return photo[:-2] + _SCAN * count + photo[-2:]
