"""Which version of each platform's API this service uses, when it ends, and the source for that.

A platform refuses every post through a version that has ended, so `doctor`, `engine status` and a
notice warn 90 days before. `docs/connectors/versions.md` is written from here (`make tables`).
"""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from chalicelib.domain.platforms.facts import all_settings
from chalicelib.domain.platforms.setting import Setting
from chalicelib.kit.dataclass import dataclass

AHEAD: Final = timedelta(days=90)


class Standing(StrEnum):
    """The state of a version."""

    GOOD = "good"
    UNKNOWN = "unknown"
    ENDS_SOON = "ends soon"
    ENDED = "ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiVersion:
    """A version in use; `variable` is the environment variable that sets another, if any."""

    api: str
    version: str
    standing: Standing
    ends: datetime | None = None
    variable: str | None = None

    @property
    def told(self) -> str | None:
        """Return the warning about it for an operator, None if there is none."""
        match self.standing:
            case Standing.GOOD:
                return None
            case Standing.UNKNOWN:
                return "This version of goldenhour does not know it: it may have ended long ago."
            case Standing.ENDS_SOON:
                return f"It ends on {self.ends:%Y-%m-%d}."
            case Standing.ENDED:
                return f"It ended on {self.ends:%Y-%m-%d}."

    @property
    def advice(self) -> str:
        """Return what to do about it."""
        if self.standing is Standing.UNKNOWN:
            return f"Set {self.variable} to one that the platform lists, or leave it unset."
        return f"Set {self.variable} to a newer one, or upgrade goldenhour."


def versions_that_can_end(chosen: Mapping[str, str], now: datetime) -> Iterator[ApiVersion]:
    """Yield each API version in use that can end; `chosen` are a deployment's settings."""
    for setting in all_settings():
        if setting.api is not None:
            yield _of(setting, setting.api, chosen.get(setting.name, setting.default), now)


def endangered_versions(chosen: Mapping[str, str], now: datetime) -> tuple[ApiVersion, ...]:
    """Return the versions about which an operator must be warned."""
    return tuple(one for one in versions_that_can_end(chosen, now) if one.told is not None)


def _of(setting: Setting, api: str, version: str, now: datetime) -> ApiVersion:
    ends = setting.ends(version) if setting.knows(version) else None
    return ApiVersion(
        api=api,
        version=version,
        standing=_standing(setting, version, ends, now),
        ends=ends,
        variable=setting.variable,
    )


def _standing(setting: Setting, version: str, ends: datetime | None, now: datetime) -> Standing:
    if not setting.knows(version):
        return Standing.UNKNOWN
    if ends is None or ends - now > AHEAD:
        return Standing.GOOD
    return Standing.ENDED if ends <= now else Standing.ENDS_SOON
