"""How a video is cut up: developers.tiktok.com/doc/content-posting-api-media-transfer-guide.

A chunk has 5 to 64 MB, and the last takes what is left over, up to 128 MB. A megabyte is 10^6
bytes here, the smaller reading. A single chunk is as long as the file says: since August 2026
TikTok refuses one chunk that is announced shorter than the file.
"""

import re
from dataclasses import dataclass
from datetime import timedelta

from chalicelib.connectors.connector import CALL_DEADLINE
from chalicelib.connectors.shared.transport.responses import PlatformResponse

_ARRIVED = re.compile(r"bytes 0-(\d+)/\d+")
_SLOWEST_BYTES_PER_S = 500_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkSizes:
    """Up to where a file goes in one piece, and how long the pieces are beyond that."""

    whole_bytes: int = 64_000_000
    chunk_bytes: int = 10_000_000

    def plan(self, size_bytes: int) -> "ChunkPlan":
        """Return how a file of this size is sent."""
        if size_bytes <= self.whole_bytes:
            return ChunkPlan(size_bytes=size_bytes, chunk_bytes=size_bytes, chunks=1)
        chunks = size_bytes // self.chunk_bytes
        return ChunkPlan(size_bytes=size_bytes, chunk_bytes=self.chunk_bytes, chunks=chunks)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkPlan:
    """One file's chunks, counted from zero."""

    size_bytes: int
    chunk_bytes: int
    chunks: int

    def is_last(self, place: int) -> bool:
        """Tell whether the chunk there completes the file."""
        return place >= self.chunks - 1

    def span(self, place: int) -> tuple[int, int]:
        """Return where a chunk begins, and how long it is."""
        offset = place * self.chunk_bytes
        return offset, (self.size_bytes - offset if self.is_last(place) else self.chunk_bytes)

    def content_range(self, place: int) -> str:
        """Return a chunk's place as HTTP spells it."""
        offset, length = self.span(place)
        return f"bytes {offset}-{offset + length - 1}/{self.size_bytes}"

    def place_after(self, arrived_bytes: int) -> int | None:
        """Return the chunk to send next after so many bytes; `chunks` after all of them.

        TikTok's header has been read as a count and as the last byte's place: both are understood.
        None for what is no boundary of this plan.
        """
        if arrived_bytes > 0 and arrived_bytes in (self.size_bytes, self.size_bytes - 1):
            return self.chunks
        for count in (arrived_bytes, arrived_bytes + 1):
            place, rest = divmod(count, self.chunk_bytes)
            if rest == 0 and place < self.chunks:
                return place
        return None

    @property
    def last_deadline(self) -> timedelta:
        """Return how long the last chunk may take: it may be the whole file, on a slow line."""
        _, length = self.span(self.chunks - 1)
        return CALL_DEADLINE + timedelta(seconds=length // _SLOWEST_BYTES_PER_S)


def arrived_bytes(response: PlatformResponse) -> int | None:
    """Return how much an answer's header says has arrived."""
    found = _ARRIVED.fullmatch(response.headers.get("Content-Range", "").strip())
    return None if found is None else int(found[1])
