"""A workspace's fair share of a stage's requests in each window of ten seconds."""

from datetime import UTC, datetime, timedelta

from chalicelib.kit.dataclass import dataclass

WINDOW = timedelta(seconds=10)
TOGETHER = 5
"""How many requests a process counts by itself before it adds them to those of all processes."""


@dataclass(frozen=True, slots=True)
class FairShare:
    """How many requests a second one workspace may send in the long run."""

    a_second: int

    @property
    def in_a_window(self) -> int:
        """Return how many requests one window allows."""
        return self.a_second * int(WINDOW.total_seconds())


def window_of(now: datetime) -> datetime:
    """Return the beginning of the window that contains `now`, in UTC."""
    long_s = WINDOW.total_seconds()
    return datetime.fromtimestamp(now.timestamp() // long_s * long_s, UTC)
