"""What a platform gave us to act for an account, in the open: for the length of one call.

Sign-ins and refreshes make them, `storage` seals them, connectors send them. Nothing here shows in
a `repr`, and none of it may stand in a log, a checkpoint or an error.
"""

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime, timedelta

from chalicelib.kit.dataclass import dataclass

REFRESH_AHEAD = timedelta(minutes=15)
"""Tokens that end sooner are refreshed before use: preparing starts ten minutes ahead."""

WARN_AHEAD = timedelta(days=7)
"""How long before its end a sign-in that cannot be renewed is called out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """An account's tokens and what refreshing them takes.

    `expires_at` ends `access`; `renew_at` is when to refresh though nobody posts, so that a
    sign-in does not lapse from disuse. `ends_at` ends what refreshes them, where the platform says
    so: then a person must sign in again, unless refreshing puts it off. `extra` holds what only
    this platform's refresh needs, such as the client's credentials.
    """

    access: str = field(repr=False)
    refresh: str | None = field(default=None, repr=False)
    expires_at: datetime | None = None
    renew_at: datetime | None = None
    ends_at: datetime | None = None
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
    def ends_for_good_at(self) -> datetime | None:
        """Return from when on nobody but the person can go on, as far as the platform tells.

        The last refresh told the end anew: what is later than the next one may be put off by it.
        """
        if self.refresh is None:
            return self.expires_at
        is_put_off = (
            self.ends_at is not None and self.renew_at is not None and self.renew_at < self.ends_at
        )
        return None if is_put_off else self.ends_at

    def is_ending(self, now: datetime) -> bool:
        """Tell whether only the person can go on within days, though the tokens work now."""
        ends_at = None if self.refresh is None else self.ends_for_good_at
        return ends_at is not None and ends_at - WARN_AHEAD <= now

    @property
    def watch_at(self) -> datetime | None:
        """Return when to look at the sign-in next though nobody posts; None for never."""
        if self.refresh is not None:
            ends_at = self.ends_for_good_at
            warned_at = None if ends_at is None else ends_at - WARN_AHEAD
            return min((at for at in (self.renew_at, warned_at) if at is not None), default=None)
        return None if self.expires_at is None else self.expires_at - WARN_AHEAD


@dataclass(frozen=True, slots=True)
class KeptTokens:
    """Tokens as they were kept, and how many the account had until then."""

    tokens: Tokens
    version: int
