"""An export that an owner requested in the app: its progress, and until when it can be downloaded.

`services/operator/export_requests` makes it, part by part. A workspace has one at a time.
"""

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime, timedelta
from typing import Final

from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.kit.dataclass import dataclass

KEPT: Final = timedelta(days=7)
MOST_TRIES: Final = 5
"""How often a part is begun before the export is given up, and its owner notified."""


class ExportUnderWayError(OperatorError):
    """An export is being made already. Wait until it is ready."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPart:
    """A complete zip: the name of its object, and its size."""

    name: str
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest:
    """An export's stored state: ids and numbers, no names.

    `source` and `after` say where it continues. `tries` counts how often the next part was begun;
    `version` refuses a process whose state another one has changed.
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
        """When it was complete or given up; None while it is being made."""
        return self.ended_at or self.failed_at

    @property
    def ends_at(self) -> datetime | None:
        """When it can no longer be downloaded; None while it is being made."""
        return None if self.over_at is None else self.over_at + KEPT

    def has_ended(self, now: datetime) -> bool:
        """Tell whether it can no longer be downloaded."""
        return self.ends_at is not None and now >= self.ends_at

    def can_be_had(self, now: datetime) -> bool:
        """Tell whether its parts can be downloaded."""
        return self.ended_at is not None and not self.has_ended(now)

    @property
    def size_bytes(self) -> int:
        """The total size of its parts."""
        return sum(part.size_bytes for part in self.parts)
