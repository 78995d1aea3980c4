"""What the sandbox platform remembers: a store of its own, outside everything that may crash.

Locally it is a file beside the emulator (`storage/sandbox_file.py`), deployed a table of its own
(`storage/sandbox_table.py`). It never deduplicates: it is the fair judge of what went out.
"""

from typing import Protocol

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.sandbox import SandboxEntry


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
