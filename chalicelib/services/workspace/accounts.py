"""What a caller may do with the workspace's connected accounts: look, and say whom they reach.

`api/resources/accounts` calls it. Connecting and disconnecting are operators' work (`connections`);
here an account that the caller does not carry is simply not found, whatever workspace it is in.
"""

from collections.abc import Sequence

from chalicelib.domain.errors import AccountNotFound
from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.accounts import Account, first_regions
from chalicelib.domain.workspace.operator_errors import UnknownAccountError
from chalicelib.storage.workspace.accounts import AccountRepository


class Accounts:
    """The connected accounts of the caller's workspace."""

    def __init__(self, *, accounts: AccountRepository) -> None:
        self._accounts = accounts

    def list(self, caller: Caller) -> list[Account]:
        """Return every account, oldest first."""
        return self._accounts.list(caller.workspace_id)

    def set_regions(self, caller: Caller, account_id: str, regions: Sequence[str]) -> Account:
        """Say where an account's audience is; regions after the third are dropped.

        Raises AccountNotFound.
        """
        if account_id not in caller.accounts:
            raise AccountNotFound
        kept = first_regions(regions)
        try:
            return self._accounts.set_regions(caller.workspace_id, account_id, kept)
        except UnknownAccountError as error:
            raise AccountNotFound from error
