"""Addresses of platforms, unless the settings name others.

A connector declares a dataclass of addresses; a field `bluesky_video` is replaced by the setting
GOLDENHOUR_BLUESKY_VIDEO_URL. Tests point them at fakes on loopback. A field with the name of one of
the platform's settings (`Facts.settings`) is replaced by that.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, TypeVar

from chalicelib.domain.clock import Clock
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.transport.network_rules import origins

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


_Hosts = TypeVar("_Hosts", bound="DataclassInstance")


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployed:
    """A deployment's values for each connector that it makes.

    `addresses` are those that the settings name, `trusted` origins that an account's identity may
    name though they are not public.
    """

    addresses: Mapping[str, str]
    clock: Clock
    trusted: frozenset[str] = frozenset()

    def hosts(self, kind: type[_Hosts]) -> _Hosts:
        """Return a platform's hosts, the real ones unless the settings name others."""
        named = self.addresses
        names = [field.name for field in fields(kind)]
        return kind(**{name: named[name].rstrip("/") for name in names if name in named})


def origins_of(chosen: "DataclassInstance") -> frozenset[str]:
    """Return the origins of a platform's hosts: this deployment's operator vouches for them."""
    values = (str(getattr(chosen, field.name)) for field in fields(chosen))
    return origins([value for value in values if "://" in value])
