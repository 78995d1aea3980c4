"""What a caller may do with the workspace's connected accounts: look, and say whom they reach.

`api/resources/accounts` calls it. Connecting and disconnecting are operators' work (`connections`);
here an account that the caller does not carry is simply not found, whatever workspace it is in.
"""

from collections.abc import Sequence
from contextlib import nullcontext

from chalicelib.domain.errors import AccountNotFound, TiktokUnsupported
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.platforms.tiktok import CreatorOptions
from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.accounts import Account, first_regions
from chalicelib.domain.workspace.operator_errors import UnknownAccountError
from chalicelib.services.calls_out import CallsOut
from chalicelib.services.workspace.creators import ReadCreator, sandbox_creator_of
from chalicelib.storage.workspace.accounts import AccountRepository


class Accounts:
    """The connected accounts of the caller's workspace."""

    def __init__(
        self,
        *,
        accounts: AccountRepository,
        read_creator: ReadCreator | None = None,
        calls: CallsOut | None = None,
    ) -> None:
        self._accounts = accounts
        self._calls = calls or CallsOut()
        self._read_creator = read_creator

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

    def tiktok_options(self, caller: Caller, account_id: str, media: MediaKind) -> CreatorOptions:
        """Return what the creator can choose for a post with such a file, read fresh.

        Raises AccountNotFound, TiktokUnsupported, TiktokUnreachable and Busy.
        """
        if account_id not in caller.accounts:
            raise AccountNotFound
        account = self._accounts.get(caller.workspace_id, account_id)
        if account is None:
            raise AccountNotFound
        if not FACTS[account.platform].has_creator:
            raise TiktokUnsupported("This account is not a TikTok account.")
        with nullcontext() if account.test else self._calls.place(caller.workspace_id):
            return self._creator(account).suiting(media)

    def _creator(self, account: Account) -> CreatorOptions:
        if account.test:
            return sandbox_creator_of(account)
        if self._read_creator is None:
            raise TiktokUnsupported
        return self._read_creator(account)
