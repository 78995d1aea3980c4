"""Where platforms answer and in which version of their API, unless the settings say otherwise.

A connector declares a dataclass of addresses; a field `bluesky_video` is replaced by the setting
GOLDENHOUR_BLUESKY_VIDEO_URL. Tests point them at fakes on loopback.
learn.microsoft.com/linkedin/marketing/versioning: a version is a month and lives for a year, until
the middle of that month. developers.facebook.com/docs/graph-api/guides/versioning: Meta names an
end about two years after a version came. `doctor` warns ahead of their end.
"""

import re
from collections.abc import Mapping
from dataclasses import fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from chalicelib.connectors.shared.transport.network_rules import origins
from chalicelib.domain.clock import Clock
from chalicelib.domain.dataclass import dataclass

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


LINKEDIN_VERSION = "202609"
GRAPH_VERSION = "v26.0"
_ENDS_ON_DAY = 15
_MONTH = re.compile(r"20[0-9]{2}(?:0[1-9]|1[0-2])")
_GRAPH = re.compile(r"v[0-9]{1,3}\.[0-9]")
_SWITCH = re.compile(r"on|off")
GRAPH_ENDS: Mapping[str, datetime] = {
    "v25.0": datetime(2028, 7, 29, tzinfo=UTC),
    "v26.0": datetime(2028, 7, 29, tzinfo=UTC),
}
"""v25.0 ends two years after v26.0 came (2026-07-29); v26.0 has no end yet, but Meta promises no
more than two years from the day on which a version came."""


def linkedin_sunset(version: str) -> datetime:
    """Return when LinkedIn stops to answer a version: 202609 ends on 2027-09-15."""
    return datetime(int(version[:4]) + 1, int(version[4:]), _ENDS_ON_DAY, tzinfo=UTC)


def require_versions(named: Mapping[str, str]) -> dict[str, str]:
    """Return the versions that the settings name. Raises ValueError for one of another form."""
    forms = {
        "linkedin_version": (_MONTH, "a year and month like 202609"),
        "graph_version": (_GRAPH, "like v26.0"),
        "x_metrics": (_SWITCH, "on or off"),
    }
    for name, version in named.items():
        form, example = forms[name]
        if form.fullmatch(version) is None:
            raise ValueError(f"GOLDENHOUR_{name.upper()} must be {example}, not {version!r}.")
    return dict(named)


_Hosts = TypeVar("_Hosts", bound="DataclassInstance")


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployed:
    """What a deployment gives each connector that it makes.

    `addresses` are those that the settings name, `trusted` origins that an account's identity may
    name though they are not public.
    """

    addresses: Mapping[str, str]
    clock: Clock
    trusted: frozenset[str] = frozenset()

    def hosts(self, kind: type[_Hosts]) -> _Hosts:
        """Return a platform's hosts, with those that the settings name in place of the real."""
        named = self.addresses
        names = [field.name for field in fields(kind)]
        return kind(**{name: named[name].rstrip("/") for name in names if name in named})


def origins_of(chosen: "DataclassInstance") -> frozenset[str]:
    """Return the origins of a platform's hosts: this deployment's operator vouches for them."""
    values = (str(getattr(chosen, field.name)) for field in fields(chosen))
    return origins([value for value in values if "://" in value])
