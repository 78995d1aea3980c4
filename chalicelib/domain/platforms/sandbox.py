"""A post as the sandbox platform keeps it: what test accounts have published.

The sandbox connector makes it, its store keeps it, the local stack's pages show it (docs/api.md
"Sandbox").
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from chalicelib.domain.outcome import Json
from chalicelib.domain.platforms.platform import Platform


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
