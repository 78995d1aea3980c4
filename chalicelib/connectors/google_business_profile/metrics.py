"""How posts do: whether Google still has them, and how often they were seen.

developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts/reportInsights.
Google announced the end of `localPosts:reportInsights` and put nothing in its place. So whatever it
answers is no failure: a post whose figures it does not tell has reported nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from chalicelib.connectors.connector import LivePost
from chalicelib.connectors.google_business_profile.api import (
    REFUSES_INSIGHTS,
    GoogleBusinessProfileApi,
    is_gone,
)
from chalicelib.connectors.google_business_profile.reconciliation import REJECTED
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.kit.json_value import Json, whole_number
from chalicelib.kit.transport.responses import find

BATCH = 100
_VIEWS = "LOCAL_POST_VIEWS_SEARCH"


def metrics(api: GoogleBusinessProfileApi, lives: Sequence[LivePost]) -> list[Metrics | None]:
    """Return the figures of posts of one location, None for those that are surely gone."""
    listed = api.list_page(lives[0].account).items("localPosts")
    states = {str(find(post, "name")): find(post, "state") for post in listed}
    there = [live for live in lives if _is_there(api, live, states)]
    views = dict(_views(api, there)) if there and api.has_insights else {}
    kept = {live.remote_id for live in there}
    return [
        Metrics(views=views.get(live.remote_id)) if live.remote_id in kept else None
        for live in lives
    ]


def _is_there(api: GoogleBusinessProfileApi, live: LivePost, states: Mapping[str, Json]) -> bool:
    """Tell whether Google has a post and shows it; the newest page saves most of the calls."""
    if live.remote_id in states:
        return states[live.remote_id] != REJECTED
    response = api.read(live.account, live.remote_id)
    return not is_gone(response) and response.find("state") != REJECTED


def _views(api: GoogleBusinessProfileApi, lives: Sequence[LivePost]) -> Iterator[tuple[str, int]]:
    """Yield posts with how often search showed them, those that Google tells of."""
    response = api.insights(lives[0].account, _question(lives))
    if response.status in REFUSES_INSIGHTS:
        return
    for post in response.items("localPostMetrics"):
        for value in _list(find(post, "metricValues")):
            number = whole_number(find(value, "totalValue", "value"))
            if find(value, "metric") == _VIEWS and number is not None:
                yield str(find(post, "localPostName")), number


def _question(lives: Sequence[LivePost]) -> dict[str, Json]:
    names: list[Json] = [live.remote_id for live in lives]
    since = min(live.published_at for live in lives)
    return {
        "localPostNames": names,
        "basicRequest": {
            "metricRequests": [{"metric": _VIEWS, "options": ["AGGREGATED_TOTAL"]}],
            "timeRange": {"startTime": _format_time(since), "endTime": _format_time(lives[0].now)},
        },
    }


def _format_time(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
