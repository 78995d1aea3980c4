"""Settings of a deployment for a platform: the version of its API, or a switch.

Each is declared on the pages of the platforms that have it. The environment variable
GOLDENHOUR_GRAPH_VERSION sets `graph_version`; connectors read it under that name from their hosts.
"""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final

from chalicelib.kit.dataclass import dataclass


def _never(_: str) -> None:
    return None


def _always(_: str) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A setting by its name; `example` tells a person which texts `pattern` allows.

    `api` names the API whose version it is, None if it is not a version. `ends` returns when a
    version ends, None if that is not known, and `knows` whether a version is known at all; `source`
    is the page that says so.
    """

    name: str
    default: str
    pattern: str
    example: str
    api: str | None = None
    ends: Callable[[str], datetime | None] = _never
    knows: Callable[[str], bool] = _always
    source: str | None = None

    @property
    def variable(self) -> str:
        """Return the environment variable that sets it."""
        return f"GOLDENHOUR_{self.name.upper()}"

    def require(self, text: str) -> str:
        """Return a valid value. Raises ValueError, for people, if it does not match the pattern."""
        if re.fullmatch(self.pattern, text) is None:
            raise ValueError(f"{self.variable} must be {self.example}, not {text!r}.")
        return text


_GRAPH_ENDS: Mapping[str, datetime | None] = {
    "v18.0": datetime(2026, 1, 26, tzinfo=UTC),
    "v19.0": datetime(2026, 5, 21, tzinfo=UTC),
    "v20.0": datetime(2026, 9, 24, tzinfo=UTC),
    "v21.0": datetime(2027, 1, 21, tzinfo=UTC),
    "v22.0": datetime(2027, 5, 20, tzinfo=UTC),
    "v23.0": datetime(2027, 10, 8, tzinfo=UTC),
    "v24.0": datetime(2028, 2, 18, tzinfo=UTC),
    "v25.0": datetime(2028, 7, 29, tzinfo=UTC),
    "v26.0": datetime(2028, 7, 29, tzinfo=UTC),
    "v27.0": None,
}
"""v25.0 ends two years after v26.0 was released (2026-07-29). For v26.0, that is Meta's promise
from its release; its end is not announced yet."""

META_GRAPH: Final = Setting(
    name="graph_version",
    default="v26.0",
    pattern=r"v[0-9]{1,3}\.[0-9]",
    example="like v26.0",
    api="Meta Graph API",
    ends=_GRAPH_ENDS.get,
    knows=_GRAPH_ENDS.__contains__,
    source="https://developers.facebook.com/docs/graph-api/changelog/versions",
)
"""developers.facebook.com/docs/graph-api/guides/versioning: versions end about two years after
their release."""
