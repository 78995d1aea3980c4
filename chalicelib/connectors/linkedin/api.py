"""How LinkedIn's versioned REST API is called: learn.microsoft.com/linkedin/marketing/versioning.

Every call names a version, of which each lives a year. Rest.li writes lists and records into the
query with literal brackets and commas, so the addresses are put together here and encoded once.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from urllib.parse import quote

from chalicelib.connectors.shared.calls.failures import RateLimitedError
from chalicelib.connectors.shared.calls.http import Call, PlatformHttp
from chalicelib.domain.clock import Clock, system_clock
from chalicelib.domain.platforms.pages.linkedin import VERSION
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.bodies import JsonBody
from chalicelib.kit.transport.responses import PlatformResponse

_GOOD = frozenset({200, 201, 204})


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedInHosts:
    """Where LinkedIn answers: its API, its sign-in, and the site that people see."""

    linkedin: str = "https://api.linkedin.com"
    linkedin_oauth: str = "https://www.linkedin.com"
    linkedin_web: str = "https://www.linkedin.com"
    linkedin_version: str = VERSION.default


class LinkedInRest:
    """Calls below /rest; safe to share between threads."""

    def __init__(
        self, http: PlatformHttp, hosts: LinkedInHosts, clock: Clock = system_clock
    ) -> None:
        self._http = http
        self._clock = clock
        self._host = hosts.linkedin
        self._version = hosts.linkedin_version

    def get(self, path: str, token: str | None, *, finder: bool = False) -> PlatformResponse:
        """Read something; a finder is a search."""
        method = {"X-RestLi-Method": "FINDER"} if finder else {}
        return self._send(Call(method="GET", url=self._address(path), token=token, headers=method))

    def batch(self, path: str, token: str | None) -> PlatformResponse:
        """Read several things at once."""
        headers = {"X-RestLi-Method": "BATCH_GET"}
        return self._send(Call(method="GET", url=self._address(path), token=token, headers=headers))

    def post(
        self, path: str, token: str | None, body: Json, *, takes: frozenset[int] = _GOOD
    ) -> PlatformResponse:
        """Make something, or ask for an action."""
        call = Call(
            method="POST", url=self._address(path), token=token, body=JsonBody(body), takes=takes
        )
        try:
            return self._send(call)
        except RateLimitedError as error:
            raise error.waiting(error.retry_after or _until_midnight(self._clock())) from error

    def delete(self, path: str, token: str | None, *, takes: frozenset[int]) -> PlatformResponse:
        """Delete something."""
        method = {"X-RestLi-Method": "DELETE"}
        call = Call(
            method="DELETE", url=self._address(path), token=token, headers=method, takes=takes
        )
        return self._send(call)

    def _address(self, path: str) -> str:
        return f"{self._host}/rest/{path}"

    def _send(self, call: Call) -> PlatformResponse:
        versions = {"LinkedIn-Version": self._version, "X-Restli-Protocol-Version": "2.0.0"}
        return self._http.send(replace(call, headers={**versions, **call.headers}))


def _until_midnight(now: datetime) -> timedelta:
    """Return how long a limit of the day holds: LinkedIn's days begin at midnight UTC.

    learn.microsoft.com/linkedin/shared/api-guide/concepts/rate-limits
    """
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return midnight - now


def is_organization(urn: str | None) -> bool:
    """Tell an organization from a member."""
    return urn is not None and urn.startswith("urn:li:organization:")


def encode_urn(urn: str) -> str:
    """Return a URN as it stands in paths and queries."""
    return quote(urn, safe="")


def encode_list(urns: Iterable[str]) -> str:
    """Return URNs as a Rest.li list."""
    return f"List({','.join(encode_urn(urn) for urn in urns)})"
