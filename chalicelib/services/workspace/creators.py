"""TikTok's creators: what each can choose, asked under its account's own token.

`accounts` and `choices` answer with it; preparation trims videos by it.
"""

from chalicelib.connectors.connector import ConnectedAccount, ReadsCreatorOptions, as_connected
from chalicelib.connectors.shared.calls.failures import RejectedError, TokenRejectedError
from chalicelib.connectors.shared.registry import Connectors, NoConnectorError
from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import TiktokUnreachable, TiktokUnsupported
from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.platforms.tiktok import CreatorOptions, sandbox_creator
from chalicelib.domain.workspace.accounts import Account
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.services.workspace.token_keeper import TokenKeeper

_SANDBOX_UNSUPPORTED = "sandbox:tiktok_unsupported"
_SANDBOX_UNREACHABLE = "sandbox:tiktok_unreachable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Creators:
    """The creators behind accounts."""

    connectors: Connectors
    tokens: TokenKeeper
    clock: Clock

    def read(self, account: Account) -> CreatorOptions:
        """Return what the creator can choose now.

        Raises TiktokUnsupported for an account that cannot be posted to until it is reconnected,
        TiktokUnreachable for a failure that may be over in a few minutes.
        """
        if account.test:
            return _test_creator(account)
        try:
            connector = self.connectors.serving(as_connected(account))
        except NoConnectorError as error:
            raise TiktokUnsupported from error
        if not isinstance(connector, ReadsCreatorOptions):
            raise TiktokUnsupported
        reading: ReadsCreatorOptions = connector

        def ask(signed: ConnectedAccount) -> CreatorOptions:
            try:
                return reading.read_creator(signed, self.clock())
            except RejectedError as error:
                if error.code is FailureCode.PERMISSION_MISSING:
                    self.tokens.note_refusal(account, signed, error.message)
                raise

        try:
            return self.tokens.calling(account, connector, ask)
        except TokenRejectedError as error:
            raise TiktokUnsupported(str(error)) from error
        except RejectedError as error:
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


def _test_creator(account: Account) -> CreatorOptions:
    """Answer for a test account, as the words in its handle ask (docs/api.md "Sandbox")."""
    if _SANDBOX_UNSUPPORTED in account.handle:
        raise TiktokUnsupported
    if _SANDBOX_UNREACHABLE in account.handle:
        raise TiktokUnreachable
    return sandbox_creator(account.id, account.handle)
