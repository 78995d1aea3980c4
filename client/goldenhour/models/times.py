"""Times: golden hours and the workspace's queue."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenHour:
    """A platform's next golden hour, in the audience's time zone."""

    at: datetime
    hour: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenHours:
    """The next golden hour of each platform, and how active the audience is by hour."""

    platforms: Mapping[str, GoldenHour]
    activity: tuple[int, ...]
    audience_regions: tuple[str, ...]
    timezone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueSlot:
    """A time of the week at which the queue posts; weekday 0 is Monday."""

    id: str
    weekdays: tuple[int, ...]
    time: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueSlots:
    """The workspace's queue times; `next_free` is None when none is free in 60 days."""

    data: tuple[QueueSlot, ...]
    next_free: datetime | None

    def __iter__(self) -> Iterator[QueueSlot]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """Whether the service is up."""

    ok: bool
