"""How Pinterest's API v5 is called: developers.pinterest.com/docs/api/v5.

Writes may be answered with a 429 that is not about their rate but about spam: that one is told
apart here, whatever is written. How pins do is …/v5/pins-analytics: a pin's own `pin_metrics` would
be a cheaper read, but lacks saves, which are what sharing is here. Asking about many pins at once
is a beta that few applications have.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, timedelta

from chalicelib.connectors.connector import LivePost
from chalicelib.connectors.pinterest.errors import TOO_MANY, is_gone, spam_block
from chalicelib.connectors.shared.transport.bodies import JsonBody, JsonFileBody
from chalicelib.connectors.shared.transport.failures import (
    PlatformError,
    RateLimitedError,
    RejectedError,
)
from chalicelib.connectors.shared.transport.http import Call, PlatformHttp
from chalicelib.connectors.shared.transport.responses import PlatformResponse, find
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.outcome import FailureCode, Json

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
        is_open = isinstance(limit, RateLimitedError) and limit.retry_after is None
        return RateLimitedError(_MINUTE) if is_open else limit

    def _address(self, path: str) -> str:
        return f"{self.host}/v5/{path}"


_SINCE = timedelta(days=89)
_NEW = timedelta(hours=1)
"""How long a pin that is not found may only not be known yet to what counts."""

_KINDS = ("IMPRESSION", "SAVE", "TOTAL_COMMENTS", "TOTAL_REACTIONS")
_PHOTO_KINDS = (*_KINDS, "USER_FOLLOW")
_OK, _BAD, _NOT_FOUND = 200, 400, 404


class PinterestStatistics:
    """Asks how pins of one account do."""

    def __init__(self, api: PinterestApi) -> None:
        self._api = api

    def of(self, live: LivePost) -> Metrics | None:
        """Return a pin's figures, None when it is gone, nothing told where we may not ask."""
        try:
            response = self._ask(live, _PHOTO_KINDS)
            if response.status == _BAD:  # followers are not counted for videos
                response = self._ask(live, _KINDS)
        except RejectedError as error:
            if error.code is not FailureCode.PERMISSION_MISSING:
                raise
            return Metrics()
        if is_gone(response):
            return Metrics() if live.now - live.published_at < _NEW else None
        if response.status != _OK:
            raise self._api.http.read_error(response)
        return _metrics(response)

    def _ask(self, live: LivePost, kinds: tuple[str, ...]) -> PlatformResponse:
        today = live.now.astimezone(UTC).date()
        return self._api.get(
            f"pins/{live.remote_id}/analytics",
            live.account.token,
            {
                "start_date": (today - _SINCE).isoformat(),
                "end_date": today.isoformat(),
                "metric_types": ",".join(kinds),
            },
            takes=frozenset({_OK, _BAD, _NOT_FOUND}),
        )


def _metrics(response: PlatformResponse) -> Metrics:
    told = response.find("all")
    return Metrics(
        views=_count(told, "IMPRESSION"),
        likes=_count(told, "TOTAL_REACTIONS"),
        comments=_count(told, "TOTAL_COMMENTS"),
        shares=_count(told, "SAVE"),
        followers=_count(told, "USER_FOLLOW"),
    )


def _count(told: Json, kind: str) -> int | None:
    """Return a count since the pin was made, else of the asked days, None where neither is told."""
    for sums in ("lifetime_metrics", "summary_metrics"):
        found = find(told, sums, kind)
        if isinstance(found, int | float) and not isinstance(found, bool):
            return int(found)
    return None
