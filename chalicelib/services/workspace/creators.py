"""TikTok's creators: what each can choose, asked under its account's own token.

`api/resources/accounts` and `choices` answer with it; preparation trims videos by it.
"""

from collections.abc import Callable
from contextlib import nullcontext

from chalicelib.connectors.connector import ReadsCreatorOptions, connected
from chalicelib.connectors.shared.registry import Connectors, NoConnectorError
from chalicelib.connectors.shared.transport.failures import (
    PlatformError,
    RejectedError,
    TokenRejectedError,
)
from chalicelib.domain.clock import Clock
from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.errors import AccountNotFound, TiktokUnreachable, TiktokUnsupported
from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.platforms.tiktok import CreatorOptions, sandbox_creator
from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.accounts import Account
from chalicelib.services.calls_out import CallsOut
from chalicelib.services.workspace.token_keeper import TokenKeeper
from chalicelib.storage.workspace.accounts import AccountRepository

_SANDBOX_UNSUPPORTED = "sandbox:tiktok_unsupported"
_SANDBOX_UNREACHABLE = "sandbox:tiktok_unreachable"
ReadCreator = Callable[[Account], CreatorOptions]
"""Asks TikTok for a creator's options, fresh. Raises TiktokUnsupported, TiktokUnreachable."""


def sandbox_creator_of(account: Account) -> CreatorOptions:
    """Answer for a test account, as the words in its handle ask (docs/api.md "Sandbox")."""
    if _SANDBOX_UNSUPPORTED in account.handle:
        raise TiktokUnsupported
    if _SANDBOX_UNREACHABLE in account.handle:
        raise TiktokUnreachable
    return sandbox_creator(account.id, account.handle)


@dataclass(frozen=True, slots=True, kw_only=True)
class Creators:
    """The creators behind real accounts."""

    connectors: Connectors
    tokens: TokenKeeper
    clock: Clock

    def read(self, account: Account) -> CreatorOptions:
        """Return what the creator can choose, fresh.

        Raises TiktokUnsupported for an account that cannot be posted to until it is reconnected,
        TiktokUnreachable for what may be otherwise in a few minutes.
        """
        try:
            connector = self.connectors.serving(connected(account))
        except NoConnectorError as error:
            raise TiktokUnsupported from error
        if not isinstance(connector, ReadsCreatorOptions):
            raise TiktokUnsupported
        reading: ReadsCreatorOptions = connector
        try:
            return self.tokens.calling(
                account, connector, lambda signed: reading.read_creator(signed, self.clock())
            )
        except TokenRejectedError as error:
            raise TiktokUnsupported(str(error)) from error
        except RejectedError as error:
            if error.code is FailureCode.PERMISSION_MISSING:
                self.tokens.refused(account, error.message)
            raise TiktokUnsupported(error.message) from error
        except PlatformError as error:
            raise TiktokUnreachable from error

    def longest_video_s(self, account: Account) -> int | None:
        """Return how many seconds a creator may post, None if nothing says so.

        A creator who cannot post at all has no limit here: the send itself then says why.
        Raises TiktokUnreachable.
        """
        if account.test:
            return sandbox_creator(account.id, account.handle).max_video_seconds
        try:
            creator = self.read(account)
        except TiktokUnsupported:
            return None
        return creator.max_video_seconds if creator.can_post else None


class TiktokOptions:
    """What callers may choose on TikTok for the accounts that they carry."""

    def __init__(
        self,
        *,
        accounts: AccountRepository,
        read_creator: ReadCreator | None = None,
        calls: CallsOut | None = None,
    ) -> None:
        self._accounts = accounts
        self._read_creator = read_creator
        self._calls = calls or CallsOut()

    def read(self, caller: Caller, account_id: str, media: MediaKind) -> CreatorOptions:
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
