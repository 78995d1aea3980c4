"""TikTok's upload host on loopback, and the shape of TikTok's answers.

Chunks come one after the other, each with its place in the file; what does not fit is answered with
how much has arrived. `refuses` lets the next chunks be refused with a status.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from tests.connectors.support.fake_platform import Answer, Received, Value, Wrong
from tests.support.frozen_clock import NOON

SMALLEST_CHUNK, LARGEST_CHUNK, LARGEST_LAST = 5_000_000, 64_000_000, 128_000_000
_SPAN = re.compile(r"bytes (\d+)-(\d+)/(\d+)")
_TYPES = {"video/mp4", "video/quicktime", "video/webm"}


@dataclass(slots=True, kw_only=True)
class Post:
    """A post that was begun. `post_id` stands once it can be seen, `failure` once it never can."""

    info: dict[str, Value]
    is_photo: bool
    is_draft: bool = False
    size: int = 0
    chunk: int = 0
    chunks: int = 0
    until: datetime = NOON
    arrived: int = 0
    spans: list[tuple[int, int]] = field(default_factory=list)
    refuses: list[int] = field(default_factory=list)
    counts_by_place: bool = False
    post_id: str | None = None
    failure: str | None = None
    polls: int = 0
    shown_at: datetime = NOON

    @property
    def text(self) -> str:
        """Return the caption."""
        return str(self.info.get("title") or self.info.get("description") or "")

    @property
    def is_public(self) -> bool:
        """Tell whether everybody can see it."""
        return bool(self.info["privacy_level"] == "PUBLIC_TO_EVERYONE")

    def is_planned_well(self, smallest: int) -> bool:
        """Tell whether the chunks are as TikTok wants them."""
        if self.chunks == 1:
            return self.chunk == self.size <= LARGEST_CHUNK
        last = self.size - (self.chunks - 1) * self.chunk
        fits = smallest <= self.chunk <= LARGEST_CHUNK and self.chunk <= last <= LARGEST_LAST
        return fits and 1 <= self.chunks <= 1_000 and self.chunks == self.size // self.chunk


def take_chunk(post: Post, call: Received, now: datetime) -> Answer:
    """Take one chunk, if it is the next."""
    if post.refuses:
        return Answer(post.refuses.pop(0), b"", _arrived(post))
    if now >= post.until:
        return Answer(403, b"")
    span = _SPAN.fullmatch(call.headers["content-range"])
    if span is None or call.headers["content-type"] not in _TYPES:
        return Answer(400, b"")
    first, last, total = map(int, span.groups())
    if post.arrived == post.size or first != post.arrived:
        return Answer(416, b"", _arrived(post))
    is_last = first // post.chunk == post.chunks - 1
    is_whole = last + 1 == (post.size if is_last else first + post.chunk)
    if call.size != last - first + 1 or total != post.size or not is_whole:
        return Answer(400, b"")
    post.arrived = last + 1
    post.spans.append((first, last))
    return Answer(201 if is_last else 206, b"", _arrived(post))


def _arrived(post: Post) -> dict[str, str]:
    told = post.arrived - 1 if post.counts_by_place and post.arrived else post.arrived
    return {"Content-Range": f"bytes 0-{told}/{post.size}"}


def enveloped(data: Value = None, *, code: str = "ok", message: str = "") -> dict[str, Value]:
    """Return an answer's body: every one has both halves."""
    error = {"code": code, "message": message, "log_id": "20261120L1"}
    return {"data": {} if data is None else data, "error": error}


def refuse(status: int, code: str, message: str = "No.") -> Wrong:
    """Return what a fake raises."""
    return Wrong(Answer(status, enveloped(code=code, message=message)))


def require(holds: bool, message: str = "Not taken") -> None:  # noqa: FBT001  # a claim
    """Refuse what does not hold as a wrong parameter."""
    if not holds:
        raise refuse(400, "invalid_params", message)


def require_fields(given: Iterable[str], needed: set[str], known: Iterable[str] = ()) -> None:
    """Refuse what lacks a field or has one that nobody knows."""
    fields = set(given)
    require(needed <= fields, f"{sorted(needed - fields)} is missing")
    require(fields <= needed | set(known), f"{sorted(fields - needed - set(known))} is unknown")
