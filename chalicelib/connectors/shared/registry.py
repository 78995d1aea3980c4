"""The connector for an account, and the connectors of every platform of this build.

The worker, removal and metrics ask it; `bootstrap` builds the one of a deployment. A platform's
folder is imported at the first account of it, because a function seldom needs all of them.
"""

from collections.abc import Callable, Mapping
from functools import partial

from chalicelib.connectors.connector import ConnectedAccount, Connector
from chalicelib.connectors.shared.calls.hosts import Deployed
from chalicelib.domain.clock import Clock
from chalicelib.domain.platforms.facts import MadeWhenMet, all_settings, read_declaration
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.dataclass import dataclass


class NoConnectorError(Exception):
    """This build cannot publish to the account's platform."""


@dataclass(frozen=True, slots=True)
class Connectors:
    """The connectors of this deployment, by platform."""

    sandbox: Mapping[Platform, Connector]
    real: Mapping[Platform, Connector]

    def serving(self, account: ConnectedAccount) -> Connector:
        """Return the connector for an account. Raises NoConnectorError."""
        if not self.can_serve(account):
            raise NoConnectorError(account.platform)
        return (self.sandbox if account.test else self.real)[account.platform]

    def can_serve(self, account: ConnectedAccount) -> bool:
        """Tell whether there is a connector for an account."""
        return account.platform in (self.sandbox if account.test else self.real)


def real_connectors(
    addresses: Mapping[str, str], clock: Clock, trusted: frozenset[str] = frozenset()
) -> Mapping[Platform, Connector]:
    """Return the connectors, at the addresses that the settings name (`calls/hosts.py`).

    `trusted` are origins that an account's identity may name though they are not public.
    """
    deployed = Deployed(addresses=addresses, clock=clock, trusted=trusted)
    return MadeWhenMet(partial(_real_connector, deployed))


def _real_connector(deployed: Deployed, platform: Platform) -> Connector:
    """Import the platform's folder. Raises MissingStepError."""
    name = f"chalicelib.connectors.{platform.name.lower()}.connector"
    make: Callable[[Deployed], Connector] = read_declaration(name, "make", step=3)
    return make(deployed)


def require_settings(named: Mapping[str, str]) -> dict[str, str]:
    """Return the settings of platforms. Raises ValueError for a text of another form."""
    return {one.name: one.require(named[one.name]) for one in all_settings() if one.name in named}
