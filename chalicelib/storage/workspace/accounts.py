"""Connected accounts: listed by every request that names one, changed by operators.

Ids and regions of a workspace's accounts are copied to its keys' items, so connecting,
disconnecting and new regions rewrite those, too; health is not copied and is one simple update.
"""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from chalicelib.domain.workspace.accounts import Account, AccountToken, Health
from chalicelib.domain.workspace.operator_errors import (
    AccountLimitError,
    IdentityTakenError,
    UnknownAccountError,
)
from chalicelib.domain.workspace.plans import accounts_limit, accounts_message
from chalicelib.kit.dynamodb.items import Item, stamp
from chalicelib.kit.dynamodb.table import (
    ABSENT,
    PRESENT,
    BatchRead,
    Expression,
    partition,
    setting,
)
from chalicelib.kit.dynamodb.transaction import StaleWriteError
from chalicelib.storage.tables import workspace_pk
from chalicelib.storage.workspace.changes import WorkspaceChange, WorkspaceTable
from chalicelib.storage.workspace.items import (
    ACCOUNTS,
    account_from,
    account_item,
    account_key,
    gone_account_key,
    identity_key,
    token_key,
)
from chalicelib.storage.workspace.token_rows import token_item


class AccountRepository:
    """Accounts of all workspaces; every method names the workspace."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._directory = directory
        self._table = directory.tables.directory

    def list(self, workspace_id: str) -> list[Account]:
        """Return the connected accounts as they are now, oldest first: one consistent query."""
        found = self._directory.table.rows(partition(workspace_pk(workspace_id), ACCOUNTS))
        return [account_from(row) for row in found]

    def get(self, workspace_id: str, account_id: str) -> Account | None:
        """Return a connected account as it is now; None for an unknown or disconnected one."""
        row = self._directory.table.get(account_key(workspace_id, account_id))
        return None if row is None else account_from(row)

    def several(self, names: Collection[tuple[str, str]]) -> dict[str, Account]:
        """Return the connected ones of these, by id, as they are now."""
        keys = [(self._table, account_key(*name)) for name in names]
        rows = BatchRead(self._directory.client).read(keys)
        return {account.id: account for account in map(account_from, rows.values())}

    def add(self, account: Account, token: AccountToken | None = None) -> None:
        """Connect an account, within the limit of the workspace's plan.

        Raises UnknownWorkspaceError, AccountLimitError, IdentityTakenError.
        """

        def decide(change: WorkspaceChange) -> None:
            if any(_is_same(account, other) for other in change.accounts):
                raise IdentityTakenError
            if len(change.accounts) >= accounts_limit(change.workspace.plan):
                raise AccountLimitError(accounts_message(change.workspace.plan))
            change.transaction.put(self._table, account_item(account), ABSENT)
            self._put_identity(change, account)
            if token is not None:
                change.transaction.put(self._table, token_item(account, token), ABSENT)
            change.rewrite_accounts((*change.accounts, account))

        self._directory.change(account.workspace_id, decide)

    def _put_identity(self, change: WorkspaceChange, account: Account) -> None:
        if account.remote_identity is None:
            return
        key = identity_key(account.workspace_id, account.platform, account.remote_identity)
        row = {**key, "account_id": account.id}
        change.transaction.put(self._table, row, ABSENT, IdentityTakenError())

    def remove(self, workspace_id: str, account_id: str, now: datetime) -> Account:
        """Disconnect an account and forget its tokens. Raises UnknownAccountError.

        A record of it is kept; the same identity can be connected again.
        """

        def decide(change: WorkspaceChange) -> Account:
            account = _account_of(change, account_id)
            gone = {**account_item(account), **gone_account_key(workspace_id, account_id)}
            change.transaction.put(self._table, {**gone, "disconnected_at": stamp(now)})
            change.transaction.delete(self._table, account_key(workspace_id, account_id), PRESENT)
            change.transaction.delete(self._table, token_key(workspace_id, account_id))
            if account.remote_identity is not None:
                identity = (account.platform, account.remote_identity)
                change.transaction.delete(self._table, identity_key(workspace_id, *identity))
            change.rewrite_accounts(other for other in change.accounts if other != account)
            return account

        return self._directory.change(workspace_id, decide)

    def set_regions(self, workspace_id: str, account_id: str, regions: tuple[str, ...]) -> Account:
        """Set the regions an account's posts are for. Raises UnknownAccountError."""

        def decide(change: WorkspaceChange) -> Account:
            account = replace(_account_of(change, account_id), audience_regions=regions)
            change.transaction.update(
                self._table,
                account_key(workspace_id, account_id),
                Expression("SET #audience_regions = :regions", {"regions": list(regions)}),
                PRESENT,
            )
            others = change.accounts
            change.rewrite_accounts(account if o.id == account_id else o for o in others)
            return account

        return self._directory.change(workspace_id, decide)

    def rename(self, account: Account, handle: str, name: str | None) -> None:
        """Set an account's present name on its platform. Raises UnknownAccountError."""
        said = {"handle": handle, "name": name}
        self._say(account.workspace_id, account.id, said, PRESENT, UnknownAccountError())

    def set_languages(self, account: Account, languages: tuple[str, ...]) -> None:
        """Set in which languages an account posts. Raises UnknownAccountError."""
        said = {"languages": list(languages)}
        self._say(account.workspace_id, account.id, said, PRESENT, UnknownAccountError())

    def set_health(
        self, workspace_id: str, account_id: str, health: Health, reason: str | None = None
    ) -> None:
        """Set an account's health as an operator says. Raises UnknownAccountError."""
        verdict = {"health": health, "health_reason": reason}
        self._say(workspace_id, account_id, verdict, PRESENT, UnknownAccountError())

    def note_health(self, account: Account, health: Health, reason: str | None = None) -> bool:
        """Set an account's health as found in use; tell whether it was kept.

        It is not kept if the tokens were replaced meanwhile or the account is gone.
        """
        verdict = {"health": health, "health_reason": reason}
        same = Expression("#token_version = :version", {"version": account.token_version})
        try:
            self._say(account.workspace_id, account.id, verdict, same, StaleWriteError())
        except StaleWriteError:
            return False
        return True

    def _say(
        self, workspace_id: str, account_id: str, said: Item, when: Expression, refused: Exception
    ) -> None:
        """Set attributes of an account's row on a condition; raise if it does not hold."""
        transaction = self._directory.transaction()
        key = account_key(workspace_id, account_id)
        transaction.update(self._table, key, setting(said), when, refused)
        transaction.commit()


def _account_of(change: WorkspaceChange, account_id: str) -> Account:
    for account in change.accounts:
        if account.id == account_id:
            return account
    raise UnknownAccountError


def _is_same(one: Account, other: Account) -> bool:
    """Tell whether both are the same account of the same platform."""
    if one.test or other.test:
        both_test = one.test and other.test
        return both_test and (one.platform, one.handle) == (other.platform, other.handle)
    if one.remote_identity is None:
        return False
    return (one.platform, one.remote_identity) == (other.platform, other.remote_identity)
