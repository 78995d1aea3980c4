"""Which rules of time zones are in use, and whether they are old.

Countries change their clocks with a few weeks' notice, several a year. Old rules send a post an
hour early or late, without any other sign.
"""

import zoneinfo
from collections.abc import Iterator
from dataclasses import field
from datetime import UTC, date, datetime, timedelta

import tzdata

from chalicelib.doctor.examination import Finding, fine, warning
from chalicelib.domain.clock import Clock
from chalicelib.kit.dataclass import dataclass

PINNED, RELEASED = "2026f", date(2026, 10, 28)
"""What requirements.txt pins, and when IANA released it (NEWS.md of the package tzdata)."""

OLD = timedelta(days=180)
SUBJECT = "time zones"
_RENEW = (
    "Use a newer release of goldenhour; where there is none, install a newer tzdata beside it:"
    " pip install -U tzdata."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneChecks:
    """The rules of this process."""

    clock: Clock
    version: str = field(default_factory=lambda: str(tzdata.IANA_VERSION))

    def run(self) -> Iterator[Finding]:
        """Report their version and age."""
        if zoneinfo.TZPATH:
            message = f"Zones are read from {', '.join(zoneinfo.TZPATH)}, not from tzdata."
            yield warning(SUBJECT, message, "Start the service by its own commands.")
            return
        released = release_date(self.version)
        age = self.clock() - datetime(released.year, released.month, released.day, tzinfo=UTC)
        message = f"rules {self.version} of {released:%d %b %Y}, {age.days} days old"
        if age > OLD:
            yield warning(SUBJECT, f"{message}: zones may have changed since.", _RENEW)
        else:
            yield fine(SUBJECT, message)


def release_date(version: str) -> date:
    """Return when rules were released; for an unknown version, the earliest possible date."""
    if version == PINNED:
        return RELEASED
    new_year = date(int(version[:4]), 1, 1)
    return max(RELEASED, new_year) if version > PINNED else new_year
