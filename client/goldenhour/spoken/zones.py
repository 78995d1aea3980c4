"""Time zones by the rules of the package `tzdata`, which is newer than most machines' own.

Read without `zoneinfo`'s own search path: a program that uses this package keeps its zones.
"""

from functools import cache, lru_cache
from importlib.resources import files
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_PACKAGE = "tzdata"


@cache
def read_zone(name: str) -> ZoneInfo:
    """Return a zone, always the same one of a name. Raises ZoneInfoNotFoundError, ValueError."""
    if name not in _names():
        return ZoneInfo(name)  # a name that only this machine knows
    with files(_PACKAGE).joinpath("zoneinfo", *name.split("/")).open("rb") as rules:
        return ZoneInfo.from_file(rules, key=name)


@lru_cache(maxsize=1)
def _names() -> frozenset[str]:
    try:
        return frozenset(files(_PACKAGE).joinpath("zones").read_text("utf-8").split())
    except ModuleNotFoundError as missing:
        raise ZoneInfoNotFoundError("The package tzdata is missing.") from missing
