"""Which connector serves an account: `bootstrap` builds the one registry.

The worker, removal and metrics ask it.
"""

from collections.abc import Mapping

from chalicelib.connectors.connector import ConnectedAccount, Connector
from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.platforms.platform import Platform


class NoConnectorError(Exception):
    """This build cannot publish to the account's platform."""


@dataclass(frozen=True, slots=True)
class Connectors:
    """The connectors of this deployment, by platform."""

    sandbox: Mapping[Platform, Connector]
    real: Mapping[Platform, Connector]

    def serving(self, account: ConnectedAccount) -> Connector:
        """Return the connector for an account. Raises NoConnectorError."""
        connectors = self.sandbox if account.test else self.real
        if account.platform not in connectors:
            raise NoConnectorError(account.platform)
        return connectors[account.platform]
