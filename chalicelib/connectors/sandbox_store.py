"""What the sandbox platform remembers: a store of its own, outside everything that may crash.

Locally it is a file beside the emulator (`local/sandbox_store.py`), deployed a table of its own
(`storage/sandbox_store.py`). It never deduplicates: it is the fair judge of what went out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from chalicelib.domain.outcome import Json
from chalicelib.domain.platforms import Platform


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxEntry:
    """One post that the sandbox platform took.

    `visible_at` is from when on a look finds it; `removed` tells that it was deleted there.
    """

    remote_id: str
    account_id: str
    platform: Platform
    handle: str
    caption: str
    media_id: str | None
    media_kind: str | None
    options: Mapping[str, Json] = field(default_factory=dict)
    target_id: str
    created_at: datetime
    visible_at: datetime
    removed: bool = False


class SandboxStore(Protocol):
    """A durable store: what `take` accepted is there after any crash."""

    def take(self, entry: SandboxEntry) -> None:
        """Keep a post, durably, before returning."""
        ...

    def find(self, account_id: str, target_id: str) -> list[SandboxEntry]:
        """Return what was taken for a target, oldest first, removed ones too."""
        ...

    def get(self, platform: Platform, remote_id: str) -> SandboxEntry | None:
        """Return one post, or None."""
        ...

    def remove(self, platform: Platform, remote_id: str) -> bool:
        """Mark a post as deleted; tell whether it was there and live."""
        ...

    def bump(self, key: str) -> int:
        """Count up a durable counter and return its new value, starting at 1."""
        ...
