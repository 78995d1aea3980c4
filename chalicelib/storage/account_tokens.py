"""Encrypted tokens of connected accounts, on rows that no list ever reads.

Connectors' sign-in and refresh use it. Tokens are kept only if nobody kept newer ones since the
account was read, so of two refreshes at once one wins and the other reads what was kept.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from chalicelib.domain.accounts import Account, AccountToken, Health
from chalicelib.storage.directory import DirectoryTable, setting
from chalicelib.storage.directory_keys import account_key, token_key
from chalicelib.storage.items import Item, maybe_instant, maybe_stamp
from chalicelib.storage.transaction import Expression


def token_item(account: Account, token: AccountToken) -> Item:
    """Spell an account's token row."""
    return {
        **token_key(account.workspace_id, account.id),
        "secret": token.secret,
        "token_expires_at": maybe_stamp(token.expires_at),
        "token_version": token.version,
    }


class AccountTokens:
    """The token row of every account that has one; test accounts have none."""

    def __init__(self, directory: DirectoryTable) -> None:
        self._directory = directory
        self._table = directory.tables.directory

    def get(self, workspace_id: str, account_id: str) -> AccountToken | None:
        """Return an account's tokens as they are now."""
        row = self._directory.row(token_key(workspace_id, account_id))
        if row is None:
            return None
        return AccountToken(
            secret=bytes(row["secret"]),
            expires_at=maybe_instant(row.get("token_expires_at")),
            version=row["token_version"],
        )

    def replace(self, account: Account, token: AccountToken) -> Account:
        """Keep refreshed tokens; return the account as it is then.

        Raises StaleWriteError when other tokens were kept first, or the account is gone.
        """
        return self._write(account, token, {})

    def renew(self, account: Account, token: AccountToken) -> Account:
        """Keep the tokens of a new sign-in to the same account, which is healthy from then on.

        Raises StaleWriteError as `replace` does.
        """
        kept = self._write(account, token, {"health": Health.OK, "health_reason": None})
        return replace(kept, health=Health.OK, health_reason=None)

    def _write(self, account: Account, token: AccountToken, also: Mapping[str, Any]) -> Account:
        seen = account.token_version
        kept = replace(token, version=seen + 1)
        expiry = maybe_stamp(kept.expires_at)
        change = setting({"token_version": kept.version, "token_expires_at": expiry, **also})
        unchanged = Expression("#token_version = :seen", {"seen": seen})
        transaction = self._directory.transaction()
        key = account_key(account.workspace_id, account.id)
        transaction.update(self._table, key, change, unchanged)
        transaction.put(self._table, token_item(account, kept))
        transaction.commit()
        return replace(account, token_version=kept.version, token_expires_at=kept.expires_at)
