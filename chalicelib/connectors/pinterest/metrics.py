"""How pins do: developers.pinterest.com/docs/api/v5/pins-analytics.

A pin's own `pin_metrics` would be a cheaper read, but lacks saves, which are what sharing is here.
Asking about many pins at once is a beta that few applications have.
"""

from datetime import UTC, timedelta

from chalicelib.connectors.connector import LivePost
from chalicelib.connectors.pinterest.api import PinterestApi
from chalicelib.connectors.pinterest.errors import is_gone
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.outcome import FailureCode
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import PlatformResponse, find

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
