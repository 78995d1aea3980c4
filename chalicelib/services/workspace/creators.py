"""Asks TikTok what a creator can choose for the next post, under the account's own token.

`accounts` answers the API with it, and the publish worker's preparation trims videos by it.
"""

from dataclasses import dataclass

from chalicelib.connectors.connector import ReadsCreatorOptions, connected
from chalicelib.connectors.shared.auth.tokens import TokenKeeper
from chalicelib.connectors.shared.registry import Connectors, NoConnectorError
from chalicelib.connectors.shared.transport.failures import (
    PlatformError,
    RejectedError,
    TokenRejectedError,
)
from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import TiktokUnreachable, TiktokUnsupported
from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.platforms.tiktok import CreatorOptions
from chalicelib.domain.workspace.accounts import Account


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
