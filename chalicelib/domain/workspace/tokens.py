"""An account's tokens from its platform, unencrypted, for the duration of one call.

Sign-ins and refreshes return them, `storage` encrypts them, connectors send them. They never show
in a `repr`, and must not be in a log, a checkpoint or an error.
"""

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime, timedelta

from chalicelib.kit.dataclass import dataclass

REFRESH_AHEAD = timedelta(minutes=15)
"""Tokens that end sooner are refreshed before use: preparing a post starts ten minutes ahead."""

WARN_AHEAD = timedelta(days=7)
"""How long before the end of a sign-in that cannot be renewed people are warned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """An account's tokens and what is needed to refresh them.

    `access` expires at `expires_at`. `renew_at` is when to refresh even if nobody posts, so that a
    sign-in does not end from disuse. `refresh` ends at `ends_at`, if the platform says so: then a
    person must sign in again, unless a refresh extends it. `extra` has what only this platform's
    refresh needs, such as the client's credentials.
    """

    access: str = field(repr=False)
    refresh: str | None = field(default=None, repr=False)
    expires_at: datetime | None = None
    renew_at: datetime | None = None
    ends_at: datetime | None = None
    extra: Mapping[str, str] = field(default_factory=dict, repr=False)

    def is_over(self, now: datetime) -> bool:
        """Tell whether the access token has expired."""
        return self.expires_at is not None and self.expires_at <= now

    def is_due(self, now: datetime) -> bool:
        """Tell whether the tokens must be refreshed before their next use."""
        ends_soon = self.expires_at is not None and self.expires_at - REFRESH_AHEAD <= now
        return ends_soon or (self.renew_at is not None and self.renew_at <= now)

    def is_lapsing(self, now: datetime) -> bool:
        """Tell whether a token that is its own refresh token expires within seven days."""
        if self.expires_at is None or self.refresh != self.access:
            return False
        return self.expires_at - WARN_AHEAD <= now

    @property
    def ends_for_good_at(self) -> datetime | None:
        """Return when a person must sign in again, None if that is not known.

        An end after the next refresh is not certain, because that refresh may extend it.
        """
        if self.refresh is None:
            return self.expires_at
        is_put_off = (
            self.ends_at is not None and self.renew_at is not None and self.renew_at < self.ends_at
        )
        return None if is_put_off else self.ends_at

    def is_ending(self, now: datetime) -> bool:
        """Tell whether a person must sign in again within seven days, though tokens work now."""
        ends_at = None if self.refresh is None else self.ends_for_good_at
        return ends_at is not None and ends_at - WARN_AHEAD <= now

    @property
    def watch_at(self) -> datetime | None:
        """Return when to check the sign-in next, even if nobody posts; None for never."""
        if self.refresh is not None:
            ends_at = self.ends_for_good_at
            warned_at = None if ends_at is None else ends_at - WARN_AHEAD
            return min((at for at in (self.renew_at, warned_at) if at is not None), default=None)
        return None if self.expires_at is None else self.expires_at - WARN_AHEAD


@dataclass(frozen=True, slots=True)
class KeptTokens:
    """Tokens as they were stored, and their version (`Account.token_version`)."""

    tokens: Tokens
    version: int
