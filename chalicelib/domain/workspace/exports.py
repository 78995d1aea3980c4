"""An export that an owner asked for in the app: how far it is, and how long it can be had.

`services/operator/export_requests` makes it, part by part. There is one of a workspace at a time.
"""

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime, timedelta
from typing import Final

from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.kit.dataclass import dataclass

KEPT: Final = timedelta(days=7)
MOST_TRIES: Final = 5
"""So often a part is begun before the export is given up, and its owner told."""


class ExportUnderWayError(OperatorError):
    """An export is being made already. Wait until it is ready."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPart:
    """A zip that is whole: the name of its object, and how large it is."""

    name: str
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest:
    """What is kept of an export: ids and numbers, no names.

    `source` and `after` say where it goes on. `tries` counts how often the next part was begun;
    `version` refuses whoever works on what another one has changed.
    """

    workspace_id: str
    id: str
    member_id: str
    asked_at: datetime
    source: str = ""
    after: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    parts: tuple[ExportPart, ...] = ()
    tries: int = 0
    ended_at: datetime | None = None
    failed_at: datetime | None = None
    told_at: datetime | None = None
    version: int = 1

    @property
    def over_at(self) -> datetime | None:
        """When nothing is left to be done; None while it is being made."""
        return self.ended_at or self.failed_at

    @property
    def ends_at(self) -> datetime | None:
        """When it can no longer be had; None while it is being made."""
        return None if self.over_at is None else self.over_at + KEPT

    def has_ended(self, now: datetime) -> bool:
        """Tell whether it can no longer be had."""
        return self.ends_at is not None and now >= self.ends_at

    def can_be_had(self, now: datetime) -> bool:
        """Tell whether its parts can be had."""
        return self.ended_at is not None and not self.has_ended(now)

    @property
    def size_bytes(self) -> int:
        """How large its parts are together."""
        return sum(part.size_bytes for part in self.parts)
