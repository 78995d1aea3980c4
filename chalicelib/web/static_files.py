"""Style, scripts and the drawing library, served from this origin and kept by browsers for a year.

An address carries the beginning of its file's SHA-256, so a new release is fetched at once. Where
the libraries come from and what their checksums are is in `static/README.md`; a test holds it.
"""

import hashlib
from functools import cache
from pathlib import Path

from chalicelib.web.messages import Answer

_FOLDER = Path(__file__).parent / "static"
_TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
_NOT_FOUND = Answer(status=404, headers={"Content-Type": "text/plain"}, body=b"Not found.\n")


@cache
def _read(name: str) -> bytes | None:
    path = _FOLDER / name
    return path.read_bytes() if path.parent == _FOLDER and path.is_file() else None


@cache
def versioned(name: str) -> str:
    """Return the address of a static file."""
    data = _read(name) or b""
    return f"/app/static/{name}?v={hashlib.sha256(data).hexdigest()[:12]}"


def serve(name: str) -> Answer:
    """Answer with a static file."""
    kind = _TYPES.get(Path(name).suffix)
    data = _read(name) if kind is not None else None
    if kind is None or data is None:
        return _NOT_FOUND
    headers = {"Content-Type": kind, "Cache-Control": "public, max-age=31536000, immutable"}
    return Answer(headers=headers, body=data)
