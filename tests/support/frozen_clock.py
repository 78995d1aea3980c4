"""A clock that stands still until a test moves it."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@dataclass(slots=True)
class FrozenClock:
    """Calling it returns `now`; `pass_time` moves it."""

    now: datetime = NOON

    def __call__(self) -> datetime:
        return self.now

    def pass_time(self, time: timedelta) -> None:
        """Let time go by."""
        self.now += time
