"""A token store that says when a sign-in breaks, so that scheduled posts are known to be at risk.

`bootstrap` puts it between the keeper of tokens and their rows.
"""

from collections.abc import Callable
from datetime import datetime

from chalicelib.connectors.shared.auth.tokens import TokenStore
from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.workspace.accounts import Account, Health
from chalicelib.domain.workspace.tokens import KeptTokens, Tokens


@dataclass(frozen=True, slots=True)
class WatchedTokens:
    """Hands everything on, and calls `broke` after an account was noted as broken."""

    store: TokenStore
    broke: Callable[[Account], object]

    def read(self, account: Account) -> KeptTokens | None:
        """Return an account's tokens as they are now."""
        return self.store.read(account)

    def lock(self, account: Account, version: int, *, now: datetime) -> bool:
        """Take the right to refresh these tokens."""
        return self.store.lock(account, version, now=now)

    def unlock(self, account: Account, version: int) -> None:
        """Give the right back without new tokens."""
        self.store.unlock(account, version)

    def keep(self, account: Account, version: int, tokens: Tokens) -> bool:
        """Keep what a refresh brought."""
        return self.store.keep(account, version, tokens)

    def note(self, account: Account, version: int, health: Health, reason: str | None) -> None:
        """Say how these tokens proved; posts that wait for a broken account are told."""
        self.store.note(account, version, health, reason)
        if health is Health.BROKEN and account.health is not Health.BROKEN:
            self.broke(account)

    def watch(self, account: Account, version: int, at: datetime | None) -> None:
        """Look at these tokens again at that time, or no more."""
        self.store.watch(account, version, at)
