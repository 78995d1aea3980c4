"""Accounts' tokens in the open, for whoever calls platforms: rows, seals and health in one place.

`services/workspace/token_keeper.py` works with it. What is returned is for the length of a call;
what is stored is sealed (`token_encryption`).
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
"""Longer than a refresh may take, so that a live holder is never overtaken."""


@dataclass(frozen=True, slots=True)
class SealedTokenStore:
    """The sealed tokens of every account."""

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
        """Take the right to refresh these tokens; tell whether nobody else has it."""
        return self.rows.lock(replace(account, token_version=version), now=now, until=now + LOCK)

    def unlock(self, account: Account, version: int, *, locked_at: datetime) -> None:
        """Give back, without new tokens, the right that was taken then."""
        self.rows.unlock(replace(account, token_version=version), locked_at + LOCK)

    def keep(self, account: Account, version: int, tokens: Tokens) -> bool:
        """Keep what a refresh brought, before it is used; tell whether nobody kept newer ones.

        A failure that may pass is tried again: a platform gives out some tokens only once.
        """
        seen, sealed = replace(account, token_version=version), self.seal(account.id, tokens)
        try:
            Retrying()(lambda: self.rows.replace(seen, sealed))
        except StaleWriteError:
            return False
        return True

    def renew(self, account: Account, tokens: Tokens) -> Account:
        """Keep what a person's new sign-in brought. Raises StaleWriteError."""
        return self.rows.renew(account, self.seal(account.id, tokens))

    def seal(self, account_id: str, tokens: Tokens) -> AccountToken:
        """Return tokens as their row holds them."""
        return AccountToken(
            secret=self.vault.seal(account_id, tokens),
            expires_at=tokens.expires_at,
            watch_at=tokens.watch_at,
        )

    def note(self, account: Account, version: int, health: Health, reason: str | None) -> None:
        """Say how these tokens proved; newer ones make the verdict void."""
        self.accounts.note_health(replace(account, token_version=version), health, reason)

    def watch(self, account: Account, version: int, at: datetime | None) -> None:
        """Look at these tokens again at that time, or no more."""
        self.rows.watch(replace(account, token_version=version), at)
