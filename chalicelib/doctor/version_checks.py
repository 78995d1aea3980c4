"""Whether LinkedIn and Meta will go on answering the versions of their APIs that are asked for.

A version that has ended refuses every post, so its end is told 90 days ahead.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from chalicelib.connectors.shared.transport.hosts import (
    GRAPH_ENDS,
    GRAPH_VERSION,
    LINKEDIN_VERSION,
    linkedin_sunset,
)
from chalicelib.doctor.examination import Finding, fine, warning, wrong
from chalicelib.domain.clock import Clock

AHEAD = timedelta(days=90)
_ADVICE = "Set GOLDENHOUR_{0}_VERSION to a newer one, or upgrade goldenhour."


class VersionChecks:
    """The versions of the platforms' APIs."""

    def __init__(self, versions: Mapping[str, str], clock: Clock) -> None:
        self._linkedin = versions.get("linkedin_version", LINKEDIN_VERSION)
        self._graph = versions.get("graph_version", GRAPH_VERSION)
        self._clock = clock

    def run(self) -> Iterator[Finding]:
        """Hold each version's end against the calendar."""
        ends = linkedin_sunset(self._linkedin)
        yield self._judge("LINKEDIN", f"LinkedIn API version {self._linkedin}", ends)
        yield self._judge(
            "GRAPH", f"Meta Graph API version {self._graph}", GRAPH_ENDS.get(self._graph)
        )

    def _judge(self, name: str, subject: str, ends: datetime | None) -> Finding:
        if ends is None:
            return fine(subject, "no end announced")
        left = ends - self._clock()
        if left <= timedelta(0):
            return wrong(subject, f"It ended on {ends:%Y-%m-%d}.", _ADVICE.format(name))
        if left <= AHEAD:
            return warning(subject, f"It ends on {ends:%Y-%m-%d}.", _ADVICE.format(name))
        return fine(subject, f"answered until {ends:%Y-%m-%d}")
