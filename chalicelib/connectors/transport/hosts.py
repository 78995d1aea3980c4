"""Where platforms answer: each connector's real hosts, unless the settings name others.

A connector declares a dataclass of addresses; a field `bluesky_video` is replaced by the setting
GOLDENHOUR_BLUESKY_VIDEO_URL. Tests point them at fakes on loopback.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, TypeVar

from chalicelib.connectors.transport.network_rules import origins

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_Hosts = TypeVar("_Hosts", bound="DataclassInstance")


def hosts(kind: type[_Hosts], named: Mapping[str, str]) -> _Hosts:
    """Return a platform's hosts, with those that the settings name in place of the real ones."""
    names = [field.name for field in fields(kind)]
    return kind(**{name: named[name].rstrip("/") for name in names if name in named})


def origins_of(chosen: "DataclassInstance") -> frozenset[str]:
    """Return the origins of a platform's hosts: this deployment's operator vouches for them."""
    values = (str(getattr(chosen, field.name)) for field in fields(chosen))
    return origins([value for value in values if "://" in value])
