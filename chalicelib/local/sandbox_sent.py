"""What was sent with a post of the sandbox: as JSON, and its bytes (docs/api.md "Sandbox")."""

import asyncio
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from urllib.parse import quote

from chalicelib.domain.platforms.sandbox import SandboxEntry
from chalicelib.kit.json_value import Json
from chalicelib.local.stack_modules import Send
from chalicelib.storage.sandbox_bytes import SandboxFiles

_PIECE = 1_048_576
FILES = ("file", "cover")


def sent_json(entry: SandboxEntry) -> dict[str, Json] | None:
    """Return what the live platform would have received, with an address for each file."""
    if entry.sent is None:
        return None
    with_urls = {which: _with_url(entry, which) for which in FILES}
    return {**entry.sent, **with_urls}


def bytes_of(entry: SandboxEntry, which: str, files: SandboxFiles) -> tuple[Path, str] | None:
    """Return where a post's file or cover is stored and its type, None if it has none."""
    about = None if entry.sent is None or which not in FILES else entry.sent.get(which)
    place = files.place_of(entry.files.get(which, ""))
    if not isinstance(about, Mapping) or place is None or not place.is_file():
        return None
    return place, str(about["mime"])


async def send_bytes(send: Send, place: Path, mime: str, *, body: bool) -> None:
    """Send a file piece by piece."""
    size_bytes = (await asyncio.to_thread(place.stat)).st_size
    headers = {
        "content-type": mime,
        "content-length": str(size_bytes),
        "content-security-policy": "sandbox",
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
    }
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": int(HTTPStatus.OK), "headers": pairs})
    with await asyncio.to_thread(place.open, "rb") as file:
        while body and (piece := await asyncio.to_thread(file.read, _PIECE)):
            await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


def _with_url(entry: SandboxEntry, which: str) -> Json:
    about = None if entry.sent is None else entry.sent.get(which)
    if not isinstance(about, dict):
        return None
    url = f"/sandbox/posts/{quote(entry.remote_id, safe='')}/{which}"
    return {"url": url if which in entry.files else None, **about}
