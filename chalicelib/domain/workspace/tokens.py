"""What a platform gave us to act for an account, in the open: for the length of one call.

Sign-ins and refreshes make them, `storage` seals them, connectors send them. Nothing here shows in
a `repr`, and none of it may stand in a log, a checkpoint or an error.
"""

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime, timedelta

from chalicelib.domain.dataclass import dataclass

REFRESH_AHEAD = timedelta(minutes=15)
"""Tokens that end sooner are refreshed before use: preparing starts ten minutes ahead."""

WARN_AHEAD = timedelta(days=7)
"""How long before its end a sign-in that cannot be renewed is called out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """An account's tokens and what refreshing them takes.

    `expires_at` ends `access`; `renew_at` is when to refresh though nobody posts, so that a
    sign-in does not lapse from disuse. `extra` holds what only this platform's refresh needs, such
    as the client's credentials.
    """

    access: str = field(repr=False)
    refresh: str | None = field(default=None, repr=False)
    expires_at: datetime | None = None
    renew_at: datetime | None = None
    extra: Mapping[str, str] = field(default_factory=dict, repr=False)

    def is_over(self, now: datetime) -> bool:
        """Tell whether the platform takes the access token no more."""
        return self.expires_at is not None and self.expires_at <= now

    def is_due(self, now: datetime) -> bool:
        """Tell whether to refresh before the next use."""
        ends_soon = self.expires_at is not None and self.expires_at - REFRESH_AHEAD <= now
        return ends_soon or (self.renew_at is not None and self.renew_at <= now)

    def is_lapsing(self, now: datetime) -> bool:
        """Tell whether a token that renews itself, and cannot once it has ended, ends soon."""
        if self.expires_at is None or self.refresh != self.access:
            return False
        return self.expires_at - WARN_AHEAD <= now

    @property
    def watch_at(self) -> datetime | None:
        """Return when to look at the sign-in next though nobody posts; None for never."""
        if self.refresh is not None:
            return self.renew_at
        return None if self.expires_at is None else self.expires_at - WARN_AHEAD


@dataclass(frozen=True, slots=True)
class KeptTokens:
    """Tokens as they were kept, and how many the account had until then."""

    tokens: Tokens
    version: int
