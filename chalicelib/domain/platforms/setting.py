"""What a deployment may set of a platform: the version of its API, or a switch.

It stands on the page of each platform that has it; GOLDENHOUR_GRAPH_VERSION sets `graph_version`,
which a connector's hosts carry under the same name.
"""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final

from chalicelib.kit.dataclass import dataclass


def _never(_: str) -> None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A setting by its name; `example` says to a person which texts `pattern` allows.

    `api` names whose version it is, None for what is no version; `ends` tells when a version is
    answered no more, as far as that is known.
    """

    name: str
    default: str
    pattern: str
    example: str
    api: str | None = None
    ends: Callable[[str], datetime | None] = _never

    @property
    def variable(self) -> str:
        """Return the environment variable that sets it."""
        return f"GOLDENHOUR_{self.name.upper()}"

    def require(self, text: str) -> str:
        """Return what was set. Raises ValueError if it has another form."""
        if re.fullmatch(self.pattern, text) is None:
            raise ValueError(f"{self.variable} must be {self.example}, not {text!r}.")
        return text


_GRAPH_ENDS: Mapping[str, datetime] = {
    "v25.0": datetime(2028, 7, 29, tzinfo=UTC),
    "v26.0": datetime(2028, 7, 29, tzinfo=UTC),
}
"""v25.0 ends two years after v26.0 came (2026-07-29); v26.0 has no end yet, but Meta promises no
more than two years from the day on which a version came."""

META_GRAPH: Final = Setting(
    name="graph_version",
    default="v26.0",
    pattern=r"v[0-9]{1,3}\.[0-9]",
    example="like v26.0",
    api="Meta Graph API",
    ends=_GRAPH_ENDS.get,
)
"""developers.facebook.com/docs/graph-api/guides/versioning: Meta names an end about two years after
a version came."""
