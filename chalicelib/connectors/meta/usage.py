"""How much of Meta's quota is gone, as the headers of each answer tell it.

developers.facebook.com/docs/graph-api/overview/rate-limiting. X-App-Usage is the application's,
X-Business-Use-Case-Usage that of the accounts it names; both are in percent. Close to the end of
it figures are left alone, so that posts still get through.
"""

import json
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta

from chalicelib.connectors.transport.responses import count
from chalicelib.domain.outcome import Json

_CROWDED_PERCENT = 90
_REST = timedelta(minutes=15)
"""How long to rest when the header names no time."""

_PERCENTS = ("call_count", "total_cputime", "total_time")
_APPLICATION = ""
Headers = Mapping[str, str]


class Usage:
    """What was told last, by account; shared by threads, each of which only ever sets one key."""

    def __init__(self) -> None:
        self._until: dict[str, datetime] = {}

    def note(self, headers: Headers, now: datetime) -> None:
        """Remember who has used up nearly everything."""
        for whose, row in _rows(headers):
            if max(count(row, name) for name in _PERCENTS) > _CROWDED_PERCENT:
                self._until[whose] = now + (_named(row) or _REST)

    def rest(self, accounts: Collection[str], now: datetime) -> timedelta | None:
        """Return how long these accounts are better left alone, None if they need not be."""
        ends = [self._until[who] for who in (_APPLICATION, *accounts) if who in self._until]
        left = max(ends, default=now) - now
        return left if left > timedelta(0) else None


def regained_after(headers: Headers) -> timedelta | None:
    """Return after how long a refused account gets access again: the longest that is named."""
    return max((named for _, row in _rows(headers) if (named := _named(row))), default=None)


def _rows(headers: Headers) -> Iterator[tuple[str, Json]]:
    yield _APPLICATION, _read(headers.get("X-App-Usage"))
    of_accounts = _read(headers.get("X-Business-Use-Case-Usage"))
    for whose, rows in of_accounts.items() if isinstance(of_accounts, dict) else ():
        for row in rows if isinstance(rows, list) else ():
            yield whose, row


def _read(header: str | None) -> Json:
    try:
        read: Json = json.loads(header or "null")
    except ValueError:
        return None
    return read


def _named(row: Json) -> timedelta | None:
    minutes = count(row, "estimated_time_to_regain_access")
    return timedelta(minutes=minutes) if minutes > 0 else None
