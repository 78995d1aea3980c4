"""Encrypted tokens of connected accounts, in rows that no list reads.

Sign-ins and refreshes use it. Tokens are kept only if no newer ones were kept since the account was
read; and only the holder of a row's lock may refresh, because most platforms accept a refresh token
once. The lock expires, or ends with the new tokens.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from chalicelib.domain.workspace.accounts import Account, AccountToken, Health
from chalicelib.kit.dynamodb.items import Item, maybe_stamp, pack, stamp
from chalicelib.kit.dynamodb.records import Record
from chalicelib.kit.dynamodb.table import Expression, setting
from chalicelib.kit.dynamodb.transaction import StaleWriteError
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.items import account_key, token_key

WATCHED = "TOKENS"
"""The only partition of the index `watch`: it changes a few times a day for each account."""

_TOKEN: Final = Record(
    AccountToken, stored={"expires_at": "token_expires_at", "version": "token_version"}
)
_SAME = Expression("#token_version = :seen")


def token_item(account: Account, token: AccountToken) -> Item:
    """Spell an account's token row."""
    return {
        **token_key(account.workspace_id, account.id),
        **_TOKEN.item(token),
        "account_id": account.id,
        "workspace_id": account.workspace_id,
        "watch": None if token.watch_at is None else WATCHED,
    }


class TokenRows:
    """The token row of every account that has one; test accounts have none."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._directory = directory
        self._table = directory.tables.directory

    def get(self, workspace_id: str, account_id: str) -> AccountToken | None:
        """Return an account's tokens as they are now."""
        row = self._directory.table.get(token_key(workspace_id, account_id))
        return None if row is None else _TOKEN.value(row)

    def list_watched(self, until: datetime) -> Iterator[tuple[str, str]]:
        """Yield workspace and account of every sign-in to check until then."""
        due = Expression(
            "#watch = :watched AND #watch_at <= :until", {"watched": WATCHED, "until": stamp(until)}
        )
        for found in self._directory.table.read_index("watch", due):
            yield found["pk"].partition("#")[2], found["sk"].partition("#")[2]

    def watch(self, account: Account, at: datetime | None) -> None:
        """Check a sign-in again at that time, or never, unless it has new tokens by then."""
        later = {"watch": None if at is None else WATCHED, "watch_at": maybe_stamp(at)}
        with suppress(StaleWriteError):
            self._update(account, setting({"token_version": account.token_version, **later}))

    def lock(self, account: Account, *, now: datetime, until: datetime) -> bool:
        """Lock the refreshing of the account's tokens; tell whether it was free."""
        free = "attribute_not_exists(#refreshing_until) OR #refreshing_until < :now"
        try:
            self._update(
                account,
                Expression("SET #refreshing_until = :until", {"until": stamp(until)}),
                Expression(f"#token_version = :seen AND ({free})", {"now": stamp(now)}),
            )
        except StaleWriteError:
            return False
        return True

    def unlock(self, account: Account, until: datetime) -> None:
        """Release the lock that was taken until then, after refreshing failed.

        A process that has taken it since keeps it.
        """
        ours = Expression(f"{_SAME.text} AND #refreshing_until = :until", {"until": stamp(until)})
        with suppress(StaleWriteError):
            self._update(account, Expression("REMOVE #refreshing_until"), ours)

    def _update(self, account: Account, change: Expression, when: Expression = _SAME) -> None:
        """Change the token row while it has the account's tokens. Raises StaleWriteError."""
        transaction = self._directory.transaction()
        condition = Expression(when.text, {**when.values, "seen": account.token_version})
        key = token_key(account.workspace_id, account.id)
        transaction.update(self._table, key, change, condition)
        transaction.commit()

    def replace(self, account: Account, token: AccountToken) -> Account:
        """Keep refreshed tokens; return the account as it is then.

        Raises StaleWriteError when other tokens were kept first, or the account is gone.
        """
        return self._write(account, token, {})

    def renew(self, account: Account, token: AccountToken) -> Account:
        """Keep the tokens of a new sign-in to the same account, which is healthy from then on.

        Its handle and settings are kept as they are here. Raises StaleWriteError as `replace` does.
        """
        told = {"handle": account.handle, "settings": pack(dict(account.settings))}
        kept = self._write(account, token, {"health": Health.OK, "health_reason": None, **told})
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
