"""Every real platform that this build can publish to.

`use_cases` makes the one registry of it. A platform's folder in `connectors` is imported when an
account of it is first met, because a function seldom meets all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

from chalicelib.connectors.connector import Connector
from chalicelib.connectors.shared.transport.hosts import Deployed
from chalicelib.domain.platforms.facts import all_settings, found_in
from chalicelib.domain.platforms.platform import Platform

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chalicelib.domain.clock import Clock


class MadeWhenMet(Mapping[Platform, Connector]):
    """Connectors by platform, each made when it is first asked for."""

    def __init__(self, make: Callable[[Platform], Connector]) -> None:
        self._make = make
        self._made: dict[Platform, Connector] = {}
        self._lock = Lock()

    def __getitem__(self, platform: Platform) -> Connector:
        with self._lock:
            if platform not in self._made:
                self._made[platform] = self._make(platform)
            return self._made[platform]

    def __iter__(self) -> Iterator[Platform]:
        return iter(Platform)

    def __len__(self) -> int:
        return len(Platform)


def real_connectors(
    addresses: Mapping[str, str], clock: Clock, trusted: frozenset[str] = frozenset()
) -> Mapping[Platform, Connector]:
    """Return the connectors, at the addresses that the settings name (`transport/hosts.py`).

    `trusted` are origins that an account's identity may name though they are not public.
    """
    deployed = Deployed(addresses=addresses, clock=clock, trusted=trusted)
    return MadeWhenMet(partial(_real_connector, deployed))


def _real_connector(deployed: Deployed, platform: Platform) -> Connector:
    """Import the platform's folder. Raises MissingStepError."""
    name = f"chalicelib.connectors.{platform.name.lower()}.connector"
    make: Callable[[Deployed], Connector] = found_in(name, "make", step=3)
    return make(deployed)


def require_settings(named: Mapping[str, str]) -> dict[str, str]:
    """Return what is set of platforms. Raises ValueError for a text of another form."""
    return {one.name: one.require(named[one.name]) for one in all_settings() if one.name in named}
