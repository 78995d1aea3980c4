"""How Pinterest's API v5 is called: developers.pinterest.com/docs/api/v5.

Writes may be answered with a 429 that is not about their rate but about spam: that one is told
apart here, whatever is written.
"""

from collections.abc import Mapping
from dataclasses import field
from datetime import timedelta

from chalicelib.connectors.pinterest.errors import TOO_MANY, spam_block
from chalicelib.connectors.shared.calls.failures import RateLimitedError
from chalicelib.connectors.shared.calls.http import Call, PlatformHttp
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.transport.bodies import JsonBody, JsonFileBody
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.kit.transport.responses import PlatformResponse

_GOOD = frozenset({200, 201, 204})
_MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class PinterestHosts:
    """Where Pinterest answers: its API, and the site that people see."""

    pinterest: str = "https://api.pinterest.com"
    pinterest_web: str = "https://www.pinterest.com"


@dataclass(frozen=True, slots=True)
class PinterestApi:
    """Calls below /v5; safe to share between threads."""

    http: PlatformHttp = field(repr=False)
    host: str

    def get(
        self,
        path: str,
        token: str | None,
        params: Mapping[str, str] | None = None,
        *,
        takes: frozenset[int] = _GOOD,
    ) -> PlatformResponse:
        """Read something."""
        call = Call(
            method="GET", url=self._address(path), token=token, params=params or {}, takes=takes
        )
        return self.http.send(call)

    def post(self, path: str, token: str | None, body: JsonBody | JsonFileBody) -> PlatformResponse:
        """Make something. Raises RejectedError for an account that is blocked for spam."""
        call = Call(
            method="POST",
            url=self._address(path),
            token=token,
            body=body,
            takes=_GOOD | {TOO_MANY},
        )
        response = self.http.send(call)
        if response.status == TOO_MANY:
            raise spam_block(response) or self._limit(response)
        return response

    def delete(self, path: str, token: str | None, *, takes: frozenset[int]) -> PlatformResponse:
        """Delete something."""
        call = Call(method="DELETE", url=self._address(path), token=token, takes=takes)
        return self.http.send(call)

    def _limit(self, response: PlatformResponse) -> PlatformError:
        """Return a rate limit: Pinterest counts by the minute and rarely says how long to wait."""
        limit = self.http.read_error(response)
        if isinstance(limit, RateLimitedError) and limit.retry_after is None:
            return limit.waiting(_MINUTE)
        return limit

    def _address(self, path: str) -> str:
        return f"{self.host}/v5/{path}"
