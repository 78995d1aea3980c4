"""What was sent with a post of the sandbox: as JSON, and its bytes (docs/api.md "Sandbox")."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from http import HTTPStatus
from pathlib import Path
from urllib.parse import quote

from chalicelib.domain.platforms.sandbox import SandboxEntry
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.storage.sandbox_bytes import SandboxFiles

_PIECE = 1_048_576
FILES = ("file", "cover")


def sent_json(entry: SandboxEntry) -> dict[str, Json] | None:
    """Return what the live platform would have received, with an address for each file."""
    if entry.sent is None:
        return None
    with_urls = {which: _with_url(entry, which) for which in FILES}
    return {**entry.sent, **with_urls}


@dataclass(frozen=True, slots=True, kw_only=True)
class SentFile:
    """A file that was sent, and where it is stored."""

    place: Path
    mime: str
    size_bytes: int

    @property
    def head(self) -> Response:
        """Return the answer with the file, without its bytes."""
        headers = {
            "Content-Type": self.mime,
            "Content-Length": str(self.size_bytes),
            "Content-Security-Policy": "sandbox",
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "no-store",
        }
        return Response(status=HTTPStatus.OK, headers=headers)

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield its bytes."""
        with await asyncio.to_thread(self.place.open, "rb") as file:
            while piece := await asyncio.to_thread(file.read, _PIECE):
                yield piece


def find_file(entry: SandboxEntry, which: str, files: SandboxFiles) -> SentFile | None:
    """Return a post's file or cover, None if it has none."""
    about = None if entry.sent is None or which not in FILES else entry.sent.get(which)
    place = files.place_of(entry.files.get(which, ""))
    if not isinstance(about, Mapping) or place is None or not place.is_file():
        return None
    return SentFile(place=place, mime=str(about["mime"]), size_bytes=place.stat().st_size)


def _with_url(entry: SandboxEntry, which: str) -> Json:
    about = None if entry.sent is None else entry.sent.get(which)
    if not isinstance(about, dict):
        return None
    url = f"/sandbox/posts/{quote(entry.remote_id, safe='')}/{which}"
    return {"url": url if which in entry.files else None, **about}
