"""YouTube's resumable uploads on loopback, as the fact sheet has them.

A session takes chunks in order, of a multiple of 256 KiB but for the last, and answers 308 until it
has them all. Bytes that overlap or leave a gap are not stored. A session that is complete says so
again, whoever asks.
"""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.connectors.support.fake_platform import Answer, Received, Value, Wrong
from tests.connectors.youtube.answers import refusal, require

if TYPE_CHECKING:
    from hashlib import _Hash

STEP = 262_144
_BYTES = re.compile(r"bytes (\d+)-(\d+)/(\d+)")
_ASKED = re.compile(r"bytes \*/(\d+)")


@dataclass(slots=True, kw_only=True)
class Session:
    """One upload: what is to become of it, and how much has arrived."""

    resource: Value
    parts: list[str]
    mime: str
    size: int
    arrived: int = 0
    video: str | None = None
    content: "_Hash" = field(default_factory=hashlib.sha256)


class Uploads:
    """Every session; `show` makes a video of one that is complete.

    `keeps_only` cuts what the next chunk leaves behind, `rests` makes it ask for a pause, `moves`
    sends on to another address, `strict` refuses bytes out of place rather than ignoring them.
    """

    def __init__(self, show: Callable[[Session], str], tell: Callable[[Session], Value]) -> None:
        self.sessions: dict[str, Session] = {}
        self.over: set[str] = set()
        self.keeps_only: int | None = None
        self.rests: int | None = None
        self.moves = False
        self.strict = False
        self._show = show
        self._tell = tell

    def open(self, call: Received, url: str) -> Answer:
        """Open a session."""
        require(call.query.get("uploadType") == "resumable", "badRequest")
        mime, size = call.headers["x-upload-content-type"], call.headers["x-upload-content-length"]
        require(mime.startswith("video/") or mime == "application/octet-stream", "badContent")
        require(int(size) > 0, "mediaBodyRequired")
        session = Session(
            resource=call.json, parts=call.query["part"].split(","), mime=mime, size=int(size)
        )
        name = f"UPL{77 + len(self.sessions)}"
        self.sessions[name] = session
        return Answer(200, b"", {"Location": _address(url, name, call.query["part"])})

    def receive(self, call: Received, url: str) -> Answer:
        """Take a chunk, or tell how much has arrived."""
        name = call.query["upload_id"].removesuffix("-moved")
        if name in self.over or name not in self.sessions:
            raise Wrong(refusal(404, "notFound"))
        session = self.sessions[name]
        said = call.headers.get("content-range", f"bytes 0-{session.size - 1}/{session.size}")
        asked, sent = _ASKED.fullmatch(said), _BYTES.fullmatch(said)
        if asked is not None:
            require((int(asked[1]), call.size) == (session.size, 0), "badContent")
        elif sent is not None:
            self._take(session, call, int(sent[1]), int(sent[2]) + 1, int(sent[3]))
        else:
            raise Wrong(refusal(400, "badContent"))
        if session.video is not None:
            return Answer(201, self._tell(session))
        return self._incomplete(session, call, url, name)

    def _take(self, session: Session, call: Received, start: int, end: int, total: int) -> None:
        require((total, end - start) == (session.size, call.size), "badContent")
        # Google's own client names the type when it opens the session, and not again.
        require(call.headers.get("content-type", session.mime) == session.mime, "badContent")
        require(end == total or call.size % STEP == 0, "badContent")
        if session.video is not None:
            return
        if start != session.arrived:
            require(not self.strict, "invalidContentRange")
            return
        kept, self.keeps_only = (self.keeps_only or call.size), None
        session.content.update(call.body[:kept])
        session.arrived += min(kept, call.size)
        if session.arrived == session.size:
            session.video = self._show(session)

    def _incomplete(self, session: Session, call: Received, url: str, name: str) -> Answer:
        headers = {"Range": f"bytes=0-{session.arrived - 1}"} if session.arrived else {}
        if self.rests is not None:
            headers["Retry-After"] = str(self.rests)
        if self.moves and not call.query["upload_id"].endswith("-moved"):
            headers["Location"] = _address(url, f"{name}-moved", call.query["part"])
        return Answer(308, b"", headers)


def _address(url: str, name: str, part: str) -> str:
    query = f"uploadType=resumable&upload_id={name}&part={part}"
    return f"{url}/upload/youtube/v3/videos?{query}"
