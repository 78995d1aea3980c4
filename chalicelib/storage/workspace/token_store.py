"""Accounts' decrypted tokens for calls to platforms: rows, encryption and health in one place.

`services/workspace/token_keeper.py` works with it. Returned tokens are for one call only; stored
ones are encrypted (`token_encryption`).
"""

from dataclasses import replace
from datetime import datetime, timedelta

from chalicelib.domain.workspace.accounts import Account, AccountToken, Health
from chalicelib.domain.workspace.tokens import KeptTokens, Tokens
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.failures import Retrying
from chalicelib.kit.dynamodb.transaction import StaleWriteError
from chalicelib.storage.workspace.accounts import AccountRepository
from chalicelib.storage.workspace.token_encryption import TokenEncryption
from chalicelib.storage.workspace.token_rows import TokenRows

LOCK = timedelta(seconds=60)
"""Longer than a refresh may take, so that no lock expires during one."""


@dataclass(frozen=True, slots=True)
class SealedTokenStore:
    """The encrypted tokens of every account."""

    rows: TokenRows
    accounts: AccountRepository
    vault: TokenEncryption

    def read(self, account: Account) -> KeptTokens | None:
        """Return an account's tokens as they are now; None for one without a sign-in."""
        row = self.rows.get(account.workspace_id, account.id)
        if row is None:
            return None
        return KeptTokens(self.vault.open(account.id, row.secret), row.version)

    def lock(self, account: Account, version: int, *, now: datetime) -> bool:
        """Lock the refreshing of these tokens; tell whether it was free."""
        return self.rows.lock(replace(account, token_version=version), now=now, until=now + LOCK)

    def unlock(self, account: Account, version: int, *, locked_at: datetime) -> None:
        """Release, without new tokens, the lock that was taken then."""
        self.rows.unlock(replace(account, token_version=version), locked_at + LOCK)

    def keep(self, account: Account, version: int, tokens: Tokens) -> bool:
        """Keep refreshed tokens before they are used; tell whether no newer ones were kept.

        A transient failure is retried: a platform gives some tokens only once.
        """
        seen, sealed = replace(account, token_version=version), self.seal(account.id, tokens)
        try:
            Retrying()(lambda: self.rows.replace(seen, sealed))
        except StaleWriteError:
            return False
        return True

    def renew(self, account: Account, tokens: Tokens) -> Account:
        """Keep the tokens of a person's new sign-in. Raises StaleWriteError."""
        return self.rows.renew(account, self.seal(account.id, tokens))

    def seal(self, account_id: str, tokens: Tokens) -> AccountToken:
        """Return tokens as their row stores them."""
        return AccountToken(
            secret=self.vault.seal(account_id, tokens),
            expires_at=tokens.expires_at,
            watch_at=tokens.watch_at,
        )

    def note(self, account: Account, version: int, health: Health, reason: str | None) -> None:
        """Note the health of these tokens; ignored if there are newer ones."""
        self.accounts.note_health(replace(account, token_version=version), health, reason)

    def watch(self, account: Account, version: int, at: datetime | None) -> None:
        """Check these tokens again at that time, or never."""
        self.rows.watch(replace(account, token_version=version), at)
