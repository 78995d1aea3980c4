"""What platforms know of the sign-ins of their accounts: which token they take, and until when.

A refresh makes a new access token and ends the one before it, as the strictest platforms do. A
platform may end a token before its time; and once a person takes the permission back, nothing of
the sign-in works again.
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta

from chalicelib.connectors.shared.calls.failures import TokenRejectedError
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.transport.failures import UnansweredError
from tests.simulation.faults import Fault
from tests.simulation.world import World

GOOD_FOR = timedelta(minutes=25)
"""Refreshed 15 minutes ahead: several times an hour."""
_REFRESH = "refresh"
_FRESH_S = 300.0
"""So long no platform ends a token that it has just made."""


@dataclass(slots=True)
class SignIns:
    """The sign-ins of every account, by the platform's own name of it."""

    world: World
    revoked_s: dict[str, float] = field(default_factory=dict)
    """When a person took the permission back."""
    refreshing: Counter[str] = field(default_factory=Counter)
    crowded: list[str] = field(default_factory=list)
    """Which accounts were refreshed by two at once."""
    _access: dict[str, str] = field(default_factory=dict)
    _ends_s: dict[str, float] = field(default_factory=dict)
    _made_s: dict[str, float] = field(default_factory=dict)

    def begin(self, identity: str) -> Tokens:
        """Return the tokens of a new sign-in, or of a refreshed one."""
        access = f"{self.world.chance.getrandbits(64):016x}"
        self._access[identity], self._made_s[identity] = access, self.world.now
        self._ends_s[identity] = self.world.now + GOOD_FOR.total_seconds()
        expires_at = self.world.scheduler.time_at(self._ends_s[identity])
        return Tokens(access=access, refresh=_REFRESH, expires_at=expires_at)

    def check(self, identity: str, token: str | None) -> None:
        """Take a call's token. Raises TokenRejectedError."""
        if self.world.now - self._made_s[identity] > _FRESH_S and self.world.strikes(
            Fault.TOKEN_ENDED
        ):
            self._access.pop(identity, None)
        is_good = self._access.get(identity) == token and self.world.now < self._ends_s[identity]
        if not is_good or identity in self.revoked_s:
            raise TokenRejectedError("The token has ended.")

    def refresh(self, identity: str) -> Tokens:
        """Make new tokens. Raises TokenRejectedError and UnansweredError."""
        self.refreshing[identity] += 1
        if self.refreshing[identity] > 1:
            self.crowded.append(identity)
        self.world.travel(0.1, 0.6)
        try:
            if identity in self.revoked_s:
                raise TokenRejectedError("The sign-in is over.")
            made = self.begin(identity)
            if self.world.strikes(Fault.REFRESH_LOST):
                self.world.scheduler.sleep(5.0)
                raise UnansweredError
        finally:
            self.refreshing[identity] -= 1
        self.world.point("after refresh")
        return made

    def revoke(self, identity: str) -> None:
        """Take the permission back, as a person does on the platform's own page."""
        self.revoked_s.setdefault(identity, self.world.now)
